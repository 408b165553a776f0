package schedule

import (
	"fmt"

	"plancheck/solver"
)

// precise makes every literal mean what it says, for clauses that others add:
// an item is on one core only, a value is carried only where it has to be, and
// logical cores have literals of their machine cores.
func (m *model) precise() {
	for id := range m.items {
		m.atMostOne(m.on[id])
	}
	for v := range m.carry {
		for s, l := range m.carry[v] {
			if l != 0 {
				m.carriedOnlyIfRead(v, s, l)
			}
		}
	}
	m.machineCores()
}

func (m *model) carriedOnlyIfRead(v, s int, l solver.Lit) {
	m.clause(solver.Always, m.not(l), m.from(v, s-1))
	later := []solver.Lit{m.not(l)}
	for _, r := range m.p.Reads {
		if r.Value == v {
			later = append(later, m.stage[r.To].atLeast(s+1))
		}
	}
	m.clause(solver.Always, later...)
	for _, id := range m.fwd[v][s] {
		for _, on := range m.on[id] {
			m.clause(solver.Always, m.not(on), l)
		}
	}
}

// machineCores makes the literals of places: each logical core has one, and no
// two the same.
func (m *model) machineCores() {
	n := len(m.p.Machine)
	if n == 0 {
		return
	}
	for c := range m.p.Cores {
		row := make([]solver.Lit, n)
		for k := range row {
			row[k] = m.Var(fmt.Sprintf("core %d on machine core %d", c, k))
			class := m.cl.of[k]
			m.clause(solver.Always, m.not(row[k]), m.class[c].atLeast(class))
			m.clause(solver.Always, m.not(row[k]), m.class[c].atMost(class))
		}
		m.clause(solver.Always, row...)
		m.atMostOne(row)
		m.place = append(m.place, row)
		if k := m.p.Places[c]; k != Free {
			m.constrain(Constraint{Kind: Placed, Of: c}, row[k])
		}
	}
	for k := range n {
		var column []solver.Lit
		for c := range m.place {
			column = append(column, m.place[c][k])
		}
		m.atMostOne(column)
	}
}

// atMostOne says that no two of the literals are true.
func (m *model) atMostOne(lits []solver.Lit) {
	var some []solver.Lit
	for _, l := range lits {
		if l != 0 {
			some = append(some, l)
		}
	}
	const pairs = 6
	if len(some) <= pairs {
		for i, a := range some {
			for _, b := range some[:i] {
				m.clause(solver.Always, m.not(a), m.not(b))
			}
		}
		return
	}
	// One of the first few, or one of the others with a new literal for those.
	rest := m.Var("")
	m.atMostOne(append(some[:pairs-1:pairs-1], rest))
	m.atMostOne(append(some[pairs-1:len(some):len(some)], rest.Not()))
}
