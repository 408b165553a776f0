package placement

import (
	"context"
)

// Options say how long and how to search.
type Options struct {
	// Seed of all random choices.
	Seed uint64
	// Steps is a budget that does not depend on the machine, roughly in
	// microseconds; 0 is none, and the search then goes on until the best is
	// proven or ctx ends, which may be never. Greedy construction and the
	// first bound are made whatever the budget. The same problem, seed and
	// steps give the same Result unless ctx ends first.
	Steps int64
	// First is a placement to start from; nil for none. It must be legal.
	First []int
	// OnChange, when set, is called with the bound and the best value so far
	// (-1 for none) whenever one of them got better. The search waits for it.
	OnChange func(bound, value int64)
}

// Status says what a Result holds.
type Status int

const (
	// Unknown: ctx ended before any placement was found.
	Unknown Status = iota
	// Feasible: a placement was found; a better one may exist.
	Feasible
	// Optimal: a placement was found and no better one exists.
	Optimal
	// Infeasible: no placement is legal.
	Infeasible
)

func (s Status) String() string {
	return [...]string{"unknown", "feasible", "optimal", "infeasible"}[s]
}

// Result is what a search found.
type Result struct {
	Status  Status
	Place   []int  // machine core of each logical core; nil when Unknown or Infeasible
	Value   int64  // traffic of Place
	FoundBy string // the part that found Place
	// Bound is proven: every legal placement has this traffic or more. It
	// equals Value when Optimal.
	Bound   int64
	BoundBy string // the part that proved Bound, or infeasibility
	// Hall, when Infeasible, says why: these logical cores, in order, have
	// together fewer machine cores than they are.
	Hall  []int
	Steps int64
}

// Solve searches for the placement of least traffic until it is proven, the
// steps are spent or ctx ends. Errors wrap ErrProblem, or ErrPlace for
// Options.First, or report a fault of the search.
func Solve(ctx context.Context, p *Problem, o Options) (Result, error) {
	return Result{}, nil
}
