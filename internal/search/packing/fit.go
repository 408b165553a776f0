package packing

import (
	"context"
	"math"

	"plancheck/solver"
)

// Fit asks whether there is a packing whose largest load is at most limit; a
// negative limit asks for any, so that only the weights count. Sat comes with the
// packing, Unsat with items that cannot be packed together, in ascending order: a
// set that was made small, though not always minimal. Errors wrap ErrProblem or
// report a fault of the search.
//
// Sums, counting and a short search come first; where they do not know, the SAT
// solver is asked, which can take any time: give ctx an end. Unknown is the answer
// when ctx ends first, and for problems that are too large to be put in clauses.
func Fit(ctx context.Context, p *Problem, limit int64) (solver.Status, []int, []int, error) {
	if limit < 0 {
		limit = noLimit
	}
	q := question{p, limit}
	all := make([]int, len(p.Items))
	for i := range all {
		all[i] = i
	}
	status, cores, _, err := q.soon(ctx, all, 100_000)
	if err != nil || status == solver.Sat {
		return status, cores, nil, err
	}
	if status == solver.Unsat {
		conflict, err := q.shrink(ctx, all)
		return status, nil, conflict, err
	}
	w, err := compile(p)
	if err != nil {
		return solver.Unknown, nil, nil, err
	}
	const most = 1 << 22 // literals; beyond that the solver would not come to an end
	if (w.n+len(w.chunks))*w.m > most {
		return solver.Unknown, nil, nil, nil
	}
	f, err := encode(w, limit)
	if err != nil {
		return solver.Unknown, nil, nil, err
	}
	status, cores, conflict, err := f.solve(ctx, f.groups)
	if err != nil || status != solver.Unsat {
		return status, cores, nil, err
	}
	conflict, err = q.shrink(ctx, conflict)
	return solver.Unsat, nil, conflict, err
}

// question is whether items can be packed within a limit, or noLimit.
type question struct {
	p     *Problem
	limit int64
}

// soon answers the question for some of the items if a search of few steps can,
// and returns how many steps it took.
func (q question) soon(ctx context.Context, items []int, steps int64) (solver.Status, []int, int64, error) {
	sub := *q.p
	sub.Items = make([]Item, len(items))
	for n, i := range items {
		sub.Items[n] = q.p.Items[i]
	}
	w, err := compile(&sub)
	if err != nil {
		return solver.Unknown, nil, 0, err
	}
	b := newBoard(w, Options{Target: min(q.limit, math.MaxInt64-1)})
	b.limit = q.limit
	r, err := b.result(b.search(ctx, 0, steps))
	switch {
	case err != nil:
		return solver.Unknown, nil, 0, err
	case r.Cores != nil && r.Value <= q.limit:
		return solver.Sat, r.Cores, r.Steps, nil
	case r.Status == Infeasible || r.Bound > q.limit:
		return solver.Unsat, nil, r.Steps, nil
	}
	return solver.Unknown, nil, r.Steps, nil
}

// shrink leaves out of a conflict block after block of items, of half of them, of
// a quarter and so on, for as long as a short search shows that the rest is a
// conflict, and all this together does not take long.
func (q question) shrink(ctx context.Context, conflict []int) ([]int, error) {
	const each, most = 2000, 2_000_000
	spent := int64(0)
	for block := (len(conflict) + 1) / 2; block > 0; block /= 2 {
		for from := 0; from < len(conflict); {
			if spent > most || ctx.Err() != nil {
				return conflict, nil
			}
			to := min(from+block, len(conflict))
			rest := append(append([]int(nil), conflict[:from]...), conflict[to:]...)
			status, _, steps, err := q.soon(ctx, rest, each)
			if err != nil {
				return nil, err
			}
			spent += steps + 4*int64(len(rest)+len(q.p.Cores))
			if status == solver.Unsat {
				conflict = rest
			} else {
				from = to
			}
		}
	}
	return conflict, nil
}
