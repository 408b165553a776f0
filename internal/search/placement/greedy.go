package placement

import "context"

// greedy makes a placement from the matching, which is perfect: the logical
// core with the most flow to those that are placed goes next, to where that
// costs least of all places that leave one for every other core.
func (w *net) greedy(m *matching) []int {
	placed := make([]bool, w.n)
	near := make([]int64, w.n) // flow to placed cores
	all := make([]int64, w.n)  // flow to any core
	options := make([]int, w.n)
	for i, arcs := range w.arcs {
		for _, a := range arcs {
			all[i] += a.out + a.in
		}
		for k := range w.n {
			if w.allows(i, k) {
				options[i]++
			}
		}
	}
	// The matching may move only what is not placed.
	m.allows = func(i, k int) bool { return w.allows(i, k) && !placed[i] && (m.on[k] == Free || !placed[m.on[k]]) }
	for range w.n {
		next := Free
		better := func(i, j int) bool {
			if one := options[i] == 1; one != (options[j] == 1) {
				return one
			}
			if near[i] != near[j] {
				return near[i] > near[j]
			}
			return all[i] > all[j]
		}
		for i := range w.n {
			if !placed[i] && (next == Free || better(i, next)) {
				next = i
			}
		}
		w.settle(m, placed, next)
		placed[next] = true
		for _, a := range w.arcs[next] {
			near[a.to] += a.out + a.in
		}
	}
	return m.place
}

// settle moves core i to the best place that the matching can make room at.
func (w *net) settle(m *matching, placed []bool, i int) {
	tried := make([]bool, w.n)
	for {
		// Of places that cost the same, the one nearest to all others.
		best, least := Free, int64(0)
		for k := range w.n {
			if tried[k] || !m.allows(i, k) {
				continue
			}
			cost := w.cost(m.place, placed, i, k)
			if best == Free || cost < least || cost == least && w.remote[k] < w.remote[best] {
				best, least = k, cost
			}
		}
		// Its own place is among them, so one is found.
		old := m.place[i]
		if best == old {
			return
		}
		other := m.on[best]
		m.on[old], m.on[best], m.place[i], m.place[other] = Free, i, best, Free
		placed[i] = true
		if m.augment(other) {
			return
		}
		placed[i] = false
		m.on[old], m.on[best], m.place[i], m.place[other] = i, other, old, best
		tried[best] = true
	}
}

// cost is what core i on machine core k adds to the traffic of the placed cores.
func (w *net) cost(place []int, placed []bool, i, k int) int64 {
	sum := w.self[i] * w.hops[k*w.n+k]
	for _, a := range w.arcs[i] {
		if placed[a.to] {
			at := place[a.to]
			sum += a.out*w.hops[k*w.n+at] + a.in*w.hops[at*w.n+k]
		}
	}
	return sum
}

// descend lets cores change places, each with the one with which that gains
// most, until no two gain or ctx ends.
func (w *net) descend(ctx context.Context, place []int) {
	for gained := true; gained; {
		gained = false
		for i := range w.n {
			if ctx.Err() != nil {
				return
			}
			other, least := Free, int64(0)
			for j := range w.n {
				if j == i || !w.allows(i, place[j]) || !w.allows(j, place[i]) {
					continue
				}
				if d := w.change(place, i, j); d < least {
					other, least = j, d
				}
			}
			if other != Free {
				place[i], place[other] = place[other], place[i]
				gained = true
			}
		}
	}
}
