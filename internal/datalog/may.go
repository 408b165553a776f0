package datalog

import (
	"context"
	"slices"

	"plancheck/internal/symbol"
)

// Lit is something that is decided, by a number of the caller's; -l is the
// opposite of l, and 0 is none.
type Lit int32

// Term holds when all of its literals do.
type Term []Lit

// Decided is a relation of facts that decisions make.
type Decided struct {
	// Table has all rows that may hold, each once.
	Table *Table
	// When says of each row when it holds: when one of its terms does.
	When [][]Term
}

// May knows what could be derived under any decisions. It over-approximates: a
// negated premise that decisions can change counts as true.
type May struct {
	program *Program
	never   func(a, b Lit) bool
	decided map[*predicate]*Decided
	open    map[*predicate]bool // depends on decisions
	// vague: not all rows that could be are known. Facts about whose conditions
	// nothing is known are, and what is derived from the value of an aggregate.
	vague map[*predicate]bool

	clone  map[*predicate]*predicate
	origin map[*predicate]*predicate
	// rules are those of the program without what counts as true, and without
	// aggregation; nil where premises are vague.
	rules    map[*rule]*rule
	db       *Database
	matchers map[matching]*matcher
	known    map[provenRow]*formula // see Forbid
}

// May derives from all facts that could be: the tables that never change, and
// the decided ones. Nothing is known of the relations named in opaque. The
// goals are the relations that will be asked about. Two literals of which never
// says so are never true together.
func (p *Program) May(ctx context.Context, syms *symbol.Table, fixed []*Table, decided []*Decided, opaque, goals []string, never func(a, b Lit) bool, limits Limits) (*May, error) {
	m := &May{
		program: p, never: never, decided: map[*predicate]*Decided{}, open: map[*predicate]bool{}, vague: map[*predicate]bool{},
		clone: map[*predicate]*predicate{}, origin: map[*predicate]*predicate{}, rules: map[*rule]*rule{},
		matchers: map[matching]*matcher{}, known: map[provenRow]*formula{},
	}
	tables := slices.Clone(fixed)
	for _, d := range decided {
		tables = append(tables, d.Table)
		if pred := p.byName[d.Table.Name]; pred != nil {
			m.decided[pred], m.open[pred] = d, true
		}
	}
	for _, name := range opaque {
		if pred := p.byName[name]; pred != nil {
			m.open[pred], m.vague[pred] = true, true
		}
	}
	m.spread()
	// Also what only aggregations read, which are left out.
	var all []string
	for pred := range p.needed(goals) {
		all = append(all, pred.name)
	}
	db, err := m.approximation().Eval(ctx, syms, tables, all, limits)
	if err != nil {
		return nil, err
	}
	m.db = db
	return m, nil
}

// spread finds what depends on decisions, and what is vague.
func (m *May) spread() {
	for changed := true; changed; {
		changed = false
		set := func(marks map[*predicate]bool, p *predicate) {
			if !marks[p] {
				marks[p], changed = true, true
			}
		}
		for _, r := range m.program.rules {
			if m.openBody(r) {
				set(m.open, r.pred)
				if r.agg != nil {
					set(m.vague, r.pred)
				}
			}
			if m.vagueBody(r) {
				set(m.vague, r.pred)
			}
		}
	}
}

func (m *May) openBody(r *rule) bool {
	return slices.ContainsFunc(r.body, func(p *premise) bool { return m.open[p.pred] })
}

// vagueBody says whether not all ways in which the body may hold are known.
func (m *May) vagueBody(r *rule) bool {
	return slices.ContainsFunc(r.body, func(p *premise) bool { return p.kind == positive && m.vague[p.pred] })
}

// approximation is the program that derives all that could be.
func (m *May) approximation() *Program {
	p := m.program
	q := &Program{units: p.units, byName: map[string]*predicate{}, consts: p.consts, chunk: p.chunk, maxPending: p.maxPending}
	for _, pred := range p.preds {
		c := *pred
		c.rules, c.facts = nil, nil
		m.clone[pred], m.origin[&c] = &c, pred
		q.preds = append(q.preds, &c)
		q.byName[c.name] = &c
	}
	for _, pred := range p.preds {
		c := m.clone[pred]
		for _, f := range pred.facts {
			fact := *f
			fact.pred = c
			c.facts = append(c.facts, &fact)
		}
		for _, r := range pred.rules {
			if m.vagueBody(r) {
				continue
			}
			rule := m.simplified(r)
			if r.agg != nil && !m.openBody(r) {
				kept := *rule
				kept.agg = r.agg
				c.rules, q.rules = append(c.rules, &kept), append(q.rules, &kept)
				continue
			}
			m.rules[r] = rule
			if r.agg == nil {
				c.rules, q.rules = append(c.rules, rule), append(q.rules, rule)
			}
		}
	}
	for _, comp := range p.strata {
		var same []*predicate
		for _, pred := range comp {
			same = append(same, m.clone[pred])
		}
		q.strata = append(q.strata, same)
	}
	return q
}

// simplified is a rule without the negated premises that decisions can change,
// and without aggregation. It has the variables of the rule.
func (m *May) simplified(r *rule) *rule {
	c := *r
	c.pred, c.agg, c.body = m.clone[r.pred], nil, nil
	for _, p := range r.body {
		if p.kind == negative && m.open[p.pred] {
			continue
		}
		premise := *p
		if p.pred != nil {
			premise.pred = m.clone[p.pred]
		}
		c.body = append(c.body, &premise)
	}
	return &c
}

// matching is a rule and which of its variables have values before its body is
// matched.
type matching struct {
	rule *rule
	by   string // "head" or "group"
}

// matcher finds the ways in which a body over all that may be holds.
type matcher struct {
	bound []bool
	m     *machine
}

// instance is a way in which a body may hold.
type instance struct {
	regs []symbol.Value
	rows map[*premise]int // of positive premises of the simplified rule
}

// byHead returns the instances of a rule of the program that would derive a row
// that may be.
func (m *May) byHead(r *rule, row []symbol.Value) ([]instance, error) {
	simple := m.rules[r]
	x := m.matcher(simple, "head", func(bound []bool) {
		body := bindable(simple)
		for _, h := range simple.head {
			if h.kind == variable && body[h.v] {
				bound[h.v] = true
			}
		}
	})
	set := make([]bool, len(simple.vars))
	for i, h := range simple.head {
		switch {
		case h.kind == constant && x.m.regs[len(simple.vars)+h.c] != row[i]:
			return nil, nil
		case h.kind == variable && x.bound[h.v]:
			if set[h.v] && x.m.regs[h.v] != row[i] {
				return nil, nil
			}
			x.m.regs[h.v], set[h.v] = row[i], true
		}
	}
	head := make([]symbol.Value, len(row))
	return m.instances(x, func() bool { return x.m.result(head) == nil && slices.Equal(head, row) })
}

// byGroup returns the instances of the body of an aggregation in one group.
func (m *May) byGroup(r *rule, key []symbol.Value) ([]instance, error) {
	simple := m.rules[r]
	x := m.matcher(simple, "group", func(bound []bool) {
		for _, v := range r.agg.group {
			bound[v] = true
		}
	})
	for i, v := range r.agg.group {
		x.m.regs[v] = key[i]
	}
	return m.instances(x, func() bool { return true })
}

func (m *May) matcher(r *rule, by string, bind func([]bool)) *matcher {
	x := m.matchers[matching{r, by}]
	if x == nil {
		x = &matcher{bound: make([]bool, len(r.vars))}
		bind(x.bound)
		steps := (&planner{r: r, db: m.db, bound: x.bound, forced: -1}).plan()
		x.m = m.db.machine(r, steps)
		m.matchers[matching{r, by}] = x
	}
	m.db.prepare(x.m.steps, 0)
	return x
}

func (m *May) instances(x *matcher, keep func() bool) ([]instance, error) {
	var list []instance
	x.m.emit = func() error {
		in := x.instance()
		if keep() {
			list = append(list, in)
		}
		return nil
	}
	_, err := x.m.run(0)
	return list, err
}

// instance is the one that the machine has found.
func (x *matcher) instance() instance {
	in := instance{slices.Clone(x.m.regs), map[*premise]int{}}
	for i, s := range x.m.steps {
		if s.op == opMatch {
			in.rows[s.prem] = x.m.at[i]
		}
	}
	return in
}

// values are those of an atom in an instance; what a wildcard stands for is in
// the row that matched.
func (m *May) values(r *rule, p *premise, regs []symbol.Value, row int) []symbol.Value {
	values := make([]symbol.Value, len(p.args))
	rel := m.db.relation(p.pred)
	for c := range p.args {
		values[c] = rel.cols[c][row]
	}
	return values
}

// pattern is an atom of which some columns are known.
type pattern struct {
	values []symbol.Value
	known  []bool
}

// patternOf is a negated premise with the values that it has once the body
// holds.
func patternOf(r *rule, p *premise, regs []symbol.Value) pattern {
	x := pattern{make([]symbol.Value, len(p.args)), make([]bool, len(p.args))}
	body := bindable(r)
	for c, a := range p.args {
		if a.bound(body) {
			x.known[c], x.values[c] = true, regs[regOf(r, a)]
		}
	}
	return x
}

// matching returns the rows of a relation that fit a pattern and, unless it is
// nil, a premise: columns with one variable are equal.
func (r *relation) matching(p *premise, x pattern) []int {
	var cols colSet
	var key []symbol.Value
	for c, known := range x.known {
		if known {
			cols |= 1 << uint(c)
			key = append(key, x.values[c])
		}
	}
	fits := func(row int) bool {
		if p == nil {
			return true
		}
		first := map[int]symbol.Value{}
		for c, a := range p.args {
			if x.known[c] || a.kind != variable {
				continue
			}
			if v, there := first[a.v]; there && v != r.cols[c][row] {
				return false
			}
			first[a.v] = r.cols[c][row]
		}
		return true
	}
	var rows []int
	if cols == 0 {
		for row := range r.vis {
			if fits(row) {
				rows = append(rows, row)
			}
		}
		return rows
	}
	cur := r.index(cols).seek(r.cols, key)
	for row := cur.next(); row >= 0; row = cur.next() {
		if fits(row) {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows)
	return rows
}
