package derive

import (
	"context"

	"plancheck/ir"
	"plancheck/ir/evidence"
)

func (s *Scheduling) forChip(ctx context.Context, binding *evidence.Binding) (*ir.Plan, error) {
	return nil, refuse("target-extension-unknown", "chips are not scheduled yet")
}
