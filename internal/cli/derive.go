package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"plancheck/internal/derive"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

func deriveVerb() verb {
	return verb{
		name:  "derive",
		usage: "MODEL -o FOLDER [--degree N] [--bind M=N] [--target NAME]",
		short: "derive tasks, a portable plan, a binding, a plan and a machine program from a model",
		long: `Takes a model down level by level: its tasks on ranks, their work and buffers for
any target, what does each on a target and what that costs by evidence, the plan of
commands, and the machine program. Every document is judged by the rules of its
level, and beside the one that it was made from, before the next is made; all are
written into the folder, and nothing unless all are legal.

Without a target the way ends at the portable plan. A target is one that is built
in (` + strings.Join(profileNames(), ", ") + `), which has a deployment and evidence without records, or a file.
The same input gives the same bytes.`,
		exits: `0  the documents are written
1  the model, or what it is to be derived with, breaks rules or is refused; nothing is written
2  a file or the command line is bad
3  time ran out; nothing is written`,
		examples: []string{
			"plancheck derive mlp.json -o out --degree 8 --bind M=2048 --target a100",
			"plancheck derive mlp.json -o out --degree 4 --cut up=column --cut down=row --to task",
		},
		args: func() values { return values{files: []string{"json", "ir"}} },
		prepare: func(fs *pflag.FlagSet) runner {
			var f deriveFlags
			fs.StringVarP(&f.folder, "output", "o", "", "write the documents into this `FOLDER`")
			fs.StringVar(&f.to, "to", "", "end at this `LEVEL`: "+strings.Join(derive.Levels(), ", ")+" (default: as far as there is a target)")
			fs.Int64Var(&f.degree, "degree", 1, "distribute over `N` ranks by tensor parallelism")
			fs.StringVar(&f.strategy, "strategy", alternate, "cut weights of linear ops by this `NAME`: alternate (columns, then rows behind them), column or row")
			fs.StringArrayVar(&f.cuts, "cut", nil, "cut the weight of one op otherwise, as `OP=CUT`: column or row; repeatable")
			fs.StringArrayVar(&f.binds, "bind", nil, "give a symbol of the model its value, as `SYMBOL=N`; repeatable")
			fs.StringArrayVar(&f.objectives, "objective", nil, "what the plan is to be good at, as `KIND` or KIND=WEIGHT: "+strings.Join(objectives(), ", ")+"; repeatable (default: latency)")
			fs.StringVar(&f.target, "target", "", "bind to this target profile, a `FILE` or "+strings.Join(profileNames(), " or "))
			fs.StringVar(&f.deployment, "deployment", "", "on the devices of this deployment profile, a `FILE`")
			fs.StringVar(&f.evidence, "evidence", "", "take costs from this evidence, a `FILE`")
			fs.StringVar(&f.policy, "policy", "", "find costs by the policy in this `FILE` (default: records, then formulas of the target)")
			fs.Int64Var(&f.stages, "stages", 0, "cut a spatial target into `N` pipeline stages (default: 1)")
			fs.DurationVar(&f.timeout, "timeout", 0, "give up after this `TIME`, such as 30s (default: never)")
			fs.BoolVarP(&f.quiet, "quiet", "q", false, "say nothing where all is well")
			f.declared = fs.Changed
			completeWords(fs, "to", derive.Levels()...)
			completeWords(fs, "strategy", alternate, task.Column, task.Row)
			completeWords(fs, "objective", objectives()...)
			for _, flag := range []string{"target", "deployment", "evidence"} {
				completeWords(fs, flag, profileNames()...)
				completeFiles(fs, flag, "json")
			}
			completeFiles(fs, "policy", "json")
			return f.run
		},
	}
}

// alternate is the strategy that lets a chain of linear ops take turns.
const alternate = "alternate"

// objectives are the kinds of objectives of a portable plan.
func objectives() []string { return []string{"latency", "throughput", "peak_memory", "energy"} }

type deriveFlags struct {
	folder, to                           string
	degree, stages                       int64
	strategy                             string
	cuts, binds, objectives              []string
	target, deployment, evidence, policy string
	timeout                              time.Duration
	quiet                                bool
	declared                             func(flag string) bool // whether it was given
}

// validate reads the flags, as far as they need no file.
func (f *deriveFlags) validate(args []string) (*derive.Input, error) {
	if len(args) != 1 {
		return nil, errors.New("name one model")
	}
	switch {
	case f.folder == "":
		return nil, errors.New("say where the documents go, by --output")
	case f.folder == stdoutName:
		return nil, errors.New("--output: the documents go into a folder, not to standard output")
	case f.timeout < 0:
		return nil, fmt.Errorf("--timeout: %s is negative", f.timeout)
	case f.degree < 1:
		return nil, fmt.Errorf("--degree: %d is less than 1", f.degree)
	case f.stages < 1 && f.declared("stages"):
		return nil, fmt.Errorf("--stages: %d is less than 1", f.stages)
	}
	if f.to == "" {
		f.to = derive.PortableLevel
		if f.target != "" {
			f.to = derive.MachineLevel
		}
	}
	if err := oneOf("to", f.to, derive.Levels()...); err != nil {
		return nil, err
	}
	if err := oneOf("strategy", f.strategy, alternate, task.Column, task.Row); err != nil {
		return nil, err
	}
	if err := f.validateTarget(); err != nil {
		return nil, err
	}
	if err := onlyOneStdin([]string{args[0], f.target, f.deployment, f.evidence, f.policy}); err != nil {
		return nil, err
	}
	in := &derive.Input{Strategy: task.Strategy{TensorParallel: f.degree}, Stages: f.stages}
	var err error
	if in.Plan.Bindings, err = f.readBinds(); err != nil {
		return nil, err
	}
	in.Plan.Objectives, err = f.readObjectives()
	return in, err
}

// validateTarget refuses flags of a target where none is asked for, and a target
// of which something is not said.
func (f *deriveFlags) validateTarget() error {
	needed := derive.NeedsTarget(f.to)
	var missing []string
	for _, x := range []struct{ flag, value string }{{"target", f.target}, {"deployment", f.deployment}, {"evidence", f.evidence}} {
		switch {
		case needed && x.value == "":
			missing = append(missing, "--"+x.flag)
		case !needed && x.value != "":
			return fmt.Errorf("--%s: level %s is of no target", x.flag, f.to)
		}
	}
	builtIn := strings.Join(profileNames(), " and ")
	switch {
	case !needed || slices.Contains(profileNames(), f.target):
	case f.target == "":
		return fmt.Errorf("level %s is of a target: name one that is built in (%s) by --target, or files by %s", f.to, builtIn, strings.Join(missing, ", "))
	case f.target != stdinName && !isFile(f.target):
		return fmt.Errorf("--target: %s is neither a file nor built in, as %s are", f.target, builtIn)
	case missing != nil:
		return fmt.Errorf("a target of your own has no deployment and no evidence that are built in: name files by %s", strings.Join(missing, " and "))
	}
	for _, flag := range []string{"policy", "stages"} {
		if !needed && f.declared(flag) {
			return fmt.Errorf("--%s: level %s is of no target", flag, f.to)
		}
	}
	return nil
}

// isFile says whether there is something of this name to read.
func isFile(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

func (f *deriveFlags) readBinds() ([]portable.Binding, error) {
	var all []portable.Binding
	for _, s := range f.binds {
		name, value, err := assigned("bind", s)
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("--bind: %s: want a number of 1 to %d behind the =, not %q", name, math.MaxInt64, value)
		}
		all = append(all, portable.Binding{Symbol: name, Value: n})
	}
	return all, nil
}

func (f *deriveFlags) readObjectives() ([]portable.Objective, error) {
	var all []portable.Objective
	for _, s := range f.objectives {
		kind, weight, weighed := strings.Cut(s, "=")
		if err := oneOf("objective", kind, objectives()...); err != nil {
			return nil, err
		}
		o := portable.Objective{Kind: kind, Weight: 1}
		if weighed {
			var err error
			if o.Weight, err = strconv.ParseInt(weight, 10, 64); err != nil || o.Weight < 1 {
				return nil, fmt.Errorf("--objective: %s: want a weight of 1 or more behind the =, not %q", kind, weight)
			}
		}
		all = append(all, o)
	}
	return all, nil
}

// assigned splits NAME=VALUE.
func assigned(flag, s string) (name, value string, err error) {
	name, value, found := strings.Cut(s, "=")
	if !found || name == "" || value == "" {
		return "", "", fmt.Errorf("--%s: want NAME=VALUE, not %q", flag, s)
	}
	return name, value, nil
}

func (f *deriveFlags) run(ctx context.Context, env Env, args []string) (int, error) {
	in, err := f.validate(args)
	if err != nil {
		return 0, fmt.Errorf("derive: %w", err)
	}
	if diags := f.read(ctx, env, args[0], in); diags != nil {
		return exitBad, complain(env, diags)
	}
	if err := f.readStrategy(in); err != nil {
		return 0, fmt.Errorf("derive: %w", err)
	}
	if in.Evidence != nil {
		noteEnvironment(env, in)
	}
	out := checkpointFolder{path: f.folder, inputs: []string{args[0], f.target, f.deployment, f.evidence, f.policy}}
	if err := out.check(f.to); err != nil {
		return 0, fmt.Errorf("derive: --output: %w", err)
	}
	limited, cancel := within(ctx, f.timeout)
	defer cancel()
	made, err := derive.Down(limited, *in, f.to)
	switch {
	case ctx.Err() != nil:
		return 0, errInterrupted
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintf(env.Stderr, "%s: time ran out; nothing is written\n", in.Model.Source.Name)
		return exitUnknown, nil
	case err != nil:
		return tellNotDerived(env, in, made, err)
	}
	if err := out.write(made); err != nil {
		return 0, fmt.Errorf("derive: writing the documents: %w", err)
	}
	if stale := out.stale(f.to); stale != nil {
		verb := "is"
		if len(stale) > 1 {
			verb = "are"
		}
		fmt.Fprintf(env.Stderr, "note: %s %s of an earlier derivation\n", strings.Join(stale, ", "), verb)
	}
	if f.quiet {
		return exitOK, nil
	}
	return exitOK, out.tell(env.Stdout, in, made)
}
