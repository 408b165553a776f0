package schedule

import "slices"

// constraints lists what a conflict can be told by, in the order in which it is
// left out: what is decided of the machine before what the graph wants, and last
// the stages of ops.
func (p *Problem) constraints() []Constraint {
	var list []Constraint
	for c, place := range p.Places {
		if place != Free {
			list = append(list, Constraint{Kind: Placed, Of: c})
		}
	}
	list = append(list, p.ranges()...)
	for o := range p.Ops {
		for share, core := range p.Ops[o].Pins {
			if core != Free {
				list = append(list, Constraint{Kind: CorePinned, Of: o, Share: share})
			}
		}
	}
	seen := map[Core]bool{}
	for i, m := range p.Machine {
		if m.Capacity != Unknown && !seen[m] {
			seen[m] = true
			list = append(list, Constraint{Kind: Capacity, Of: i})
		}
	}
	if p.NonEmpty {
		list = append(list, Constraint{Kind: Filled, Of: Free})
	}
	for i := range p.Reads {
		list = append(list, Constraint{Kind: Reading, Of: i})
	}
	for o := range p.Ops {
		if p.Ops[o].Lo > 0 || p.Ops[o].Hi < p.Stages-1 {
			list = append(list, Constraint{Kind: StagePinned, Of: o})
		}
	}
	return list
}

// ranges are the constraints of the ranges that are decided.
func (p *Problem) ranges() []Constraint {
	var list []Constraint
	for s, r := range p.Ranges {
		if r.First != Free || r.Count != Free {
			list = append(list, Constraint{Kind: RangeGiven, Of: s})
		}
	}
	return list
}

// Without returns the problem without some constraints, of the kinds that Why
// tells. Without Reading the read is gone, and reads have other numbers; without
// Capacity machine cores of the class hold anything; without Filled every stage
// may be empty.
func (p *Problem) Without(drop ...Constraint) *Problem {
	q := *p
	q.Ops, q.Ranges = slices.Clone(p.Ops), slices.Clone(p.Ranges)
	q.Machine, q.Places = slices.Clone(p.Machine), slices.Clone(p.Places)
	gone := make([]bool, len(p.Reads))
	cloned := make([]bool, len(p.Ops))
	for _, c := range drop {
		switch c.Kind {
		case Reading:
			gone[c.Of] = true
		case StagePinned:
			q.Ops[c.Of].Lo, q.Ops[c.Of].Hi = 0, p.Stages-1
		case CorePinned:
			if o := &q.Ops[c.Of]; !cloned[c.Of] {
				cloned[c.Of] = true
				o.Pins = slices.Clone(o.Pins)
			}
			q.Ops[c.Of].Pins[c.Share] = Free
		case RangeGiven:
			q.Ranges[c.Of] = Range{First: Free, Count: Free}
		case Placed:
			q.Places[c.Of] = Free
		case Capacity:
			for i := range q.Machine {
				if p.Machine[i] == p.Machine[c.Of] {
					q.Machine[i].Capacity = Unknown
				}
			}
		case Filled:
			q.NonEmpty = false
		}
	}
	q.Reads = nil
	for i, r := range p.Reads {
		if !gone[i] {
			q.Reads = append(q.Reads, r)
		}
	}
	return &q
}

// far returns the problem with a read that may be longer than a stage, behind
// forwards of this price.
func (p *Problem) far(read int, price Price) *Problem {
	q := *p
	q.Values, q.Reads = slices.Clone(p.Values), slices.Clone(p.Reads)
	v := p.Values[p.Reads[read].Value]
	v.Forward, v.Cycles = price.Lanes, price.Cycles
	q.Reads[read].Value = len(q.Values)
	q.Values = append(q.Values, v)
	return &q
}
