package packing

import (
	"context"
	"errors"
	"fmt"
)

// Options say how long and how to search. The zero value searches to the end.
type Options struct {
	// Seed of all random choices.
	Seed uint64
	// Steps is a budget that does not depend on the machine; 0 is none. A step
	// is roughly a microsecond's work. With it the same problem, seed and steps
	// give the same Result unless ctx ends first. Without it the SAT solver
	// takes part where it can help, and only the values are the same in every
	// run that comes to its end.
	Steps int64
	// Target ends the search as soon as a packing of this value or less is
	// found; 0 asks for the least.
	Target int64
	// First is a packing to start from; nil for none. It must be legal.
	First []int
	// OnChange, when set, is called with the bound and the best value so far
	// (-1 for none) whenever one of them got better. The search waits for it.
	OnChange func(bound, value int64)
}

// Status says what a Result holds.
type Status int

const (
	// Unknown: the budget ended before any packing was found.
	Unknown Status = iota
	// Feasible: a packing was found; a better one may exist.
	Feasible
	// Optimal: a packing was found and no better one exists.
	Optimal
	// Infeasible: no packing is legal.
	Infeasible
)

func (s Status) String() string {
	return [...]string{"unknown", "feasible", "optimal", "infeasible"}[s]
}

// Result is what a search found.
type Result struct {
	Status  Status
	Cores   []int  // of each item; nil when Unknown or Infeasible
	Value   int64  // largest core load of Cores, cycles
	FoundBy string // the part that found Cores
	// Bound is proven: every legal packing has a core with this load or more.
	// It equals Value when Optimal.
	Bound   int64
	BoundBy string // the part that proved Bound, or infeasibility
	// Why is set when Infeasible follows from plain sums.
	Why   *Reason
	Steps int64
}

// Reason is a sum that shows that nothing is legal: Bytes have to be within
// Capacity, and are more.
type Reason struct {
	// Item that fits on no core that it may have, -1 where the reason is not
	// one item. Capacity is then that of the largest of these cores.
	Item int
	// Core on which the items that are pinned to it do not fit, -1 where the
	// reason is not one core. With neither, all items do not fit on all cores.
	Core            int
	Bytes, Capacity int64
}

var errSearch = errors.New("fault of the packing search")

// Pack searches for the packing of least value until it is proven, the steps are
// spent or ctx ends. Errors wrap ErrProblem, or ErrPacking for Options.First, or
// report a fault of the search.
func Pack(ctx context.Context, p *Problem, o Options) (Result, error) {
	w, err := compile(p)
	if err != nil {
		return Result{}, err
	}
	b := newBoard(w, o)
	if o.First != nil {
		if _, err := p.Value(o.First); err != nil {
			return Result{}, fmt.Errorf("first packing: %w", err)
		}
		b.lower("given", stateOf(w, o.First))
	}
	return b.result(b.search(ctx, o.Seed, o.Steps))
}

// search lets the parts work, and returns the steps that they took.
func (b *board) search(ctx context.Context, seed uint64, steps int64) int64 {
	least := bounds(b)
	if b.closed() {
		return 0
	}
	greedy(b)
	if b.closed() {
		return 0
	}
	stretch(b, least)
	if b.closed() {
		return 0
	}
	parts := []part{newAnnealer(b.w, b, seed), newBrancher(b.w, b)}
	if steps == 0 {
		if prober := newProber(b); prober != nil {
			parts = append(parts, prober)
		}
	}
	return takeTurns(ctx, b, parts, steps)
}
