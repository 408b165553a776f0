package evidence

import (
	"fmt"
	"math/big"
	"slices"

	"plancheck/internal/costs"
	"plancheck/ir/evidence"
)

// Analytical is the provider of costs by the formulas of the target.
const Analytical = "analytical"

// DefaultPolicy asks the records of a provider first and falls back on the
// formulas of the target; extrapolations reach up to one doubling. What evidence
// knows must be from the environment of the deployment, where both say theirs.
func DefaultPolicy(provider string) evidence.Policy {
	return evidence.Policy{
		ID: "default", Revision: "1", Providers: []string{provider, Analytical},
		Matches: []string{"exact", "interpolated", "extrapolated", "analytical"}, MaxDistance: costs.Million, MinSamples: 1, Fresh: true,
	}
}

// resolver finds the costs of tasks. Evidence from another environment is asked like
// any: to fall back on formulas would hide it. Rules say where the policy refuses it.
type resolver struct {
	target   *evidence.Target
	evidence *evidence.Evidence
	policy   evidence.Policy
}

// resolve asks the providers of the policy for the cost of a task, and writes it
// and every attempt into the task.
func (r *resolver) resolve(task *evidence.Bound) {
	for _, provider := range r.policy.Providers {
		for _, ask := range r.asks(provider) {
			a := ask(task)
			if a.found != nil {
				if err := r.finish(task, a.found); err != nil {
					a = a.not(unavailable, err.Error())
					a.found = nil
				}
			}
			task.Attempts = append(task.Attempts, a.Attempt)
			if a.found != nil {
				task.Cost = &a.found.resolution
			}
			if a.found != nil || a.Status == invalid {
				return
			}
		}
	}
}

// asks are the questions to a provider, in order.
func (r *resolver) asks(provider string) []func(*evidence.Bound) attempt {
	never := func(why string) []func(*evidence.Bound) attempt {
		return []func(*evidence.Bound) attempt{func(*evidence.Bound) attempt {
			return attempt{Attempt: evidence.Attempt{Provider: provider, Match: "any", Status: unavailable, Reason: why}}
		}}
	}
	if provider == Analytical {
		if !slices.Contains(r.policy.Matches, "analytical") {
			return never("the policy takes no analytical costs")
		}
		return []func(*evidence.Bound) attempt{analytical{r.target}.cost}
	}
	if provider != r.evidence.Provider {
		return never("there is no evidence of this provider")
	}
	known := records{r.evidence, &r.policy}
	var all []func(*evidence.Bound) attempt
	for _, m := range []struct {
		match string
		ask   func(*evidence.Bound) attempt
	}{{"exact", known.exact}, {"interpolated", known.interpolated}, {"extrapolated", known.extrapolated}} {
		if slices.Contains(r.policy.Matches, m.match) {
			all = append(all, m.ask)
		}
	}
	if all == nil {
		return never("the policy takes no costs from records")
	}
	return all
}

// finish multiplies a cost by the factor of its group and rounds it.
func (r *resolver) finish(task *evidence.Bound, f *found) error {
	if factor := r.evidence.Factor(groupOfTask(task)); factor != nil {
		f.resolution.Factor = &evidence.Ratio{Numerator: factor.Numerator, Denominator: factor.Denominator}
		f.resolution.Method = "calibrated"
	}
	n, err := costs.Picoseconds(f.duration, f.resolution.Factor)
	if err != nil {
		return fmt.Errorf("the cost %w", err)
	}
	f.resolution.Duration = n
	return nil
}

// groupOfTask is the group of a bound task, by which factors are found: its size is
// that of its operations, or of its bytes where it does none.
func groupOfTask(task *evidence.Bound) evidence.Group {
	amount := task.Query.Operations
	if amount == 0 {
		amount = bytesOf(task)
	}
	return evidence.Group{
		Implementation: task.Implementation, Op: task.Op, DType: task.Query.DType,
		Bucket: evidence.Bucket(amount), Participants: task.Query.Participants,
	}
}

// scaled is a duration without a factor that is in it.
func scaled(duration, numerator, denominator int64) *big.Rat {
	return costs.Product(costs.Whole(duration), costs.Ratio(denominator, numerator))
}
