package schedule

import (
	"context"
	"time"

	"plancheck/solver"
)

// late says whether half of the budget is spent, of time or of steps.
func (r *repairer) late(ctx context.Context) bool {
	if r.o.Steps > 0 {
		return r.steps > r.o.Steps/2
	}
	end, limited := ctx.Deadline()
	return limited && time.Until(end) < end.Sub(r.started)/2
}

// blocks is in how many parts the decisions are kept or given up by settleForAny.
const blocks = 64

// settleForAny finds a solution that keeps many decisions, without a claim to keep
// the most: it goes through them block by block, and keeps a block whole if that
// is possible beside those before it.
func (r *repairer) settleForAny(ctx context.Context) error {
	var kept []solver.Lit
	size := max(1, (len(r.all)+blocks-1)/blocks)
	for first := 0; first < len(r.all) && !r.spent(ctx); first += size {
		with := append(kept[:len(kept):len(kept)], r.all[first:min(first+size, len(r.all))]...)
		answer, err := r.ask(ctx, with)
		if err != nil {
			return err
		}
		if answer.Status == solver.Sat {
			kept = with
		}
	}
	for !r.spent(ctx) {
		answer, err := r.ask(ctx, kept)
		if err != nil || answer.Status == solver.Unknown {
			return err
		}
		if answer.Status == solver.Unsat {
			if len(kept) == 0 {
				return nil
			}
			kept = kept[:len(kept)/2]
			continue
		}
		s, err := r.settle(ctx, answer.Model, never64)
		if err != nil {
			return err
		}
		if s != nil {
			return r.keep(s)
		}
	}
	return nil
}

// anewSteps is what startAnew takes, at most.
const anewSteps = 300_000

// startAnew looks for any solution, whatever it keeps. The search of Solve finds
// one in large problems where the solver is lost.
func (r *repairer) startAnew(ctx context.Context) error {
	o := Options{Seed: r.o.Seed, Steps: anewSteps, Judge: r.judge}
	if r.o.Steps > 0 {
		o.Steps = max(1, min(o.Steps, (r.o.Steps-r.steps)/2))
	}
	found, err := Solve(ctx, r.m.p, o)
	if err != nil {
		return err
	}
	r.steps += found.Steps
	if found.Solution == nil {
		return nil
	}
	return r.keep(found.Solution)
}
