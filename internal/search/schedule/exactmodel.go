package schedule

import (
	"fmt"

	"plancheck/solver"
)

// item is what a core does: a share of an op, or a lane of a forward.
type item struct {
	op, share          int // op is Free for a forward
	value, stage, lane int // of a forward
	cycles             []int64
}

// model is the whole problem as clauses, but for loads and memory, which the
// search adds where they are broken.
type model struct {
	*formula
	p     *Problem
	cl    *classes
	units *units

	naming      naming
	groups      map[Constraint]solver.Group // where they are named
	constraints []Constraint                // in the order in which they were made

	stage []integer // of each op
	start []integer // of each stage and, last, the number of cores
	class []integer // of each logical core

	items []item
	on    [][]solver.Lit       // of each item and core; 0 where it cannot be
	at    [][]int              // of each op, the items of its shares
	fwd   [][][]int            // of each value and stage, the items of a forward's lanes; nil where none can be
	carry [][]solver.Lit       // of each value and stage, "is carried"; 0 where it cannot be
	place [][]solver.Lit       // of each logical and machine core; nil unless the model is precise
	exact map[Claim]solver.Lit // of claims that were made literals when first asked for

	// lazy is the group of what is cut off, where that is not Always.
	lazy solver.Group
	// wish, where set, is what a repair keeps as much of as it can: of several
	// cores that an item has in a model, the one that is wished for counts.
	wish *Wish
	// coarse: items have no other cores than those that are wished for, and may
	// be on none of them, which means some other core of the stage. Forwards have
	// no items.
	coarse bool
}

func newModel(p *Problem, n naming) *model {
	m := blankModel(p, n)
	m.build()
	return m
}

// blankModel is a model that is still to be built.
func blankModel(p *Problem, n naming) *model {
	return &model{formula: newFormula(), p: p, cl: newClasses(p), units: newUnits(p), naming: n, groups: map[Constraint]solver.Group{}, exact: map[Claim]solver.Lit{}}
}

func (m *model) build() {
	m.stages()
	m.ranges()
	m.placeClasses()
	m.shares()
	m.values()
	if m.p.NonEmpty {
		m.nonEmpty()
	}
	if m.naming.precise {
		m.precise()
	}
}

func (m *model) stages() {
	for o := range m.p.Ops {
		op := &m.p.Ops[o]
		name := fmt.Sprintf("stage of op %d", o)
		if !m.naming.named && !m.naming.off[StagePinned] {
			m.stage = append(m.stage, m.integer(op.Lo, op.Hi, name))
			continue
		}
		n := m.integer(0, m.p.Stages-1, name)
		m.stage = append(m.stage, n)
		if op.Lo > 0 || op.Hi < m.p.Stages-1 {
			c := Constraint{Kind: StagePinned, Of: o}
			m.constrain(c, n.atLeast(op.Lo))
			m.constrain(c, n.atMost(op.Hi))
		}
	}
}

func (m *model) ranges() {
	k, c := m.p.Stages, m.p.Cores
	for s := range k + 1 {
		lo, hi := s, c-k+s
		switch s {
		case 0:
			hi = 0
		case k:
			lo = c
		}
		m.start = append(m.start, m.integer(lo, hi, fmt.Sprintf("first core of stage %d", s)))
	}
	for s := range k {
		a, b := m.start[s], m.start[s+1]
		for j := a.lo; j <= a.hi; j++ { // at least one core
			m.clause(solver.Always, m.not(a.atLeast(j)), b.atLeast(j+1))
		}
		r := m.p.Ranges[s]
		given := Constraint{Kind: RangeGiven, Of: s}
		if r.First != Free {
			m.constrain(given, a.atLeast(r.First))
			m.constrain(given, a.atMost(r.First))
		}
		if r.Count != Free {
			for j := a.lo; j <= a.hi; j++ {
				m.constrain(given, m.not(a.atLeast(j)), b.atLeast(j+r.Count))
				m.constrain(given, m.not(a.atMost(j)), b.atMost(j+r.Count))
			}
		}
	}
}

// placeClasses gives every logical core a class of machine cores, as many of
// each as there are.
func (m *model) placeClasses() {
	last := len(m.cl.cores) - 1
	for c, fixed := range m.cl.fixed {
		name := fmt.Sprintf("class of core %d", c)
		if fixed != Free && !m.naming.named && !m.naming.off[Placed] {
			m.class = append(m.class, m.integer(fixed, fixed, name))
			continue
		}
		n := m.integer(0, last, name)
		m.class = append(m.class, n)
		if fixed != Free {
			m.constrain(Constraint{Kind: Placed, Of: c}, n.atLeast(fixed))
			m.constrain(Constraint{Kind: Placed, Of: c}, n.atMost(fixed))
		}
	}
	if last == 0 {
		return
	}
	for j, most := range m.cl.size {
		var of []solver.Lit
		for c := range m.class {
			if l := m.is(c, j); l != 0 {
				of = append(of, l)
			}
		}
		if len(of) > most {
			m.clause(solver.Always, m.not(m.counter(of, most+1)[most]))
		}
	}
}

// is makes the literal of "logical core c is of class j".
func (m *model) is(c, j int) solver.Lit {
	if n := m.class[c]; j < n.lo || j > n.hi {
		return 0
	}
	l := m.Var(fmt.Sprintf("core %d of class %d", c, j))
	n := m.class[c]
	m.clause(solver.Always, m.not(n.atLeast(j)), m.not(n.atMost(j)), l)
	return l
}

// newItem makes the literals of an item that is on one of the cores.
func (m *model) newItem(it item, pin int, name string) int {
	id := len(m.items)
	m.items = append(m.items, it)
	row := make([]solver.Lit, m.p.Cores)
	whole := m.naming.named || m.naming.off[CorePinned]
	for c := range row {
		if (pin == Free || pin == c || whole) && (!m.coarse || c == m.wish.core(it.op, it.share)) {
			row[c] = m.Var(fmt.Sprintf("%s on core %d", name, c))
		}
	}
	if pin != Free && whole {
		pinned := Constraint{Kind: CorePinned, Of: it.op, Share: it.share}
		if pin >= 0 && pin < len(row) {
			m.constrain(pinned, row[pin])
			for c, l := range row {
				if c != pin {
					m.constrain(pinned, m.not(l))
				}
			}
		} else {
			m.constrain(pinned)
		}
	}
	m.on = append(m.on, row)
	return id
}

// shares puts every share of an op on a core of the op's stage.
func (m *model) shares() {
	for o := range m.p.Ops {
		op := &m.p.Ops[o]
		var ids []int
		for i := range op.Shares() {
			pin := Free
			if op.Pins != nil {
				pin = op.Pins[i]
			}
			id := m.newItem(item{op: o, share: i, cycles: op.Cycles}, pin, fmt.Sprintf("share %d of op %d", i, o))
			ids = append(ids, id)
			if !m.coarse {
				m.clause(solver.Always, m.on[id]...)
			}
			for c, l := range m.on[id] {
				for s := m.stage[o].lo; s <= m.stage[o].hi; s++ {
					// In stage s or later: the stage begins at c or before. In s
					// or earlier: the next one begins after c.
					in := Constraint{Kind: InRange, Of: o}
					m.constrain(in, m.not(l), m.not(m.stage[o].atLeast(s)), m.start[s].atMost(c))
					m.constrain(in, m.not(l), m.not(m.stage[o].atMost(s)), m.start[s+1].atLeast(c+1))
				}
			}
		}
		m.at = append(m.at, ids)
	}
}

// from is the literal of "the value is made in stage s or before".
func (m *model) from(v, s int) solver.Lit {
	if from := m.p.Values[v].From; from != Outside {
		return m.stage[from].atMost(s)
	}
	return m.yes
}

// values lets readers be where their values are, and carries values where that
// is allowed.
func (m *model) values() {
	k := m.p.Stages
	m.fwd, m.carry = make([][][]int, len(m.p.Values)), make([][]solver.Lit, len(m.p.Values))
	for v := range m.p.Values {
		m.fwd[v], m.carry[v] = make([][]int, k), make([]solver.Lit, k)
	}
	for i, r := range m.p.Reads {
		for s := Outside; s < k; s++ {
			m.constrain(Constraint{Kind: Follow, Of: i}, m.not(m.stage[r.To].atMost(s)), m.from(r.Value, s))
		}
		if m.p.Values[r.Value].Forward == 0 {
			for s := Outside; s < k; s++ {
				m.constrain(Constraint{Kind: Near, Of: i}, m.not(m.from(r.Value, s)), m.stage[r.To].atMost(s+1))
			}
			continue
		}
		for s := range k {
			before, after := m.from(r.Value, s-1), m.stage[r.To].atLeast(s+1)
			if before == 0 || after == 0 || after == m.yes.Not() {
				continue
			}
			m.forward(r.Value, s)
			m.clause(solver.Always, m.not(before), m.not(after), m.carry[r.Value][s])
		}
	}
}

// forward makes the items of a forward of v in stage s.
func (m *model) forward(v, s int) {
	if m.carry[v][s] != 0 {
		return
	}
	m.carry[v][s] = m.Var(fmt.Sprintf("value %d carried through stage %d", v, s))
	if m.coarse {
		return
	}
	for lane := range m.p.Values[v].Forward {
		id := m.newItem(item{op: Free, value: v, stage: s, lane: lane, cycles: m.p.Values[v].Cycles}, Free,
			fmt.Sprintf("lane %d of the forward of value %d in stage %d", lane, v, s))
		m.fwd[v][s] = append(m.fwd[v][s], id)
		some := []solver.Lit{m.not(m.carry[v][s])}
		for c, l := range m.on[id] {
			in := Constraint{Kind: InRange, Of: v, Value: true}
			m.constrain(in, m.not(l), m.start[s].atMost(c))
			m.constrain(in, m.not(l), m.start[s+1].atLeast(c+1))
			some = append(some, l)
		}
		m.clause(solver.Always, some...)
	}
}

// nonEmpty puts an op into every stage.
func (m *model) nonEmpty() {
	for s := range m.p.Stages {
		var some []solver.Lit
		for o, n := range m.stage {
			if n.lo <= s && s <= n.hi && !m.p.Ops[o].Carries {
				l := m.Var(fmt.Sprintf("op %d in stage %d", o, s))
				m.clause(solver.Always, m.not(l), n.atLeast(s))
				m.clause(solver.Always, m.not(l), n.atMost(s))
				some = append(some, l)
			}
		}
		m.constrain(Constraint{Kind: Filled, Of: s}, some...)
	}
}

// modelSize is how many literals the items of a model of p, and the ends of its
// ranges, would have, at most.
func modelSize(p *Problem) int {
	n := 0
	for i := range p.Ops {
		n += p.Ops[i].Shares()
	}
	for _, v := range p.Values {
		n += v.Forward * p.Stages
	}
	return (n + p.Stages) * p.Cores
}
