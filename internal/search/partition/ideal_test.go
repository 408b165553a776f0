package partition

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"
)

// idealValue solves a problem of up to 20 ops exactly by dynamic programming
// over ideals: sets of ops that hold all their ancestors, so that stages 0 to s
// make one. It shares nothing with the search. ok is false when no assignment
// is legal, or when there are more ideals than most.
func idealValue(p *Problem, most int) (least int64, ok, small bool) {
	n := len(p.Work)
	before, after := make([]uint32, n), make([]uint32, n)
	for _, e := range p.Edges {
		before[e.To] |= 1 << e.From
		after[e.From] |= 1 << e.To
	}
	var ideals []uint32
	for u := uint32(0); u < 1<<n; u++ {
		down := true
		for o := range n {
			down = down && (u>>o&1 == 0 || before[o]&^u == 0)
		}
		if down {
			ideals = append(ideals, u)
		}
	}
	if len(ideals) > most {
		return 0, false, false
	}
	best := map[uint32]int64{}
	start := uint32(0)
	for o := range n {
		if p.domain(o).Lo == Outside {
			start |= 1 << o
		}
	}
	for _, u := range ideals {
		if u == start {
			best[u] = 0
		}
	}
	for s := range p.Stages {
		next := map[uint32]int64{}
		for from, value := range best {
			for _, to := range ideals {
				if load, legal := stageLoad(p, s, from, to, after); legal {
					v := max(value, load)
					if old, seen := next[to]; !seen || v < old {
						next[to] = v
					}
				}
			}
		}
		best = next
	}
	least, ok = best[1<<n-1]
	return least, ok, true
}

// stageLoad is the load of stage s when the ops of from come before it and
// those of to before the next.
func stageLoad(p *Problem, s int, from, to uint32, after []uint32) (int64, bool) {
	if from&^to != 0 || p.NonEmpty && from == to {
		return 0, false
	}
	load := int64(0)
	for o := range p.Work {
		d := p.domain(o)
		switch {
		case from>>o&1 == 1:
			if after[o]&^to != 0 {
				load += p.carry(o)
			}
		case to>>o&1 == 1:
			if s < d.Lo || s > d.Hi {
				return 0, false
			}
			load += p.Work[o]
		}
	}
	for _, e := range p.Edges {
		if !e.Far && from>>e.From&1 == 1 && to>>e.To&1 == 0 {
			return 0, false
		}
	}
	return load, true
}

// layeredProblem has 8 to 14 ops in layers, so few ideals, and the features of
// randomProblem.
func layeredProblem(seed uint64) *Problem {
	r := rand.New(rand.NewPCG(seed, 0x6c61796572))
	n := 8 + r.IntN(7)
	p := &Problem{Stages: 2 + r.IntN(5), NonEmpty: r.IntN(5) == 0}
	far := r.IntN(3)
	dear := 1 + r.Int64N(30)
	for o := range n {
		p.Work = append(p.Work, r.Int64N(100)*r.Int64N(2))
		p.Carry = append(p.Carry, r.Int64N(dear))
		for q := max(0, o-4); q < o; q++ {
			if r.IntN(5) < 2 || q == o-3 {
				p.Edges = append(p.Edges, Edge{q, o, far == 1 || far == 2 && r.IntN(2) == 0, 0})
			}
		}
		if o > 5 && r.IntN(8) == 0 {
			p.Edges = append(p.Edges, Edge{r.IntN(2), o, true, 0})
		}
	}
	if r.IntN(3) == 0 {
		for range n {
			p.Domain = append(p.Domain, Range{0, p.Stages - 1})
		}
		for range 3 {
			s := r.IntN(p.Stages)
			p.Domain[r.IntN(n)] = Range{s, min(s+r.IntN(3), p.Stages-1)}
		}
	}
	return p
}

func TestIdealsAgreeWithBruteForce(t *testing.T) {
	for seed := range many(t, 2000) {
		p := randomProblem(seed)
		want, wantOK := leastValue(p)
		got, ok, small := idealValue(p, 1<<20)
		if !small || got != want || ok != wantOK {
			t.Fatalf("seed %d: %d, %v; want %d, %v\n%+v", seed, got, ok, want, wantOK, p)
		}
	}
}

// TestSolveAgainstIdeals compares with problems beyond brute force, for the
// team and for each proving part alone.
func TestSolveAgainstIdeals(t *testing.T) {
	alone := map[string]func(w *net, b *board) part{
		"cuts": func(w *net, b *board) part { return newBrancher(w, b) },
		"sat":  func(w *net, b *board) part { return newProber(w, b, false) },
	}
	solved, infeasible := 0, 0
	for seed := range many(t, 3000) {
		p := layeredProblem(seed)
		want, ok, small := idealValue(p, 300)
		if !small {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		got, err := Solve(ctx, p, Options{Seed: seed, Steps: int64(seed%2) << 40})
		if err != nil {
			t.Fatalf("seed %d: %v\n%+v", seed, err, p)
		}
		if ok != (got.Status == Optimal) || !ok && got.Status != Infeasible || ok && got.Value != want {
			t.Fatalf("seed %d: %+v, want %d, %v\n%+v", seed, got, want, ok, p)
		}
		for name, make := range alone {
			w, err := compile(p)
			if err != nil {
				t.Fatal(err)
			}
			b := newBoard(w)
			if err := structure(b); err != nil {
				t.Fatal(err)
			}
			make(w, b).turn(ctx, noValue)
			r, err := b.result(0)
			if err != nil {
				t.Fatalf("seed %d, %s: %v\n%+v", seed, name, err, p)
			}
			if ok != (r.Status == Optimal) || !ok && r.Status != Infeasible || ok && r.Value != want {
				t.Fatalf("seed %d, %s: %+v, want %d, %v\n%+v", seed, name, r, want, ok, p)
			}
		}
		cancel()
		if ok {
			solved++
		} else {
			infeasible++
		}
	}
	t.Log(solved, infeasible)
	if solved < int(many(t, 1000)) || infeasible < int(many(t, 100)) {
		t.Errorf("the sample is thin: %d solved, %d infeasible", solved, infeasible)
	}
}

// TestBoundsOnTheWay: after any number of steps the bound is no greater than
// the least value, and the value no smaller.
func TestBoundsOnTheWay(t *testing.T) {
	open := 0
	for seed := range many(t, 1500) {
		p := layeredProblem(seed)
		want, ok, small := idealValue(p, 300)
		if !small {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 5))
		got, err := Solve(t.Context(), p, Options{Seed: seed, Steps: 1 + r.Int64N(3000)})
		if err != nil {
			t.Fatalf("seed %d: %v\n%+v", seed, err, p)
		}
		switch got.Status {
		case Infeasible:
			if ok {
				t.Fatalf("seed %d: %+v, want %d\n%+v", seed, got, want, p)
			}
		default:
			if ok && got.Bound > want || got.Stages != nil && (!ok || got.Value < want) {
				t.Fatalf("seed %d: %+v, want %d, %v\n%+v", seed, got, want, ok, p)
			}
		}
		if got.Status == Feasible {
			open++
		}
	}
	t.Log(open)
	if open < int(many(t, 100)) {
		t.Errorf("only %d searches were cut short", open)
	}
}
