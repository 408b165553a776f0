package schedule_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"plancheck/internal/search/schedule"
	"plancheck/internal/search/schedule/scheduletest"
)

func TestLayers(t *testing.T) {
	n := 3000
	stats := map[string]int{}
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		p := scheduletest.Random(rng, 3+rng.IntN(6))
		cost, _, ok := scheduletest.Best(p)
		got, found, bound, infeasible, err := schedule.SolveLayers(p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		switch {
		case infeasible && ok:
			t.Errorf("seed %d: infeasible, and brute force finds %v", seed, cost)
		case ok && bound > cost.Interval:
			t.Errorf("seed %d: bound %d, and brute force finds %v", seed, bound, cost)
		case found && (!ok || got.Interval < cost.Interval):
			t.Errorf("seed %d: found %v, brute force %v %v", seed, got, ok, cost)
		case !ok && infeasible:
			stats["infeasible"]++
		case !ok:
			stats["infeasible not seen"]++
		case !found:
			stats["not found"]++
		case got.Interval > cost.Interval:
			stats["worse"]++
		case got.Forwards > cost.Forwards:
			stats["more forwards"]++
		case bound == got.Interval:
			stats["best and proven"]++
		default:
			stats["best"]++
		}
	}
	t.Log(stats)
}

func TestSolveAgainstBruteForce(t *testing.T) {
	n := 3000
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		p := scheduletest.Random(rng, 3+rng.IntN(6))
		cost, _, ok := scheduletest.Best(p)
		o := schedule.Options{}
		if seed%2 == 1 {
			o.Steps = 1 << 40
		}
		r, err := schedule.Solve(context.Background(), p, o)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if want := schedule.Infeasible; !ok && r.Status != want {
			t.Errorf("seed %d: %v, want %v", seed, r.Status, want)
		}
		if ok && (r.Status != schedule.Optimal || r.Cost.Interval != cost.Interval || r.Cost.Forwards != cost.Forwards) {
			t.Errorf("seed %d: %v %v, brute force %v", seed, r.Status, r.Cost, cost)
		}
	}
}
