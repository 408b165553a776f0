package derive

import (
	"testing"

	"plancheck/internal/example"
	"plancheck/ir"
)

// The ranks of a stage sit where what they pass on goes the shortest ways: no other
// order of them has a smaller sum of squares. Only activations go from stage to
// stage here, all of one size.
func TestPairing(t *testing.T) {
	for _, stages := range []int64{2, 3} {
		s := onChip(t, "mlp", example.ModelSize{Hidden: 64, FFN: 128, DType: "bf16"}, 4, stages, 16)
		p := s.scheduled(t)
		of := map[int64][]int64{} // by stage: the physical core of each rank
		for _, in := range p.Assignment.Instances {
			of[in.Stage] = nil
			for _, core := range in.Cores {
				of[in.Stage] = append(of[in.Stage], p.Assignment.Placement[core])
			}
		}
		for stage := int64(1); stage < stagesUsed(p); stage++ {
			before, after := of[stage-1], of[stage]
			if crossing(p, stage) == 0 {
				continue
			}
			got, least := ways(before, after), int64(1<<62)
			permute(after, func(order []int64) { least = min(least, ways(before, order)) })
			if got != least {
				t.Errorf("%d stages: ranks of stage %d go ways of %d from %v to %v, and could %d", stages, stage, got, before, after, least)
			}
		}
	}
}

// crossing counts the edges into a stage that are not to a collective.
func crossing(p *ir.Plan, stage int64) (n int) {
	for _, e := range p.Graph.Edges {
		for _, o := range p.Graph.Ops {
			if o.ID == e.To && o.Kind != "all-reduce" && stageIn(p, e.To) == stage && stageIn(p, e.From) < stage {
				n++
			}
		}
	}
	return n
}

// ways is the sum of squares of the ways between cores of a mesh of 4 columns.
func ways(from, to []int64) (sum int64) {
	for i := range from {
		rows, cols := from[i]/4-to[i]/4, from[i]%4-to[i]%4
		way := max(rows, -rows) + max(cols, -cols)
		sum += way * way
	}
	return sum
}

// permute tells all orders of a list.
func permute(list []int64, tell func([]int64)) {
	var rest func(int)
	order := append([]int64{}, list...)
	rest = func(k int) {
		if k == len(order) {
			tell(order)
			return
		}
		for i := k; i < len(order); i++ {
			order[k], order[i] = order[i], order[k]
			rest(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	rest(0)
}
