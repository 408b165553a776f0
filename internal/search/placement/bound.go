package placement

import (
	"cmp"
	"slices"
)

// bounder bounds what can come of a partial placement, after Gilmore and Lawler.
//
// A core i that is put on k has its flows to other free cores go at least over
// the least product: its greatest flows over the shortest ways from k. These
// products and what i pays to the placed cores make an assignment problem, and
// its least sum is a bound.
//
// A flow can be counted at either end. Where hops are the same both ways it is
// best counted half at each, because a core's flows in and out then share the
// places around it. So all is reckoned twice: hops are split into those that
// are the same both ways, the lesser of two, and the rest; over the former goes
// all flow of a core, and over the latter what it sends, twice.
type bounder struct {
	w *net
	// barred says of a class of logical cores and a machine core, at
	// class*n+k, that no core that is still free goes there.
	barred []bool

	both, sent [][]weight // flow of each core, in and out or out, greatest first
	near, rest [][]weight // hops from each machine core, even part or rest, least first

	assign assigner
	rows   []int // free logical cores
	cols   []int // free machine cores
	cost   []int64
	// What is left of both, sent, near and rest among free cores.
	flow, flowSent []int64
	hops, hopsRest [][]int64
}

// weight is an amount and the core at its other end.
type weight struct {
	to     int
	amount int64
}

func newBounder(w *net) *bounder {
	b := &bounder{w: w, barred: make([]bool, w.classes*w.n)}
	descending := func(x, y weight) int { return cmp.Or(cmp.Compare(y.amount, x.amount), x.to-y.to) }
	ascending := func(x, y weight) int { return cmp.Or(cmp.Compare(x.amount, y.amount), x.to-y.to) }
	for _, arcs := range w.arcs {
		var both, sent []weight
		for _, a := range arcs {
			both = append(both, weight{a.to, a.in + a.out})
			if a.out > 0 {
				sent = append(sent, weight{a.to, a.out})
			}
		}
		slices.SortFunc(both, descending)
		slices.SortFunc(sent, descending)
		b.both, b.sent = append(b.both, both), append(b.sent, sent)
	}
	for k := range w.n {
		var near, rest []weight
		for l := range w.n {
			if l == k {
				continue
			}
			there, back := w.hops[k*w.n+l], w.hops[l*w.n+k]
			near = append(near, weight{l, min(there, back)})
			rest = append(rest, weight{l, there - min(there, back)})
		}
		slices.SortFunc(near, ascending)
		slices.SortFunc(rest, ascending)
		b.near, b.rest = append(b.near, near), append(b.rest, rest)
	}
	b.hops, b.hopsRest = make([][]int64, w.n), make([][]int64, w.n)
	return b
}

// bound returns twice a bound on the traffic of all legal placements that put
// each core where place has it, and the rest (Free) anywhere on machine cores on
// which on has nobody and which are not barred; ok is false when there is none.
// After it, b.rows and b.cols are the free cores, and b.assign has the placement
// that gives the bound and the reduced costs, all times two.
func (b *bounder) bound(place, on []int) (twice int64, ok bool) {
	w := b.w
	b.rows, b.cols = b.rows[:0], b.cols[:0]
	for i, k := range place {
		if k == Free {
			b.rows = append(b.rows, i)
		}
		if on[i] == Free {
			b.cols = append(b.cols, i)
		}
	}
	most := 0
	for _, i := range b.rows {
		most = max(most, len(b.both[i]))
	}
	for _, k := range b.cols {
		b.hops[k] = left(b.hops[k][:0], b.near[k], on, most)
		if !w.even {
			b.hopsRest[k] = left(b.hopsRest[k][:0], b.rest[k], on, most)
		}
	}
	n := len(b.rows)
	b.cost = resize(b.cost, n*n)
	for r, i := range b.rows {
		b.flow = left(b.flow[:0], b.both[i], place, w.n)
		if !w.even {
			b.flowSent = left(b.flowSent[:0], b.sent[i], place, w.n)
		}
		for c, k := range b.cols {
			if !w.allows(i, k) || b.barred[w.class[i]*w.n+k] {
				b.cost[r*n+c] = forbidden
				continue
			}
			sum := w.self[i] * w.hops[k*w.n+k]
			for _, a := range w.arcs[i] {
				if at := place[a.to]; at != Free {
					sum += a.out*w.hops[k*w.n+at] + a.in*w.hops[at*w.n+k]
				}
			}
			sum = 2*sum + product(b.flow, b.hops[k])
			if !w.even {
				sum += 2 * product(b.flowSent, b.hopsRest[k])
			}
			b.cost[r*n+c] = sum
		}
	}
	twice, ok = b.assign.solve(n, b.cost)
	return twice + 2*b.fixed(place), ok
}

// fixed is the traffic among placed cores.
func (b *bounder) fixed(place []int) int64 {
	w, sum := b.w, int64(0)
	for i, k := range place {
		if k == Free {
			continue
		}
		sum += w.self[i] * w.hops[k*w.n+k]
		for _, a := range w.arcs[i] {
			if at := place[a.to]; at != Free {
				sum += a.out * w.hops[k*w.n+at]
			}
		}
	}
	return sum
}

// left appends the first amounts, no more than most, of those whose other end is
// Free in taken.
func left(amounts []int64, of []weight, taken []int, most int) []int64 {
	for _, x := range of {
		if len(amounts) == most {
			break
		}
		if taken[x.to] == Free {
			amounts = append(amounts, x.amount)
		}
	}
	return amounts
}

// product is the least sum of products of flows, greatest first, with a hop each.
func product(flow, hops []int64) int64 {
	sum := int64(0)
	for i, f := range flow {
		sum += f * hops[i]
	}
	return sum
}
