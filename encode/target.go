package encode

import (
	"fmt"

	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// readMachine numbers the kinds of cores: 0 for those without one, and then as
// the target names them first.
func (b *builder) readMachine() {
	b.kinds = map[string]int{}
	t := b.plan.Target
	if t == nil {
		return
	}
	for i := range t.Cores {
		c := &t.Cores[i]
		kind := 0
		if c.Kind != "" {
			k, known := b.kinds[c.Kind]
			if !known {
				k = b.problem.Kinds
				b.problem.Kinds++
				b.kinds[c.Kind] = k
			}
			kind = k
		}
		b.problem.Machine = append(b.problem.Machine, schedule.Core{Capacity: c.Capacity, Kind: kind})
	}
	b.problem.Hops = hops(t)
	b.largest = b.largestCapacity()
}

// largestCapacity returns the bytes of the largest machine core; Unknown where
// some core has no limit.
func (b *builder) largestCapacity() int64 {
	largest := int64(schedule.Unknown)
	for _, c := range b.problem.Machine {
		if c.Capacity == schedule.Unknown {
			return schedule.Unknown
		}
		largest = max(largest, c.Capacity)
	}
	return largest
}

// mostDistant is how many cores may have a table of distances of their own: it
// takes 128 MiB. Larger targets are placed as they come.
const mostDistant = 4096

// hops returns the distances that the target states, or those along rows and
// columns of its mesh where every core has its place there; nil else, and for
// very many cores.
func hops(t *ir.Target) [][]int64 {
	if t.Distances == nil && t.Mesh == nil || len(t.Cores) > mostDistant {
		return nil
	}
	table := make([][]int64, len(t.Cores))
	for i := range t.Cores {
		table[i] = make([]int64, len(t.Cores))
		if t.Distances != nil {
			copy(table[i], t.Distances[i])
			continue
		}
		if t.Cores[i].Row == ir.None {
			return nil
		}
		for j := range table[i] {
			table[i][j] = plus(apart(t.Cores[i].Row, t.Cores[j].Row), apart(t.Cores[i].Col, t.Cores[j].Col))
		}
	}
	return table
}

func apart(a, b int64) int64 { return max(a, b) - min(a, b) }

// unlimited takes the limit from machine cores that hold all weights of all
// lanes, so that sums of capacities are not larger than need be.
func (b *builder) unlimited() {
	all := int64(0)
	for i := range b.problem.Ops {
		all = plus(all, times(b.need(i, 1), int64(b.problem.Ops[i].Lanes)))
	}
	for i := range b.problem.Machine {
		if c := &b.problem.Machine[i]; c.Capacity >= all {
			c.Capacity = schedule.Unknown
		}
	}
}

// readPlaces takes over the plan's placement.
func (b *builder) readPlaces() {
	p, a := b.plan, &b.plan.Assignment
	if len(b.problem.Machine) == 0 {
		return
	}
	n := b.problem.Cores
	b.problem.Places = make([]int, n)
	for i := range b.problem.Places {
		b.problem.Places[i] = schedule.Free
	}
	if a.Placement == nil || b.options.Free.Placement {
		return
	}
	if len(a.Placement) != n {
		b.reports.add(a.PlacementAt, "core-count-disagrees", fmt.Sprintf("the placement has %s, but there shall be %s",
			diag.Counted(len(a.Placement), "place"), diag.Counted(n, "logical core")),
			"write one physical core, or null, for each logical core, or give the placement up with --free placement")
		return
	}
	index := map[int64]int{}
	for i := range p.Target.Cores {
		index[p.Target.Cores[i].ID] = i
	}
	taken := map[int64]bool{}
	for core, id := range a.Placement {
		if id == ir.None {
			continue
		}
		at := a.PlacementAt
		if core < len(a.PlacementsAt) {
			at = a.PlacementsAt[core]
		}
		place, known := index[id]
		switch {
		case !known:
			b.reports.add(at, "placement-not-permutation", fmt.Sprintf("logical core %d should be on physical core %d, which the target does not have", core, id),
				"choose a core that the target lists")
		case taken[id]:
			b.reports.add(at, "placement-not-permutation", fmt.Sprintf("physical core %d is the place of logical core %d and of another one before it", id, core),
				"place each logical core on a physical core of its own")
		}
		taken[id] = true
		b.problem.Places[core] = place
	}
}

// readRanges takes over the ranges that the plan lists.
func (b *builder) readRanges() {
	open := schedule.Range{First: schedule.Free, Count: schedule.Free}
	b.problem.Ranges = make([]schedule.Range, b.problem.Stages)
	for s := range b.problem.Ranges {
		b.problem.Ranges[s] = open
	}
	if b.model.renew || b.options.Free.Core {
		return
	}
	cores := int64(b.problem.Cores)
	for i := range b.plan.Stages {
		s := &b.plan.Stages[i]
		switch {
		case s.First == ir.None:
		case s.First >= cores, s.Count > cores-s.First:
			b.reports.add(s.At, "stage-range-out-of-bounds", fmt.Sprintf("stage %d has %s from core %d on, but there shall be %s, counted from 0",
				s.Index, diag.Counted(s.Count, "core"), s.First, diag.Counted(cores, "logical core")),
				"correct the range, or give the ranges up with --free core")
		default:
			b.problem.Ranges[s.Index] = schedule.Range{First: int(s.First), Count: int(s.Count)}
		}
	}
}
