package schedule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"plancheck/internal/search/partition"
)

// Exploring says what Explore lists.
type Exploring struct {
	// Count is how many schedules are looked for, the first one included.
	Count int
	// Limit is the greatest interval of a schedule that is listed.
	Limit int64
	// Distance is how many ops, at least, have another stage in any two
	// schedules; 0 counts as 1.
	Distance int
	// Fewer also looks for a schedule with as few forwards as the limit allows.
	Fewer bool
	// Seed and Steps are as in Options.
	Seed  uint64
	Steps int64
	// Accept, when set, is shown every schedule before it is listed; one that it
	// does not accept is left out, and looked for no further. An error ends the
	// search.
	Accept func(Found) (bool, error)
	// Judge, when set, is asked about every solution, as that of Options is. Where
	// it refuses the one that is found soon, another one with the same stages is
	// looked for. Then copies are not known, and count.
	Judge func(*Solution) ([]Clause, error)
	// OnFound, when set, is called with how many schedules were found, and how
	// many choices of stages were tried.
	OnFound func(found, tried int)
}

// Found is a schedule of a list.
type Found struct {
	Solution *Solution
	Cost     Cost
	// LeastTraffic is proven for any other placement of the same schedule.
	LeastTraffic int64
	// Number says as which it was accepted, from 0 on.
	Number int
}

// Exploration is a list of schedules.
type Exploration struct {
	Found []Found // sorted by cost
	// All: every schedule within the limit is in the list, is a copy of one, is
	// not apart from one, was not accepted, or is Unpacked.
	All bool
	// Rejected is how many were not accepted.
	Rejected int
	// Unpacked is how many choices of stages may be within the limit as far as
	// cores are counted, and for which no cores were found, nor a proof that there
	// are none.
	Unpacked int
	Steps    int64
}

// Explore lists solutions that put ops into different stages, all within a limit
// of the interval. It starts with a solution, whose interval should be within the
// limit. For each choice of stages it makes one solution, the best that it finds
// soon: other cores under the same stages count as the same schedule. So do
// copies: where nothing tells stages from each other, solutions that differ only
// in which stages are empty; in those that are listed the empty stages are behind
// all others. It ends when Count are found, nothing is left, the steps are spent
// or ctx ends. Errors wrap ErrProblem, ErrSolution or partition.ErrLarge, or
// report a fault of the search.
func Explore(ctx context.Context, p *Problem, first Found, x Exploring) (Exploration, error) {
	if err := p.Check(); err != nil {
		return Exploration{}, err
	}
	if _, err := p.Cost(first.Solution); err != nil {
		return Exploration{}, err
	}
	e := &explorer{p: p, x: x, g: newGround(p), refused: map[string]bool{}}
	e.a = &arranger{ground: e.g, seed: x.Seed, known: map[string]*packed{}}
	e.closes = x.Judge == nil && e.interchangeable()
	if e.closes {
		closed, err := e.closeUp(ctx, first)
		if err != nil {
			return Exploration{}, err
		}
		first = *closed
	}
	if _, err := e.keep(&first); err != nil {
		return Exploration{}, err
	}
	if len(e.found) < x.Count {
		if err := e.search(ctx); err != nil {
			return Exploration{}, err
		}
	}
	slices.SortStableFunc(e.found, func(a, b Found) int { return compareCosts(a.Cost, b.Cost) })
	return Exploration{Found: e.found, All: e.all, Rejected: len(e.refused), Unpacked: e.unpacked, Steps: e.total()}, nil
}

// keep lists a schedule that is accepted.
func (e *explorer) keep(f *Found) (accepted bool, err error) {
	f.Number = len(e.found)
	if e.x.Accept != nil {
		if accepted, err := e.x.Accept(*f); err != nil || !accepted {
			e.refused[fmt.Sprint(f.Solution.Stage)] = err == nil
			return false, err
		}
	}
	e.found = append(e.found, *f)
	if e.x.OnFound != nil {
		e.x.OnFound(len(e.found), e.tried)
	}
	return true, nil
}

// compareCosts orders costs: interval, forwards, traffic; what is not known is
// more than anything.
func compareCosts(a, b Cost) int {
	if c := cmp.Or(cmp.Compare(a.Interval, b.Interval), cmp.Compare(a.Forwards, b.Forwards)); c != 0 || a.Traffic == b.Traffic {
		return c
	}
	switch {
	case a.Traffic == Unknown:
		return 1
	case b.Traffic == Unknown:
		return -1
	}
	return cmp.Compare(a.Traffic, b.Traffic)
}

// explorer is the state of Explore.
type explorer struct {
	p      *Problem
	x      Exploring
	g      *ground
	a      *arranger
	closes bool // empty stages are behind all others
	found  []Found
	tried  int
	// refused are the stages of schedules that were not accepted.
	refused map[string]bool

	unpacked int
	all      bool

	spent int64
	fault error
}

func (e *explorer) total() int64 { return e.spent + e.a.spent }

// search goes through the phases.
func (e *explorer) search(ctx context.Context) error {
	if e.x.Fewer {
		if err := e.fewer(ctx); err != nil {
			return err
		}
	}
	for _, f := range e.phases() {
		if more, err := e.list(ctx, f); !more || err != nil {
			return err
		}
	}
	return nil
}

// briefSteps is what a brief phase takes, at most.
const briefSteps = 60_000

// list tries the stages of a phase. It says whether to go on.
func (e *explorer) list(ctx context.Context, f phase) (more bool, err error) {
	if len(e.found) >= e.x.Count || ctx.Err() != nil || e.x.Steps > 0 && e.total() >= e.x.Steps {
		return false, nil
	}
	q := e.g.relax(f.reserve)
	if q.Cores != nil && slices.ContainsFunc(q.Cores.Sizes, func(r partition.Range) bool { return r.Lo < 1 || r.Hi > q.Cores.Total }) {
		return false, nil // no range is right
	}
	l := partition.Listing{Limit: f.limit, Distance: e.x.Distance, Apart: !e.closes, Capped: f.capped, Cap: f.cap}
	for _, found := range e.found {
		l.Kept = append(l.Kept, append(slices.Clone(found.Solution.Stage), e.g.outside()...))
	}
	if e.x.Steps > 0 {
		l.Steps = max(1, e.x.Steps-e.total())
	}
	if !f.last() { // the others shall have their share
		share := 0.125
		l.Steps = (l.Steps + 7) / 8
		if f.brief {
			share = 0.01
			l.Steps = max(1, min(l.Steps, briefSteps))
			if e.x.Steps == 0 {
				l.Steps = briefSteps
			}
		}
		if e.x.Steps == 0 { // else what is found must not depend on the clock
			var done context.CancelFunc
			ctx, done = portion(ctx, share)
			defer done()
		}
	}
	vain := 0
	listed, err := partition.Enumerate(ctx, q.Problem, l, func(stages, _ []int, value int64) partition.Choice {
		stage := stages[:len(e.p.Ops)]
		if e.refused[fmt.Sprint(stage)] {
			return partition.Skip
		}
		found, err := e.try(ctx, stage, value, f.last())
		accepted := false
		if found != nil && err == nil {
			accepted, err = e.keep(found)
		}
		switch {
		case err != nil:
			e.fault = err
			return partition.Stop
		case ctx.Err() != nil && found == nil:
			return partition.Stop
		case !accepted:
			if vain++; vain == f.patience || e.x.Steps > 0 && e.total() >= e.x.Steps {
				return partition.Stop
			}
			return partition.Skip
		}
		vain = 0
		if len(e.found) >= e.x.Count || e.x.Steps > 0 && e.total() >= e.x.Steps {
			return partition.Stop
		}
		return partition.Keep
	})
	e.spent += listed.Steps
	if err = errors.Join(e.fault, err); err != nil {
		return false, err
	}
	e.all = listed.All && f.last()
	return len(e.found) < e.x.Count, nil
}

// fixedSteps is how long the whole search looks for cores under given stages, and
// placeQuick how long it looks for places.
const fixedSteps, placeQuick = 2_000_000, 300_000

// try makes the best solution that it soon finds for these stages; nil where none
// is within the limit. Last says that it is worth while to look longer: the stages
// do not come again.
func (e *explorer) try(ctx context.Context, stage []int, value int64, last bool) (*Found, error) {
	e.tried++
	if e.p.NonEmpty && !e.p.fills(stage) {
		return nil, nil // a stage has forwards of the graph only, which the relaxed problem allows
	}
	interval := e.p.interval
	sol, err := e.a.arrange(ctx, stage, quick, value)
	if err == nil && (sol == nil || interval(sol) > e.x.Limit) {
		sol, err = e.a.arrange(ctx, stage, thorough, e.x.Limit)
	}
	if err != nil {
		return nil, err
	}
	refused := false
	if sol != nil && e.x.Judge != nil {
		clauses, err := e.x.Judge(sol)
		if err != nil {
			return nil, err
		}
		refused = len(clauses) > 0
	}
	if (sol == nil || interval(sol) > e.x.Limit) && last || refused {
		q := *e.p
		q.Ops = slices.Clone(e.p.Ops)
		for o, s := range stage {
			q.Ops[o].Lo, q.Ops[o].Hi = s, s
		}
		if modelSize(&q) > exactSize {
			e.unpacked++
			return nil, nil
		}
		r, err := Solve(ctx, &q, Options{Seed: e.x.Seed, Steps: fixedSteps, Judge: e.x.Judge})
		if err != nil {
			return nil, err
		}
		e.spent += r.Steps
		if sol = r.Solution; sol == nil || r.Cost.Interval > e.x.Limit {
			if r.Status != Infeasible && r.Bound <= e.x.Limit {
				e.unpacked++
			}
			return nil, nil
		}
	}
	if sol == nil || interval(sol) > e.x.Limit {
		return nil, nil
	}
	cost, err := e.p.Cost(sol)
	if err != nil {
		return nil, fmt.Errorf("%w: explored: %w", errSearch, err)
	}
	return e.place(ctx, sol, cost)
}

// place chooses places for the cores of a solution.
func (e *explorer) place(ctx context.Context, s *Solution, cost Cost) (*Found, error) {
	r, err := place(ctx, e.p, Result{Solution: s, Cost: cost}, Options{Seed: e.x.Seed, Steps: 4 * placeQuick, Judge: e.x.Judge})
	if err != nil {
		return nil, err
	}
	e.spent += r.Steps
	return &Found{Solution: r.Solution, Cost: r.Cost, LeastTraffic: r.LeastTraffic}, nil
}

// fewer looks for stages that need as few forwards as possible within the limit.
func (e *explorer) fewer(ctx context.Context) error {
	if len(e.found) == 0 {
		return nil
	}
	first := &e.found[0]
	if first.Cost.Forwards == 0 || first.Cost.Interval > e.x.Limit {
		return nil
	}
	q := e.g.relax(0)
	start := append(slices.Clone(first.Solution.Stage), e.g.outside()...)
	o := partition.Options{Seed: e.x.Seed}
	if e.x.Steps > 0 {
		o.Steps = max(1, e.x.Steps/4)
	}
	if e.x.Steps == 0 {
		var done context.CancelFunc
		ctx, done = portion(ctx, 0.25)
		defer done()
	}
	r, err := partition.Fewest(ctx, q.Problem, e.x.Limit, start, o)
	if err != nil {
		return err
	}
	e.spent += r.Steps
	if r.Stages == nil || r.Carried >= first.Cost.Forwards {
		return nil
	}
	stage := r.Stages[:len(e.p.Ops)]
	if e.closes {
		stage = partition.Closed(stage, e.p.Stages)
	}
	if differ(stage, first.Solution.Stage) < max(e.x.Distance, 1) {
		return nil
	}
	f, err := e.try(ctx, stage, r.Value, false)
	if f != nil && err == nil {
		_, err = e.keep(f)
	}
	return err
}

// differ is how many ops have another stage.
func differ(a, b []int) int {
	n := 0
	for o := range a {
		if a[o] != b[o] {
			n++
		}
	}
	return n
}
