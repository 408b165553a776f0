package datalog

import (
	"fmt"
	"slices"

	"github.com/google/mangle/ast"

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
// variables that would have to be of two types. (Mangle's own analysis is not
// asked: it refuses legal rules, and panics on some.)
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
				bt, ok := boundType(b)
				if k, is := b.(ast.Constant); is && ok {
					if near := nearType(k.Symbol); near != "" {
						c.report(diag.Error, u, d.pos, "rule-type", "there is no type %s; did you mean %s?", k.Symbol, near)
					}
				}
				if !ok {
					c.report(diag.Error, u, d.pos, "rule-unsupported", "the bound %v is not supported: columns are /number, /string, /name, .List<..> or /any", b)
				}
				t.cols[p] = append(t.cols[p], bt)
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
	if c.failed() {
		return
	}
	for _, r := range all {
		t.check(r, declared[r.pred])
	}
	for _, p := range c.preds {
		for _, ct := range t.cols[p] {
			p.Types = append(p.Types, ct.String())
		}
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

// boundType reads a bound of a Decl. It is false for types that no constant of
// a plan can have.
func boundType(b ast.BaseTerm) (valueType, bool) {
	switch b := b.(type) {
	case ast.Constant:
		switch b.Symbol {
		case "/number":
			return isNumber, true
		case "/string":
			return isString, true
		case "/any":
			return mixed, true
		case "/float64", "/bytes", "/time", "/duration", "/bool":
			return mixed, false
		}
		return isName, b.Type == ast.NameType
	case ast.ApplyFn:
		switch b.Function.Symbol {
		case "fn:List":
			return isList, true
		case "fn:Union", "fn:Singleton":
			return mixed, true
		}
	}
	return mixed, false
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
				complain(r.premisePos(p.src), "a %s stands where %s is a %s", got, where, want)
			}
			return
		}
		o := &vars[e.v]
		switch {
		case !want.definite():
		case !o.t.definite():
			*o = occurrence{want, where}
		case o.t != want && complain != nil && r.vars[e.v] != "":
			complain(r.premisePos(p.src), "%s would be both a %s (%s) and a %s (%s)", r.vars[e.v], o.t, o.where, want, where)
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
			at := func(format string, args ...any) { complain(r.premisePos(p.src), format, args...) }
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
		}
		return isName
	}
	for _, a := range e.args {
		got := t.expr(r, a, vars, complain)
		if complain != nil && e.fn.arg.definite() && got.definite() && got != e.fn.arg {
			complain("%s takes a %s, not a %s", e.fn.name, e.fn.arg, got)
		}
	}
	return e.fn.result
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
