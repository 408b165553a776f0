package derive

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/example"
	"plancheck/internal/execute"
	"plancheck/internal/reference"
	"plancheck/internal/simulate"
	"plancheck/internal/tensor"
	"plancheck/ir"
	"plancheck/ir/machine"
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
		s := onChip(t, []string{"row-parallel", "mlp"}[run%2], size, degree, among(3), among(9))
		d, err := Schedule(s.Scheduling).Make(context.Background(), facts.OfLevel(s.binding, nil))
		if err != nil {
			t.Fatal(err)
		}
		p, wrong, err := LowerJudged(context.Background(), d, Lowering{Portable: s.Portable, Tasks: s.tasks, Target: s.Target})
		if err != nil || wrong != nil {
			t.Fatal(err, wrong)
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
			if c, err := want.Compare(id, got[id]); err != nil || !c.Within() {
				t.Fatalf("%s: %+v %v", id, c, err)
			}
		}
		for _, section := range p.Sections {
			for _, x := range section.Instructions {
				if x.Opcode.Name == machine.Copy {
					moved++
				}
				if x.Function == task.Sum {
					summed++
				}
			}
		}
	}
	if moved == 0 || summed == 0 {
		t.Errorf("%d copies and %d sums: nothing was put to the test", moved, summed)
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
}
