package passes

import (
	"context"
	"fmt"
	"slices"

	"plancheck/internal/search/peft"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// logical makes the list schedule of a problem's ops: each on logical cores as
// if there were no stages, with times that follow from work and, where the
// target says how fast values pass, from what is read from other cores. Rank is
// when each op starts.
func logical(ctx context.Context, p *schedule.Problem, plan *ir.Plan) (s *ir.LogicalSchedule, rank []int64, err error) {
	q := &peft.Problem{Cores: make([]int, p.Cores)}
	kinds := make([]string, p.Cores)
	for c, m := range places(p) {
		q.Cores[c], kinds[c] = p.Machine[m].Kind, plan.Target.Cores[m].Kind
	}
	for o := range p.Ops {
		q.Tasks = append(q.Tasks, peft.Task{Lanes: p.Ops[o].Shares(), Cycles: p.Ops[o].Cycles})
	}
	for _, r := range p.Reads {
		v := &p.Values[r.Value]
		if v.From == schedule.Outside {
			continue
		}
		comm := int64(0)
		if t := plan.Target; t != nil && t.BytesPerCycle != ir.None && v.Bytes > 0 {
			comm = (v.Bytes-1)/t.BytesPerCycle + 1
		}
		q.Edges = append(q.Edges, peft.Edge{From: v.From, To: r.To, Comm: comm})
	}
	r, err := peft.Schedule(ctx, q)
	if err != nil {
		return nil, nil, fmt.Errorf("list schedule: %w", err)
	}
	s = &ir.LogicalSchedule{GraphDigest: plan.Assignment.GraphDigest, Cores: kinds, Length: r.Length}
	rank = make([]int64, len(p.Ops))
	for _, o := range r.Order {
		rank[o] = slices.Min(r.Start[o])
		for share := range r.Start[o] {
			s.Tasks = append(s.Tasks, ir.Task{
				Op: plan.Text(plan.Graph.Ops[o].ID), Lane: int64(share / p.Ops[o].Parts),
				Core: int64(r.Core[o][share]), Start: r.Start[o][share], Finish: r.Finish[o][share],
			})
		}
	}
	return s, rank, nil
}

// places gives each logical core a machine core: its own where that is decided,
// and of the others the next one. It is nil without a machine.
func places(p *schedule.Problem) []int {
	taken := make([]bool, len(p.Machine))
	for _, m := range p.Places {
		if m != schedule.Free {
			taken[m] = true
		}
	}
	list := slices.Clone(p.Places)
	next := 0
	for c := range list {
		if list[c] != schedule.Free {
			continue
		}
		for taken[next] {
			next++
		}
		list[c] = next
		next++
	}
	return list
}
