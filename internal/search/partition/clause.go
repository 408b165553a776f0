package partition

import (
	"fmt"

	"plancheck/solver"
)

// Clause says that one of its claims is true. Where the first one has Count for
// its op, it says that of the others at least Lo and at most Hi are true, or
// none.
type Clause []Claim

// Count stands in the place of an op at the head of a clause that counts.
const Count = -1

func (c Clause) counts() bool { return len(c) > 0 && c[0].Op == Count }

// Claim says that an op is in a stage from Lo to Hi, both included; with Not,
// that it is in another one.
type Claim struct {
	Op, Lo, Hi int
	Not        bool
}

// Holds says whether one of the claims is true of stages.
func (c Clause) Holds(stages []int) bool {
	if c.counts() {
		n := 0
		for _, x := range c[1:] {
			if x.holds(stages) {
				n++
			}
		}
		return n == 0 || c[0].Lo <= n && n <= c[0].Hi
	}
	for _, x := range c {
		if x.holds(stages) {
			return true
		}
	}
	return false
}

func (x *Claim) holds(stages []int) bool {
	s := stages[x.Op]
	return (x.Lo <= s && s <= x.Hi) != x.Not
}

func (p *Problem) checkClauses() error {
	for i, c := range p.Clauses {
		if c.counts() {
			c = c[1:]
		}
		for _, x := range c {
			if x.Op < 0 || x.Op >= len(p.Work) {
				return fmt.Errorf("clause %d is about op %d of %d: %w", i, x.Op, len(p.Work), ErrProblem)
			}
		}
	}
	return nil
}

// brokenClause says which of the problem's clauses stages break; -1 for none.
func (p *Problem) brokenClause(stages []int) int {
	for i, c := range p.Clauses {
		if !c.Holds(stages) {
			return i
		}
	}
	return -1
}

// obey adds the problem's clauses.
func (e *encoding) obey() error {
	for _, c := range e.w.p.Clauses {
		if c.counts() {
			if err := e.count(c); err != nil {
				return err
			}
			continue
		}
		var claims []literal
		var within []solver.Lit
		for _, x := range c {
			v := e.w.of[x.Op]
			if x.Not { // before or after
				claims = append(claims, literal{v, x.Lo - 1, false}, literal{v, x.Hi + 1, true})
				continue
			}
			here := e.s.Var("")
			within = append(within, here)
			for _, l := range []literal{{v, x.Lo, true}, {v, x.Hi, false}} {
				lit, constant := e.lit(l)
				clause := []solver.Lit{here.Not()}
				if constant > 0 {
					continue
				}
				if constant == 0 {
					clause = append(clause, lit)
				}
				if err := e.s.Add(solver.Always, clause...); err != nil {
					return err
				}
			}
		}
		var all []solver.Lit
		always := false
		for _, l := range claims {
			lit, constant := e.lit(l)
			always = always || constant > 0
			if constant == 0 {
				all = append(all, lit)
			}
		}
		if always {
			continue
		}
		if err := e.s.Add(solver.Always, append(all, within...)...); err != nil {
			return err
		}
	}
	return nil
}

// count adds a clause that counts.
func (e *encoding) count(c Clause) error {
	var lits []solver.Lit
	for _, x := range c[1:] {
		v := e.w.of[x.Op]
		here := e.s.Var("")
		back := []solver.Lit{here}
		outside := false
		for _, l := range []literal{{v, x.Lo, true}, {v, x.Hi, false}} {
			lit, constant := e.lit(l)
			switch {
			case constant < 0:
				outside = true
				if err := e.s.Add(solver.Always, here.Not()); err != nil {
					return err
				}
			case constant == 0:
				back = append(back, lit.Not())
				if err := e.s.Add(solver.Always, here.Not(), lit); err != nil {
					return err
				}
			}
		}
		if !outside {
			if err := e.s.Add(solver.Always, back...); err != nil {
				return err
			}
		}
		if x.Not {
			here = here.Not()
		}
		lits = append(lits, here)
	}
	return e.s.NoneOrBetween(solver.Always, lits, c[0].Lo, c[0].Hi)
}
