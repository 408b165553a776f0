package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"plancheck/encode"
	"plancheck/internal/diag"
	"plancheck/internal/jsonedit"
	"plancheck/internal/passes"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
	"plancheck/rules"
)

type repairFlags struct {
	mendFlags
	rules   []string
	inPlace bool
	output  string
	quiet   bool
}

// mendFlags are the flags of verbs that mend plans.
type mendFlags struct {
	forward, nonEmpty bool
	forwardCycles     int64
	timeout           time.Duration
	steps             int64
	seed              uint64
}

func repairVerb() verb {
	return verb{
		name:  "repair",
		usage: "PLAN",
		short: "make a plan legal with the fewest changes, and show them as a diff",
		long: `Finds the legal plan that changes least: the fewest decisions, which are stages of
ops, cores of lanes, ranges of stages, places of cores, and forwards that are
added; and among plans with as few changes one with a small interval. Holes are
filled, which is no change. Residency, transfers, synchronisation records and
digests are brought into line with the decisions.

Writes a unified diff of the plan's own text for "patch -p0" to standard output,
or with --in-place or --output the mended text. What does not change keeps its
bytes. What was changed, which violations that cures, and whether fewer changes
would do is told on standard error. The rules judge the mended plan.`,
		exits: `0  the plan is legal, or was mended
1  no other decisions make it legal, with the reason
2  the plan, a rule file or the command line is bad
3  time ran out before a legal plan was found; that says nothing about whether one exists`,
		examples: []string{
			"plancheck repair --forward plan.json > plan.diff",
			"plancheck repair --in-place plan.json",
		},
		args:     func() values { return values{files: []string{"json"}} },
		finishes: true,
		prepare: func(fs *pflag.FlagSet) runner {
			var f repairFlags
			addRulesFlag(fs, &f.rules)
			f.mendFlags.add(fs)
			fs.BoolVarP(&f.inPlace, "in-place", "i", false, "write the mended plan over the plan")
			fs.StringVarP(&f.output, "output", "o", "", "write the mended plan to this `FILE`, or with - to standard output, instead of a diff")
			completeFiles(fs, "output", anyFile)
			fs.BoolVarP(&f.quiet, "quiet", "q", false, "write errors only, no summary")
			return f.run
		},
	}
}

// add declares the flags.
func (f *mendFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.forward, "forward", false, "let forwards carry values over stages (default: as the plan's options say)")
	f.forwardCycles = ir.None
	fs.Var((*cyclesFlag)(&f.forwardCycles), "forward-cycles", "a forward takes `N` cycles where the plan tells neither its cycles nor how fast its bytes pass")
	fs.BoolVar(&f.nonEmpty, "nonempty-stages", false, "put an op into every stage (default: as the plan's options say)")
	fs.DurationVar(&f.timeout, "timeout", defaultSolveTimeout, "search for this `TIME` at most; 0 means until the fewest changes are found")
	fs.Int64Var(&f.steps, "steps", 0, "search for `N` steps, about a microsecond each, instead of by the clock: then the same input gives the same plan")
	fs.Uint64Var(&f.seed, "seed", 0, "start random choices from `N`")
}

func (f *mendFlags) validate() error {
	switch {
	case f.timeout < 0:
		return fmt.Errorf("--timeout: %s is negative", f.timeout)
	case f.steps < 0:
		return fmt.Errorf("--steps: %d is negative", f.steps)
	}
	return nil
}

// mend mends a plan.
func (f *mendFlags) mend(ctx context.Context, plan *ir.Plan, set *rules.Set) (*passes.Mended, error) {
	return passes.Repair(ctx, plan, passes.RepairOptions{
		Encode: encode.Options{Forward: f.forward, NonEmpty: f.nonEmpty, ForwardCycles: f.forwardCycles},
		Search: schedule.RepairOptions{Seed: f.seed, Steps: f.steps},
		Rules:  set, Timeout: f.timeout,
	})
}

func (f *repairFlags) run(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) != 1 {
		return 0, errors.New("repair: name one plan")
	}
	name := args[0]
	if err := f.validate(name); err != nil {
		return 0, fmt.Errorf("repair: %w", err)
	}
	set, err := loadRules(env, f.rules)
	if set == nil {
		return exitBad, err
	}
	if files := set.Comparing(); len(files) > 0 { // without a parent they would pass everything
		return 0, fmt.Errorf("repair: --rules: %s compares a plan with its parent, and repair has none", files[0])
	}
	plan, diags := readPlan(ctx, env, name)
	if plan != nil {
		diags = refuseText(plan.Source)
	}
	if diags != nil {
		return exitBad, complain(env, diags)
	}
	out, err := f.mend(ctx, plan, set)
	switch {
	case errors.Is(err, context.Canceled):
		return 0, errInterrupted
	case err != nil:
		return 0, fmt.Errorf("repair: %s: %w", name, err)
	}
	exit, err := tellMended(ctx, env, name, set, out, f.quiet, false)
	if exit != exitOK || err != nil {
		return exit, err
	}
	if err := f.write(env, name, plan.Source, out); err != nil {
		return 0, fmt.Errorf("repair: %w", err)
	}
	return exitOK, nil
}

func (f *repairFlags) validate(name string) error {
	switch {
	case f.inPlace && name == stdinName:
		return errors.New("--in-place: standard input has no place")
	case f.inPlace && f.output != "":
		return errors.New("--in-place and --output: choose one")
	case f.output != "" && f.output != stdoutName:
		if err := checkPath("output", f.output, append([]string{name}, f.rules...)); err != nil {
			return err
		}
	}
	return f.mendFlags.validate()
}

// write writes the diff or the mended plan.
func (f *repairFlags) write(env Env, name string, src *diag.Source, out *passes.Mended) error {
	text := src.Text()
	switch {
	case f.inPlace && len(out.Edits) == 0:
		return nil
	case f.inPlace:
		return writeBytes(env, name, jsonedit.Apply(text, out.Edits))
	case f.output != "":
		return writeBytes(env, f.output, jsonedit.Apply(text, out.Edits))
	}
	return writeBytes(env, stdoutName, jsonedit.Unified(name, text, out.Edits))
}

// cyclesFlag is a number of cycles that is not negative, or ir.None.
type cyclesFlag int64

func (c *cyclesFlag) Set(s string) error {
	var n int64
	if _, err := fmt.Sscanf(s, "%d", &n); err != nil || fmt.Sprint(n) != s {
		return fmt.Errorf("%q is no number", s)
	}
	if n < 0 {
		return fmt.Errorf("%d is negative", n)
	}
	*c = cyclesFlag(n)
	return nil
}

func (c *cyclesFlag) Type() string { return "int" }

func (c *cyclesFlag) String() string {
	if *c == ir.None {
		return ""
	}
	return fmt.Sprint(int64(*c))
}
