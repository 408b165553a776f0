package partition

import "slices"

// box is a range of stages for every op.
type box struct{ lo, hi []int8 }

func (b box) clone() box { return box{slices.Clone(b.lo), slices.Clone(b.hi)} }

func (b box) copyFrom(c box) {
	copy(b.lo, c.lo)
	copy(b.hi, c.hi)
}

// narrower shrinks boxes to what a load limit leaves. It holds the scratch
// space of one goroutine.
type narrower struct {
	w *net
	// floor is a proven bound, to be kept up to date by the owner.
	floor int64
	// most[a][b] is the most cores of stages a to b.
	most [][]int64
	// First cores of stages, and ends of the last: at least, at most.
	begin, end []int64
	// held[a][b] is the memory of single uses that cannot leave stages a to b.
	held [][]int64
	one  []int64 // scratch: of one weight
	// inside[a][b] is the work of the ops that cannot leave stages a to b.
	inside [][]int64
	// left[a][b] is what stages a to b can still take under the limit.
	left [][]int64
	// leastLeft[a][b] is the least left[x][b] over x <= a: what an op whose
	// first stage is a can add when it is held at or below b. leastRight is
	// its mirror.
	leastLeft, leastRight [][]int64
	carried, touch        []int64
	pass, spare           []int64
	// strict[i]: under the last limit, value i cannot be carried at all.
	strict       []bool
	steps        int64 // ops looked at, over all calls
	below, above []bitset
}

func newNarrower(w *net) *narrower {
	table := func() [][]int64 {
		t := make([][]int64, w.k)
		for i := range t {
			t[i] = make([]int64, w.k)
		}
		return t
	}
	nr := &narrower{w: w, inside: table(), left: table(), leastLeft: table(), leastRight: table(), carried: make([]int64, w.k), touch: make([]int64, w.k+1),
		pass: make([]int64, w.k+1), spare: make([]int64, w.k), strict: make([]bool, len(w.vals)),
		most: table(), held: table(), begin: make([]int64, w.k+1), end: make([]int64, w.k+1)}
	nr.start()
	for range w.k {
		nr.below = append(nr.below, newBitset(w.n))
		nr.above = append(nr.above, newBitset(w.n))
	}
	return nr
}

// edges narrows b by the edges alone, to a fixpoint, and says whether anything
// is left. What is left then has a legal assignment: every op at its lowest
// stage is one, apart from NonEmpty.
func (nr *narrower) edges(b box) bool {
	w := nr.w
	for changed := true; changed; {
		changed = false
		for v := range w.n {
			lo, hi := b.lo[v], b.hi[v]
			if lo > hi {
				return false
			}
			for _, a := range w.out[v] {
				if b.lo[a.to] < lo {
					b.lo[a.to] = lo
					changed = true
				}
				if a.tight && b.hi[a.to] > hi+1 {
					b.hi[a.to] = hi + 1
					changed = true
				}
			}
		}
		for v := w.n - 1; v >= 0; v-- {
			lo, hi := b.lo[v], b.hi[v]
			if lo > hi {
				return false
			}
			for _, a := range w.in[v] {
				if b.hi[a.to] > hi {
					b.hi[a.to] = hi
					changed = true
				}
				if a.tight && b.lo[a.to] < lo-1 {
					b.lo[a.to] = lo - 1
					changed = true
				}
			}
		}
		nr.steps += int64(w.n)
	}
	return true
}

// measure fills inside and carried for b.
func (nr *narrower) measure(b box) {
	w := nr.w
	for a := range w.k {
		clear(nr.inside[a])
	}
	clear(nr.carried)
	for v := range w.n {
		lo, hi := b.lo[v], b.hi[v]
		if lo >= 0 {
			nr.inside[lo][hi] += w.work[v]
		}
	}
	for i := range w.vals {
		x := &w.vals[i]
		hi := b.hi[x.op]
		if int(hi) >= w.k-2 {
			continue
		}
		for t, far := hi+1, x.reach(b.lo); t < far; t++ {
			nr.carried[t] += x.cost
		}
	}
	nr.widen(nr.inside)
	nr.steps += int64(w.n)
}

// widen turns sums by the exact range of ops into sums of all that cannot leave
// a range.
func (nr *narrower) widen(inside [][]int64) {
	k := nr.w.k
	for a := k - 1; a >= 0; a-- {
		for e := a; e < k; e++ {
			// All ranges within [a, e]: those within [a+1, e], and those
			// that start at a and end at or before e.
			if e > a {
				inside[a][e] += inside[a][e-1]
			}
		}
	}
	for a := k - 2; a >= 0; a-- {
		for e := a + 1; e < k; e++ {
			inside[a][e] += inside[a+1][e]
		}
	}
}

// bound returns the least value that b allows by adding up: over all windows of
// stages, the work that cannot leave the window and the values that must be
// carried through it, divided by the most cores that the window can have and
// rounded up. It also returns the window. The cores are those that room found
// last; for a limit that the bound passes there may be fewer.
func (nr *narrower) bound(b box) (bound int64, from, to int) {
	nr.measure(b)
	for a := range nr.w.k {
		sum := int64(0)
		for e := a; e < nr.w.k; e++ {
			sum += nr.carried[e]
			if least := perCore(nr.inside[a][e]+sum, nr.most[a][e]); least > bound {
				bound, from, to = least, a, e
			}
		}
	}
	return bound, from, to
}

// reachOf returns how far a value goes at least and at most.
func (b box) reachOf(x *val) (near, far int8) {
	for _, c := range x.to {
		near, far = max(near, b.lo[c]), max(far, b.hi[c])
	}
	return near, far
}

// fixed says whether every op has one stage.
func (b box) fixed() bool { return slices.Equal(b.lo, b.hi) }
