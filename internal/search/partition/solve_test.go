package partition

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// many is how many random problems a test of the whole search sees.
func many(t *testing.T, full uint64) uint64 {
	if testing.Short() {
		return full / 10
	}
	t.Helper()
	return full
}

// sumHolds re-adds a Sum from the problem alone: its ops and carried values
// must add up to Total, and Total over Width must be the bound.
func sumHolds(p *Problem, s *Sum, bound int64) bool {
	total := int64(0)
	for _, o := range s.Ops {
		total += p.Work[o]
	}
	for _, c := range s.Carried {
		cost := p.carry(c.Op)
		if c.Value > 0 {
			cost = p.Values[c.Value-1].Carry
		}
		total += int64(c.Stages) * cost
	}
	return total == s.Total && (total+s.Cores-1)/s.Cores == bound
}

func TestSolveAgainstBruteForce(t *testing.T) {
	counts := map[Status]int{}
	parts := map[string]int{}
	for seed := range many(t, 6000) {
		p := randomProblem(seed)
		want, ok := leastValue(p)
		for _, o := range []Options{{Seed: seed}, {Seed: seed, Steps: 1 << 40}} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			got, err := Solve(ctx, p, o)
			cancel()
			if err != nil {
				t.Fatalf("seed %d: %v\n%+v", seed, err, p)
			}
			if !ok {
				if got.Status != Infeasible {
					t.Fatalf("seed %d: %+v, but no assignment is legal\n%+v", seed, got, p)
				}
			} else if got.Status != Optimal || got.Value != want || got.Bound != want {
				t.Fatalf("seed %d: %+v, want value %d\n%+v", seed, got, want, p)
			}
			if got.Sum != nil && !sumHolds(p, got.Sum, got.Bound) {
				t.Fatalf("seed %d: %+v does not add up\n%+v", seed, got.Sum, p)
			}
			counts[got.Status]++
			parts["found by "+got.FoundBy]++
			parts["bound by "+got.BoundBy]++
		}
	}
	t.Log(counts, parts)
	if counts[Optimal] < int(many(t, 5000)) || counts[Infeasible] < int(many(t, 500)) {
		t.Errorf("the sample is lopsided: %v", counts)
	}
}

// TestStructureIsSound holds bounds and first values against brute force.
func TestStructureIsSound(t *testing.T) {
	for seed := range many(t, 6000) {
		p := randomProblem(seed)
		want, ok := leastValue(p)
		w, err := compile(p)
		if err != nil {
			t.Fatal(err)
		}
		b := newBoard(w)
		if err := structure(b); err != nil {
			t.Fatal(err)
		}
		if b.infeasible && ok || ok && b.bound > want || b.best != nil && (!ok || b.value < want) {
			t.Fatalf("seed %d: bound %d, value %d, infeasible %v; brute force %d, %v\n%+v",
				seed, b.bound, b.value, b.infeasible, want, ok, p)
		}
	}
}

func TestSameSeedAndStepsGiveTheSameResult(t *testing.T) {
	for seed := range many(t, 300) {
		p := randomProblem(seed)
		o := Options{Seed: seed, Steps: int64(1 + seed*50)}
		a, errA := Solve(t.Context(), p, o)
		b, errB := Solve(t.Context(), p, o)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("seed %d: -first +second\n%s", seed, diff)
		}
	}
}

func TestIllFormedProblems(t *testing.T) {
	for name, p := range map[string]*Problem{
		"no stages":     {Work: []int64{1}},
		"many stages":   {Stages: 1000},
		"work":          {Stages: 1, Work: []int64{-1}},
		"carry":         {Stages: 1, Work: []int64{1}, Carry: []int64{-1}},
		"carries":       {Stages: 1, Work: []int64{1}, Carry: []int64{1, 1}},
		"domains":       {Stages: 1, Work: []int64{1}, Domain: []Range{}},
		"domain":        {Stages: 1, Work: []int64{1}, Domain: []Range{{0, 1}}},
		"half outside":  {Stages: 1, Work: []int64{1}, Domain: []Range{{Outside, 0}}},
		"edge":          {Stages: 1, Work: []int64{1}, Edges: []Edge{{0, 1, false, 0}}},
		"loop":          {Stages: 1, Work: []int64{1}, Edges: []Edge{{0, 0, false, 0}}},
		"cycle":         {Stages: 1, Work: []int64{1, 1}, Edges: []Edge{{0, 1, false, 0}, {1, 0, false, 0}}},
		"overflow":      {Stages: 1, Work: []int64{1 << 62, 1 << 62, 1 << 62}},
		"stages' worth": {Stages: 100, Work: []int64{1 << 60}},
	} {
		if _, err := Solve(t.Context(), p, Options{}); !errors.Is(err, ErrProblem) {
			t.Errorf("%s: %v", name, err)
		}
	}
	legal := &Problem{Stages: 2, Work: []int64{1, 1}, Edges: []Edge{{0, 1, false, 0}}}
	for _, first := range [][]int{{}, {1, 0}, {0, 2}, {-1, 0}} {
		if _, err := Solve(t.Context(), legal, Options{First: first}); !errors.Is(err, ErrStages) {
			t.Errorf("first %v: %v", first, err)
		}
	}
}

func TestOutOfTimeIsNotInfeasible(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := randomProblem(0)
	for seed := uint64(1); p.NonEmpty || p.Domain != nil; seed++ {
		p = randomProblem(seed)
	}
	got, err := Solve(ctx, p, Options{})
	if err != nil || got.Status == Infeasible || got.Stages == nil {
		t.Errorf("%+v, %v", got, err)
	}
}
