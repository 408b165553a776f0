package partition

import (
	"fmt"

	"plancheck/solver"
)

// encoding is the partition problem without its loads as clauses over order
// literals: at most(v, s) says that op v's stage is s or less.
type encoding struct {
	w      *net
	s      *solver.Solver
	lo, hi []int8       // the domains that the variables cover
	first  []solver.Lit // at most(v, lo) is this, at most(v, lo+1) the next; 0 when lo == hi

	sizes *sizing // nil where every stage has one size
}

// literal is a claim on one op: that its stage is at most stage or, with
// atLeast, at least that.
type literal struct {
	op      int
	stage   int
	atLeast bool
}

// newEncoding makes the variables and the clauses of domains, edges and, where
// stages must not be empty, of that.
func newEncoding(w *net) (*encoding, error) {
	e := &encoding{w: w, s: solver.New(), lo: w.lo, hi: w.hi, first: make([]solver.Lit, w.n)}
	for v := range w.n {
		for s := w.lo[v]; s < w.hi[v]; s++ {
			l := e.s.Var(fmt.Sprintf("op %d in stage %d or before", w.op[v], s))
			if s == w.lo[v] {
				e.first[v] = l
			}
		}
	}
	for v := range w.n {
		for s := int(w.lo[v]); s < int(w.hi[v]); s++ {
			if err := e.add(solver.Always, literal{v, s + 1, true}, literal{v, s + 1, false}); err != nil {
				return nil, err
			}
		}
		for _, a := range w.out[v] {
			if err := e.edge(solver.Always, v, a); err != nil {
				return nil, err
			}
		}
	}
	if w.p.NonEmpty {
		if err := e.fill(); err != nil {
			return nil, err
		}
	}
	if err := e.obey(); err != nil {
		return nil, err
	}
	if !w.cores.fixed {
		return e, e.size()
	}
	return e, nil
}

// edge adds the clauses of an edge from v.
func (e *encoding) edge(g solver.Group, v int, a arc) error {
	for s := Outside; s < e.w.k; s++ {
		if err := e.add(g, literal{v, s, false}, literal{a.to, s + 1, true}); err != nil {
			return err
		}
		if a.tight {
			if err := e.add(g, literal{v, s + 1, true}, literal{a.to, s + 1, false}); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill requires an op in every stage.
func (e *encoding) fill() error {
	for s := range e.w.k {
		var some []solver.Lit
		for v := range e.w.n {
			if int(e.lo[v]) > s || int(e.hi[v]) < s {
				continue
			}
			here := e.s.Var(fmt.Sprintf("op %d in stage %d", e.w.op[v], s))
			some = append(some, here)
			for _, l := range []literal{{v, s, false}, {v, s, true}} {
				lit, constant := e.lit(l)
				if constant == 0 {
					if err := e.s.Add(solver.Always, here.Not(), lit); err != nil {
						return err
					}
				}
			}
		}
		if err := e.s.Add(solver.Always, some...); err != nil {
			return err
		}
	}
	return nil
}

// lit translates a claim. When the domains settle it, constant is 1 for true or
// -1 for false, and lit is 0.
func (e *encoding) lit(l literal) (lit solver.Lit, constant int) {
	stage := l.stage
	if l.atLeast {
		stage--
	}
	sign := 1
	if l.atLeast {
		sign = -1
	}
	switch {
	case stage < int(e.lo[l.op]):
		return 0, -sign
	case stage >= int(e.hi[l.op]):
		return 0, sign
	}
	return solver.Lit(sign) * (e.first[l.op] + solver.Lit(stage-int(e.lo[l.op]))), 0
}

// add adds the clause that one of the claims holds.
func (e *encoding) add(g solver.Group, claims ...literal) error {
	return e.either(g, never, claims...)
}

// either adds the clause that x or one of the claims holds.
func (e *encoding) either(g solver.Group, x settled, claims ...literal) error {
	clause := make([]solver.Lit, 0, len(claims)+1)
	switch {
	case x.constant > 0:
		return nil
	case x.constant == 0:
		clause = append(clause, x.lit)
	}
	for _, c := range claims {
		lit, constant := e.lit(c)
		if constant > 0 {
			return nil
		}
		if constant == 0 {
			clause = append(clause, lit)
		}
	}
	return e.s.Add(g, clause...)
}

// decode reads the stages of a model.
func (e *encoding) decode(m solver.Model, stages []int8) {
	for v := range stages {
		s := e.lo[v]
		for s < e.hi[v] && !m.True(e.first[v]+solver.Lit(s-e.lo[v])) {
			s++
		}
		stages[v] = s
	}
}
