package derive

import (
	"context"
	"errors"

	"plancheck/facts"
	binder "plancheck/internal/evidence"
	"plancheck/ir/evidence"
	"plancheck/ir/levels"
	"plancheck/ir/portable"
)

// Binding is what a portable plan is bound with.
type Binding struct {
	Target     *evidence.Target
	Deployment *evidence.Deployment
	Evidence   *evidence.Evidence
	Policy     evidence.Policy
}

// Bind is the pass that finds for each task of a portable plan what does it on a
// target, and what that costs by evidence. Where something is missing (nothing
// that can do a task, a cost that nobody knows, memory, devices) the rules say so,
// and the error is an *Illegal.
func Bind(with Binding) Pass {
	return Pass{
		Name: "bind", From: portable.Schema, To: evidence.BindingSchema,
		Beside: []*facts.Document{facts.OfLevel(with.Target, nil), facts.OfLevel(with.Deployment, nil), facts.OfLevel(with.Evidence, nil)},
		Gates: []string{
			"capability-unsupported", "collective-unsupported", "dtype-unsupported", "shape-limit-exceeded", "abi-mismatch",
			"evidence-missing", "evidence-ambiguous", "evidence-out-of-domain", "evidence-stale",
			"device-count-out-of-range", "rank-unplaced", "memory-below-minimum", "collective-exceeds-tier", "topology-disconnected",
		},
		Make: func(_ context.Context, parent *facts.Document) (*facts.Document, error) {
			plan, ok := parent.Body().(*portable.Plan)
			if !ok {
				return nil, refuse("schema-name-mismatch", "only a portable plan is bound")
			}
			b, err := binder.Bind(binder.Input{Plan: plan, Target: with.Target, Deployment: with.Deployment, Evidence: with.Evidence, Policy: with.Policy})
			var not *binder.Error
			if errors.As(err, &not) {
				return nil, &Refused{Code: not.Code, Message: not.Error()}
			}
			if err != nil {
				return nil, err
			}
			b.Digest = levels.Digest(b)
			return facts.OfLevel(b, nil), nil
		},
	}
}
