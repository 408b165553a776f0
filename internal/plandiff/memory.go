package plandiff

import (
	"math"

	"plancheck/ir"
)

// slice is a part of a lane's slice of a weight on a logical core; the whole is
// part 0 of 1.
type slice struct {
	weight            ir.ID
	lane, part, parts int64
	core              int64
}

// peak is how many bytes of weights the fullest logical core has resident: what
// is listed, and what lanes there use; each slice once, and no part of a slice
// that is there as a whole. It is nil where no lane has a core, and where the sum
// is larger than any number.
func peak(p *ir.Plan) *int64 {
	here, placed := resident(p)
	if !placed {
		return nil
	}
	size := map[ir.ID]int64{}
	for _, w := range p.Graph.Weights {
		size[w.ID] = w.Size
	}
	used := map[int64]int64{}
	most := int64(0)
	for s := range here { // sums do not depend on the order
		if s.parts > 1 && here[slice{s.weight, s.lane, 0, 1, s.core}] {
			continue
		}
		bytes := size[s.weight] / s.parts
		if s.part < size[s.weight]%s.parts {
			bytes++
		}
		if used[s.core] > math.MaxInt64-bytes {
			return nil
		}
		used[s.core] += bytes
		most = max(most, used[s.core])
	}
	return &most
}

// resident are the slices on each core, and whether any lane has a core.
func resident(p *ir.Plan) (here map[slice]bool, placed bool) {
	here = map[slice]bool{}
	weights, parts := map[ir.ID][]ir.ID{}, map[ir.ID]int64{}
	for i := range p.Graph.Ops {
		weights[p.Graph.Ops[i].ID] = p.Graph.Ops[i].Weights
		parts[p.Graph.Ops[i].ID] = 1
	}
	for _, s := range p.Assignment.Splits {
		parts[s.Op] = s.Parts
	}
	for i := range p.Assignment.Instances {
		in := &p.Assignment.Instances[i]
		for j, core := range in.Cores {
			if core == ir.None {
				continue
			}
			placed = true
			for _, w := range weights[in.Op] {
				here[slice{w, at(in.Lanes, j), max(in.Part, 0), parts[in.Op], core}] = true
			}
		}
	}
	for i := range p.Assignment.Residency {
		r := &p.Assignment.Residency[i]
		for j, core := range r.Cores {
			here[slice{r.Weight, at(r.Lanes, j), max(r.Part, 0), max(r.Parts, 1), core}] = true
		}
	}
	return here, placed
}

// at is entry i of a list of lanes, which counts up where it is absent.
func at(lanes []int64, i int) int64 {
	if lanes == nil {
		return int64(i)
	}
	return lanes[i]
}
