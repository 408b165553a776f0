package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/search/partition"
	"plancheck/internal/search/schedule"
	"plancheck/internal/search/schedule/scheduletest"
)

// stagesWithin lists the stages of ops under which some solution has an interval
// of limit or less, closed up where that is asked for, each once.
func stagesWithin(p *schedule.Problem, limit int64, closed bool) [][]int {
	var all [][]int
	seen := map[string]bool{}
	stage := make([]int, len(p.Ops))
	var choose func(o int)
	choose = func(o int) {
		if o < len(stage) {
			for stage[o] = p.Ops[o].Lo; stage[o] <= p.Ops[o].Hi; stage[o]++ {
				choose(o + 1)
			}
			return
		}
		q := *p
		q.Ops = slices.Clone(p.Ops)
		for o, s := range stage {
			q.Ops[o].Lo, q.Ops[o].Hi = s, s
		}
		if cost, _, ok := scheduletest.Best(&q); !ok || cost.Interval > limit {
			return
		}
		one := slices.Clone(stage)
		if closed {
			one = partition.Closed(one, p.Stages)
		}
		if key := fmt.Sprint(one); !seen[key] {
			seen[key] = true
			all = append(all, one)
		}
	}
	choose(0)
	return all
}

func apart(a, b []int) int {
	n := 0
	for o := range a {
		if a[o] != b[o] {
			n++
		}
	}
	return n
}

// What is listed is legal, within the limit and apart; and what is not listed is
// near something that is.
func TestExploreAgainstBruteForce(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 100
	}
	feasible, copies, many := 0, 0, 0
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 17))
		p := scheduletest.Random(rng, 3+rng.IntN(4))
		r, err := schedule.Solve(t.Context(), p, schedule.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if r.Solution == nil {
			continue
		}
		feasible++
		limit := r.Cost.Interval + rng.Int64N(r.Cost.Interval/2+2)
		closes := schedule.Closes(p)
		all := stagesWithin(p, limit, closes)
		if closes && len(all) < len(stagesWithin(p, limit, false)) {
			copies++
		}
		x := schedule.Exploring{Count: 1 << 20, Limit: limit, Distance: rng.IntN(4), Fewer: rng.IntN(2) == 0}
		first := schedule.Found{Solution: r.Solution, Cost: r.Cost}
		got, err := schedule.Explore(t.Context(), p, first, x)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !got.All || got.Unpacked != 0 {
			t.Errorf("seed %d: %d found, all %v, %d unpacked", seed, len(got.Found), got.All, got.Unpacked)
		}
		for i, f := range got.Found {
			cost, err := scheduletest.Judge(p, f.Solution)
			if err != nil || cost != f.Cost || cost.Interval > limit {
				t.Errorf("seed %d: schedule %d costs %+v, not %+v, within %d: %v", seed, i, cost, f.Cost, limit, err)
			}
			for _, other := range got.Found[:i] {
				if apart(f.Solution.Stage, other.Solution.Stage) < max(x.Distance, 1) {
					t.Errorf("seed %d: %v is less than %d from %v", seed, f.Solution.Stage, x.Distance, other.Solution.Stage)
				}
			}
			if !slices.ContainsFunc(all, func(s []int) bool { return slices.Equal(s, f.Solution.Stage) }) {
				t.Errorf("seed %d: %v is none of %v", seed, f.Solution.Stage, all)
			}
		}
		for _, s := range all {
			if !slices.ContainsFunc(got.Found, func(f schedule.Found) bool { return apart(f.Solution.Stage, s) < max(x.Distance, 1) }) {
				t.Errorf("seed %d: %v is missing", seed, s)
			}
		}
		// Half of the schedules are not accepted: then the others are found.
		x.Distance, x.Fewer = 1, false
		x.Accept = func(f schedule.Found) (bool, error) { return f.Solution.Stage[0] == 0, nil }
		some, err := schedule.Explore(t.Context(), p, first, x)
		accepted := 0
		for _, s := range all {
			if s[0] == 0 {
				accepted++
			}
		}
		if err != nil || !some.All || len(some.Found) != accepted || accepted+some.Rejected < len(all) {
			t.Errorf("seed %d: %d accepted, want %d of %d, %d rejected, all %v: %v", seed, len(some.Found), accepted, len(all), some.Rejected, some.All, err)
		}
		if len(got.Found) > 3 {
			many++
		}
	}
	if feasible < n/2 || copies < n/25 || many < n/12 {
		t.Errorf("%d of %d feasible, %d with copies, %d with more than three", feasible, n, copies, many)
	}
}

// The first schedule comes first, the rest by cost; no more than Count; and the
// same steps and seed give the same list.
func TestExploreIsSortedAndRepeatable(t *testing.T) {
	full := 0
	for seed := range 60 {
		rng := rand.New(rand.NewPCG(uint64(seed), 18))
		p := scheduletest.Random(rng, 7)
		r, err := schedule.Solve(t.Context(), p, schedule.Options{Steps: 1 << 30})
		if err != nil || r.Solution == nil {
			continue
		}
		told := 0
		x := schedule.Exploring{Count: 4, Limit: 2 * r.Cost.Interval, Steps: 1 << 30, OnFound: func(n, tried int) {
			if n != told+1 || tried < n-1 {
				t.Errorf("seed %d: told of %d after %d, %d tried", seed, n, told, tried)
			}
			told = n
		}}
		first := schedule.Found{Solution: r.Solution, Cost: r.Cost}
		a, err := schedule.Explore(context.Background(), p, first, x)
		if err != nil {
			t.Fatal(err)
		}
		told = 0
		b, err := schedule.Explore(context.Background(), p, first, x)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
		if len(a.Found) > 4 || a.Found[0].Cost.Interval != r.Cost.Interval {
			t.Errorf("seed %d: %d found, first %+v", seed, len(a.Found), a.Found[0].Cost)
		}
		if !slices.IsSortedFunc(a.Found, func(a, b schedule.Found) int { return int(a.Cost.Interval - b.Cost.Interval) }) {
			t.Errorf("seed %d: not sorted", seed)
		}
		if len(a.Found) == 4 {
			full++
		}
	}
	if full < 10 {
		t.Errorf("only %d full lists", full)
	}
}

func TestExploreRefuses(t *testing.T) {
	p := &schedule.Problem{Stages: 1, Cores: 1, Ranges: []schedule.Range{{First: schedule.Free, Count: schedule.Free}}, Kinds: 1,
		Ops: []schedule.Op{{Lanes: 1, Parts: 1, Cycles: []int64{3}}}}
	bad := schedule.Found{Solution: &schedule.Solution{Stage: []int{1}, First: []int{0}, Core: [][]int{{0}}}}
	if _, err := schedule.Explore(t.Context(), p, bad, schedule.Exploring{Count: 2, Limit: 3}); !errors.Is(err, schedule.ErrSolution) {
		t.Errorf("illegal first schedule: %v", err)
	}
	if _, err := schedule.Explore(t.Context(), &schedule.Problem{}, bad, schedule.Exploring{}); !errors.Is(err, schedule.ErrProblem) {
		t.Errorf("ill-formed problem: %v", err)
	}
}

// Peak counts a slice that two shares use once, and Busy the cores at work,
// those of forwards too.
func TestPeakAndBusy(t *testing.T) {
	free := schedule.Range{First: schedule.Free, Count: schedule.Free}
	p := &schedule.Problem{Stages: 3, Cores: 4, Ranges: []schedule.Range{free, free, free}, Kinds: 1, Slices: []int64{5, 7},
		Ops: []schedule.Op{
			{Hi: 2, Lanes: 1, Parts: 1, Cycles: []int64{3}, Weights: []int{0}},
			{Hi: 2, Lanes: 1, Parts: 1, Cycles: []int64{3}, Weights: []int{0, 1}},
			{Hi: 2, Lanes: 1, Parts: 1, Cycles: []int64{3}},
		},
		Values: []schedule.Value{{From: 0, Forward: 1, Cycles: []int64{1}}}, Reads: []schedule.Read{{Value: 0, To: 2}}}
	s := &schedule.Solution{Stage: []int{0, 0, 2}, First: []int{0, 1, 2}, Core: [][]int{{0}, {0}, {2}}, Forwards: []schedule.Forward{{Value: 0, Stage: 1, Core: []int{1}}}}
	if _, err := p.Cost(s); err != nil {
		t.Fatal(err)
	}
	if peak, busy := p.Peak(s), p.Busy(s); peak != 12 || busy != 3 {
		t.Errorf("peak %d, busy %d; want 12 and 3", peak, busy)
	}
}
