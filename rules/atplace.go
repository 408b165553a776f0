package rules

import (
	"slices"

	"github.com/google/mangle/ast"

	"plancheck/facts"
	"plancheck/internal/diag"
)

// at reads at("relation", Var, _, 0, ...).
func (m *metadata) at(args []ast.BaseTerm) {
	var name string
	if len(args) > 0 {
		if c, ok := args[0].(ast.Constant); ok && c.Type == ast.StringType {
			name = c.Symbol
		}
	}
	all := facts.Relations()
	i := slices.IndexFunc(all, func(r facts.Relation) bool { return r.Name == name })
	if i < 0 {
		m.notAFact(name, all)
		return
	}
	if all[i].OfParent() {
		m.fail("at(..) names %s, which is of the parent plan; findings are shown in the plan that is judged", name)
		return
	}
	cols := all[i].Cols
	if n := len(cols); len(args)-1 > n {
		m.fail("at(..) gives %s for the %s of %s", diag.Counted(len(args)-1, "value"), diag.Counted(n, "column"), name)
		return
	}
	place := Place{Relation: name}
	for k, a := range args[1:] {
		c, have, ok := m.placeColumn(a)
		if !ok {
			return
		}
		if want := typeName(cols[k].Type); have != "" && have != want {
			m.fail("at(..): column %s of %s is a %s, but %v is a %s", cols[k].Name, name, want, a, have)
			continue
		}
		place.Cols = append(place.Cols, c)
	}
	m.invariant.At = &place
}

// notAFact says why a relation has no places.
func (m *metadata) notAFact(name string, all []facts.Relation) {
	if name == "" {
		m.fail("at(..) begins with the name of a relation of facts in quotes, such as at(\"op\", Op)")
		return
	}
	if m.derived[name] {
		m.fail("at(..) names %s, which rules derive; only facts have places in the plan, such as op or instance", name)
		return
	}
	var names []string
	for _, r := range all {
		names = append(names, r.Name)
	}
	near := "; \"plancheck rules\" lists them"
	if n := diag.Nearest(name, slices.Values(names)); n != "" {
		near = "; did you mean " + n + "?"
	}
	m.fail("at(..) names %s, but there is no such relation of facts%s", name, near)
}

// typeName is the word of the rule compiler for the type of a column.
func typeName(t facts.Type) string {
	switch t {
	case facts.Number:
		return "number"
	case facts.String:
		return "string"
	}
	return "name"
}

// placeColumn reads one value of at(..), and says of which type it is; "" where
// it may be of any.
func (m *metadata) placeColumn(a ast.BaseTerm) (c PlaceColumn, valueType string, ok bool) {
	switch a := a.(type) {
	case ast.Variable:
		if a.Symbol == "_" {
			return PlaceColumn{Any: true}, "", true
		}
		i := slices.Index(m.relation.Cols, a.Symbol)
		if i < 0 {
			m.fail("at(..) names %s, which is no column; there are %s", a.Symbol, m.columns())
			return PlaceColumn{}, "", false
		}
		valueType = m.relation.Types[i]
		if valueType == "unknown" || valueType == "any value" {
			valueType = ""
		}
		return PlaceColumn{Var: a.Symbol}, valueType, true
	case ast.Constant:
		switch a.Type {
		case ast.NumberType:
			return PlaceColumn{Constant: &a}, "number", true
		case ast.StringType:
			return PlaceColumn{Constant: &a}, "string", true
		case ast.NameType:
			return PlaceColumn{Constant: &a}, "name", true
		}
	}
	m.fail("at(..) takes columns, _, integers, strings and names only")
	return PlaceColumn{}, "", false
}
