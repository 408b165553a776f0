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
