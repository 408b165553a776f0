package packing

import (
	"cmp"
	"slices"
)

// greedy puts the largest items first, each where the load and the weights are
// least afterwards, in shares of what they may be. What is large depends on how
// much a share of the room weighs beside a share of the time; several weighings
// are tried.
func greedy(b *board) {
	s := newState(b.w)
	weighs := []float64{0}
	if b.w.limited {
		weighs = []float64{0, 0.3, 1, 3}
	}
	for _, weigh := range weighs {
		if b.closed() {
			return
		}
		construct(s, max(b.bound, 1), weigh)
		b.lower("greedy", s)
	}
}

// construct fills the state anew. Items that find no core with room go to the
// one that they overfill least.
func construct(s *state, limit int64, weigh float64) {
	w := s.w
	nowhere := make([]int, w.n)
	for i := range nowhere {
		nowhere[i] = w.pin[i]
	}
	s.reset(nowhere)
	size := make([]float64, w.n)
	for _, i := range w.free {
		size[i] = float64(w.cycles[i*w.kinds]) / float64(limit)
		if weigh > 0 {
			size[i] += float64(weigh * float64(w.alone(i)) / w.room)
		}
	}
	order := slices.Clone(w.free)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(size[j], size[i]) })
	for _, i := range order {
		best, bestOver, bestCost := -1, int64(0), 0.0
		for k := range w.m {
			over, cost := int64(0), float64(s.load[k]+w.on(i, k))/float64(limit)
			if w.limited {
				grown := s.needs(i, k)
				over = max(0, s.bytes[k]+grown-w.capacity[k])
				if weigh > 0 {
					// What is there already draws an item, as does room.
					cost += float64(weigh * float64(s.bytes[k]+2*grown) / w.room)
				}
			}
			if best < 0 || over < bestOver || over == bestOver && cost < bestCost {
				best, bestOver, bestCost = k, over, cost
			}
		}
		s.add(i, best)
	}
}
