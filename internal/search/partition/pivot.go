package partition

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
)

// brancher is best-first branch and bound on boxes. It bounds a box by adding
// up what its windows must hold and by least cuts of the heaviest windows, and
// splits on the op that, held low and held high, narrows the rest the most. An
// op with many neighbours is such a one: tight edges keep all of them within a
// stage of it. The sides of every cut are a start of an assignment, which is
// completed and offered.
type brancher struct {
	w     *net
	b     *board
	nr    *narrower
	cut   cutter
	open  boxHeap
	half  box // scratch
	wide  []int
	order int // number of the next box, so that equal bounds pop in order
	begun bool
}

// ranked is an open box: its assignments are worth at least bound.
type ranked struct {
	box
	bound int64
	depth int
	order int
}

// boxHeap pops the least bound, of equal ones the deepest.
type boxHeap []ranked

func (h boxHeap) Len() int { return len(h) }
func (h boxHeap) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].bound, h[j].bound), cmp.Compare(h[j].depth, h[i].depth), cmp.Compare(h[i].order, h[j].order)) < 0
}
func (h boxHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *boxHeap) Push(x any)   { *h = append(*h, x.(ranked)) }
func (h *boxHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func newBrancher(w *net, b *board) *brancher {
	br := &brancher{w: w, b: b, nr: newNarrower(w), cut: cutter{w: w}}
	br.half = box{w.lo, w.hi}.clone()
	return br
}

func (br *brancher) name() string { return "cuts" }

func (br *brancher) turn(ctx context.Context, steps int64) (int64, bool) {
	start := br.spent()
	for br.spent()-start < steps && ctx.Err() == nil && !br.b.closed() {
		if !br.begun {
			br.begun = true
			br.add(box{br.w.lo, br.w.hi}.clone(), 0, 0)
		}
		if !br.step(ctx) {
			return br.spent() - start + 1, false
		}
	}
	return br.spent() - start + 1, true
}

// spent is the work so far in steps; the counters are of ops and of arcs
// looked at.
func (br *brancher) spent() int64 { return (br.nr.steps + br.cut.f.steps) / 50 }

// step splits the most promising box, and returns false when none is left.
func (br *brancher) step(ctx context.Context) bool {
	floor, value := br.b.limits()
	br.nr.floor = floor
	if len(br.open) == 0 {
		if value == noValue {
			br.b.refute(br.name())
		} else {
			br.b.raise(br.name(), value, nil)
		}
		return false
	}
	br.b.raise(br.name(), min(br.open[0].bound, value), nil)
	top := heap.Pop(&br.open).(ranked)
	// For merging stages the box's own bound is as good as the common one: an
	// assignment here whose stages can be merged is no better than what it
	// becomes, which has fewer stages, wherever that lies.
	br.nr.floor = max(floor, top.bound)
	limit := min(value-1, br.w.ceiling())
	if top.bound > limit || !br.nr.limit(top.box, limit) {
		return true
	}
	if top.fixed() {
		br.b.lower(br.name(), top.lo)
		return true
	}
	v, at := br.choose(ctx, top.box, limit)
	low, high := top.box, top.box.clone()
	low.hi[v], high.lo[v] = at, at+1
	br.add(low, top.bound, top.depth+1)
	br.add(high, top.bound, top.depth+1)
	return true
}

// add bounds a box and keeps it open if it may hold something better.
func (br *brancher) add(b box, bound int64, depth int) {
	floor, value := br.b.limits()
	br.nr.floor = max(floor, bound)
	limit := min(value-1, br.w.ceiling())
	if !br.nr.limit(b, limit) {
		return
	}
	by, _, _ := br.nr.bound(b)
	bound = max(bound, by, br.cuts(b, limit))
	if !br.w.cores.fixed && bound <= limit {
		bound = br.nr.leastLimit(b, bound, limit+1)
	}
	if bound <= limit {
		br.order++
		heap.Push(&br.open, ranked{b, bound, depth, br.order})
	}
}

// cuts returns the greatest bound of least cuts over some windows of one to
// three stages, those that hold most by adding up.
func (br *brancher) cuts(b box, limit int64) int64 {
	type candidate struct {
		from, to int
		held     int64
	}
	var list []candidate
	for from := range br.w.k {
		carried := int64(0)
		for to := from; to < min(from+3, br.w.k); to++ {
			carried += br.nr.carried[to]
			if held := (br.nr.inside[from][to] + carried) / br.nr.most[from][to]; held > 0 {
				list = append(list, candidate{from, to, held})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.held, a.held) })
	bound := int64(0)
	for _, c := range list[:min(len(list), 3)] {
		bound = max(bound, perCore(br.cut.window(b, br.nr.strict, c.from, c.to), br.nr.most[c.from][c.to]))
		br.offer(b)
		if bound > limit {
			break
		}
	}
	return bound
}

// offer completes the labels of the last cut, all else as low as it goes and
// as high.
func (br *brancher) offer(b box) {
	br.half.copyFrom(b)
	br.cut.labels(br.half)
	if br.nr.edges(br.half) {
		br.b.lower(br.name(), br.half.lo)
		br.b.lower(br.name(), br.half.hi)
	}
}

// choose returns the op to split and the last stage of its low half. It tries
// the ops with most neighbours and those whose closures weigh most, and takes
// the one whose worse half leaves the least room: stages to choose from,
// weighed by work.
func (br *brancher) choose(ctx context.Context, b box, limit int64) (best int, at int8) {
	const tries = 12
	br.wide = br.wide[:0]
	for v := range br.w.n {
		if b.lo[v] < b.hi[v] {
			br.wide = append(br.wide, v)
		}
	}
	neighbours := func(v int) int { return len(br.w.in[v]) + len(br.w.out[v]) }
	slices.SortStableFunc(br.wide, func(x, y int) int {
		return cmp.Or(cmp.Compare(b.hi[y]-b.lo[y], b.hi[x]-b.lo[x]), cmp.Compare(neighbours(y), neighbours(x)))
	})
	candidates := slices.Clone(br.wide[:min(len(br.wide), tries/2)])
	slices.SortStableFunc(br.wide, func(x, y int) int {
		return cmp.Or(cmp.Compare(br.w.work[y]*int64(b.hi[y]-b.lo[y]), br.w.work[x]*int64(b.hi[x]-b.lo[x])), cmp.Compare(neighbours(y), neighbours(x)))
	})
	candidates = append(candidates, br.wide[:min(len(br.wide), tries/2)]...)
	best, least := -1, 0.0
	for _, v := range candidates {
		if best >= 0 && ctx.Err() != nil {
			break
		}
		mid := b.lo[v] + (b.hi[v]-b.lo[v])/2
		br.half.copyFrom(b)
		br.half.hi[v] = mid
		low := br.room(br.half, limit)
		br.half.copyFrom(b)
		br.half.lo[v] = mid + 1
		high := br.room(br.half, limit)
		if score := float64(low) + float64(high) + float64(max(low, high)); best < 0 || score < least {
			best, at, least = v, mid, score
		}
	}
	return best, at
}

// room is how much is still to be decided in a box under a limit.
func (br *brancher) room(b box, limit int64) int64 {
	if !br.nr.limit(b, limit) {
		return 0
	}
	room := int64(0)
	for v := range br.w.n {
		room += (br.w.work[v] + 1) * int64(b.hi[v]-b.lo[v])
	}
	return room
}
