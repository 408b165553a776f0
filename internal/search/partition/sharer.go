package partition

// sharer measures how far stages are from a limit where sizes can be chosen or
// memory is short, for the annealer, and keeps the bytes of its stages.
type sharer struct {
	w     *net
	bytes []int64 // of each stage; nil without a limit
	sizes []int64 // scratch
	noted []uint64
	mark  uint64
	whole []int // shared weights whose users move
}

func newSharer(w *net) *sharer {
	return &sharer{w: w, sizes: make([]int64, w.k), noted: make([]uint64, len(w.cores.shared))}
}

// excess is the least sum, over all sizes, of the squared shares by which loads
// pass what their cores can take, and of what memory lacks. It is 0 just where
// there are sizes that are right for the limit.
func (h *sharer) excess(loads []int64, limit int64) float64 {
	c := &h.w.cores
	sum, used := 0.0, int64(0)
	lacking := 0.0
	for s, load := range loads {
		least := c.lo[s]
		if h.bytes != nil && h.bytes[s] > c.room[least] {
			least = min(c.toHold(h.bytes[s]), c.hi[s])
			if over := h.bytes[s] - c.room[least]; over > 0 {
				x := float64(over) / float64(c.room[least]+1)
				lacking += float64(x*x) + 1e-6
			}
		}
		used += least
		n := c.hi[s]
		if limit > 0 {
			n = min(n, load/limit)
		}
		h.sizes[s] = max(least, n)
		used += h.sizes[s] - least
	}
	// Cores too many are taken where that adds least, and those that are left
	// go where they help most: the sum is convex in every size.
	for used > c.total {
		at, least := -1, 0.0
		for s, load := range loads {
			if h.sizes[s] <= c.lo[s] || h.bytes != nil && c.room[h.sizes[s]-1] < h.bytes[s] {
				continue
			}
			more := over(load, h.sizes[s]-1, limit) - over(load, h.sizes[s], limit)
			if at < 0 || more < least {
				at, least = s, more
			}
		}
		if at < 0 {
			x := float64(used-c.total) / float64(c.total)
			lacking += x
			break
		}
		h.sizes[at]--
		used--
	}
	for used < c.total {
		at, most := -1, 0.0
		for s, load := range loads {
			if h.sizes[s] == c.hi[s] {
				continue
			}
			if less := over(load, h.sizes[s], limit) - over(load, h.sizes[s]+1, limit); less > most {
				at, most = s, less
			}
		}
		if at < 0 {
			break
		}
		h.sizes[at]++
		used++
	}
	for s, load := range loads {
		sum += over(load, h.sizes[s], limit)
	}
	return sum + lacking
}

// over is the squared share by which a load passes what so many cores can take.
func over(load, cores, limit int64) float64 {
	if load <= cores*limit {
		return 0
	}
	x := float64(load-cores*limit) / float64(limit+1)
	return float64(x * x)
}

// leave takes the bytes of ops that are about to move from their stages, and
// those of every user of weights that they share; enter puts them back.
func (h *sharer) leave(stages []int8, moved []shift) {
	if h.bytes == nil {
		return
	}
	h.mark++
	h.whole = h.whole[:0]
	for _, m := range moved {
		h.bytes[stages[m.op]] -= h.w.cores.own[m.op]
		for _, i := range h.w.cores.sharedOf[m.op] {
			if h.noted[i] != h.mark {
				h.noted[i] = h.mark
				h.whole = append(h.whole, i)
				h.w.cores.shared[i].add(stages, h.bytes, -1)
			}
		}
	}
}

func (h *sharer) enter(stages []int8, moved []shift) {
	if h.bytes == nil {
		return
	}
	for _, m := range moved {
		h.bytes[stages[m.op]] += h.w.cores.own[m.op]
	}
	for _, i := range h.whole {
		h.w.cores.shared[i].add(stages, h.bytes, 1)
	}
}
