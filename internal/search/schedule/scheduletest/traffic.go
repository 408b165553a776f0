package scheduletest

import (
	"slices"

	"plancheck/internal/search/schedule"
)

// hop is a value on one leg of its way: from the op, or the forward, that has
// it to all that take it from there.
type hop struct {
	bytes  int64
	lanes  int
	parts  int
	source []int // core of each share of the sender
	sinks  []int // cores of the takers, in no order, perhaps repeated
}

// hops lists the legs of every value. Readers take a value from the op that
// makes it where they are in its stage or the next one, and otherwise from the
// forward one stage before them; so do forwards. What comes from outside costs
// nothing until a forward has it.
func hops(p *schedule.Problem, s *schedule.Solution) []hop {
	var list []hop
	for v, value := range p.Values {
		at := made(p, s.Stage, v)
		if value.From != schedule.Outside {
			op := p.Ops[value.From]
			h := hop{value.Bytes, op.Lanes, op.Parts, s.Core[value.From], nil}
			for _, r := range p.Reads {
				if r.Value == v && s.Stage[r.To] <= at+1 {
					h.sinks = append(h.sinks, s.Core[r.To]...)
				}
			}
			h.sinks = append(h.sinks, forwardAt(s, v, at+1)...)
			list = append(list, h)
		}
		for _, f := range s.Forwards {
			if f.Value != v {
				continue
			}
			h := hop{value.Bytes, value.Forward, 1, f.Core, forwardAt(s, v, f.Stage+1)}
			for _, r := range p.Reads {
				if r.Value == v && s.Stage[r.To] == f.Stage+1 && f.Stage+1 > at+1 {
					h.sinks = append(h.sinks, s.Core[r.To]...)
				}
			}
			list = append(list, h)
		}
	}
	return list
}

// forwardAt has the cores of the value's forward in the stage; nil if there is none.
func forwardAt(s *schedule.Solution, value, stage int) []int {
	for _, f := range s.Forwards {
		if f.Value == value && f.Stage == stage {
			return f.Core
		}
	}
	return nil
}

// traffic is the sum of bytes times hops: each slice of a value, or part of
// one, goes to each other core that takes the value. It is unknown if a value
// that goes from an op to another has no size, and if something goes to another
// core and nobody knows how far that is.
func traffic(p *schedule.Problem, s *schedule.Solution) int64 {
	var sum int64
	for _, h := range hops(p, s) {
		if len(h.sinks) > 0 && h.bytes == schedule.Unknown {
			return schedule.Unknown
		}
		sinks := slices.Compact(slices.Sorted(slices.Values(h.sinks)))
		for i, from := range h.source {
			bytes := share(share(h.bytes, h.lanes, i/h.parts), h.parts, i%h.parts)
			for _, to := range sinks {
				switch {
				case to == from:
				case p.Hops == nil || s.Place == nil:
					return schedule.Unknown
				default:
					sum += bytes * p.Hops[s.Place[from]][s.Place[to]]
				}
			}
		}
	}
	return sum
}

// share is how much number i of n gets of a whole: the first ones get one more
// where it cannot be divided.
func share(whole int64, n, i int) int64 {
	if int64(i) < whole%int64(n) {
		return whole/int64(n) + 1
	}
	return whole / int64(n)
}
