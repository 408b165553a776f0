package derive

import (
	"context"

	"plancheck/facts"
	"plancheck/ir/level"
)

// legal judges what a binding is scheduled with: the portable plan by itself, and
// the binding beside each document that it was made from. The binding itself has
// been judged.
func (s *Scheduling) legal(ctx context.Context, binding *facts.Document) error {
	p := Pass{Name: "schedule"}
	if _, err := p.legal(ctx, facts.OfLevel(s.Portable, nil), nil); err != nil {
		return err
	}
	for _, b := range []level.Body{s.Portable, s.Target, s.Deployment} {
		if _, err := p.legal(ctx, binding, facts.OfLevel(b, nil)); err != nil {
			return err
		}
	}
	return nil
}
