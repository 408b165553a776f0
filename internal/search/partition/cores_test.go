package partition

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// randomCores returns a small problem with cores: sizes fixed evenly, fixed
// unevenly, bounded or free, memory or none, shared weights, and several values
// of one op.
func randomCores(seed uint64) *Problem {
	p := randomProblem(seed)
	r := rand.New(rand.NewPCG(seed, 0x636f726573))
	c := &Cores{Total: p.Stages + r.IntN(8)}
	switch r.IntN(5) {
	case 0: // even
		each := 1 + r.IntN(4)
		c.Total = p.Stages * each
		for range p.Stages {
			c.Sizes = append(c.Sizes, Range{each, each})
		}
	case 1: // given
		c.Total = 0
		for range p.Stages {
			n := 1 + r.IntN(4)
			c.Sizes = append(c.Sizes, Range{n, n})
			c.Total += n
		}
		for s := range c.Sizes {
			if r.IntN(20) == 0 {
				c.Total += s // sizes that do not add up
			}
		}
		for s := range c.Sizes {
			c.Sizes[s].Hi = min(c.Sizes[s].Hi, c.Total)
		}
	case 2: // some bounded
		for range p.Stages {
			lo := 1 + r.IntN(2)
			c.Sizes = append(c.Sizes, Range{min(lo, c.Total), min(lo+r.IntN(4), c.Total)})
		}
	}
	if r.IntN(2) == 0 {
		for range p.Work {
			var uses []Use
			for range r.IntN(4) {
				uses = append(uses, Use{r.IntN(5), r.Int64N(20)})
			}
			c.Uses = append(c.Uses, uses)
		}
		c.Room = []int64{0}
		each := 5 + r.Int64N(40)
		for n := range c.Total {
			c.Room = append(c.Room, c.Room[n]+r.Int64N(each))
			if r.IntN(2) == 0 {
				c.Room[n+1] = c.Room[n] + each/2
			}
		}
	}
	if r.IntN(6) == 0 {
		c.Least = r.Int64N(50)
	}
	p.Cores = c
	addValues(p, r)
	if r.IntN(8) == 0 {
		p.Cores = nil
	}
	return p
}

// addValues gives some ops several values.
func addValues(p *Problem, r *rand.Rand) {
	if r.IntN(2) == 0 {
		return
	}
	for i := range p.Edges {
		if r.IntN(2) == 0 {
			continue
		}
		e := &p.Edges[i]
		for v, x := range p.Values {
			if x.Op == e.From && r.IntN(2) == 0 {
				e.Value = v + 1
			}
		}
		if e.Value == 0 {
			p.Values = append(p.Values, ValueCost{e.From, r.Int64N(20)})
			e.Value = len(p.Values)
		}
		if r.IntN(4) == 0 {
			// The same op uses the first value too.
			p.Edges = append(p.Edges, Edge{e.From, e.To, e.Far, 0})
		}
	}
}

// TestSizes holds Problem.Sizes against all sizes, one after the other.
func TestSizes(t *testing.T) {
	legal, not := 0, 0
	for seed := range many(t, 4000) {
		p := randomCores(seed)
		if p.Cores == nil {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 11))
		stages := make([]int, len(p.Work))
		for o := range stages {
			d := p.domain(o)
			stages[o] = d.Lo + r.IntN(d.Hi-d.Lo+1)
		}
		p.Edges, p.NonEmpty = nil, false
		loads, err := p.Loads(stages)
		if err != nil {
			t.Fatal(err)
		}
		held := make([]int64, p.Stages)
		for s := range held {
			of := map[int]int64{}
			for o, at := range stages {
				if at == s && p.Cores.Uses != nil {
					for _, u := range p.Cores.Uses[o] {
						of[u.Weight] = max(of[u.Weight], u.Bytes)
					}
				}
			}
			for _, b := range of {
				held[s] += b
			}
		}
		want, ok := int64(0), false
		var try func(s, left int, value int64)
		try = func(s, left int, value int64) {
			if s == p.Stages {
				if left == 0 && (!ok || value < want) {
					want, ok = value, true
				}
				return
			}
			for n := 1; n <= left; n++ {
				if z := p.Cores.Sizes; z != nil && (n < z[s].Lo || n > z[s].Hi) {
					continue
				}
				if p.Cores.Room != nil && p.Cores.Room[n] < held[s] {
					continue
				}
				each := loads[s] / int64(n)
				if each*int64(n) < loads[s] {
					each++
				}
				try(s+1, left-n, max(value, each))
			}
		}
		try(0, p.Cores.Total, p.Cores.Least)
		sizes, got, err := p.Sizes(stages)
		if (err == nil) != ok || ok && got != want {
			t.Fatalf("seed %d: sizes %v, value %d, %v; want %d, %v\n%+v %+v", seed, sizes, got, err, want, ok, p, p.Cores)
		}
		if !ok {
			not++
			continue
		}
		legal++
		total := 0
		for s, n := range sizes {
			total += n
			z := p.Cores.size(s)
			if n < z.Lo || n > z.Hi || int64(n)*want < loads[s] || p.Cores.Room != nil && p.Cores.Room[n] < held[s] {
				t.Fatalf("seed %d: stage %d has %d cores for %d and %d bytes\n%+v", seed, s, n, loads[s], held[s], p)
			}
		}
		if total != p.Cores.Total {
			t.Fatalf("seed %d: sizes %v of %d cores", seed, sizes, p.Cores.Total)
		}
	}
	t.Log(legal, not)
	if legal < int(many(t, 2000)) || not < int(many(t, 300)) {
		t.Errorf("the sample is lopsided: %d legal, %d not", legal, not)
	}
}

// TestSolveWithCores compares with brute force, for the team and for each
// proving part alone.
func TestSolveWithCores(t *testing.T) {
	alone := map[string]func(w *net, b *board) part{
		"cuts": func(w *net, b *board) part { return newBrancher(w, b) },
		"sat":  func(w *net, b *board) part { return newProber(w, b, false) },
		// It asks for few ideals only, so it is as right where sizes are fixed.
		"ideals": func(w *net, b *board) part { return newIdeals(w, b) },
	}
	counts := map[Status]int{}
	free, memory, values := 0, 0, 0
	for seed := range many(t, 6000) {
		p := randomCores(seed)
		want, ok := leastValue(p)
		check := func(who string, got Result, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("seed %d, %s: %v\n%+v %+v", seed, who, err, p, p.Cores)
			}
			if ok != (got.Status == Optimal) || !ok && got.Status != Infeasible || ok && (got.Value != want || got.Bound != want) {
				t.Fatalf("seed %d, %s: %+v, want %d, %v\n%+v %+v", seed, who, got, want, ok, p, p.Cores)
			}
			if got.Sum != nil && !sumHolds(p, got.Sum, got.Bound) {
				t.Fatalf("seed %d, %s: %+v does not add up\n%+v", seed, who, got.Sum, p)
			}
			counts[got.Status]++
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		got, err := Solve(ctx, p, Options{Seed: seed, Steps: int64(seed%2) << 40})
		check("team", got, err)
		for name, make := range alone {
			w, err := compile(p)
			if err != nil {
				t.Fatal(err)
			}
			b := newBoard(w)
			if err := structure(b); err != nil {
				t.Fatal(err)
			}
			if !b.closed() {
				make(w, b).turn(ctx, noValue)
			}
			r, err := b.result(0)
			check(name, r, err)
		}
		cancel()
		if ok && p.Cores != nil {
			if p.Cores.Sizes == nil {
				free++
			}
			if p.Cores.Room != nil {
				memory++
			}
			if p.Values != nil {
				values++
			}
		}
	}
	t.Log(counts, free, memory, values)
	if counts[Optimal] < int(many(t, 12000)) || counts[Infeasible] < int(many(t, 2000)) || min(free, memory, values) < int(many(t, 600)) {
		t.Errorf("the sample is lopsided: %v; %d with free sizes, %d with memory, %d with values", counts, free, memory, values)
	}
}

func TestIllFormedCores(t *testing.T) {
	base := func() *Problem {
		return &Problem{Stages: 2, Work: []int64{5, 6}, Edges: []Edge{{From: 0, To: 1}}, Cores: &Cores{Total: 3}}
	}
	for name, change := range map[string]func(p *Problem){
		"no cores":            func(p *Problem) { p.Cores.Total = 0 },
		"many cores":          func(p *Problem) { p.Cores.Total = 1 << 30 },
		"sizes":               func(p *Problem) { p.Cores.Sizes = []Range{{1, 2}} },
		"a size of none":      func(p *Problem) { p.Cores.Sizes = []Range{{0, 2}, {1, 2}} },
		"a size backwards":    func(p *Problem) { p.Cores.Sizes = []Range{{2, 1}, {1, 2}} },
		"a size beyond all":   func(p *Problem) { p.Cores.Sizes = []Range{{1, 4}, {1, 2}} },
		"uses":                func(p *Problem) { p.Cores.Uses = [][]Use{{}} },
		"negative bytes":      func(p *Problem) { p.Cores.Uses = [][]Use{{{0, -1}}, {}} },
		"bytes without bound": func(p *Problem) { p.Cores.Uses = [][]Use{{{0, 1 << 60}, {1, 1 << 60}}, {}} },
		"room":                func(p *Problem) { p.Cores.Room = []int64{0, 1} },
		"room that shrinks":   func(p *Problem) { p.Cores.Room = []int64{0, 2, 1, 3} },
		"negative room":       func(p *Problem) { p.Cores.Room = []int64{-1, 2, 3, 3} },
		"a negative least":    func(p *Problem) { p.Cores.Least = -1 },
		"a least too large":   func(p *Problem) { p.Cores.Least = 1 << 61 },
		"work times cores":    func(p *Problem) { p.Work[0] = 1 << 60 },
		"a value of nobody":   func(p *Problem) { p.Values = []ValueCost{{2, 1}} },
		"a negative value":    func(p *Problem) { p.Values = []ValueCost{{0, -1}} },
		"an unknown value":    func(p *Problem) { p.Edges[0].Value = 1 },
		"another's value":     func(p *Problem) { p.Values = []ValueCost{{1, 1}}; p.Edges[0].Value = 1 },
		"value costs":         func(p *Problem) { p.Values = []ValueCost{{1, 1 << 60}} },
	} {
		p := base()
		change(p)
		if _, err := Solve(t.Context(), p, Options{}); !errors.Is(err, ErrProblem) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Well-formed, but nothing is legal.
	for name, c := range map[string]*Cores{
		"fewer cores than stages": {Total: 1},
		"sizes that are too many": {Total: 3, Sizes: []Range{{2, 3}, {2, 3}}},
		"sizes that are too few":  {Total: 3, Sizes: []Range{{1, 1}, {1, 1}}},
		"no room":                 {Total: 3, Uses: [][]Use{{{0, 9}}, {}}, Room: []int64{0, 3, 6, 9}},
	} {
		p := base()
		p.Cores = c
		got, err := Solve(t.Context(), p, Options{})
		if err != nil || got.Status != Infeasible {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if _, _, err := p.Sizes([]int{0, 1}); !errors.Is(err, ErrStages) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestKnownSizes has sums done by hand.
func TestKnownSizes(t *testing.T) {
	free := &Problem{Stages: 2, Work: []int64{30, 10}, Edges: []Edge{{From: 0, To: 1}}, Cores: &Cores{Total: 4}}
	got, err := Solve(t.Context(), free, Options{})
	if err != nil || got.Status != Optimal || got.Value != 10 {
		t.Errorf("%+v, %v; want 10 a core", got, err)
	}
	sizes, value, err := free.Sizes([]int{0, 1})
	if diff := cmp.Diff([]int{3, 1}, sizes); diff != "" || value != 10 || err != nil {
		t.Errorf("value %d, %v, -want +got sizes\n%s", value, err, diff)
	}
	// With its weight, which needs two cores, the small op leaves two to the other.
	held := *free.Cores
	held.Uses, held.Room = [][]Use{{}, {{7, 5}}}, []int64{0, 3, 6, 9, 12}
	tight := *free
	tight.Cores = &held
	sizes, value, err = tight.Sizes([]int{0, 1})
	if diff := cmp.Diff([]int{2, 2}, sizes); diff != "" || value != 15 || err != nil {
		t.Errorf("value %d, %v, -want +got sizes\n%s", value, err, diff)
	}
	if value, err := tight.Value([]int{0, 0}); value != 14 || err != nil {
		t.Errorf("both in one stage of three: %d, %v", value, err)
	}
	held.Least = 20
	if value, err := tight.Value([]int{0, 1}); value != 20 || err != nil {
		t.Errorf("a share of 20: %d, %v", value, err)
	}
}

// TestOnAssignment: every assignment told of is legal, has that value and those
// sizes, and is better than the one before; the last is the result.
func TestOnAssignment(t *testing.T) {
	several := 0
	for seed := range many(t, 1000) {
		p := randomCores(seed)
		var stages, sizes []int
		value, calls := int64(-1), 0
		got, err := Solve(t.Context(), p, Options{Seed: seed, OnAssignment: func(st, sz []int, v int64) {
			wantSizes, want, err := p.Sizes(st)
			if err != nil || want != v || value >= 0 && v >= value || cmp.Diff(wantSizes, sz) != "" {
				t.Errorf("seed %d: told of %v, %v, %d after %d; %v, %d, %v", seed, st, sz, v, value, wantSizes, want, err)
			}
			stages, sizes, value = st, sz, v
			calls++
		}})
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != Optimal {
			continue
		}
		if calls > 1 {
			several++
		}
		if cmp.Diff(got.Stages, stages) != "" || cmp.Diff(got.Sizes, sizes) != "" || got.Value != value {
			t.Errorf("seed %d: %+v, told of %v, %v, %d", seed, got, stages, sizes, value)
		}
	}
	if several < int(many(t, 100)) {
		t.Errorf("only %d searches found several", several)
	}
}
