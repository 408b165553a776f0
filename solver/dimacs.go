package solver

import (
	"bufio"
	"fmt"
	"io"
)

// WriteDIMACS writes the formula that a Solve with these groups and assumptions
// asks about, for any other solver: all clauses, groups and assumptions as unit
// clauses, and the names of the variables as comments "c var NUMBER NAME". An
// error is one of w's, or an unknown group or variable.
func (s *Solver) WriteDIMACS(w io.Writer, groups []Group, assumptions ...Lit) error {
	if err := s.check(assumptions); err != nil {
		return fmt.Errorf("write DIMACS: %w", err)
	}
	var units []Lit
	for _, g := range groups {
		if g < 0 || int(g) >= len(s.selectors) {
			return fmt.Errorf("write DIMACS: group %d: %w", g, ErrUnknownGroup)
		}
		if g != Always {
			units = append(units, s.selectors[g])
		}
	}
	units = append(units, assumptions...)

	out := bufio.NewWriter(w)
	for v, name := range s.names {
		if name != "" {
			fmt.Fprintf(out, "c var %d %s\n", v+1, name)
		}
	}
	fmt.Fprintf(out, "p cnf %d %d\n", s.vars, len(s.ends)+len(units))
	for i := range s.ends {
		writeClause(out, s.clause(i)...)
	}
	for _, l := range units {
		writeClause(out, l)
	}
	return out.Flush()
}

func writeClause(out *bufio.Writer, lits ...Lit) {
	for _, l := range lits {
		fmt.Fprintf(out, "%d ", l)
	}
	out.WriteString("0\n")
}
