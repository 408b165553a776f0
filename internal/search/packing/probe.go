package packing

import (
	"context"
	"time"

	"plancheck/solver"
)

// prober asks the SAT solver for a packing that is better than the best, for a
// little longer each time. Where the weights leave little room it finds packings
// that walks do not come to. How far it gets depends on the machine, so it takes
// no part in a search with a budget of steps.
type prober struct {
	b     *board
	f     *formula
	turns int64
}

// newProber returns nil for problems that are too large for it.
func newProber(b *board) *prober {
	const most = 2000
	if (b.w.n+len(b.w.chunks))*b.w.m > most {
		return nil
	}
	return &prober{b: b}
}

func (r *prober) price() int64 { return 2 }

// turn asks for what the board lacks; when that does not exist, all is known.
func (r *prober) turn(ctx context.Context, steps int64) (int64, bool) {
	started := time.Now()
	spent := func() int64 { return time.Since(started).Microseconds() + 1 }
	// A better packing has a smaller limit, under which all clauses still hold.
	limit := int64(noLimit)
	if below := r.b.below(); below != noValue {
		limit = below - 1
	}
	if r.f == nil {
		if r.f, r.b.fault = encode(r.b.w, limit); r.b.fault != nil {
			return spent(), false
		}
	}
	r.f.limit = limit
	r.turns++
	ctx, cancel := context.WithTimeout(ctx, time.Duration(max(steps, 10_000*min(r.turns, 20)))*time.Microsecond)
	defer cancel()
	status, cores, _, err := r.f.solve(ctx, r.f.groups)
	switch {
	case err != nil:
		r.b.fault = err
		return spent(), false
	case status == solver.Sat:
		r.b.lower("probing", stateOf(r.b.w, cores))
	case status == solver.Unsat && limit == noLimit:
		r.b.refute("probing", nil)
	case status == solver.Unsat:
		r.b.raise("probing", limit+1)
		return spent(), false
	}
	return spent(), true
}
