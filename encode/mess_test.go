package encode_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"plancheck/encode"
	"plancheck/ir"
)

// Whatever numbers a plan has, it is refused, or hopeless, or a well-formed
// problem whose schedules make valid plans.
func TestAnyNumbers(t *testing.T) {
	refused, hopeless, made := 0, 0, 0
	for seed := range 10 * tries() {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		plan, o := drawPlan(r)
		if m, _ := encode.New(plan, o); m != nil && len(m.Hopeless) == 0 && r.IntN(4) > 0 {
			if s := drawSolution(r, m.Problem); isLegal(m.Problem, s) {
				all := phases(m, s)
				plan = all[r.IntN(len(all))]
			}
		}
		for range 1 + r.IntN(3) {
			mess(r, plan)
		}
		if len(ir.Validate(plan)) > 0 {
			continue
		}
		if r.IntN(4) == 0 {
			o.Stages, o.Cores = r.IntN(4), r.IntN(6)
		}
		o.Free = encode.Free{Stage: r.IntN(4) == 0, Core: r.IntN(4) == 0, Placement: r.IntN(4) == 0}
		m, ds := encode.New(plan, o)
		switch {
		case len(ds) > 0:
			refused++
			continue
		case len(m.Hopeless) > 0:
			hopeless++
			continue
		}
		if err := m.Problem.Check(); err != nil {
			t.Fatalf("seed %d: %v of\n%s", seed, err, ir.Encode(plan))
		}
		shares := 0
		for i := range m.Problem.Ops {
			shares += m.Problem.Ops[i].Shares()
		}
		if shares > 1000 || m.Problem.Cores > 1000 {
			continue
		}
		made++
		all := phases(m, drawSolution(r, m.Problem))
		if ds := ir.Validate(all[len(all)-1]); len(ds) > 0 {
			t.Fatalf("seed %d: %s of\n%s", seed, messages(ds), ir.Encode(plan))
		}
	}
	t.Logf("%d refused, %d hopeless, %d made", refused, hopeless, made)
	if least := tries() / 10; refused < least || hopeless < least || made < least {
		t.Errorf("%d refused, %d hopeless, %d made", refused, hopeless, made)
	}
}

// mess changes a number of a plan.
func mess(r *rand.Rand, p *ir.Plan) {
	numbers := []int64{0, 0, 1, 1, 2, 3, 7, ir.None, math.MaxInt32, 1 << 62, math.MaxInt64}
	set := func(n *int64) { *n = numbers[r.IntN(len(numbers))] }
	pick := func(n int) int { return r.IntN(max(1, n)) }
	a := &p.Assignment
	switch r.IntN(14) {
	case 0:
		set(&p.LogicalCores)
	case 1:
		s := &p.Stages[pick(len(p.Stages))]
		set(&s.First)
		set(&s.Count)
		if s.First == ir.None || s.Count == ir.None {
			s.First, s.Count = ir.None, ir.None
		}
	case 2:
		set(&p.Stages[pick(len(p.Stages))].Index)
	case 3:
		set(&p.Graph.Ops[pick(len(p.Graph.Ops))].Lanes)
	case 4:
		set(&p.Graph.Ops[pick(len(p.Graph.Ops))].Work)
	case 5:
		set(&p.Graph.Ops[pick(len(p.Graph.Ops))].MaxParts)
	case 6:
		if n := len(p.Graph.Weights); n > 0 {
			set(&p.Graph.Weights[pick(n)].Size)
		}
	case 7:
		if n := len(p.Graph.Edges); n > 0 {
			set(&p.Graph.Edges[pick(n)].Size)
		}
	case 8:
		if n := len(a.Placement); n > 0 {
			set(&a.Placement[pick(n)])
		}
	case 9:
		if n := len(a.Splits); n > 0 {
			set(&a.Splits[pick(n)].Parts)
		} else {
			a.Splits = append(a.Splits, ir.Split{Op: p.Graph.Ops[0].ID, Parts: 2})
		}
	case 10, 11:
		if n := len(a.Instances); n > 0 {
			in := &a.Instances[pick(n)]
			set([]*int64{&in.Stage, &in.Part}[r.IntN(2)])
		}
	case 12:
		if n := len(a.Instances); n > 0 {
			if in := &a.Instances[pick(n)]; len(in.Cores) > 0 {
				set(&in.Cores[pick(len(in.Cores))])
			}
		}
	case 13:
		if p.Target != nil {
			set(&p.Target.Cores[pick(len(p.Target.Cores))].Capacity)
		}
	}
}
