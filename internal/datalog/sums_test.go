package datalog_test

import (
	"context"
	"strings"
	"testing"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// sums evaluates a rule over numbers from 0 to below n, enough for all workers.
func sums(t *testing.T, n int, rule string) (*datalog.Database, *symbol.Table, error) {
	t.Helper()
	u, ds := datalog.Parse(diag.NewSource("r.dl", []byte("Decl number(X) bound [/number].\n"+rule)))
	if u == nil {
		t.Fatal(ds)
	}
	p, ds := datalog.Compile([]*datalog.Unit{u}, map[string]bool{"number": true})
	if p == nil {
		t.Fatal(ds)
	}
	table := &datalog.Table{Name: "number", N: n, Cols: make([][]symbol.Value, 1), Distinct: true}
	for i := range n {
		table.Cols[0] = append(table.Cols[0], symbol.Value(i))
	}
	syms := symbol.NewTable()
	db, err := p.Eval(context.Background(), syms, []*datalog.Table{table}, []string{"result"}, datalog.Limits{})
	return db, syms, err
}

// Workers that would make constants leave it to one that makes them in the order
// of rows.
func TestSumsThatAreConstants(t *testing.T) {
	const n, less = 100_000, 50_000
	db, syms, err := sums(t, n, `result(X, Y) :- number(X), Y = fn:minus(X, 50000).`)
	if err != nil {
		t.Fatal(err)
	}
	if db.Len("result") != n {
		t.Fatalf("%d rows, want %d", db.Len("result"), n)
	}
	before := syms.Int(-less)
	for _, row := range db.Rows("result") {
		x, _ := syms.Number(row[0])
		if y, _ := syms.Number(row[1]); y != x-less {
			t.Fatalf("%d - %d is not %d", x, less, y)
		}
		if want := before + symbol.Value(x); x < less && row[1] != want {
			t.Fatalf("%d is constant %d, not %d", x-less, row[1], want)
		}
	}
}

// An error of a sum is told as ever.
func TestSumsThatOverflow(t *testing.T) {
	_, _, err := sums(t, 100_000, `result(X) :- number(X), Y = fn:plus(X, 9223372036854725807), 0 < Y.`)
	if err == nil || !strings.Contains(err.Error(), "50001 + 9223372036854725807") {
		t.Errorf("the error is %v", err)
	}
}
