package partition

import (
	"fmt"
	"slices"
)

// structure sets the board up with what follows from edges and sums alone: the
// first legal assignment, the least load of any window of stages under the
// domains, the largest op, and the greatest bound that narrowing the domains
// under a limit can prove.
func structure(b *board) error {
	w := b.w
	if w.n == 0 {
		return b.empty()
	}
	if w.cores.none {
		b.refute("structure")
		return nil
	}
	nr := newNarrower(w)
	given := box{w.lo, w.hi}
	root := given.clone()
	if !nr.edges(root) {
		b.refute("structure")
		return nil
	}
	// The domains that the edges leave are as good as the given ones, and
	// every part starts from them.
	w.lo, w.hi = root.lo, root.hi
	b.lower("structure", root.lo)
	b.lower("structure", root.hi)
	for k := 2; k <= w.k; k++ {
		b.lower("structure", w.split(root, func(middle int64) int8 { return int8(middle / (w.total/int64(k) + 1)) }))
	}
	if w.cores.fixed && !w.cores.alike {
		b.lower("structure", w.split(root, func(middle int64) int8 {
			each := w.total/w.cores.total + 1
			s := int8(0)
			for int(s) < w.k-1 && middle >= each*w.cores.sumLo[s+1] {
				s++
			}
			return s
		}))
	}

	bound, from, to := nr.bound(root)
	b.raise("structure", bound, nr.sum(root, from, to))
	widest := slices.Max(w.cores.hi)
	for v, work := range w.work {
		if least := perCore(work, widest); root.lo[v] >= 0 && least > bound {
			bound = least
			b.raise("structure", bound, &Sum{First: -1, Width: 1, Cores: widest, Ops: []int{w.op[v]}, Total: work})
		}
	}
	if w.cores.floor > bound {
		bound = w.cores.floor
		b.raise("given", bound, nil)
	}

	nr.floor = bound
	// Find the least limit that narrowing does not refute, or come near it.
	const patience = 50_000_000
	low, high := bound, w.ceiling()
	if _, value := b.limits(); value < high {
		high = value
	}
	least := high
	scratch := root.clone()
	for low < least && nr.steps < patience {
		mid := low + (least-low)/2
		scratch.copyFrom(root)
		if nr.limit(scratch, mid) {
			least = mid
		} else {
			low = mid + 1
		}
	}
	if low > bound {
		b.raise("structure", low, nil)
	}
	return nil
}

// split cuts the topological order into runs, as far as the domains let it; run
// says which one an op is in by how much work lies before its middle. It is
// legal when every edge that it makes too long is far.
func (w *net) split(root box, run func(middle int64) int8) []int8 {
	stages := make([]int8, w.n)
	done := int64(0)
	for v := range w.n {
		s := run(done + w.work[v]/2)
		for _, a := range w.in[v] {
			s = max(s, stages[a.to])
		}
		stages[v] = min(max(s, root.lo[v]), root.hi[v])
		done += w.work[v]
	}
	return stages
}

// sum writes down why a window of stages has the load that bound found.
func (nr *narrower) sum(b box, from, to int) *Sum {
	w := nr.w
	s := &Sum{First: from, Width: to - from + 1, Cores: nr.most[from][to]}
	for v := range w.n {
		if int(b.lo[v]) >= from && int(b.hi[v]) <= to && w.work[v] > 0 {
			s.Ops = append(s.Ops, w.op[v])
			s.Total += w.work[v]
		}
	}
	for i := range w.vals {
		x := &w.vals[i]
		far := max(b.hi[x.op], x.reach(b.lo))
		through := min(int(far)-1, to) - max(int(b.hi[x.op])+1, from) + 1
		if through > 0 {
			s.Carried = append(s.Carried, Carry{w.op[x.op], x.of, through})
			s.Total += int64(through) * x.cost
		}
	}
	return s
}

// empty closes the board of a problem without ops.
func (b *board) empty() error {
	if b.w.p.NonEmpty || b.w.cores.none {
		b.refute("structure")
		return nil
	}
	b.lower("structure", nil)
	if b.best == nil {
		b.best = []int8{}
	}
	b.raise("structure", b.w.cores.floor, nil)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tell()
	if !closedChan(b.done) {
		return fmt.Errorf("%w: an empty problem stays open", errSearch)
	}
	return nil
}
