package schedule

import (
	"cmp"
	"math"
	"slices"
)

// endless is the room of a core without a limit.
const endless = math.MaxInt64

// rooms tells how much cores hold, as far as constraints ask for it.
type rooms struct {
	p       *Problem
	cl      *classes
	order   []int        // machine cores, the largest first
	limited []bool       // of each class, whether its limit is asked for
	placed  []bool       // of each logical core, whether its place is
	limits  []Constraint // of each class
}

func newRooms(p *Problem, cl *classes) *rooms {
	r := &rooms{p: p, cl: cl, limited: make([]bool, len(cl.cores)), placed: make([]bool, p.Cores), limits: make([]Constraint, len(cl.cores))}
	for i := range p.Machine {
		r.order = append(r.order, i)
		if c := cl.of[i]; r.limits[c].Kind != Capacity {
			r.limits[c] = Constraint{Kind: Capacity, Of: i}
		}
	}
	return r
}

// ask tells which constraints hold.
func (r *rooms) ask(asked []Constraint) {
	clear(r.limited)
	clear(r.placed)
	for _, c := range asked {
		switch c.Kind {
		case Capacity:
			r.limited[r.cl.of[c.Of]] = true
		case Placed:
			r.placed[c.Of] = true
		}
	}
	slices.SortStableFunc(r.order, func(a, b int) int { return cmp.Compare(r.holds(b), r.holds(a)) })
}

// any says whether anything limits what cores hold.
func (r *rooms) any() bool { return slices.Contains(r.limited, true) }

// holds is what a machine core holds.
func (r *rooms) holds(machine int) int64 {
	if c := r.cl.of[machine]; r.limited[c] {
		return r.cl.cores[c].Capacity
	}
	return endless
}

// room is what logical cores first to end-1 hold together at most, and what the
// largest of them holds: those with a place what it holds, the others as much as
// the largest machine cores that are left.
func (r *rooms) room(first, end int) (all, each int64) {
	taken := map[int]bool{}
	open := 0
	add := func(holds int64) {
		if all > endless-holds {
			all = endless
		} else {
			all += holds
		}
		each = max(each, holds)
	}
	for c := first; c < end; c++ {
		if r.placed[c] {
			taken[r.p.Places[c]] = true
			add(r.holds(r.p.Places[c]))
		} else {
			open++
		}
	}
	for _, machine := range r.order {
		if open == 0 {
			break
		}
		if !taken[machine] {
			open--
			add(r.holds(machine))
		}
	}
	return all, each
}

// reasons are the constraints on which the room of logical cores rests.
func (r *rooms) reasons(first, end int) []Constraint {
	var list []Constraint
	inside := make([]int, len(r.cl.cores)) // placed there, of each class
	open := false
	for c := first; c < end; c++ {
		if !r.placed[c] {
			open = true
			continue
		}
		list = append(list, Constraint{Kind: Placed, Of: c})
		inside[r.cl.of[r.p.Places[c]]]++
	}
	for class, on := range r.limited {
		if on && (inside[class] > 0 || open && inside[class] < r.cl.size[class]) {
			list = append(list, r.limits[class])
		}
	}
	return list
}

// alike says whether nothing in a range has a place that counts.
func (r *rooms) alike() bool { return !slices.Contains(r.placed, true) }
