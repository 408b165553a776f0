package derive

import (
	"math/bits"
	"slices"

	"plancheck/internal/search/placement"
	"plancheck/ir"
)

// largestPairing bounds the ranks of a stage that are paired with cores: it takes
// the cube of that.
const largestPairing = 512

// pair lets the ranks of each stage change places with each other, stage by stage,
// so that what a rank passes on goes a short way. The scheduler counts the bytes of
// an edge between all cores of two stages alike, so that to it these places are the
// same; here a rank passes its values on to itself. Ways count by their square: one
// long way is worse than several short ones.
func (c *chip) pair(s *seating, plan *ir.Plan, seats []int64) {
	if s.wide() > largestPairing {
		return
	}
	number := map[ir.ID]int{}
	for i := range plan.Graph.Ops {
		number[plan.Graph.Ops[i].ID] = i
	}
	most := int64(1)
	for _, e := range plan.Graph.Edges {
		most = max(most, e.Size)
	}
	at := func(stage, position, seat int64) int64 {
		return plan.Assignment.Placement[stage*s.cores()+position*s.each+seat]
	}
	n := int(s.wide())
	for stage := int64(1); stage < c.stages; stage++ {
		cost := make([]int64, n*n)
		for _, e := range plan.Graph.Edges {
			from, to := number[e.From], number[e.To]
			earlier := stageIn(plan, e.From)
			if stageIn(plan, e.To) != stage || earlier >= stage || c.groups[to].collective {
				continue // a collective takes the terms of all ranks to all
			}
			for rank := range s.wide() {
				for position := range s.wide() {
					way := c.hops(at(earlier, rank, seats[from]), at(stage, position, seats[to]))
					cost[rank*s.wide()+position] += share(e.Size, most) * way * way
				}
			}
		}
		to := placement.Assign(n, cost)
		if to == nil {
			continue
		}
		first := stage * s.cores()
		before := slices.Clone(plan.Assignment.Placement[first : first+s.cores()])
		for rank, position := range to {
			copy(plan.Assignment.Placement[first+int64(rank)*s.each:][:s.each], before[int64(position)*s.each:][:s.each])
		}
	}
}

// share is what part of most n is, in 65536ths.
func share(n, most int64) int64 {
	high, low := bits.Mul64(uint64(max(n, 0)), 1<<16)
	part, _ := bits.Div64(high, low, uint64(most))
	return int64(part)
}

// hops is how far two cores of the mesh are from each other.
func (c *chip) hops(a, b int64) int64 {
	cols := c.Target.Mesh.Cols
	distance := func(x, y int64) int64 { return max(x-y, y-x) }
	return distance(a/cols, b/cols) + distance(a%cols, b%cols)
}
