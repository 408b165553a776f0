package placement

import (
	"fmt"
	"math"
)

// board is what the parts of a search share: the best placement and the
// greatest proven bound.
type board struct {
	w        *net
	onChange func(bound, value int64)

	best    []int // of all cores of the net; nil while none is known
	value   int64 // of best; noValue while none is known
	bestBy  string
	bound   int64
	boundBy string
}

// noValue stands above every value.
const noValue = math.MaxInt64

func newBoard(w *net) *board { return &board{w: w, value: noValue, boundBy: "nothing"} }

// closed says whether there is nothing left to find.
func (b *board) closed() bool { return b.bound >= b.value }

// lower offers a legal placement and its traffic. It is kept, as a copy, when it
// is better than the best.
func (b *board) lower(by string, place []int, value int64) {
	if value < b.value {
		b.best, b.value, b.bestBy = append(b.best[:0], place...), value, by
		b.tell()
	}
}

// raise offers a bound. One above the best is a fault, which result finds.
func (b *board) raise(by string, bound int64) {
	if bound > b.bound {
		b.bound, b.boundBy = bound, by
		b.tell()
	}
}

func (b *board) tell() {
	if b.onChange != nil {
		value := b.value
		if value == noValue {
			value = -1
		}
		b.onChange(b.bound, value)
	}
}

// result turns the board into a Result, and holds its claim against the
// definition in Problem.Traffic.
func (b *board) result(steps int64) (Result, error) {
	r := Result{Bound: b.bound, BoundBy: b.boundBy, Steps: steps}
	if b.value == noValue {
		return r, nil
	}
	r.Status, r.Place, r.Value, r.FoundBy = Feasible, make([]int, b.w.p.Cores), b.value, b.bestBy
	copy(r.Place, b.best)
	if b.closed() {
		r.Status = Optimal
	}
	value, err := b.w.p.Traffic(r.Place)
	if err != nil || value != b.value || b.bound > b.value {
		return Result{}, fmt.Errorf("%w: value %d by %s, %d when added up (%v), bound %d by %s",
			errSearch, b.value, b.bestBy, value, err, b.bound, b.boundBy)
	}
	return r, nil
}
