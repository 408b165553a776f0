package passes

import (
	"context"

	"plancheck/internal/search/schedule"
	"plancheck/rules"
)

// Conflict is an invariant that has a part in there being no plan.
type Conflict struct {
	Invariant rules.Invariant
	// Example is what the rules say about a plan that breaks it, and was refused.
	Example string
}

// obeyed fills in what rules of the user have done to a search: what they cost,
// or that they are the reason for which there is no plan.
func (out *Outcome) obeyed(ctx context.Context, ob *obeyer, o schedule.Options) error {
	out.Obeyed, out.Without = len(ob.judged), schedule.Unknown
	o.Judge, o.OnChange, o.LeaveOut = nil, nil, nil
	switch {
	case out.Status == schedule.Infeasible:
		r, err := schedule.Solve(ctx, out.Model.Problem, o)
		if err != nil || r.Solution == nil {
			return err // without these rules there may be none either
		}
		return out.conflict(ctx, ob, o)
	case out.Result.Solution == nil:
	case out.Result.Rounds == 0:
		out.Without = out.Result.Cost.Interval
	default:
		r, err := schedule.Solve(ctx, out.Model.Problem, o)
		if err != nil {
			return err
		}
		if r.Solution != nil && r.Bound == r.Cost.Interval {
			out.Without = r.Cost.Interval
		}
	}
	return nil
}

// conflict finds invariants with which there is no plan, and without any of
// which there may be one: it leaves out one after the other. What time does not
// suffice for stays.
func (out *Outcome) conflict(ctx context.Context, ob *obeyer, o schedule.Options) error {
	dropped := map[string]bool{}
	for _, inv := range ob.judged {
		if _, refused := ob.broken[inv.Relation]; !refused {
			dropped[inv.Relation] = true // it took no part
		}
	}
	for _, inv := range ob.judged {
		if dropped[inv.Relation] {
			continue
		}
		dropped[inv.Relation] = true
		rest := ob.without(dropped)
		if rest == nil {
			delete(dropped, inv.Relation)
			continue
		}
		o.Judge = rest.judge
		r, err := schedule.Solve(ctx, out.Model.Problem, o)
		if err != nil {
			return err
		}
		if r.Status != schedule.Infeasible {
			delete(dropped, inv.Relation)
		}
	}
	for _, inv := range ob.judged {
		if !dropped[inv.Relation] {
			out.Conflict = append(out.Conflict, Conflict{Invariant: inv, Example: ob.broken[inv.Relation].Message})
		}
	}
	return nil
}
