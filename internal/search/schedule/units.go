package schedule

import "plancheck/internal/search/packing"

// units numbers the slices of weights: one for each weight and lane.
type units struct {
	p     *Problem
	at    map[[2]int]int // weight, lane
	sizes []int64
}

func newUnits(p *Problem) *units {
	u := &units{p: p, at: map[[2]int]int{}}
	for o := range p.Ops {
		for _, w := range p.Ops[o].Weights {
			for lane := range p.Ops[o].Lanes {
				if _, known := u.at[[2]int{w, lane}]; !known {
					u.at[[2]int{w, lane}] = len(u.sizes)
					u.sizes = append(u.sizes, p.Slices[w])
				}
			}
		}
	}
	return u
}

// of are the slices, or parts of slices, that a share of an op keeps resident.
func (u *units) of(op, share int) []packing.Slice {
	o := &u.p.Ops[op]
	if len(o.Weights) == 0 {
		return nil
	}
	var list []packing.Slice
	for _, w := range o.Weights {
		list = append(list, packing.Slice{Unit: u.at[[2]int{w, share / o.Parts}], Part: share % o.Parts, Parts: o.Parts})
	}
	return list
}

// bytes is what slices need on one core: each once, and none that is a part of
// a slice that is there as a whole.
func (u *units) bytes(list []packing.Slice) int64 {
	there := map[packing.Slice]bool{}
	for _, s := range list {
		there[s] = true
	}
	sum := int64(0)
	for s := range there { // sums do not depend on the order
		if s.Parts == 1 || !there[packing.Slice{Unit: s.Unit, Part: 0, Parts: 1}] {
			sum += packing.PartBytes(u.sizes[s.Unit], s.Part, s.Parts)
		}
	}
	return sum
}
