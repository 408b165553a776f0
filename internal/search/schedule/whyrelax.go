package schedule

import (
	"context"
	"errors"
)

// Relaxation is what becomes of the whole problem when one constraint is given
// up: a read may then be longer than a stage, behind forwards; an op may be in
// any stage, a share on any core; a stage may have any range, a logical core any
// place; machine cores of a class hold anything; stages may be empty.
type Relaxation struct {
	// Status is Feasible when a solution was found, which costs Cost, and
	// Infeasible when there is none.
	Status Status
	Cost   Cost
	// Gone: that is no help, and the problem was solved without the read.
	Gone bool
	// All: that is no help, since a range ends where the next one begins, and the
	// ranges of all stages were given up.
	All bool
}

// mostRelaxed is how many constraints are given up in turn, what the user decided
// and the machine before reads.
const mostRelaxed = 24

func relaxations(ctx context.Context, p *Problem, core []Constraint, o WhyOptions) ([]Relaxation, error) {
	list := make([]Relaxation, len(core))
	var turns, reads []int
	for i, c := range core {
		if c.Kind == Reading {
			reads = append(reads, i)
		} else {
			turns = append(turns, i)
		}
	}
	bySpan(p, core, reads)
	turns = append(turns, reads...)
	turns = turns[:min(len(turns), mostRelaxed)]
	left := o.Steps
	for n, i := range turns {
		r := relaxer{p: p, o: o, steps: max(left/int64(len(turns)-n), 1)}
		var err error
		if list[i], err = r.relax(ctx, core[i]); err != nil {
			return nil, err
		}
		left -= r.spent
	}
	return list, nil
}

// relaxer solves relaxed problems.
type relaxer struct {
	p            *Problem
	o            WhyOptions
	steps, spent int64
}

func (r *relaxer) relax(ctx context.Context, c Constraint) (Relaxation, error) {
	switch c.Kind {
	case Reading:
	case RangeGiven:
		one, err := r.solve(ctx, r.p.Without(c))
		if err != nil || one.Status != Infeasible {
			return one, err
		}
		all, err := r.solve(ctx, r.p.Without(r.p.ranges()...))
		all.All = true
		return all, err
	default:
		return r.solve(ctx, r.p.Without(c))
	}
	v := r.p.Reads[c.Of].Value
	if r.p.Values[v].Forward == 0 {
		price := Price{Lanes: 1, Cycles: make([]int64, r.p.Kinds)}
		if r.o.Prices != nil {
			price = r.o.Prices[v]
		}
		if far, err := r.solve(ctx, r.p.far(c.Of, price)); err != nil || far.Status != Infeasible {
			return far, err
		}
	}
	gone, err := r.solve(ctx, r.p.Without(c))
	gone.Gone = true
	return gone, err
}

func (r *relaxer) solve(ctx context.Context, q *Problem) (Relaxation, error) {
	if pathConflict(q) != nil {
		return Relaxation{Status: Infeasible}, nil
	}
	if ctx.Err() != nil || r.spent >= r.steps {
		return Relaxation{}, nil
	}
	result, err := Solve(ctx, q, Options{Steps: r.steps - r.spent})
	if errors.Is(err, ErrProblem) {
		return Relaxation{}, nil // forwards that take too long to be counted
	}
	r.spent += result.Steps
	switch {
	case err != nil:
		return Relaxation{}, err
	case result.Solution != nil:
		return Relaxation{Status: Feasible, Cost: result.Cost}, nil
	}
	return Relaxation{Status: result.Status}, nil
}

// Cheapest is the index of the relaxation with the least interval, and then the
// fewest forwards; -1 where none is known. One that removes a read comes last.
func (w *Why) Cheapest() int {
	best := -1
	for i, r := range w.Relaxations {
		if r.Status != Feasible {
			continue
		}
		if best < 0 || r.CheaperThan(w.Relaxations[best]) {
			best = i
		}
	}
	return best
}

// CheaperThan compares relaxations that are feasible.
func (r Relaxation) CheaperThan(s Relaxation) bool {
	switch {
	case r.Gone != s.Gone:
		return s.Gone
	case r.Cost.Interval != s.Cost.Interval:
		return r.Cost.Interval < s.Cost.Interval
	}
	return r.Cost.Forwards < s.Cost.Forwards
}
