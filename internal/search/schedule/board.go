package schedule

import (
	"fmt"
	"math"
	"sync"
)

// noInterval stands above every interval.
const noInterval = math.MaxInt64

// board is what the parts of a search share: the best solution by interval and
// then by forwards, and what is proven of both. It is safe for several
// goroutines.
type board struct {
	p        *Problem
	onChange func(Progress)
	judge    func(*Solution) ([]Clause, error) // nil when there is none

	mu     sync.Mutex
	best   *Solution // nil while none is known
	cost   Cost      // of best; its Interval is noInterval while none is known
	bestBy string

	bound   int64 // no solution has a smaller interval
	boundBy string
	reason  *Sum // adds up to bound, where that can be done by hand
	fewest  int  // no solution with the best interval, or a smaller one, has fewer forwards
	// fewestBy is "" while fewest is not more than what is trivial.
	fewestBy   string
	infeasible bool
	refutedBy  string
	learned    []Clause // of the judge
	rounds     int      // solutions that the judge refused
	fault      error
	done       chan struct{} // closed when nothing is left to find
}

func newBoard(p *Problem, o Options) *board {
	return &board{p: p, onChange: o.OnChange, judge: o.Judge, cost: Cost{Interval: noInterval}, done: make(chan struct{})}
}

// limits returns the bound and the best interval, noInterval when there is none.
func (b *board) limits() (bound, interval int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bound, b.cost.Interval
}

// forwards returns what is proven of the number of forwards, and the best.
func (b *board) forwards() (fewest, best int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fewest, b.cost.Forwards
}

// incumbent is the best solution, nil when there is none. It is not to be
// changed.
func (b *board) incumbent() *Solution {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.best
}

// closed says whether there is nothing left to find.
func (b *board) closed() bool {
	select {
	case <-b.done:
		return true
	default:
		return false
	}
}

// lower offers a solution. It is kept when it is better than the best, and the
// judge, if there is one, does not refuse it; it says whether the judge did.
// Every part believes its solutions to be legal otherwise, so one that is not is
// a fault.
func (b *board) lower(by string, s *Solution) (refused bool) {
	if b.refuses(s) {
		return true
	}
	cost, err := b.p.Cost(s)
	if err != nil {
		b.fail(err)
		return false
	}
	b.keep(by, s, cost)
	return false
}

// refuses asks the judge about a solution, and keeps what it says against it.
func (b *board) refuses(s *Solution) bool {
	if b.judge == nil {
		return false
	}
	clauses, err := b.judge(s)
	if err != nil {
		b.fail(err)
		return true
	}
	for _, c := range clauses {
		if c.Holds(s) {
			b.fail(fmt.Errorf("the judge refuses a solution by a clause that it keeps: %v", c))
			return true
		}
	}
	if len(clauses) == 0 {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.learned = append(b.learned, clauses...)
	b.rounds++
	return true
}

// lessons are what the judge said after the first so many clauses.
func (b *board) lessons(after int) []Clause {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.learned[after:len(b.learned):len(b.learned)]
}

// keep keeps a solution that is better than the best.
func (b *board) keep(by string, s *Solution, cost Cost) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if cost.Interval > b.cost.Interval || cost.Interval == b.cost.Interval && cost.Forwards >= b.cost.Forwards && b.best != nil {
		return
	}
	b.best, b.cost, b.bestBy = s, cost, by
	b.tell()
}

// raise offers a bound of the interval and, where it adds up, its sum.
func (b *board) raise(by string, bound int64, reason *Sum) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bound > b.bound && !b.infeasible {
		b.bound, b.boundBy, b.reason = bound, by, reason
		b.tell()
	}
}

// raiseForwards offers a bound of the number of forwards of all solutions whose
// interval is at most this one.
func (b *board) raiseForwards(by string, interval int64, fewest int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if interval >= b.cost.Interval && fewest > b.fewest {
		b.fewest, b.fewestBy = fewest, by
		b.tell()
	}
}

// refute says that no solution is legal.
func (b *board) refute(by string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.infeasible, b.refutedBy = true, by
	b.tell()
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

// settled says whether the interval cannot become better.
func (b *board) settled() bool {
	bound, interval := b.limits()
	return bound >= interval
}

func (b *board) tell() {
	if b.infeasible || b.best != nil && b.bound >= b.cost.Interval && b.fewest >= b.cost.Forwards {
		b.stop()
	}
	if b.onChange != nil {
		b.onChange(Progress{Found: b.best != nil, Cost: b.cost, Bound: b.bound})
	}
}

func (b *board) stop() {
	select {
	case <-b.done:
	default:
		close(b.done)
	}
}
