package partition

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fewestCarried tries every assignment; ok is false when none is within limit.
func fewestCarried(p *Problem, limit int64) (least int, first []int, ok bool) {
	stages := make([]int, len(p.Work))
	var try func(o int)
	try = func(o int) {
		if o < len(stages) {
			d := p.domain(o)
			for stages[o] = d.Lo; stages[o] <= d.Hi; stages[o]++ {
				try(o + 1)
			}
			return
		}
		if value, err := p.Value(stages); err != nil || value > limit {
			return
		}
		// Counted by the meaning of the word, not by Problem.Carried.
		count := 0
		for v := range len(p.Values) + 1 {
			for o, s := range stages {
				for t := s + 1; t < p.Stages; t++ {
					for _, e := range p.Edges {
						if e.From == o && e.Value == v && stages[e.To] > t {
							count++
							break
						}
					}
				}
			}
		}
		if !ok {
			first = append([]int(nil), stages...)
		}
		if !ok || count < least {
			least, ok = count, true
		}
	}
	try(0)
	return least, first, ok
}

// skips makes p a chain with edges that pass over ops of it, so that much must be
// carried, and little is paid for it.
func skips(p *Problem, r *rand.Rand) {
	n := 4 + r.IntN(3)
	*p = Problem{Stages: 3 + r.IntN(2), Cores: p.Cores}
	if p.Cores != nil {
		p.Cores = &Cores{Total: p.Stages + r.IntN(4)}
	}
	for o := range n {
		p.Work = append(p.Work, 1+r.Int64N(40))
		p.Carry = append(p.Carry, r.Int64N(3))
		for q := range o {
			if q == o-1 || r.IntN(3) == 0 {
				p.Edges = append(p.Edges, Edge{From: q, To: o, Far: true})
			}
		}
	}
	addValues(p, r)
}

func TestFewestAgainstBruteForce(t *testing.T) {
	counts := map[Status]int{}
	parts := map[string]int{}
	carrying := 0
	for seed := range many(t, 6000) {
		p := randomCores(seed)
		r := rand.New(rand.NewPCG(seed, 21))
		if r.IntN(3) == 0 {
			skips(p, r)
		}
		value, ok := leastValue(p)
		limit := value
		switch r.IntN(6) {
		case 0:
			limit = 1 << 40
		case 1:
			limit = max(0, value-1)
		case 2, 3:
			limit += r.Int64N(value/2 + 1)
		}
		want, first, ok := fewestCarried(p, limit)
		if r.IntN(2) == 0 {
			first = nil
		}
		last := -1
		got, err := Fewest(t.Context(), p, limit, first, Options{Seed: seed, Steps: int64(seed%2) << 40,
			OnAssignment: func(stages, sizes []int, value int64) {
				n, err := p.Carried(stages)
				if err != nil || value > limit || last >= 0 && n >= last {
					t.Errorf("seed %d: told of %v, value %d, carrying %d after %d, %v", seed, stages, value, n, last, err)
				}
				last = n
			}})
		if err != nil {
			t.Fatalf("seed %d: %v\n%+v %+v", seed, err, p, p.Cores)
		}
		if !ok {
			if got.Status != Infeasible {
				t.Fatalf("seed %d: %+v, but nothing is within %d\n%+v %+v", seed, got, limit, p, p.Cores)
			}
		} else if got.Status != Optimal || got.Carried != want || got.Bound != want || last != want {
			t.Fatalf("seed %d: %+v, told of %d, want %d within %d\n%+v %+v", seed, got, last, want, limit, p, p.Cores)
		}
		counts[got.Status]++
		parts["found by "+got.FoundBy]++
		parts["bound by "+got.BoundBy]++
		if want > 0 {
			carrying++
		}
	}
	t.Log(counts, parts, carrying)
	if counts[Optimal] < int(many(t, 2000)) || counts[Infeasible] < int(many(t, 1000)) || carrying < int(many(t, 600)) {
		t.Errorf("the sample is thin: %v, %d that must carry", counts, carrying)
	}
}

func TestFewestRefuses(t *testing.T) {
	p := &Problem{Stages: 2, Work: []int64{3, 4}, Edges: []Edge{{From: 0, To: 1}}}
	if _, err := Fewest(t.Context(), p, 6, []int{0, 0}, Options{}); !errors.Is(err, ErrStages) {
		t.Errorf("value 7 within 6: %v", err)
	}
	if _, err := Fewest(t.Context(), p, -1, nil, Options{}); !errors.Is(err, ErrProblem) {
		t.Errorf("limit -1: %v", err)
	}
}

func TestFewestWithStepsIsTheSameEachTime(t *testing.T) {
	open := 0
	for seed := range many(t, 300) {
		p := &Problem{}
		skips(p, rand.New(rand.NewPCG(seed, 22)))
		value, _ := leastValue(p)
		o := Options{Seed: seed, Steps: int64(1 + seed*30)}
		a, errA := Fewest(t.Context(), p, value, nil, o)
		b, errB := Fewest(t.Context(), p, value, nil, o)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("seed %d: -first +second\n%s", seed, diff)
		}
		if a.Status != Optimal {
			open++
		}
	}
	t.Log(open)
}

func TestFewestOutOfTimeIsNotInfeasible(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := &Problem{}
	skips(p, rand.New(rand.NewPCG(3, 22)))
	value, _ := leastValue(p)
	got, err := Fewest(ctx, p, value, nil, Options{})
	if err != nil || got.Status == Infeasible {
		t.Errorf("%+v, %v", got, err)
	}
}
