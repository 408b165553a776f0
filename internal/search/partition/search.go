package partition

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// part is one method of the team. It works on what the board holds and writes
// what it finds there: a better assignment, a greater bound.
type part interface {
	name() string
	// turn works for about this many steps, fewer when ctx ends or the board
	// is closed, and returns the steps it took and whether a later turn may
	// find more. A step is roughly a microsecond's work. What a turn does
	// depends on the board and on earlier turns, not on time.
	turn(ctx context.Context, steps int64) (spent int64, more bool)
}

// Options say how long and how to search. The zero value searches to the end.
type Options struct {
	// Seed of all random choices.
	Seed uint64
	// Steps is a budget that does not depend on the machine; 0 is none. With
	// it the parts take turns in a fixed order, and the same problem, seed
	// and steps give the same Result unless ctx ends first. Without it the
	// parts run side by side, and only the values are the same in every run.
	Steps int64
	// First is an assignment to start from; nil for none. It must be legal.
	First []int
	// OnChange, when set, is called with the bound and the best value so far
	// (-1 for none) whenever one of them got better, by one goroutine at a
	// time. The search waits for it.
	OnChange func(bound, value int64)
	// OnAssignment, when set, is called with every assignment that is better
	// than the ones before: the stage of each op, the cores of each stage (nil
	// without Cores), and the value. The slices are the callee's. It is called
	// by one goroutine at a time, before OnChange, and the search waits for it.
	OnAssignment func(stages, sizes []int, value int64)
}

// Status says what a Result holds.
type Status int

const (
	// Unknown: the budget ended before any assignment was found.
	Unknown Status = iota
	// Feasible: an assignment was found; a better one may exist.
	Feasible
	// Optimal: an assignment was found and no better one exists.
	Optimal
	// Infeasible: no assignment is legal.
	Infeasible
)

func (s Status) String() string {
	return [...]string{"unknown", "feasible", "optimal", "infeasible"}[s]
}

// Result is what a search found.
type Result struct {
	Status  Status
	Stages  []int  // of each op; nil when Unknown or Infeasible
	Sizes   []int  // cores of each stage; nil without Stages or Cores
	Value   int64  // of Stages, as Problem.Sizes has it
	FoundBy string // the part that found Stages
	// Bound is proven: every legal assignment has this value or a greater
	// one. It equals Value when Optimal.
	Bound   int64
	BoundBy string // the part that proved Bound, or infeasibility
	// Sum adds up to Bound where the bound is plain arithmetic; else nil, and
	// Certify is the way to have it confirmed.
	Sum   *Sum
	Steps int64
}

// Sum is a bound that can be added up by hand: in every legal assignment the
// Ops have stages among Width consecutive ones, from First on, and the values
// of Carried pass through them, and these stages have no more than Cores cores,
// so that one of them has at least the total divided by Cores, rounded up.
// Cores is Width in a problem without Cores. A single op has one stage whichever
// it is; First is then -1.
type Sum struct {
	First, Width int
	Cores        int64
	Ops          []int
	Carried      []Carry
	Total        int64
}

// Carry is a value of Op passing through Stages stages; Value is as in Edge.
type Carry struct{ Op, Value, Stages int }

// Solve searches for the assignment of least value until it is proven, the
// steps are spent or ctx ends. Errors wrap ErrProblem, or ErrStages for
// Options.First, or report a fault of the search.
func Solve(ctx context.Context, p *Problem, o Options) (Result, error) {
	w, err := compile(p)
	if err != nil {
		return Result{}, err
	}
	b := newBoard(w)
	b.onChange, b.onAssignment = o.OnChange, o.OnAssignment
	if o.First != nil {
		if _, err := p.Value(o.First); err != nil {
			return Result{}, fmt.Errorf("first assignment: %w", err)
		}
		b.lower("given", w.shrink(o.First))
	}
	if err := structure(b); err != nil {
		return Result{}, err
	}
	team := newTeam(w, b, o.Seed)
	var steps int64
	if o.Steps > 0 {
		steps = takeTurns(ctx, b, team.all(), o.Steps)
	} else {
		steps = race(ctx, b, team)
	}
	return b.result(steps)
}

// takeTurns gives turns to the part that had least so far, of equals to the
// first, until all is found or the steps are spent. Turns are short at first, so
// that a part to which a problem is easy comes up soon.
func takeTurns(ctx context.Context, b *board, parts []part, steps int64) int64 {
	const shortest, longest = 500, 50_000
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

// race runs the two halves of the team side by side until all is found or ctx
// ends.
func race(ctx context.Context, b *board, t team) int64 {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	var spent [2]int64
	for i, parts := range [][]part{t.sat, t.rest} {
		wg.Go(func() {
			spent[i] = takeTurns(ctx, b, parts, noValue)
		})
	}
	finished := make(chan struct{})
	go func() { wg.Wait(); close(finished) }()
	select {
	case <-b.done:
		cancel()
		<-finished
	case <-finished:
	}
	return spent[0] + spent[1]
}

var errSearch = errors.New("fault of the partition search")

// result turns the board into a Result, and holds its claim against the
// definition in Problem.Loads.
func (b *board) result(steps int64) (Result, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := Result{Bound: b.bound, BoundBy: b.boundBy, Sum: b.reason, Steps: steps}
	if b.fault != nil {
		return Result{}, b.fault
	}
	if b.infeasible {
		r.Status = Infeasible
		return r, nil
	}
	if b.best == nil {
		return r, nil
	}
	r.Stages, r.Value, r.FoundBy = b.w.expand(b.best), b.value, b.bestBy
	r.Status = Feasible
	if b.bound >= b.value {
		r.Status = Optimal
	}
	sizes, value, err := b.w.p.Sizes(r.Stages)
	r.Sizes = sizes
	if err != nil || value != b.value || b.bound > b.value {
		return Result{}, fmt.Errorf("%w: value %d by %s, %d when added up (%v), bound %d by %s",
			errSearch, b.value, b.bestBy, value, err, b.bound, b.boundBy)
	}
	return r, nil
}
