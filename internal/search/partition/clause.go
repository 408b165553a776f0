package partition

import (
	"fmt"

	"plancheck/solver"
)

// Clause says that one of its claims is true.
type Clause []Claim

// Claim says that an op is in a stage from Lo to Hi, both included; with Not,
// that it is in another one.
type Claim struct {
	Op, Lo, Hi int
	Not        bool
}

// Holds says whether one of the claims is true of stages.
func (c Clause) Holds(stages []int) bool {
	for _, x := range c {
		if s := stages[x.Op]; (x.Lo <= s && s <= x.Hi) != x.Not {
			return true
		}
	}
	return false
}

func (p *Problem) checkClauses() error {
	for i, c := range p.Clauses {
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
