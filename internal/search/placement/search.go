package placement

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// part is one method of the team. It works on what the board holds and writes
// what it finds there: a better placement, a greater bound.
type part interface {
	name() string
	// turn works for about this many steps, fewer when ctx ends or the board
	// is closed, and returns the steps it took and whether a later turn may
	// find more. A step is roughly a microsecond's work. What a turn does
	// depends on the board and on earlier turns, not on time.
	turn(ctx context.Context, steps int64) (spent int64, more bool)
}

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
	// Unknown: nothing is known. Solve does not return it, as greedy
	// construction always comes to an end.
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
	w, err := compile(p)
	if err != nil {
		return Result{}, err
	}
	if hall := newMatching(p.Cores, len(p.Hops), w.allows).hall(); hall != nil {
		return Result{Status: Infeasible, Hall: hall, BoundBy: "matching"}, nil
	}
	b := newBoard(w)
	b.onChange = o.OnChange
	if o.First != nil {
		value, err := p.Traffic(o.First)
		if err != nil {
			return Result{}, fmt.Errorf("first placement: %w", err)
		}
		b.lower("given", w.expand(o.First), value)
	}
	m := newMatching(w.n, w.n, w.allows)
	m.hall() // there is none, so the matching is perfect
	place := w.greedy(m)
	w.descend(ctx, place)
	b.lower("greedy", place, w.traffic(place))
	bound := newBounder(w)
	free := slices.Repeat([]int{Free}, w.n)
	bound.assign.stop = func() bool { return ctx.Err() != nil }
	twice, ok := bound.bound(free, free)
	bound.assign.stop = nil
	switch {
	case ok:
		b.raise("Gilmore-Lawler", (twice+1)/2)
	case ctx.Err() == nil:
		return Result{}, fmt.Errorf("%w: no assignment where there is a matching", errSearch)
	}
	if ctx.Err() == nil {
		b.raise("cuts", w.cutBound(ctx))
	}
	return b.result(takeTurns(ctx, b, newTeam(w, b, bound, o.Seed), o.Steps))
}

// newTeam lists the parts in the order in which they take turns.
func newTeam(w *net, b *board, bound *bounder, seed uint64) []part {
	const mostBranched = 40 // cores with a choice; with more, nothing comes of it
	a := newAnnealer(w, b, seed)
	if len(a.movable) > mostBranched {
		return []part{a}
	}
	team := []part{a, newBrancher(w, b, bound)}
	if r := newRounder(w, b); r != nil {
		team = append(team, r)
	}
	return team
}

// takeTurns gives turns to the part that had least so far, of equals to the
// first, until all is found or the steps, unless they are 0, are spent. Turns are
// short at first, so that a part to which a problem is easy comes up soon.
func takeTurns(ctx context.Context, b *board, parts []part, steps int64) int64 {
	const shortest, longest = 500, 50_000
	if steps <= 0 {
		steps = noValue
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
		turn := min(max(had[at], shortest), longest)
		took, more := parts[at].turn(ctx, min(turn, steps-spent))
		spent += took
		had[at] += max(took, turn) // also when it passed
		if !more {
			parts, had = slices.Delete(parts, at, at+1), slices.Delete(had, at, at+1)
		}
	}
	return spent
}

var errSearch = errors.New("fault of the placement search")
