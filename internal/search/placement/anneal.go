package placement

import (
	"context"
	"math"
	"math/rand/v2"
)

// annealer lowers the best by simulated annealing. A move puts a core on another
// machine core; whoever was there takes the place that it left or, if it may not
// be there, goes on to another, and so on for a few cores. Each run takes twice
// the time of the one before and starts at the best.
type annealer struct {
	w   *net
	b   *board
	rng *rand.Rand

	movable []int   // cores of the problem that have a choice
	options [][]int // machine cores of each core
	place   []int
	on      []int
	value   int64

	// The run under way: moves so far and in all, and the heat it begins and
	// ends with.
	moves, total int64
	hot, cold    float64
	length       int64 // of the next run

	// The move under construction: the machine cores that exchanged with each
	// other, in turn.
	swaps [][2]int
}

// longestChain is how many exchanges one move may take.
const longestChain = 4

func newAnnealer(w *net, b *board, seed uint64) *annealer {
	a := &annealer{
		w: w, b: b, rng: rand.New(rand.NewPCG(seed, 0x706c616365)),
		place: make([]int, w.n), on: make([]int, w.n), length: 200 * int64(w.n),
	}
	for i := range w.n {
		var options []int
		for k := range w.n {
			if w.allows(i, k) {
				options = append(options, k)
			}
		}
		a.options = append(a.options, options)
		if len(options) > 1 && i < w.p.Cores {
			a.movable = append(a.movable, i)
		}
	}
	return a
}

func (a *annealer) name() string { return "annealing" }

// movesPerStep is how many moves take about a microsecond, from below.
const movesPerStep = 8

// turn goes on with the run under way, and begins others. It never ends by
// itself, unless no core can move.
func (a *annealer) turn(ctx context.Context, steps int64) (spent int64, more bool) {
	if len(a.movable) == 0 {
		return 1, false
	}
	for spent < steps && ctx.Err() == nil && !a.b.closed() {
		if a.moves >= a.total {
			a.start()
		}
		moves := min(movesPerStep*(steps-spent), a.total-a.moves, 1<<14)
		a.run(moves)
		spent += (moves + movesPerStep - 1) / movesPerStep
	}
	return max(spent, 1), true
}

// start begins a run from the best, at a heat at which a good part of the moves
// are taken.
func (a *annealer) start() {
	copy(a.place, a.b.best)
	for i, k := range a.place {
		a.on[k] = i
	}
	a.value = a.b.value
	sum, count := 0.0, 0
	for range 200 {
		if change, ok := a.move(); ok {
			a.undo()
			sum += math.Abs(float64(change))
			count++
		}
	}
	mean := max(sum/float64(max(count, 1)), 1)
	// Every other run is cool: it searches near the best.
	a.hot = mean
	if a.rng.IntN(2) == 0 {
		a.hot = mean / 8
	}
	a.cold = mean / 500
	a.moves, a.total = 0, a.length
	a.length = min(2*a.length, 1<<26)
}

// run makes some moves.
func (a *annealer) run(moves int64) {
	// The heat falls by steps: working it out for every move would take as
	// long as the move.
	const every = 64
	heat := 0.0
	for m := range moves {
		if m%every == 0 {
			heat = a.hot * math.Pow(a.cold/a.hot, float64(a.moves+m)/float64(a.total))
		}
		change, ok := a.move()
		if !ok {
			continue
		}
		if change > 0 && float64(change) > heat*a.rng.ExpFloat64() {
			a.undo()
			continue
		}
		a.value += change
		a.b.lower(a.name(), a.place, a.value)
	}
	a.moves += moves
}

// move makes a move and returns by how much traffic grows. When it leads
// nowhere it is undone, and ok is false.
func (a *annealer) move() (change int64, ok bool) {
	a.swaps = a.swaps[:0]
	i := a.movable[a.rng.IntN(len(a.movable))]
	options, gap := a.options[i], a.place[i] // somebody has to go to gap
	for range longestChain {
		k := options[a.rng.IntN(len(options))]
		if k == gap {
			break
		}
		j := a.on[k]
		if a.w.class[i] == a.w.class[j] && len(a.swaps) == 0 {
			break
		}
		change += a.exchange(gap, k)
		if a.w.allows(j, gap) {
			return change, true
		}
		// j is on gap, where it may not stay.
		options = a.options[j]
	}
	a.undo()
	return 0, false
}

// exchange lets those on two machine cores change places.
func (a *annealer) exchange(k, l int) int64 {
	i, j := a.on[k], a.on[l]
	change := a.w.change(a.place, i, j)
	a.place[i], a.place[j], a.on[k], a.on[l] = l, k, j, i
	a.swaps = append(a.swaps, [2]int{k, l})
	return change
}

// undo takes back the last move.
func (a *annealer) undo() {
	for s := len(a.swaps) - 1; s >= 0; s-- {
		k, l := a.swaps[s][0], a.swaps[s][1]
		i, j := a.on[k], a.on[l]
		a.place[i], a.place[j], a.on[k], a.on[l] = l, k, j, i
	}
}
