package placement

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBoundIsSound holds the bounds of partial placements, the tightness of
// whole ones, and the least sums of assignments against brute force.
func TestBoundIsSound(t *testing.T) {
	tight := 0
	for seed := range many(t, 6000) {
		p := randomProblem(seed, 6)
		w, err := compile(p)
		if err != nil || p.Cores > len(p.Hops) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 1))
		place, on := slices.Repeat([]int{Free}, w.n), slices.Repeat([]int{Free}, w.n)
		fixed := &Problem{Cores: p.Cores, Flows: p.Flows, Hops: p.Hops, Allowed: p.Allowed, Pins: slices.Repeat([]int{Free}, p.Cores)}
		copy(fixed.Pins, p.Pins)
		for i := range p.Cores {
			if k := r.IntN(w.n); r.IntN(3) == 0 && on[k] == Free && p.allows(i, k) {
				place[i], on[k], fixed.Pins[i] = k, i, k
			}
		}
		twice, ok := newBounder(w).bound(place, on)
		want, legal := leastTraffic(fixed)
		if ok != legal || ok && twice > 2*want {
			t.Fatalf("seed %d: twice the bound is %d, %v, but %d, %v\n%+v", seed, twice, ok, want, legal, fixed)
		}
		if ok && (twice+1)/2 == want {
			tight++
		}
	}
	if tight < int(many(t, 1000)) {
		t.Errorf("only %d bounds were reached", tight)
	}
}

func TestAssign(t *testing.T) {
	var a assigner
	for seed := range many(t, 6000) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := r.IntN(7)
		cost := make([]int64, n*n)
		for i := range cost {
			cost[i] = r.Int64N(30)
			if r.IntN(4) == 0 {
				cost[i] = forbidden
			}
		}
		want := int64(forbidden)
		used := make([]bool, n)
		var try func(i int, sum int64)
		try = func(i int, sum int64) {
			if i == n {
				want = min(want, sum)
				return
			}
			for k := range n {
				if c := cost[i*n+k]; !used[k] && c != forbidden {
					used[k] = true
					try(i+1, sum+c)
					used[k] = false
				}
			}
		}
		try(0, 0)
		got, ok := a.solve(n, cost)
		if ok != (want != forbidden) || ok && got != want {
			t.Fatalf("seed %d: %d, %v, want %d for %v", seed, got, ok, want, cost)
		}
		if !ok {
			continue
		}
		// The duals are legal and add up to the sum: the proof.
		sum := int64(0)
		for i := range n {
			sum += a.row[i] + a.col[i]
			for k := range n {
				if cost[i*n+k] != forbidden && cost[i*n+k] < a.row[i]+a.col[k] {
					t.Fatalf("seed %d: duals %v and %v pass %v", seed, a.row, a.col, cost)
				}
			}
		}
		if sum != want {
			t.Fatalf("seed %d: duals add up to %d, want %d", seed, sum, want)
		}
	}
}

// TestCutBoundIsSound holds the bound by cuts, and the flow that must cross one,
// against brute force.
func TestCutBoundIsSound(t *testing.T) {
	some, tight := 0, 0
	for seed := range many(t, 6000) {
		p := randomProblem(seed, 7)
		p.Pins, p.Allowed = nil, nil
		w, err := compile(p)
		if err != nil || p.Cores > len(p.Hops) {
			continue
		}
		want := slices.Repeat([]int64{noValue}, w.n+1)
		for set := range 1 << w.n {
			size, flow := 0, int64(0)
			for i := range w.n {
				size += set >> i & 1
			}
			for _, f := range p.Flows {
				if set>>f.From&1 != set>>f.To&1 {
					flow += f.Amount
				}
			}
			want[size] = min(want[size], flow)
		}
		for size, flow := range w.sections(t.Context()) {
			if flow > want[size] {
				t.Fatalf("seed %d: %d cores part with %d, but %d\n%+v", seed, size, flow, want[size], p)
			}
		}
		least, _ := leastTraffic(p)
		bound := w.cutBound(t.Context())
		if bound > least {
			t.Fatalf("seed %d: bound %d, but %d\n%+v", seed, bound, least, p)
		}
		if bound > 0 {
			some++
			if bound == least {
				tight++
			}
		}
	}
	t.Log(some, tight)
	if some < int(many(t, 1000)) || tight < int(many(t, 100)) {
		t.Errorf("%d bounds, %d of them reached", some, tight)
	}
}

// TestRoundingIsSound: no flow grows, none by more than a 256th shrinks, and
// slices that differ by a byte become the same.
func TestRoundingIsSound(t *testing.T) {
	p := &Problem{Cores: 9, Hops: mesh(3, 3)}
	for i := range 4 {
		for j := range 5 {
			p.Flows = append(p.Flows, Flow{i, 4 + j, int64(1000 + (i+j)%2)})
		}
	}
	w, err := compile(p)
	if err != nil {
		t.Fatal(err)
	}
	if r := w.rounded(); w.classes != 4 || r.classes != 2 {
		t.Errorf("%d classes become %d", w.classes, r.classes)
	}
	for seed := range many(t, 500) {
		r := rand.New(rand.NewPCG(seed, 4))
		p := randomProblem(seed, 7)
		for f := range p.Flows {
			p.Flows[f].Amount = r.Int64N(1 << (1 + r.IntN(20)))
		}
		w, err := compile(p)
		if err != nil {
			t.Fatal(err)
		}
		rounded := w.rounded()
		for i, arcs := range w.arcs {
			for x, a := range arcs {
				for _, d := range [][2]int64{{a.out, rounded.arcs[i][x].out}, {a.in, rounded.arcs[i][x].in}, {w.self[i], rounded.self[i]}} {
					if d[1] > d[0] || d[0]-d[1] > d[0]/256 {
						t.Fatalf("seed %d: %d becomes %d", seed, d[0], d[1])
					}
				}
			}
		}
	}
}

// TestRounderAlone holds what rounding proves by itself against brute force.
func TestRounderAlone(t *testing.T) {
	rounders := 0
	for seed := range many(t, 4000) {
		p := randomProblem(seed, 7)
		w, err := compile(p)
		if err != nil || newMatching(p.Cores, len(p.Hops), w.allows).hall() != nil {
			continue
		}
		b := newBoard(w)
		m := newMatching(w.n, w.n, w.allows)
		m.hall()
		b.lower("greedy", m.place, w.traffic(m.place))
		r := newRounder(w, b)
		if r == nil {
			continue
		}
		rounders++
		takeTurns(t.Context(), b, []part{r}, 0)
		want, _ := leastTraffic(p)
		if b.bound > want || b.bound < want-want/256 || b.value < want || b.value > want+want/255 {
			t.Fatalf("seed %d: %d to %d, want %d\n%+v", seed, b.bound, b.value, want, p)
		}
	}
	if rounders < int(many(t, 200)) {
		t.Errorf("only %d problems in which rounding makes cores alike", rounders)
	}
}

// TestCutsOfMesh: lines between rows and columns, each once.
func TestCutsOfMesh(t *testing.T) {
	w, err := compile(&Problem{Hops: mesh(3, 4)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]cut{{3, 1}, {4, 1}, {6, 1}, {9, 1}, {8, 1}}, w.cuts(t.Context()), cmp.AllowUnexported(cut{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
