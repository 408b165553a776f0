package schedule_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"plancheck/internal/search/schedule"
	"plancheck/internal/search/schedule/scheduletest"
)

// open returns a problem in which nothing is decided.
func open(p *schedule.Problem) *schedule.Problem {
	q := *p
	q.Ops = append([]schedule.Op{}, p.Ops...)
	for i := range q.Ops {
		q.Ops[i].Lo, q.Ops[i].Hi, q.Ops[i].Pins = 0, p.Stages-1, nil
	}
	q.Ranges = make([]schedule.Range, p.Stages)
	for s := range q.Ranges {
		q.Ranges[s] = schedule.Range{First: schedule.Free, Count: schedule.Free}
	}
	q.Places = nil
	for range p.Places {
		q.Places = append(q.Places, schedule.Free)
	}
	return &q
}

// drawWish is what a random arrangement decides, with some holes and some numbers
// that do not exist.
func drawWish(r *rand.Rand, p *schedule.Problem) *schedule.Wish {
	number := func(n int) int {
		switch r.IntN(8) {
		case 0:
			return schedule.Free
		case 1:
			return n + r.IntN(2)
		}
		return r.IntN(n)
	}
	w := &schedule.Wish{}
	for i := range p.Ops {
		w.Stage = append(w.Stage, number(p.Stages))
		var cores []int
		if r.IntN(5) > 0 {
			for range p.Ops[i].Shares() {
				cores = append(cores, number(p.Cores))
			}
		}
		w.Core = append(w.Core, cores)
	}
	for range p.Stages {
		g := schedule.Range{First: number(p.Cores), Count: r.IntN(p.Cores + 1)}
		if g.First == schedule.Free {
			g.Count = schedule.Free
		}
		w.Ranges = append(w.Ranges, g)
	}
	if len(p.Machine) > 0 && r.IntN(4) > 0 {
		for range p.Cores {
			w.Place = append(w.Place, number(p.Cores))
		}
	}
	return w
}

// Repair finds the fewest changes that brute force finds, and among solutions
// with as few the least interval.
func TestRepairAgreesWithBruteForce(t *testing.T) {
	seeds := 400
	if testing.Short() {
		seeds = 60
	}
	count := map[string]int{}
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 5))
		p := open(scheduletest.Random(r, 2+r.IntN(3)))
		w := drawWish(r, p)
		fewest, interval, found, n := -1, int64(0), false, 0
		for s := range scheduletest.All(p) {
			if n++; n > 300_000 {
				break
			}
			cost, err := scheduletest.Judge(p, s)
			if err != nil {
				continue
			}
			changes := w.Changes(p, s).Total()
			if !found || changes < fewest || changes == fewest && cost.Interval < interval {
				fewest, interval, found = changes, cost.Interval, true
			}
		}
		if n > 300_000 {
			count["too large"]++
			continue
		}
		for _, coarse := range []bool{false, true} {
			got, err := schedule.RepairSized(context.Background(), p, w, schedule.RepairOptions{}, coarse)
			if err != nil {
				t.Fatalf("seed %d, coarse %t: %v", seed, coarse, err)
			}
			if !found {
				count["infeasible"]++
				if got.Status != schedule.Infeasible {
					t.Fatalf("seed %d, coarse %t: %+v, and brute force finds nothing", seed, coarse, got)
				}
				continue
			}
			count["found"]++
			if got.Status != schedule.Optimal || got.Fewest != fewest || got.Changes.Total() != fewest {
				t.Fatalf("seed %d, coarse %t: %+v, and brute force finds %d changes", seed, coarse, got, fewest)
			}
			if !coarse && (got.Cost.Interval != interval || got.Bound > interval) {
				t.Fatalf("seed %d: interval %d, at least %d, and brute force finds %d", seed, got.Cost.Interval, got.Bound, interval)
			}
			hurried, err := schedule.RepairSized(context.Background(), p, w, schedule.RepairOptions{Steps: int64(1000 + r.IntN(8000))}, coarse)
			if err != nil {
				t.Fatalf("seed %d, coarse %t, hurried: %v", seed, coarse, err)
			}
			if hurried.Fewest > fewest || hurried.Solution != nil && hurried.Changes.Total() < fewest || hurried.Status == schedule.Infeasible {
				t.Fatalf("seed %d, coarse %t, hurried: %+v, and brute force finds %d changes", seed, coarse, hurried, fewest)
			}
			if hurried.Solution != nil {
				count["hurried"]++
			}
			if hurried.Status == schedule.Feasible {
				count["not proven"]++
			}
			if fewest > 0 {
				count["changed"]++
			}
			if got.Changes.Forwards > 0 {
				count["with forwards"]++
			}
		}
	}
	t.Log(count)
	for _, what := range []string{"found", "infeasible", "changed", "with forwards", "hurried", "not proven"} {
		if count[what] < seeds/40 {
			t.Errorf("only %d of %d are %s", count[what], seeds, what)
		}
	}
}

// A judge that knows nothing but single solutions makes a repair find the fewest
// changes among those that it accepts: here those in which two ops never share a
// core, or places add up to an even number.
func TestRepairObeysAJudge(t *testing.T) {
	seeds := 300
	if testing.Short() {
		seeds = 40
	}
	count := map[string]int{}
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 6))
		p := open(scheduletest.Random(r, 3))
		w := drawWish(r, p)
		accepts := func(s *schedule.Solution) bool {
			sum, taken := 0, map[int]int{}
			for core, place := range s.Place {
				sum += core * place
			}
			for o, cores := range s.Core {
				for _, c := range cores {
					if other, there := taken[c]; seed%2 == 1 && there && other != o {
						return false
					}
					taken[c] = o
				}
			}
			return seed%2 == 1 || sum%2 == 0
		}
		fewest, interval, found, n := 0, int64(0), false, 0
		for s := range scheduletest.All(p) {
			if n++; n > 20_000 {
				break
			}
			cost, err := scheduletest.Judge(p, s)
			if err != nil || !accepts(s) {
				continue
			}
			changes := w.Changes(p, s).Total()
			if !found || changes < fewest || changes == fewest && cost.Interval < interval {
				fewest, interval, found = changes, cost.Interval, true
			}
		}
		if n > 20_000 {
			continue
		}
		refused := 0
		judge := func(s *schedule.Solution) ([]schedule.Clause, error) {
			if accepts(s) {
				return nil, nil
			}
			refused++
			return []schedule.Clause{p.Except(s)}, nil
		}
		for _, coarse := range []bool{false, true} {
			got, err := schedule.RepairSized(context.Background(), p, w, schedule.RepairOptions{Judge: judge}, coarse)
			switch {
			case err != nil:
				t.Fatalf("seed %d, coarse %t: %v", seed, coarse, err)
			case got.Solution != nil && (!accepts(got.Solution) || got.Changes.Total() < fewest || got.Fewest > fewest):
				t.Fatalf("seed %d, coarse %t: %+v, and brute force finds %d changes", seed, coarse, got, fewest)
			case found && got.Status == schedule.Infeasible:
				t.Fatalf("seed %d, coarse %t: infeasible, and brute force finds %d changes", seed, coarse, fewest)
			case coarse:
			case !found && got.Status != schedule.Infeasible:
				t.Fatalf("seed %d: %+v, and brute force finds nothing", seed, got)
			case found && (got.Status != schedule.Optimal || got.Changes.Total() != fewest || got.Cost.Interval != interval):
				t.Fatalf("seed %d: %+v, and brute force finds %d changes, interval %d", seed, got, fewest, interval)
			}
		}
		if refused > 0 {
			count["refused"]++
		}
		if found {
			count["found"]++
		}
	}
	t.Log(count)
	if count["refused"] < seeds/10 || count["found"] < seeds/3 {
		t.Errorf("of %d wishes: %v", seeds, count)
	}
}
