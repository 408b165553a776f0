package datalog_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/datalog"
	"plancheck/internal/datalog/datalogtest"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// largeProgram walks relations on tables that do not fit small cases: joins,
// existence, repeated rows, recursion, groups.
const largeProgram = `
Decl edge(From, To) bound [/number, /number].
Decl label(Node, Label) bound [/number, /string].
Decl start(Node) bound [/number].
hop(X, Z) :- edge(X, Y), edge(Y, Z), X < Z.
leaf(X) :- edge(_, X), !edge(X, _).
odd(X, L) :- label(X, L), !edge(X, X), !label(_, L).
same(X, Y) :- edge(X, Y), label(X, L), label(Y, L), X != Y.
reach(X) :- start(X).
reach(Y) :- reach(X), edge(X, Y).
far(X, D) :- start(X), D = 0.
far(Y, fn:plus(D, 1)) :- far(X, D), edge(X, Y), D < 4.
near(Y, D) :- far(Y, E) |> do fn:group_by(Y), let D = fn:min(E).
path(X, Y) :- edge(X, Y), X < 200, Y < 200.
path(X, Z) :- path(X, Y), path(Y, Z).
out(X, N, S) :- edge(X, Y) |> do fn:group_by(X), let N = fn:count(), let S = fn:sum(Y).
labels(L, N, A, B) :- label(X, L), edge(X, Y) |> do fn:group_by(L), let N = fn:count(), let A = fn:min(Y), let B = fn:max(Y).
fan(N, C) :- out(X, N, _) |> do fn:group_by(N), let C = fn:count().
lonely(X) :- label(X, _), !reach(X).
all(N) :- edge(_, Y), label(Y, _) |> do fn:group_by(), let N = fn:count().
`

func TestLargeTables(t *testing.T) {
	goals := []string{"hop", "leaf", "odd", "same", "reach", "near", "path", "out", "labels", "fan", "lonely", "all"}
	for seed, spread := range []int64{4000, 1 << 20, 1 << 40} {
		t.Run(fmt.Sprint(spread), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(seed), 0))
			syms := symbol.NewTable()
			node := func() symbol.Value { return syms.Int(r.Int64N(4000) * (spread / 4000)) }
			table := func(name string, n int, cols ...func() symbol.Value) *datalog.Table {
				t := &datalog.Table{Name: name, N: n, Cols: make([][]symbol.Value, len(cols))}
				for range n {
					for c, col := range cols {
						t.Cols[c] = append(t.Cols[c], col())
					}
				}
				return t
			}
			tables := []*datalog.Table{
				table("edge", 12_000, node, node),
				table("label", 5000, node, func() symbol.Value { return syms.String(fmt.Sprint("l", r.IntN(500))) }),
				table("start", 5, node),
			}
			srcs := []*diag.Source{diag.NewSource("large.dl", []byte(largeProgram))}
			ch, err := datalogtest.NewChecker(srcs, syms, tables, 0)
			if err != nil {
				t.Fatal(err)
			}
			db, diff := evaluate(srcs, syms, tables, map[string]bool{"edge": true, "label": true, "start": true}, goals)
			if diff != "" {
				t.Fatal(diff)
			}
			for _, goal := range goals {
				want, rows := ch.Model.Rows(goal), db.Rows(goal)
				if len(want) != len(rows) {
					t.Errorf("%s has %d rows, not %d", goal, len(rows), len(want))
					continue
				}
				for i, row := range rows {
					if got := datalogtest.FromSymbols(syms, row); !slices.Equal(got, want[i]) {
						t.Errorf("row %d is %s, not %s", i, datalogtest.FormatAtom(goal, got), datalogtest.FormatAtom(goal, want[i]))
						break
					}
				}
				for range min(20, len(rows)) {
					row := rows[r.IntN(len(rows))]
					proof, err := db.Prove(goal, row)
					if err == nil {
						err = ch.Check(proof)
					}
					if err != nil {
						t.Errorf("%s: %v", syms.FormatAtom(goal, row), err)
					}
				}
			}
		})
	}
}

// TestManyGroups sums over more keys than a 32-bit hash keeps apart.
func TestManyGroups(t *testing.T) {
	const keys = 300_000
	syms := symbol.NewTable()
	p := &datalog.Table{Name: "p", N: 2 * keys, Cols: make([][]symbol.Value, 2)}
	for i := range int64(2 * keys) {
		p.Cols[0] = append(p.Cols[0], syms.Int(i%keys*1_000_003_000_007))
		p.Cols[1] = append(p.Cols[1], syms.Int(i))
	}
	srcs := []*diag.Source{diag.NewSource("groups.dl", []byte(
		"Decl p(K, V) bound [/number, /number].\nq(K, S) :- p(K, V) |> do fn:group_by(K), let S = fn:sum(V)."))}
	db, diff := evaluate(srcs, syms, []*datalog.Table{p}, map[string]bool{"p": true}, []string{"q"})
	if diff != "" {
		t.Fatal(diff)
	}
	rows := db.Rows("q")
	if len(rows) != keys {
		t.Fatalf("%d groups, not %d", len(rows), keys)
	}
	for i, row := range rows {
		k, _ := syms.Number(row[0])
		s, _ := syms.Number(row[1])
		if n := int64(i); k != n*1_000_003_000_007 || s != 2*n+keys {
			t.Fatalf("group %d is %d with sum %d", i, k, s)
		}
	}
}

// TestSameRowsWhateverTheInterning evaluates twice: what comes out does not depend on the order in
// which constants were met.
func TestSameRowsWhateverTheInterning(t *testing.T) {
	text := `p("b"). p("a"). p(/n). p(-5). p(4). p([2]). p([1, 3]). p(99999999999).
		q(X, Y) :- p(X), p(Y), X != Y.
		c(L) :- q(X, _) |> do fn:group_by(), let L = fn:collect_distinct(X).`
	run := func(before ...string) string {
		syms := symbol.NewTable()
		for _, s := range before {
			syms.String(s)
		}
		syms.Int(int64(-len(before)))
		p := compiled(t, text)
		db, err := p.Eval(context.Background(), syms, nil, []string{"q", "c"}, datalog.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var out string
		for _, goal := range []string{"q", "c"} {
			for _, row := range db.Rows(goal) {
				proof, err := db.Prove(goal, row)
				if err != nil {
					t.Fatal(err)
				}
				out += proofText(syms, proof, "")
			}
		}
		return out
	}
	if diff := cmp.Diff(run(), run("c", "b", "a", "z")); diff != "" {
		t.Error(diff)
	}
}
