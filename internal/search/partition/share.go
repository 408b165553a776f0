package partition

// start sets the cores of windows to what the sizes alone allow.
func (nr *narrower) start() {
	c := &nr.w.cores
	k := nr.w.k
	for a := range k {
		for e := a; e < k; e++ {
			nr.most[a][e] = max(c.most(a, e), 1)
		}
	}
	for s := range k + 1 {
		nr.begin[s] = max(c.sumLo[s], c.total-(c.sumHi[k]-c.sumHi[s]))
		nr.end[s] = min(c.sumHi[s], c.total-(c.sumLo[k]-c.sumLo[s]))
	}
}

// share finds how many cores every window can have under a limit, from what the
// others must have, and says whether there are enough. It needs a measured box.
func (nr *narrower) share(b box, limit int64) bool {
	c := &nr.w.cores
	if c.none {
		return false
	}
	if c.room != nil {
		nr.hold(b)
	}
	if c.fixed {
		if c.room != nil {
			for a := range nr.w.k {
				for e := a; e < nr.w.k; e++ {
					if nr.toHold(a, e) > nr.most[a][e] {
						return false
					}
				}
			}
		}
		return true
	}
	k := nr.w.k
	nr.start()
	for a := range k {
		carried := int64(0)
		for e := a; e < k; e++ {
			carried += nr.carried[e]
			need := nr.need(a, e, carried, limit)
			nr.begin[e+1] = max(nr.begin[e+1], nr.begin[a]+need)
		}
	}
	for e := k - 1; e >= 0; e-- {
		carried := int64(0)
		for a := e; a >= 0; a-- {
			carried += nr.carried[a]
			need := nr.need(a, e, carried, limit)
			nr.end[a] = min(nr.end[a], nr.end[e+1]-need)
		}
	}
	for s := range k + 1 {
		if nr.begin[s] > nr.end[s] {
			return false
		}
	}
	for a := range k {
		for e := a; e < k; e++ {
			nr.most[a][e] = min(c.sumHi[e+1]-c.sumHi[a], nr.end[e+1]-nr.begin[a])
		}
	}
	return true
}

// need is how many cores stages a to e need under a limit, tooMany when that is
// more than they can have.
func (nr *narrower) need(a, e int, carried, limit int64) int64 {
	c := &nr.w.cores
	n := max(coresFor(nr.inside[a][e]+carried, limit), c.least(a, e))
	if c.room != nil {
		n = max(n, nr.toHold(a, e))
	}
	if n > c.sumHi[e+1]-c.sumHi[a] {
		return tooMany
	}
	return n
}

func (nr *narrower) toHold(a, e int) int64 {
	if a == e {
		return nr.w.cores.toHold(nr.held[a][a])
	}
	return nr.w.cores.toHoldAmong(nr.held[a][e])
}

// hold fills held: the bytes that each window of stages must hold, of a shared
// weight those of one use.
func (nr *narrower) hold(b box) {
	c := &nr.w.cores
	k := nr.w.k
	for a := range k {
		clear(nr.held[a])
	}
	for v, bytes := range c.own {
		if bytes > 0 {
			nr.held[b.lo[v]][b.hi[v]] += bytes
		}
	}
	nr.widen(nr.held)
	if nr.one == nil {
		nr.one = make([]int64, k*k)
	}
	for i := range c.shared {
		x := &c.shared[i]
		clear(nr.one)
		for j, v := range x.ops {
			at := &nr.one[int(b.lo[v])*k+int(b.hi[v])]
			*at = max(*at, x.bytes[j])
		}
		for a := k - 1; a >= 0; a-- {
			for e := a; e < k; e++ {
				at := &nr.one[a*k+e]
				if e > a {
					*at = max(*at, nr.one[a*k+e-1], nr.one[(a+1)*k+e])
				}
				nr.held[a][e] += *at
			}
		}
	}
	nr.steps += int64(nr.w.n)
}

// leastLimit is the least limit, from low on, under which every window of b gets
// the cores that it needs; high, which must be more, when there is none below it.
// b was narrowed under a limit of no less than high-1, and measured.
func (nr *narrower) leastLimit(b box, low, high int64) int64 {
	for low < high {
		mid := low + (high-low)/2
		if nr.share(b, mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return high
}

// trimMemory does with bytes what trim and trimClosures do with work. Of weights
// that several ops use it knows only what the windows hold already. It takes the
// place of the room that the others found, so it comes last.
func (nr *narrower) trimMemory(b box) (changed, ok bool) {
	c := &nr.w.cores
	for a := range nr.w.k {
		for e := a; e < nr.w.k; e++ {
			n := nr.most[a][e]
			room := n * c.steepBytes / c.steepCores
			if a == e {
				room = c.room[n]
			}
			nr.left[a][e] = room - nr.held[a][e]
		}
	}
	nr.fillLeast()
	changed, ok = nr.trim(b, c.own)
	if ok && !changed {
		changed, ok = nr.trimClosures(b, c.owns, c.ancOwn, c.descOwn)
	}
	return changed, ok
}
