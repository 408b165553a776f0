package clasp

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"plancheck/internal/search/partition"
)

//go:embed partition.lp
var model []byte

// Options are how clasp is run: of the strategies and configurations that were
// tried on the dnn-partitioning workloads, with which it proved most of them.
var options = []string{"--parallel-mode=2", "--opt-strategy=bb,inc"}

// Options returns what is said to clasp about how to search.
func Options() []string { return append([]string(nil), options...) }

// Solver is an installed clasp.
type Solver struct {
	clingo, gringo, clasp string // paths; clingo, or the other two
}

// Find returns the solver that is installed: clingo, which is gringo and clasp
// in one program, or the two; ok is false when there is neither.
func Find() (s Solver, ok bool) {
	path := func(name string) string {
		p, err := exec.LookPath(name)
		if err != nil {
			return ""
		}
		return p
	}
	s = Solver{path("clingo"), path("gringo"), path("clasp")}
	return s, s.clingo != "" || s.gringo != "" && s.clasp != ""
}

// Missing says what to do when Find finds nothing.
const Missing = "neither clingo nor gringo and clasp are installed (Debian packages gringo and clasp)"

// Answer is what clasp says of a problem.
type Answer struct {
	Status partition.Status
	Stages []int // of each op; nil when Unknown or Infeasible
	Value  int64 // largest stage load of Stages
	// Bound is what clasp has proven no assignment to be better than, or the
	// base that it was given, or Value when Optimal.
	Bound int64
}

// Solve has clasp search until it is done or ctx ends, and then returns what it
// had by then. Grounding counts. The assignment and its value are held against
// Problem.Loads.
func (s Solver) Solve(ctx context.Context, p *partition.Problem) (Answer, error) {
	if _, err := p.Loads(make([]int, len(p.Work))); errors.Is(err, partition.ErrProblem) {
		return Answer{}, err
	}
	program := bytes.NewBuffer(append([]byte(nil), model...))
	if err := Facts(program, p); err != nil {
		return Answer{}, err
	}
	nothing := Answer{Status: partition.Unknown, Bound: Base(p)}
	solve := s.clingo
	if solve == "" {
		ground, err := run(ctx, program, s.gringo)
		if ctx.Err() != nil {
			return nothing, nil
		}
		if err != nil {
			return Answer{}, err
		}
		program, solve = bytes.NewBuffer(ground), s.clasp
	}
	args := append(Options(), "--outf=2", "--quiet=1", "-")
	text, err := run(ctx, program, solve, args...)
	if ctx.Err() != nil && len(bytes.TrimSpace(text)) == 0 {
		return nothing, nil // killed, or still grounding
	}
	if err != nil {
		return Answer{}, err
	}
	return read(p, text)
}

// run returns what a program writes. When ctx ends it is asked to finish, as by
// Ctrl-C, and a while later made to.
func run(ctx context.Context, input *bytes.Buffer, name string, args ...string) ([]byte, error) {
	var out, complaints bytes.Buffer
	c := exec.CommandContext(ctx, name, args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	c.Stdin, c.Stdout, c.Stderr = input, &out, &complaints
	err := c.Run()
	var exit *exec.ExitError
	// clasp's exit codes are the sum of 1 interrupted, 10 found and 20
	// exhausted; 33 and more are errors, and so is 1 with nothing asked of it.
	if errors.As(err, &exit) && exit.ExitCode() >= 10 && exit.ExitCode() <= 31 || ctx.Err() != nil {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w\n%s", name, err, complaints.Bytes())
	}
	return out.Bytes(), nil
}

// read makes an answer of clasp's JSON.
func read(p *partition.Problem, text []byte) (Answer, error) {
	var output struct {
		Result string
		Call   []struct {
			Witnesses []struct {
				Value []string
				Costs []int64
			}
		}
		Bounds struct{ Lower []int64 }
	}
	if err := json.Unmarshal(text, &output); err != nil {
		return Answer{}, fmt.Errorf("read what clasp wrote: %w", err)
	}
	a := Answer{Bound: Base(p)}
	if len(output.Bounds.Lower) == 1 {
		a.Bound += max(0, output.Bounds.Lower[0])
	}
	switch output.Result {
	case "UNSATISFIABLE":
		a.Status = partition.Infeasible
		return a, nil
	case "UNKNOWN":
		return a, nil
	case "SATISFIABLE":
		a.Status = partition.Feasible
	case "OPTIMUM FOUND":
		a.Status = partition.Optimal
	default:
		return Answer{}, fmt.Errorf("clasp says %q", output.Result)
	}
	if len(output.Call) == 0 {
		return Answer{}, errors.New("clasp shows no model")
	}
	models := output.Call[len(output.Call)-1].Witnesses
	if len(models) == 0 || len(models[len(models)-1].Costs) != 1 {
		return Answer{}, errors.New("clasp shows no model with its cost")
	}
	model := models[len(models)-1]
	a.Stages = make([]int, len(p.Work))
	for o := range a.Stages {
		a.Stages[o] = partition.Outside
	}
	for _, atom := range model.Value {
		var o, s int
		if _, err := fmt.Sscanf(atom, "in(%d,%d)", &o, &s); err != nil || o < 0 || o >= len(a.Stages) {
			return Answer{}, fmt.Errorf("clasp shows %q", atom)
		}
		a.Stages[o] = s
	}
	value, err := p.Value(a.Stages)
	if err != nil {
		return Answer{}, fmt.Errorf("clasp's assignment: %w", err)
	}
	a.Value = value
	claimed := Base(p) + model.Costs[0]
	if a.Status == partition.Optimal {
		a.Bound = claimed
	}
	// Before the end the limit may be above the largest load.
	if value > claimed || a.Bound > value {
		return Answer{}, fmt.Errorf("clasp's assignment has value %d, said to be %d, bound %d", value, claimed, a.Bound)
	}
	return a, nil
}
