package partition

import (
	"fmt"
	"math"
	"slices"
	"sync"
)

// board is what the parts of a search share: the best assignment and the
// greatest proven bound. It is safe for several goroutines.
type board struct {
	w            *net
	onChange     func(bound, value int64)
	onAssignment func(stages, sizes []int, value int64)

	mu         sync.Mutex
	best       []int8 // nil while none is known
	value      int64  // of best; noValue while none is known
	bestBy     string
	bound      int64 // every legal assignment's value is at least this
	boundBy    string
	reason     *Sum // adds up to bound, where that can be done by hand
	infeasible bool // no assignment is legal
	fault      error
	done       chan struct{} // closed when nothing is left to find
}

// noValue stands above every value.
const noValue = math.MaxInt64

func newBoard(w *net) *board {
	return &board{w: w, value: noValue, done: make(chan struct{})}
}

// limits returns the bound and the best value, noValue when there is none.
func (b *board) limits() (bound, value int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bound, b.value
}

// closed says whether there is nothing left to find.
func (b *board) closed() bool {
	return closedChan(b.done)
}

// incumbent returns a copy of the best assignment, nil when there is none.
func (b *board) incumbent() []int8 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.best)
}

// lower offers an assignment. It is kept, as a copy, when it is legal and
// better than the best.
func (b *board) lower(by string, stages []int8) {
	if !b.w.legal(stages) {
		return
	}
	value := b.w.value(stages)
	b.mu.Lock()
	defer b.mu.Unlock()
	if value < b.value {
		// noValue is not: no sizes are right for these stages.
		b.best, b.value, b.bestBy = slices.Clone(stages), value, by
		if b.onAssignment != nil {
			stages := b.w.expand(b.best)
			sizes, _, err := b.w.p.Sizes(stages)
			if err != nil {
				b.fault = fmt.Errorf("%w: assignment by %s: %w", errSearch, by, err)
				b.stop()
				return
			}
			b.onAssignment(stages, sizes, value)
		}
		b.tell()
	}
}

// raise offers a bound and, where it adds up, its sum.
func (b *board) raise(by string, bound int64, reason *Sum) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bound > b.bound && !b.infeasible {
		b.bound, b.boundBy, b.reason = bound, by, reason
		b.tell()
	}
}

// refute says that no assignment is legal, of whatever value.
func (b *board) refute(by string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.infeasible, b.boundBy, b.bound, b.reason = true, by, 0, nil
	b.tell()
}

// refuteUnder says that no assignment has a value of limit or less, and whether
// that was shown without use of the limit. It makes the problem infeasible when
// there can be none above it either.
func (b *board) refuteUnder(by string, limit int64, whatever bool) {
	_, value := b.limits()
	switch {
	case !whatever && limit < b.w.ceiling():
		b.raise(by, limit+1, nil)
	case value == noValue:
		b.refute(by)
	default:
		b.raise(by, value, nil)
	}
}

// fail ends the search with a fault.
func (b *board) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fault == nil {
		b.fault = err
	}
	b.stop()
}

func (b *board) tell() {
	if b.infeasible || b.bound >= b.value {
		b.stop()
	}
	if b.onChange != nil {
		value := b.value
		if value == noValue {
			value = -1
		}
		b.onChange(b.bound, value)
	}
}

func (b *board) stop() {
	if !closedChan(b.done) {
		close(b.done)
	}
}

func closedChan(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
