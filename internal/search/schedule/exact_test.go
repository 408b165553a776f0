package schedule_test

import (
	"math/rand/v2"
	"testing"

	"plancheck/internal/search/schedule"
	"plancheck/internal/search/schedule/scheduletest"
)

func TestExactAgainstBruteForce(t *testing.T) {
	n := 20000
	feasible := 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		p := scheduletest.Random(rng, 3+rng.IntN(6))
		cost, _, ok := scheduletest.Best(p)
		if ok {
			feasible++
		}
		got, found, err := schedule.SolveExact(p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if found != ok || ok && (got.Interval != cost.Interval || got.Forwards != cost.Forwards) {
			t.Errorf("seed %d: found %v %v, brute force %v %v", seed, found, got, ok, cost)
		}
	}
	t.Logf("%d of %d feasible", feasible, n)
}
