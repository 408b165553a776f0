package packing

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// part is one method. It works on what the board holds and writes what it finds
// there: a better packing, a greater bound.
type part interface {
	// turn works for about this many steps, fewer when ctx ends or the board is
	// closed, and returns the steps it took and whether a later turn may find
	// more. What a turn does depends on the board and on earlier turns, not on
	// time.
	turn(ctx context.Context, steps int64) (spent int64, more bool)
	// price is how much a step of this part counts for when turns are given:
	// one of price 9 has a tenth of the steps beside one of price 1.
	price() int64
}

// noValue is the value while there is no packing.
const noValue = math.MaxInt64

// board holds what is known: the best packing and the greatest bound.
type board struct {
	w          *net
	best       []int
	value      int64 // of best; noValue
	bestBy     string
	bound      int64
	boundBy    string
	infeasible bool
	why        *Reason
	target     int64
	limit      int64 // greater values are of no use, noLimit
	onChange   func(bound, value int64)
	fault      error
}

func newBoard(w *net, o Options) *board {
	return &board{w: w, value: noValue, target: o.Target, limit: noLimit, onChange: o.OnChange}
}

// lower takes up the packing of a state if it is legal and better than the best.
func (b *board) lower(by string, s *state) bool {
	value := s.value()
	if value >= b.value || s.over() > 0 || slices.Contains(s.core, Free) {
		return false
	}
	b.best, b.value, b.bestBy = slices.Clone(s.core), value, by
	b.changed()
	return true
}

// raise takes up a bound if it is greater than the one there is.
func (b *board) raise(by string, bound int64) {
	if bound > b.bound || b.boundBy == "" {
		b.bound, b.boundBy = bound, by
		b.changed()
	}
}

// refute notes that nothing is legal; why may be nil.
func (b *board) refute(by string, why *Reason) {
	b.infeasible, b.boundBy, b.why = true, by, why
}

func (b *board) changed() {
	if b.onChange == nil {
		return
	}
	value := b.value
	if value == noValue {
		value = -1
	}
	b.onChange(b.bound, value)
}

// closed says whether there is nothing left to find.
func (b *board) closed() bool {
	return b.infeasible || b.fault != nil || b.bound > b.limit || b.value != noValue && (b.value <= b.bound || b.value <= b.target)
}

// below is what a packing has to come below to be of use.
func (b *board) below() int64 {
	if b.limit == noLimit {
		return b.value
	}
	return min(b.value, b.limit+1)
}

// takeTurns gives turns to the part that had least so far, of equals to the
// first, until all is found or the steps are spent (0: never). Turns are short
// at first, so that a part to which a problem is easy comes up soon.
func takeTurns(ctx context.Context, b *board, parts []part, steps int64) int64 {
	const shortest, longest = 500, 50_000
	if steps == 0 {
		steps = math.MaxInt64
	}
	spent := int64(0)
	had := make([]int64, len(parts))
	for len(parts) > 0 && spent < steps && ctx.Err() == nil && !b.closed() {
		at := 0
		for i := range had {
			if had[i] < had[at] {
				at = i
			}
		}
		turn := min(max(had[at]/parts[at].price(), shortest), longest)
		took, more := parts[at].turn(ctx, min(turn, steps-spent))
		spent += took
		had[at] += max(took, turn) * parts[at].price() // also when it passed
		if !more {
			parts, had = slices.Delete(parts, at, at+1), slices.Delete(had, at, at+1)
		}
	}
	return spent
}

// result turns the board into a Result, and holds its claim against the
// definition in Problem.Loads.
func (b *board) result(steps int64) (Result, error) {
	r := Result{Bound: b.bound, BoundBy: b.boundBy, Steps: steps}
	if b.fault != nil {
		return Result{}, b.fault
	}
	if b.infeasible {
		if b.value != noValue {
			return Result{}, fmt.Errorf("%w: %s found a packing and %s that there is none", errSearch, b.bestBy, b.boundBy)
		}
		r.Status, r.Why = Infeasible, b.why
		return r, nil
	}
	if b.value == noValue {
		return r, nil
	}
	r.Cores, r.Value, r.FoundBy = b.best, b.value, b.bestBy
	r.Status = Feasible
	if b.bound >= b.value {
		r.Status = Optimal
	}
	value, err := b.w.p.Value(r.Cores)
	if err != nil || value != b.value || b.bound > b.value {
		return Result{}, fmt.Errorf("%w: value %d by %s, %d when added up (%v), bound %d by %s",
			errSearch, b.value, b.bestBy, value, err, b.bound, b.boundBy)
	}
	return r, nil
}
