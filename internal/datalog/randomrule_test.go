package datalog_test

import (
	"fmt"
	"slices"

	"github.com/google/mangle/ast"
)

// ruleMaker makes one random rule. It knows the types of the variables that
// the premises made so far bind.
type ruleMaker struct {
	*generator
	head      *relation
	recursive bool // a premise is of the head's level: terms must not grow
	body      []ast.Term
	vars      []string
	types     map[string]column
	as        map[string]column // what variables of any type are compared with
	fresh     int
	locals    int // variables of one negation only
}

func variable(name string) ast.Variable { return ast.Variable{Symbol: name} }

func atom(pred string, args ...ast.BaseTerm) ast.Atom { return ast.NewAtom(pred, args...) }

// rule makes a rule for a relation.
func (g *generator) rule(head *relation) ast.Clause {
	m := &ruleMaker{generator: g, head: head, types: map[string]column{}, as: map[string]column{}}
	aggregate := g.chance(25)
	var below, all []*relation
	for _, r := range g.relations {
		all = append(all, r)
		if r.level < head.level {
			below = append(below, r)
		}
	}
	from := all
	if aggregate || g.chance(40) {
		from = below
	}
	for range 1 + g.IntN(3) {
		r := pick(g, from)
		m.recursive = m.recursive || r.level == head.level
		m.body = append(m.body, m.positive(r))
	}
	for g.chance(50) && len(m.body) < 6 {
		m.extra(below)
	}
	c := ast.Clause{Head: atom(head.name)}
	switch {
	case aggregate:
		c.Transform = m.aggregate()
	case !m.recursive && g.chance(15):
		c.Transform = m.lets()
	}
	for _, col := range head.cols {
		c.Head.Args = append(c.Head.Args, m.headTerm(col, c.Transform))
	}
	c.Head.Predicate.Arity = len(head.cols)
	g.Shuffle(len(m.body), func(i, j int) { m.body[i], m.body[j] = m.body[j], m.body[i] })
	c.Premises = m.body
	return tidy(g, c)
}

// newVar names a variable that is not used yet.
func (m *ruleMaker) newVar(c column) ast.Variable {
	names := []string{"X", "Y", "Z", "X0", "X1", "A", "Bb", "C2"}
	v := fmt.Sprintf("V%d", m.fresh)
	if m.fresh < len(names) {
		v = names[m.fresh]
	}
	m.fresh++
	m.vars = append(m.vars, v)
	m.types[v] = c
	return variable(v)
}

// bound returns a variable whose values fit a column, if there is one.
func (m *ruleMaker) bound(c column) (ast.Variable, bool) {
	return m.one(func(v string) bool { return m.types[v] == c || c == anything })
}

// one returns a variable that fits.
func (m *ruleMaker) one(fits func(string) bool) (ast.Variable, bool) {
	var fit []string
	for _, v := range m.vars {
		if fits(v) {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		return ast.Variable{}, false
	}
	return variable(pick(m.generator, fit)), true
}

// positive makes an atom of a relation that binds variables. A variable in a
// column of any type gets no other type, so that no order of evaluation ever
// gives its values to a function.
func (m *ruleMaker) positive(r *relation) ast.Term {
	a := atom(r.name)
	known := len(m.vars)
	for _, c := range r.cols {
		var t ast.BaseTerm
		switch v, ok := m.one(func(v string) bool { return m.types[v] == c || m.takes(v, c) }); {
		case ok && m.chance(45):
			t = v
			m.narrow(v.Symbol, c)
		case m.chance(12):
			t = variable("_")
		case m.chance(12):
			t = constant(m.value(c))
		case known > 0 && c != anything && m.chance(5):
			t = m.known(known).term(c, 1)
		default:
			t = m.newVar(c)
		}
		a.Args = append(a.Args, t)
	}
	a.Predicate.Arity = len(a.Args)
	return a
}

// known is a maker that uses only the first n variables.
func (m *ruleMaker) known(n int) *ruleMaker {
	k := *m
	k.vars = m.vars[:n]
	return &k
}

// extra adds a premise that is not a positive atom of a relation.
func (m *ruleMaker) extra(below []*relation) {
	add := func(ts ...ast.Term) { m.body = append(m.body, ts...) }
	list, hasList := m.bound(numbers)
	str, hasText := m.bound(text)
	nam, hasName := m.bound(name)
	switch n := m.IntN(100); {
	case n < 30:
		add(ast.NegAtom{Atom: m.negated(pick(m.generator, below))})
	case n < 50:
		op := pick(m.generator, []string{":lt", ":le", ":gt", ":ge"})
		add(atom(op, m.term(number, 1), m.term(number, 1)))
	case n < 62:
		left, right := m.comparable()
		add(ast.Ineq{Left: left, Right: right})
	case n < 68:
		left, right := m.comparable()
		add(ast.Eq{Left: left, Right: right})
	case n < 80: // bind a variable
		c := column(m.IntN(4))
		t, guards := m.bindable(c)
		eq := ast.Eq{Left: m.newVar(c), Right: t}
		if m.chance(30) {
			eq.Left, eq.Right = eq.Right, eq.Left
		}
		add(append(guards, eq)...)
	case hasList && n < 90:
		switch m.IntN(5) {
		case 0, 1:
			add(atom(":list:member", m.newVar(number), list))
		case 2:
			add(atom(":match_cons", list, m.newVar(number), m.newVar(numbers)))
		case 3:
			add(atom(":match_nil", list))
		case 4:
			add(atom(":filter", apply("fn:list:contains", list, m.term(number, 1))))
		}
	case hasText && n < 96:
		add(atom(pick(m.generator, []string{":string:starts_with", ":string:ends_with", ":string:contains"}), str, m.term(text, 0)))
	case hasName:
		add(atom(":match_prefix", nam, constant(m.value(name))))
	}
}

// takes says whether values of a type can be those of a variable of any type.
func (m *ruleMaker) takes(v string, c column) bool {
	as, narrowed := m.as[v]
	return m.types[v] == anything && (!narrowed || as == c)
}

func (m *ruleMaker) narrow(v string, c column) {
	if m.types[v] == anything && c != anything {
		m.as[v] = c
	}
}

// comparable makes two terms of one type, or of any where one says so.
func (m *ruleMaker) comparable() (left, right ast.BaseTerm) {
	c := column(m.IntN(4))
	left, right = m.term(c, 1), m.term(c, 1)
	if v, ok := m.one(func(v string) bool { return m.takes(v, c) }); ok && m.chance(50) {
		left, right = v, constant(m.value(c))
		m.narrow(v.Symbol, c)
	}
	if m.chance(50) {
		left, right = right, left
	}
	return left, right
}

// negated makes an atom to negate. Its variables are bound elsewhere, but for
// one that may occur twice in this atom and nowhere else.
func (m *ruleMaker) negated(r *relation) ast.Atom {
	a := atom(r.name)
	a.Predicate.Arity = len(r.cols)
	for _, c := range r.cols {
		t := m.term(c, 1)
		if m.chance(22) {
			t = variable("_")
		}
		a.Args = append(a.Args, t)
	}
	for i, c := range r.cols {
		j := i + 1 + slices.Index(r.cols[i+1:], c)
		if j > i && m.chance(40) {
			local := variable(fmt.Sprintf("L%d", m.locals))
			m.locals++
			a.Args[i], a.Args[j] = local, local
			return a
		}
	}
	return a
}

// headTerm makes an argument of the head.
func (m *ruleMaker) headTerm(c column, t *ast.Transform) ast.BaseTerm {
	if t != nil {
		m.vars = slices.DeleteFunc(slices.Clone(m.vars), func(v string) bool {
			return t.Statements[0].Var == nil && !inTransform(t, v)
		})
	}
	v, ok := m.bound(c)
	switch {
	case ok && m.chance(80):
		return v
	case m.recursive:
		term, guards := m.bindable(c)
		m.body = append(m.body, guards...)
		return term
	case m.chance(70):
		return m.term(c, 2)
	}
	return constant(m.value(c))
}

// inTransform says whether a variable has a value behind a do-transform.
func inTransform(t *ast.Transform, v string) bool {
	for _, s := range t.Statements {
		if s.Var != nil && s.Var.Symbol == v {
			return true
		}
	}
	return slices.Contains(t.Statements[0].Fn.Args, ast.BaseTerm(variable(v)))
}

// aggregate makes a do-transform.
func (m *ruleMaker) aggregate() *ast.Transform {
	group := apply("fn:group_by")
	for _, v := range m.vars {
		if m.chance(40) {
			group.Args = append(group.Args, variable(v))
		}
	}
	group.Function.Arity = len(group.Args)
	t := &ast.Transform{Statements: []ast.TransformStmt{{Fn: group}}}
	rows := *m // the reducers see the body's variables, the other lets do not
	for range 1 + m.IntN(3) {
		fn, c := apply("fn:count"), number
		if v, ok := rows.bound(number); ok && m.chance(75) {
			f := pick(m.generator, []string{"fn:sum", "fn:min", "fn:max", "fn:collect", "fn:collect_distinct"})
			fn = apply(f, v)
			if f == "fn:collect" || f == "fn:collect_distinct" {
				c = numbers
			}
		} else if v, ok := rows.bound(anything); ok && m.chance(30) && m.types[v.Symbol] != number {
			fn, c = apply(pick(m.generator, []string{"fn:collect", "fn:collect_distinct"}), v), anything
		}
		v := m.newVar(c)
		t.Statements = append(t.Statements, ast.TransformStmt{Var: &v, Fn: fn})
	}
	if m.chance(30) {
		after := *m
		after.vars = slices.DeleteFunc(slices.Clone(m.vars), func(v string) bool { return !inTransform(t, v) })
		if fn, ok := after.term(number, 2).(ast.ApplyFn); ok {
			v := m.newVar(number)
			t.Statements = append(t.Statements, ast.TransformStmt{Var: &v, Fn: fn})
		}
	}
	return t
}

// lets makes a let-transform.
func (m *ruleMaker) lets() *ast.Transform {
	t := &ast.Transform{}
	for range 1 + m.IntN(2) {
		c := column(m.IntN(4))
		if fn, ok := m.term(c, 2).(ast.ApplyFn); ok {
			v := m.newVar(c)
			t.Statements = append(t.Statements, ast.TransformStmt{Var: &v, Fn: fn})
		}
	}
	if t.Statements == nil {
		return nil
	}
	return t
}
