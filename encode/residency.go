package encode

import (
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// slice is a part of a slice of a weight on a core; the whole is part 0 of 1.
type slice struct{ weight, lane, part, parts, core int }

// whole is the slice that a part belongs to.
func (s slice) whole() slice { return slice{s.weight, s.lane, 0, 1, s.core} }

// residency lists every slice that is used, on every core where it is, by
// weights and parts; and every part that is not there as a whole.
func (m *Model) residency(s *schedule.Solution) []ir.Resident {
	there := map[slice]bool{}
	var order []slice // in the order of ops
	m.eachSlice(s, func(at slice) {
		if !there[at] {
			there[at] = true
			order = append(order, at)
		}
	})
	type piece struct{ weight, part, parts int }
	entry := map[piece]int{}
	residents := []ir.Resident{}
	for _, at := range order {
		if at.parts > 1 && there[at.whole()] {
			continue
		}
		key := piece{at.weight, at.part, at.parts}
		i, known := entry[key]
		if !known {
			i = len(residents)
			entry[key] = i
			r := ir.Resident{Weight: m.plan.Graph.Weights[at.weight].ID, Part: ir.None, Parts: ir.None}
			if at.parts > 1 {
				r.Part, r.Parts = int64(at.part), int64(at.parts)
			}
			residents = append(residents, r)
		}
		residents[i].Lanes = append(residents[i].Lanes, int64(at.lane))
		residents[i].Cores = append(residents[i].Cores, int64(at.core))
	}
	return residents
}

// eachSlice calls use for each slice, or part of one, that a share of an op uses.
func (m *Model) eachSlice(s *schedule.Solution, use func(slice)) {
	for i := range m.Problem.Ops {
		o := &m.Problem.Ops[i]
		for share, core := range s.Core[i] {
			for _, w := range o.Weights {
				use(slice{w, share / o.Parts, share % o.Parts, o.Parts, core})
			}
		}
	}
}
