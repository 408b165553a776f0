package datalog_test

import (
	"slices"

	"github.com/google/mangle/ast"
)

// term makes a term of a type from bound variables, with functions nested at
// most depth deep.
func (m *ruleMaker) term(c column, depth int) ast.BaseTerm {
	if c == anything && !m.chance(40) {
		c = column(m.IntN(4))
	}
	v, ok := m.bound(c)
	switch {
	case ok && (depth == 0 || m.chance(65)):
		return v
	case depth == 0 || c == name || c == anything || m.chance(40):
		return constant(m.value(c))
	}
	sub := func(c column) ast.BaseTerm { return m.term(c, depth-1) }
	switch c {
	case number:
		return m.numeric(sub, depth)
	case text:
		switch m.IntN(4) {
		case 0:
			args := []ast.BaseTerm{}
			for range m.IntN(4) {
				args = append(args, sub(column(m.IntN(3))))
			}
			return apply("fn:string:concat", args...)
		case 1:
			return apply("fn:string:replace", sub(text), constant(m.value(text)), sub(text), ast.Number(int64(m.IntN(4)-1)))
		case 2:
			return apply("fn:number:to_string", sub(number))
		}
		return apply("fn:name:to_string", sub(name))
	}
	switch m.IntN(3) {
	case 0:
		return apply("fn:list:cons", sub(number), sub(numbers))
	case 1:
		return apply("fn:list:append", sub(numbers), sub(number))
	}
	args := []ast.BaseTerm{}
	for range m.IntN(4) {
		args = append(args, sub(number))
	}
	return apply("fn:list", args...)
}

func (m *ruleMaker) numeric(sub func(column) ast.BaseTerm, depth int) ast.BaseTerm {
	some := func() []ast.BaseTerm {
		args := []ast.BaseTerm{}
		for range 1 + m.IntN(3) {
			args = append(args, sub(number))
		}
		return args
	}
	small := func() ast.BaseTerm { return ast.Number(pick(m.generator, []int64{1, 2, 3, -1, -2})) }
	switch m.IntN(9) {
	case 0, 1:
		return apply("fn:plus", some()...)
	case 2:
		return apply("fn:minus", some()...)
	case 3:
		if m.large || depth > 1 {
			return apply("fn:mult", sub(number), small())
		}
		return apply("fn:mult", some()...)
	case 4:
		if m.large || depth > 1 {
			return apply("fn:div", sub(number), small())
		}
		return apply("fn:div", append([]ast.BaseTerm{sub(number), small()}, small())[:2+m.IntN(2)]...)
	case 5:
		return apply("fn:list:len", sub(numbers))
	case 6:
		return apply("fn:list:get", apply("fn:list", sub(number), sub(number)), ast.Number(int64(m.IntN(2))))
	case 7:
		list := sub(numbers)
		return apply("fn:list:get", apply("fn:list:append", list, sub(number)), apply("fn:list:len", list))
	}
	return apply("fn:list:get", apply("fn:list:cons", sub(number), sub(numbers)), ast.Number(0))
}

// bindable makes a term for a head or for a variable to be bound, and premises
// that keep it from growing forever where the rule is recursive.
func (m *ruleMaker) bindable(c column) (ast.BaseTerm, []ast.Term) {
	if !m.recursive {
		return m.term(c, 2), nil
	}
	v, ok := m.bound(c)
	if !ok || c == anything {
		return constant(m.value(c)), nil
	}
	limit := int64(2 + m.IntN(6))
	step := ast.Number(int64(1 + m.IntN(3)))
	below := atom(":lt", v, ast.Number(limit))
	above := atom(":lt", ast.Number(-limit), v)
	switch c {
	case number:
		switch m.IntN(4) {
		case 0, 1:
			return apply("fn:plus", v, step), []ast.Term{below}
		case 2:
			return apply("fn:minus", v, step), []ast.Term{above}
		}
		return apply("fn:mult", v, ast.Number(2)), []ast.Term{below, above}
	case text:
		return apply("fn:string:replace", v, ast.String("a"), ast.String(""), ast.Number(1)), nil
	}
	return v, nil
}

// tidy makes a clause one that a careful person writes: no variable occurs
// only once, unless it tells the rows of a group apart.
func tidy(g *generator, c ast.Clause) ast.Clause {
	for {
		once := ""
		counts, order := map[string]int{}, []string{}
		count := func(v string) {
			if counts[v]++; counts[v] == 1 {
				order = append(order, v)
			}
		}
		visitClause(c, count)
		for _, v := range order {
			if counts[v] == 1 && !keeps(g, c, v) {
				once = v
				break
			}
		}
		if once == "" {
			return c
		}
		c = without(c, once)
	}
}

// keeps says whether a variable that occurs once may stay. A coin decides for
// variables of atoms in aggregating clauses; it falls the same way each time.
func keeps(g *generator, c ast.Clause, v string) bool {
	if c.Transform == nil || c.Transform.Statements[0].Var != nil || v[0] == 'L' {
		return false
	}
	for _, p := range c.Premises {
		if a, ok := p.(ast.Atom); ok && !a.Predicate.IsBuiltin() && slices.Contains(a.Args, ast.BaseTerm(variable(v))) {
			return (len(c.Premises)+len(v)+int(v[0]))%2 == 0
		}
	}
	return false
}

// without removes a variable that occurs once: it becomes a wildcard where it
// may, and what needs it goes where it may not.
func without(c ast.Clause, v string) ast.Clause {
	wild := func(a ast.Atom) (ast.Atom, bool) {
		i := slices.IndexFunc(a.Args, func(t ast.BaseTerm) bool { return t.Equals(variable(v)) })
		if i < 0 {
			return a, false
		}
		a.Args = slices.Clone(a.Args)
		a.Args[i] = variable("_")
		return a, true
	}
	var body []ast.Term
	for _, p := range c.Premises {
		if occurrences(p, v) == 0 {
			body = append(body, p)
			continue
		}
		switch p := p.(type) {
		case ast.Atom:
			if a, ok := wild(p); ok {
				body = append(body, a)
			}
		case ast.NegAtom:
			if a, ok := wild(p.Atom); ok {
				body = append(body, ast.NegAtom{Atom: a})
			}
		}
	}
	c.Premises = body
	if c.Transform != nil {
		t := &ast.Transform{}
		for _, s := range c.Transform.Statements {
			if s.Var == nil || s.Var.Symbol != v {
				t.Statements = append(t.Statements, s)
			}
		}
		c.Transform = t
		if t.Statements == nil {
			c.Transform = nil
		}
	}
	return c
}

func visitClause(c ast.Clause, f func(string)) {
	visitTerm(c.Head, f)
	for _, p := range c.Premises {
		visitTerm(p, f)
	}
	if c.Transform != nil {
		for _, s := range c.Transform.Statements {
			if s.Var != nil {
				f(s.Var.Symbol)
			}
			visitTerm(s.Fn, f)
		}
	}
}

func visitTerm(t ast.Term, f func(string)) {
	terms := func(ts ...ast.BaseTerm) {
		for _, t := range ts {
			visitTerm(t, f)
		}
	}
	switch t := t.(type) {
	case ast.Variable:
		if t.Symbol != "_" {
			f(t.Symbol)
		}
	case ast.ApplyFn:
		terms(t.Args...)
	case ast.Atom:
		terms(t.Args...)
	case ast.NegAtom:
		terms(t.Atom.Args...)
	case ast.Eq:
		terms(t.Left, t.Right)
	case ast.Ineq:
		terms(t.Left, t.Right)
	}
}
