package schedule

import (
	"context"
	"slices"

	"plancheck/internal/search/packing"
)

// pool packs the shares of all ops on all cores, as if there were neither stages
// nor weights, and every core were of the fastest kind. Its cores are all alike,
// so it is often proven to the end, and what it proves is true of the whole
// problem. That helps where shares are so large that they do not fill the cores.
func (l *layers) pool(ctx context.Context) {
	p := l.b.p
	if p.Stages == 1 || !l.going(ctx) || l.b.settled() {
		return
	}
	const few = 30 // with more shares on a core, sums are about as good
	shares := 0
	for o := range p.Ops {
		shares += p.Ops[o].Shares()
	}
	if shares > few*p.Cores {
		return
	}
	q := &packing.Problem{Cores: slices.Repeat([]packing.Core{{Capacity: packing.Unlimited}}, p.Cores)}
	for o := range p.Ops {
		item := packing.Item{Cycles: []int64{l.g.share[o]}, Pin: packing.Free}
		q.Items = append(q.Items, slices.Repeat([]packing.Item{item}, p.Ops[o].Shares())...)
	}
	bound, _ := l.b.limits()
	r, err := packing.Pack(ctx, q, packing.Options{Seed: l.o.Seed, Steps: thorough, Target: bound})
	if err != nil {
		l.b.fail(err)
		return
	}
	l.spent += r.Steps
	l.b.raise("pool", r.Bound, nil)
}
