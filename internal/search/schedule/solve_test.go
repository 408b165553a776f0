package schedule_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/search/schedule"
	"plancheck/internal/search/schedule/scheduletest"
)

// Layers alone are not always right about the best, but never wrong about what
// they prove or find, and most often best.
func TestLayersProveNothingWrong(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	best := 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		p := scheduletest.Random(rng, 3+rng.IntN(6))
		cost, _, ok := scheduletest.Best(p)
		got, found, bound, infeasible, err := schedule.SolveLayers(p)
		switch {
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		case infeasible && ok:
			t.Errorf("seed %d: infeasible, and brute force finds %v", seed, cost)
		case ok && bound > cost.Interval:
			t.Errorf("seed %d: bound %d, and brute force finds %v", seed, bound, cost)
		case found && (!ok || got.Interval < cost.Interval):
			t.Errorf("seed %d: found %v, brute force %v %v", seed, got, ok, cost)
		case found == ok && got == cost || infeasible:
			best++
		}
	}
	if best < n/2 {
		t.Errorf("only %d of %d as good as brute force", best, n)
	}
}

// The whole search agrees with brute force: whether there is a solution, the
// least interval and then the fewest forwards; by the clock and by steps.
func TestSolveAgainstBruteForce(t *testing.T) {
	n := 5000
	if testing.Short() {
		n = 300
	}
	feasible := 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 9))
		p := scheduletest.Random(rng, 3+rng.IntN(6))
		cost, _, ok := scheduletest.Best(p)
		o := schedule.Options{}
		if seed%2 == 1 {
			o.Steps = 1 << 40
		}
		r, err := schedule.Solve(context.Background(), p, o)
		switch {
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		case !ok && r.Status != schedule.Infeasible:
			t.Errorf("seed %d: %v, brute force finds nothing", seed, r.Status)
		case ok && (r.Status != schedule.Optimal || r.Cost.Interval != cost.Interval || r.Cost.Forwards != cost.Forwards):
			t.Errorf("seed %d: %v %v, brute force %v", seed, r.Status, r.Cost, cost)
		case ok:
			feasible++
		}
	}
	if feasible < n/2 || feasible > n*9/10 {
		t.Errorf("%d of %d have a solution", feasible, n)
	}
}

// The same problem, seed and steps give the same solution.
func TestSolveIsRepeatable(t *testing.T) {
	for seed := range 100 {
		rng := rand.New(rand.NewPCG(uint64(seed), 10))
		p := scheduletest.Random(rng, 8)
		for _, steps := range []int64{1000, 100_000} {
			o := schedule.Options{Seed: uint64(seed), Steps: steps}
			a, err := schedule.Solve(context.Background(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			b, err := schedule.Solve(context.Background(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(a, b); diff != "" {
				t.Errorf("seed %d, %d steps: %s", seed, steps, diff)
			}
		}
	}
}

// However many cores and stages there are, a search ends soon after its time.
func TestSolveEndsInTime(t *testing.T) {
	for _, size := range []struct{ stages, cores int }{{2, 65_536}, {100, 20_000}} {
		open := schedule.Range{First: schedule.Free, Count: schedule.Free}
		p := &schedule.Problem{
			Stages: size.stages, Cores: size.cores, Kinds: 1, Ranges: slices.Repeat([]schedule.Range{open}, size.stages),
			Ops: []schedule.Op{{Hi: size.stages - 1, Lanes: 2, Parts: 1, Cycles: []int64{7}}},
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		start := time.Now()
		_, err := schedule.Solve(ctx, p, schedule.Options{})
		cancel()
		if took := time.Since(start); err != nil || took > time.Minute {
			t.Errorf("%d stages, %d cores: %v, %v", size.stages, size.cores, took, err)
		}
	}
}

// Shares that do not fill the cores are slower than their sum, whatever the
// stages are: 5 of 3,781, 5 of 3,829 and 5 of 1,582 cycles and one of 11,127 have
// 11,418 cycles a core, and no five cores on which none has more than 11,690.
func TestSolveCountsOnWholeShares(t *testing.T) {
	open := schedule.Range{First: schedule.Free, Count: schedule.Free}
	p := &schedule.Problem{Stages: 2, Cores: 5, Kinds: 1, Ranges: []schedule.Range{open, open}}
	for _, op := range []struct {
		lanes  int
		cycles int64
	}{{5, 3781}, {5, 3829}, {5, 1582}, {1, 11_127}} {
		p.Ops = append(p.Ops, schedule.Op{Hi: 1, Lanes: op.lanes, Parts: 1, Cycles: []int64{op.cycles}})
	}
	_, _, bound, _, err := schedule.SolveLayers(p)
	if err != nil || bound != 11_691 {
		t.Errorf("bound %d, %v, want 11691", bound, err)
	}
}
