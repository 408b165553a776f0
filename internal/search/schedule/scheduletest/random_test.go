package scheduletest

import (
	"testing"

	"plancheck/internal/search/schedule"
)

// features names what is in a problem and its best solution.
func features(p *schedule.Problem, s *schedule.Solution) []string {
	var list []string
	add := func(name string, there bool) {
		if there {
			list = append(list, name)
		}
	}
	some := func(n int, is func(i int) bool) bool {
		for i := range n {
			if is(i) {
				return true
			}
		}
		return false
	}
	op := func(is func(o *schedule.Op) bool) bool {
		return some(len(p.Ops), func(i int) bool { return is(&p.Ops[i]) })
	}
	given := func(first, count bool) bool {
		return some(len(p.Ranges), func(i int) bool {
			return (p.Ranges[i].First != schedule.Free) == first && (p.Ranges[i].Count != schedule.Free) == count
		})
	}
	add("feasible", s != nil)
	add("forwards", s != nil && len(s.Forwards) > 0)
	add("forwarded input", s != nil && some(len(s.Forwards), func(i int) bool { return p.Values[s.Forwards[i].Value].From < 0 }))
	add("wide forward", s != nil && some(len(s.Forwards), func(i int) bool { return len(s.Forwards[i].Core) > 1 }))
	add("infeasible", s == nil)
	add("split", op(func(o *schedule.Op) bool { return o.Parts > 1 && len(o.Weights) > 0 }))
	add("lanes", op(func(o *schedule.Op) bool { return o.Lanes > 1 && len(o.Weights) > 0 }))
	add("pinned share", op(func(o *schedule.Op) bool { return o.Pins != nil }))
	add("pinned stage", op(func(o *schedule.Op) bool { return o.Lo > 0 || o.Hi < p.Stages-1 }))
	add("non-empty", p.NonEmpty && p.Stages > 1)
	add("free range", given(false, false))
	add("count given", given(false, true))
	add("first given", given(true, false))
	add("range given", given(true, true))
	add("no machine", p.Machine == nil)
	add("kinds", p.Kinds > 1)
	add("unequal capacities", some(len(p.Machine), func(i int) bool { return p.Machine[i].Capacity != p.Machine[0].Capacity }))
	add("no limit", some(len(p.Machine), func(i int) bool { return p.Machine[i].Capacity == schedule.Unknown }))
	add("place pinned", some(len(p.Places), func(i int) bool { return p.Places[i] != schedule.Free }))
	add("place free", some(len(p.Places), func(i int) bool { return p.Places[i] == schedule.Free }))
	add("distances", p.Hops != nil)
	add("no distances", p.Hops == nil && p.Machine != nil)
	add("several values", some(len(p.Values), func(i int) bool { return i > 0 && p.Values[i].From == p.Values[i-1].From }))
	add("input in stage 0", some(len(p.Values), func(i int) bool { return p.Values[i].From < 0 && p.Values[i].Forward == 0 }))
	add("size unknown", some(len(p.Values), func(i int) bool { return p.Values[i].Bytes == schedule.Unknown }))
	add("uneven ranges", s != nil && some(p.Stages, func(i int) bool { return end(p, s, i)-s.First[i] != p.Cores/p.Stages }))
	shared := make([]int, len(p.Slices))
	for _, o := range p.Ops {
		for _, w := range o.Weights {
			shared[w]++
		}
	}
	add("shared weight", some(len(shared), func(i int) bool { return shared[i] > 1 }))
	return list
}

// TestProblemsHaveEverything: of a thousand problems each feature has its
// share.
func TestProblemsHaveEverything(t *testing.T) {
	least := map[string]int{
		"feasible": 680, "infeasible": 180, "forwards": 100, "forwarded input": 40, "wide forward": 10,
		"split": 80, "lanes": 300, "pinned share": 250, "pinned stage": 250, "non-empty": 150,
		"free range": 300, "count given": 100, "first given": 100, "range given": 100, "uneven ranges": 300,
		"no machine": 50, "kinds": 150, "unequal capacities": 200, "no limit": 50, "place pinned": 150, "place free": 300,
		"distances": 500, "no distances": 80, "several values": 300, "input in stage 0": 200, "size unknown": 100, "shared weight": 500,
	}
	count := map[string]int{}
	for seed := range uint64(1000) {
		p := Random(source(seed), 8)
		_, s, _ := Best(p)
		for _, f := range features(p, s) {
			count[f]++
			if _, known := least[f]; !known {
				t.Fatalf("nobody says how often there is %q", f)
			}
		}
	}
	t.Log(count)
	for f, n := range least {
		if count[f] < n {
			t.Errorf("%s: %d of 1000 problems, want %d", f, count[f], n)
		}
	}
}
