package datalog

import (
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// predicate is a relation of a program.
type predicate struct {
	name  string
	arity int
	Relation
	given   bool // filled from outside
	rules   []*rule
	facts   []*rule // clauses without premises
	stratum int     // position of its component in evaluation order
}

// rule is a clause with numbered variables. Variables are numbered in order of
// appearance in the body, then in lets and the head; hidden ones, which stand
// for function applications inside atoms, come last.
type rule struct {
	src  *sourceRule
	pred *predicate
	vars []string // names; "" for hidden variables, "_" for wildcards of aggregations
	head []*expr
	body []*premise
	lets []let
	agg  *aggregate
}

// let is "let V = fn:...", evaluated for every row of the body, or for every
// group when it follows a reducer.
type let struct {
	v    int
	expr *expr
}

// aggregate is "|> do fn:group_by(...), let ...".
type aggregate struct {
	group    []int
	reducers []reducer
}

type reducer struct {
	v   int
	fn  string // fn:sum, fn:count, ...
	arg *expr  // nil for fn:count
}

type premiseKind uint8

const (
	positive premiseKind = iota
	negative
	comparison // <, <=, >, >=, !=
	equality   // =, which may bind a variable
	test       // built-in predicates that only look
	member     // :list:member, :match_cons: built-ins that bind
)

// premise is one conjunct of a body.
type premise struct {
	kind premiseKind
	op   string // "<", ":string:starts_with", ...
	pred *predicate
	args []*expr // for atoms: variables, constants and wildcards only
	src  int     // index in the clause as written; -1 for hidden equalities
}

type exprKind uint8

const (
	constant exprKind = iota
	variable
	wildcard
	apply
)

// expr is a term. Constants are kept apart from any symbol table until an
// evaluation begins.
type expr struct {
	kind exprKind
	v    int       // variable
	c    int       // constant: index into Program.consts
	fn   *function // apply
	args []*expr
}

// each calls f for every variable of e.
func (e *expr) each(f func(v int)) {
	switch e.kind {
	case variable:
		f(e.v)
	case apply:
		for _, a := range e.args {
			a.each(f)
		}
	}
}

// bound says whether all variables of e have values.
func (e *expr) bound(b []bool) bool {
	ok := e.kind != wildcard
	e.each(func(v int) { ok = ok && b[v] })
	return ok
}

// fallible says whether evaluating e can fail.
func (e *expr) fallible() bool { return e.kind == apply }

func (r *rule) pos() diag.Position { return r.src.pos }

// premisePos is the place of a premise of the clause as written, or of the
// whole clause for premises that are not written in it.
func (r *rule) premisePos(src int) diag.Position {
	if src >= 0 && src < len(r.src.premises) {
		return r.src.premises[src]
	}
	return r.src.pos
}

// literal is a constant of a program, in no symbol table yet.
type literal struct {
	kind symbol.Kind
	num  int64
	text string
}

func (l literal) intern(t *symbol.Table) symbol.Value {
	switch l.kind {
	case symbol.Number:
		return t.Int(l.num)
	case symbol.String:
		return t.String(l.text)
	}
	return t.Name(l.text)
}
