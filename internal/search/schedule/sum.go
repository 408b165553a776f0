package schedule

import (
	"slices"

	"plancheck/internal/search/partition"
)

// Sum is a bound that can be added up by hand: in every solution these ops, and
// forwards of values, run on Cores cores at most, which takes one of them the
// Total divided by Cores, rounded up. Work is counted as on the fastest kind of
// core.
type Sum struct {
	Ops     []int
	Carried []Carried
	Cores   int64
	Total   int64
	// Share: it is one share of the only op, which runs on one core.
	Share bool
	// First and Stages: the stages in which all of it is; First is Free where
	// it is one op, whatever its stage.
	First, Stages int
}

// Carried is a value carried through that many stages.
type Carried struct{ Value, Stages int }

// sum puts a sum of the relaxed problem in the words of ours; nil where there is
// none.
func (r *relaxed) sum(s *partition.Sum) *Sum {
	if s == nil {
		return nil
	}
	out := &Sum{Ops: slices.Clone(s.Ops), Cores: s.Cores, Total: s.Total, First: s.First, Stages: s.Width}
	for _, c := range s.Carried {
		out.Carried = append(out.Carried, Carried{Value: r.valueOf[[2]int{c.Op, c.Value}], Stages: c.Stages})
	}
	return out
}

// longest is the bound of the longest share.
func (g *ground) longest() (int64, *Sum) {
	if len(g.share) == 0 {
		return 0, nil
	}
	longest := slices.Max(g.share)
	return longest, &Sum{Ops: []int{slices.Index(g.share, longest)}, Cores: 1, Total: longest, Share: true, First: Free, Stages: 1}
}
