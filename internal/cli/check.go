package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"os"
	"plancheck/facts"
	"plancheck/internal/chart"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/ir"
	"plancheck/rules"
	"runtime/debug"
	"strings"
)

type checkFlags struct {
	rules     []string
	partial   bool
	outputs   []string
	color     string
	quiet     bool
	all       bool
	cost      bool
	profile   bool
	timeout   time.Duration
	maxFacts  int
	maxMemory size

	chart bool // a report wants charts
}

func checkVerb() verb {
	return verb{
		name:  "check",
		usage: "[--rules F]... PLAN...",
		short: "judge plans by rules; the verb may be left out",
		long: `Judges each plan by the rules and writes every violation with its place and its
proof. A plan is a JSON file, or - for standard input. The findings go to
standard output; what kept a plan from being judged, and notes about what was
not checked, go to standard error.`,
		exits: `0  every plan is legal (there may be warnings)
1  a plan breaks a rule
2  a plan, a rule file or the command line is bad; the other plans are judged`,
		examples: []string{
			"plancheck --rules rules/pipeline.dl plan.json",
			"plancheck check --partial --output json=report.json a.json b.json",
			"my-compiler --dump-plan | plancheck -",
		},
		prepare: func(fs *pflag.FlagSet) runner {
			var f checkFlags
			addRulesFlag(fs, &f.rules)
			fs.BoolVar(&f.partial, "partial", false, "accept holes: judge only what is decided so far")
			fs.StringArrayVarP(&f.outputs, "output", "o", nil, "write the report as `FORMAT[=PATH]`; repeatable. Formats: "+formatList()+". Without a path, or with -, it goes to standard output; text goes there too unless something else does")
			fs.StringVar(&f.color, "color", "auto", "use colours: `WHEN` is auto, always or never")
			fs.BoolVarP(&f.quiet, "quiet", "q", false, "write findings and errors only, no summary and no notes")
			fs.BoolVar(&f.all, "all", false, "shorten nothing in text: every finding of a story, every row of a sum")
			fs.BoolVar(&f.profile, "profile", false, "also list the rules that took longest, on standard error")
			fs.BoolVar(&f.cost, "cost", false, "also print what each plan costs, as the rules derive it")
			fs.DurationVar(&f.timeout, "timeout", 0, "give up on a plan after this `TIME`, such as 30s (default: never)")
			fs.IntVar(&f.maxFacts, "max-facts", defaultMaxFacts, "give up on a plan when rules have derived `N` facts; 0 means no limit")
			f.maxMemory = defaultMaxMemory
			fs.Var(&f.maxMemory, "max-memory", "give up on a plan when what rules derive needs memory of this `SIZE`; 0 means no limit")
			return f.run
		},
	}
}

func addRulesFlag(fs *pflag.FlagSet, files *[]string) {
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

func (f *checkFlags) validate(plans []string) ([]output, error) {
	if len(plans) == 0 {
		return nil, errors.New("no plan given")
	}
	if err := onlyOneStdin(plans); err != nil {
		return nil, err
	}
	switch f.color {
	case "auto", "always", "never":
	default:
		return nil, fmt.Errorf("--color: want auto, always or never, not %q", f.color)
	}
	if f.timeout < 0 {
		return nil, fmt.Errorf("--timeout: %s is negative", f.timeout)
	}
	if f.maxFacts < 0 {
		return nil, fmt.Errorf("--max-facts: %d is negative", f.maxFacts)
	}
	outs, err := parseOutputs(f.outputs)
	if err != nil {
		return nil, err
	}
	for _, o := range outs {
		if err := o.checkPath(append(plans, f.rules...)); err != nil {
			return nil, err
		}
	}
	return outs, nil
}

func (f *checkFlags) run(ctx context.Context, env Env, plans []string) (int, error) {
	outs, err := f.validate(plans)
	if err != nil {
		return 0, fmt.Errorf("check: %w", err)
	}
	f.chart = slices.ContainsFunc(outs, func(o output) bool { return o.format.Chart })
	run := f.judge(ctx, env, plans)
	if ctx.Err() != nil {
		return 0, errInterrupted
	}
	return run.Exit, f.write(env, run, outs)
}

// judge reads and judges everything.
func (f *checkFlags) judge(ctx context.Context, env Env, plans []string) *report.Run {
	run := &report.Run{Version: Version, Partial: f.partial}
	set, diags := rules.Load(f.rules)
	run.RuleDiags = diags
	if set == nil || report.Count(diags, diag.Error) > 0 {
		run.Exit = exitBad
		return run
	}
	run.RuleFiles, run.LeftOut, run.Invariants = set.Files(), set.LeftOut(), set.Explanations()
	run.Sentences = set.Sentences()
	for _, name := range plans {
		if ctx.Err() != nil {
			break
		}
		d := f.judgeDocument(ctx, env, set, name)
		run.Exit = max(run.Exit, exitFor(d))
		run.Documents = append(run.Documents, d)
	}
	return run
}

func (f *checkFlags) judgeDocument(ctx context.Context, env Env, set *rules.Set, name string) report.Document {
	d := report.Document{Name: name}
	var plan *ir.Plan
	plan, d.Errors = readPlan(ctx, env, name)
	if d.Errors != nil {
		return d
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
		return d
	}
	if f.cost {
		if d.Costs, err = set.Costs(ctx, plan, limits); err != nil {
			// What the plan costs does not touch what is wrong with it.
			fmt.Fprintf(env.Stderr, "%s: the costs are not known: %v\n", name, err)
		}
	}
	d.Verdict = verdict
	if f.chart {
		d.Chart = chart.Of(plan, verdict.Findings)
	}
	if f.profile {
		writeProfile(env.Stderr, name, verdict)
	}
	return d
}

// readPlan reads and decodes a plan, or says why it cannot.
func readPlan(ctx context.Context, env Env, name string) (*ir.Plan, []diag.Diagnostic) {
	src, diags := readSource(ctx, env, name)
	if diags != nil {
		return nil, diags
	}
	size := len(src.Text())
	if size >= largePlan && env.Getenv("GOGC") == "" {
		debug.SetGCPercent(20)
	}
	plan, diags := ir.DecodePlan(src)
	if plan != nil && size >= largePlan && name != stdinName {
		src.Release(func() ([]byte, error) { return os.ReadFile(name) })
	}
	return plan, diags
}

// The limits of an evaluation when no flag gives others: rows, and bytes.
const (
	defaultMaxFacts  = 20_000_000
	defaultMaxMemory = 4 << 30
)

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

func exitFor(d report.Document) int {
	switch {
	case d.Verdict == nil:
		return exitBad
	case report.Count(d.Verdict.Findings, diag.Error) > 0:
		return exitViolations
	}
	return exitOK
}

// write writes the reports, and to standard error what people must know
// besides.
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
	return report.WriteNotes(env.Stderr, run, aside)
}
