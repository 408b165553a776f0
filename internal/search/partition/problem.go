package partition

import (
	"errors"
	"fmt"
	"math/bits"
)

// Problem asks for a stage of every op so that the largest stage load is as
// small as possible or, where stages own several cores, the largest load of a
// core. Ops are numbered from 0, stages too.
//
// The load of a stage is the work of its ops and, for every value carried
// through it, that value's carry cost. A value of op u is carried through the
// stages strictly between u's stage and the stage of its farthest consumer.
type Problem struct {
	Stages int
	Work   []int64 // of each op, not negative, in any one unit
	Carry  []int64 // of each op's value, per stage, in the unit of Work; nil for no cost
	Edges  []Edge
	Domain []Range // of each op; nil for all stages

	// Values are what ops have beside their first values, each carried on its
	// own; an edge says which one it is for.
	Values []ValueCost

	// NonEmpty requires an op in every stage.
	NonEmpty bool

	// Clauses are what legal stages have to keep besides.
	Clauses []Clause

	// Cores shares cores out among the stages; nil gives one to each, with no
	// limit to memory.
	Cores *Cores
}

// Edge says that To uses a value of From: To is never in an earlier stage, and
// at most one stage later unless the edge is Far.
type Edge struct {
	From, To int
	Far      bool
	// Value is 0 for the value whose cost Problem.Carry has, and i+1 for
	// Problem.Values[i], which must be one of From's.
	Value int
}

// ValueCost is one more value of an op, and its carry cost per stage.
type ValueCost struct {
	Op    int
	Carry int64
}

// Range is numbers from Lo to Hi, both included. As the stages that an op may
// have, Lo = Hi = s pins the op to s, and {Outside, Outside} puts it before the
// first stage: it adds no load, but its values are carried from stage 0 on, as
// a dynamic input's is.
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
	if err := p.Cores.check(p); err != nil {
		return err
	}
	// No stage load exceeds all work and all carrying, and no sum in the
	// search exceeds that times the number of stages, or of cores, plus one.
	sum := sum{times: p.Stages + 1}
	if p.Cores != nil {
		sum.times = max(sum.times, p.Cores.Total+1)
	}
	for o := range n {
		if c := p.carry(o); p.Work[o] < 0 || c < 0 {
			return fmt.Errorf("op %d has work %d and carry cost %d: %w", o, p.Work[o], c, ErrProblem)
		}
		if !sum.add(p.Work[o]) || !sum.add(p.carry(o)) {
			return fmt.Errorf("work and carry costs times %d pass 2^62: %w", sum.times, ErrProblem)
		}
	}
	for i, v := range p.Values {
		if v.Op < 0 || v.Op >= n || v.Carry < 0 {
			return fmt.Errorf("value %d of op %d has carry cost %d: %w", i, v.Op, v.Carry, ErrProblem)
		}
		if !sum.add(v.Carry) {
			return fmt.Errorf("work and carry costs times %d pass 2^62: %w", sum.times, ErrProblem)
		}
	}
	for i, e := range p.Edges {
		if e.From < 0 || e.From >= n || e.To < 0 || e.To >= n || e.From == e.To {
			return fmt.Errorf("edge %d, %d -> %d, among %d ops: %w", i, e.From, e.To, n, ErrProblem)
		}
		if e.Value < 0 || e.Value > len(p.Values) || e.Value > 0 && p.Values[e.Value-1].Op != e.From {
			return fmt.Errorf("edge %d, %d -> %d, is for value %d, which is not op %d's: %w", i, e.From, e.To, e.Value, e.From, ErrProblem)
		}
	}
	if err := p.checkClauses(); err != nil {
		return err
	}
	for o, d := range p.Domain {
		outside := d.Lo == Outside && d.Hi == Outside
		if !outside && (d.Lo < 0 || d.Hi >= p.Stages) {
			return fmt.Errorf("op %d in stages %d to %d of %d: %w", o, d.Lo, d.Hi, p.Stages, ErrProblem)
		}
	}
	return nil
}

// sum adds up numbers and sees to it that the sum times some factor stays below
// 2^62.
type sum struct {
	times int
	total uint64
}

// add returns false when x, which is not negative, is too much.
func (s *sum) add(x int64) bool {
	// The total was below 2^62 and x is below 2^63: this does not wrap.
	s.total += uint64(x)
	hi, lo := bits.Mul64(s.total, uint64(s.times))
	return hi == 0 && lo < 1<<62
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
	for _, e := range p.Edges {
		from, to := stages[e.From], stages[e.To]
		if to < from || (!e.Far && to > from+1) {
			return nil, fmt.Errorf("edge %d -> %d goes from stage %d to %d: %w", e.From, e.To, from, to, ErrStages)
		}
	}
	if i := p.brokenClause(stages); i >= 0 {
		return nil, fmt.Errorf("clause %d is broken: %w", i, ErrStages)
	}
	farthest := p.farthest(stages)
	for o, s := range stages {
		for t := s + 1; t < farthest[o]; t++ {
			loads[t] += p.carry(o)
		}
	}
	for i, v := range p.Values {
		for t := stages[v.Op] + 1; t < farthest[len(p.Work)+i]; t++ {
			loads[t] += v.Carry
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

// farthest returns the last stage that uses or makes each value: the first one of
// every op, then those of Values.
func (p *Problem) farthest(stages []int) []int {
	farthest := append([]int(nil), stages...)
	for _, v := range p.Values {
		farthest = append(farthest, stages[v.Op])
	}
	for _, e := range p.Edges {
		at := e.From
		if e.Value > 0 {
			at = len(p.Work) + e.Value - 1
		}
		farthest[at] = max(farthest[at], stages[e.To])
	}
	return farthest
}

// Carried returns how many pairs of a value and a stage that it is carried
// through an assignment has, whatever the values cost, with the errors of Sizes.
func (p *Problem) Carried(stages []int) (int, error) {
	if _, _, err := p.Sizes(stages); err != nil {
		return 0, err
	}
	count := 0
	for i, far := range p.farthest(stages) {
		from := 0
		if i < len(stages) {
			from = stages[i]
		} else {
			from = stages[p.Values[i-len(stages)].Op]
		}
		count += max(0, far-from-1)
	}
	return count, nil
}

// Value returns what an assignment costs: the value of Sizes, with its errors.
func (p *Problem) Value(stages []int) (int64, error) {
	_, value, err := p.Sizes(stages)
	return value, err
}
