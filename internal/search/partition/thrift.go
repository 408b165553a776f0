package partition

import (
	"context"
	"math"
)

// thrift lowers what the best assignment of Fewest carries: an annealer to which
// every pair of a value and a stage has a price.
type thrift struct {
	t *tally
	a *annealer
}

func newThrift(t *tally, seed uint64) *thrift {
	// To it all values are of interest, not only those that cost something.
	w := *t.w
	w.vals, w.valsOf = w.all, make([][]int, w.n)
	for i := range w.vals {
		w.valsOf[w.vals[i].op] = append(w.valsOf[w.vals[i].op], i)
	}
	a := newAnnealer(&w, nil, seed)
	a.t = t
	return &thrift{t, a}
}

// turn goes on with the run under way, or begins another, for a while. It never
// ends by itself.
func (h *thrift) turn(ctx context.Context) (more bool, err error) {
	const steps = 5_000
	a := h.a
	best := h.t.incumbent()
	h.t.spend(1)
	if len(a.free) == 0 || best == nil {
		return false, nil
	}
	if a.spent >= a.total {
		// A price is set against squares of overload, so a high one lets stages
		// pass the limit for it, for a while, and a low one hardly counts.
		a.price = 1e-4 * math.Pow(10, -4*a.rng.Float64())
		a.start(best, h.t.limit)
		a.hot = a.price * math.Pow(10, 2*a.rng.Float64()-1)
		a.cold = a.hot / 1000
	}
	_, a.fewest = h.t.limits()
	h.t.spend(a.run(ctx, min(8*steps, a.total-a.spent)) / 8)
	return true, nil
}
