package datalogtest

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/mangle/ast"

	"plancheck/internal/symbol"
)

// Value is a constant: an int64, a string, a Name, or a list made of Cons and
// Nil. Values are equal in Go exactly when the constants are.
type Value any

// Name is a name such as /compute, with its leading slash.
type Name string

// Nil is the empty list.
type Nil struct{}

// Cons is a list with a first element and the list of the others.
type Cons struct{ Head, Tail Value }

// Row is a row of a relation.
type Row []Value

// List makes a list of values.
func List(elems ...Value) Value {
	var list Value = Nil{}
	for _, e := range slices.Backward(elems) {
		list = Cons{e, list}
	}
	return list
}

// elems returns the elements of a list, and false for other constants.
func elems(v Value) ([]Value, bool) {
	var out []Value
	for {
		switch c := v.(type) {
		case Nil:
			return out, true
		case Cons:
			out = append(out, c.Head)
			v = c.Tail
		default:
			return nil, false
		}
	}
}

func kind(v Value) symbol.Kind {
	switch v.(type) {
	case int64:
		return symbol.Number
	case string:
		return symbol.String
	case Name:
		return symbol.Name
	}
	return symbol.List
}

// Compare orders values: numbers by size, then strings, names and lists.
func Compare(a, b Value) int {
	if c := cmp.Compare(kind(a), kind(b)); c != 0 {
		return c
	}
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case string:
		return cmp.Compare(a, b.(string))
	case Name:
		return cmp.Compare(a, b.(Name))
	}
	as, _ := elems(a)
	bs, _ := elems(b)
	return slices.CompareFunc(as, bs, Compare)
}

// CompareRows orders rows column by column.
func CompareRows(a, b Row) int { return slices.CompareFunc(a, b, Compare) }

// Format writes a value in the syntax of the rule language.
func Format(v Value) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return ast.String(v).String()
	case Name:
		return string(v)
	}
	es, _ := elems(v)
	return "[" + formatRow(es) + "]"
}

func formatRow(row Row) string {
	parts := make([]string, len(row))
	for i, v := range row {
		parts[i] = Format(v)
	}
	return strings.Join(parts, ", ")
}

// FormatAtom writes a fact such as edge("a", "b").
func FormatAtom(pred string, row Row) string { return pred + "(" + formatRow(row) + ")" }

// FromSymbol reads a value of a symbol table.
func FromSymbol(t *symbol.Table, v symbol.Value) Value {
	switch t.Kind(v) {
	case symbol.Number:
		n, _ := t.Number(v)
		return n
	case symbol.String:
		return t.Text(v)
	case symbol.Name:
		return Name(t.Text(v))
	}
	return List(FromSymbols(t, t.Elems(v))...)
}

// FromSymbols reads a row of values of a symbol table.
func FromSymbols(t *symbol.Table, vs []symbol.Value) Row {
	row := make(Row, len(vs))
	for i, v := range vs {
		row[i] = FromSymbol(t, v)
	}
	return row
}

// ToSymbol interns a value.
func ToSymbol(t *symbol.Table, v Value) symbol.Value {
	switch v := v.(type) {
	case int64:
		return t.Int(v)
	case string:
		return t.String(v)
	case Name:
		return t.Name(string(v))
	}
	es, _ := elems(v)
	return t.List(ToSymbols(t, es))
}

// ToSymbols interns the values of a row.
func ToSymbols(t *symbol.Table, row Row) []symbol.Value {
	vs := make([]symbol.Value, len(row))
	for i, v := range row {
		vs[i] = ToSymbol(t, v)
	}
	return vs
}

// fromConstant reads a constant of a parsed program.
func fromConstant(c ast.Constant) (Value, error) {
	switch c.Type {
	case ast.NumberType:
		return c.NumberValue()
	case ast.StringType:
		return c.StringValue()
	case ast.NameType:
		s, err := c.NameValue()
		return Name(s), err
	}
	return nil, fmt.Errorf("constant %s is not of the language", c)
}
