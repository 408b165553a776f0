package datalog

import (
	"context"

	"plancheck/internal/symbol"
)

// Amount bounds how many of some literals hold: Least or more unless none does,
// and Most or fewer.
type Amount struct {
	Lits        []Lit
	Least, Most int
}

// Amounts returns what holds under all decisions by which a relation has no
// rows, where rules compare a count with a number and nothing else:
//
//	bad(G) :- n(G, N), 2 < N.
//	n(G, N) :- ... |> do fn:group_by(G), let N = fn:count().
//
// There is one for each group that may be, if each of its rows is decided by one
// literal.
func (m *May) Amounts(ctx context.Context, relation string) ([]Amount, error) {
	defer context.AfterFunc(ctx, func() { m.db.halt.Store(true) })()
	var list []Amount
	p := m.program.byName[relation]
	if p == nil {
		return nil, nil
	}
	for _, r := range p.rules {
		counted, least, most, ok := m.counts(r)
		if !ok {
			continue
		}
		more, err := m.groups(counted, least, most)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// beyond stands for no bound.
const beyond = int64(1) << 40

// counts says whether a rule only compares a count with a number, and which
// counts it allows.
func (m *May) counts(r *rule) (counted *premise, least, most int64, ok bool) {
	var compared *premise
	for _, p := range r.body {
		switch {
		case p.kind == positive && counted == nil:
			counted = p
		case p.kind == comparison && compared == nil:
			compared = p
		default:
			return nil, 0, 0, false
		}
	}
	if counted == nil || compared == nil || r.agg != nil {
		return nil, 0, 0, false
	}
	at, isValue := valueColumn(counted.pred)
	if !isValue || counted.args[at].kind != variable || counted.pred.rules[0].agg.reducers[0].fn != "fn:count" {
		return nil, 0, 0, false
	}
	v := counted.args[at].v
	for c, a := range counted.args {
		if c != at && a.kind == variable && a.v == v {
			return nil, 0, 0, false
		}
	}
	for _, side := range compared.args {
		side.each(func(w int) { isValue = isValue && w == v })
	}
	if !isValue {
		return nil, 0, 0, false
	}
	machine := m.db.machine(r, nil)
	least, most = 0, beyond
	if compared.op == "!=" {
		// As if it asked for both sides: more, and fewer.
		machine.regs[v] = m.db.syms.Int(-beyond)
	}
	b, fits := machine.order(compared, v, nil)
	switch {
	case !fits || b.limit < -beyond || b.limit > beyond:
		return nil, 0, 0, false
	case compared.op == "!=":
		least, most = b.limit+1, b.limit+1
	case b.up:
		most = b.limit - 1
	default:
		least = b.limit + 1
	}
	return counted, least, most, true
}

// groups bounds the groups of an aggregation that a premise reads.
func (m *May) groups(p *premise, least, most int64) ([]Amount, error) {
	r := p.pred.rules[0]
	simple := m.rules[r]
	if simple == nil {
		return nil, nil
	}
	type group struct {
		rows  *relation
		when  [][]Term // of each row
		vague bool
	}
	keys := newRelation(&predicate{arity: len(r.agg.group)})
	var groups []*group
	named := bodyVars(r)
	x := m.matcher(simple, "", func([]bool) {})
	x.m.emit = func() error {
		if m.db.halt.Load() {
			return errHalted
		}
		in := x.instance()
		if !m.reads(p, r, in.regs) {
			return nil
		}
		key := valuesOf(r.agg.group, in.regs)
		if keys.insert(key) {
			groups = append(groups, &group{rows: newRelation(&predicate{arity: len(named)})})
		}
		to := groups[keys.find(key)]
		row := valuesOf(named, in.regs)
		if to.rows.insert(row) {
			to.when = append(to.when, nil)
		}
		f := m.conjunction(r, in)
		to.vague = to.vague || !f.known
		at := to.rows.find(row)
		to.when[at] = distinctTerms(append(to.when[at], f.terms...))
		return nil
	}
	if _, err := x.m.run(0); err != nil {
		return nil, err
	}
	var list []Amount
	for _, g := range groups {
		a := Amount{Least: int(least), Most: int(min(most, int64(len(g.when))))}
		for _, when := range g.when {
			switch {
			case len(when) == 0:
			case len(when) == 1 && len(when[0]) == 1:
				a.Lits = append(a.Lits, when[0][0])
			default:
				g.vague = true
			}
		}
		if !g.vague && len(a.Lits) > 0 {
			list = append(list, a)
		}
	}
	return list, nil
}

// reads says whether a premise with constants reads the group of an assignment.
func (m *May) reads(p *premise, r *rule, regs []symbol.Value) bool {
	for c, a := range p.args {
		h := r.head[c]
		if a.kind != constant || h.kind == variable && h.v == r.agg.reducers[0].v {
			continue
		}
		if m.db.consts[a.c] != regs[regOf(r, h)] {
			return false
		}
	}
	return true
}

func valuesOf(vars []int, regs []symbol.Value) []symbol.Value {
	values := make([]symbol.Value, len(vars))
	for i, v := range vars {
		values[i] = regs[v]
	}
	return values
}
