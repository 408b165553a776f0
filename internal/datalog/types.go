package datalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/mangle/analysis"
	"github.com/google/mangle/ast"
	"github.com/google/mangle/parse"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// valueType is what is known of the values of a column or variable.
type valueType uint8

const (
	unknown valueType = iota
	isNumber
	isString
	isName
	isList
	mixed
)

func (t valueType) String() string {
	return [...]string{"unknown", "number", "string", "name", "list", "any value"}[t]
}

func (t valueType) definite() bool { return t != unknown && t != mixed }

// typing infers the types of undeclared columns from their rules and finds
// variables that would have to be of two types. Its errors have positions;
// Mangle's own check, which has none, comes after it.
type typing struct {
	c    *compiler
	cols map[*predicate][]valueType
}

func (c *compiler) checkTypes() {
	t := &typing{c: c, cols: map[*predicate][]valueType{}}
	declared := map[*predicate]bool{}
	for _, u := range c.units {
		for _, d := range u.decls {
			p := c.byName[d.DeclaredAtom.Predicate.Symbol]
			if len(d.Bounds) != 1 {
				continue
			}
			declared[p] = true
			for _, b := range d.Bounds[0].Bounds {
				t.cols[p] = append(t.cols[p], boundType(b))
			}
		}
	}
	for _, p := range c.preds {
		if !declared[p] {
			t.cols[p] = make([]valueType, p.arity)
		}
	}
	all := slices.Clone(c.rules)
	for _, p := range c.preds {
		all = append(all, p.facts...)
	}
	for changed := true; changed; {
		changed = false
		for _, r := range all {
			if declared[r.pred] {
				continue
			}
			vars := t.variables(r, nil)
			for i, h := range r.head {
				was := t.cols[r.pred][i]
				now := join(was, t.expr(r, h, vars, nil))
				t.cols[r.pred][i] = now
				changed = changed || now != was
			}
		}
	}
	for _, r := range all {
		t.check(r, declared[r.pred])
	}
	if !c.failed() {
		c.askMangle(declared)
	}
}

func join(a, b valueType) valueType {
	switch {
	case a == unknown || a == b:
		return b
	case b == unknown:
		return a
	}
	return mixed
}

// boundType reads a bound of a Decl.
func boundType(b ast.BaseTerm) valueType {
	switch b := b.(type) {
	case ast.Constant:
		switch b.Symbol {
		case "/number":
			return isNumber
		case "/string":
			return isString
		case "/any":
			return mixed
		}
		if b.Type == ast.NameType {
			return isName
		}
	case ast.ApplyFn:
		if b.Function.Symbol == "fn:List" {
			return isList
		}
	}
	return mixed
}

type complaint func(pos diag.Position, format string, args ...any)

// occurrence is where a variable got its type.
type occurrence struct {
	t     valueType
	where string
}

// variables collects the types of a body's variables; complain, if not nil,
// hears of those that would need two.
func (t *typing) variables(r *rule, complain complaint) []occurrence {
	vars := make([]occurrence, len(r.vars))
	note := func(p *premise, e *expr, want valueType, where string) {
		if e.kind != variable {
			if got := t.expr(r, e, vars, nil); complain != nil && got.definite() && want.definite() && got != want {
				complain(r.premisePos(p), "a %s stands where %s is a %s", got, where, want)
			}
			return
		}
		o := &vars[e.v]
		switch {
		case !want.definite():
		case !o.t.definite():
			*o = occurrence{want, where}
		case o.t != want && complain != nil && r.vars[e.v] != "":
			complain(r.premisePos(p), "%s would be both a %s (%s) and a %s (%s)", r.vars[e.v], o.t, o.where, want, where)
		}
	}
	for _, p := range r.body {
		if p.kind == positive || p.kind == negative {
			for i, a := range p.args {
				if a.kind != wildcard {
					note(p, a, t.cols[p.pred][i], fmt.Sprintf("column %s of %s", p.pred.Cols[i], p.pred.name))
				}
			}
		}
	}
	for range 2 { // equalities pass types on, in either order
		for _, p := range r.body {
			switch {
			case p.kind == equality:
				for i, a := range p.args {
					note(p, a, t.expr(r, p.args[1-i], vars, nil), "the other side of =")
				}
			case p.kind == member && p.op == ":list:member":
				note(p, p.args[1], isList, "the second argument of :list:member")
			case p.kind == member:
				note(p, p.args[0], isList, "the first argument of :match_cons")
				if p.args[2].kind != wildcard {
					note(p, p.args[2], isList, "the third argument of :match_cons")
				}
			}
		}
	}
	if complain != nil {
		for _, p := range r.body {
			if p.kind == comparison && p.op != "!=" {
				for _, a := range p.args {
					note(p, a, isNumber, "an argument of "+p.op)
				}
			}
			at := func(format string, args ...any) { complain(r.premisePos(p), format, args...) }
			for _, a := range p.args {
				t.expr(r, a, vars, at)
			}
		}
	}
	if r.agg != nil {
		for _, red := range r.agg.reducers {
			o := occurrence{isNumber, "the result of " + red.fn}
			switch red.fn {
			case "fn:collect", "fn:collect_distinct":
				o.t = isList
			case "fn:pick_any":
				o.t = t.expr(r, red.arg, vars, nil)
			case "fn:sum", "fn:min", "fn:max":
				if got := t.expr(r, red.arg, vars, nil); complain != nil && got.definite() && got != isNumber {
					complain(r.pos(), "%s takes numbers, not a %s", red.fn, got)
				}
			}
			vars[red.v] = o
		}
	}
	for _, l := range r.lets {
		var at func(string, ...any)
		if complain != nil {
			at = func(format string, args ...any) { complain(r.pos(), format, args...) }
		}
		vars[l.v] = occurrence{t.expr(r, l.expr, vars, at), "let"}
	}
	return vars
}

// expr is the type of a term; complain, if not nil, hears of arguments that a
// function cannot take.
func (t *typing) expr(r *rule, e *expr, vars []occurrence, complain func(string, ...any)) valueType {
	switch e.kind {
	case wildcard:
		return unknown
	case variable:
		return vars[e.v].t
	case constant:
		switch t.c.consts[e.c].kind {
		case symbol.Number:
			return isNumber
		case symbol.String:
			return isString
		case symbol.Name:
			return isName
		}
		return isList
	}
	want, result := unknown, mixed
	switch name := e.fn.name; {
	case e.fn.infix != "":
		want, result = isNumber, isNumber
	case name == "fn:number:to_string":
		want, result = isNumber, isString
	case name == "fn:name:to_string":
		want, result = isName, isString
	case name == "fn:name:root" || name == "fn:name:tip":
		want, result = isName, isName
	case name == "fn:name:list":
		want, result = isName, isList
	case strings.HasPrefix(name, "fn:string:"):
		result = isString
	case name == "fn:list:len":
		want, result = isList, isNumber
	case name == "fn:list:contains":
		result = isName
	case name != "fn:list:get":
		result = isList
	}
	for _, a := range e.args {
		got := t.expr(r, a, vars, complain)
		if complain != nil && want != unknown && got.definite() && got != want {
			complain("%s takes a %s, not a %s", e.fn.name, want, got)
		}
	}
	return result
}

// check reports what is wrong with the types of one rule.
func (t *typing) check(r *rule, declared bool) {
	seen := map[string]bool{}
	complain := func(pos diag.Position, format string, args ...any) {
		msg := fmt.Sprintf(format, args...)
		if !seen[msg] {
			seen[msg] = true
			t.c.report(diag.Error, r.src.unit, pos, "rule-type", "%s", msg)
		}
	}
	vars := t.variables(r, complain)
	for i, h := range r.head {
		got := t.expr(r, h, vars, func(format string, args ...any) { complain(r.pos(), format, args...) })
		want := t.cols[r.pred][i]
		if declared && got.definite() && want.definite() && got != want {
			complain(r.pos(), "column %s of %s is a %s, not a %s", r.pred.Cols[i], r.pred.name, want, got)
		}
	}
}

// askMangle runs Mangle's own analysis of the bounds on the rules all of whose
// relations are declared. (It refuses legal rules about undeclared recursive
// relations, so those rest on the inference above.)
func (c *compiler) askMangle(declared map[*predicate]bool) {
	var rules []*rule
	for _, p := range c.preds {
		for _, r := range slices.Concat(p.facts, p.rules) {
			if declared[p] && !slices.ContainsFunc(r.body, func(q *premise) bool { return q.pred != nil && !declared[q.pred] }) {
				rules = append(rules, r)
			}
		}
	}
	if c.mangle(rules) == nil {
		return
	}
	// Mangle's error has no place, so the rules are asked one by one.
	found := false
	for i, r := range rules {
		if err := c.mangle(rules[i : i+1]); err != nil {
			found = true
			c.report(diag.Error, r.src.unit, r.pos(), "rule-type", "%s", firstLine(err))
		}
	}
	if !found {
		u := rules[len(rules)-1].src.unit
		c.report(diag.Error, u, diag.Position{File: u.Source.Name, Line: 1, Column: 1}, "rule-type", "%s", firstLine(c.mangle(rules)))
	}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return line
}

// mangle runs Mangle's analysis on some rules and all Decls.
func (c *compiler) mangle(rules []*rule) error {
	var unit parse.SourceUnit
	unit.Decls = []ast.Decl{{DeclaredAtom: ast.NewAtom("Package"), Descr: []ast.Atom{ast.NewAtom("name", ast.String(""))}}}
	for _, u := range c.units {
		for _, d := range u.decls {
			unit.Decls = append(unit.Decls, d.Decl)
		}
	}
	for _, r := range rules {
		unit.Clauses = append(unit.Clauses, forMangle(r))
	}
	_, err := analysis.AnalyzeAndCheckBounds([]parse.SourceUnit{unit}, nil, analysis.ErrorForBoundsMismatch)
	return err
}

// forMangle orders the premises so that each has its variables bound by those
// before it, as Mangle's checks expect, and leaves out negated atoms with
// local variables, which Mangle does not know.
func forMangle(r *rule) ast.Clause {
	cl := r.src.Clause
	if len(cl.Premises) == 0 {
		return cl
	}
	var out []ast.Term
	bound := map[ast.Variable]bool{}
	rest := slices.Clone(cl.Premises)
	for n := -1; n != len(rest); {
		n = len(rest)
		rest = slices.DeleteFunc(rest, func(t ast.Term) bool {
			if !ready(t, bound) {
				return false
			}
			out = append(out, t)
			ast.AddVars(t, bound)
			return true
		})
	}
	cl.Premises = out
	return cl
}

// ready says whether Mangle would accept a premise after others have bound
// the given variables.
func ready(t ast.Term, bound map[ast.Variable]bool) bool {
	all := func(ts ...ast.BaseTerm) bool {
		vars := map[ast.Variable]bool{}
		for _, t := range ts {
			ast.AddVars(t, vars)
		}
		delete(vars, ast.Variable{Symbol: "_"})
		for v := range vars {
			if !bound[v] {
				return false
			}
		}
		return true
	}
	switch t := t.(type) {
	case ast.Atom:
		switch name := t.Predicate.Symbol; {
		case name == ":list:member":
			return all(t.Args[1])
		case name == ":match_cons":
			return all(t.Args[0])
		case strings.HasPrefix(name, ":"):
			return all(t.Args...)
		}
		ok := true
		for _, a := range t.Args {
			if _, apply := a.(ast.ApplyFn); apply {
				ok = ok && all(a)
			}
		}
		return ok
	case ast.NegAtom:
		// Mangle takes a wildcard here for a variable without a value.
		wild := slices.Contains(t.Atom.Args, ast.BaseTerm(ast.Variable{Symbol: "_"}))
		return !wild && all(t.Atom.Args...)
	case ast.Eq:
		return all(t.Left) || all(t.Right)
	case ast.Ineq:
		return all(t.Left, t.Right)
	}
	return true
}
