package datalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/mangle/ast"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// Program is a compiled set of units.
type Program struct {
	units  []*Unit
	preds  []*predicate // in order of declaration or first rule
	byName map[string]*predicate
	rules  []*rule
	strata [][]*predicate // in order of evaluation
	consts []literal
}

// compiler collects the diagnostics of a compilation: all of them.
type compiler struct {
	*Program
	diags     []diag.Diagnostic
	literals  map[string]int
	elsewhere func(name string) string
}

func (c *compiler) report(sev diag.Severity, u *Unit, pos diag.Position, code, format string, args ...any) {
	d := ruleError(u.Source, pos, code, format, args...)
	d.Severity = sev
	c.diags = append(c.diags, d)
}

// Compile checks the units together and plans the joins. Relations named in
// given are filled from outside. A Program is returned unless a diagnostic is
// an error; warnings may come with it.
func Compile(units []*Unit, given map[string]bool) (*Program, []diag.Diagnostic) {
	return CompileKnowing(units, given, func(string) string { return "" })
}

// CompileKnowing is Compile with a word about relations that are not there:
// elsewhere says where the caller would find one, or "".
func CompileKnowing(units []*Unit, given map[string]bool, elsewhere func(name string) string) (*Program, []diag.Diagnostic) {
	c := &compiler{
		elsewhere: elsewhere,
		Program:   &Program{units: units, byName: map[string]*predicate{}},
		literals:  map[string]int{},
	}
	c.declare(given)
	for _, u := range units {
		for i := range u.rules {
			c.clause(&u.rules[i])
		}
	}
	if !c.failed() {
		c.stratify()
	}
	if !c.failed() {
		c.checkTypes()
	}
	if !c.failed() {
		c.warnUnfilled()
	}
	diag.Sort(c.diags)
	if c.failed() {
		return nil, c.diags
	}
	return c.Program, c.diags
}

func (c *compiler) failed() bool {
	return slices.ContainsFunc(c.diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// declare makes a predicate of every Decl and of every undeclared head.
func (c *compiler) declare(given map[string]bool) {
	add := func(u *Unit, pos diag.Position, name string, cols []string, descr []ast.Atom) *predicate {
		p := &predicate{name: name, arity: len(cols), given: given[name]}
		p.Relation = Relation{Name: name, Cols: cols, Descr: descr, Unit: u, Pos: pos}
		c.preds = append(c.preds, p)
		c.byName[name] = p
		return p
	}
	for _, u := range c.units {
		for _, d := range u.decls {
			name := d.DeclaredAtom.Predicate.Symbol
			if strings.HasPrefix(name, ":") {
				c.report(diag.Error, u, d.pos, "rule-redeclared", "%s is built in", name)
				continue
			}
			if old := c.byName[name]; old != nil {
				c.report(diag.Error, u, d.pos, "rule-redeclared", "%s is declared before, at %s:%d", name, old.Pos.File, old.Pos.Line)
				continue
			}
			if d.Constraints != nil {
				c.report(diag.Error, u, d.pos, "rule-unsupported", "inclusion constraints are not supported: state them as a violation")
			}
			if i := slices.IndexFunc(d.Descr, changesMeaning); i >= 0 {
				c.report(diag.Error, u, d.pos, "rule-unsupported", "%s(..) in descr is not supported", d.Descr[i].Predicate.Symbol)
			}
			if len(d.Bounds) > 1 {
				c.report(diag.Error, u, d.pos, "rule-unsupported", "a Decl may have one bound only")
			}
			var cols []string
			seen := map[string]bool{}
			for _, a := range d.DeclaredAtom.Args {
				v, ok := a.(ast.Variable)
				if !ok || v.Symbol == "_" || seen[v.Symbol] {
					c.report(diag.Error, u, d.pos, "rule-syntax", "the columns of a Decl are different variables, not %v", a)
					continue
				}
				seen[v.Symbol] = true
				cols = append(cols, v.Symbol)
			}
			if len(cols) == len(d.DeclaredAtom.Args) {
				add(u, d.pos, name, cols, d.Descr)
			}
			for _, b := range d.Bounds {
				if len(b.Bounds) != len(d.DeclaredAtom.Args) {
					c.report(diag.Error, u, d.pos, "rule-type", "%s has %s and %s", name, diag.Counted(len(d.DeclaredAtom.Args), "column"), diag.Counted(len(b.Bounds), "bound"))
				}
			}
		}
	}
	for _, u := range c.units {
		for i := range u.rules {
			r := &u.rules[i]
			name := r.Head.Predicate.Symbol
			if c.byName[name] != nil || strings.HasPrefix(name, ":") || strings.HasPrefix(name, "fn:") {
				continue
			}
			cols := make([]string, len(r.Head.Args))
			for i, a := range r.Head.Args {
				cols[i] = fmt.Sprint("X", i+1)
				if v, ok := a.(ast.Variable); ok && v.Symbol != "_" {
					cols[i] = v.Symbol
				}
			}
			add(u, r.pos, name, cols, nil)
		}
	}
}

// changesMeaning says whether a word in descr is one of Mangle's that would
// change what the rules derive.
func changesMeaning(a ast.Atom) bool {
	return slices.Contains([]string{"external", "mode", "reflects", "fundep", "merge", "deferred"}, a.Predicate.Symbol)
}

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
		r:     &rule{src: src, program: c.Program},
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
	pos := s.src.pos
	if i < len(s.src.premises) {
		pos = s.src.premises[i]
	}
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
		} else if near = nearest(name, s.Program); near != "" {
			near = "; did you mean " + near + "?"
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

// checkVariables refuses variables without a value and variables used once.
func (s *scope) checkVariables() {
	r := s.r
	bound := bindable(r)
	// Unbound variables of a negated atom ask whether there is no row at all;
	// they may not be shared with anything else.
	local := make([]int, len(r.vars))
	for i, p := range r.body {
		if p.kind == negative {
			for _, a := range p.args {
				a.each(func(v int) {
					if !bound[v] && local[v] == 0 {
						local[v] = i + 1
					} else if !bound[v] && local[v] != i+1 {
						local[v] = -1
					}
				})
			}
		}
	}
	unsafe := map[int]bool{}
	need := func(e *expr, known []bool) {
		e.each(func(v int) {
			if !known[v] {
				unsafe[v] = true
			}
		})
	}
	for _, p := range r.body {
		if p.kind == negative {
			for _, a := range p.args {
				a.each(func(v int) {
					if !bound[v] && local[v] < 0 {
						unsafe[v] = true
					}
				})
			}
			continue
		}
		for _, a := range p.args {
			need(a, bound)
			if a.kind == wildcard && p.kind != positive && p.kind != member {
				s.fail(s.place(p), "rule-unsafe", "a wildcard cannot be compared")
			}
		}
	}
	if r.agg != nil {
		for _, v := range r.agg.group {
			need(&expr{kind: variable, v: v}, bound)
		}
		after := make([]bool, len(r.vars))
		for _, v := range r.agg.group {
			after[v] = true
		}
		for _, red := range r.agg.reducers {
			if red.arg != nil {
				need(red.arg, bound)
			}
			after[red.v] = true
		}
		bound = after
	}
	for _, l := range r.lets {
		need(l.expr, bound)
		bound[l.v] = true
	}
	for _, h := range r.head {
		need(h, bound)
	}
	// In an aggregation every named variable tells rows apart, so one use is a use.
	counted := bindable(r)
	for _, name := range s.first {
		v := s.byVar[name]
		switch {
		case unsafe[v]:
			s.fail(s.src.pos, "rule-unsafe", "%s", s.unsafeMessage(v, name))
		case s.uses[name] == 1 && (r.agg == nil || !counted[v]):
			s.fail(s.src.pos, "rule-unused-variable", "the variable %s occurs only once: write _ if its value does not matter", name)
		}
	}
	for v, name := range r.vars {
		if name == "" && unsafe[v] && !s.bad {
			s.fail(s.src.pos, "rule-unsafe", "a function application has an argument without a value")
		}
	}
}

func (s *scope) unsafeMessage(v int, name string) string {
	if s.r.agg != nil && bindable(s.r)[v] {
		return fmt.Sprintf("%s varies within a group: put it into fn:group_by or reduce it", name)
	}
	return fmt.Sprintf("nothing gives %s a value: let it occur in a premise that is neither negated nor a comparison", name)
}

func (s *scope) place(p *premise) diag.Position {
	if p.src >= 0 && p.src < len(s.src.premises) {
		return s.src.premises[p.src]
	}
	return s.src.pos
}

// bindable says which variables the body gives values to, in any order of
// its premises.
func bindable(r *rule) []bool {
	b := make([]bool, len(r.vars))
	for changed := true; changed; {
		changed = false
		bind := func(e *expr) {
			if e.kind == variable && !b[e.v] {
				b[e.v] = true
				changed = true
			}
		}
		for _, p := range r.body {
			switch p.kind {
			case positive:
				for _, a := range p.args {
					bind(a)
				}
			case equality:
				if p.args[0].bound(b) {
					bind(p.args[1])
				}
				if p.args[1].bound(b) {
					bind(p.args[0])
				}
			case member:
				if p.op == ":list:member" && p.args[1].bound(b) {
					bind(p.args[0])
				}
				if p.op == ":match_cons" && p.args[0].bound(b) {
					bind(p.args[1])
					bind(p.args[2])
				}
			}
		}
	}
	return b
}

func (c *compiler) warnUnfilled() {
	for _, r := range c.rules {
		for _, p := range r.body {
			if p.pred != nil && !p.pred.given && !p.pred.Derived {
				pos := r.src.pos
				if p.src >= 0 && p.src < len(r.src.premises) {
					pos = r.src.premises[p.src]
				}
				c.report(diag.Warning, r.src.unit, pos, "rule-never-filled",
					"no rule and no document fills %s, declared at %s:%d", p.pred.name, p.pred.Pos.File, p.pred.Pos.Line)
			}
		}
	}
}
