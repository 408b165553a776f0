package schedule

import (
	"context"
	"fmt"
	"slices"

	"plancheck/internal/search/partition"
)

// interchangeable says whether nothing tells one stage from another, but for what
// comes from outside: then stages may change places.
func (e *explorer) interchangeable() bool {
	p := e.p
	if slices.Contains(e.g.pinned, true) || !e.g.uniform && slices.ContainsFunc(p.Places, func(c int) bool { return c != Free }) {
		return false
	}
	q := e.g.relax(0)
	if !q.Interchangeable() {
		return false
	}
	free := func(r Range) bool { return r == Range{Free, Free} }
	known := func(r partition.Range) bool { return r.Lo == r.Hi }
	if q.Cores == nil || !slices.ContainsFunc(p.Ranges, func(r Range) bool { return !free(r) }) {
		return true
	}
	return !slices.ContainsFunc(q.Cores.Sizes, func(r partition.Range) bool { return !known(r) })
}

// closeUp moves the empty stages of a solution behind all others, each with its
// cores. What was forwarded through them is not any more.
func (e *explorer) closeUp(ctx context.Context, f Found) (*Found, error) {
	p, s := e.p, f.Solution
	stage := partition.Closed(s.Stage, p.Stages)
	if slices.Equal(stage, s.Stage) {
		return &f, nil
	}
	used := make([]bool, p.Stages)
	for _, k := range s.Stage {
		used[k] = true
	}
	var order []int // the stages of s, in the new order
	for _, now := range []bool{true, false} {
		for k := range used {
			if used[k] == now {
				order = append(order, k)
			}
		}
	}
	out := &Solution{Stage: stage, Place: slices.Clone(s.Place)}
	core := make([]int, p.Cores) // the new number of each core
	at := 0
	for _, k := range order {
		out.First = append(out.First, at)
		first, end := s.Range(p, k)
		for c := first; c < end; c++ {
			core[c] = at
			if !e.g.uniform {
				out.Place[at] = s.Place[c]
			}
			at++
		}
	}
	renumber := func(cores []int) []int {
		list := make([]int, len(cores))
		for i, c := range cores {
			list[i] = core[c]
		}
		return list
	}
	for _, cores := range s.Core {
		out.Core = append(out.Core, renumber(cores))
	}
	out.Forwards = p.Needed(stage)
	for i, n := range out.Forwards {
		for _, old := range s.Forwards {
			if old.Value == n.Value && old.Stage == order[n.Stage] {
				out.Forwards[i].Core = renumber(old.Core)
			}
		}
	}
	cost, err := p.Cost(out)
	if err != nil || cost.Interval > f.Cost.Interval || cost.Forwards > f.Cost.Forwards {
		return nil, fmt.Errorf("%w: interval %d and %d forwards with empty stages last, %d and %d before (%v)",
			errSearch, cost.Interval, cost.Forwards, f.Cost.Interval, f.Cost.Forwards, err)
	}
	return e.place(ctx, out, cost)
}

// Peak is the most bytes of weights that are resident on a core, each slice and
// part counted once.
func (p *Problem) Peak(s *Solution) int64 { return maxOf(p.memory(s)) }

// Busy is how many cores have something to do.
func (p *Problem) Busy(s *Solution) int {
	busy := make([]bool, p.Cores)
	for _, cores := range s.Core {
		for _, c := range cores {
			busy[c] = true
		}
	}
	for _, f := range s.Forwards {
		for _, c := range f.Core {
			busy[c] = true
		}
	}
	n := 0
	for _, b := range busy {
		if b {
			n++
		}
	}
	return n
}
