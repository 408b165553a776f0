package schedule

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"plancheck/internal/search/packing"
	"plancheck/solver"
)

// Certificate confirms that no solution has an interval of Limit or less: the
// formula that WriteDIMACS writes is unsatisfiable, which any SAT solver
// confirms and a proof checker holds it to, and every clause of it that speaks
// of loads or memory is a Cover that can be added up by hand.
type Certificate struct {
	Limit  int64
	Covers []Cover
}

// Cover says that these cannot all be on one core of a kind and capacity,
// because together they take more than the certificate's limit or need more
// memory than there is.
type Cover struct {
	Core    Core
	Members []Member
	// Without: the sum holds where none of these is on the core, too. They hold
	// whole the slices of which members hold parts.
	Without []Member
	Memory  bool  // the sum is of bytes, not of cycles
	Sum     int64 // of the members
}

// Member is a share of an op or, where Op is Free, a lane of a forward.
type Member struct {
	Op, Share          int
	Value, Stage, Lane int
}

// Certify looks for a certificate that no solution has an interval of limit or
// less. When there is such a solution it returns that instead; when ctx ends
// first, neither. A problem whose formula is too large gives an error that wraps
// ErrProblem.
func Certify(ctx context.Context, p *Problem, limit int64) (*Certificate, *Solution, error) {
	if err := p.Check(); err != nil {
		return nil, nil, err
	}
	if modelSize(p) > exactSize {
		return nil, nil, fmt.Errorf("the formula would have more than %d literals: %w", exactSize, ErrProblem)
	}
	b := newBoard(p, Options{})
	e := newExact(b, naming{})
	e.keep = true
	for ctx.Err() == nil {
		answer, err := e.m.Solve(ctx, []solver.Group{e.open(limit)})
		if err = cmp.Or(e.m.err, err); err != nil {
			return nil, nil, err
		}
		switch answer.Status {
		case solver.Unsat:
			return e.certificate(limit), nil, nil
		case solver.Sat:
			if !e.cut(answer.Model, limit) {
				return nil, e.m.solution(answer.Model), nil
			}
		}
	}
	return nil, nil, nil
}

func (e *exact) certificate(limit int64) *Certificate {
	c := &Certificate{Limit: limit}
	for _, k := range e.covers {
		c.Covers = append(c.Covers, Cover{
			Core: e.m.cl.cores[k.class], Members: e.m.members(k.members), Without: e.m.members(k.without), Memory: k.memory, Sum: k.sum,
		})
	}
	return c
}

func (m *model) members(ids []int) []Member {
	var list []Member
	for _, id := range ids {
		it := &m.items[id]
		list = append(list, Member{it.op, it.share, it.value, it.stage, it.lane})
	}
	return list
}

// WriteDIMACS writes the certificate's formula, made anew from the problem and
// the covers. Comments say what each variable means.
func (c *Certificate) WriteDIMACS(w io.Writer, p *Problem) error {
	m := newModel(p, naming{})
	at := map[Member]int{}
	for id := range m.items {
		at[m.members([]int{id})[0]] = id
	}
	find := func(list []Member) (ids []int) {
		for _, member := range list {
			ids = append(ids, at[member])
		}
		return ids
	}
	for _, k := range c.Covers {
		class := slices.Index(m.cl.cores, k.Core)
		m.forbid(solver.Always, &cover{class: class, members: find(k.Members), without: find(k.Without)})
	}
	if m.err != nil {
		return m.err
	}
	return m.Solver.WriteDIMACS(w, nil)
}

// Check re-adds every cover from the problem alone. It does not look at the
// formula. Errors say which cover is wrong.
func (c *Certificate) Check(p *Problem) error {
	for i, k := range c.Covers {
		if err := k.check(p, c.Limit); err != nil {
			return fmt.Errorf("cover %d: %w", i, err)
		}
	}
	return nil
}

func (k *Cover) check(p *Problem, limit int64) error {
	cycles := int64(0)
	type part struct{ weight, lane, part, parts int }
	there := map[part]bool{}
	seen := map[Member]bool{}
	for _, m := range k.Members {
		if seen[m] {
			return fmt.Errorf("member %v is there twice", m)
		}
		seen[m] = true
		if m.Op == Free {
			cycles += p.Values[m.Value].Cycles[k.Core.Kind]
			continue
		}
		o := &p.Ops[m.Op]
		cycles += o.Cycles[k.Core.Kind]
		for _, w := range o.Weights {
			there[part{w, m.Share / o.Parts, m.Share % o.Parts, o.Parts}] = true
		}
	}
	if !k.Memory {
		if cycles != k.Sum || cycles <= limit {
			return fmt.Errorf("sum %d, added up %d, against %d cycles", k.Sum, cycles, limit)
		}
		return nil
	}
	whole := func(s part) bool { return there[part{s.weight, s.lane, 0, 1}] }
	// Of each slice: what its parts need, and the whole, which is all that they
	// need where it may be there.
	need := map[[2]int]int64{}
	for s := range there {
		if s.parts == 1 || !whole(s) {
			need[[2]int{s.weight, s.lane}] += packing.PartBytes(p.Slices[s.weight], s.part, s.parts)
		}
	}
	bytes := int64(0)
	for s, n := range need {
		if len(k.Without) == 0 {
			n = min(n, p.Slices[s[0]])
		} else if !k.excludes(p, s, there[part{s[0], s[1], 0, 1}]) {
			return fmt.Errorf("a share with the whole slice of lane %d of weight %d may be there", s[1], s[0])
		}
		bytes += n
	}
	if bytes != k.Sum || bytes <= k.Core.Capacity || k.Core.Capacity == Unknown {
		return fmt.Errorf("sum %d, added up %d, against %d bytes", k.Sum, bytes, k.Core.Capacity)
	}
	return nil
}

// excludes says whether no share that is not among the members can bring the
// whole of a slice of a weight and lane to the core.
func (k *Cover) excludes(p *Problem, slice [2]int, whole bool) bool {
	if whole {
		return true
	}
	for o := range p.Ops {
		op := &p.Ops[o]
		if op.Parts == 1 && slices.Contains(op.Weights, slice[0]) && slice[1] < op.Lanes &&
			!slices.Contains(k.Without, Member{Op: o, Share: slice[1]}) {
			return false
		}
	}
	return true
}
