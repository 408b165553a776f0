package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"plancheck/internal/diag"
	"plancheck/internal/report"
)

type checkFlags struct {
	triage    triageFlags
	rules     []string
	parent    string
	partial   bool
	failOn    string
	plansOnly bool
	outputs   []string
	color     string
	quiet     bool
	all       bool
	cost      bool
	fix       bool
	forward   bool
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
proof. A plan is a JSON file or its text form, or - for standard input. Documents
of other levels are judged likewise, each by the rules of its level. A folder
stands for all that are in it and below: the .json files that declare a schema
which is known. The findings go to standard output; what kept a plan from being
judged, and notes about what was not checked, go to standard error.`,
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
		args: func() values { return values{files: []string{"json", "ir"}} },
		prepare: func(fs *pflag.FlagSet) runner {
			var f checkFlags
			addRulesFlag(fs, &f.rules)
			fs.BoolVar(&f.partial, "partial", false, "accept holes: judge only what is decided so far")
			fs.StringArrayVarP(&f.outputs, "output", "o", nil, "write the report as `FORMAT[=PATH]`; repeatable. Formats: "+formatList()+". Without a path, or with -, it goes to standard output; text goes there too unless something else does")
			f.triage.add(fs)
			fs.StringVar(&f.parent, "parent", "", "compare each document with this `DOCUMENT`, one that it was made from; or, by rules such as builtin:repack, plans with the plan of the phase before")
			completeFiles(fs, "parent", "json")
			fs.StringVar(&f.failOn, "fail-on", failOnError, "exit with 1 for findings of this `SEVERITY` or above: error, warning or never")
			fs.BoolVar(&f.plansOnly, "plans-only", false, "skip files that declare no plan, with a note, as it is done in folders")
			fs.StringVar(&f.color, "color", "auto", "use colours: `WHEN` is auto, always or never")
			fs.BoolVarP(&f.quiet, "quiet", "q", false, "write findings and errors only, no summary and no notes")
			fs.BoolVar(&f.all, "all", false, "shorten nothing in text: every finding of a story, every row of a sum")
			fs.BoolVar(&f.fix, "fix", false, "make plans that break rules legal with the fewest changes, like plancheck repair --in-place, and judge what was written")
			fs.BoolVar(&f.forward, "forward", false, "with --fix, let forwards carry values over stages (default: as the plan's options say)")
			fs.BoolVar(&f.profile, "profile", false, "also list the rules that took longest, on standard error")
			fs.BoolVar(&f.cost, "cost", false, "also print what each plan costs, as the rules derive it")
			fs.DurationVar(&f.timeout, "timeout", 0, "give up on a plan after this `TIME`, such as 30s (default: never)")
			fs.IntVar(&f.maxFacts, "max-facts", defaultMaxFacts, "give up on a plan when rules have derived `N` facts; 0 means no limit")
			f.maxMemory = defaultMaxMemory
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
	fs.StringArrayVarP(files, "rules", "r", nil, "use this rule `FILE`; repeatable. builtin is the embedded set and the default, builtin:pipeline one file of it; builtin:repack and builtin:transfer judge a plan beside its --parent")
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
	if err := onlyOneStdin(slices.Concat(args, f.inputs())); err != nil {
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
	switch {
	case f.fix && slices.Contains(args, stdinName):
		return nil, errors.New("--fix: standard input cannot be written; use plancheck repair -")
	case f.fix && f.partial:
		return nil, errors.New("--fix fills holes, which --partial accepts: choose one")
	case f.fix && f.parent != "":
		return nil, errors.New("--fix does not know what a --parent demands: choose one")
	case f.forward && !f.fix:
		return nil, errors.New("--forward is for --fix")
	}
	if f.maxFacts < 0 {
		return nil, fmt.Errorf("--max-facts: %d is negative", f.maxFacts)
	}
	return parseOutputs(f.outputs)
}

// inputs are the files that flags name to be read, apart from rules.
func (f *checkFlags) inputs() []string {
	inputs := f.triage.inputs()
	if f.parent != "" {
		inputs = append(inputs, f.parent)
	}
	return inputs
}

// checkPaths finds out before the work whether what is written can be written,
// and overwrites nothing that is read.
func (f *checkFlags) checkPaths(outs []output, groups []group) error {
	inputs := slices.Concat(named(groups), f.rules, f.inputs())
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
	f.chart = slices.ContainsFunc(outs, func(o output) bool { return o.format.Chart })
	groups := collect(args, f.plansOnly)
	if err := f.checkPaths(outs, groups); err != nil {
		return 0, fmt.Errorf("check: %w", err)
	}
	run := judge(ctx, env, f, groups)
	if ctx.Err() != nil {
		return 0, errInterrupted
	}
	return run.Exit, f.write(env, run, outs)
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
