package schedule

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Options say how long and how to search. The zero value searches to the end.
type Options struct {
	// Seed of all random choices.
	Seed uint64
	// Steps is a budget that does not depend on the machine; 0 is none. With it
	// the same problem, seed and steps give the same Result unless ctx ends
	// first.
	Steps int64
	// OnChange, when set, is called with what is known whenever something got
	// better, by one goroutine at a time. The search waits for it.
	OnChange func(Progress)
	// Rank orders ops that one wants in early stages before those that one wants
	// in late ones: the start of each op in some schedule; nil for none.
	Rank []int64
	// First is a solution to start from; nil for none. What is returned is not
	// worse.
	First *Solution
	// Judge, when set, is asked about every solution that is otherwise legal, by
	// any goroutine. It returns clauses that every solution that may be returned
	// keeps, of which the solution breaks one or more; none when it accepts the
	// solution.
	Judge func(*Solution) ([]Clause, error)
	// LeaveOut are kinds of constraints that only the judge sees to.
	LeaveOut []Kind
}

// Progress is what is known while a search goes on.
type Progress struct {
	Found bool
	Cost  Cost // of the best solution, when one was found; traffic is not known yet
	Bound int64
}

// Status says what a Result holds.
type Status int

const (
	// StatusUnknown: the budget ended before any solution was found.
	StatusUnknown Status = iota
	// Feasible: a solution was found; a better one may exist.
	Feasible
	// Optimal: a solution was found, and none has a smaller interval, nor, with
	// the same interval, fewer forwards.
	Optimal
	// Infeasible: no solution is legal.
	Infeasible
)

func (s Status) String() string {
	return [...]string{"unknown", "feasible", "optimal", "infeasible"}[s]
}

// Result is what a search found.
type Result struct {
	Status   Status
	Solution *Solution // nil when nothing was found
	Cost     Cost
	FoundBy  string // the part that found it

	// Bound is proven: no solution has a smaller interval. Sum adds up to it
	// where that can be done by hand.
	Bound   int64
	BoundBy string
	Sum     *Sum
	// Fewest is proven: no solution with this interval has fewer forwards.
	Fewest   int
	FewestBy string
	// LeastTraffic is proven for any other placement of the same schedule that
	// leaves each logical core on a machine core of its kind.
	LeastTraffic int64

	// Rounds is how many solutions the judge refused.
	Rounds int
	Steps  int64
}

var errSearch = errors.New("fault of the search")

// Solve searches for the best solution until it is proven, the steps are spent
// or ctx ends. Errors wrap ErrProblem or report a fault of the search.
func Solve(ctx context.Context, p *Problem, o Options) (Result, error) {
	if err := p.Check(); err != nil {
		return Result{}, err
	}
	b := newBoard(p, o)
	n := naming{precise: o.Judge != nil, off: map[Kind]bool{}}
	for _, k := range o.LeaveOut {
		n.off[k] = true
	}
	if o.First != nil {
		if _, err := p.Cost(o.First); err != nil {
			return Result{}, fmt.Errorf("first solution: %w", err)
		}
		b.lower("given", o.First)
	}
	l := newLayers(b, o)
	if len(o.LeaveOut) > 0 {
		l = nil
	}
	var e *exact
	if modelSize(p) <= exactSize {
		e = newExact(b, n)
	}
	share := 1.0
	if p.Hops != nil && o.Steps == 0 {
		share = 0.9 // the rest of the time is for the places
	}
	searching, stop := portion(ctx, share)
	steps := search(searching, b, l, e, o.Steps)
	stop()
	if judged, ok := b.fault.(judgeError); ok {
		return Result{}, judged.error
	}
	if b.fault != nil {
		return Result{}, fmt.Errorf("%w: %w", errSearch, b.fault)
	}
	r := Result{Rounds: b.rounds, Bound: b.bound, BoundBy: b.boundBy, Sum: b.reason, Fewest: b.fewest, FewestBy: b.fewestBy, Steps: steps}
	switch {
	case b.infeasible && b.best != nil:
		return Result{}, fmt.Errorf("%w: a solution by %s, and none by %s", errSearch, b.bestBy, b.refutedBy)
	case b.infeasible:
		r.Status, r.BoundBy = Infeasible, b.refutedBy
		return r, nil
	case b.best == nil:
		return r, nil
	case b.bound > b.cost.Interval:
		return Result{}, fmt.Errorf("%w: interval %d by %s, and no less than %d by %s", errSearch, b.cost.Interval, b.bestBy, b.bound, b.boundBy)
	case b.fewest > b.cost.Forwards:
		return Result{}, fmt.Errorf("%w: %d forwards by %s, and no fewer than %d by %s", errSearch, b.cost.Forwards, b.bestBy, b.fewest, b.fewestBy)
	}
	r.Status, r.Solution, r.Cost, r.FoundBy = Feasible, b.best, b.cost, b.bestBy
	if b.bound == b.cost.Interval && b.fewest >= b.cost.Forwards {
		r.Status = Optimal
	}
	return place(ctx, p, r, o)
}

// search lets the two searches run, side by side or, with a budget of steps, one
// after the other. One of them may be nil.
func search(ctx context.Context, b *board, l *layers, e *exact, steps int64) int64 {
	if steps > 0 {
		share, spent := steps, int64(0)
		if e != nil {
			share = steps / 2
		}
		if l != nil {
			spent = l.run(ctx, share)
		} else {
			share = 0
		}
		if e != nil {
			spent += e.turn(ctx, steps-share)
		}
		return spent
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	var spent [2]int64
	if l != nil {
		wg.Go(func() { spent[0] = l.run(ctx, never) })
	}
	if e != nil {
		wg.Go(func() { spent[1] = e.turn(ctx, never) })
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
