package schedule

import (
	"fmt"

	"plancheck/solver"
)

// formula writes clauses and makes integers out of literals.
type formula struct {
	*solver.Solver
	yes solver.Lit // always true
	err error      // the first error of a clause
}

func newFormula() *formula {
	f := &formula{Solver: solver.New()}
	f.yes = f.Var("true")
	f.clause(solver.Always, f.yes)
	return f
}

// clause says that one of the literals is true. A literal of zero is false: it
// stands for what cannot be.
func (f *formula) clause(g solver.Group, lits ...solver.Lit) {
	kept := make([]solver.Lit, 0, len(lits))
	for _, l := range lits {
		switch l {
		case f.yes:
			if len(lits) > 1 {
				return
			}
			kept = append(kept, l)
		case 0, f.yes.Not():
		default:
			kept = append(kept, l)
		}
	}
	if err := f.Add(g, kept...); err != nil && f.err == nil {
		f.err = err
	}
}

// not is the opposite of a literal, zero included.
func (f *formula) not(l solver.Lit) solver.Lit {
	if l == 0 {
		return f.yes
	}
	return l.Not()
}

// integer is a number from lo to hi, as literals "at most".
type integer struct {
	lo, hi int
	first  solver.Lit // at most lo; at most lo+1 is the next
	f      *formula
}

// integer makes a number from lo to hi, which is not empty.
func (f *formula) integer(lo, hi int, name string) integer {
	n := integer{lo: lo, hi: hi, f: f}
	for v := lo; v < hi; v++ {
		l := f.Var(fmt.Sprintf("%s at most %d", name, v))
		if v == lo {
			n.first = l
		} else {
			f.clause(solver.Always, f.not(l-1), l)
		}
	}
	return n
}

// atMost is the literal of "the number is v or less".
func (n integer) atMost(v int) solver.Lit {
	switch {
	case v < n.lo:
		return 0
	case v >= n.hi:
		return n.f.yes
	}
	return n.first + solver.Lit(v-n.lo)
}

// atLeast is the literal of "the number is v or more".
func (n integer) atLeast(v int) solver.Lit { return n.f.not(n.atMost(v - 1)) }

// value is the number in a model.
func (n integer) value(m solver.Model) int {
	for v := n.lo; v < n.hi; v++ {
		if m.True(n.atMost(v)) {
			return v
		}
	}
	return n.hi
}

// counter makes literals "more than i of these are true", for i below most: it
// makes each of them true when it must be, and does not make it false.
func (f *formula) counter(lits []solver.Lit, most int) []solver.Lit {
	if len(lits) <= 1 {
		return lits
	}
	half := len(lits) / 2
	left, right := f.counter(lits[:half], most), f.counter(lits[half:], most)
	size := min(len(lits), most)
	first := f.Vars(size)
	out := make([]solver.Lit, size)
	for i := range out {
		out[i] = first + solver.Lit(i)
	}
	// left has more than i-1 and right more than j-1: together i+j or more.
	for i := range len(left) + 1 {
		for j := range len(right) + 1 {
			n := min(i+j, size)
			if n == 0 {
				continue
			}
			var clause []solver.Lit
			if i > 0 {
				clause = append(clause, f.not(left[i-1]))
			}
			if j > 0 {
				clause = append(clause, f.not(right[j-1]))
			}
			f.clause(solver.Always, append(clause, out[n-1])...)
		}
	}
	return out
}
