package datalog

import (
	"time"

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

// RuleError is an evaluation that a rule made impossible: an overflow, a
// division by zero, a limit.
type RuleError struct {
	diag.Diagnostic
}

func (e *RuleError) Error() string { return e.Message }
