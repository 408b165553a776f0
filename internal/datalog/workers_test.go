package datalog_test

import (
	"context"
	"testing"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// The first round of a recursive relation may be large enough for all workers,
// and later rounds go on with what it made.
func TestLargeFirstRoundOfARecursion(t *testing.T) {
	const n = 40_000
	src := diag.NewSource("r.dl", []byte(`
Decl edge(X, Y) bound [/number, /number].
reach(X, Y) :- edge(X, Y).
reach(X, Z) :- reach(X, Y), X < 100, edge(Y, Z), Z < 110.
`))
	u, ds := datalog.Parse(src)
	if u == nil {
		t.Fatal(ds)
	}
	p, ds := datalog.Compile([]*datalog.Unit{u}, map[string]bool{"edge": true})
	if p == nil {
		t.Fatal(ds)
	}
	edge := &datalog.Table{Name: "edge", N: n, Cols: make([][]symbol.Value, 2), Distinct: true}
	for i := range n {
		edge.Cols[0] = append(edge.Cols[0], symbol.Value(i))
		edge.Cols[1] = append(edge.Cols[1], symbol.Value(i+1))
	}
	db, err := p.Eval(context.Background(), symbol.NewTable(), []*datalog.Table{edge}, []string{"reach"}, datalog.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	// Node i < 100 reaches i+1 to 109; the others only the next node.
	want := n
	for i := range 100 {
		want += 109 - i - 1
	}
	if got := db.Len("reach"); got != want {
		t.Errorf("%d rows, want %d", got, want)
	}
	if _, err := db.Prove("reach", []symbol.Value{3, 109}); err != nil {
		t.Error(err)
	}
}
