package derive

import (
	"context"
	"fmt"
	"slices"

	"plancheck/encode"
	"plancheck/internal/passes"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
	"plancheck/rules"
)

// chipSteps is the effort of the scheduler, which must not depend on time: about a
// microsecond each.
const chipSteps = 1 << 18

// assign decides stages, cores and places.
//
// Stages have as many cores as there are ranks, the last one the rest of the mesh,
// and in each of them the n-th rank is on the n-th core, so that nothing moves
// between ops of a stage but what a collective exchanges. Stages are chosen first,
// for the least interval, and then places, for the least traffic. Where weights do
// not fit that way, or there are too few cores, the scheduler chooses ranges and
// cores too.
func (c *chip) assign(ctx context.Context, weights int64) (*ir.Plan, error) {
	cores, each := int64(len(c.Deployment.Devices)), int64(len(c.ranks()))
	if each <= cores/c.stages {
		staged, _, err := c.solve(ctx, c.holes(weights, each, nil))
		if err != nil {
			return nil, err
		}
		if staged != nil {
			plan, _, err := c.solve(ctx, c.holes(weights, each, staged))
			if plan != nil || err != nil {
				return plan, err
			}
		}
	}
	plan, why, err := c.solve(ctx, c.holes(weights, 0, nil))
	if plan == nil && err == nil {
		err = why
	}
	return plan, err
}

// holes is the plan before assigning: stages with each so many cores, or none yet
// where it is 0; and instances with the stages of a plan, where there is one, each
// rank on a core of its own.
func (c *chip) holes(weights, each int64, staged *ir.Plan) *ir.Plan {
	plan := *c.out
	target := *c.out.Target
	target.Cores = slices.Clone(target.Cores)
	for i := range target.Cores {
		target.Cores[i].Capacity = weights
	}
	plan.Target, plan.LogicalCores = &target, int64(len(target.Cores))
	plan.Stages = nil
	for i := range c.stages {
		s := ir.Stage{Index: i, First: ir.None, Count: ir.None}
		if each > 0 {
			s.First, s.Count = i*each, each
			if i == c.stages-1 {
				s.Count = plan.LogicalCores - s.First
			}
		}
		plan.Stages = append(plan.Stages, s)
	}
	plan.Assignment = ir.Assignment{Instances: []ir.Instance{}}
	ranks := c.ranks()
	for i, g := range c.groups {
		in := ir.Instance{Op: plan.Graph.Ops[i].ID, Stage: ir.None, Part: ir.None}
		if staged != nil {
			in.Stage = stageIn(staged, in.Op)
			for _, l := range g.lanes {
				in.Lanes = append(in.Lanes, int64(len(in.Lanes)))
				in.Cores = append(in.Cores, in.Stage*each+int64(slices.Index(ranks, l.rank)))
			}
		}
		plan.Assignment.Instances = append(plan.Assignment.Instances, in)
	}
	return &plan
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

func stageIn(plan *ir.Plan, op ir.ID) int64 {
	for i := range plan.Assignment.Instances {
		if in := &plan.Assignment.Instances[i]; in.Op == op {
			return in.Stage
		}
	}
	return ir.None
}

// solve completes a plan. Where that cannot be, plan is nil, and why says it.
func (c *chip) solve(ctx context.Context, holes *ir.Plan) (plan *ir.Plan, why, err error) {
	set, diags := rules.Load([]string{rules.Builtin})
	if set == nil {
		return nil, nil, fmt.Errorf("the built-in rules: %s", told(diags))
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
	return nil, unassigned(out, len(holes.Stages), len(holes.Target.Cores)), nil
}

// unassigned says why there is no assignment.
func unassigned(out *passes.Outcome, stages, cores int) error {
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
		return refuse(findings[0].Code, "there is no assignment to %d stages of %d cores: %s", stages, cores, told(findings))
	}
	return refuse("schedule-not-found", "no assignment to %d stages of %d cores was found", stages, cores)
}
