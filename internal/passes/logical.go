package passes

import (
	"context"
	"fmt"

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
	for c := range q.Cores {
		if len(p.Machine) > 0 {
			at := c
			if p.Places[c] != schedule.Free {
				at = p.Places[c]
			}
			q.Cores[c] = p.Machine[at].Kind
		}
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
	s = &ir.LogicalSchedule{Length: r.Length}
	if plan.Assignment.GraphDigest != "" {
		s.GraphDigest = plan.Assignment.GraphDigest
	}
	for c := range q.Cores {
		s.Cores = append(s.Cores, kindOf(p, plan, c))
	}
	rank = make([]int64, len(p.Ops))
	for _, o := range r.Order {
		rank[o] = r.Start[o][0]
		for share := range r.Start[o] {
			rank[o] = min(rank[o], r.Start[o][share])
			s.Tasks = append(s.Tasks, ir.Task{
				Op: plan.Text(plan.Graph.Ops[o].ID), Lane: int64(share / p.Ops[o].Parts),
				Core: int64(r.Core[o][share]), Start: r.Start[o][share], Finish: r.Finish[o][share],
			})
		}
	}
	return s, rank, nil
}

// kindOf names the kind of machine core that logical core c is scheduled for.
func kindOf(p *schedule.Problem, plan *ir.Plan, c int) string {
	if plan.Target == nil {
		return ""
	}
	if p.Places[c] != schedule.Free {
		c = p.Places[c]
	}
	return plan.Target.Cores[c].Kind
}
