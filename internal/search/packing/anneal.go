package packing

import (
	"context"
	"math"
	"math/rand/v2"
)

// annealer lowers the best by simulated annealing. It takes a limit between the
// bound and the best and walks towards a packing within it; what it minimises is
// by how much the loads pass the limit and the weights the capacities, in shares
// of these. A move puts an item elsewhere, or two items in each other's place, or
// takes along what shares a slice with it. Between walks, exchanges of subsets do
// what single moves do not find.
type annealer struct {
	w   *net
	b   *board
	rng *rand.Rand
	s   *state

	on    [][]int // free items on each core
	place []int   // where each free item is in the list of its core

	limit    int64
	overLoad int64 // by how much all loads pass the limit
	overRoom int64 // by how many bytes all cores pass their capacities
	perCycle float64
	perByte  float64

	// The walk under way: moves so far and in all, and its heat.
	spent, total int64
	hot, heat    float64
	// What passes the capacities counts for this much less at first, so that
	// what is large beside them can move at all.
	light float64
	walks int

	undo []shift

	listings []listing // of each core, as of an earlier stamp of it
	stamp    []uint64  // of each core: a new one whenever its items change
	marked   []uint64  // an item is in a lump already when this is mark
	mark     uint64
}

// shift is an item and the core it was on.
type shift struct{ item, core int }

func newAnnealer(w *net, b *board, seed uint64) *annealer {
	return &annealer{
		w: w, b: b, rng: rand.New(rand.NewPCG(seed, 0x7061636b696e67)), s: newState(w),
		on: make([][]int, w.m), place: make([]int, w.n), marked: make([]uint64, w.n),
		listings: make([]listing, w.m), stamp: make([]uint64, w.m),
	}
}

func (a *annealer) price() int64 { return 1 }

// turn goes on with the walk under way, and begins others, until the steps are
// spent. It never ends by itself, but has nothing to do when no item can move.
func (a *annealer) turn(ctx context.Context, steps int64) (int64, bool) {
	if len(a.w.free) == 0 || a.w.m == 1 {
		return 1, false
	}
	spent := int64(1)
	for spent < steps && ctx.Err() == nil && !a.b.closed() {
		if a.spent >= a.total {
			spent += a.start()
		}
		// Four of its moves are about a step.
		spent += a.walk(min(4*(steps-spent), a.total-a.spent)) / 4
		if a.spent >= a.total && !a.b.closed() {
			spent += a.exchange(ctx, max(0, steps-spent))
		}
	}
	return spent, true
}

// start begins a walk from the best packing, or a greedy one where there is none
// or once in a while, and returns about how many steps that took.
func (a *annealer) start() int64 {
	w, b := a.w, a.b
	a.walks++
	const shortest = 20_000
	a.spent, a.total = 0, shortest<<a.rng.IntN(5)
	a.hot = 0.02 * math.Pow(10, -2*a.rng.Float64())
	a.light = math.Pow(10, min(0, 2-4*a.rng.Float64())) // half of the time 1
	steps := int64(len(w.free))
	if b.value == noValue && a.walks == 1 || b.value != noValue && a.rng.IntN(8) == 0 {
		construct(a.s, max(b.bound, 1), 2*a.rng.Float64())
		steps += int64(len(w.free) * w.m / 4)
	} else if b.value != noValue {
		a.s.reset(b.best)
	}
	a.relist()
	switch {
	case b.value == noValue:
		// Room first, with some regard to the loads.
		a.limit = b.bound + b.bound/8
	case a.rng.IntN(2) == 0:
		a.limit = b.value - 1
	default:
		a.limit = b.bound + a.rng.Int64N(b.value-b.bound)
	}
	a.limit = min(a.limit, b.limit)
	a.measure()
	return steps
}

// measure adds up what passes the limits.
func (a *annealer) measure() {
	a.overLoad, a.overRoom = 0, a.s.over()
	for _, l := range a.s.load {
		a.overLoad += max(0, l-a.limit)
	}
	a.perCycle = 1 / float64(max(a.limit, 1))
	a.perByte = 1 / a.w.room
}

// relist lists the free items on each core anew.
func (a *annealer) relist() {
	for k := range a.on {
		a.on[k] = a.on[k][:0]
		a.stamp[k]++
	}
	for _, i := range a.w.free {
		a.list(i)
	}
}

func (a *annealer) list(i int) {
	k := a.s.core[i]
	a.place[i] = len(a.on[k])
	a.on[k] = append(a.on[k], i)
}

func (a *annealer) unlist(i int) {
	k, at := a.s.core[i], a.place[i]
	last := len(a.on[k]) - 1
	a.on[k][at] = a.on[k][last]
	a.place[a.on[k][at]] = at
	a.on[k] = a.on[k][:last]
}

// excess returns by how much core k passes its limits.
func (a *annealer) excess(k int) (load, room int64) {
	return max(0, a.s.load[k]-a.limit), max(0, a.s.bytes[k]-a.w.capacity[k])
}

// shift moves item i to core k and notes where it was. The lists of cores follow
// when the move is kept.
func (a *annealer) shift(i, k int) {
	a.undo = append(a.undo, shift{i, a.s.core[i]})
	a.s.remove(i)
	a.s.add(i, k)
}

// walk makes moves until it has made that many, or is within the limit.
func (a *annealer) walk(moves int64) int64 {
	for made := range moves {
		if a.overRoom == 0 && (a.overLoad == 0 || a.b.value == noValue) && a.b.lower("annealing", a.s) {
			if a.b.closed() {
				a.spent = a.total
				return made
			}
			// On to the next limit from here.
			if a.b.value-1 < a.limit || a.overLoad == 0 {
				a.limit = max(a.b.bound, min(a.limit, a.b.value-1))
			}
			a.measure()
		}
		if a.spent%64 == 0 {
			done := float64(a.spent) / float64(a.total)
			a.heat = a.hot * math.Pow(1e-4, done)
			a.perByte = math.Pow(a.light, max(0, 1-2*done)) / a.w.room
		}
		a.spent++
		a.try()
	}
	return moves
}

// try makes one random move, and takes it back unless it is for the better or the
// heat allows for it.
func (a *annealer) try() {
	w, s := a.w, a.s
	i := w.free[a.rng.IntN(len(w.free))]
	from := s.core[i]
	to := a.rng.IntN(w.m - 1)
	if to >= from {
		to++
	}
	swap := -1
	if n := len(a.on[to]); n > 0 && a.rng.IntN(4) > 0 {
		swap = a.on[to][a.rng.IntN(n)]
	}
	// How much worse may it get? The exponential distribution says how often.
	allowed := a.heat * a.rng.ExpFloat64()
	a.undo = a.undo[:0]
	a.plan(i)
	out := len(a.undo) // from here on they go the other way
	if swap >= 0 {
		a.plan(swap)
	}
	load1, room1 := a.excess(from)
	load2, room2 := a.excess(to)
	load3, load4 := s.load[from], s.load[to]
	for n, u := range a.undo {
		if n < out {
			load3, load4 = load3-w.on(u.item, from), load4+w.on(u.item, to)
		} else {
			load3, load4 = load3+w.on(u.item, from), load4-w.on(u.item, to)
		}
	}
	load := max(0, load3-a.limit) + max(0, load4-a.limit) - load1 - load2
	// Most moves are turned down before they are made: the bytes can at best
	// come within the capacities.
	if a.cost(load, -room1-room2) > allowed {
		return
	}
	for n, u := range a.undo {
		s.remove(u.item)
		if n < out {
			s.add(u.item, to)
		} else {
			s.add(u.item, from)
		}
	}
	_, room3 := a.excess(from)
	_, room4 := a.excess(to)
	room := room3 + room4 - room1 - room2
	if a.cost(load, room) > allowed {
		a.back()
		return
	}
	a.overLoad += load
	a.overRoom += room
	a.keep()
}

// plan notes that item i moves, and nearly always what is beside it and uses its
// slices: where that did not come along, the slices would be on both cores.
func (a *annealer) plan(i int) {
	from := a.s.core[i]
	a.undo = append(a.undo, shift{i, from})
	if len(a.w.shared[i]) == 0 || a.rng.IntN(4) == 0 {
		return
	}
	for _, c := range a.w.shared[i] {
		for _, j := range a.w.chunks[c].users {
			if a.s.core[j] == from && a.w.pin[j] == Free && !a.planned(j) {
				a.undo = append(a.undo, shift{j, from})
			}
		}
	}
}

// planned says whether item j is in the move already.
func (a *annealer) planned(j int) bool {
	for _, u := range a.undo {
		if u.item == j {
			return true
		}
	}
	return false
}

// cost weighs what passes the limits.
func (a *annealer) cost(load, room int64) float64 {
	return float64(float64(load)*a.perCycle) + float64(float64(room)*a.perByte)
}

// back takes the move back.
func (a *annealer) back() {
	for j := len(a.undo) - 1; j >= 0; j-- {
		a.s.remove(a.undo[j].item)
		a.s.add(a.undo[j].item, a.undo[j].core)
	}
}

// keep lets the lists of cores follow the move.
func (a *annealer) keep() {
	for _, u := range a.undo {
		now := a.s.core[u.item]
		a.stamp[now]++
		a.stamp[u.core]++
		a.s.core[u.item] = u.core
		a.unlist(u.item)
		a.s.core[u.item] = now
		a.list(u.item)
	}
}
