package datalogtest

import (
	"bytes"
	"fmt"

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

// ParseClauses reads the clauses of rule files.
func ParseClauses(srcs ...*diag.Source) ([]Clause, error) {
	var all []Clause
	for _, src := range srcs {
		text := src.Text()[src.Start:]
		unit, err := parse.Unit(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", src.Name, err)
		}
		trees := clauseTrees(string(text))
		if len(trees) != len(unit.Clauses) {
			return nil, fmt.Errorf("%s: %d clauses have %d places", src.Name, len(unit.Clauses), len(trees))
		}
		for i, c := range unit.Clauses {
			clause := Clause{Clause: c, Pos: place(src, trees[i].GetStart())}
			if body := trees[i].ClauseBody(); body != nil {
				for _, p := range body.AllLiteralOrFml() {
					clause.Premises = append(clause.Premises, place(src, p.GetStart()))
				}
			}
			all = append(all, clause)
		}
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
