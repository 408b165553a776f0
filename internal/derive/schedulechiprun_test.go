package derive

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/evidence"
	"plancheck/internal/example"
	"plancheck/internal/execute"
	"plancheck/internal/poly"
	"plancheck/internal/reference"
	"plancheck/internal/simulate"
	"plancheck/internal/tensor"
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/ir/task"
)

// Whatever is scheduled on a chip is legal beside its portable plan, and computes
// what the model says: whatever the sizes, on any number of cores and stages.
func TestChipsComputeTheModel(t *testing.T) {
	moved, summed := 0, 0
	random := rand.New(rand.NewPCG(7, 7))
	for run := range 16 {
		among := func(n int) int64 { return 1 + random.Int64N(int64(n)) }
		degree := int64(1) << (run % 3)
		size := example.ModelSize{Hidden: degree * among(12), FFN: degree * among(12), DType: []string{"bf16", "f16", "f32"}[random.IntN(3)]}
		name, stages := []string{"row-parallel", "mlp"}[run%2], among(3)
		if name == "row-parallel" { // an op, and an all-reduce where there are ranks
			stages = min(stages, degree, 2)
		}
		s := onChip(t, name, size, degree, stages, among(9))
		copies, sums := computed(t, s, random)
		moved, summed = moved+copies, summed+sums
	}
	if moved == 0 || summed == 0 {
		t.Errorf("%d copies and %d sums: nothing was put to the test", moved, summed)
	}
}

// computed schedules a model, plays and runs it, and holds what comes out against
// the model. It counts the transfers and the sums.
func computed(t *testing.T, s *scheduling, random *rand.Rand) (copies, sums int) {
	t.Helper()
	d, err := Schedule(s.Scheduling).Make(context.Background(), facts.OfLevel(s.binding, nil))
	if err != nil {
		t.Fatal(err)
	}
	p, wrong, err := LowerJudged(context.Background(), d, Lowering{Portable: s.Portable, Tasks: s.tasks, Target: s.Target})
	if err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	if found := judgedPlan(t, again(t, d.Plan()), facts.OfLevel(s.Portable, nil)); found != nil {
		t.Fatal(found)
	}
	playsAsScheduled(t, d.Plan())
	inputs := map[string]*tensor.Tensor{}
	for _, port := range p.Ports {
		if port.Direction != machine.Input || inputs[port.Value] != nil {
			continue
		}
		x, err := tensor.New(port.Whole)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x.Data {
			x.Data[i] = 4*random.Float64() - 2
		}
		inputs[port.Value] = x
	}
	memory, err := execute.Run(context.Background(), p, execute.Options{Inputs: inputs, Delay: execute.RandomDelays(random.Uint64(), 20*time.Microsecond)})
	if err != nil {
		t.Fatal(err)
	}
	want, err := reference.Evaluate(s.model, inputs)
	if err != nil {
		t.Fatal(err)
	}
	ids, got, err := memory.Outputs()
	if err != nil || len(ids) == 0 {
		t.Fatal(ids, err)
	}
	for _, id := range ids {
		if c, err := want.CompareDrawn(id, got[id], 8); err != nil || !c.Within() {
			t.Fatalf("%s: %+v %v", id, c, err)
		}
	}
	for _, section := range p.Sections {
		for _, x := range section.Instructions {
			if x.Opcode.Name == machine.Copy {
				copies++
			}
			if x.Function == task.Sum {
				sums++
			}
		}
	}
	return copies, sums
}

// A weight that ops of two stages read is copied to the second one.
func TestSharedWeight(t *testing.T) {
	eight := []poly.Poly{poly.Int(8), poly.Int(8)}
	rows := []poly.Poly{poly.Symbol("M"), poly.Int(8)}
	m := &model.Model{
		Header: level.Header{Schema: model.Schema, Name: "square"}, Symbols: []model.Symbol{{ID: "M"}}, Inputs: []string{"x"}, Outputs: []string{"y"},
		Values: []model.Value{
			{ID: "x", Role: "input", Type: model.Type{Shape: rows, DType: "f32"}}, {ID: "w", Role: "parameter", Type: model.Type{Shape: eight, DType: "f32"}},
			{ID: "h", Role: "activation", Type: model.Type{Shape: rows, DType: "f32"}}, {ID: "y", Role: "output", Type: model.Type{Shape: rows, DType: "f32"}},
		},
		Ops: []model.Op{{ID: "first", Kind: model.Linear, Inputs: []string{"x", "w"}, Outputs: []string{"h"}}, {ID: "second", Kind: model.Linear, Inputs: []string{"h", "w"}, Outputs: []string{"y"}}},
	}
	s := scheduledOn(t, m, task.Strategy{TensorParallel: 1}, 3, evidence.Chip(), evidence.ChipDeployment())
	s.Stages = 2
	if copies, sums := computed(t, s, rand.New(rand.NewPCG(1, 1))); copies != 2 || sums != 0 { // w and h
		t.Errorf("%d copies and %d sums", copies, sums)
	}
}

// playsAsScheduled plays a plan forward: every command begins at its cycle.
func playsAsScheduled(t *testing.T, p *ir.Plan) {
	t.Helper()
	costs, err := simulate.FromPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	played, err := simulate.Run(simulate.Input{Plan: p, Durations: costs.Durations})
	if err != nil {
		t.Fatal(err)
	}
	const cycle = 1000 // ps of the clock of 1 GHz
	var want, got []int64
	for i, s := range p.Program.Extension.Spatial.Slots { // in the order of commands
		want, got = append(want, s.Cycle*cycle), append(got, played.Intervals[i].Start)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != len(p.Program.Commands) {
		t.Errorf("commands begin (-want +got):\n%s", diff)
	}
	if first := played.Path[0]; first.Edge != simulate.Start { // by a slot it would leave what comes before unexplained
		t.Errorf("the critical path begins with %s by %v, and is %d steps long", p.Program.Commands[first.Command].Name, first.Edge, len(played.Path))
	}
}
