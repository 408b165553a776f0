package packing

import (
	"cmp"
	"math"
	"slices"
)

// noLimit is the capacity of a core on which everything fits.
const noLimit = math.MaxInt64

// net is a problem made ready for the search.
type net struct {
	p        *Problem
	n, m     int // items, cores
	kinds    int
	cycles   []int64 // of item i on kind k at i*kinds+k
	kind     []int   // of each core
	capacity []int64 // of each core; noLimit
	pin      []int   // of each item
	free     []int   // the items that are not pinned
	own      []int64 // bytes of each item that no other item needs
	shared   [][]int // the other chunks of each item
	chunks   []chunk
	limited  bool    // some core has a capacity
	room     float64 // bytes of the largest core that has a capacity, at least 1
	// class of each core: cores of one class are alike, and nothing is pinned
	// to them; a core with pins is a class alone.
	class []int
}

// chunk is a slice that several items need, or one of a unit of which whole
// and parts are needed.
type chunk struct {
	bytes int64
	unit  int
	whole int   // the chunk of the whole unit, for a part; -1
	parts []int // the chunks of parts, for a whole unit
	users []int // items, ascending
}

// compile makes a problem ready. The error wraps ErrProblem.
func compile(p *Problem) (*net, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	w := &net{p: p, n: len(p.Items), m: len(p.Cores), kinds: p.kinds(), room: 1}
	w.cycles = make([]int64, w.n*w.kinds)
	w.pin, w.own, w.shared = make([]int, w.n), make([]int64, w.n), make([][]int, w.n)
	for i := range p.Items {
		for k := range w.kinds {
			w.cycles[i*w.kinds+k] = p.Items[i].cyclesOn(k)
		}
		w.pin[i] = p.Items[i].Pin
		if w.pin[i] == Free {
			w.free = append(w.free, i)
		}
	}
	for _, c := range p.Cores {
		w.kind = append(w.kind, c.Kind)
		if c.Capacity == Unlimited {
			w.capacity = append(w.capacity, noLimit)
		} else {
			w.capacity = append(w.capacity, c.Capacity)
			w.limited = true
			w.room = max(w.room, float64(c.Capacity))
		}
	}
	if w.limited {
		w.cut()
	}
	w.classify()
	return w, nil
}

// cut finds the chunks: it goes through all uses of slices, unit by unit, the
// whole one first.
func (w *net) cut() {
	type use struct {
		s    Slice
		item int
	}
	var uses []use
	for i, it := range w.p.Items {
		for _, s := range it.Slices {
			uses = append(uses, use{s, i})
		}
	}
	slices.SortFunc(uses, func(a, b use) int {
		return cmp.Or(a.s.Unit-b.s.Unit, a.s.Parts-b.s.Parts, a.s.Part-b.s.Part, a.item-b.item)
	})
	uses = slices.Compact(uses)
	for from := 0; from < len(uses); {
		unit, to := uses[from].s.Unit, from
		for to < len(uses) && uses[to].s.Unit == unit {
			to++
		}
		mixed := uses[from].s.Parts == 1 && uses[to-1].s.Parts > 1
		whole := -1
		for from < to {
			s, next := uses[from].s, from
			var users []int
			for next < to && uses[next].s == s {
				users = append(users, uses[next].item)
				next++
			}
			from = next
			bytes := PartBytes(w.p.Sizes[unit], s.Part, s.Parts)
			if len(users) == 1 && !mixed {
				w.own[users[0]] += bytes
				continue
			}
			c := len(w.chunks)
			w.chunks = append(w.chunks, chunk{bytes: bytes, unit: unit, whole: -1, users: users})
			if s.Parts == 1 {
				whole = c
			} else if whole >= 0 {
				w.chunks[c].whole = whole
				w.chunks[whole].parts = append(w.chunks[whole].parts, c)
			}
			for _, i := range users {
				w.shared[i] = append(w.shared[i], c)
			}
		}
	}
}

// classify finds which cores are alike.
func (w *net) classify() {
	pinned := make([]bool, w.m)
	for _, k := range w.pin {
		if k != Free {
			pinned[k] = true
		}
	}
	type look struct {
		kind     int
		capacity int64
	}
	seen := map[look]int{}
	w.class = make([]int, w.m)
	for k := range w.class {
		at := look{w.kind[k], w.capacity[k]}
		first, ok := seen[at]
		switch {
		case pinned[k]:
			w.class[k] = k
		case ok:
			w.class[k] = first
		default:
			seen[at], w.class[k] = k, k
		}
	}
}

// on returns the cycles of item i on core k.
func (w *net) on(i, k int) int64 { return w.cycles[i*w.kinds+w.kind[k]] }

// least returns the fewest cycles that item i has on any core it may have.
func (w *net) least(i int) int64 {
	if w.pin[i] != Free {
		return w.on(i, w.pin[i])
	}
	if w.kinds == 1 {
		return w.cycles[i]
	}
	alone := w.alone(i)
	least := int64(noLimit)
	for k := range w.m {
		if alone <= w.capacity[k] {
			least = min(least, w.on(i, k))
		}
	}
	return least
}

// alone returns the fewest bytes that a core with item i holds. Parts of a unit
// that are more than the unit may give way to it.
func (w *net) alone(i int) int64 {
	bytes := w.own[i]
	for from := 0; from < len(w.shared[i]); {
		unit, parts, whole := w.chunks[w.shared[i][from]].unit, int64(0), int64(noLimit)
		for ; from < len(w.shared[i]) && w.chunks[w.shared[i][from]].unit == unit; from++ {
			c := &w.chunks[w.shared[i][from]]
			if len(c.parts) > 0 {
				whole = c.bytes
				parts = maxSum
			} else if c.whole >= 0 {
				whole = w.chunks[c.whole].bytes
			}
			parts += c.bytes
		}
		bytes += min(parts, whole)
	}
	return bytes
}
