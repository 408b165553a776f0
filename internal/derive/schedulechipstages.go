package derive

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"plancheck/encode"
	"plancheck/internal/diag"
	"plancheck/internal/passes"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// chipSteps is the effort of the scheduler, which must not depend on time: about a
// microsecond each.
const chipSteps = 1 << 18

// seating is how ranks sit on the cores of a stage: the n-th rank has the cores
// from n x each on, so that nothing moves between ops of a stage but what a
// collective exchanges, unless a rank needs several cores. No two ranks share a core.
type seating struct {
	ranks []int64
	each  int64 // how many cores a rank is on
}

// wide is how many ranks sit side by side.
func (s *seating) wide() int64 { return int64(len(s.ranks)) }

// cores is how many cores of a stage are sat on.
func (s *seating) cores() int64 { return s.wide() * s.each }

// assign decides stages, cores and places. As all ranks do alike, stages are chosen
// for one of them, for the least interval; then places for all, for the least
// traffic. A rank is on one core of each stage, or on the fewest that its weights
// fit on. A stage has the cores that it needs, the last one the rest of the mesh.
func (c *chip) assign(ctx context.Context, weights int64) (*ir.Plan, error) {
	s := &seating{ranks: c.ranks()}
	cores, ops := int64(len(c.Deployment.Devices)), int64(len(c.groups))
	if c.stages > ops {
		return nil, refuse("stage-empty", "%s and %s: a stage would have nothing to do", diag.Counted(c.stages, "stage"), diag.Counted(ops, "op"))
	}
	if needs := c.stages * s.wide(); needs > cores {
		return nil, refuse("stage-without-cores", "%s of %s need %d cores, and the target has %d",
			diag.Counted(c.stages, "stage"), diag.Counted(s.wide(), "rank"), needs, cores)
	}
	var why error
	for s.each = 1; s.cores()*c.stages <= cores; s.each++ {
		staged, no, err := c.solve(ctx, c.alone(s, weights))
		if err != nil {
			return nil, err
		}
		if why = no; staged == nil {
			continue
		}
		seats := c.seats(s, staged, weights)
		if seats == nil {
			continue
		}
		plan, no, err := c.solve(ctx, c.seated(s, staged, seats, weights))
		if err != nil {
			return nil, err
		}
		if plan != nil {
			c.pair(s, plan, seats)
			return plan, nil
		}
		why = no
	}
	return nil, cmp.Or(why, refuse("resident-weights-exceed-core", "the weights of a rank do not fit %d cores of each stage", s.each-1))
}

// ranks are those of all ops, sorted.
func (c *chip) ranks() []int64 {
	var all []int64
	for _, g := range c.groups {
		for _, l := range g.lanes {
			all = append(all, l.rank)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// alone is the plan of one rank, without stages yet, in which each stage has one
// core: with the memory, and as fast as, those of the rank together.
func (c *chip) alone(s *seating, weights int64) *ir.Plan {
	plan := *c.out
	room := int64(math.MaxInt64)
	if weights <= room/s.each {
		room = weights * s.each
	}
	plan.Target, plan.LogicalCores, plan.Stages = &ir.Target{CoreCount: ir.None, BytesPerCycle: c.out.Target.BytesPerCycle}, c.stages, nil
	for i := range c.stages {
		plan.Target.Cores = append(plan.Target.Cores, ir.Core{ID: i, Row: ir.None, Col: ir.None, Capacity: room})
		plan.Stages = append(plan.Stages, ir.Stage{Index: i, First: i, Count: 1})
	}
	plan.Graph.Ops = slices.Clone(plan.Graph.Ops)
	plan.Assignment = ir.Assignment{Instances: []ir.Instance{}}
	for i, g := range c.groups {
		op := &plan.Graph.Ops[i]
		op.Lanes, op.Work = 1, 0
		for _, l := range g.lanes {
			op.Work = max(op.Work, l.cycles)
		}
		plan.Assignment.Instances = append(plan.Assignment.Instances, ir.Instance{Op: op.ID, Stage: ir.None, Part: ir.None})
	}
	return &plan
}

// seats gives each op the core of a rank that it is on: of those of its stage that
// have room for its weights that on which least is done, the first one of several.
// It is nil where the weights do not fit that way.
func (c *chip) seats(s *seating, staged *ir.Plan, weights int64) []int64 {
	type core struct{ stage, seat int64 }
	room, load, held := map[core]int64{}, map[core]int64{}, map[core]map[ir.ID]bool{}
	seats := make([]int64, len(c.groups))
	for i := range staged.Graph.Ops {
		op := &staged.Graph.Ops[i]
		best, bestNeeds := core{seat: ir.None}, int64(0)
		for seat := range s.each {
			at := core{stageIn(staged, op.ID), seat}
			if held[at] == nil {
				held[at], room[at] = map[ir.ID]bool{}, weights
			}
			needs := int64(0)
			for _, w := range op.Weights {
				if !held[at][w] {
					needs += sizeOf(staged, w) // fewer in all than the cores of the stage have
				}
			}
			if needs <= room[at] && (best.seat == ir.None || load[at] < load[best]) {
				best, bestNeeds = at, needs
			}
		}
		if best.seat == ir.None {
			return nil
		}
		room[best] -= bestNeeds
		load[best] += op.Work
		for _, w := range op.Weights {
			held[best][w] = true
		}
		seats[i] = best.seat
	}
	return seats
}

func sizeOf(plan *ir.Plan, weight ir.ID) int64 {
	i := slices.IndexFunc(plan.Graph.Weights, func(w ir.Weight) bool { return w.ID == weight })
	return plan.Graph.Weights[i].Size
}

func stageIn(plan *ir.Plan, op ir.ID) int64 {
	i := slices.IndexFunc(plan.Assignment.Instances, func(in ir.Instance) bool { return in.Op == op })
	return plan.Assignment.Instances[i].Stage
}

// seated is the plan of all ranks: its stages, and each lane on its core, without
// places yet.
func (c *chip) seated(s *seating, staged *ir.Plan, seats []int64, weights int64) *ir.Plan {
	plan := *c.out
	target := *c.out.Target
	target.Cores = slices.Clone(target.Cores)
	for i := range target.Cores {
		target.Cores[i].Capacity = weights
	}
	plan.Target, plan.LogicalCores, plan.Stages = &target, int64(len(target.Cores)), nil
	for i := range c.stages {
		stage := ir.Stage{Index: i, First: i * s.cores(), Count: s.cores()}
		if i == c.stages-1 {
			stage.Count = plan.LogicalCores - stage.First
		}
		plan.Stages = append(plan.Stages, stage)
	}
	plan.Assignment = ir.Assignment{Instances: []ir.Instance{}}
	for i, g := range c.groups {
		in := ir.Instance{Op: plan.Graph.Ops[i].ID, Part: ir.None}
		in.Stage = stageIn(staged, in.Op)
		for k, l := range g.lanes {
			rank := int64(slices.Index(s.ranks, l.rank))
			in.Lanes = append(in.Lanes, int64(k))
			in.Cores = append(in.Cores, in.Stage*s.cores()+rank*s.each+seats[i])
		}
		plan.Assignment.Instances = append(plan.Assignment.Instances, in)
	}
	return &plan
}

// solve completes a plan. Where that cannot be, plan is nil, and why says it.
func (c *chip) solve(ctx context.Context, holes *ir.Plan) (plan *ir.Plan, why, err error) {
	set, err := rulesOf(ir.PlanSchema)
	if err != nil {
		return nil, nil, err
	}
	out, err := passes.Run(ctx, holes, passes.Options{
		Encode: encode.Options{ForwardCycles: ir.None}, Rules: set, Search: schedule.Options{Steps: chipSteps},
	})
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		return nil, nil, fmt.Errorf("assigning stages and cores: %w", err)
	case out.Plan != nil:
		return out.Plan, nil, nil
	}
	return nil, unassigned(out), nil
}

// unassigned says why there is no assignment.
func unassigned(out *passes.Outcome) error {
	findings := slices.Concat(out.Refused, out.Reasons)
	if out.Broken != nil {
		findings = append(findings, out.Broken.Findings...)
	}
	if out.Why != nil {
		for _, x := range out.Why.Conflict {
			findings = append(findings, x.Diagnostic)
		}
	}
	if len(findings) > 0 {
		return refuse(findings[0].Code, "there is no assignment to stages and cores: %s", told(findings))
	}
	return refuse("schedule-not-found", "no assignment to stages and cores was found")
}
