package schedule

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/search/packing"
)

// Numbers that the packing refuses end the search with an error, and are not
// taken for a stage that does not fit.
func TestPackingRefuses(t *testing.T) {
	op := Op{Lanes: 1, Parts: 1, Cycles: []int64{1 << 60}}
	p := &Problem{Stages: 1, Cores: 2, Kinds: 1, Ops: []Op{op, op}, Ranges: []Range{{Free, Free}}}
	b := newBoard(p, Options{})
	l := newLayers(b, Options{})
	if l.try(context.Background(), []int{0, 0}, quick) || !errors.Is(b.fault, packing.ErrProblem) {
		t.Errorf("fault is %v", b.fault)
	}
	if !b.closed() {
		t.Error("the search goes on")
	}
}

// By the clock a part of the search has a part of the time; with a budget of
// steps it has all of it, so that what is found does not depend on the clock.
func TestPortion(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	whole, _ := ctx.Deadline()
	for _, c := range []struct {
		name  string
		steps int64
		most  time.Duration // before the whole time ends
		least time.Duration
	}{
		{"by the clock", never, 31 * time.Minute, 29 * time.Minute},
		{"by steps", 1000, 0, 0},
	} {
		l := layers{steps: c.steps}
		part, done := l.portion(ctx, 0.5)
		end, ok := part.Deadline()
		if early := whole.Sub(end); !ok || early < c.least || early > c.most {
			t.Errorf("%s: ends %v before the whole time", c.name, early)
		}
		done()
	}
}

// A sum that is 0 confirms no bound but 0.
func TestSumCheck(t *testing.T) {
	p := &Problem{Stages: 1, Cores: 2, Kinds: 1, Ops: []Op{{Lanes: 3, Parts: 1, Cycles: []int64{5}}, {Lanes: 1, Parts: 1, Cycles: []int64{0}}}, Ranges: []Range{{Free, Free}}}
	for _, c := range []struct {
		name  string
		sum   Sum
		bound int64
		ok    bool
	}{
		{"rounded up", Sum{Ops: []int{0}, Cores: 2, Total: 15}, 8, true},
		{"too much", Sum{Ops: []int{0}, Cores: 2, Total: 15}, 9, false},
		{"another total", Sum{Ops: []int{0}, Cores: 2, Total: 16}, 8, false},
		{"no cores", Sum{Ops: []int{0}, Total: 15}, 8, false},
		{"one share", Sum{Ops: []int{0}, Cores: 1, Total: 5, Share: true}, 5, true},
		{"nothing", Sum{Ops: []int{1}, Cores: 1}, 0, true},
		{"something of nothing", Sum{Ops: []int{1}, Cores: 1}, 1, false},
	} {
		if err := c.sum.check(p, c.bound); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A search that takes all the time it has leaves some for the places.
func TestPlacesHaveTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds by the clock")
	}
	const cores = 8
	p := &Problem{Stages: 1, Cores: cores, Kinds: 1, Ranges: []Range{{Free, Free}}, Machine: make([]Core, cores), Places: make([]int, cores)}
	rng := rand.New(rand.NewPCG(1, 1))
	for c := range cores {
		p.Machine[c].Capacity, p.Places[c] = Unknown, Free
		var row []int64
		for k := range cores {
			row = append(row, int64(max(c-k, k-c)))
		}
		p.Hops = append(p.Hops, row)
	}
	// That many digits of cycles are not balanced within the time.
	for o := range 60 {
		p.Ops = append(p.Ops, Op{Lanes: 1, Parts: 1, Cycles: []int64{1<<40 + rng.Int64N(1<<40)}})
		p.Values = append(p.Values, Value{From: o, Bytes: 1 + rng.Int64N(100)})
		if o > 0 {
			p.Reads = append(p.Reads, Read{o - 1, o})
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	r, err := Solve(ctx, p, Options{})
	if err != nil || r.Status != Feasible {
		t.Fatalf("%v, error %v", r.Status, err)
	}
	if r.LeastTraffic <= 0 {
		t.Errorf("nothing is proven of the traffic, %d", r.Cost.Traffic)
	}
}

// Without distances nothing is reckoned for all pairs of cores: of so many the
// table would not fit into memory.
func TestManyCoresWithoutDistances(t *testing.T) {
	const cores = MostCores
	p := &Problem{
		Stages: 1, Cores: cores, Kinds: 1, Ranges: []Range{{Free, Free}},
		Ops:    []Op{{Lanes: 1, Parts: 1, Cycles: []int64{5}}, {Lanes: 1, Parts: 1, Cycles: []int64{3}}},
		Values: []Value{{From: 0, Bytes: 8}}, Reads: []Read{{0, 1}},
	}
	r, err := Solve(context.Background(), p, Options{})
	if err != nil || r.Status != Optimal || r.Cost.Interval != 5 {
		t.Errorf("%v %v, error %v", r.Status, r.Cost, err)
	}
}

// What Check lets through the partition takes.
func TestMostStages(t *testing.T) {
	p := &Problem{Stages: MostStages, Cores: MostStages, Kinds: 1, Ops: []Op{{Hi: MostStages - 1, Lanes: 1, Parts: 1, Cycles: []int64{5}}}}
	for range p.Stages {
		p.Ranges = append(p.Ranges, Range{Free, Free})
	}
	r, err := Solve(context.Background(), p, Options{})
	if err != nil || r.Status != Optimal || r.Cost.Interval != 5 {
		t.Errorf("%v %v, error %v", r.Status, r.Cost, err)
	}
}

// Ranges of many cores are chosen within the time.
func TestRangesEndWithTheirContext(t *testing.T) {
	const stages = 8
	p := &Problem{Stages: stages, Cores: MostCores, Kinds: 1}
	for s := range stages {
		p.Ops = append(p.Ops, Op{Lo: s, Hi: s, Lanes: 100, Parts: 1, Cycles: []int64{int64(s + 1)}})
		p.Ranges = append(p.Ranges, Range{Free, Free})
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := Solve(ctx, p, Options{}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

func TestRuns(t *testing.T) {
	if diff := cmp.Diff([]int{0, 2, 1, 1, 0, 3}, runs([]int{0, 0, 1, 0, 0, 0})); diff != "" {
		t.Error(diff)
	}
}
