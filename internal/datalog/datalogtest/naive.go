package datalogtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/mangle/ast"
)

// Model holds the rows of all relations of a program: those given and those
// that follow.
type Model struct {
	relations map[string]*relation
	size, max int
}

// relation is a set of rows. by finds the rows with a value in a column.
type relation struct {
	rows []Row
	seen map[Value]bool // rows as lists
	by   []map[Value][]Row
}

// ErrTooLarge is the error of a program that derives more rows than allowed.
var ErrTooLarge = errors.New("too many rows")

// Rows returns the rows of a relation, sorted.
func (m *Model) Rows(name string) []Row {
	r := m.relations[name]
	if r == nil {
		return nil
	}
	return slices.SortedFunc(slices.Values(r.rows), CompareRows)
}

func (m *Model) has(name string, row Row) bool {
	r := m.relations[name]
	return r != nil && r.seen[List(row...)]
}

func (m *Model) add(name string, row Row) bool {
	if m.has(name, row) {
		return false
	}
	r := m.relations[name]
	if r == nil {
		r = &relation{seen: map[Value]bool{}, by: make([]map[Value][]Row, len(row))}
		for c := range row {
			r.by[c] = map[Value][]Row{}
		}
		m.relations[name] = r
	}
	r.rows = append(r.rows, row)
	r.seen[List(row...)] = true
	for c, v := range row {
		r.by[c][v] = append(r.by[c][v], row)
	}
	m.size++
	return true
}

// Eval derives everything that follows from the given rows, at most max rows
// in all (0 for any number).
func Eval(clauses []Clause, given map[string][]Row, max int) (*Model, error) {
	m := &Model{relations: map[string]*relation{}, max: max}
	for name, rows := range given {
		for _, row := range rows {
			m.add(name, row)
		}
	}
	strata, err := stratify(clauses)
	if err != nil {
		return nil, err
	}
	for _, stratum := range strata {
		for grown := true; grown; {
			grown = false
			for _, c := range stratum {
				rows, err := m.apply(c)
				if err != nil {
					return nil, fmt.Errorf("%s:%d: %w", c.Pos.File, c.Pos.Line, err)
				}
				for _, row := range rows {
					grown = m.add(c.Head.Predicate.Symbol, row) || grown
				}
				if max > 0 && m.size > max {
					return nil, ErrTooLarge
				}
			}
		}
	}
	return m, nil
}

// stratify orders clauses so that what they negate or aggregate comes first.
func stratify(clauses []Clause) ([][]Clause, error) {
	level := map[string]int{}
	for grown := true; grown; {
		grown = false
		for _, c := range clauses {
			head := c.Head.Predicate.Symbol
			for _, premise := range c.Clause.Premises {
				need := 0
				switch p := premise.(type) {
				case ast.Atom:
					need = level[p.Predicate.Symbol]
					if groups(c.Clause) {
						need++
					}
				case ast.NegAtom:
					need = level[p.Atom.Predicate.Symbol] + 1
				}
				if level[head] < need {
					level[head], grown = need, true
				}
			}
			if level[head] > 2*len(clauses) {
				return nil, fmt.Errorf("%s depends on its own absence or aggregate", head)
			}
		}
	}
	strata := make([][]Clause, 2*len(clauses)+1)
	for _, c := range clauses {
		l := level[c.Head.Predicate.Symbol]
		strata[l] = append(strata[l], c)
	}
	return strata, nil
}

// groups says whether a clause aggregates.
func groups(c ast.Clause) bool {
	return c.Transform != nil && c.Transform.Statements[0].Var == nil
}

// apply returns the heads that a clause derives now.
func (m *Model) apply(c Clause) ([]Row, error) {
	if c.Transform != nil && c.Transform.Next != nil {
		return nil, errors.New("a transform of a transform is not of the language")
	}
	if groups(c.Clause) {
		return m.aggregate(c.Clause)
	}
	var rows []Row
	err := m.solve(c.Clause.Premises, nil, func(e *env) error {
		if m.max > 0 && len(rows) > 100*m.max {
			return ErrTooLarge
		}
		if c.Transform != nil {
			for _, let := range c.Transform.Statements {
				v, err := e.eval(let.Fn)
				if err != nil {
					return err
				}
				e = e.with(let.Var.Symbol, v)
			}
		}
		row, err := e.head(c.Head)
		rows = append(rows, row)
		return err
	})
	return rows, err
}

func (e *env) head(head ast.Atom) (Row, error) {
	row := make(Row, len(head.Args))
	for i, arg := range head.Args {
		v, err := e.eval(arg)
		if err != nil {
			return nil, err
		}
		row[i] = v
	}
	return row, nil
}

// solve calls emit with every assignment that extends e and satisfies todo.
func (m *Model) solve(todo []ast.Term, e *env, emit func(*env) error) error {
	if len(todo) == 0 {
		return emit(e)
	}
	i := next(todo, e)
	if i < 0 {
		return fmt.Errorf("no value for a variable of %s", todo[0])
	}
	rest := slices.Delete(slices.Clone(todo), i, i+1)
	return m.premise(todo[i], e, func(e *env) error { return m.solve(rest, e, emit) })
}

// next chooses the premise to look at: atoms, then comparisons without
// arithmetic, then those with it, and when all else is done negations.
func next(todo []ast.Term, e *env) int {
	best, bestClass := -1, 4
	for i, t := range todo {
		class := 4
		switch t := t.(type) {
		case ast.Atom:
			switch {
			case !t.Predicate.IsBuiltin():
				if applicationsBound(t.Args, e) {
					class = 0
				}
			case t.Predicate.Symbol == ":list:member":
				if e.bound(t.Args[1]) && bindable(t.Args[0], e) {
					class = 1
				}
			case t.Predicate.Symbol == ":match_cons":
				if e.bound(t.Args[0]) && bindable(t.Args[1], e) && bindable(t.Args[2], e) {
					class = 1
				}
			default:
				class = comparison(e, t.Args...)
			}
		case ast.Eq:
			if e.bound(t.Left) && bindable(t.Right, e) || bindable(t.Left, e) && e.bound(t.Right) {
				class = 1
				if applies(t.Left) || applies(t.Right) {
					class = 2
				}
			}
		case ast.Ineq:
			class = comparison(e, t.Left, t.Right)
		case ast.NegAtom:
			if applicationsBound(t.Atom.Args, e) {
				class = 3
			}
		}
		if class < bestClass {
			best, bestClass = i, class
		}
	}
	if bestClass == 3 && slices.ContainsFunc(todo, func(t ast.Term) bool { _, negated := t.(ast.NegAtom); return !negated }) {
		return -1
	}
	return best
}

func comparison(e *env, args ...ast.BaseTerm) int {
	switch {
	case slices.ContainsFunc(args, func(a ast.BaseTerm) bool { return !e.bound(a) }):
		return 4
	case slices.ContainsFunc(args, applies):
		return 2
	}
	return 1
}

func applies(t ast.BaseTerm) bool { _, ok := t.(ast.ApplyFn); return ok }

func bindable(t ast.BaseTerm, e *env) bool { return e.bound(t) || !applies(t) }

// applicationsBound says whether all that must be computed in args can be.
func applicationsBound(args []ast.BaseTerm, e *env) bool {
	return !slices.ContainsFunc(args, func(a ast.BaseTerm) bool { return applies(a) && !e.bound(a) })
}

// premise calls emit with every extension of e that satisfies one premise.
func (m *Model) premise(t ast.Term, e *env, emit func(*env) error) error {
	switch t := t.(type) {
	case ast.Atom:
		if t.Predicate.IsBuiltin() {
			return builtin(t, e, emit)
		}
		return m.match(t, e, emit)
	case ast.NegAtom:
		if t.Atom.Predicate.IsBuiltin() {
			return absent(e, emit, func(found func(*env) error) error { return builtin(t.Atom, e, found) })
		}
		return absent(e, emit, func(found func(*env) error) error { return m.match(t.Atom, e, found) })
	case ast.Eq:
		left, right := t.Left, t.Right
		if !e.bound(left) {
			left, right = right, left
		}
		v, err := e.eval(left)
		if err != nil {
			return err
		}
		return unify(right, v, e, emit)
	case ast.Ineq:
		left, err := e.eval(t.Left)
		if err != nil {
			return err
		}
		right, err := e.eval(t.Right)
		if err != nil || left == right {
			return err
		}
		return emit(e)
	}
	return fmt.Errorf("premise %s is not of the language", t)
}

// absent calls emit with e unless search finds something.
func absent(e *env, emit func(*env) error, search func(func(*env) error) error) error {
	found := errors.New("found")
	switch err := search(func(*env) error { return found }); err {
	case nil:
		return emit(e)
	case found:
		return nil
	default:
		return err
	}
}

// unify matches a term with a value: a variable without a value takes it.
func unify(t ast.BaseTerm, v Value, e *env, emit func(*env) error) error {
	if x, ok := t.(ast.Variable); ok {
		if x.Symbol == "_" {
			return emit(e)
		}
		if !e.bound(x) {
			return emit(e.with(x.Symbol, v))
		}
	}
	w, err := e.eval(t)
	if err != nil || v != w {
		return err
	}
	return emit(e)
}

// unifyAll matches terms with the values of a row.
func unifyAll(ts []ast.BaseTerm, row Row, e *env, emit func(*env) error) error {
	if len(ts) == 0 {
		return emit(e)
	}
	return unify(ts[0], row[0], e, func(e *env) error { return unifyAll(ts[1:], row[1:], e, emit) })
}

// match finds the rows of a relation that an atom matches.
func (m *Model) match(a ast.Atom, e *env, emit func(*env) error) error {
	r := m.relations[a.Predicate.Symbol]
	if r == nil {
		return nil
	}
	rows := r.rows
	for c, arg := range a.Args {
		if !e.bound(arg) {
			continue
		}
		v, err := e.eval(arg)
		if err != nil {
			return err
		}
		if some := r.by[c][v]; len(some) < len(rows) {
			rows = some
		}
	}
	for _, row := range rows {
		if err := unifyAll(a.Args, row, e, emit); err != nil {
			return err
		}
	}
	return nil
}

// builtin decides a built-in predicate; some bind variables.
func builtin(a ast.Atom, e *env, emit func(*env) error) error {
	switch a.Predicate.Symbol {
	case ":list:member":
		list, err := e.eval(a.Args[1])
		if err != nil {
			return err
		}
		es, _ := elems(list)
		slices.SortFunc(es, Compare)
		for _, v := range slices.Compact(es) {
			if err := unify(a.Args[0], v, e, emit); err != nil {
				return err
			}
		}
		return nil
	case ":match_cons":
		list, err := e.eval(a.Args[0])
		if err != nil {
			return err
		}
		if cons, ok := list.(Cons); ok {
			return unifyAll(a.Args[1:], Row{cons.Head, cons.Tail}, e, emit)
		}
		return nil
	}
	row, err := e.head(a)
	if err != nil {
		return err
	}
	ok, err := test(a.Predicate.Symbol, row)
	if err != nil || !ok {
		return err
	}
	return emit(e)
}
