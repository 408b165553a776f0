package partition

import (
	"context"
	"encoding/binary"
)

// ideals is a dynamic programme over sets of ops that hold all that is ahead of
// their members: the ops of stages 0 to s make one. Under a limit it finds, for
// every such set and number of stages, the fewest cores that do. It is exact and
// asks for nothing but that there are few sets, as in graphs that are nearly
// chains, where sizes can be chosen and the stages are many.
type ideals struct {
	w     *net
	b     *board
	begun bool
	first int // the set before stage 0: what is outside
	last  int // all ops
	sets  []bitset
	pairs []step
	least [][]int64 // after so many stages, of every set: cores, tooMany if it cannot be
	from  [][]int32 // the set before the last of these stages
}

// step is a stage: the set before it and the one after, what it costs, and which
// stages its ops may have.
type step struct {
	from, to int32
	lo, hi   int8
	load     int64
	cores    int64 // to hold what it uses
}

// mostIdeals is how many sets there may be. Pairs of them are at most half a
// million.
const mostIdeals = 1_000

func newIdeals(w *net, b *board) *ideals { return &ideals{w: w, b: b} }

func (d *ideals) name() string { return "ideals" }

func (d *ideals) turn(ctx context.Context, steps int64) (int64, bool) {
	spent := int64(1)
	if !d.begun {
		d.begun = true
		spent += int64(d.w.n)
		if !d.list() || !d.join(ctx) {
			return spent, false
		}
	}
	for spent < steps && ctx.Err() == nil && !d.b.closed() {
		bound, value := d.b.limits()
		limit := bound + (min(value, d.w.ceiling()+1)-1-bound)/2
		if value == noValue {
			limit = max(bound, d.w.ceiling())
		}
		if stages := d.under(ctx, limit); stages != nil {
			d.b.lower(d.name(), stages)
		} else if ctx.Err() == nil {
			d.b.refuteUnder(d.name(), limit, false)
		}
		spent += int64(len(d.pairs)*d.w.k)/50 + 1
	}
	return spent, !d.b.closed()
}

// list finds the sets, smaller ones first, and says whether they are few.
func (d *ideals) list() bool {
	w := d.w
	at := map[string]int{}
	add := func(set bitset) int {
		key := make([]byte, 0, 8*len(set))
		for _, x := range set {
			key = binary.LittleEndian.AppendUint64(key, x)
		}
		i, known := at[string(key)]
		if !known {
			i = len(d.sets)
			at[string(key)] = i
			d.sets = append(d.sets, set)
		}
		return i
	}
	outside := newBitset(w.n)
	for v, hi := range w.hi {
		if hi < 0 {
			outside.add(v)
		}
	}
	d.first = add(outside)
	for i := 0; i < len(d.sets); i++ {
		for v := range w.n {
			if d.sets[i].has(v) || !ahead(w, d.sets[i], v) {
				continue
			}
			more := append(bitset(nil), d.sets[i]...)
			more.add(v)
			d.last = add(more)
			if len(d.sets) > mostIdeals {
				return false
			}
		}
	}
	d.last = len(d.sets) - 1
	return true
}

// ahead says whether a set has all that v uses.
func ahead(w *net, set bitset, v int) bool {
	for _, a := range w.in[v] {
		if !set.has(a.to) {
			return false
		}
	}
	return true
}

// join finds the steps between sets. It returns false when ctx ended.
func (d *ideals) join(ctx context.Context) bool {
	w := d.w
	uses := make([]bitset, len(w.vals))
	for i := range w.vals {
		uses[i] = newBitset(w.n)
		for _, v := range w.vals[i].to {
			uses[i].add(v)
		}
	}
	work := make([]int64, len(d.sets))
	for i, set := range d.sets {
		work[i] = w.weights.of(set)
	}
	ops := newBitset(w.n)
	for i, before := range d.sets {
		if ctx.Err() != nil {
			return false
		}
		// What must be there after the stage, and what may be carried through it.
		must := append(bitset(nil), before...)
		for v := range w.n {
			for _, a := range w.out[v] {
				if a.tight && before.has(v) {
					must.add(a.to)
				}
			}
		}
		for j := i; j < len(d.sets); j++ {
			after := d.sets[j]
			if !after.contains(must) || i == j && w.p.NonEmpty {
				continue
			}
			s := step{from: int32(i), to: int32(j), hi: int8(w.k - 1), load: work[j] - work[i]}
			for x := range ops {
				ops[x] = after[x] &^ before[x]
			}
			ops.each(func(v int) { s.lo, s.hi = max(s.lo, w.lo[v]), min(s.hi, w.hi[v]) })
			if s.lo > s.hi {
				continue
			}
			for x := range w.vals {
				if before.has(w.vals[x].op) && !after.contains(uses[x]) {
					s.load += w.vals[x].cost
				}
			}
			if w.cores.room != nil {
				s.cores = w.cores.toHold(w.cores.ofSet(ops))
			}
			d.pairs = append(d.pairs, s)
		}
	}
	for range w.k + 1 {
		d.least = append(d.least, make([]int64, len(d.sets)))
		d.from = append(d.from, make([]int32, len(d.sets)))
	}
	return true
}

// under returns stages within a limit, nil when there are none or ctx ended.
func (d *ideals) under(ctx context.Context, limit int64) []int8 {
	w := d.w
	c := &w.cores
	for i := range d.least[0] {
		d.least[0][i] = tooMany
	}
	d.least[0][d.first] = 0
	for k := range w.k {
		if ctx.Err() != nil {
			return nil
		}
		now, next := d.least[k], d.least[k+1]
		for i := range next {
			next[i] = tooMany
		}
		for i := range d.pairs {
			s := &d.pairs[i]
			if now[s.from] == tooMany || int(s.lo) > k || int(s.hi) < k {
				continue
			}
			n := max(c.lo[k], s.cores, coresFor(s.load, limit))
			if n > c.hi[k] || now[s.from]+n >= next[s.to] {
				continue
			}
			next[s.to] = now[s.from] + n
			d.from[k+1][s.to] = s.from
		}
	}
	if d.least[w.k][d.last] > c.total {
		return nil
	}
	stages := make([]int8, w.n)
	for v := range stages {
		stages[v] = Outside
	}
	at := d.last
	for k := w.k; k > 0; k-- {
		before := int(d.from[k][at])
		for v := range stages {
			if d.sets[at].has(v) && !d.sets[before].has(v) {
				stages[v] = int8(k - 1)
			}
		}
		at = before
	}
	return stages
}
