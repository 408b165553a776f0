package datalogtest

import (
	"fmt"
	"strings"
	"sync"

	"github.com/antlr4-go/antlr/v4"
	"github.com/google/mangle/ast"
	"github.com/google/mangle/parse"
	"github.com/google/mangle/parse/gen"

	"plancheck/internal/diag"
)

// Clause is a parsed clause and its place.
type Clause struct {
	ast.Clause
	Pos      diag.Position
	Premises []diag.Position // places of the body's premises
}

// ParseClauses reads the clauses of rule files. What it gives is shared and not to
// be changed: the tests of the rules ask for the same files again and again, and
// reading them takes longer than the rest.
func ParseClauses(srcs ...*diag.Source) ([]Clause, error) {
	var all []Clause
	for _, src := range srcs {
		key := read{src.Name, string(src.Text()[src.Start:])}
		known, ok := parsed.Load(key)
		if !ok {
			clauses, err := parseClauses(src, key.text)
			if err != nil {
				return nil, err
			}
			known, _ = parsed.LoadOrStore(key, clauses)
		}
		all = append(all, known.([]Clause)...)
	}
	return all, nil
}

// read is a rule file that has been read.
type read struct{ name, text string }

// parsed has the clauses of rule files.
var parsed sync.Map

func parseClauses(src *diag.Source, text string) ([]Clause, error) {
	unit, err := parse.Unit(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name, err)
	}
	trees := clauseTrees(text)
	if len(trees) != len(unit.Clauses) {
		return nil, fmt.Errorf("%s: %d clauses have %d places", src.Name, len(unit.Clauses), len(trees))
	}
	var all []Clause
	for i, c := range unit.Clauses {
		clause := Clause{Clause: c, Pos: place(src, trees[i].GetStart())}
		if body := trees[i].ClauseBody(); body != nil {
			for _, p := range body.AllLiteralOrFml() {
				clause.Premises = append(clause.Premises, place(src, p.GetStart()))
			}
		}
		all = append(all, clause)
	}
	return all, nil
}

// clauseTrees parses text that is known to be without errors; the tree has the
// places that Mangle's clauses lack.
func clauseTrees(text string) []gen.IClauseContext {
	lexer := gen.NewMangleLexer(antlr.NewInputStream(text))
	parser := gen.NewMangleParser(antlr.NewCommonTokenStream(lexer, 0))
	return parser.Program().AllClause()
}

func place(src *diag.Source, t antlr.Token) diag.Position {
	return diag.Position{File: src.Name, Line: t.GetLine(), Column: t.GetColumn() + 1}
}
