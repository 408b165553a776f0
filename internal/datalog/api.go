package datalog

import (
	"context"
	"errors"
	"time"

	"github.com/google/mangle/ast"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// Table is a relation given from outside: columns of equal length.
type Table struct {
	Name string
	Cols [][]symbol.Value // one slice a column; rows are not copied
	N    int              // number of rows (a relation without columns may have one)
	// Distinct promises that no row occurs twice. Otherwise Eval drops repeats
	// where they would be seen.
	Distinct bool
}

// Row copies row i.
func (t *Table) Row(i int) []symbol.Value {
	row := make([]symbol.Value, len(t.Cols))
	for c, col := range t.Cols {
		row[c] = col[i]
	}
	return row
}

// Limits end a runaway evaluation with an error that names the growing rule.
// Zero means no limit.
type Limits struct {
	Facts int           // derived rows
	Bytes int64         // memory of derived rows and indexes, estimated
	Time  time.Duration // wall time
}

// Unit is a parsed rule file.
type Unit struct {
	Source *diag.Source
}

// Relation is a relation that a program declares, with or without rules.
type Relation struct {
	Name    string
	Cols    []string // variables of its Decl
	Descr   []ast.Atom
	Derived bool // has rules or stated facts
	Unit    *Unit
	Pos     diag.Position // of its Decl
	Clauses []string      // source text of its rules
}

// Program is a compiled set of units.
type Program struct{}

// Database holds the result of an evaluation and proves its rows.
type Database struct{}

// Parse reads one rule file. The diagnostics are errors with positions.
func Parse(src *diag.Source) (*Unit, []diag.Diagnostic) { return nil, nil }

// Compile checks the units together and plans the joins. Relations named in
// given are filled from outside. A Program is returned unless a diagnostic is
// an error; warnings may come with it.
func Compile(units []*Unit, given map[string]bool) (*Program, []diag.Diagnostic) { return nil, nil }

// Relations lists all declared relations in order of declaration.
func (p *Program) Relations() []Relation { return nil }

// Reads returns the names of the relations without rules that the goals depend
// on, and the number of rules that would be evaluated for them.
func (p *Program) Reads(goals []string) (given []string, rules int) { return nil, 0 }

// Eval derives the goals from the tables. Numbers and strings are those of
// syms. Errors are *RuleError where a rule is at fault.
func (p *Program) Eval(ctx context.Context, syms *symbol.Table, tables []*Table, goals []string, limits Limits) (*Database, error) {
	return nil, errors.New("no evaluator")
}

// RuleError is an evaluation that a rule made impossible: an overflow, a
// division by zero, a limit.
type RuleError struct {
	diag.Diagnostic
}

func (e *RuleError) Error() string { return e.Message }

// Rows returns the rows of a relation, sorted.
func (d *Database) Rows(relation string) [][]symbol.Value { return nil }

// Len returns the number of rows of a relation.
func (d *Database) Len(relation string) int { return 0 }

// Prove returns the proof of a row of a relation.
func (d *Database) Prove(relation string, row []symbol.Value) (*diag.Proof, error) {
	return nil, errors.New("no prover")
}
