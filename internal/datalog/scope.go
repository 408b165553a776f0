package datalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/mangle/ast"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// scope numbers the variables of one clause.
type scope struct {
	*compiler
	r     *rule
	src   *sourceRule
	byVar map[string]int
	uses  map[string]int
	first []string // in order of appearance
	bad   bool
}

func (s *scope) fail(pos diag.Position, code, format string, args ...any) {
	s.bad = true
	s.report(diag.Error, s.src.unit, pos, code, format, args...)
}

func (c *compiler) clause(src *sourceRule) {
	s := &scope{
		compiler: c, src: src,
		r:     &rule{src: src},
		byVar: map[string]int{}, uses: map[string]int{},
	}
	r := s.r
	name := src.Head.Predicate.Symbol
	r.pred = c.byName[name]
	switch {
	case strings.HasPrefix(name, ":") || strings.HasPrefix(name, "fn:"):
		s.fail(src.pos, "rule-head", "%s is built in; a rule cannot define it", name)
		return
	case r.pred == nil:
		return // its Decl was reported
	case r.pred.given:
		s.fail(src.pos, "rule-head", "%s is given by the document; a rule cannot add to it", name)
	case r.pred.arity != len(src.Head.Args):
		s.fail(src.pos, "rule-arity", "%s has %s, not %d", name, diag.Counted(r.pred.arity, "column"), len(src.Head.Args))
	}
	for i, t := range src.Premises {
		s.premise(i, t)
	}
	s.transform(src.Transform)
	for _, a := range src.Head.Args {
		if v, ok := a.(ast.Variable); ok && v.Symbol == "_" {
			s.fail(src.pos, "rule-unsafe", "the head of a rule cannot have a wildcard")
			continue
		}
		r.head = append(r.head, s.term(a, src.pos))
	}
	if s.bad {
		return
	}
	s.checkVariables()
	if s.bad {
		return
	}
	if len(r.body) == 0 {
		r.pred.facts = append(r.pred.facts, r)
	} else {
		r.pred.rules = append(r.pred.rules, r)
		c.rules = append(c.rules, r)
	}
	r.pred.Derived = true
	r.pred.Clauses = append(r.pred.Clauses, src.text)
}

func (s *scope) premise(i int, t ast.Term) {
	pos := s.r.premisePos(i)
	switch t := t.(type) {
	case ast.Atom:
		s.atom(positive, i, t, pos)
	case ast.NegAtom:
		s.atom(negative, i, t.Atom, pos)
	case ast.Eq:
		s.r.body = append(s.r.body, &premise{kind: equality, op: "=", src: i,
			args: []*expr{s.term(t.Left, pos), s.term(t.Right, pos)}})
	case ast.Ineq:
		s.r.body = append(s.r.body, &premise{kind: comparison, op: "!=", src: i,
			args: []*expr{s.term(t.Left, pos), s.term(t.Right, pos)}})
	default:
		s.fail(pos, "rule-unsupported", "this premise is not supported: %v", t)
	}
}

var comparisons = map[string]string{":lt": "<", ":le": "<=", ":gt": ">", ":ge": ">="}

func (s *scope) atom(kind premiseKind, i int, a ast.Atom, pos diag.Position) {
	name := a.Predicate.Symbol
	p := &premise{kind: kind, op: name, src: i}
	if strings.HasPrefix(name, ":") {
		arity := 2
		switch {
		case comparisons[name] != "":
			p.kind, p.op = comparison, comparisons[name]
		case tests[name].eval != nil:
			p.kind, arity = test, tests[name].arity
		case name == ":list:member":
			p.kind = member
		case name == ":match_cons":
			p.kind, arity = member, 3
		default:
			s.fail(pos, "rule-unsupported", "the built-in predicate %s is not supported%s", name, nearPredicate(name))
			return
		}
		if kind == negative {
			s.fail(pos, "rule-unsupported", "a built-in predicate cannot be negated; name the opposite")
			return
		}
		if len(a.Args) != arity {
			s.fail(pos, "rule-arity", "%s has %s, not %d", name, diag.Counted(arity, "column"), len(a.Args))
			return
		}
		for _, t := range a.Args {
			p.args = append(p.args, s.term(t, pos))
		}
		s.r.body = append(s.r.body, p)
		return
	}
	p.pred = s.byName[name]
	if p.pred == nil {
		near := s.elsewhere(name)
		if near != "" {
			near = "; " + near
		} else if n := diag.Nearest(name, s.names()); n != "" {
			near = "; did you mean " + n + "?"
		}
		s.fail(pos, "rule-unknown-relation", "there is no relation %s%s", name, near)
		return
	}
	if p.pred.arity != len(a.Args) {
		s.fail(pos, "rule-arity", "%s has %s (%s), not %d", name, diag.Counted(p.pred.arity, "column"), strings.Join(p.pred.Cols, ", "), len(a.Args))
		return
	}
	for _, t := range a.Args {
		e := s.term(t, pos)
		if e.kind == apply { // atoms hold no applications: a hidden variable stands for it
			v := &expr{kind: variable, v: s.hide()}
			s.r.body = append(s.r.body, &premise{kind: equality, op: "=", args: []*expr{v, e}, src: -1})
			e = v
		}
		if e.kind == wildcard && kind == positive && s.src.Transform != nil && s.src.Transform.Statements[0].Var == nil {
			// What a wildcard stands for tells the rows of an aggregation apart.
			e = &expr{kind: variable, v: s.hide()}
			s.r.vars[e.v] = anonymous
		}
		p.args = append(p.args, e)
	}
	s.r.body = append(s.r.body, p)
}

// anonymous is the name of a variable that stands for a wildcard.
const anonymous = "_"

// hide makes a variable that the clause does not name.
func (s *scope) hide() int {
	s.r.vars = append(s.r.vars, "")
	return len(s.r.vars) - 1
}

func (s *scope) variable(name string) int {
	s.uses[name]++
	v, ok := s.byVar[name]
	if !ok {
		v = len(s.r.vars)
		s.r.vars = append(s.r.vars, name)
		s.byVar[name] = v
		s.first = append(s.first, name)
	}
	return v
}

func (s *scope) term(t ast.BaseTerm, pos diag.Position) *expr {
	switch t := t.(type) {
	case ast.Variable:
		if t.Symbol == "_" {
			return &expr{kind: wildcard}
		}
		return &expr{kind: variable, v: s.variable(t.Symbol)}
	case ast.Constant:
		l, ok := s.literal(t)
		if !ok {
			s.fail(pos, "rule-unsupported", "%v is not supported: constants are integers, strings, names and lists", t)
		}
		return &expr{kind: constant, c: s.intern(l)}
	case ast.ApplyFn:
		return s.apply(t, pos)
	}
	s.fail(pos, "rule-unsupported", "%v is not supported here", t)
	return &expr{kind: wildcard}
}

func (s *scope) apply(t ast.ApplyFn, pos diag.Position) *expr {
	name := t.Function.Symbol
	f := functions[name]
	_, reducer := reducers[name]
	switch {
	case reducer || name == "fn:group_by":
		s.fail(pos, "rule-unsupported", "%s belongs in a transform: ... |> do fn:group_by(...), let X = fn:sum(Y)", name)
	case f == nil:
		s.fail(pos, "rule-unknown-function", "the function %s is unknown or not supported%s", name, nearFunction(name))
	case len(t.Args) < f.min || f.max >= 0 && len(t.Args) > f.max:
		s.fail(pos, "rule-arity", "%s does not take %s", name, diag.Counted(len(t.Args), "argument"))
	}
	e := &expr{kind: apply, fn: f}
	for _, a := range t.Args {
		x := s.term(a, pos)
		if x.kind == wildcard {
			s.fail(pos, "rule-unsafe", "a wildcard cannot be an argument of %s", name)
		}
		e.args = append(e.args, x)
	}
	return e
}

func (s *scope) literal(c ast.Constant) (literal, bool) {
	switch c.Type {
	case ast.NumberType:
		return literal{kind: symbol.Number, num: c.NumValue}, true
	case ast.StringType:
		return literal{kind: symbol.String, text: c.Symbol}, true
	case ast.NameType:
		return literal{kind: symbol.Name, text: c.Symbol}, true
	}
	return literal{}, false
}

func (s *scope) intern(l literal) int {
	key := fmt.Sprintf("%d %d %s", l.kind, l.num, l.text)
	i, ok := s.literals[key]
	if !ok {
		i = len(s.consts)
		s.consts = append(s.consts, l)
		s.literals[key] = i
	}
	return i
}

// transform reads what follows the body.
func (s *scope) transform(t *ast.Transform) {
	if t == nil {
		return
	}
	pos := s.src.pos
	if t.Next != nil {
		s.fail(pos, "rule-unsupported", "a rule may have one transform; put the second in a rule of its own")
		return
	}
	if len(s.src.Premises) == 0 {
		s.fail(pos, "rule-syntax", "a transform needs a body")
		return
	}
	stmts := t.Statements
	if stmts[0].Var == nil {
		fn := stmts[0].Fn
		if fn.Function.Symbol != "fn:group_by" {
			s.fail(pos, "rule-unsupported", "\"do\" takes fn:group_by, not %s", fn.Function.Symbol)
			return
		}
		s.r.agg = &aggregate{}
		for _, a := range fn.Args {
			v, ok := a.(ast.Variable)
			if !ok || v.Symbol == "_" {
				s.fail(pos, "rule-unsupported", "fn:group_by takes variables of the body, not %v", a)
				continue
			}
			n, known := s.byVar[v.Symbol]
			if !known {
				s.fail(pos, "rule-unsafe", "%s of fn:group_by does not occur in the body", v.Symbol)
				continue
			}
			if slices.Contains(s.r.agg.group, n) {
				s.fail(pos, "rule-unsupported", "%s occurs twice in fn:group_by", v.Symbol)
			}
			s.uses[v.Symbol]++
			s.r.agg.group = append(s.r.agg.group, n)
		}
		stmts = stmts[1:]
	}
	for _, st := range stmts {
		s.let(st, pos)
	}
}

func (s *scope) let(st ast.TransformStmt, pos diag.Position) {
	if st.Var == nil {
		s.fail(pos, "rule-unsupported", "fn:group_by must come first in a transform")
		return
	}
	name := st.Var.Symbol
	if name == "_" {
		s.fail(pos, "rule-unsupported", "let needs a variable, not a wildcard")
		return
	}
	if _, known := s.byVar[name]; known {
		s.fail(pos, "rule-unsafe", "let gives %s a second value", name)
		return
	}
	fn := st.Fn.Function.Symbol
	if arity, ok := reducers[fn]; ok && s.r.agg != nil {
		if len(st.Fn.Args) != arity {
			s.fail(pos, "rule-arity", "%s does not take %s", fn, diag.Counted(len(st.Fn.Args), "argument"))
			return
		}
		red := reducer{fn: fn}
		if arity == 1 {
			red.arg = s.term(st.Fn.Args[0], pos)
			if red.arg.kind == wildcard {
				s.fail(pos, "rule-unsafe", "a wildcard cannot be an argument of %s", fn)
			}
		}
		red.v = s.variable(name)
		s.r.agg.reducers = append(s.r.agg.reducers, red)
		return
	}
	e := s.apply(st.Fn, pos)
	s.r.lets = append(s.r.lets, let{s.variable(name), e})
}
