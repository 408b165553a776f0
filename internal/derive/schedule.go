package derive

import (
	"context"

	"plancheck/facts"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/portable"
)

// schedulerRevision changes whenever Schedule makes another plan of the same.
const schedulerRevision = "plancheck.schedule/2"

// Scheduling is what a binding is scheduled with: the documents that it was made
// from, which it names as its parents.
type Scheduling struct {
	Portable   *portable.Plan
	Target     *evidence.Target
	Deployment *evidence.Deployment
	// Stages is how many pipeline stages a spatial target is cut into; 1 when 0.
	Stages int64
}

// Schedule is the pass that turns a binding into a plan: commands on queues, in
// an order, with what they wait for, and buffers in memory. On a target of family
// spatial it decides stages, cores, routes and issue slots as well.
func Schedule(with Scheduling) Pass {
	return Pass{
		Name: "schedule", From: evidence.BindingSchema, To: ir.PlanSchema,
		Beside: []*facts.Document{facts.OfLevel(with.Portable, nil), facts.OfLevel(with.Target, nil)},
		Make: func(ctx context.Context, parent *facts.Document) (*facts.Document, error) {
			binding, ok := parent.Body().(*evidence.Binding)
			if !ok {
				return nil, refuse("schema-name-mismatch", "only bindings are scheduled")
			}
			if err := with.legal(ctx, parent); err != nil {
				return nil, err
			}
			plan, err := with.plan(ctx, binding)
			if err != nil {
				return nil, err
			}
			return facts.OfPlan(plan), nil
		},
	}
}

func (s *Scheduling) plan(ctx context.Context, binding *evidence.Binding) (*ir.Plan, error) {
	switch s.Target.Family {
	case ir.FamilyQueue:
		return s.forQueues(binding)
	case ir.FamilySpatial:
		return s.forChip(ctx, binding)
	}
	return nil, refuse("target-extension-unknown", "targets of family %s are not scheduled", s.Target.Family)
}
