package derive

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/evidence"
	"plancheck/internal/example"
	"plancheck/internal/execute"
	"plancheck/internal/poly"
	"plancheck/internal/reference"
	"plancheck/internal/tensor"
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// rows is the M of models that are run.
const rows = 3

// numbers is a model whose sizes are all known.
func numbers(t testing.TB, m *model.Model) *model.Model {
	t.Helper()
	known := *m
	known.Symbols, known.Values = nil, slices.Clone(m.Values)
	for i := range known.Values {
		of := &known.Values[i].Type
		of.Shape = slices.Clone(of.Shape)
		for axis, n := range of.Shape {
			bound, err := n.Bind(map[string]int64{"M": rows})
			if err != nil {
				t.Fatal(err)
			}
			of.Shape[axis] = bound
		}
	}
	return &known
}

// inputs draws the values that a model is given.
func inputs(t testing.TB, m *model.Model, seed uint64) map[string]*tensor.Tensor {
	t.Helper()
	all := map[string]*tensor.Tensor{}
	for i, v := range m.Values {
		if v.Role != "input" && v.Role != "parameter" {
			continue
		}
		var shape []int64
		for _, n := range v.Type.Shape {
			size, _ := n.Int()
			shape = append(shape, size)
		}
		x, err := tensor.Random(shape, v.Type.DType, seed*100+uint64(i), 1)
		if err != nil {
			t.Fatal(err)
		}
		all[v.ID] = x
	}
	return all
}

// run lowers and runs a plan and compares the model's outputs with the reference.
func (s *scheduling) run(t testing.TB, p *ir.Plan, seed uint64, delay func(*machine.Instruction) time.Duration) (worst reference.Comparison) {
	t.Helper()
	program, err := Lower(p, Lowering{Portable: s.Portable, Tasks: s.tasks, Target: s.Target})
	if err != nil {
		t.Fatal(err)
	}
	known := numbers(t, s.model)
	in := inputs(t, known, seed)
	memory, err := execute.Run(context.Background(), program, execute.Options{Inputs: in, Delay: delay})
	if err != nil {
		t.Fatal(err)
	}
	want, err := reference.Evaluate(known, in)
	if err != nil {
		t.Fatal(err)
	}
	ids, got, err := memory.Outputs()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s.model.Outputs, ids); diff != "" {
		t.Fatal(diff)
	}
	for _, id := range ids {
		c, err := want.CompareDrawn(id, got[id], 8)
		if err != nil {
			t.Fatal(err)
		}
		if c.Share >= worst.Share {
			worst = c
		}
	}
	return worst
}

// copied is a plan that may be changed.
func copied(t testing.TB, p *ir.Plan) *ir.Plan { return decodedPlan(t, ir.Encode(p)) }

// Whatever chain of ops is distributed and scheduled, the rules find nothing, and
// what the ranks compute together is what the model says.
func TestScheduledProgramsCompute(t *testing.T) {
	ran := 0
	rapid.Check(t, func(rt *rapid.T) {
		degree := rapid.SampledFrom([]int64{1, 2, 3, 4, 8}).Draw(rt, "degree")
		m := drawChain(rt, degree)
		dtype := rapid.SampledFrom([]string{"bf16", "f16", "f32"}).Draw(rt, "computed in")
		for i := range m.Values {
			m.Values[i].Type.DType = dtype
		}
		tasks, err := distribute(m, drawStrategy(rt, m, degree))
		if err != nil {
			return
		}
		ran++
		portable, err := plan(tasks, PlanOptions{Bindings: []portable.Binding{{Symbol: "M", Value: rows}}})
		if err != nil {
			rt.Fatal(err)
		}
		all := rebound(t, &scheduling{model: m, tasks: tasks, Scheduling: Scheduling{Portable: portable, Target: evidence.A100(), Deployment: evidence.A100Deployment()}})
		plan, err := all.forQueues(all.binding) // the passes judge their work in other tests
		if err != nil {
			rt.Fatal(err)
		}
		if found := judgedPlan(t, facts.OfPlan(plan), nil); found != nil {
			rt.Fatal(found)
		}
		seed := rapid.Uint64().Draw(rt, "seed")
		if c := all.run(t, plan, seed, execute.RandomDelays(seed, 200*time.Microsecond)); !c.Within() {
			rt.Errorf("element %d is %v, want %v within %v", c.Worst, c.Got, c.Reference, c.Tolerance)
		}
	})
	if ran == 0 {
		t.Error("nothing was run")
	}
}

// layers is several feed-forward parts, one behind the other.
func layers(n int, hidden, inner int64, dtype string) *model.Model {
	m := &model.Model{Header: level.Header{Schema: model.Schema, Name: "layers"}, Symbols: []model.Symbol{{ID: "M"}}}
	value := func(id, role string, shape ...poly.Poly) string {
		m.Values = append(m.Values, model.Value{ID: id, Name: id, Role: role, Type: model.Type{Shape: shape, DType: dtype}})
		return id
	}
	op := func(kind, out string, in ...string) {
		m.Ops = append(m.Ops, model.Op{ID: "make " + out, Kind: kind, Inputs: in, Outputs: []string{out}})
	}
	x := value("x", "input", poly.Symbol("M"), poly.Int(hidden))
	m.Inputs = []string{x}
	for i := range n {
		at := string(rune('0' + i))
		up, h := value("up"+at, "parameter", poly.Int(hidden), poly.Int(inner)), value("h"+at, "activation", poly.Symbol("M"), poly.Int(inner))
		a, down := value("a"+at, "activation", poly.Symbol("M"), poly.Int(inner)), value("down"+at, "parameter", poly.Int(inner), poly.Int(hidden))
		role := "activation"
		if i == n-1 {
			role = "output"
		}
		y := value("y"+at, role, poly.Symbol("M"), poly.Int(hidden))
		op(model.Linear, h, x, up)
		op(model.GELU, a, h)
		op(model.Linear, y, a, down)
		x = y
	}
	m.Outputs = []string{x}
	return m
}

// What never lives at once shares memory: however many layers there are, values
// between them take no more than those of the first ones.
func TestScheduleReusesMemory(t *testing.T) {
	peak := func(n int) (between, sum int64) {
		s := onA100(t, layers(n, 8, 16, "f32"), task.Strategy{TensorParallel: 2}, rows)
		p := s.scheduled(t)
		if c := s.run(t, p, 1, execute.RandomDelays(1, 200*time.Microsecond)); !c.Within() {
			t.Errorf("%d layers: element %d is %v, want %v within %v", n, c.Worst, c.Got, c.Reference, c.Tolerance)
		}
		var weights int64
		for _, b := range p.Program.Buffers {
			if p.Text(b.Region) != "gpu0.hbm" {
				continue
			}
			between = max(between, b.Offset+b.Size)
			if b.Initialised && b.Kept {
				weights += b.Size
			} else {
				sum += b.Size
			}
		}
		return between - weights, sum
	}
	three, all := peak(3)
	seven, more := peak(7)
	if three >= all || seven >= more/3 || seven > three {
		t.Errorf("values take %d bytes of %d in three layers, and %d of %d in seven", three, all, seven, more)
	}
}

// What an implementation needs beside its operands is memory of its own, which
// commands that never run at once share.
func TestScheduleWorkspace(t *testing.T) {
	target := evidence.A100()
	for i := range target.Kernels {
		if target.Kernels[i].ID == "cublas.sgemm" {
			target.Kernels[i].Workspace = 4096
		}
	}
	m := layers(2, 8, 16, "f32")
	s := scheduledOn(t, m, task.Strategy{TensorParallel: 2}, rows, target, evidence.A100Deployment())
	// The deployment and the evidence are those of another target.
	s.Deployment.Parents[0].Digest = s.binding.Parents[1].Digest
	s = rebound(t, s)
	p := s.scheduled(t)
	offsets := map[int64]int{}
	for _, b := range p.Program.Buffers {
		if b.Size == 4096 {
			offsets[b.Offset]++
		}
	}
	if len(offsets) != 1 { // of both ranks and of all layers
		t.Errorf("workspaces lie at %v", offsets)
	}
	if c := s.run(t, p, 1, nil); !c.Within() {
		t.Errorf("element %d is %v, want %v within %v", c.Worst, c.Got, c.Reference, c.Tolerance)
	}
}

// rebound binds again what has been changed.
func rebound(t testing.TB, s *scheduling) *scheduling {
	t.Helper()
	b, err := evidence.Bind(evidence.Input{Plan: s.Portable, Target: s.Target, Deployment: s.Deployment,
		Evidence: evidence.NoRecords(s.Deployment), Policy: evidence.DefaultPolicy("measurements")})
	if err != nil {
		t.Fatal(err)
	}
	s.binding = b
	return s
}

// twoRanks is a small row-parallel product of two ranks, scheduled.
func twoRanks(t testing.TB) (*scheduling, *ir.Plan) {
	m := built(t, "row-parallel", example.ModelSize{Hidden: 4, FFN: 8, DType: "f32"})
	s := onA100(t, m, strategy(m, 2, []string{"row"}), rows)
	return s, copied(t, s.scheduled(t))
}

// commandNamed is a command by the names of its task and its device.
func (s *scheduling) commandNamed(t testing.TB, p *ir.Plan, name string) *ir.Command {
	names := s.names(p)
	for i := range p.Program.Commands {
		if c := &p.Program.Commands[i]; names[p.Text(c.ID)] == name {
			return c
		}
	}
	t.Fatal("no command", name)
	return nil
}

// A wait that is gone: the rules say which commands race, and a rank reduces what
// it has not computed yet.
func TestScheduledWithoutAWait(t *testing.T) {
	s, p := twoRanks(t)
	p.Digest = ""
	c := s.commandNamed(t, p, "down.all-reduce|gpu1")
	c.After, c.Waits = nil, nil
	found := judgedPlan(t, facts.OfPlan(p), nil)
	if len(found) != 2 || !strings.HasPrefix(found[0], "token-never-waited") || !strings.HasPrefix(found[1], "data-race") {
		t.Error(found)
	}
	if raceEnabled && os.Getenv("PLANCHECK_RACES") == "" { // the detector ends the process that it sees one in
		again := exec.Command(os.Args[0], "-test.run=^TestScheduledWithoutAWait$")
		again.Env = append(os.Environ(), "PLANCHECK_RACES=1")
		if out, err := again.CombinedOutput(); err == nil || !strings.Contains(string(out), "DATA RACE") {
			t.Errorf("the race detector saw nothing: %v\n%s", err, out)
		}
		return
	}
	slow := p.Text(s.commandNamed(t, p, "down@1|gpu1").ID)
	late := func(x *machine.Instruction) time.Duration {
		if x.Command == slow {
			return 50 * time.Millisecond
		}
		return 0
	}
	if c := s.run(t, p, 1, late); c.Within() {
		t.Error("the result is right although a rank reduced what it had not computed")
	}
}

// A buffer that is moved onto one that lives: the rules say so, and what is
// computed is wrong.
func TestScheduledMovedBuffer(t *testing.T) {
	s, p := twoRanks(t)
	p.Digest = ""
	names := s.names(p)
	at := func(name string) *ir.Buffer {
		i := slices.IndexFunc(p.Program.Buffers, func(b ir.Buffer) bool { return names[p.Text(b.ID)] == name })
		return &p.Program.Buffers[i]
	}
	at("w@0").Offset = at("x@0").Offset
	found := judgedPlan(t, facts.OfPlan(p), nil)
	if len(found) != 1 || !strings.HasPrefix(found[0], "buffer-overlap") {
		t.Error(found)
	}
	if c := s.run(t, p, 1, nil); c.Within() {
		t.Error("the result is right although x was overwritten")
	}
}

// A signal that is gone leaves the program stuck, as the rules say.
func TestScheduledStuck(t *testing.T) {
	s, p := twoRanks(t)
	p.Digest = ""
	s.commandNamed(t, p, "down@1|gpu1").Signals = nil
	found := judgedPlan(t, facts.OfPlan(p), nil)
	if len(found) != 1 || !strings.HasPrefix(found[0], "token-never-signaled") {
		t.Error(found)
	}
	program, err := Lower(p, Lowering{Portable: s.Portable, Tasks: s.tasks, Target: s.Target})
	if err != nil {
		t.Fatal(err)
	}
	var stuck *execute.Stuck
	if _, err := execute.Run(context.Background(), program, execute.Options{Inputs: inputs(t, numbers(t, s.model), 1)}); !errors.As(err, &stuck) {
		t.Error(err)
	}
}
