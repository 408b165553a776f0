package derive

import (
	"plancheck/ir"
	"plancheck/ir/evidence"
)

func (s *Scheduling) forQueues(binding *evidence.Binding) (*ir.Plan, error) {
	return nil, refuse("target-extension-unknown", "queues are not scheduled yet")
}
