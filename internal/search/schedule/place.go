package schedule

import (
	"context"
	"fmt"

	"plancheck/internal/search/placement"
)

// placeSteps is how long the placement is searched without a budget of steps.
const placeSteps = 3_000_000

// place gives a result the best places that it finds for its logical cores. It
// changes neither stages nor cores, so interval and forwards stay.
func place(ctx context.Context, p *Problem, r Result, o Options) (Result, error) {
	if p.Hops == nil {
		return r, nil // before flow is a table that nobody reads
	}
	flow, known := p.Flow(r.Solution)
	if !known {
		return r, nil
	}
	q := &placement.Problem{Cores: p.Cores, Hops: p.Hops, Pins: p.Places}
	for from, row := range flow {
		for to, bytes := range row {
			if bytes > 0 {
				q.Flows = append(q.Flows, placement.Flow{From: from, To: to, Amount: bytes})
			}
		}
	}
	used := p.memory(r.Solution)
	for core, m := range r.Solution.Place {
		row := make([]bool, len(p.Machine))
		for k, other := range p.Machine {
			row[k] = other.Kind == p.Machine[m].Kind && (other.Capacity == Unknown || used[core] <= other.Capacity)
		}
		q.Allowed = append(q.Allowed, row)
	}
	steps := int64(placeSteps)
	if o.Steps > 0 {
		steps = max(1, o.Steps/4)
	}
	a, err := placement.Solve(ctx, q, placement.Options{Seed: o.Seed, Steps: steps, First: r.Solution.Place})
	if err != nil {
		return Result{}, fmt.Errorf("%w: places: %w", errSearch, err)
	}
	r.Steps += a.Steps
	r.LeastTraffic = a.Bound
	if a.Place == nil {
		return r, nil
	}
	placed := *r.Solution
	placed.Place = a.Place
	cost, err := p.Cost(&placed)
	if err != nil || cost.Interval != r.Cost.Interval || cost.Forwards != r.Cost.Forwards || cost.Traffic != a.Value {
		return Result{}, fmt.Errorf("%w: traffic %d, and cost %v when added up (%v)", errSearch, a.Value, cost, err)
	}
	if o.Judge != nil {
		// The places that the search chose were accepted; better ones need not be.
		clauses, err := o.Judge(&placed)
		if err != nil || len(clauses) > 0 {
			return r, err
		}
	}
	r.Solution, r.Cost = &placed, cost
	return r, nil
}
