package schedule

import (
	"context"
	"errors"
	"fmt"
	"io"

	"plancheck/internal/search/partition"
)

// Proof confirms that no solution has an interval of Limit or less. One of Sum,
// Stages and Whole is set.
type Proof struct {
	Limit int64
	// Sum can be added up by hand; there is no formula then.
	Sum *Sum
	// Stages is a certificate of Relaxed, in which cores are only counted: even
	// so there is no solution. ValueOf has our value for an op of Relaxed and
	// the number of one of its values.
	Stages  *partition.Certificate
	Relaxed *partition.Problem
	ValueOf map[[2]int]int
	// Whole is a certificate of the problem itself.
	Whole *Certificate
}

// ErrNoProof is returned, wrapped, when a bound cannot be confirmed in the time
// there is, or by a formula of moderate size.
var ErrNoProof = errors.New("no certificate of the bound")

// Prove confirms the bound of a result. What it returns has been re-added.
func Prove(ctx context.Context, p *Problem, r *Result) (*Proof, error) {
	proof := &Proof{Limit: r.Bound - 1}
	if r.Sum != nil {
		proof.Sum = r.Sum
		return proof, proof.Sum.check(p, r.Bound)
	}
	if r.Bound <= 0 {
		return nil, fmt.Errorf("%w: an interval of 0 needs none", ErrNoProof)
	}
	relaxed := newGround(p).relax(0)
	stages, _, err := partition.Certify(ctx, relaxed.Problem, proof.Limit)
	if err == nil && stages != nil {
		proof.Stages, proof.Relaxed, proof.ValueOf = stages, relaxed.Problem, relaxed.valueOf
		return proof, stages.Check(relaxed.Problem)
	}
	whole, better, err := Certify(ctx, p, proof.Limit)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%w: time ran out", ErrNoProof)
	case errors.Is(err, ErrProblem):
		return nil, fmt.Errorf("%w: its formula would be too large", ErrNoProof)
	case err != nil:
		return nil, err
	case better != nil:
		return nil, fmt.Errorf("%w: bound %d by %s is wrong", errSearch, r.Bound, r.BoundBy)
	case whole == nil:
		return nil, fmt.Errorf("%w: time ran out", ErrNoProof)
	}
	proof.Whole = whole
	return proof, whole.Check(p)
}

// WriteDIMACS writes the formula of a proof that has one.
func (pr *Proof) WriteDIMACS(w io.Writer, p *Problem) error {
	if pr.Stages != nil {
		return pr.Stages.WriteDIMACS(w, pr.Relaxed)
	}
	return pr.Whole.WriteDIMACS(w, p)
}

// check adds the sum up again.
func (s *Sum) check(p *Problem, bound int64) error {
	g := newGround(p)
	total := int64(0)
	for _, o := range s.Ops {
		if s.Share {
			total += g.share[o]
		} else {
			total += int64(p.Ops[o].Shares()) * g.share[o]
		}
	}
	for _, c := range s.Carried {
		total += int64(c.Stages) * int64(p.Values[c.Value].Forward) * g.lane[c.Value]
	}
	if total != s.Total || s.Cores < 1 || ceil(total, s.Cores) < bound {
		return fmt.Errorf("%w: sum %d on %d cores, added up %d, for bound %d", errSearch, s.Total, s.Cores, total, bound)
	}
	return nil
}
