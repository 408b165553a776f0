package packing

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plancheck/solver"
)

// rounds is how many random problems a test looks at.
func rounds(short, long int) int {
	if testing.Short() {
		return short
	}
	return long
}

// Pack and Fit find what a look at all packings finds.
func TestAgainstBruteForce(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	var infeasible, optimal int
	for round := range rounds(500, 4000) {
		p := randomShape(r).random(r)
		want, ok := bruteForce(p)
		got, err := Pack(ctx, p, Options{Seed: uint64(round)})
		if err != nil {
			t.Fatalf("round %d: %v\n%+v", round, err, p)
		}
		wantStatus := Optimal
		if !ok {
			wantStatus = Infeasible
			infeasible++
		} else {
			optimal++
		}
		if got.Status != wantStatus || ok && (got.Value != want || got.Bound != want) {
			t.Fatalf("round %d: %v with value %d and bound %d by %s, want %v with %d\n%+v",
				round, got.Status, got.Value, got.Bound, got.BoundBy, wantStatus, want, p)
		}
		limits := []int64{-1}
		if ok {
			limits = append(limits, want)
			if want > 0 {
				limits = append(limits, want-1)
			}
		}
		for _, limit := range limits {
			holdFit(t, p, limit, ok && (limit < 0 || limit >= want))
		}
	}
	if least := rounds(500, 4000) / 10; infeasible < least || optimal < least {
		t.Errorf("%d problems with and %d without a packing, want at least %d of each", optimal, infeasible, least)
	}
}

// holdFit holds an answer of Fit against what is known; conflicts against a look
// at all packings of their items.
func holdFit(t *testing.T, p *Problem, limit int64, want bool) {
	t.Helper()
	status, cores, conflict, err := Fit(context.Background(), p, limit)
	if err != nil {
		t.Fatalf("fit: %v\n%+v", err, p)
	}
	if want {
		value, err := p.Value(cores)
		if status != solver.Sat || err != nil || limit >= 0 && value > limit {
			t.Fatalf("fit in %d: %v with %v of value %d, %v\n%+v", limit, status, cores, value, err, p)
		}
		return
	}
	if status != solver.Unsat {
		t.Fatalf("fit in %d: %v\n%+v", limit, status, p)
	}
	fits := func(items []int) bool {
		q := *p
		q.Items = nil
		for _, i := range items {
			q.Items = append(q.Items, p.Items[i])
		}
		value, ok := bruteForce(&q)
		return ok && (limit < 0 || value <= limit)
	}
	if len(conflict) == 0 || fits(conflict) {
		t.Fatalf("fit in %d: items %v can be packed\n%+v", limit, conflict, p)
	}
}

// What a search of few steps claims is true, and is the same every time.
func TestFewSteps(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(3, 4))
	unknown := 0
	for round := range rounds(100, 600) {
		sh := randomShape(r)
		sh.items, sh.units, sh.cores = 10+r.IntN(30), 10+r.IntN(20), 2+r.IntN(8)
		p := sh.random(r)
		for _, steps := range []int64{1, 100, 10_000} {
			o := Options{Seed: uint64(round), Steps: steps}
			one, err := Pack(ctx, p, o)
			if err != nil {
				t.Fatalf("round %d: %v\n%+v", round, err, p)
			}
			two, err := Pack(ctx, p, o)
			if diff := cmp.Diff(one, two); diff != "" || err != nil {
				t.Fatalf("round %d: a second search differs (-one +two):\n%s%v", round, diff, err)
			}
			if one.Status == Unknown {
				unknown++
			}
		}
	}
	t.Logf("%d unknown", unknown)
}

// The state of a search agrees with the definition after any moves.
func TestStateAgreesWithLoads(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	legal := 0
	for round := range rounds(300, 3000) {
		sh := randomShape(r)
		sh.room, sh.pins, sh.uneven = 3, false, false
		sh.items++
		p := sh.random(r)
		w, err := compile(p)
		if err != nil {
			t.Fatal(err)
		}
		s := newState(w)
		for range 50 {
			i, k := r.IntN(w.n), r.IntN(w.m)
			if s.core[i] != Free {
				s.remove(i)
			}
			grown := s.needs(i, k)
			before := s.bytes[k]
			s.add(i, k)
			if s.bytes[k] != before+grown {
				t.Fatalf("round %d: core %d grew by %d, not %d", round, k, s.bytes[k]-before, grown)
			}
			if slices.Contains(s.core, Free) {
				continue
			}
			cycles, bytes, err := p.Loads(s.core)
			if err != nil {
				if errors.Is(err, ErrPacking) && s.over() > 0 {
					continue
				}
				t.Fatalf("round %d: %v\n%+v", round, err, p)
			}
			legal++
			if diff := cmp.Diff([][]int64{cycles, bytes}, [][]int64{s.load, s.bytes}); diff != "" || s.over() > 0 {
				t.Fatalf("round %d: loads and bytes (-want +got):\n%s", round, diff)
			}
		}
	}
	if legal < 1000 {
		t.Errorf("only %d legal packings", legal)
	}
}

// Many equal items are no work.
func TestManyEqualItems(t *testing.T) {
	p := &Problem{Cores: make([]Core, 64), Items: make([]Item, 200_000)}
	for k := range p.Cores {
		p.Cores[k].Capacity = Unlimited
	}
	for i := range p.Items {
		p.Items[i] = Item{Cycles: []int64{1}, Pin: Free}
	}
	started := time.Now()
	got, err := Pack(context.Background(), p, Options{})
	if err != nil || got.Status != Optimal || got.Value != 3125 {
		t.Fatalf("%v with value %d, %v", got.Status, got.Value, err)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}
