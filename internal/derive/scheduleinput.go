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
	wrong, err := judge(ctx, facts.OfLevel(s.Portable, nil), nil)
	if err != nil {
		return err
	}
	for _, b := range []level.Body{s.Portable, s.Target, s.Deployment} {
		found, err := judge(ctx, binding, facts.OfLevel(b, nil))
		if err != nil {
			return err
		}
		wrong = append(wrong, found...)
	}
	if wrong != nil {
		return &Illegal{"schedule", wrong}
	}
	return nil
}
