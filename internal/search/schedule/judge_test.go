package schedule_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"plancheck/internal/search/schedule"
	"plancheck/internal/search/schedule/scheduletest"
)

// A judge that knows nothing but single solutions makes the search find the
// best of those that it accepts: here those in which two ops never share a core,
// or places add up to an even number.
func TestSolveObeysAJudge(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 40
	}
	refused := 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 12))
		p := scheduletest.Random(rng, 3)
		accepts := func(s *schedule.Solution) bool {
			if seed%2 == 0 {
				sum := 0
				for core, k := range s.Place {
					sum += core * k
				}
				return sum%2 == 0
			}
			taken := map[int]int{}
			for o, cores := range s.Core {
				for _, c := range cores {
					if other, there := taken[c]; there && other != o {
						return false
					}
					taken[c] = o
				}
			}
			return true
		}
		best, found := schedule.Cost{}, false
		tried := 0
		for s := range scheduletest.All(p) {
			if tried++; tried > 200_000 {
				break
			}
			cost, err := p.Cost(s)
			if err == nil && accepts(s) && (!found || cost.Interval < best.Interval || cost.Interval == best.Interval && cost.Forwards < best.Forwards) {
				best, found = cost, true
			}
		}
		if tried > 200_000 {
			continue
		}
		r, err := schedule.Solve(context.Background(), p, schedule.Options{Judge: func(s *schedule.Solution) ([]schedule.Clause, error) {
			if accepts(s) {
				return nil, nil
			}
			return []schedule.Clause{p.Except(s)}, nil
		}})
		switch {
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		case !found && r.Status != schedule.Infeasible:
			t.Errorf("seed %d: %v, and nothing is accepted", seed, r.Status)
		case found && (r.Status != schedule.Optimal || r.Cost.Interval != best.Interval || r.Cost.Forwards != best.Forwards || !accepts(r.Solution)):
			t.Errorf("seed %d: %v %v, want %v", seed, r.Status, r.Cost, best)
		}
		refused += r.Rounds
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
