package datalogtest

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/google/mangle/ast"
)

// group is a group of rows: assignments of rowVars(body).
type group struct {
	key  *env // the variables of group_by
	rows []Row
}

// rowVars returns the variables that a body binds, in order of appearance:
// all but those that occur only under negation.
func rowVars(body []ast.Term) []string {
	var all []string
	free := map[string]bool{}
	for _, t := range body {
		vars := variables(t)
		all = append(all, vars...)
		if _, negated := t.(ast.NegAtom); !negated {
			for _, v := range vars {
				free[v] = true
			}
		}
	}
	var out []string
	for _, v := range all {
		if free[v] && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// hidden begins the names of variables that stand for wildcards.
const hidden = "_"

// named puts a variable for every wildcard of a positive atom of a relation:
// what a wildcard stands for tells rows apart.
func named(body []ast.Term) []ast.Term {
	body = slices.Clone(body)
	n := 0
	for i, t := range body {
		a, ok := t.(ast.Atom)
		if !ok || strings.HasPrefix(a.Predicate.Symbol, ":") {
			continue
		}
		a.Args = slices.Clone(a.Args)
		for k, arg := range a.Args {
			if arg.Equals(ast.Variable{Symbol: "_"}) {
				n++
				a.Args[k] = ast.Variable{Symbol: fmt.Sprint(hidden, n)}
			}
		}
		body[i] = a
	}
	return body
}

// variables lists the variables of a term, wildcards left out, with repeats.
func variables(t ast.Term) []string {
	var out []string
	terms := func(ts []ast.BaseTerm) {
		for _, t := range ts {
			out = append(out, variables(t)...)
		}
	}
	switch t := t.(type) {
	case ast.Variable:
		if t.Symbol != "_" {
			out = append(out, t.Symbol)
		}
	case ast.ApplyFn:
		terms(t.Args)
	case ast.Atom:
		terms(t.Args)
	case ast.NegAtom:
		terms(t.Atom.Args)
	case ast.Eq:
		terms([]ast.BaseTerm{t.Left, t.Right})
	case ast.Ineq:
		terms([]ast.BaseTerm{t.Left, t.Right})
	}
	return out
}

// groupsOf returns the groups of an aggregating clause, sorted by key, and the
// variables of their rows.
func (m *Model) groupsOf(c ast.Clause) ([]*group, []string, error) {
	c.Premises = named(c.Premises)
	vars := rowVars(c.Premises)
	seen := map[Value]bool{}
	byKey := map[Value]*group{}
	var keys []Value
	err := m.solve(c.Premises, nil, func(e *env) error {
		row, err := e.head(atomOf(vars))
		if err != nil || seen[List(row...)] {
			return err
		}
		seen[List(row...)] = true
		key, err := e.head(ast.Atom{Args: c.Transform.Statements[0].Fn.Args})
		if err != nil {
			return err
		}
		g := byKey[List(key...)]
		if g == nil {
			g = &group{}
			for i, v := range c.Transform.Statements[0].Fn.Args {
				g.key = g.key.with(v.(ast.Variable).Symbol, key[i])
			}
			byKey[List(key...)] = g
			keys = append(keys, List(key...))
		}
		g.rows = append(g.rows, row)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(keys, Compare)
	var out []*group
	for _, k := range keys {
		slices.SortFunc(byKey[k].rows, CompareRows)
		out = append(out, byKey[k])
	}
	return out, vars, nil
}

func atomOf(vars []string) ast.Atom {
	var a ast.Atom
	for _, v := range vars {
		a.Args = append(a.Args, ast.Variable{Symbol: v})
	}
	return a
}

// aggregate returns the heads of an aggregating clause, one a group.
func (m *Model) aggregate(c ast.Clause) ([]Row, error) {
	groups, vars, err := m.groupsOf(c)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, g := range groups {
		e, err := g.results(c, vars)
		if err != nil {
			return nil, err
		}
		row, err := e.head(c.Head)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// results binds the group's variables and the results of the lets.
func (g *group) results(c ast.Clause, vars []string) (*env, error) {
	e := g.key
	for _, let := range c.Transform.Statements[1:] {
		v, err := g.let(let.Fn, vars, e)
		if err != nil {
			return nil, err
		}
		e = e.with(let.Var.Symbol, v)
	}
	return e, nil
}

func (g *group) let(fn ast.ApplyFn, vars []string, e *env) (Value, error) {
	name := fn.Function.Symbol
	switch name {
	case "fn:count":
		return int64(len(g.rows)), nil
	case "fn:sum", "fn:min", "fn:max", "fn:collect", "fn:collect_distinct":
	default:
		return e.eval(fn)
	}
	if len(fn.Args) != 1 {
		return nil, fmt.Errorf("%s of %d arguments", name, len(fn.Args))
	}
	var values []Value
	for _, row := range g.rows {
		var rowEnv *env
		for i, v := range vars {
			rowEnv = rowEnv.with(v, row[i])
		}
		v, err := rowEnv.eval(fn.Args[0])
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	switch name {
	case "fn:collect":
		return List(values...), nil
	case "fn:collect_distinct":
		slices.SortFunc(values, Compare)
		return List(slices.Compact(values)...), nil
	}
	return reduce(name, values)
}

// reduce computes a sum, a least or a greatest number.
func reduce(name string, values []Value) (Value, error) {
	sum := new(big.Int)
	var nums []int64
	for _, v := range values {
		n, ok := v.(int64)
		if !ok {
			return nil, fmt.Errorf("%s of %s", name, Format(v))
		}
		nums = append(nums, n)
		sum.Add(sum, big.NewInt(n))
	}
	switch name {
	case "fn:min":
		return slices.Min(nums), nil
	case "fn:max":
		return slices.Max(nums), nil
	}
	if !sum.IsInt64() {
		return nil, fmt.Errorf("fn:sum: overflow")
	}
	return sum.Int64(), nil
}
