package partition

import (
	"errors"
	"fmt"
	"math/bits"
)

// Problem asks for a stage of every op so that the largest stage load is as
// small as possible. Ops are numbered from 0, stages too.
//
// The load of a stage is the work of its ops and, for every value carried
// through it, that value's carry cost. The value of op u is carried through
// the stages strictly between u's stage and the stage of its farthest consumer.
type Problem struct {
	Stages int
	Work   []int64 // of each op, not negative, in any one unit
	Carry  []int64 // of each op's value, per stage, in the unit of Work; nil for no cost
	Edges  []Edge
	Domain []Range // of each op; nil for all stages

	// NonEmpty requires an op in every stage.
	NonEmpty bool
}

// Edge says that To uses the value of From: To is never in an earlier stage,
// and at most one stage later unless the edge is Far.
type Edge struct {
	From, To int
	Far      bool
}

// Range is the stages that an op may have, both ends included. Lo = Hi = s pins
// the op to s. The range {Outside, Outside} puts an op before the first stage:
// it adds no load, but its value is carried from stage 0 on, as a dynamic
// input's is.
type Range struct{ Lo, Hi int }

// Outside is the place before the first stage.
const Outside = -1

// ErrProblem is returned, wrapped, for a problem that is not well-formed.
var ErrProblem = errors.New("ill-formed partition problem")

// ErrStages is returned, wrapped, for an assignment that breaks the problem's
// constraints.
var ErrStages = errors.New("illegal stages")

// maxStages keeps stages within an int8.
const maxStages = 120

// check says whether the problem is well-formed. It does not look for cycles;
// compile does.
func (p *Problem) check() error {
	n := len(p.Work)
	if p.Stages < 1 || p.Stages > maxStages {
		return fmt.Errorf("%d stages, not 1 to %d: %w", p.Stages, maxStages, ErrProblem)
	}
	if p.Carry != nil && len(p.Carry) != n {
		return fmt.Errorf("%d carry costs for %d ops: %w", len(p.Carry), n, ErrProblem)
	}
	if p.Domain != nil && len(p.Domain) != n {
		return fmt.Errorf("%d domains for %d ops: %w", len(p.Domain), n, ErrProblem)
	}
	// No stage load exceeds all work and all carrying, and no sum in the
	// search exceeds that times the number of stages plus one.
	var total uint64
	for o := range n {
		c := int64(0)
		if p.Carry != nil {
			c = p.Carry[o]
		}
		if p.Work[o] < 0 || c < 0 {
			return fmt.Errorf("op %d has work %d and carry cost %d: %w", o, p.Work[o], c, ErrProblem)
		}
		// Both are below 2^63, and total was below 2^62, so this cannot wrap
		// before the test sees it.
		sum, carry := bits.Add64(total, uint64(p.Work[o]), 0)
		sum, carry2 := bits.Add64(sum, uint64(c), 0)
		hi, lo := bits.Mul64(sum, uint64(p.Stages+1))
		if carry != 0 || carry2 != 0 || hi != 0 || lo >= 1<<62 {
			return fmt.Errorf("work and carry costs times %d stages pass 2^62: %w", p.Stages+1, ErrProblem)
		}
		total = sum
	}
	for i, e := range p.Edges {
		if e.From < 0 || e.From >= n || e.To < 0 || e.To >= n || e.From == e.To {
			return fmt.Errorf("edge %d, %d -> %d, among %d ops: %w", i, e.From, e.To, n, ErrProblem)
		}
	}
	for o, d := range p.Domain {
		outside := d.Lo == Outside && d.Hi == Outside
		if !outside && (d.Lo < 0 || d.Hi >= p.Stages) {
			return fmt.Errorf("op %d in stages %d to %d of %d: %w", o, d.Lo, d.Hi, p.Stages, ErrProblem)
		}
	}
	return nil
}

func (p *Problem) carry(o int) int64 {
	if p.Carry == nil {
		return 0
	}
	return p.Carry[o]
}

func (p *Problem) domain(o int) Range {
	if p.Domain == nil {
		return Range{0, p.Stages - 1}
	}
	return p.Domain[o]
}

// Loads returns the load of every stage under an assignment of stages to ops,
// or an error that wraps ErrStages when the assignment is not legal, or
// ErrProblem. It is the definition that every part of the search is held to.
func (p *Problem) Loads(stages []int) ([]int64, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if len(stages) != len(p.Work) {
		return nil, fmt.Errorf("%d stages for %d ops: %w", len(stages), len(p.Work), ErrStages)
	}
	loads := make([]int64, p.Stages)
	used := make([]bool, p.Stages)
	for o, s := range stages {
		if d := p.domain(o); s < d.Lo || s > d.Hi {
			return nil, fmt.Errorf("op %d in stage %d, not %d to %d: %w", o, s, d.Lo, d.Hi, ErrStages)
		}
		if s != Outside {
			loads[s] += p.Work[o]
			used[s] = true
		}
	}
	farthest := append([]int(nil), stages...)
	for _, e := range p.Edges {
		from, to := stages[e.From], stages[e.To]
		if to < from || (!e.Far && to > from+1) {
			return nil, fmt.Errorf("edge %d -> %d goes from stage %d to %d: %w", e.From, e.To, from, to, ErrStages)
		}
		farthest[e.From] = max(farthest[e.From], to)
	}
	for o, s := range stages {
		for t := s + 1; t < farthest[o]; t++ {
			loads[t] += p.carry(o)
		}
	}
	if p.NonEmpty {
		for s, u := range used {
			if !u {
				return nil, fmt.Errorf("stage %d is empty: %w", s, ErrStages)
			}
		}
	}
	return loads, nil
}

// Value returns the largest stage load of an assignment, with the errors of
// Loads.
func (p *Problem) Value(stages []int) (int64, error) {
	loads, err := p.Loads(stages)
	if err != nil {
		return 0, err
	}
	value := int64(0)
	for _, l := range loads {
		value = max(value, l)
	}
	return value, nil
}
