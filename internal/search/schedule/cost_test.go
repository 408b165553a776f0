package schedule

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// example is a small problem with everything in it, and a legal schedule: three
// stages on four cores. Op 0, in stage 0, has two lanes of two parts, and op 2,
// in stage 2, reads its value 0 behind a forward in stage 1. What comes from
// outside, value 1, is forwarded in stage 0.
func example() (*Problem, *Solution) {
	p := &Problem{
		Stages: 3, Cores: 4, Kinds: 2, NonEmpty: true,
		Ops: []Op{
			{Hi: 2, Lanes: 2, Parts: 2, Cycles: []int64{3, 2}, Weights: []int{0}},
			{Hi: 2, Lanes: 1, Parts: 1, Cycles: []int64{7, 9}, Weights: []int{0, 1}},
			{Lo: 1, Hi: 2, Lanes: 1, Parts: 1, Cycles: []int64{5, 5}, Pins: []int{3}},
		},
		Values: []Value{
			{From: 0, Bytes: 11, Forward: 2, Cycles: []int64{1, 4}},
			{From: Outside, Bytes: 6, Forward: 1, Cycles: []int64{2, 2}},
			{From: 1, Bytes: 10},
		},
		Reads:   []Read{{0, 1}, {0, 2}, {1, 1}, {2, 2}},
		Slices:  []int64{5, 4},
		Ranges:  []Range{{0, 2}, {Free, Free}, {3, Free}},
		Machine: []Core{{9, 0}, {Unknown, 1}, {9, 0}, {10, 0}},
		Places:  []int{Free, 0, Free, Free},
		Hops:    [][]int64{{0, 1, 2, 3}, {1, 0, 1, 2}, {2, 1, 0, 1}, {3, 2, 1, 0}},
	}
	s := &Solution{
		Stage: []int{0, 1, 2}, First: []int{0, 2, 3},
		Core: [][]int{{0, 0, 1, 0}, {2}, {3}},
		Forwards: []Forward{
			{Value: 0, Stage: 1, Core: []int{2, 2}},
			{Value: 1, Stage: 0, Core: []int{1}},
		},
		Place: []int{1, 0, 2, 3},
	}
	return p, s
}

func TestCost(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(p *Problem, s *Solution)
		want Cost
	}{
		// Core 0 is of kind 1: 3 x 2. Core 1: 3 + 2. Core 2: 7 + 1 + 1. Core 3: 5.
		// Slices of 6 and 5 bytes, parts of 3, 3, 3 and 2, go to core 2 at 2, from
		// core 0 at 1 and core 1 at 0: (3+3+2) x 1 + 3 x 2. The forward on core 2
		// hands all 11 to core 3 at 3, and the input's 6 go from core 1 to core 2,
		// 2 hops. Value 2: 10 from core 2 to core 3.
		{"as it is", func(*Problem, *Solution) {}, Cost{9, 2, 14 + 11 + 12 + 10}},
		{"another place", func(_ *Problem, s *Solution) { s.Place = []int{2, 0, 1, 3} }, Cost{9 + 4 + 4, 2, 8*1 + 3*1 + 11*2 + 6*1 + 10*2}},
		{"no distances", func(p *Problem, _ *Solution) { p.Hops = nil }, Cost{9, 2, Unknown}},
		{"a size that nobody knows", func(p *Problem, _ *Solution) { p.Values[2].Bytes = Unknown }, Cost{9, 2, Unknown}},
		{"an input of unknown size is forwarded", func(p *Problem, _ *Solution) { p.Values[1].Bytes = Unknown }, Cost{9, 2, Unknown}},
		{"an input of unknown size is not forwarded", func(p *Problem, s *Solution) {
			p.Values[1].Bytes, p.Reads[2] = Unknown, Read{1, 0}
			s.Forwards = s.Forwards[:1]
		}, Cost{9, 1, 14 + 11 + 10}},
		{"no machine", func(p *Problem, s *Solution) {
			p.Machine, p.Places, p.Hops, s.Place = nil, nil, nil, nil
		}, Cost{9, 2, Unknown}},
		{"nothing goes anywhere", func(p *Problem, s *Solution) {
			*p = Problem{Stages: 1, Cores: 1, Kinds: 1, Ops: p.Ops[1:2], Slices: p.Slices, Ranges: []Range{{Free, 1}}}
			p.Ops[0].Cycles, p.Ops[0].Hi = []int64{7}, 0
			*s = Solution{Stage: []int{0}, First: []int{0}, Core: [][]int{{0}}}
		}, Cost{7, 0, 0}},
	} {
		p, s := example()
		c.edit(p, s)
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got, err := p.Cost(s)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s (-want +got): %v\n%s", c.name, err, diff)
		}
	}
}

func TestFlow(t *testing.T) {
	p, s := example()
	got, known := p.Flow(s)
	want := [][]int64{{0, 0, 8, 0}, {0, 0, 3 + 6, 0}, {0, 0, 0, 11 + 10}, {0, 0, 0, 0}}
	if diff := cmp.Diff(want, got); diff != "" || !known {
		t.Errorf("known: %v, (-want +got):\n%s", known, diff)
	}
	p.Values[0].Bytes = Unknown
	if got, known := p.Flow(s); known || got != nil {
		t.Errorf("a flow of unknown size is %v", got)
	}
}

func TestIllegal(t *testing.T) {
	for _, c := range []struct {
		want string
		edit func(p *Problem, s *Solution)
	}{
		{"stages of 2 ops, of 3", func(_ *Problem, s *Solution) { s.Stage = s.Stage[:2] }},
		{"op 2 is in stage 0, not in 1 to 2", func(_ *Problem, s *Solution) { s.Stage[2] = 0 }},
		{"stage 2 has no op, or forwards only", func(p *Problem, s *Solution) { p.Ops[2].Carries = true }},
		{"ranges of 2 stages, of 3", func(_ *Problem, s *Solution) { s.First = s.First[:2] }},
		{"stage 0 begins with core 1", func(_ *Problem, s *Solution) { s.First[0] = 1 }},
		{"stage 1 has the cores from 3 to before 3", func(p *Problem, s *Solution) { p.Ranges[0].Count, s.First[1] = Free, 3 }},
		{"stage 2 has the cores from 4 to before 4", func(p *Problem, s *Solution) { p.Ranges[2].First, s.First[2] = Free, 4 }},
		{"stage 0 has 1 cores from core 0 on, and should have 2 from 0 on", func(_ *Problem, s *Solution) { s.First[1] = 1 }},
		{"stage 2 has 1 cores from core 3 on, and should have -1 from 2 on", func(p *Problem, _ *Solution) { p.Ranges[2].First = 2 }},
		{"cores of 2 ops, of 3", func(_ *Problem, s *Solution) { s.Core = s.Core[:2] }},
		{"cores of 3 shares of op 0, of 4", func(_ *Problem, s *Solution) { s.Core[0] = s.Core[0][:3] }},
		{"share 1 of op 0 is on core 2, which stage 0 does not own", func(_ *Problem, s *Solution) { s.Core[0][1] = 2 }},
		{"share 0 of op 2 is on core 3 and should be on core 2", func(p *Problem, _ *Solution) { p.Ops[2].Pins[0] = 2 }},
		{"3 places on 4 machine cores", func(_ *Problem, s *Solution) { s.Place = s.Place[:3] }},
		{"core 2 is placed on machine core 0, which does not exist or is taken", func(_ *Problem, s *Solution) { s.Place[2] = 0 }},
		{"core 3 is placed on machine core 4, which does not exist or is taken", func(_ *Problem, s *Solution) { s.Place[3] = 4 }},
		{"core 1 is placed on machine core 1 and should be on 0", func(_ *Problem, s *Solution) { s.Place[0], s.Place[1] = 0, 1; s.Place[0] = 3; s.Place[3] = 0 }},
		{"op 1 in stage 0 reads value 0 of stage 1", func(p *Problem, s *Solution) {
			p.NonEmpty, s.Stage, s.Core[0], s.Core[1] = false, []int{1, 0, 2}, []int{2, 2, 2, 2}, []int{0}
		}},
		{"op 2 in stage 2 reads value 0 of stage 0, which must not be forwarded", func(p *Problem, _ *Solution) { p.Values[0].Forward = 0 }},
		{"op 1 in stage 1 reads value 1 of stage -1, which must not be forwarded", func(p *Problem, _ *Solution) { p.Values[1].Forward = 0 }},
		{"forward 0 is not that of value 0 in stage 1", func(_ *Problem, s *Solution) { s.Forwards = s.Forwards[1:] }},
		{"forward 1 is not that of value 1 in stage 0", func(_ *Problem, s *Solution) { s.Forwards[1].Stage = 1 }},
		{"forward 2, of value 1 in stage 1, carries it to nobody", func(_ *Problem, s *Solution) {
			s.Forwards = append(s.Forwards, Forward{Value: 1, Stage: 1, Core: []int{2}})
		}},
		{"forward 0 has 1 lanes, and should have 2", func(_ *Problem, s *Solution) { s.Forwards[0].Core = []int{2} }},
		{"lane 1 of forward 0 is on core 3, which stage 1 does not own", func(_ *Problem, s *Solution) { s.Forwards[0].Core[1] = 3 }},
		// Core 2 has slices of 5 and 4.
		{"9 bytes are on core 2, but machine core 2 holds 8", func(p *Problem, _ *Solution) { p.Machine[2].Capacity = 8 }},
		// Core 0 has parts of 3 and 2 of lane 0, and a part of 2 of lane 1.
		{"7 bytes are on core 0, but machine core 1 holds 6", func(p *Problem, _ *Solution) { p.Machine[1].Capacity = 6 }},
		// A whole slice is there for its parts too, and a second op brings none.
		{"7 bytes are on core 0, but machine core 1 holds 6", func(p *Problem, s *Solution) {
			p.Machine[1].Capacity = 6
			p.Ops = append(p.Ops, Op{Lanes: 1, Parts: 1, Cycles: []int64{0, 0}, Weights: []int{0}}, p.Ops[0])
			s.Stage, s.Core = append(s.Stage, 0, 0), append(s.Core, []int{0}, s.Core[0])
		}},
	} {
		p, s := example()
		c.edit(p, s)
		cost, err := p.Cost(s)
		if !errors.Is(err, ErrSolution) || strings.TrimPrefix(err.Error(), "illegal schedule: ") != c.want || cost != (Cost{}) {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
}
