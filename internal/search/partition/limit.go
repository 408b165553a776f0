package partition

import "slices"

// limit narrows b to what a largest load of at most limit leaves, to a
// fixpoint, and says whether anything may be left.
//
// Where stages can be moved, two neighbouring stages that
// hold no more than floor together may be merged: every value is at least
// floor, so that does not make it worse. Only assignments are kept that use
// stages 0 to m-1 and whose neighbouring stages hold more than floor. With a
// greater floor these are fewer, so what was narrowed under a smaller one
// stays right.
func (nr *narrower) limit(b box, limit int64) bool {
	clear(nr.strict)
	for {
		if !nr.edges(b) || !nr.room(b, limit) {
			return false
		}
		if changed, ok := nr.compact(b); !ok {
			return false
		} else if changed {
			continue
		}
		changed, ok := nr.trim(b, nr.w.work)
		if !ok {
			return false
		}
		if !changed {
			changed = nr.passages(b)
		}
		if !changed {
			changed, ok = nr.trimClosures(b, nr.w.weights, nr.w.ancWork, nr.w.descWork)
			if !ok {
				return false
			}
		}
		if !changed && nr.w.cores.room != nil {
			changed, ok = nr.trimMemory(b)
			if !ok {
				return false
			}
		}
		if !changed {
			return true
		}
	}
}

// compact says whether stage 0 and every pair of neighbouring stages that must
// be used can be filled above floor, and keeps ops out of stages that cannot be
// reached that way. A pair's load is that of the merged stage: what is carried
// through both counts once, what ends or starts in one of them not at all.
func (nr *narrower) compact(b box) (changed, ok bool) {
	w := nr.w
	if !w.movable {
		return false, true
	}
	clear(nr.touch)
	clear(nr.pass)
	first, last := int8(maxStages), int8(0)
	for v := range w.n {
		lo, hi := b.lo[v], b.hi[v]
		first, last = min(first, lo), max(last, lo)
		// The op can be in the pair s, s+1 for s from lo-1 to hi.
		nr.touch[max(lo-1, 0)] += w.work[v]
		nr.touch[hi+1] -= w.work[v]
	}
	for i := range w.vals {
		if x := &w.vals[i]; !nr.strict[i] {
			_, far := b.reachOf(x)
			for s := b.lo[x.op] + 1; s+1 < far; s++ {
				nr.pass[s] += x.cost
			}
		}
	}
	// All stages have the same cores, so a merged one holds what one does.
	floor := nr.floor * w.cores.most(0, 0)
	if first > 0 {
		return false, false
	}
	sum := int64(0)
	for s := range last {
		sum += nr.touch[s]
		if sum+nr.pass[s] <= floor {
			return false, false
		}
	}
	// The pairs 0-1, 2-3 and so on hold more than floor each, if they are in
	// use, and no more than all work and what passes through them.
	most := w.total
	for s := 0; s < w.k; s += 2 {
		most += nr.pass[s]
		if most >= int64(s/2+1)*(floor+1) {
			continue
		}
		for v, hi := range b.hi {
			if int(hi) > s {
				b.hi[v] = int8(s)
				changed = true
			}
		}
		break
	}
	return changed, true
}

// room fills left, spare, leastLeft and leastRight, and says whether every
// window has room for what it must hold, work and memory.
func (nr *narrower) room(b box, limit int64) bool {
	nr.measure(b)
	k := nr.w.k
	if !nr.share(b, limit) {
		return false
	}
	for a := range k {
		sum := int64(0)
		for e := a; e < k; e++ {
			sum += nr.carried[e]
			nr.left[a][e] = nr.most[a][e]*limit - nr.inside[a][e] - sum
			if nr.left[a][e] < 0 {
				return false
			}
		}
	}
	for t := range k {
		nr.spare[t] = nr.left[t][t]
		for a := range t + 1 {
			nr.spare[t] = min(nr.spare[t], slices.Min(nr.left[a][t:]))
		}
	}
	if nr.w.movable && k > 2 {
		// Stages 0 and 1 hold more than floor, if others are in use, and
		// nothing is carried through both: that is work, which the others
		// do not have.
		tail := &nr.left[2][k-1]
		*tail = min(*tail, nr.w.total-nr.floor*nr.w.cores.most(0, 0)-1-nr.inside[2][k-1])
		if nr.inside[2][k-1] > 0 && *tail < 0 {
			return false
		}
		*tail = max(*tail, 0)
	}
	nr.fillLeast()
	return true
}

// fillLeast fills leastLeft and leastRight from left.
func (nr *narrower) fillLeast() {
	k := nr.w.k
	for e := range k {
		for a := 0; a <= e; a++ {
			nr.leastLeft[a][e] = nr.left[a][e]
			if a > 0 {
				nr.leastLeft[a][e] = min(nr.leastLeft[a][e], nr.leastLeft[a-1][e])
			}
		}
	}
	for a := range k {
		for e := k - 1; e >= a; e-- {
			nr.leastRight[a][e] = nr.left[a][e]
			if e < k-1 {
				nr.leastRight[a][e] = min(nr.leastRight[a][e], nr.leastRight[a][e+1])
			}
		}
	}
}

// passages keeps values out of stages that have no room to carry them: when
// such a stage lies behind all stages of the producer, no consumer is behind
// it, and when it lies ahead of a consumer, the producer is not ahead of it. It
// fills strict.
func (nr *narrower) passages(b box) (changed bool) {
	w := nr.w
	for i := range w.vals {
		x := &w.vals[i]
		if nr.strict[i] {
			continue
		}
		v := x.op
		near, far := b.reachOf(x)
		open := false
		for t := b.lo[v] + 1; t < far; t++ {
			forced := b.hi[v] < t && t < near
			if forced || x.cost <= nr.spare[t] {
				open = true
				continue
			}
			for _, c := range x.to {
				if b.hi[v] < t && b.hi[c] > t {
					b.hi[c] = t
					changed = true
				}
				if b.lo[c] > t && b.lo[v] < t {
					b.lo[v] = t
					changed = true
				}
			}
		}
		nr.strict[i] = !open
		nr.steps += int64(len(x.to))
	}
	return changed
}

// trim raises an op's lowest stage past windows that have no room for it, and
// lowers its highest.
func (nr *narrower) trim(b box, works []int64) (changed, ok bool) {
	w := nr.w
	for v := range w.n {
		lo, hi, work := b.lo[v], b.hi[v], works[v]
		if lo == hi || work == 0 {
			continue
		}
		for e := hi - 1; e >= lo; e-- {
			if nr.leastLeft[lo][e] < work {
				b.lo[v] = e + 1
				changed = true
				break
			}
		}
		for a := lo + 1; a <= hi; a++ {
			if nr.leastRight[a][hi] < work {
				b.hi[v] = a - 1
				changed = true
				break
			}
		}
		if b.lo[v] > b.hi[v] {
			return true, false
		}
	}
	return changed, true
}

// trimClosures does what trim does with an op's ancestors, which come along
// when it is held low, and its descendants. It works on the room of the last
// measure, which only errs by being too large when b has narrowed since.
func (nr *narrower) trimClosures(b box, weights scale, ancWork, descWork []int64) (changed, ok bool) {
	w := nr.w
	if w.anc == nil {
		return false, true
	}
	for s := range w.k {
		nr.below[s].clear()
		nr.above[s].clear()
	}
	for v := range w.n {
		// below[e]: may leave [0, e]; above[a]: may leave [a, k-1].
		for e := 0; e < int(b.hi[v]); e++ {
			nr.below[e].add(v)
		}
		for a := int(b.lo[v]) + 1; a < w.k; a++ {
			nr.above[a].add(v)
		}
	}
	for v := range w.n {
		lo, hi := b.lo[v], b.hi[v]
		if lo == hi {
			continue
		}
		for e := lo; e < hi; e++ {
			if ancWork[v] <= nr.left[0][e] || nr.shared(weights, w.anc[v], nr.below[e]) <= nr.left[0][e] {
				break
			}
			b.lo[v] = e + 1
			changed = true
		}
		for a := hi; a > lo; a-- {
			if descWork[v] <= nr.left[a][w.k-1] || nr.shared(weights, w.desc[v], nr.above[a]) <= nr.left[a][w.k-1] {
				break
			}
			b.hi[v] = a - 1
			changed = true
		}
		if b.lo[v] > b.hi[v] {
			return true, false
		}
	}
	nr.steps += int64(4 * w.n)
	return changed, true
}

// shared is the work of what two sets have in common.
func (nr *narrower) shared(weights scale, a, b bitset) int64 {
	nr.steps += int64(len(a))
	return weights.ofBoth(a, b)
}
