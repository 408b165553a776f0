package partition

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// within lists all legal assignments of value limit or less, closed up where
// closed is set, each once.
func within(p *Problem, limit int64, closed bool) [][]int {
	var all [][]int
	seen := map[string]bool{}
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
		one := slices.Clone(stages)
		if closed {
			one = Closed(one, p.Stages)
		}
		if key := fmt.Sprint(one); !seen[key] {
			seen[key] = true
			all = append(all, one)
		}
	}
	try(0)
	return all
}

func distance(a, b []int) int {
	n := 0
	for o := range a {
		if a[o] != b[o] {
			n++
		}
	}
	return n
}

// Every assignment within the limit is visited, or is near one that was kept;
// those that are kept are apart; none comes twice.
func TestEnumerateAgainstBruteForce(t *testing.T) {
	whole, closedUp, kept := 0, 0, 0
	for seed := range many(t, 1000) {
		r := rand.New(rand.NewPCG(seed, 0x656e756d))
		p := randomProblem(seed)
		if seed%2 == 1 {
			p = randomCores(seed)
		}
		least, ok := leastValue(p)
		limit := least + r.Int64N(least/2+3)
		l := Listing{Limit: limit, Distance: r.IntN(4), Apart: r.IntN(4) == 0}
		closed := !l.Apart && p.Interchangeable()
		var all [][]int
		if ok {
			all = within(p, limit, closed)
		}
		if r.IntN(3) == 0 {
			l.Capped, l.Cap = true, r.IntN(4)
			all = slices.DeleteFunc(all, func(one []int) bool { n, _ := p.Carried(one); return n > l.Cap })
		}
		if len(all) > 0 && r.IntN(3) == 0 {
			l.Kept = append(l.Kept, all[r.IntN(len(all))])
		}
		skips := r.IntN(3)
		visited := map[string]bool{}
		keep := slices.Clone(l.Kept)
		got, err := Enumerate(context.Background(), p, l, func(stages, sizes []int, value int64) Choice {
			key := fmt.Sprint(stages)
			if visited[key] {
				t.Errorf("seed %d: %v comes twice", seed, stages)
			}
			visited[key] = true
			if !slices.ContainsFunc(all, func(one []int) bool { return slices.Equal(one, stages) }) {
				t.Errorf("seed %d: %v is not within %d\n%+v", seed, stages, limit, p)
			}
			if v, err := p.Value(stages); err != nil || v != value {
				t.Errorf("seed %d: %v has value %d, not %d (%v)", seed, stages, v, value, err)
			}
			for _, other := range keep {
				if distance(stages, other) < max(l.Distance, 1) {
					t.Errorf("seed %d: %v is less than %d from %v", seed, stages, l.Distance, other)
				}
			}
			if skips > 0 && r.IntN(3) < skips {
				return Skip
			}
			keep = append(keep, stages)
			return Keep
		})
		if err != nil || !got.All {
			t.Fatalf("seed %d: %+v, %v\n%+v", seed, got, err, p)
		}
		for _, one := range all {
			near := visited[fmt.Sprint(one)] || slices.ContainsFunc(keep, func(other []int) bool { return distance(one, other) < max(l.Distance, 1) })
			if !near {
				t.Errorf("seed %d: %v is missing, distance %d, kept %v\n%+v", seed, one, l.Distance, keep, p)
			}
		}
		if l.Distance <= 1 && skips == 0 && l.Kept == nil && len(visited) != len(all) {
			t.Errorf("seed %d: %d visited of %d", seed, len(visited), len(all))
		}
		if ok {
			whole++
			kept += len(keep)
		}
		if closed && ok && !l.Capped && len(all) < len(within(p, limit, false)) {
			closedUp++
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	if n := int(many(t, 1000)); whole < n/2 || kept < 3*whole || closedUp < n/40 {
		t.Errorf("%d problems have assignments, %d were kept, of %d copies were left out", whole, kept, closedUp)
	}
}

// A listing ends when it is told to, when its steps are spent, or with its
// context; it then does not claim to have all.
func TestEnumerateEnds(t *testing.T) {
	p := &Problem{Stages: 3, Work: []int64{1, 1, 1, 1, 1, 1, 1, 1}}
	for _, c := range []struct {
		name  string
		ctx   func() context.Context
		steps int64
		stop  int
		want  int
	}{
		{"told to", context.Background, 0, 3, 3},
		{"steps", context.Background, 1000, 0, 2},
		{"context", func() context.Context { ctx, cancel := context.WithCancel(context.Background()); cancel(); return ctx }, 0, 0, 0},
	} {
		n := 0
		got, err := Enumerate(c.ctx(), p, Listing{Limit: 8, Steps: c.steps}, func([]int, []int, int64) Choice {
			if n++; n == c.stop {
				return Stop
			}
			return Keep
		})
		if err != nil || got.All || n != c.want {
			t.Errorf("%s: %d visited, want %d; %+v, %v", c.name, n, c.want, got, err)
		}
	}
}

func TestEnumerateRefuses(t *testing.T) {
	visit := func([]int, []int, int64) Choice { return Keep }
	if _, err := Enumerate(t.Context(), &Problem{}, Listing{}, visit); !errors.Is(err, ErrProblem) {
		t.Errorf("no stages: %v", err)
	}
	p := &Problem{Stages: 2, Work: []int64{1, 1}}
	if _, err := Enumerate(t.Context(), p, Listing{Limit: 2, Kept: [][]int{{0}}}, visit); !errors.Is(err, ErrStages) {
		t.Errorf("too few stages: %v", err)
	}
	large := &Problem{Stages: 2, Work: make([]int64, maxClosures+1)}
	if _, err := Enumerate(t.Context(), large, Listing{Limit: 2}, visit); !errors.Is(err, ErrLarge) {
		t.Errorf("too large: %v", err)
	}
}

func TestClosed(t *testing.T) {
	for _, c := range []struct{ stages, want []int }{
		{[]int{3, 1, 1, Outside}, []int{1, 0, 0, Outside}},
		{[]int{0, 1, 2}, []int{0, 1, 2}},
		{nil, []int{}},
	} {
		if got := Closed(c.stages, 4); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.stages, got, c.want)
		}
	}
}
