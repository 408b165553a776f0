package schedule_test

import (
	"math/rand/v2"
	"testing"

	"plancheck/internal/search/schedule"
	"plancheck/internal/search/schedule/scheduletest"
)

func TestExactAgainstBruteForce(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 200
	}
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

// The clauses allow what the definition allows, and nothing else, within its
// interval and one less.
func TestModelAllowsWhatIsLegal(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	legal, illegal := 0, 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 11))
		p := scheduletest.Random(rng, 3+rng.IntN(6))
		s := scheduletest.Legal(rng, p)
		if s == nil {
			continue
		}
		if rng.IntN(4) > 0 {
			s = scheduletest.Broken(rng, p, s)
		}
		cost, wrong := p.Cost(s)
		limit := cost.Interval
		if wrong != nil {
			limit = 1 << 40
		}
		accepts, expressible, err := schedule.ModelAccepts(p, s, limit)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !expressible {
			if wrong == nil {
				t.Errorf("seed %d: a legal solution cannot be expressed", seed)
			}
			continue
		}
		if accepts != (wrong == nil) {
			t.Errorf("seed %d: the model accepts: %t; by definition: %v", seed, accepts, wrong)
		}
		if wrong != nil {
			illegal++
			continue
		}
		legal++
		if accepts, _, err := schedule.ModelAccepts(p, s, limit-1); err != nil || accepts {
			t.Errorf("seed %d: interval %d is accepted under %d (%v)", seed, limit, limit-1, err)
		}
	}
	if legal < n/10 || illegal < n/20 {
		t.Errorf("only %d legal and %d illegal solutions", legal, illegal)
	}
}
