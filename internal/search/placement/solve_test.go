package placement

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// many is how many random problems a test of the whole search sees.
func many(t *testing.T, full uint64) uint64 {
	t.Helper()
	if testing.Short() {
		return full / 10
	}
	return full
}

// tooFew says whether cores have together fewer machine cores than they are.
func tooFew(p *Problem, cores []int) bool {
	places := 0
	for k := range p.Hops {
		if slices.ContainsFunc(cores, func(i int) bool { return p.allows(i, k) }) {
			places++
		}
	}
	return places < len(slices.Compact(slices.Clone(cores)))
}

func TestSolveAgainstBruteForce(t *testing.T) {
	counts := map[Status]int{}
	parts := map[string]int{}
	for seed := range many(t, 6000) {
		p := randomProblem(seed, 7)
		want, ok := leastTraffic(p)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		got, err := Solve(ctx, p, Options{Seed: seed})
		cancel()
		if err != nil {
			t.Fatalf("seed %d: %v\n%+v", seed, err, p)
		}
		if !ok {
			if got.Status != Infeasible || !tooFew(p, got.Hall) {
				t.Fatalf("seed %d: %+v, but no placement is legal\n%+v", seed, got, p)
			}
		} else if got.Status != Optimal || got.Value != want || got.Bound != want {
			t.Fatalf("seed %d: %+v, want value %d\n%+v", seed, got, want, p)
		}
		counts[got.Status]++
		parts["found by "+got.FoundBy]++
		parts["bound by "+got.BoundBy]++
	}
	t.Log(counts, parts)
	if counts[Optimal] < int(many(t, 4000)) || counts[Infeasible] < int(many(t, 500)) {
		t.Errorf("the sample is lopsided: %v", counts)
	}
}

// TestSolveNine tries problems as large as brute force can.
func TestSolveNine(t *testing.T) {
	for seed := range many(t, 40) {
		p := randomProblem(seed, 9)
		want, ok := leastTraffic(p)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		got, err := Solve(ctx, p, Options{Seed: seed})
		cancel()
		if err != nil || ok != (got.Status == Optimal) || got.Value != want {
			t.Fatalf("seed %d: %+v, %v, want value %d\n%+v", seed, got, err, want, p)
		}
	}
}

// TestEndedContext: greedy construction is there even if there is no time.
func TestEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := &Problem{Cores: 16, Hops: mesh(4, 4), Flows: pipeline([]int{5, 6, 5})}
	got, err := Solve(ctx, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	value, err := p.Traffic(got.Place)
	if err != nil {
		t.Fatal(err)
	}
	want := Result{Status: Feasible, Place: got.Place, Value: value, FoundBy: "greedy", BoundBy: "nothing"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPinsOnLargeMesh: what pins leave is small enough to be closed.
func TestPinsOnLargeMesh(t *testing.T) {
	p := &Problem{Cores: 144, Hops: mesh(12, 12), Flows: pipeline([]int{24, 36, 30, 30, 24})}
	for i := range 144 {
		p.Pins = append(p.Pins, i)
	}
	for _, i := range []int{0, 30, 70, 100, 143} {
		p.Pins[i] = Free
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	got, err := Solve(ctx, p, Options{})
	if err != nil || got.Status != Optimal {
		t.Errorf("%v, %v", got.Status, err)
	}
}

// TestChange holds the difference of a swap against the definition.
func TestChange(t *testing.T) {
	for seed := range many(t, 3000) {
		p := randomProblem(seed, 8)
		p.Pins, p.Allowed = nil, nil
		if p.Cores < 2 || p.Cores > len(p.Hops) {
			continue
		}
		w, err := compile(p)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 3))
		place := r.Perm(w.n)
		u := r.IntN(p.Cores)
		v := (u + 1 + r.IntN(p.Cores-1)) % p.Cores
		change := w.change(place, u, v)
		before, _ := p.Traffic(place[:p.Cores])
		place[u], place[v] = place[v], place[u]
		after, err := p.Traffic(place[:p.Cores])
		if err != nil || after-before != change || w.traffic(place) != after {
			t.Fatalf("seed %d: change %d, but %d to %d (%v)", seed, change, before, after, err)
		}
	}
}

// TestMovesAreLegal holds the annealer's walk against the definition where few
// places are allowed.
func TestMovesAreLegal(t *testing.T) {
	chains := 0
	for seed := range many(t, 1000) {
		p := randomProblem(seed, 9)
		w, err := compile(p)
		if err != nil || newMatching(p.Cores, len(p.Hops), w.allows).hall() != nil {
			continue
		}
		m := newMatching(w.n, w.n, w.allows)
		m.hall()
		b := newBoard(w)
		place := w.greedy(m)
		b.lower("greedy", place, w.traffic(place))
		a := newAnnealer(w, b, seed)
		if len(a.movable) == 0 {
			continue
		}
		a.start()
		for range 50 {
			change, ok := a.move()
			if ok {
				a.value += change
				if len(a.swaps) > 1 {
					chains++
				}
			}
			if value, err := p.Traffic(a.place[:p.Cores]); err != nil || value != a.value {
				t.Fatalf("seed %d: %d, but %d when added up (%v)\n%+v", seed, a.value, value, err, p)
			}
		}
	}
	if chains < 100 {
		t.Errorf("only %d moves of more than two cores", chains)
	}
}

func TestSameStepsSamePlaces(t *testing.T) {
	p := &Problem{Cores: 36, Hops: mesh(6, 6), Flows: pipeline([]int{5, 7, 8, 6, 10})}
	for _, seed := range []uint64{1, 2} {
		for _, steps := range []int64{1, 30_000, 200_000} {
			var got [2]Result
			for i := range got {
				last, lastBound := int64(noValue), int64(-1)
				r, err := Solve(t.Context(), p, Options{Seed: seed, Steps: steps, OnChange: func(bound, value int64) {
					if value >= 0 && (value > last || bound < lastBound || bound > value || value == last && bound == lastBound) {
						t.Errorf("%d, %d after %d, %d", bound, value, lastBound, last)
					}
					if value >= 0 {
						last, lastBound = value, bound
					}
				}})
				if err != nil {
					t.Fatal(err)
				}
				if r.Status != Feasible || r.Value != last || r.Bound != lastBound {
					t.Errorf("%+v, but told of %d, %d", r, lastBound, last)
				}
				got[i] = r
			}
			if diff := cmp.Diff(got[0], got[1]); diff != "" {
				t.Errorf("%d steps (-first +second):\n%s", steps, diff)
			}
		}
	}
}

func TestSmall(t *testing.T) {
	line := mesh(1, 4)
	ring := []Flow{{0, 2, 9}, {2, 1, 5}, {1, 3, 9}}
	tests := []struct {
		name string
		p    Problem
		o    Options
		want Result
	}{
		{"nothing", Problem{}, Options{}, Result{Status: Optimal, Place: []int{}, FoundBy: "greedy", BoundBy: "nothing"}},
		{"no flow", Problem{Cores: 1, Hops: line}, Options{First: []int{3}},
			Result{Status: Optimal, Place: []int{3}, FoundBy: "given", BoundBy: "nothing"}},
		{"a given placement that is best", Problem{Cores: 4, Hops: line, Flows: ring}, Options{First: []int{3, 1, 2, 0}},
			Result{Status: Optimal, Place: []int{3, 1, 2, 0}, Value: 23, FoundBy: "given", Bound: 23, BoundBy: "Gilmore-Lawler"}},
		{"pins to one place", Problem{Cores: 4, Hops: line, Pins: []int{Free, 2, Free, 2}}, Options{},
			Result{Status: Infeasible, BoundBy: "matching", Hall: []int{1, 3}}},
		{"three cores for two places", Problem{Cores: 4, Hops: line,
			Allowed: [][]bool{{true, true, false, false}, nil, {false, true, false, false}, {true, false, false, false}}}, Options{},
			Result{Status: Infeasible, BoundBy: "matching", Hall: []int{0, 2, 3}}},
		{"a pin that is not allowed", Problem{Cores: 1, Hops: line, Pins: []int{0}, Allowed: [][]bool{{false, true, true, true}}}, Options{},
			Result{Status: Infeasible, BoundBy: "matching", Hall: []int{0}}},
		{"more cores than places", Problem{Cores: 2, Hops: mesh(1, 1)}, Options{},
			Result{Status: Infeasible, BoundBy: "matching", Hall: []int{0, 1}}},
	}
	for _, test := range tests {
		got, err := Solve(t.Context(), &test.p, test.o)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		got.Steps = 0
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestIllFormed(t *testing.T) {
	line := mesh(1, 2)
	for name, p := range map[string]Problem{
		"negative cores":   {Cores: -1, Hops: line},
		"pins":             {Cores: 2, Hops: line, Pins: []int{0}},
		"pin below":        {Cores: 1, Hops: line, Pins: []int{-2}},
		"pin above":        {Cores: 1, Hops: line, Pins: []int{2}},
		"allowed":          {Cores: 2, Hops: line, Allowed: [][]bool{nil}},
		"allowed row":      {Cores: 1, Hops: line, Allowed: [][]bool{{true}}},
		"hops not square":  {Cores: 1, Hops: [][]int64{{0, 1}, {0}}},
		"hops below 0":     {Cores: 1, Hops: [][]int64{{-1}}},
		"flow from":        {Cores: 2, Hops: line, Flows: []Flow{{-1, 0, 1}}},
		"flow to":          {Cores: 2, Hops: line, Flows: []Flow{{0, 2, 1}}},
		"flow below 0":     {Cores: 2, Hops: line, Flows: []Flow{{0, 1, -1}}},
		"flows overflow":   {Cores: 2, Hops: line, Flows: []Flow{{0, 1, math.MaxInt64}, {1, 0, math.MaxInt64}}},
		"traffic overflow": {Cores: 2, Hops: [][]int64{{0, 1 << 40}, {1, 0}}, Flows: []Flow{{0, 1, 1 << 30}}},
		"hops overflow":    {Cores: 2, Hops: [][]int64{{0, math.MaxInt64}, {1, 0}}, Flows: []Flow{{0, 1, 1}}},
	} {
		if got, err := Solve(t.Context(), &p, Options{}); !errors.Is(err, ErrProblem) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if _, err := p.Traffic([]int{0, 1}); !errors.Is(err, ErrProblem) {
			t.Errorf("%s: traffic: %v", name, err)
		}
	}
	p := &Problem{Cores: 2, Hops: line, Pins: []int{1, Free}}
	for _, place := range [][]int{{}, {1}, {1, 1}, {1, 2}, {1, -1}, {0, 1}} {
		if got, err := Solve(t.Context(), p, Options{First: place}); !errors.Is(err, ErrPlace) {
			t.Errorf("first %v: %+v, %v", place, got, err)
		}
	}
}
