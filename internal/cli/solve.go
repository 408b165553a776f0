package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"plancheck/encode"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/passes"
	"plancheck/internal/report"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
	"plancheck/rules"
)

type solveFlags struct {
	rules                []string
	stages, cores        int
	free                 []string
	forward, nonEmpty    bool
	forwardCycles        int64
	timeout              time.Duration
	steps                int64
	seed                 uint64
	certify, checkpoints string
	output               *string
	quiet                bool
	// declared says whether a flag was given.
	declared func(flag string) bool
}

// defaultSolveTimeout is how long a search takes that nobody limits otherwise.
const defaultSolveTimeout = time.Minute

func solveVerb() verb {
	return verb{
		name:  "solve",
		usage: "PLAN",
		short: "complete a plan: stages, cores and places, the best that is found",
		long: `Fills the holes of a plan with the best legal choice, and writes the plan: first
the smallest interval, then the fewest forwards, then the least traffic. What the
plan decides already is kept, unless --free gives it up. The rules judge every
phase and the plan that is written.

What was found, and how far from the best it may be, is told on standard error.
Time or an interrupt ends the search with the best plan so far.`,
		exits: `0  a plan was found and is written
1  there is none, with the reason; or what the plan decides breaks rules
2  the plan, a rule file or the command line is bad
3  time ran out before a plan was found; that says nothing about whether one exists`,
		examples: []string{
			"plancheck example resnet50 --holes | plancheck solve --forward --timeout 10s -o plan.json -",
			"plancheck solve --stages 8 --cores 64 --free stage,core,placement plan.json > better.json",
		},
		args:     func() values { return values{files: []string{"json"}} },
		finishes: true,
		prepare: func(fs *pflag.FlagSet) runner {
			var f solveFlags
			f.addSearch(fs)
			fs.StringVar(&f.certify, "certify", "", "write the proof of the bound into this `FOLDER`")
			fs.StringVar(&f.checkpoints, "checkpoints", "", "write what each phase made into this `FOLDER`")
			fs.BoolVarP(&f.quiet, "quiet", "q", false, "write errors only, no summary and no progress")
			f.output = addFileFlag(fs)
			return f.run
		},
	}
}

// addSearch declares the flags that say what is searched for, and how long.
func (f *solveFlags) addSearch(fs *pflag.FlagSet) {
	addRulesFlag(fs, &f.rules)
	fs.IntVar(&f.stages, "stages", 0, "make `N` stages (default: as many as the plan lists)")
	fs.IntVar(&f.cores, "cores", 0, "use `N` logical cores (default: as many as the plan has; with neither, one for each stage)")
	fs.StringSliceVar(&f.free, "free", nil, "give up what the plan decides about `WHAT`, a list of stage, core, placement and forward: forwards are then taken out of the graph")
	fs.BoolVar(&f.forward, "forward", false, "let forwards carry values over stages (default: as the plan's options say)")
	fs.Int64Var(&f.forwardCycles, "forward-cycles", 0, "a forward takes `N` cycles where the plan tells neither its cycles nor how fast its bytes pass")
	fs.BoolVar(&f.nonEmpty, "nonempty-stages", false, "put an op into every stage (default: as the plan's options say)")
	fs.DurationVar(&f.timeout, "timeout", defaultSolveTimeout, "search for this `TIME` at most; 0 means until nothing better can be found, and --steps without --timeout means that too")
	fs.Int64Var(&f.steps, "steps", 0, "search for `N` steps, about a microsecond each, instead of by the clock: then the same input gives the same plan")
	fs.Uint64Var(&f.seed, "seed", 0, "start random choices from `N` (default: 0)")
	f.declared = fs.Changed
	completeWords(fs, "free", freeWords()...)
}

// What --free may list.
const (
	freeStage     = "stage"
	freeCore      = "core"
	freePlacement = "placement"
	freeForward   = "forward"
)

func freeWords() []string { return []string{freeStage, freeCore, freePlacement, freeForward} }

// options reads the flags.
func (f *solveFlags) options() (encode.Options, error) {
	o := encode.Options{Stages: f.stages, Cores: f.cores, Forward: f.forward, NonEmpty: f.nonEmpty, ForwardCycles: ir.None}
	for _, what := range f.free {
		if err := oneOf("free", what, freeWords()...); err != nil {
			return o, err
		}
		switch what {
		case freeStage:
			o.Free.Stage = true
		case freeCore:
			o.Free.Core = true
		case freePlacement:
			o.Free.Placement = true
		case freeForward:
			o.Free.Forward = true
		}
	}
	if f.declared("forward-cycles") {
		o.ForwardCycles = f.forwardCycles
	}
	for _, n := range []struct {
		flag  string
		value int64
	}{{"stages", int64(f.stages)}, {"cores", int64(f.cores)}, {"forward-cycles", f.forwardCycles}, {"steps", f.steps}} {
		if n.value < 0 {
			return o, fmt.Errorf("--%s: %d is negative", n.flag, n.value)
		}
	}
	if f.timeout < 0 {
		return o, fmt.Errorf("--timeout: %s is negative", f.timeout)
	}
	return o, nil
}

// limit is the time that a search has; 0 for no end.
func (f *solveFlags) limit() time.Duration {
	if f.steps > 0 && !f.declared("timeout") {
		return 0 // the clock must not decide
	}
	return f.timeout
}

func (f *solveFlags) run(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) != 1 {
		return 0, errors.New("solve: name one plan")
	}
	name := args[0]
	options, err := f.options()
	if err != nil {
		return 0, fmt.Errorf("solve: %w", err)
	}
	if *f.output != stdoutName {
		if err := checkPath("output", *f.output, f.rules); err != nil {
			return 0, fmt.Errorf("solve: %w", err)
		}
	}
	for _, folder := range []struct{ flag, path string }{{"certify", f.certify}, {"checkpoints", f.checkpoints}} {
		if err := makeFolder(folder.flag, folder.path); err != nil {
			return 0, fmt.Errorf("solve: %w", err)
		}
	}
	set, err := loadRules(env, f.rules)
	if set == nil {
		return exitBad, err
	}
	if files := set.Comparing(); len(files) > 0 {
		return 0, fmt.Errorf("solve: --rules: %s compares a plan with its parent; solve compares the phases by itself", files[0])
	}
	plan, diags := readPlan(ctx, env, name)
	if plan == nil {
		return exitBad, complain(env, diags)
	}
	progress := newProgress(env, f.quiet)
	out, err := passes.Run(ctx, plan, passes.Options{
		Encode: options, Rules: set, Timeout: f.limit(), Checkpoint: f.checkpoint,
		Search: schedule.Options{Seed: f.seed, Steps: f.steps, OnChange: progress.change},
	})
	progress.end()
	var failed *datalog.RuleError
	switch {
	case errors.Is(err, context.Canceled):
		return 0, errInterrupted
	case errors.As(err, &failed):
		return exitBad, complain(env, []diag.Diagnostic{failed.Diagnostic})
	case err != nil:
		return 0, fmt.Errorf("solve: %s: %w", report.FileName(name), err)
	case out.Refused != nil:
		return exitBad, complain(env, out.Refused)
	}
	if out.Plan != nil {
		if err := writeBytes(env, *f.output, ir.Encode(out.Plan)); err != nil {
			return 0, fmt.Errorf("solve: %w", err)
		}
	}
	if out.Lost != nil {
		return 0, fmt.Errorf("solve: --checkpoints: %w", out.Lost)
	}
	exit, err := f.conclude(ctx, env, name, set, out)
	if err == nil && out.Plan != nil && f.certify != "" {
		if err = f.writeCertificate(ctx, env, name, out); err != nil {
			err = fmt.Errorf("solve: --certify: %w", err)
		}
	}
	return exit, err
}

// writeCertificate writes the proof of the bound, within the time that a search
// has.
func (f *solveFlags) writeCertificate(ctx context.Context, env Env, name string, out *passes.Outcome) error {
	ctx, cancel := within(ctx, f.timeout)
	defer cancel()
	// What an earlier run left would be taken for a part of this proof.
	for _, file := range []string{passes.CertificateFile, passes.FormulaFile} {
		if err := os.Remove(filepath.Join(f.certify, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("solve: --certify: %w", err)
		}
	}
	err := out.Certify(ctx, func(file string, data []byte) error {
		return writeBytes(env, filepath.Join(f.certify, file), data)
	})
	if errors.Is(err, schedule.ErrNoProof) {
		fmt.Fprintf(env.Stderr, "%s: %v; nothing is written to %s\n", report.FileName(name), err, f.certify)
		return nil
	}
	if err == nil && !f.quiet {
		fmt.Fprintf(env.Stderr, "  proof     that no interval is below %s: %s\n", report.Thousands(out.Result.Bound), filepath.Join(f.certify, passes.CertificateFile))
	}
	return err
}

// conclude tells what came of it.
func (f *solveFlags) conclude(ctx context.Context, env Env, name string, set *rules.Set, out *passes.Outcome) (int, error) {
	if out.Status == schedule.Infeasible {
		return exitViolations, f.tellInfeasible(env, name, set, out)
	}
	if out.Plan == nil {
		why := "time ran out"
		if ctx.Err() != nil {
			why = "interrupted"
		} else if f.steps > 0 {
			why = "the steps are spent"
		}
		fmt.Fprintf(env.Stderr, "%s: unknown: %s before a plan was found, and it is not shown that there is none\n", report.FileName(name), why)
		return exitUnknown, nil
	}
	if !f.quiet {
		tellFound(env.Stderr, name, out)
	}
	return exitOK, nil
}

// wayOut says which flags might help against broken rules.
func (f *solveFlags) wayOut(broken *rules.Verdict) string {
	far := func(d diag.Diagnostic) bool {
		return d.Code == "edge-skips-stage" || d.Code == "input-consumer-not-stage-zero"
	}
	switch {
	case !f.forward && slices.ContainsFunc(broken.Findings, far):
		return "; --forward lets forwards carry values over stages, --free gives decisions up"
	case len(f.free) == 0:
		return "; --free gives decisions up"
	}
	return ""
}

// tellInfeasible says why there is no plan.
func (f *solveFlags) tellInfeasible(env Env, name string, set *rules.Set, out *passes.Outcome) error {
	switch {
	case out.Broken != nil:
		if err := tellBroken(env, name, set, out.Broken, true); err != nil {
			return err
		}
		fmt.Fprintf(env.Stderr, "%s: infeasible: what the plan states already breaks these rules%s\n", report.FileName(name), f.wayOut(out.Broken))
	case out.Reasons != nil:
		if err := complain(env, out.Reasons); err != nil {
			return err
		}
		why := "for the reason above"
		if n := len(out.Reasons); n > 1 {
			why = fmt.Sprintf("for each of the %d reasons above", n)
		}
		fmt.Fprintf(env.Stderr, "%s: infeasible, %s\n", report.FileName(name), why)
	case out.Conflict != nil:
		tellConflict(env.Stderr, name, out)
	case out.Why != nil:
		return tellWhy(env.Stderr, name, out, report.Options{Color: env.colorFor("auto", env.Stderr)})
	default:
		fmt.Fprintf(env.Stderr, "%s: infeasible: %s\n", report.FileName(name), refuted(out.Result.BoundBy))
	}
	return nil
}

// tellBroken writes the rules that a plan breaks, with their proofs.
func tellBroken(env Env, name string, set *rules.Set, broken *rules.Verdict, partial bool) error {
	doc := report.Document{Name: name, Verdict: broken}
	run := &report.Run{Version: Version, Exit: exitViolations, Partial: partial, Invariants: set.Invariants(), Sentences: set.Sentences(), Documents: []report.Document{doc}}
	text, err := findFormat("text")
	if err != nil {
		return err
	}
	return text.Write(env.Stderr, run, report.Options{Color: env.colorFor("auto", env.Stderr), Quiet: true})
}

// makeFolder makes the folder that a flag names, if it is not there.
func makeFolder(flag, folder string) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("--%s: cannot make the folder %s: %w", flag, folder, cause(err))
	}
	return nil
}

// checkpoint writes what a phase made.
func (f *solveFlags) checkpoint(phase string, document []byte) error {
	if f.checkpoints == "" {
		return nil
	}
	number := slices.Index(passes.Phases(), phase) + 1
	return writeBytes(Env{}, filepath.Join(f.checkpoints, fmt.Sprintf("%d-%s.json", number, phase)), document)
}
