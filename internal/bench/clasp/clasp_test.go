package clasp

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/search/partition"
)

// randomProblem returns a small problem; seeds cover strict, far and mixed
// edges, repeated edges, several values, pins, ops outside, dear and free carrying, and stages
// that must not be empty.
func randomProblem(seed uint64) *partition.Problem {
	r := rand.New(rand.NewPCG(seed, 0x636c6173))
	n := 1 + r.IntN(12)
	p := &partition.Problem{Stages: 1 + r.IntN(5), NonEmpty: r.IntN(5) == 0}
	largest := int64(1) << r.IntN(16)
	for range n {
		work, carry := r.Int64N(largest+1), r.Int64N(largest/int64(1+r.IntN(4))+1)
		if r.IntN(5) == 0 {
			work = 0
		}
		p.Work, p.Carry = append(p.Work, work), append(p.Carry, carry)
	}
	if r.IntN(6) == 0 {
		p.Carry = nil
	}
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(4) {
			p.Values = append(p.Values, partition.ValueCost{Op: r.IntN(n), Carry: r.Int64N(largest + 1)})
		}
	}
	order, far, density := r.Perm(n), r.IntN(3), 1+r.IntN(5)
	for i := range n {
		for j := range i {
			for r.IntN(8) < density {
				e := partition.Edge{From: order[j], To: order[i], Far: far == 1 || far == 2 && r.IntN(2) == 0}
				for i, v := range p.Values {
					if v.Op == e.From && r.IntN(2) == 0 {
						e.Value = i + 1
					}
				}
				p.Edges = append(p.Edges, e)
				if r.IntN(5) > 0 {
					break
				}
			}
		}
	}
	if r.IntN(3) == 0 {
		for range n {
			lo, hi := 0, p.Stages-1
			if r.IntN(4) == 0 {
				lo = r.IntN(p.Stages)
				hi = lo + r.IntN(p.Stages-lo)
			}
			p.Domain = append(p.Domain, partition.Range{Lo: lo, Hi: hi})
		}
		// Also an op that others come before: then nothing is legal.
		for _, o := range []int{order[0], order[r.IntN(n)]} {
			if r.IntN(3) == 0 {
				p.Domain[o] = partition.Range{Lo: partition.Outside, Hi: partition.Outside}
			}
		}
	}
	return p
}

// installed returns the solver, or skips the test.
func installed(t *testing.T) Solver {
	t.Helper()
	s, ok := Find()
	if !ok {
		t.Skip("skipped: " + Missing)
	}
	return s
}

// TestSameOptimum has clasp and partition.Solve agree on random problems, and
// both ways to run clasp with each other.
func TestSameOptimum(t *testing.T) {
	s := installed(t)
	ways := []Solver{s}
	if s.clingo != "" && s.gringo != "" && s.clasp != "" {
		ways = []Solver{{clingo: s.clingo}, {gringo: s.gringo, clasp: s.clasp}}
	}
	problems := uint64(200)
	if testing.Short() {
		problems = 20
	}
	counts := map[partition.Status]int{}
	for seed := range problems {
		p := randomProblem(seed)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		want, errOurs := partition.Solve(ctx, p, partition.Options{Seed: seed})
		got, err := ways[seed%uint64(len(ways))].Solve(ctx, p)
		cancel()
		if errOurs != nil || err != nil {
			t.Fatalf("seed %d: %v, clasp %v\n%+v", seed, errOurs, err, p)
		}
		counts[got.Status]++
		same := got.Status == want.Status
		if want.Status == partition.Optimal {
			same = same && got.Value == want.Value && got.Bound == want.Bound
		}
		if !same || want.Status != partition.Optimal && want.Status != partition.Infeasible {
			t.Errorf("seed %d: clasp %+v, ours %+v\n%+v", seed, got, want, p)
		}
	}
	t.Log(counts)
	if counts[partition.Optimal] < int(problems*7/10) || counts[partition.Infeasible] < int(problems/20) {
		t.Errorf("the sample is lopsided: %v", counts)
	}
}

// TestOutOfTime: clasp that is stopped says what it has, and never that nothing
// is legal. Numbers to share out evenly are hardly ever proven in a second, but
// a fast machine may.
func TestOutOfTime(t *testing.T) {
	s := installed(t)
	r := rand.New(rand.NewPCG(1, 1))
	p := &partition.Problem{Stages: 8}
	for range 300 {
		p.Work = append(p.Work, 2*r.Int64N(100_000)+int64(len(p.Work)%2))
	}
	for _, limit := range []time.Duration{time.Microsecond, time.Second} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		a, err := s.Solve(ctx, p)
		cancel()
		var right bool
		switch a.Status {
		case partition.Unknown:
			right = a.Bound >= Base(p)
		case partition.Feasible:
			right = a.Bound >= Base(p) && a.Value >= a.Bound
		case partition.Optimal:
			right = limit == time.Second && a.Value == a.Bound && a.Bound >= Base(p)
		}
		if err != nil || !right {
			t.Errorf("%v: %+v, %v", limit, a, err)
		}
	}
}

func TestFacts(t *testing.T) {
	p := &partition.Problem{
		Stages:   3,
		Work:     []int64{9, 4, 0},
		Carry:    []int64{2, 0, 5},
		Edges:    []partition.Edge{{From: 0, To: 2, Far: true}, {From: 0, To: 1}, {From: 0, To: 2, Far: true}, {From: 1, To: 2, Far: true, Value: 1}},
		Values:   []partition.ValueCost{{Op: 1, Carry: 3}},
		Domain:   []partition.Range{{Lo: -1, Hi: -1}, {Lo: 0, Hi: 2}, {Lo: 2, Hi: 2}},
		NonEmpty: true,
	}
	var b strings.Builder
	if err := Facts(&b, p); err != nil {
		t.Fatal(err)
	}
	want := `stages(3).
nonempty.
base(4).
bit(0).
bit(1).
bit(2).
bit(3).
bit(4).
op(0,9,-1,-1).
op(1,4,0,2).
op(2,0,2,2).
value(0,0,2).
value(2,2,5).
value(3,1,3).
edge(0,1).
near(0,1).
edge(0,2).
reader(0,2).
edge(1,2).
reader(3,2).
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	p.Cores = &partition.Cores{Total: 3}
	if err := Facts(&b, p); !errors.Is(err, ErrFacts) {
		t.Errorf("several cores: %v", err)
	}
	p.Cores, p.Work[0] = nil, most
	if err := Facts(&b, p); !errors.Is(err, ErrFacts) {
		t.Errorf("too much work: %v", err)
	}
}
