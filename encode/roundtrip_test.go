package encode_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// pinned reads a solution off a problem in which everything is decided.
func pinned(t *testing.T, p *schedule.Problem) *schedule.Solution {
	t.Helper()
	s := &schedule.Solution{Place: p.Places}
	for i := range p.Ops {
		if p.Ops[i].Lo != p.Ops[i].Hi {
			t.Fatalf("op %d may be in stages %d to %d", i, p.Ops[i].Lo, p.Ops[i].Hi)
		}
		s.Stage = append(s.Stage, p.Ops[i].Lo)
		s.Core = append(s.Core, p.Ops[i].Pins)
	}
	for _, r := range p.Ranges {
		s.First = append(s.First, r.First)
	}
	return s
}

// A plan that a schedule completed has that schedule as its decisions, costs
// the same, and is its own completion. With some decisions erased the rest
// stays decided, and the schedule is still one.
func TestRoundTrip(t *testing.T) {
	legal := 0
	for seed := range tries() {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		plan, o := drawPlan(r)
		m, diags := encode.New(plan, o)
		if len(diags) > 0 {
			t.Fatalf("seed %d: %s", seed, messages(diags))
		}
		if len(m.Hopeless) > 0 {
			continue
		}
		s := drawSolution(r, m.Problem)
		cost, err := m.Problem.Cost(s)
		if err != nil {
			continue
		}
		legal++
		all := phases(m, s)
		whole := all[len(all)-1]

		again, diags := encode.New(whole, encode.Options{ForwardCycles: ir.None})
		if len(diags)+len(again.Hopeless) > 0 {
			t.Fatalf("seed %d: %s%s of\n%s", seed, messages(diags), messages(again.Hopeless), ir.Encode(whole))
		}
		s = pinned(t, again.Problem)
		cost.Forwards = 0 // they are ops now
		checkSame(t, seed, again, s, cost, whole)

		holes, free := erase(r, whole)
		part, diags := encode.New(holes, encode.Options{Free: free, Forward: o.Forward, ForwardCycles: o.ForwardCycles})
		if len(diags)+len(part.Hopeless) > 0 {
			t.Fatalf("seed %d: %s%s of\n%s", seed, messages(diags), messages(part.Hopeless), ir.Encode(holes))
		}
		if diff := cmp.Diff(decisions(holes, free, part.Problem), part.Problem.Ops, ignoreAllButDecisions); diff != "" {
			t.Fatalf("seed %d: decisions (-want +got):\n%s\nof\n%s", seed, diff, ir.Encode(holes))
		}
		checkSame(t, seed, part, s, cost, whole)
	}
	if legal < tries()/10 {
		t.Errorf("only %d of %d schedules are legal", legal, tries())
	}
}

func checkSame(t *testing.T, seed int, m *encode.Model, s *schedule.Solution, cost schedule.Cost, whole *ir.Plan) {
	t.Helper()
	got, err := m.Problem.Cost(s)
	if diff := cmp.Diff(cost, got); diff != "" || err != nil {
		t.Fatalf("seed %d: costs (-first +again): %s %v of\n%s", seed, diff, err, ir.Encode(whole))
	}
	all := phases(m, s)
	if diff := cmp.Diff(string(ir.Encode(whole)), string(ir.Encode(all[len(all)-1]))); diff != "" {
		t.Fatalf("seed %d: plans (-first +again):\n%s", seed, diff)
	}
}

// erase makes holes in a complete plan, and gives some decisions up.
func erase(r *rand.Rand, whole *ir.Plan) (*ir.Plan, encode.Free) {
	hole := func() bool { return r.IntN(3) == 0 }
	p := *whole
	p.Assignment.Instances = nil
	for _, in := range whole.Assignment.Instances {
		if hole() {
			in.Stage = ir.None
		}
		in.Cores = append([]int64{}, in.Cores...)
		for i := range in.Cores {
			if hole() {
				in.Cores[i] = ir.None
			}
		}
		switch r.IntN(6) {
		case 0:
			in.Cores = nil
		case 1:
			continue
		}
		p.Assignment.Instances = append(p.Assignment.Instances, in)
	}
	p.Stages = append([]ir.Stage{}, whole.Stages...)
	for i := range p.Stages {
		if hole() {
			p.Stages[i].First, p.Stages[i].Count = ir.None, ir.None
		}
	}
	if p.LogicalCores == ir.None && p.Target == nil {
		p.LogicalCores = whole.Stages[len(whole.Stages)-1].First + whole.Stages[len(whole.Stages)-1].Count
	}
	p.Assignment.Placement = append([]int64(nil), whole.Assignment.Placement...)
	for i := range p.Assignment.Placement {
		if hole() {
			p.Assignment.Placement[i] = ir.None
		}
	}
	return &p, encode.Free{Stage: r.IntN(6) == 0, Core: r.IntN(6) == 0, Placement: r.IntN(6) == 0}
}

// decisions are what a plan says of its ops, read in the plainest way.
func decisions(p *ir.Plan, free encode.Free, problem *schedule.Problem) []schedule.Op {
	ops := make([]schedule.Op, len(p.Graph.Ops))
	for i := range ops {
		ops[i].Hi = len(p.Stages) - 1
		parts := problem.Ops[i].Parts
		for _, in := range p.Assignment.Instances {
			if in.Op != p.Graph.Ops[i].ID {
				continue
			}
			if in.Stage != ir.None && !free.Stage {
				ops[i].Lo, ops[i].Hi = int(in.Stage), int(in.Stage)
			}
			for lane, core := range in.Cores {
				if core == ir.None || free.Core {
					continue
				}
				if ops[i].Pins == nil {
					ops[i].Pins = make([]int, problem.Ops[i].Shares())
					for j := range ops[i].Pins {
						ops[i].Pins[j] = schedule.Free
					}
				}
				ops[i].Pins[lane*parts+max(0, int(in.Part))] = int(core)
			}
		}
	}
	return ops
}

var ignoreAllButDecisions = cmp.Transformer("decisions", func(o schedule.Op) map[string]any {
	return map[string]any{"lo": o.Lo, "hi": o.Hi, "pins": o.Pins}
})
