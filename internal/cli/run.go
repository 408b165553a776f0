package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/execute"
	"plancheck/internal/report"
	"plancheck/internal/tensor"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/rules"
)

func runVerb() verb {
	return verb{
		name:  "run",
		usage: "MACHINE [--inputs FILE] [--model MODEL] [--seed N]",
		short: "run a machine program, and compare it with its model",
		long: `Runs a program of MachineIR that the rules find legal: each section at once, with
tokens, channels, collectives and memory as the program has them. What its input
ports read is taken from a file of tensors, or drawn at random. With a model its
outputs are compared with an evaluation of the model: they may differ as far as
rounding to the data types explains.`,
		exits: `0  it ran, and its outputs are right where there is a model
1  it breaks a rule, is stuck, or computes something wrong
2  a document or the command line is bad, or the program cannot be run
3  time ran out`,
		examples: []string{
			"plancheck run machine.json --model model.json --seed 7",
			"plancheck run machine.json --inputs tensors.json -o outputs.json",
		},
		args: func() values { return values{files: []string{"json"}} },
		prepare: func(fs *pflag.FlagSet) runner {
			var f runFlags
			fs.StringVar(&f.inputs, "inputs", "", "take inputs from this `FILE` of tensors")
			fs.StringVar(&f.model, "model", "", "compare with this `MODEL`, evaluated on the same inputs")
			fs.Uint64Var(&f.seed, "seed", 0, "draw inputs that no file has by this `N`")
			fs.DurationVar(&f.delay, "delay", 0, "let instructions rest for up to `TIME` before they are issued, as the seed decides")
			fs.DurationVar(&f.timeout, "timeout", 0, "give up after this `TIME`, such as 30s (default: never)")
			fs.StringVarP(&f.output, "output", "o", "", "write the outputs to this `FILE` of tensors")
			completeFiles(fs, "inputs", "json")
			completeFiles(fs, "model", "json")
			completeFiles(fs, "output", anyFile)
			return f.run
		},
	}
}

type runFlags struct {
	inputs, model, output string
	seed                  uint64
	delay, timeout        time.Duration
}

func (f *runFlags) run(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) != 1 {
		return 0, errors.New("run: name one machine program")
	}
	if f.delay < 0 || f.timeout < 0 {
		return 0, errors.New("run: --delay and --timeout must not be negative")
	}
	if err := onlyOneStdin([]string{args[0], f.inputs, f.model}); err != nil {
		return 0, fmt.Errorf("run: %w", err)
	}
	if f.output != "" && f.output != stdoutName {
		if err := checkPath("output", f.output, []string{args[0], f.inputs, f.model}); err != nil {
			return 0, fmt.Errorf("run: %w", err)
		}
	}
	program, doc, diags := readLevel[*machine.Program](ctx, env, args[0], machine.Schema)
	var m *model.Model
	diags = append(diags, readOptional(ctx, env, f.model, &m, model.Schema)...)
	inputs, more := f.given(ctx, env)
	if diags = append(diags, more...); diags != nil {
		return exitBad, complain(env, diags)
	}
	limited, cancel := within(ctx, f.timeout)
	defer cancel()
	made, err := orAbandon(limited, func() *ran { return f.work(limited, env, args[0], program, doc, m, inputs) })
	switch {
	case ctx.Err() != nil:
		return 0, errInterrupted
	case err != nil || errors.Is(made.err, context.DeadlineExceeded):
		return exitUnknown, complain(env, []diag.Diagnostic{{Code: "not-run", Severity: diag.Error, Message: "time ran out", Pos: diag.Position{File: args[0]}}})
	}
	return made.write(env, f.output)
}

// ran is what a run came to.
type ran struct {
	exit           int
	err            error
	stdout, stderr bytes.Buffer // what it says
	outputs        []byte       // the document of tensors; nil for none
}

// write writes what a run came to: its outputs to a file, or to standard output,
// which then holds nothing else.
func (r *ran) write(env Env, output string) (int, error) {
	if r.outputs != nil && output != "" {
		if err := writeBytes(env, output, r.outputs); err != nil {
			return 0, err
		}
	}
	said := env.Stdout
	if output == stdoutName && r.outputs != nil {
		said = env.Stderr
	}
	for _, x := range []struct {
		to   io.Writer
		text *bytes.Buffer
	}{{said, &r.stdout}, {env.Stderr, &r.stderr}} {
		if _, err := x.text.WriteTo(x.to); err != nil {
			return 0, err
		}
	}
	return r.exit, r.err
}

// work judges and runs a program, and compares what it computes. It writes nothing.
func (f *runFlags) work(ctx context.Context, env Env, name string, p *machine.Program, doc *facts.Document, m *model.Model, inputs map[string]*tensor.Tensor) *ran {
	r := &ran{}
	stderr, isTerminal := env.Stderr, env.IsTerminal
	env.Stdout, env.Stderr = &r.stdout, &r.stderr
	env.IsTerminal = func(w io.Writer) bool { return w == &r.stderr && isTerminal(stderr) }
	r.exit, r.err = f.result(ctx, env, name, p, doc, m, inputs, &r.outputs)
	return r
}

// result is work that says what there is to say to env.
func (f *runFlags) result(ctx context.Context, env Env, name string, p *machine.Program, doc *facts.Document, m *model.Model, inputs map[string]*tensor.Tensor, outputs *[]byte) (int, error) {
	set, diags := rules.LoadFor(machine.Schema, nil)
	if set == nil {
		return exitBad, complain(env, diags)
	}
	verdict, err := set.JudgeDocument(ctx, doc, rules.Options{})
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil:
		return exitBad, complain(env, []diag.Diagnostic{evaluationError(name, err)})
	}
	if report.Count(verdict.Findings, diag.Error) > 0 {
		return exitViolations, tellVerdict(env, name, verdict)
	}
	about := func(code string, err error) error {
		return complain(env, []diag.Diagnostic{{Code: code, Severity: diag.Error, Message: err.Error(), Pos: diag.Position{File: name}}})
	}
	if err := f.draw(p, m, inputs); err != nil {
		return exitBad, about("not-run", err)
	}
	memory, err := f.execute(ctx, p, inputs)
	var stuck *execute.Stuck
	switch {
	case errors.As(err, &stuck):
		return exitViolations, about("program-stuck", err)
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil:
		return exitBad, about("not-run", err)
	}
	return f.tell(env, name, p, memory, m, inputs, outputs)
}

// given reads the inputs of a file.
func (f *runFlags) given(ctx context.Context, env Env) (map[string]*tensor.Tensor, []diag.Diagnostic) {
	if f.inputs == "" {
		return map[string]*tensor.Tensor{}, nil
	}
	src, diags := readSource(ctx, env, f.inputs)
	if diags != nil {
		return nil, diags
	}
	return tensor.Decode(src)
}

// draw draws the inputs that are not given: each by the seed and its id. Those
// that are given must be read.
func (f *runFlags) draw(p *machine.Program, m *model.Model, inputs map[string]*tensor.Tensor) error {
	for _, id := range slices.Sorted(maps.Keys(inputs)) {
		if !slices.ContainsFunc(p.Ports, func(x machine.Port) bool { return x.Direction == machine.Input && x.Value == id }) {
			return fmt.Errorf("value %s is given, and the program does not read it", id)
		}
	}
	for _, x := range p.Ports {
		if x.Direction != machine.Input || inputs[x.Value] != nil {
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(x.Value)) // a hash never fails
		t, err := tensor.Random(x.Whole, x.DType, h.Sum64()^f.seed, span(m, &x))
		if err != nil {
			return fmt.Errorf("value %s: %w", x.Value, err)
		}
		inputs[x.Value] = t
	}
	return nil
}

// span bounds the numbers that are drawn for a value: 1, but for the weights of
// linear ops, which shrink with the number of terms of a sum, so that values neither
// grow nor fade from layer to layer and a wrong op in one of them still shows at the
// end (He et al. 2015).
func span(m *model.Model, x *machine.Port) float64 {
	if m == nil || len(x.Whole) != 2 {
		return 1
	}
	v, known := m.Value(x.Value)
	if !known || v.Role != "parameter" {
		return 1
	}
	return math.Sqrt(6 / float64(x.Whole[0]))
}

func (f *runFlags) execute(ctx context.Context, p *machine.Program, inputs map[string]*tensor.Tensor) (*execute.Memory, error) {
	o := execute.Options{Inputs: inputs}
	if f.delay > 0 {
		o.Delay = execute.RandomDelays(f.seed, f.delay)
	}
	return execute.Run(ctx, p, o)
}
