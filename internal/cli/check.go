package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"os"
	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/ir"
	"plancheck/rules"
	"runtime/debug"
	"strings"
)

type checkFlags struct {
	triage    triageFlags
	rules     []string
	partial   bool
	failOn    string
	plansOnly bool
	outputs   []string
	color     string
	quiet     bool
	all       bool
	cost      bool
	profile   bool
	timeout   time.Duration
	maxFacts  int
	maxMemory size
}

func checkVerb() verb {
	return verb{
		name:  "check",
		usage: "[--rules F]... PLAN...",
		short: "judge plans by rules; the verb may be left out",
		long: `Judges each plan by the rules and writes every violation with its place and its
proof. A plan is a JSON file, or - for standard input. A folder stands for all
plans in it and below: the .json files that declare the schema of plans. The
findings go to standard output; what kept a plan from being judged, and notes
about what was not checked, go to standard error.`,
		exits: `0  every plan is legal: no finding at or above --fail-on
1  a plan breaks a rule
2  a plan, a rule file or the command line is bad, or a folder holds no plan;
   the other plans are judged`,
		examples: []string{
			"plancheck --rules rules/pipeline.dl plan.json",
			"plancheck check --partial --output json=report.json a.json b.json",
			"plancheck check --baseline known.json --fail-on warning plans",
			"my-compiler --dump-plan | plancheck -",
		},
		args: func() values { return values{files: []string{"json"}} },
		prepare: func(fs *pflag.FlagSet) runner {
			var f checkFlags
			addRulesFlag(fs, &f.rules)
			fs.BoolVar(&f.partial, "partial", false, "accept holes: judge only what is decided so far")
			fs.StringArrayVarP(&f.outputs, "output", "o", nil, "write the report as `FORMAT[=PATH]`; repeatable. Formats: "+formatList()+". Without a path, or with -, it goes to standard output; text goes there too unless something else does")
			f.triage.add(fs)
			fs.StringVar(&f.failOn, "fail-on", failOnError, "exit with 1 for findings of this `SEVERITY` or above: error, warning or never")
			fs.BoolVar(&f.plansOnly, "plans-only", false, "skip files that declare no plan, with a note, as it is done in folders")
			fs.StringVar(&f.color, "color", "auto", "use colours: `WHEN` is auto, always or never")
			fs.BoolVarP(&f.quiet, "quiet", "q", false, "write findings and errors only, no summary and no notes")
			fs.BoolVar(&f.all, "all", false, "shorten nothing in text: every finding of a story, every row of a sum")
			fs.BoolVar(&f.profile, "profile", false, "also list the rules that took longest, on standard error")
			fs.BoolVar(&f.cost, "cost", false, "also print what each plan costs, as the rules derive it")
			fs.DurationVar(&f.timeout, "timeout", 0, "give up on a plan after this `TIME`, such as 30s (default: never)")
			fs.IntVar(&f.maxFacts, "max-facts", 20_000_000, "give up on a plan when rules have derived `N` facts; 0 means no limit")
			f.maxMemory = 4 << 30
			completeFormats(fs, "output")
			completeWords(fs, "fail-on", failOnWords()...)
			completeWords(fs, "color", colorWords()...)
			fs.Var(&f.maxMemory, "max-memory", "give up on a plan when what rules derive needs memory of this `SIZE`; 0 means no limit")
			return f.run
		},
	}
}

func addRulesFlag(fs *pflag.FlagSet, files *[]string) {
	defer completeRules(fs, "rules")
	fs.StringArrayVarP(files, "rules", "r", nil, "use this rule `FILE`; repeatable. builtin is the embedded set and the default, builtin:pipeline one file of it")
}

func formatList() string {
	list := ""
	for i, f := range report.Formats() {
		if i > 0 {
			list += ", "
		}
		list += f.Name + " (" + f.About + ")"
	}
	return list
}

// What --fail-on may be.
const (
	failOnError   = "error"
	failOnWarning = "warning"
	failNever     = "never"
)

func failOnWords() []string { return []string{failOnError, failOnWarning, failNever} }

func colorWords() []string { return []string{"auto", "always", "never"} }

func (f *checkFlags) validate(args []string) ([]output, error) {
	if len(args) == 0 {
		return nil, errors.New("no plan given")
	}
	if err := onlyOneStdin(slices.Concat(args, f.triage.inputs())); err != nil {
		return nil, err
	}
	if err := oneOf("color", f.color, colorWords()...); err != nil {
		return nil, err
	}
	if err := oneOf("fail-on", f.failOn, failOnWords()...); err != nil {
		return nil, err
	}
	if err := f.triage.validate(); err != nil {
		return nil, err
	}
	if f.timeout < 0 {
		return nil, fmt.Errorf("--timeout: %s is negative", f.timeout)
	}
	if f.maxFacts < 0 {
		return nil, fmt.Errorf("--max-facts: %d is negative", f.maxFacts)
	}
	return parseOutputs(f.outputs)
}

// checkPaths finds out before the work whether what is written can be written,
// and overwrites nothing that is read.
func (f *checkFlags) checkPaths(outs []output, groups []group) error {
	inputs := slices.Concat(named(groups), f.rules, f.triage.inputs())
	written := map[string]string{} // flags by path
	check := func(flag, path string) error {
		if path == "" || path == stdoutName {
			return nil
		}
		if other, twice := written[filepath.Clean(path)]; twice {
			return fmt.Errorf("--%s: %s is written by --%s too", flag, path, other)
		}
		written[filepath.Clean(path)] = flag
		if err := checkPath(flag, path, inputs); err != nil {
			return err
		}
		for _, g := range groups {
			if g.folder != "" && overwritesPlan(path, g.names) {
				return fmt.Errorf("--%s: %s is a plan of %s and would be overwritten", flag, path, g.folder)
			}
		}
		return nil
	}
	for _, o := range outs {
		if err := check("output", o.path); err != nil {
			return err
		}
	}
	return check("write-baseline", f.triage.writeBaseline)
}

func (f *checkFlags) run(ctx context.Context, env Env, args []string) (int, error) {
	outs, err := f.validate(args)
	if err != nil {
		return 0, fmt.Errorf("check: %w", err)
	}
	groups := collect(args, f.plansOnly)
	if err := f.checkPaths(outs, groups); err != nil {
		return 0, fmt.Errorf("check: %w", err)
	}
	run := f.judge(ctx, env, groups)
	if ctx.Err() != nil {
		return 0, errInterrupted
	}
	return run.Exit, f.write(env, run, outs)
}

// judge reads and judges everything.
func (f *checkFlags) judge(ctx context.Context, env Env, groups []group) *report.Run {
	run := &report.Run{Version: Version, Partial: f.partial}
	set, diags := rules.Load(f.rules)
	sieve, more := f.triage.sieve(ctx, env)
	run.RuleDiags = append(diags, more...)
	if set == nil || sieve == nil || report.Count(diags, diag.Error) > 0 {
		run.Exit = exitBad
		return run
	}
	run.RuleFiles, run.LeftOut = set.Files(), set.LeftOut()
	for _, g := range groups {
		f.judgeGroup(ctx, env, set, g, run)
	}
	if ctx.Err() != nil {
		return run
	}
	for i := range run.Documents {
		f.triage.sort(sieve, &run.Documents[i])
	}
	f.triage.finish(sieve, set, run)
	run.Exit = f.exit(run)
	return run
}

// judgeGroup judges the plans of a group. A folder without any is an error, so
// that a misspelt path does not pass for checked.
func (f *checkFlags) judgeGroup(ctx context.Context, env Env, set *rules.Set, g group, run *report.Run) {
	for _, e := range g.errors {
		run.Documents = append(run.Documents, report.Document{Name: e.Pos.File, Errors: []diag.Diagnostic{e}})
	}
	plans := len(g.errors)
	var others []string
	for _, name := range g.names {
		if ctx.Err() != nil {
			return
		}
		d, ok := f.judgeDocument(ctx, env, set, name, g.maybe)
		if !ok {
			others = append(others, name)
			continue
		}
		plans++
		run.Documents = append(run.Documents, d)
	}
	if others != nil {
		run.Skipped = append(run.Skipped, report.Skipped{Folder: g.folder, Why: noPlan, Files: others})
	}
	run.Skipped = append(run.Skipped, g.skipped...)
	if plans == 0 && g.folder != "" && !g.shared {
		run.Documents = append(run.Documents, report.Document{Name: g.folder, Errors: []diag.Diagnostic{{
			Code: "folder-without-plan", Severity: diag.Error, Pos: diag.Position{File: g.folder},
			Message: fmt.Sprintf("no .json file in this folder or below declares the schema %s", ir.PlanSchema),
		}}})
	}
}

// judgeDocument judges one plan. With maybe it says when a file is no plan.
func (f *checkFlags) judgeDocument(ctx context.Context, env Env, set *rules.Set, name string, maybe bool) (d report.Document, isPlan bool) {
	d = report.Document{Name: name}
	src, diags := readSource(ctx, env, name)
	if diags != nil {
		d.Errors = diags
		return d, true
	}
	if maybe && !ir.DeclaresPlan(src) {
		return d, false
	}
	var plan *ir.Plan
	plan, d.Errors = decodePlan(env, src)
	if d.Errors != nil {
		return d, true
	}
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	limits := datalog.Limits{Facts: f.maxFacts, Bytes: int64(f.maxMemory)}
	verdict, err := set.Judge(ctx, plan, rules.Options{Partial: f.partial, Profile: f.profile, Limits: limits})
	if err != nil {
		d.Errors = []diag.Diagnostic{evaluationError(name, err)}
		return d, true
	}
	if f.cost {
		if d.Costs, err = set.Costs(ctx, plan, limits); err != nil {
			// What the plan costs does not touch what is wrong with it.
			fmt.Fprintf(env.Stderr, "%s: the costs are not known: %v\n", name, err)
		}
	}
	d.Verdict = verdict
	if f.profile {
		writeProfile(env.Stderr, name, verdict)
	}
	return d, true
}

// readPlan reads and decodes a plan, or says why it cannot.
func readPlan(ctx context.Context, env Env, name string) (*ir.Plan, []diag.Diagnostic) {
	src, diags := readSource(ctx, env, name)
	if diags != nil {
		return nil, diags
	}
	return decodePlan(env, src)
}

// decodePlan decodes a plan, and lets go of the text of a large one.
func decodePlan(env Env, src *diag.Source) (*ir.Plan, []diag.Diagnostic) {
	size := len(src.Text())
	if size >= largePlan && env.Getenv("GOGC") == "" {
		debug.SetGCPercent(20)
	}
	plan, diags := ir.DecodePlan(src)
	if plan != nil && size >= largePlan && src.Name != stdinName {
		src.Release(func() ([]byte, error) { return os.ReadFile(src.Name) })
	}
	return plan, diags
}

// largePlan is the size in bytes from which the text of a plan is given back
// once it is decoded, and memory is collected more eagerly: plans hardly have
// pointers, so that costs little.
const largePlan = 16 << 20

// evaluationError turns an error of the rule engine into a diagnostic: at the
// rule where a rule is at fault, at the number that makes a document too large
// for facts, and otherwise about the whole document.
func evaluationError(document string, err error) diag.Diagnostic {
	var rule *datalog.RuleError
	if errors.As(err, &rule) {
		return rule.Diagnostic
	}
	var export *facts.Error
	if errors.As(err, &export) {
		return export.Diagnostic
	}
	message := err.Error()
	if errors.Is(err, context.DeadlineExceeded) {
		message = "time ran out: " + strings.TrimSuffix(strings.TrimSuffix(message, context.DeadlineExceeded.Error()), ": ")
	}
	return diag.Diagnostic{
		Code:     "not-evaluated",
		Severity: diag.Error,
		Message:  message,
		Pos:      diag.Position{File: document},
	}
}

// exit is the exit code of a run.
func (f *checkFlags) exit(run *report.Run) int {
	exit := exitOK
	count := func(ds []diag.Diagnostic) {
		errors, warnings := report.Count(ds, diag.Error), report.Count(ds, diag.Warning)
		if f.failOn != failNever && errors > 0 || f.failOn == failOnWarning && warnings > 0 {
			exit = max(exit, exitViolations)
		}
	}
	count(run.RuleDiags)
	for _, d := range run.Documents {
		if d.Verdict == nil {
			exit = exitBad
			continue
		}
		count(d.Verdict.Findings)
	}
	return exit
}

// write writes the reports and the baseline, and to standard error what people
// must know besides.
func (f *checkFlags) write(env Env, run *report.Run, outs []output) error {
	aside := report.Options{Color: env.colorFor(f.color, env.Stderr), All: f.all, Quiet: f.quiet}
	if err := report.WriteProblems(env.Stderr, run, aside); err != nil {
		return err
	}
	for _, o := range outs {
		opts := report.Options{Color: env.colorFor(f.color, env.Stdout), All: f.all, Quiet: f.quiet}
		if err := o.write(env, run, opts); err != nil {
			return err
		}
	}
	if err := f.triage.record(env, run); err != nil {
		return err
	}
	return report.WriteNotes(env.Stderr, run, aside)
}
