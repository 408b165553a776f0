package schedule_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/search/schedule"
	"plancheck/internal/search/schedule/scheduletest"
)

// others are the constraints of a problem that are not in a list.
func others(p *schedule.Problem, core []schedule.Constraint) []schedule.Constraint {
	return slices.DeleteFunc(schedule.Constraints(p), func(c schedule.Constraint) bool { return slices.Contains(core, c) })
}

// A conflict has no solution, and without any one of its constraints it has
// one; what is said of relaxations is so. All by brute force.
func TestWhyNotAgainstBruteForce(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 300
	}
	conflicts, kinds := 0, map[schedule.Kind]int{}
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 21))
		p := scheduletest.Random(rng, 3+rng.IntN(5))
		_, _, ok := scheduletest.Best(p)
		w, err := schedule.WhyNot(context.Background(), p, schedule.WhyOptions{Steps: 1 << 30})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if ok {
			if w.Status != schedule.Feasible || w.Core != nil {
				t.Errorf("seed %d: %v, %v, and there is a solution", seed, w.Status, w.Core)
			}
			continue
		}
		if w.Status != schedule.Infeasible || !w.Minimal {
			t.Errorf("seed %d: %v, minimal %t, and there is no solution", seed, w.Status, w.Minimal)
			continue
		}
		conflicts++
		rest := others(p, w.Core)
		if _, _, ok := scheduletest.Best(p.Without(rest...)); ok {
			t.Errorf("seed %d: %v is no conflict", seed, w.Core)
		}
		for i, c := range w.Core {
			kinds[c.Kind]++
			if _, _, ok := scheduletest.Best(p.Without(append(slices.Clone(rest), c)...)); !ok {
				t.Errorf("seed %d: %v conflicts without %v too", seed, w.Core, c)
			}
			judgeRelaxation(t, seed, p, c, w.Relaxations[i])
		}
	}
	if conflicts < n/10 {
		t.Errorf("only %d of %d have a conflict", conflicts, n)
	}
	for _, k := range []schedule.Kind{schedule.Reading, schedule.StagePinned, schedule.CorePinned, schedule.RangeGiven, schedule.Placed, schedule.Capacity, schedule.Filled} {
		if kinds[k] == 0 {
			t.Errorf("no conflict has a constraint of kind %d", k)
		}
	}
}

// What is found for large problems, without asking about single cores, is right
// too, and often as good.
func TestWhyNotLargeAgainstBruteForce(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 300
	}
	found, minimal, sums, none := 0, 0, 0, 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 22))
		p := scheduletest.Random(rng, 3+rng.IntN(5))
		_, _, ok := scheduletest.Best(p)
		w, err := schedule.WhyNotLarge(p)
		switch {
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		case ok && w.Status == schedule.Infeasible:
			t.Errorf("seed %d: %v, and there is a solution", seed, w.Core)
		case w.Status != schedule.Infeasible:
			if !ok {
				none++
			}
			continue
		}
		found++
		sums += len(w.Excesses)
		rest := others(p, w.Core)
		if _, _, ok := scheduletest.Best(p.Without(rest...)); ok {
			t.Errorf("seed %d: %v is no conflict", seed, w.Core)
		}
		if !w.Minimal {
			continue
		}
		minimal++
		for _, c := range w.Core {
			if _, _, ok := scheduletest.Best(p.Without(append(slices.Clone(rest), c)...)); !ok {
				t.Errorf("seed %d: %v conflicts without %v too", seed, w.Core, c)
			}
		}
	}
	t.Logf("%d conflicts, %d minimal, %d sums; %d were not found", found, minimal, sums, none)
	if found < n/20 || minimal < found/2 || sums < n/100 {
		t.Errorf("only %d conflicts, %d minimal, %d sums", found, minimal, sums)
	}
}

func judgeRelaxation(t *testing.T, seed int, p *schedule.Problem, c schedule.Constraint, r schedule.Relaxation) {
	t.Helper()
	switch {
	case c.Kind == schedule.Reading && !r.Gone:
		p = schedule.Far(p, c.Of)
	case r.All:
		p = p.Without(slices.DeleteFunc(schedule.Constraints(p), func(c schedule.Constraint) bool { return c.Kind != schedule.RangeGiven })...)
	default:
		p = p.Without(c)
	}
	cost, _, ok := scheduletest.Best(p)
	if ok != (r.Status == schedule.Feasible) || !ok && r.Status != schedule.Infeasible {
		t.Errorf("seed %d: without %v it is %v, and by brute force %t", seed, c, r.Status, ok)
	}
	if ok && (r.Cost.Interval != cost.Interval || r.Cost.Forwards != cost.Forwards) {
		t.Errorf("seed %d: without %v it costs %v, and by brute force %v", seed, c, r.Cost, cost)
	}
}

// chain has ops that read one another, with one cycle and one core a stage.
func chain(ops, stages int) *schedule.Problem {
	p := &schedule.Problem{Stages: stages, Cores: stages, Kinds: 1}
	for range stages {
		p.Ranges = append(p.Ranges, schedule.Range{First: schedule.Free, Count: schedule.Free})
	}
	for o := range ops {
		p.Ops = append(p.Ops, schedule.Op{Hi: stages - 1, Lanes: 1, Parts: 1, Cycles: []int64{1}})
		if o > 0 {
			p.Values = append(p.Values, schedule.Value{From: o - 1, Bytes: schedule.Unknown})
			p.Reads = append(p.Reads, schedule.Read{Value: o - 1, To: o})
		}
	}
	return p
}

// skipping is a chain of ops in stages that must not be empty, with a read of the
// first result by the last op: so every read is needed.
func skipping(ops, stages int) *schedule.Problem {
	p := chain(ops, stages)
	p.Reads = append(p.Reads, schedule.Read{Value: 0, To: ops - 1})
	p.NonEmpty = true
	return p
}

// backwards is a chain from an op in the last stage to one in stage 0.
func backwards(ops, stages int) *schedule.Problem {
	p := chain(ops, stages)
	p.Ops[0].Lo, p.Ops[ops-1].Hi = stages-1, 0
	return p
}

// Long conflicts are found whole, and in time.
func TestWhyNotLongPaths(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *schedule.Problem
		want int
	}{
		{"pins", backwards(1000, 8), 1001},
		{"filled", skipping(1000, 3), 1001},
	} {
		start := time.Now()
		w, err := schedule.WhyNot(context.Background(), c.p, schedule.WhyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if w.Status != schedule.Infeasible || !w.Minimal || len(w.Core) != c.want {
			t.Errorf("%s: %v, minimal %t, %d constraints, want %d", c.name, w.Status, w.Minimal, len(w.Core), c.want)
		}
		t.Logf("%s: %v", c.name, time.Since(start))
	}
}

func BenchmarkWhyNot(b *testing.B) {
	for _, n := range []int{1000, 4000} {
		for name, p := range map[string]*schedule.Problem{"pins": backwards(n, 8), "filled": skipping(n, 3)} {
			b.Run(fmt.Sprintf("%s-%d", name, n), func(b *testing.B) {
				for b.Loop() {
					if w, err := schedule.WhyNot(context.Background(), p, schedule.WhyOptions{}); err != nil || !w.Minimal {
						b.Fatal(w, err)
					}
				}
			})
		}
	}
}

// A path is told from its beginning to its end, the shortest of all.
func TestWhyNotShortestPath(t *testing.T) {
	p := chain(6, 4)
	p.Ops[1].Lo, p.Ops[5].Hi = 2, 1
	p.Values = append(p.Values, schedule.Value{From: schedule.Outside, Bytes: schedule.Unknown})
	p.Reads = append(p.Reads, schedule.Read{Value: 1, To: 4}, schedule.Read{Value: 5, To: 3})
	w, err := schedule.WhyNot(context.Background(), p, schedule.WhyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []schedule.Constraint{
		{Kind: schedule.StagePinned, Of: 1},
		{Kind: schedule.Reading, Of: 5},
		{Kind: schedule.Reading, Of: 4},
		{Kind: schedule.StagePinned, Of: 5},
	}
	if diff := cmp.Diff(want, w.Core); diff != "" {
		// The input behind two reads is as near.
		want = []schedule.Constraint{want[0], {Kind: schedule.Reading, Of: 1}, {Kind: schedule.Reading, Of: 2}, {Kind: schedule.Reading, Of: 6}}
		if cmp.Diff(want, w.Core) != "" {
			t.Error(diff)
		}
	}
}

// When time is up nothing is said that is not known.
func TestWhyNotOutOfTime(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w, err := schedule.WhyNot(ctx, skipping(5, 3), schedule.WhyOptions{Steps: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(schedule.Why{}, w, cmp.Comparer(func(a, b []schedule.Relaxation) bool { return len(a) == len(b) })); diff != "" {
		t.Error(diff)
	}
}

// What cannot be asked in time stays in the conflict, which is then not said to
// be minimal.
func TestWhyNotUnknownIsNotNeeded(t *testing.T) {
	core, minimal, err := schedule.ShrinkUnasked(skipping(5, 3), 2)
	if err != nil {
		t.Fatal(err)
	}
	if minimal || len(core) != 6 {
		t.Errorf("%d constraints, minimal %t; want 6 that may be too many", len(core), minimal)
	}
}
