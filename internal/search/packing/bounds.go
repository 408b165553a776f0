package packing

import (
	"cmp"
	"math"
	"slices"
)

// bounds raises the bound as far as sums and counting do, and notes when nothing
// is legal. It returns the fewest cycles of each item, in descending order.
func bounds(b *board) []int64 {
	w := b.w
	if why := w.tooMuch(); why != nil {
		b.refute("bytes", why)
		return nil
	}
	b.raise("no load is less", 0)
	least := make([]int64, w.n)
	for i := range least {
		least[i] = w.least(i)
	}
	b.raise("area", w.area(least))
	b.raise("pins", w.pinned())
	crowd(b, least)
	slices.SortFunc(least, func(a, b int64) int { return cmp.Compare(b, a) })
	if w.n > 0 {
		b.raise("largest share", least[0])
	}
	b.raise("counting", count(least, w.m))
	return least
}

// tooMuch returns why the weights cannot fit, if plain sums show it.
func (w *net) tooMuch() *Reason {
	if !w.limited {
		return nil
	}
	largest := slices.Max(w.capacity)
	pinned := newState(w)
	for i := range w.n {
		if w.pin[i] != Free {
			pinned.add(i, w.pin[i])
			continue
		}
		if alone := w.alone(i); alone > largest {
			return &Reason{Item: i, Core: -1, Bytes: alone, Capacity: largest}
		}
	}
	for k, c := range w.capacity {
		// Parts of an item may be replaced by a whole unit that another brings,
		// so that fewer bytes are needed with more items; none is too many.
		if need := pinned.bytes[k] - w.saved(pinned, k); need > c {
			return &Reason{Item: -1, Core: k, Bytes: need, Capacity: c}
		}
	}
	room := int64(0)
	for _, c := range w.capacity {
		if c > maxSum-room {
			return nil // all bytes are at most that
		}
		room += c
	}
	if need := w.once(); need > room {
		return &Reason{Item: -1, Core: -1, Bytes: need, Capacity: room}
	}
	return nil
}

// saved returns by how many bytes core k may shrink, at most, when more items
// come: parts of a unit that are there take more than the unit.
func (w *net) saved(s *state, k int) int64 {
	saved := int64(0)
	for c := range w.chunks {
		if len(w.chunks[c].parts) > 0 && s.users(c, k) == 0 {
			saved += max(0, -s.weigh(c, k))
		}
	}
	return saved
}

// once returns the bytes of all that is needed, each slice once.
func (w *net) once() int64 {
	bytes := int64(0)
	for _, own := range w.own {
		bytes += own
	}
	for _, c := range w.chunks {
		if c.whole < 0 {
			bytes += c.bytes
		}
	}
	return bytes
}

// area shares all cycles evenly among the cores. With kinds of cores it weighs a
// cycle on each kind, and gives every item to the kind where it weighs least: for
// any weights, all items weigh at most what a load of the value does on all cores.
func (w *net) area(least []int64) int64 {
	total := int64(0)
	for _, c := range least {
		total += c
	}
	bound := ceil(total, int64(w.m))
	if w.kinds == 1 {
		return bound
	}
	const most = 1 << 10
	cores := make([]int64, w.kinds)
	for _, k := range w.kind {
		cores[k]++
	}
	weigh := func(weight []int64) int64 {
		items, all := int64(0), int64(0)
		for i := range w.n {
			lightest := int64(math.MaxInt64)
			if k := w.pin[i]; k != Free {
				lightest = w.on(i, k) * weight[w.kind[k]]
			} else {
				for kind, count := range cores {
					if count > 0 {
						lightest = min(lightest, w.cycles[i*w.kinds+kind]*weight[kind])
					}
				}
			}
			items += lightest
		}
		for kind, count := range cores {
			all += count * weight[kind]
		}
		return ceil(items, all)
	}
	if sum := w.mostCycles(); sum > math.MaxInt64/(2*most) {
		return bound // weighing would overflow
	}
	weight := make([]int64, w.kinds)
	for kind := range weight {
		weight[kind] = most / 2
	}
	// One weight after the other is moved by ever smaller steps.
	for step := int64(most / 4); step > 0; {
		better := false
		for kind := range weight {
			for _, to := range []int64{weight[kind] - step, weight[kind] + step} {
				was := weight[kind]
				if to < 1 || to > most {
					continue
				}
				weight[kind] = to
				if now := weigh(weight); now > bound {
					bound, better = now, true
				} else {
					weight[kind] = was
				}
			}
		}
		if !better {
			step /= 2
		}
	}
	return bound
}

// mostCycles returns the cycles of all items, each on the kind where it has most.
func (w *net) mostCycles() int64 {
	sum := int64(0)
	for i := range w.n {
		sum += slices.Max(w.cycles[i*w.kinds : (i+1)*w.kinds])
	}
	return sum
}

// pinned returns the largest load of the pinned items alone.
func (w *net) pinned() int64 {
	load := make([]int64, w.m)
	for i, k := range w.pin {
		if k != Free {
			load[k] += w.on(i, k)
		}
	}
	return slices.Max(load)
}

// count argues with pigeonholes: of the q*m+1 largest items, q+1 are on one core.
// The cycles are in descending order.
func count(cycles []int64, m int) int64 {
	bound := int64(0)
	for q := 1; q*m < len(cycles); q++ {
		sum := int64(0)
		for j := q*m - q; j <= q*m; j++ {
			sum += cycles[j]
		}
		bound = max(bound, sum)
		if q > 64 { // the area says as much
			break
		}
	}
	return bound
}

func ceil(a, b int64) int64 { return (a + b - 1) / b }
