package solver

import (
	"errors"
	"fmt"

	"github.com/go-air/gini/z"
)

// Lit is a literal in the numbering of DIMACS: v for a variable and -v for its
// negation, v from 1. Zero is no literal.
type Lit int32

// Not returns the negation of l.
func (l Lit) Not() Lit { return -l }

// Var returns the variable of l, as its positive literal.
func (l Lit) Var() Lit {
	if l < 0 {
		return -l
	}
	return l
}

// ErrUnknownVar is returned, wrapped, for a literal whose variable this solver
// has not made, and for the literal zero.
var ErrUnknownVar = errors.New("unknown variable")

// ErrUnknownGroup is returned, wrapped, for a group that this solver has not
// made.
var ErrUnknownGroup = errors.New("unknown group")

// check says whether every literal's variable exists.
func (s *Solver) check(lits []Lit) error {
	for _, l := range lits {
		if l == 0 || l.Var() > Lit(s.vars) {
			return fmt.Errorf("literal %d of %d variables: %w", l, s.vars, ErrUnknownVar)
		}
	}
	return nil
}

// toGini and fromGini translate literals; gini numbers its variables from 1 as
// well and makes them in the order in which they are asked for.
func toGini(l Lit) z.Lit {
	if l < 0 {
		return z.Var(-l).Neg()
	}
	return z.Var(l).Pos()
}

func fromGini(m z.Lit) Lit {
	if m.IsPos() {
		return Lit(m.Var())
	}
	return -Lit(m.Var())
}
