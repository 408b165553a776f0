package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/record"
	"plancheck/internal/report"
	"plancheck/internal/simulate"
	"plancheck/internal/trace"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/levels"
	"plancheck/ir/timeline"
	"plancheck/rules"
)

type simulateFlags struct {
	rules     []string
	durations string
	evidence  string
	binding   string
	output    string
	traces    []string
	events    bool
	all       bool
	quiet     bool
}

func simulateVerb() verb {
	return verb{
		name:  "simulate",
		usage: "PLAN",
		short: "tell when each command of a plan's program runs, and what it waits for",
		long: `Plays the program of a plan forward in time and prints the makespan, the critical
path and how busy queues and memory are. How long commands take is said by a
table of durations, by evidence, or by the binding that the plan was made on;
signals, waits and barriers need none. A plan with a spatial extension says it
itself, by latencies and routes, where none is given.

A plan that breaks rules is not played. The timeline that is written refers to
the plan by its digest: "plancheck check TIMELINE --parent PLAN" judges it, as is
done before it is written. The same input gives the same bytes.`,
		exits: `0  the plan was played to its end
1  the plan breaks a rule, or its commands wait for each other
2  a file, a rule file or the command line is bad, or a duration is not known`,
		examples: []string{
			"plancheck simulate --evidence a100.json plan.json -o timeline.json",
			"plancheck simulate --binding out/binding.json out/plan.json --trace chrome=trace.json",
			"plancheck simulate --durations table.json --trace perfetto=plan.pftrace plan.json",
		},
		args: func() values { return values{files: []string{"json"}} },
		prepare: func(fs *pflag.FlagSet) runner {
			var f simulateFlags
			addRulesFlag(fs, &f.rules)
			fs.StringVar(&f.durations, "durations", "", "take durations of commands from the table in this `FILE`")
			fs.StringVar(&f.evidence, "evidence", "", "take durations of ops from the evidence in this `FILE`")
			fs.StringVar(&f.binding, "binding", "", "take durations of tasks from the binding in this `FILE`")
			fs.StringVarP(&f.output, "output", "o", "", "write the timeline to this `FILE`; with - to standard output, and the table to standard error")
			fs.StringArrayVar(&f.traces, "trace", nil, "write a trace as `FORMAT=PATH`; repeatable. Formats: "+traceFormatList())
			fs.BoolVar(&f.events, "events", false, "let the timeline list what happens, event by event")
			fs.BoolVar(&f.all, "all", false, "shorten nothing in the table: every step of the critical path")
			fs.BoolVarP(&f.quiet, "quiet", "q", false, "write no table")
			completeFiles(fs, "durations", "json")
			completeFiles(fs, "evidence", "json")
			completeFiles(fs, "binding", "json")
			completeFiles(fs, "output", "json")
			completeWords(fs, "trace", traceFormatNames()...)
			return f.run
		},
	}
}

func traceFormatNames() []string {
	var names []string
	for _, f := range trace.Formats() {
		names = append(names, f.Name)
	}
	return names
}

func traceFormatList() string {
	var list []string
	for _, f := range trace.Formats() {
		list = append(list, f.Name+" ("+f.About+")")
	}
	return strings.Join(list, ", ")
}

// traceOutput is one --trace.
type traceOutput struct {
	format trace.Format
	path   string
}

var errDurations = errors.New("say how long commands take, by one of --durations, --evidence and --binding")

// validate reads the flags.
func (f *simulateFlags) validate(args []string) ([]traceOutput, error) {
	if len(args) != 1 {
		return nil, errors.New("name one plan")
	}
	given := slices.DeleteFunc([]string{f.durations, f.evidence, f.binding}, func(name string) bool { return name == "" })
	if len(given) > 1 {
		return nil, errDurations
	}
	inputs := append([]string{args[0]}, given...)
	if err := onlyOneStdin(inputs); err != nil {
		return nil, err
	}
	taken := []string{}
	place := func(flag, path string) error {
		clean := path
		if path != stdoutName {
			clean = filepath.Clean(path)
			if err := checkPath(flag, path, inputs); err != nil {
				return err
			}
		}
		if slices.Contains(taken, clean) {
			return fmt.Errorf("--%s: two outputs cannot share %s", flag, path)
		}
		taken = append(taken, clean)
		return nil
	}
	if f.output != "" {
		if err := place("output", f.output); err != nil {
			return nil, err
		}
	}
	var traces []traceOutput
	for _, spec := range f.traces {
		name, path, _ := strings.Cut(spec, "=")
		i := slices.Index(traceFormatNames(), name)
		if i < 0 {
			return nil, fmt.Errorf("--trace: no format %q; there are %s", name, strings.Join(traceFormatNames(), ", "))
		}
		if path == "" {
			return nil, fmt.Errorf("--trace: say where the trace goes, as %s=PATH", name)
		}
		if err := place("trace", path); err != nil {
			return nil, err
		}
		traces = append(traces, traceOutput{trace.Formats()[i], path})
	}
	return traces, nil
}

// stdoutTaken says that standard output is taken by a document.
func (f *simulateFlags) stdoutTaken(traces []traceOutput) bool {
	return f.output == stdoutName || slices.ContainsFunc(traces, func(t traceOutput) bool { return t.path == stdoutName })
}

func (f *simulateFlags) run(ctx context.Context, env Env, args []string) (int, error) {
	traces, err := f.validate(args)
	if err != nil {
		return 0, fmt.Errorf("simulate: %w", err)
	}
	name := args[0]
	plan, diags := readPlan(ctx, env, name)
	if plan == nil {
		return exitBad, complain(env, diags)
	}
	if plan.Program == nil {
		return exitBad, complain(env, []diag.Diagnostic{{Code: "no-program", Severity: diag.Error, Pos: diag.Position{File: name},
			Message: "the plan has no program: there are no commands to simulate"}})
	}
	if f.durations+f.evidence+f.binding == "" && !simulate.TellsDurations(plan) {
		return 0, fmt.Errorf("simulate: %w", errDurations)
	}
	if f.binding != "" && simulate.TellsDurations(plan) {
		return 0, fmt.Errorf("simulate: --binding: %s states its own durations, by its spatial extension: leave --binding out", report.FileName(name))
	}
	if exit, err := f.judgePlan(ctx, env, name, plan); exit != exitOK || err != nil {
		return exit, err
	}
	costs, diags := f.costs(ctx, env, name, plan)
	if costs == nil {
		return exitBad, complain(env, diags)
	}
	result, err := simulate.Run(simulate.Input{Plan: plan, Durations: costs.Durations})
	var dead *simulate.Deadlock
	if errors.As(err, &dead) {
		return exitViolations, complain(env, []diag.Diagnostic{atCommand(plan, dead.First, "simulation-deadlock", dead.Error())})
	}
	if err != nil {
		return 0, fmt.Errorf("simulate: %s: %w", report.FileName(name), err)
	}
	bundle := simulate.Bundle(plan, costs, result)
	if f.events {
		simulate.AddEvents(bundle, plan, result)
	}
	if err := f.judgeTimeline(ctx, env, name, plan, bundle); err != nil {
		return 0, fmt.Errorf("simulate: %w", err)
	}
	if f.output != "" {
		if err := writeBytes(env, f.output, levels.Encode(bundle)); err != nil {
			return 0, fmt.Errorf("simulate: writing the timeline: %w", err)
		}
	}
	for _, t := range traces {
		if err := writeBytes(env, t.path, t.format.Write(plan, bundle)); err != nil {
			return 0, fmt.Errorf("simulate: writing the trace: %w", err)
		}
	}
	if f.quiet {
		return exitOK, nil
	}
	out := env.Stdout
	if f.stdoutTaken(traces) {
		out = env.Stderr
	}
	return exitOK, tellSimulated(out, name, plan, bundle, f.all)
}

// judgePlan asks the rules whether the plan may be played.
func (f *simulateFlags) judgePlan(ctx context.Context, env Env, name string, plan *ir.Plan) (int, error) {
	set, diags := rules.LoadFor(ir.PlanSchema, f.rules)
	if set == nil {
		return exitBad, complain(env, diags)
	}
	if len(set.Comparing()) > 0 {
		return 0, fmt.Errorf("simulate: --rules: %s compares a plan with its parent, which is not done here", set.Comparing()[0])
	}
	if err := complain(env, diags); err != nil {
		return 0, err
	}
	verdict, err := set.Judge(ctx, plan, rules.Options{Limits: defaultLimits()})
	if err != nil {
		return exitBad, complain(env, []diag.Diagnostic{evaluationError(name, err)})
	}
	if report.Count(verdict.Findings, diag.Error) == 0 {
		return exitOK, nil
	}
	if err := tellBroken(env, name, set, verdict, false); err != nil {
		return 0, err
	}
	fmt.Fprintf(env.Stderr, "%s: not simulated: the plan breaks rules\n", report.FileName(name))
	return exitViolations, nil
}

// costs reads how long commands take, from the plan itself where there is nothing
// else to read.
func (f *simulateFlags) costs(ctx context.Context, env Env, input string, plan *ir.Plan) (*simulate.Costs, []diag.Diagnostic) {
	name := f.durations + f.evidence + f.binding
	if name == "" {
		costs, err := simulate.FromPlan(plan)
		return known(plan, input, costs, err)
	}
	costs, diags, err := f.read(ctx, env, name, plan)
	if diags != nil {
		return nil, diags
	}
	return known(plan, name, costs, err)
}

// known are costs, or diagnostics of why there are none from the document of a
// name.
func known(plan *ir.Plan, name string, costs *simulate.Costs, err error) (*simulate.Costs, []diag.Diagnostic) {
	var diags []diag.Diagnostic
	var unknown *simulate.Unknown
	switch {
	case errors.As(err, &unknown):
		for _, c := range unknown.Commands {
			diags = append(diags, atCommand(plan, c.Command, c.Code, c.Why))
		}
		return nil, diags
	case err != nil:
		return nil, []diag.Diagnostic{{Code: "evidence-invalid", Severity: diag.Error, Pos: diag.Position{File: name}, Message: err.Error()}}
	}
	return costs, nil
}

// read reads the document of the costs of commands.
func (f *simulateFlags) read(ctx context.Context, env Env, name string, plan *ir.Plan) (*simulate.Costs, []diag.Diagnostic, error) {
	var costs *simulate.Costs
	var err error
	switch {
	case f.durations != "":
		src, diags := readSource(ctx, env, name)
		if diags != nil {
			return nil, diags, nil
		}
		var table simulate.Table
		if diags := record.Decode(src, &table); diags != nil {
			return nil, diags, nil
		}
		costs, err = simulate.FromTable(plan, &table)
	case f.evidence != "":
		e, _, diags := readLevel[*evidence.Evidence](ctx, env, name, evidence.EvidenceSchema)
		if diags != nil {
			return nil, diags, nil
		}
		costs, err = simulate.FromEvidence(plan, e)
	default:
		b, _, diags := readLevel[*evidence.Binding](ctx, env, name, evidence.BindingSchema)
		if diags != nil {
			return nil, diags, nil
		}
		costs, err = simulate.FromBinding(plan, b)
	}
	return costs, nil, err
}

// atCommand is an error at a command of a plan.
func atCommand(plan *ir.Plan, command int32, code, message string) diag.Diagnostic {
	d := diag.Diagnostic{Code: code, Severity: diag.Error, Message: message}
	if src := plan.Source; src != nil {
		at := int(plan.Program.Commands[command].At)
		d.Pos = src.Position(at)
		d.Snippet, d.SnippetSkip = src.Excerpt(at)
	}
	return d
}

// judgeTimeline asks the rules of timelines about one that was made, and tells what
// they warn of, at the commands of the plan of this name. What they find wrong is a
// mistake of ours.
func (f *simulateFlags) judgeTimeline(ctx context.Context, env Env, name string, plan *ir.Plan, b *timeline.Bundle) error {
	set, _ := rules.LoadFor(timeline.Schema, nil)
	if set == nil {
		return errors.New("the rules of timelines cannot be loaded")
	}
	verdict, err := set.JudgeDocument(ctx, facts.OfLevel(b, nil), rules.Options{Parent: facts.OfPlan(plan), Limits: defaultLimits()})
	if err != nil {
		return fmt.Errorf("judging the timeline: %w", err)
	}
	commands := map[string]int32{}
	for i := range plan.Program.Commands {
		commands[plan.Text(plan.Program.Commands[i].ID)] = int32(i)
	}
	told := make([]diag.Diagnostic, 0, len(verdict.Findings))
	for _, x := range verdict.Findings {
		d := diag.Diagnostic{Code: x.Code, Severity: x.Severity, Message: x.Message, Help: x.Help, Pos: diag.Position{File: name}}
		if c, there := commands[verdict.Symbols.Text(x.Proof.Args[0])]; there {
			d = atCommand(plan, c, x.Code, x.Message)
			d.Severity, d.Help = x.Severity, x.Help
		}
		told = append(told, d)
	}
	opts := report.Options{Color: env.colorFor("auto", env.Stderr), All: f.all}
	if err := report.WriteDiagnostics(env.Stderr, told, opts); err != nil {
		return err
	}
	if n := report.Count(told, diag.Error); n > 0 {
		return fmt.Errorf("the timeline that was made breaks %d rules: this is an error of plancheck, please report it", n)
	}
	return nil
}
