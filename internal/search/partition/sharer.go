package partition

// sharer measures how far stages are from a limit where sizes can be chosen or
// memory is short, for the annealer, and keeps the bytes of its stages.
type sharer struct {
	w     *net
	bytes []int64 // of each stage; nil without a limit
	heavy float64 // what lacks for bytes counts so much, 1 for as much as loads
	sizes []int64 // scratch
	noted []uint64
	mark  uint64
	whole []int // shared weights whose users move
}

func newSharer(w *net) *sharer {
	return &sharer{w: w, heavy: 1, sizes: make([]int64, w.k), noted: make([]uint64, len(w.cores.shared))}
}

// excess is the sum, over the stages, of the squares of what their cores lack, in
// cores and weighted: for their loads under a limit, and to hold what they use. It takes the
// sizes for which that is least, if what cores hold grows ever more slowly with
// their number. When it is 0, these sizes are right.
func (h *sharer) excess(loads []int64, limit int64) float64 {
	c := &h.w.cores
	used := int64(0)
	for s, load := range loads {
		n := c.hi[s]
		if limit > 0 {
			n = load / limit
		}
		if h.bytes != nil {
			n = max(n, c.toHold(h.bytes[s])-1)
		}
		h.sizes[s] = min(max(n, c.lo[s]), c.hi[s])
		used += h.sizes[s]
	}
	for used > c.total {
		at, least := -1, 0.0
		for s := range loads {
			if h.sizes[s] == c.lo[s] {
				continue
			}
			if more := h.lack(loads, limit, s, h.sizes[s]-1) - h.lack(loads, limit, s, h.sizes[s]); at < 0 || more < least {
				at, least = s, more
			}
		}
		h.sizes[at]-- // there is one: the least sizes are not too many
		used--
	}
	for used < c.total {
		at, most := -1, 0.0
		for s := range loads {
			if h.sizes[s] == c.hi[s] {
				continue
			}
			if less := h.lack(loads, limit, s, h.sizes[s]) - h.lack(loads, limit, s, h.sizes[s]+1); less > most {
				at, most = s, less
			}
		}
		if at < 0 {
			break // any will do
		}
		h.sizes[at]++
		used++
	}
	sum := 0.0
	for s := range loads {
		sum += h.lack(loads, limit, s, h.sizes[s])
	}
	return sum
}

// lack is the square of the cores that so many of a stage lack.
func (h *sharer) lack(loads []int64, limit int64, s int, cores int64) float64 {
	sum := 0.0
	if over := loads[s] - cores*limit; over > 0 {
		x := float64(over) / float64(limit+1)
		sum += float64(x * x)
	}
	if h.bytes == nil {
		return sum
	}
	c := &h.w.cores
	if over := h.bytes[s] - c.room[cores]; over > 0 {
		x := float64(over*c.steepCores) / float64(c.steepBytes+1)
		sum += float64(h.heavy * float64(x*x))
	}
	return sum
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
