package scheduletest

import (
	"math/rand/v2"
	"testing"

	"plancheck/internal/search/schedule"
)

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x7363686564)) }

// TestJudgeKnowsSmallCases holds the judge and the brute force against sums
// done by hand.
func TestJudgeKnowsSmallCases(t *testing.T) {
	free := schedule.Range{First: schedule.Free, Count: schedule.Free}
	op := func(lanes int, cycles int64, weights ...int) schedule.Op {
		return schedule.Op{Hi: 9, Lanes: lanes, Parts: 1, Cycles: []int64{cycles}, Weights: weights}
	}
	for _, c := range []struct {
		name string
		p    schedule.Problem
		want schedule.Cost
		ok   bool
	}{
		{"three lanes of 4 on the two cores of one stage, beside an op of 3",
			schedule.Problem{Stages: 1, Cores: 2, Ranges: []schedule.Range{free}, Kinds: 1,
				Ops: []schedule.Op{op(3, 4), op(1, 3)}},
			schedule.Cost{Interval: 8}, true},
		{"an uneven range is better: two cores for four lanes of 3, one for 4",
			schedule.Problem{Stages: 2, Cores: 3, Ranges: []schedule.Range{free, free}, Kinds: 1,
				Ops:    []schedule.Op{op(4, 3), op(1, 4)},
				Values: []schedule.Value{{From: 0, Bytes: 1}}, Reads: []schedule.Read{{Value: 0, To: 1}}},
			schedule.Cost{Interval: 6, Traffic: schedule.Unknown}, true},
		{"a value that passes over a stage is carried there, 5 + 2",
			schedule.Problem{Stages: 3, Cores: 3, Ranges: []schedule.Range{free, free, free}, Kinds: 1,
				Ops:    []schedule.Op{op(1, 6), op(1, 5), op(1, 6)},
				Values: []schedule.Value{{From: 0, Bytes: 1, Forward: 1, Cycles: []int64{2}}, {From: 1, Bytes: 1}},
				Reads:  []schedule.Read{{Value: 0, To: 1}, {Value: 0, To: 2}, {Value: 1, To: 2}}},
			schedule.Cost{Interval: 7, Forwards: 1, Traffic: schedule.Unknown}, true},
		{"an input that is not carried is read in stage 0, where two ops of 60 bytes do not fit",
			schedule.Problem{Stages: 2, Cores: 2, Ranges: []schedule.Range{free, free}, Kinds: 1, Slices: []int64{60, 60},
				Machine: []schedule.Core{{Capacity: 100}, {Capacity: 100}}, Places: []int{schedule.Free, schedule.Free},
				Ops:    []schedule.Op{op(1, 1, 0), op(1, 1, 1)},
				Values: []schedule.Value{{From: schedule.Outside, Bytes: 1}},
				Reads:  []schedule.Read{{Value: 0, To: 0}, {Value: 0, To: 1}}},
			schedule.Cost{}, false},
		{"the same weight is there once, and a lane's two parts of it need no room beside the whole",
			schedule.Problem{Stages: 1, Cores: 1, Ranges: []schedule.Range{free}, Kinds: 1, Slices: []int64{61},
				Machine: []schedule.Core{{Capacity: 61}}, Places: []int{schedule.Free},
				Ops: []schedule.Op{op(1, 1, 0), op(1, 2, 0), {Hi: 0, Lanes: 1, Parts: 2, Cycles: []int64{3}, Weights: []int{0}}}},
			schedule.Cost{Interval: 9}, true},
		{"parts of halves and thirds may be there before the whole comes and covers them",
			schedule.Problem{Stages: 1, Cores: 1, Ranges: []schedule.Range{free}, Kinds: 1, Slices: []int64{61},
				Machine: []schedule.Core{{Capacity: 61}}, Places: []int{schedule.Free},
				Ops: []schedule.Op{
					{Lanes: 1, Parts: 2, Cycles: []int64{3}, Weights: []int{0}},
					{Lanes: 1, Parts: 3, Cycles: []int64{1}, Weights: []int{0}}, op(1, 1, 0)}},
			schedule.Cost{Interval: 10}, true},
		{"another lane's slice is another slice",
			schedule.Problem{Stages: 1, Cores: 1, Ranges: []schedule.Range{free}, Kinds: 1, Slices: []int64{61},
				Machine: []schedule.Core{{Capacity: 121}}, Places: []int{schedule.Free},
				Ops: []schedule.Op{op(1, 1, 0), op(2, 2, 0)}},
			schedule.Cost{}, false},
		{"61 bytes are parts of 31 and 30",
			schedule.Problem{Stages: 1, Cores: 2, Ranges: []schedule.Range{free}, Kinds: 1, Slices: []int64{61},
				Machine: []schedule.Core{{Capacity: 30}, {Capacity: 31}}, Places: []int{schedule.Free, schedule.Free},
				Ops: []schedule.Op{{Lanes: 1, Parts: 2, Cycles: []int64{3}, Weights: []int{0}}}},
			schedule.Cost{Interval: 3}, true},
		{"each op on the core that is quick for it",
			schedule.Problem{Stages: 2, Cores: 2, Ranges: []schedule.Range{free, free}, Kinds: 2,
				Machine: []schedule.Core{{Capacity: schedule.Unknown, Kind: 0}, {Capacity: schedule.Unknown, Kind: 1}},
				Places:  []int{schedule.Free, schedule.Free}, Hops: [][]int64{{0, 3}, {5, 0}},
				Ops:    []schedule.Op{{Hi: 1, Lanes: 1, Parts: 1, Cycles: []int64{9, 2}}, {Hi: 1, Lanes: 1, Parts: 1, Cycles: []int64{4, 9}}},
				Values: []schedule.Value{{From: 0, Bytes: 7}}, Reads: []schedule.Read{{Value: 0, To: 1}}},
			schedule.Cost{Interval: 4, Traffic: 35}, true},
		{"no op for the second of two stages that must not be empty",
			schedule.Problem{Stages: 2, Cores: 2, Ranges: []schedule.Range{free, free}, Kinds: 1, NonEmpty: true,
				Ops: []schedule.Op{op(1, 6)}},
			schedule.Cost{}, false},
	} {
		got, s, ok := Best(&c.p)
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %+v, %v; want %+v, %v\n%+v", c.name, got, ok, c.want, c.ok, s)
		}
	}
}

// TestProblemsKeepTheirSolution: what a problem was made around is legal.
func TestProblemsKeepTheirSolution(t *testing.T) {
	kept := 0
	for seed := range uint64(3000) {
		p, s := random(source(seed), 2+int(seed%14))
		if s == nil {
			continue
		}
		kept++
		if _, err := Judge(p, s); err != nil {
			t.Fatalf("seed %d: %v\n%+v\n%+v", seed, err, p, s)
		}
	}
	if kept < 1000 {
		t.Errorf("only %d of 3000 problems keep a solution", kept)
	}
}

// TestBestIsTheLeastOfAll compares the brute force, which leaves out what
// cannot be better, with the list of all solutions of problems that are small
// enough.
func TestBestIsTheLeastOfAll(t *testing.T) {
	compared, feasible, moved := 0, 0, 0
	for seed := range uint64(1200) {
		p := Random(source(seed), 2+int(seed%5))
		least, all, known := LeastOfAll(p, 2000)
		if !known {
			continue
		}
		compared++
		cost, s, ok := Best(p)
		if ok {
			feasible++
		}
		switch {
		case least.Traffic == cost.Traffic:
		case least.Traffic != schedule.Unknown && (least.Traffic < cost.Traffic || cost.Traffic == schedule.Unknown):
			moved++
		default:
			t.Errorf("seed %d: best has traffic %d, which is less than %d", seed, cost.Traffic, least.Traffic)
		}
		if ok != (all != nil) || cost.Interval != least.Interval || cost.Forwards != least.Forwards {
			t.Errorf("seed %d: best %+v, %v; least of all %+v, %v\n%+v\n%+v", seed, cost, ok, least, all != nil, p, s)
		}
	}
	if moved < 20 {
		t.Errorf("the least traffic is less than that of the least interval in only %d problems", moved)
	}
	if compared < 900 || feasible < compared/2 || feasible > compared*9/10 {
		t.Errorf("%d compared, %d of them feasible", compared, feasible)
	}
}
