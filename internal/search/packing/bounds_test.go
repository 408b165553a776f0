package packing

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// No bound passes the least value, and nothing that can be packed is refuted.
func TestBoundsAreSound(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 4))
	by := map[string]int{}
	for round := range rounds(1000, 8000) {
		sh := randomShape(r)
		sh.cores, sh.items = 2+r.IntN(2), 4+r.IntN(4)
		sh.room, sh.bytes = 1+r.Float64()/2, []int64{5, 20, 1000}[r.IntN(3)]
		p := sh.random(r)
		want, ok := bruteForce(p)
		w, err := compile(p)
		if err != nil {
			t.Fatal(err)
		}
		b := newBoard(w, Options{})
		least := bounds(b)
		if !b.infeasible {
			if ok {
				b.value = want
			}
			stretch(b, least)
		}
		if ok && (b.infeasible || b.bound > want) {
			t.Fatalf("round %d: bound %d by %s, infeasible %v, want %d\n%+v", round, b.bound, b.boundBy, b.infeasible, want, p)
		}
		by[b.boundBy]++
	}
	for _, name := range []string{"area", "bytes", "counting", "counting of shares", "counting of weights", "crowding", "largest share", "pins"} {
		if by[name] == 0 {
			t.Errorf("no bound by %s in %v", name, by)
		}
	}
}

// equal returns that many items with own slices of these bytes and cycles.
func equal(p *Problem, count int, cycles, bytes int64) {
	for range count {
		p.Items = append(p.Items, Item{Cycles: []int64{cycles}, Pin: Free, Slices: []Slice{{len(p.Sizes), 0, 1}}})
		p.Sizes = append(p.Sizes, bytes)
	}
}

// Bounds that can be added up by hand.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		name       string
		cores      []Core
		items      func(p *Problem)
		infeasible bool
		bound      int64
		by         string
		why        *Reason
	}{
		{"an even share", []Core{{-1, 0}, {-1, 0}}, func(p *Problem) { equal(p, 5, 3, 0); equal(p, 3, 1, 0) }, false, 9, "area", nil},
		{"the largest", []Core{{-1, 0}, {-1, 0}}, func(p *Problem) { equal(p, 1, 9, 0); equal(p, 3, 1, 0) }, false, 9, "largest share", nil},
		{"two of three on one core", []Core{{-1, 0}, {-1, 0}}, func(p *Problem) { equal(p, 3, 5, 0) }, false, 10, "counting", nil},
		{"a core of another kind", []Core{{-1, 0}, {-1, 1}}, func(p *Problem) {
			for range 6 {
				p.Items = append(p.Items, Item{Cycles: []int64{2, 4}, Pin: Free})
			}
		}, false, 8, "area", nil},
		{"pinned together", []Core{{-1, 0}, {-1, 0}}, func(p *Problem) {
			equal(p, 2, 5, 0)
			p.Items[0].Pin, p.Items[1].Pin = 1, 1
		}, false, 10, "pins", nil},
		// Beside 9 of 10 bytes nothing of 2 bytes fits: four of them share one core.
		{"beside large weights", []Core{{10, 0}, {10, 0}, {10, 0}}, func(p *Problem) { equal(p, 2, 1, 9); equal(p, 4, 4, 2) }, false, 16, "crowding", nil},
		// And one thing of 1 byte: of six, four share one core.
		{"what large weights leave", []Core{{10, 0}, {10, 0}, {10, 0}}, func(p *Problem) { equal(p, 2, 1, 9); equal(p, 6, 4, 1) }, false, 16, "crowding", nil},
		{"three halves on two cores", []Core{{10, 0}, {10, 0}}, func(p *Problem) { equal(p, 3, 1, 6) }, true, 2, "counting of weights", nil},
		{"more than all", []Core{{10, 0}, {9, 0}}, func(p *Problem) { equal(p, 4, 1, 5) }, true, 0, "bytes", &Reason{-1, -1, 20, 19}},
		{"more than any", []Core{{10, 0}, {9, 0}}, func(p *Problem) { equal(p, 1, 1, 1); equal(p, 1, 1, 11) }, true, 0, "bytes", &Reason{1, -1, 11, 10}},
		{"more than where it is pinned", []Core{{10, 0}, {9, 0}}, func(p *Problem) {
			equal(p, 2, 1, 5)
			p.Items[0].Pin, p.Items[1].Pin = 1, 1
		}, true, 0, "bytes", &Reason{-1, 1, 10, 9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Problem{Cores: c.cores}
			c.items(p)
			w, err := compile(p)
			if err != nil {
				t.Fatal(err)
			}
			b := newBoard(w, Options{})
			bounds(b)
			if b.bound != c.bound || b.boundBy != c.by || b.infeasible != c.infeasible {
				t.Errorf("bound %d by %s, infeasible %v, want %d by %s, %v", b.bound, b.boundBy, b.infeasible, c.bound, c.by, c.infeasible)
			}
			if diff := cmp.Diff(c.why, b.why); diff != "" {
				t.Errorf("why (-want +got):\n%s", diff)
			}
		})
	}
}
