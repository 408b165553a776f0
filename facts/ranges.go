package facts

import (
	"cmp"
	"math"
	"slices"

	"plancheck/ir"
)

// rangePlace is a stage with cores in the order of the ranges.
type rangePlace struct {
	stage    *ir.Stage
	furthest *ir.Stage // of the stages up to this one, the one that reaches furthest
}

// orderedRanges sorts the ranges by their first core, those that begin together
// by stage. With the furthest range so far beside each, gaps and overlaps are
// seen between neighbours.
func (e *exporter) orderedRanges() []rangePlace {
	if e.ranges != nil {
		return e.ranges
	}
	all := []rangePlace{}
	for i := range e.plan.Stages {
		if s := &e.plan.Stages[i]; s.First != ir.None && s.Count > 0 {
			all = append(all, rangePlace{s, s})
		}
	}
	slices.SortFunc(all, func(a, b rangePlace) int {
		return cmp.Or(cmp.Compare(a.stage.First, b.stage.First), cmp.Compare(a.stage.Index, b.stage.Index))
	})
	for i := 1; i < len(all); i++ {
		before, s := all[i-1].furthest, all[i].stage
		if order := cmp.Compare(reach(before), reach(s)); order > 0 || order == 0 && before.Index < s.Index {
			all[i].furthest = before
		}
	}
	e.ranges = all
	return all
}

// reach returns the first core behind a range, or the largest number if there
// is no number for it.
func reach(s *ir.Stage) int64 {
	if s.Count > math.MaxInt64-s.First {
		return math.MaxInt64
	}
	return s.First + s.Count
}

func (e *exporter) rangeOrder(w *writer) {
	ranges := e.orderedRanges()
	w.grow(len(ranges))
	for rank, r := range ranges {
		w.row(r.stage.At, e.num(int64(rank)), e.num(r.stage.Index), e.num(r.furthest.Index))
	}
}
