package packing

import (
	"cmp"
	"context"
	"slices"
)

// brancher goes through all packings that could be better than the best, depth
// first, one item a level, the largest first. Of equal cores that are empty it
// tries one, and equal items come to cores in the order of the cores: among
// packings that differ only by such exchanges, the first in the order of cores
// is always among those it looks at.
type brancher struct {
	w *net
	b *board
	s *state

	order []int // free items
	twin  []bool
	// rest is the cycles of the items from a level on, each at its fewest.
	rest []int64
	// At each level: the cores to try, and how many were.
	cores [][]int
	tried []int
	depth int
	used  []int // items on each core
}

func newBrancher(w *net, b *board) *brancher {
	r := &brancher{w: w, b: b, s: newState(w), used: make([]int, w.m), order: slices.Clone(w.free)}
	size := make([]float64, w.n)
	limit, room := float64(max(b.bound, 1)), w.room
	for i := range w.n {
		size[i] = float64(w.least(i)) / limit
		if w.limited {
			size[i] = max(size[i], float64(w.alone(i))/room)
		}
	}
	slices.SortStableFunc(r.order, func(i, j int) int {
		return cmp.Or(cmp.Compare(size[j], size[i]), w.compare(i, j))
	})
	r.rest = make([]int64, len(r.order)+1)
	r.twin = make([]bool, len(r.order))
	for d := len(r.order) - 1; d >= 0; d-- {
		r.rest[d] = r.rest[d+1] + w.least(r.order[d])
		r.twin[d] = d > 0 && w.compare(r.order[d-1], r.order[d]) == 0
	}
	r.cores, r.tried = make([][]int, len(r.order)), make([]int, len(r.order))
	for i, k := range w.pin {
		if k != Free {
			r.s.add(i, k)
			r.used[k]++
		}
	}
	return r
}

// compare orders items so that equal ones are side by side: 0 for those with the
// same cycles and the same need of weights.
func (w *net) compare(i, j int) int {
	return cmp.Or(
		slices.Compare(w.cycles[i*w.kinds:(i+1)*w.kinds], w.cycles[j*w.kinds:(j+1)*w.kinds]),
		cmp.Compare(w.own[i], w.own[j]),
		slices.Compare(w.shared[i], w.shared[j]))
}

// price: it ends, if ever, where items are few.
func (r *brancher) price() int64 {
	const few = 40
	if len(r.order) > few {
		return 15
	}
	return 1
}

// turn goes on with the search; when it is over, everything is known.
func (r *brancher) turn(ctx context.Context, steps int64) (int64, bool) {
	spent := int64(1)
	if len(r.order) == 0 && r.depth == 0 {
		r.b.lower("branch and bound", r.s)
		r.over()
		return spent, false
	}
	for ; spent < steps; spent++ {
		if spent%1024 == 0 && ctx.Err() != nil {
			return spent, true
		}
		if r.b.closed() {
			return spent, true
		}
		if r.tried[r.depth] == 0 {
			spent += r.choose() / 4
		} else {
			r.leave()
		}
		if !r.enter() {
			r.tried[r.depth] = 0
			if r.depth == 0 {
				r.over()
				return spent, false
			}
			r.depth--
			continue
		}
		if r.depth == len(r.order)-1 {
			r.b.lower("branch and bound", r.s)
			continue
		}
		if r.fits() {
			r.depth++
			r.tried[r.depth] = 0
		}
	}
	return spent, true
}

// over notes that all packings were looked at.
func (r *brancher) over() {
	if below := r.b.below(); below == noValue {
		r.b.refute("branch and bound", nil)
	} else {
		r.b.raise("branch and bound", below)
	}
}

// choose lists the cores to try for the item of this level, the least loaded
// first, and returns how many there were to look at.
func (r *brancher) choose() int64 {
	d, w := r.depth, r.w
	i := r.order[d]
	list := r.cores[d][:0]
	from := 0
	if r.twin[d] {
		from = r.s.core[r.order[d-1]]
	}
	for k := from; k < w.m; k++ {
		if r.used[k] == 0 && r.emptyBefore(k) {
			continue
		}
		if r.s.load[k]+w.on(i, k) < r.b.below() {
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(x, y int) int {
		return cmp.Compare(r.s.load[x]+w.on(i, x), r.s.load[y]+w.on(i, y))
	})
	r.cores[d] = list
	return int64(w.m - from)
}

// emptyBefore says whether a core like k, before it, is empty too.
func (r *brancher) emptyBefore(k int) bool {
	for j := r.w.class[k]; j < k; j++ {
		if r.w.class[j] == r.w.class[k] && r.used[j] == 0 {
			return true
		}
	}
	return false
}

// leave takes the item of this level off its core.
func (r *brancher) leave() {
	i := r.order[r.depth]
	if k := r.s.core[i]; k != Free {
		r.used[k]--
		r.s.remove(i)
	}
}

// enter puts the item of this level on the next core where it can be.
func (r *brancher) enter() bool {
	i := r.order[r.depth]
	for r.tried[r.depth] < len(r.cores[r.depth]) {
		k := r.cores[r.depth][r.tried[r.depth]]
		r.tried[r.depth]++
		if r.s.load[k]+r.w.on(i, k) >= r.b.below() {
			continue
		}
		r.s.add(i, k)
		r.used[k]++
		if r.s.bytes[k] <= r.w.capacity[k] || r.s.bytes[k]-r.w.saved(r.s, k) <= r.w.capacity[k] {
			return true
		}
		r.leave()
	}
	return false
}

// fits says whether the cycles of the items to come have room below the best.
func (r *brancher) fits() bool {
	below := r.b.below()
	if below == noValue {
		return true
	}
	room, rest := int64(0), r.rest[r.depth+1]
	for _, l := range r.s.load {
		if l >= below {
			return false
		}
		if room += below - 1 - l; room >= rest {
			return true
		}
	}
	return room >= rest
}
