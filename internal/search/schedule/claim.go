package schedule

import (
	"fmt"
	"strings"

	"plancheck/solver"
)

// Claim says something about a solution.
type Claim struct {
	What What
	// A, B, C and D are the numbers that What lists, in its order.
	A, B, C, D int
	Not        bool // the opposite
}

// What a claim says.
type What int

const (
	// StageAtMost: op A is in stage B or before.
	StageAtMost What = iota
	// OnCore: share B of op A is on logical core C.
	OnCore
	// BeginsAtMost: the range of stage A begins at logical core B or before.
	BeginsAtMost
	// PlacedOn: logical core A is on machine core B.
	PlacedOn
	// IsCarried: value A is carried through stage B.
	IsCarried
	// ForwardOnCore: lane C of the forward of value A in stage B is on logical
	// core D.
	ForwardOnCore
)

// Clause says that one of its claims is true.
type Clause []Claim

// Opposite is the opposite of a claim.
func (c Claim) Opposite() Claim {
	c.Not = !c.Not
	return c
}

func (c Claim) String() string {
	text := ""
	switch c.What {
	case StageAtMost:
		text = fmt.Sprintf("op %d in stage %d or before", c.A, c.B)
	case OnCore:
		text = fmt.Sprintf("share %d of op %d on core %d", c.B, c.A, c.C)
	case BeginsAtMost:
		text = fmt.Sprintf("stage %d begins at core %d or before", c.A, c.B)
	case PlacedOn:
		text = fmt.Sprintf("core %d on machine core %d", c.A, c.B)
	case IsCarried:
		text = fmt.Sprintf("value %d carried through stage %d", c.A, c.B)
	case ForwardOnCore:
		text = fmt.Sprintf("lane %d of the forward of value %d in stage %d on core %d", c.C, c.A, c.B, c.D)
	}
	if c.Not {
		return "not " + text
	}
	return text
}

func (c Clause) String() string {
	var claims []string
	for _, claim := range c {
		claims = append(claims, claim.String())
	}
	return strings.Join(claims, ", or ")
}

// Holds says whether a claim is true of a solution.
func (c Claim) Holds(s *Solution) bool {
	return c.holds(s) != c.Not
}

func (c Claim) holds(s *Solution) bool {
	switch c.What {
	case StageAtMost:
		return s.Stage[c.A] <= c.B
	case OnCore:
		return s.Core[c.A][c.B] == c.C
	case BeginsAtMost:
		return s.First[c.A] <= c.B
	case PlacedOn:
		return s.Place[c.A] == c.B
	}
	for _, f := range s.Forwards {
		if f.Value == c.A && f.Stage == c.B {
			return c.What == IsCarried || f.Core[c.C] == c.D
		}
	}
	return false
}

// Holds says whether a clause is true of a solution.
func (c Clause) Holds(s *Solution) bool {
	for _, claim := range c {
		if claim.Holds(s) {
			return true
		}
	}
	return false
}

// literal is the literal of a claim in the model.
func (m *model) literal(c Claim) solver.Lit {
	var l solver.Lit
	switch c.What {
	case StageAtMost:
		l = m.stage[c.A].atMost(c.B)
	case OnCore:
		l = m.on[m.at[c.A][c.B]][c.C]
	case BeginsAtMost:
		l = m.start[c.A].atMost(c.B)
	case PlacedOn:
		l = m.place[c.A][c.B]
	case IsCarried:
		l = m.carry[c.A][c.B]
	case ForwardOnCore:
		if items := m.fwd[c.A][c.B]; items != nil {
			l = m.on[items[c.C]][c.D]
		}
	}
	if c.Not {
		return m.not(l)
	}
	return l
}

// say adds a clause of claims.
func (m *model) say(g solver.Group, c Clause) {
	lits := make([]solver.Lit, len(c))
	for i, claim := range c {
		lits[i] = m.literal(claim)
	}
	m.clause(g, lits...)
}

// Except is the clause that a solution breaks, and every other one keeps: the
// opposite of all that it decides.
func (p *Problem) Except(s *Solution) Clause {
	var c Clause
	for o, stage := range s.Stage {
		c = append(c, Claim{What: StageAtMost, A: o, B: stage, Not: true}, Claim{What: StageAtMost, A: o, B: stage - 1})
		for i, core := range s.Core[o] {
			c = append(c, Claim{What: OnCore, A: o, B: i, C: core, Not: true})
		}
	}
	for k, first := range s.First {
		c = append(c, Claim{What: BeginsAtMost, A: k, B: first, Not: true}, Claim{What: BeginsAtMost, A: k, B: first - 1})
	}
	for core, machine := range s.Place {
		c = append(c, Claim{What: PlacedOn, A: core, B: machine, Not: true})
	}
	for _, f := range s.Forwards {
		for lane, core := range f.Core {
			c = append(c, Claim{What: ForwardOnCore, A: f.Value, B: f.Stage, C: lane, D: core, Not: true})
		}
	}
	return c
}
