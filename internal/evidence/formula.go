package evidence

import (
	"math/big"

	"plancheck/internal/costs"
	"plancheck/ir/evidence"
)

// analytical gives a cost by the formulas of a target.
type analytical struct{ target *evidence.Target }

// found is a cost before it is rounded.
type found struct {
	resolution evidence.Resolution // without its duration
	duration   *big.Rat            // in picoseconds
}

// attempt is an answer of a provider: a cost, or why it has none.
type attempt struct {
	evidence.Attempt
	found *found
}

const (
	available   = "available"
	unavailable = "unavailable"
	invalid     = "invalid"
)

func (a analytical) cost(task *evidence.Bound) attempt {
	made := attempt{Attempt: evidence.Attempt{Provider: Analytical, Match: "analytical", Status: available}}
	f, why := costs.Formula(a.target, task)
	if why != "" {
		made.Status, made.Reason = unavailable, why
		return made
	}
	made.found = &found{
		resolution: evidence.Resolution{Match: "analytical", Provider: Analytical, Method: "analytical", Formula: f.Formula, Components: f.Components},
		duration:   f.Duration,
	}
	return made
}
