package evidence

import (
	"fmt"

	"plancheck/ir/evidence"
)

// Estimate binds work that is no task of a portable plan: what a scheduler makes
// of one. Its cost is by the formulas of the target, as for a task of this body,
// op and query. The error says that no implementation can do it, or that the
// formulas do not tell its cost.
func Estimate(target *evidence.Target, body, op string, q evidence.Query) (*evidence.Bound, error) {
	work := &evidence.Bound{Body: body, Op: op, Query: q}
	choose(target, work)
	if work.Implementation == "" {
		return nil, fmt.Errorf("no implementation of the target can do %s on %s", op, q.DType)
	}
	(&resolver{target: target, evidence: &evidence.Evidence{}, policy: evidence.Policy{Providers: []string{Analytical}, Matches: []string{"analytical"}}}).resolve(work)
	if work.Cost == nil {
		return nil, fmt.Errorf("the formulas of the target do not tell the cost of %s on %s: %s", op, q.DType, work.Attempts[0].Reason)
	}
	return work, nil
}
