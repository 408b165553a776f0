package derive

import (
	"context"
	"errors"

	"plancheck/facts"
	"plancheck/ir/level"
)

// legal judges what a binding is scheduled with: the portable plan by itself, and
// the binding beside each document that it was made from. The binding itself has
// been judged. The error has all findings, and the document and the verdict of the
// first of them.
func (s *Scheduling) legal(ctx context.Context, binding *facts.Document) error {
	p := Pass{Name: "schedule"}
	var all *Illegal
	judge := func(d, beside *facts.Document) error {
		var wrong *Illegal
		_, err := p.legal(ctx, d, beside)
		switch {
		case !errors.As(err, &wrong):
			return err
		case all == nil:
			all = wrong
		default:
			all.Findings = append(all.Findings, wrong.Findings...)
		}
		return nil
	}
	if err := judge(facts.OfLevel(s.Portable, nil), nil); err != nil {
		return err
	}
	for _, b := range []level.Body{s.Portable, s.Target, s.Deployment} {
		if err := judge(binding, facts.OfLevel(b, nil)); err != nil {
			return err
		}
	}
	if all != nil {
		return all
	}
	return nil
}
