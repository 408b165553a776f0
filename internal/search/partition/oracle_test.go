package partition

import (
	"math/rand/v2"
	"testing"
)

// randomProblem returns a small problem; seeds cover strict, forward and mixed
// edges, pins, ops outside, cheap and dear carrying, and stages that must not
// be empty.
func randomProblem(seed uint64) *Problem {
	r := rand.New(rand.NewPCG(seed, 0x70726f62))
	n := 1 + r.IntN(7)
	p := &Problem{Stages: 1 + r.IntN(4), NonEmpty: r.IntN(4) == 0}
	far := r.IntN(3) // none, all, some
	most := int64(1) << (1 + r.IntN(10))
	for range n {
		work := r.Int64N(most)
		if r.IntN(4) == 0 {
			work = 0
		}
		p.Work = append(p.Work, work)
		p.Carry = append(p.Carry, r.Int64N(1+most/int64(1+r.IntN(8))))
	}
	if r.IntN(5) == 0 {
		p.Carry = nil
	}
	order := r.Perm(n)
	density := 1 + r.IntN(4)
	for i := range n {
		for j := range i {
			if r.IntN(4) < density && r.IntN(3) > 0 {
				p.Edges = append(p.Edges, Edge{order[j], order[i], far == 1 || far == 2 && r.IntN(2) == 0, 0})
			}
		}
	}
	if r.IntN(2) == 0 {
		for range n {
			d := Range{0, p.Stages - 1}
			switch r.IntN(6) {
			case 0:
				s := r.IntN(p.Stages)
				d = Range{s, s}
			case 1:
				s := r.IntN(p.Stages)
				d = Range{s, s + r.IntN(p.Stages-s)}
			}
			p.Domain = append(p.Domain, d)
		}
		if r.IntN(2) == 0 {
			p.Domain[order[0]] = Range{Outside, Outside}
		}
	}
	return p
}

// leastValue tries every assignment; ok is false when none is legal.
func leastValue(p *Problem) (least int64, ok bool) {
	stages := make([]int, len(p.Work))
	var try func(o int)
	try = func(o int) {
		if o == len(stages) {
			if value, err := p.Value(stages); err == nil && (!ok || value < least) {
				least, ok = value, true
			}
			return
		}
		d := p.domain(o)
		for stages[o] = d.Lo; stages[o] <= d.Hi; stages[o]++ {
			try(o + 1)
		}
	}
	try(0)
	return least, ok
}

// TestBruteForceKnowsSmallCases holds the oracle itself against sums done by
// hand.
func TestBruteForceKnowsSmallCases(t *testing.T) {
	chain := []Edge{{0, 1, false, 0}, {1, 2, false, 0}, {0, 2, false, 0}}
	far := []Edge{{0, 1, false, 0}, {1, 2, false, 0}, {0, 2, true, 0}}
	for _, c := range []struct {
		name string
		p    Problem
		want int64
		ok   bool
	}{
		{"a skip edge keeps three ops in two stages", Problem{Stages: 3, Work: []int64{4, 5, 6}, Edges: chain}, 9, true},
		{"three stages would have to be used", Problem{Stages: 3, Work: []int64{4, 5, 6}, Edges: chain, NonEmpty: true}, 0, false},
		{"carrying is charged in the middle stage", Problem{Stages: 3, Work: []int64{4, 5, 6}, Carry: []int64{2, 0, 0}, Edges: far}, 7, true},
		{"an op outside adds no work and is carried from stage 0",
			Problem{Stages: 2, Work: []int64{9, 5, 3}, Carry: []int64{2, 0, 0}, Edges: []Edge{{0, 1, true, 0}, {2, 1, false, 0}},
				Domain: []Range{{Outside, Outside}, {1, 1}, {0, 0}}}, 5, true},
	} {
		got, ok := leastValue(&c.p)
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %d, %v; want %d, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}
