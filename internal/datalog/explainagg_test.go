package datalog_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// Programs that compare values of aggregates, in all the ways in which that may
// be explained by fewer rows than all, and in some in which it may not.
var aggregating = []string{
	`bad(K) :- n(K, N), 2 < N.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:count().`,
	`bad(K, N) :- n(K, N), N < 2.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:count().`,
	`bad(K) :- n(K, N), N != 2.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:count().`,
	`bad(K) :- n(K, N), N > 4, N < 9.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:sum(V).`,
	`bad(K) :- n(K, N), N > 4, 5 <= N, s(K).
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:sum(V).`,
	`bad(K, N) :- n(K, N), 6 >= N, !s(K).
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:sum(V).`,
	`bad(K) :- n(K, N), N < 3.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:max(V).`,
	`bad(K) :- n(K, N), N > 2.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:max(V).`,
	`bad(K) :- n(K, N), N < 2.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:min(V).`,
	`bad(K) :- n(K, N), N > 1.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:min(V).`,
	`bad(K) :- n(K, N), n(L, M), N < M, K != L.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:sum(V).`,
	`bad(K) :- high(K), !s(K).
	 high(K) :- n(K, N), 3 < N.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:sum(V).`,
	`bad(K) :- s(K), !low(K).
	 low(K) :- n(K, N), N < 5.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:sum(V).`,
	`bad(K) :- n(K, N), 3 < N.
	 n(K, N) :- r(K, V), !s(V) |> do fn:group_by(K), let N = fn:sum(V).`,
	`bad(0) :- n(N), N < 4.
	 n(N) :- r(K, V), path(K, V) |> do fn:group_by(), let N = fn:count().
	 path(A, B) :- r(A, B).
	 path(A, B) :- path(A, C), r(C, B).`,
	`bad(K) :- r(K, _), !path(0, K).
	 path(A, B) :- r(A, B).
	 path(A, B) :- path(A, C), path(C, B).`,
	`bad(K) :- n(K, N), fn:minus(N, 2) > 1.
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:sum(V).`,
	`bad(K) :- n(K, N), N < 3, m(N).
	 m(2). m(1).
	 n(K, N) :- r(K, V) |> do fn:group_by(K), let N = fn:count().`,
	`bad(K) :- n(K, N), N < 2.
	 n(K, N) :- r(K, V), W = fn:minus(V, 2) |> do fn:group_by(K), let N = fn:sum(W).`,
}

func TestExplanationsOfAggregates(t *testing.T) {
	tries := 60
	if testing.Short() {
		tries = 10
	}
	for number, text := range aggregating {
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			explained, short, bounded := 0, 0, 0
			for seed := range tries {
				rng := rand.New(rand.NewPCG(uint64(seed), uint64(number)))
				w := aggregatingWorld(t, rng, text)
				may, err := w.program.May(context.Background(), w.syms, w.fixed, w.decided, nil, w.goals, never, datalog.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				all := allDecisions()
				dbs := make([]*datalog.Database, len(all))
				for i, d := range all {
					if dbs[i], err = w.eval(d); err != nil {
						t.Fatal(err)
					}
				}
				clauses, err := may.Forbid(context.Background(), "bad", 1000)
				if err != nil {
					t.Fatal(err)
				}
				amounts, err := may.Amounts(context.Background(), "bad")
				if err != nil {
					t.Fatal(err)
				}
				bounded += len(amounts)
				for i, d := range all {
					for _, a := range amounts {
						n := 0
						for _, l := range a.Lits {
							if d.holds(l) {
								n++
							}
						}
						if dbs[i].Len("bad") == 0 && n > 0 && (n < a.Least || n > a.Most) {
							t.Fatalf("seed %d: %+v does not hold under %b, where nothing is bad", seed, a, d)
						}
					}
					for _, clause := range clauses {
						if !slices.ContainsFunc(clause, d.holds) && dbs[i].Len("bad") == 0 {
							t.Fatalf("seed %d: clause %v does not hold under %b, where nothing is bad", seed, clause, d)
						}
					}
					for _, row := range dbs[i].Rows("bad") {
						lits, whole, err := may.Explain(context.Background(), dbs[i], "bad", row, d.holds)
						if err != nil {
							t.Fatal(err)
						}
						if explained++; whole {
							continue
						}
						if len(lits) < literals-1 {
							short++
						}
						for j, other := range all {
							if !slices.ContainsFunc(lits, func(l datalog.Lit) bool { return !other.holds(l) }) && dbs[j].Len("bad") == 0 {
								t.Fatalf("seed %d: %s under %b is explained by %v, but under %b nothing is bad", seed, w.syms.FormatAtom("bad", row), d, lits, other)
							}
						}
					}
				}
			}
			t.Logf("%d explained, %d by few literals; %d amounts", explained, short, bounded)
			if explained == 0 || number < 3 && bounded == 0 {
				t.Error("nothing was explained")
			}
		})
	}
}

// aggregatingWorld decides rows of r and s.
func aggregatingWorld(t *testing.T, rng *rand.Rand, text string) *world {
	w := &world{syms: symbol.NewTable(), goals: []string{"bad"}}
	unit, diags := datalog.Parse(diag.NewSource("agg.dl", []byte("Decl r(K, V).\nDecl s(K).\n"+text)))
	if unit == nil {
		t.Fatal(diags)
	}
	w.program, diags = datalog.Compile([]*datalog.Unit{unit}, map[string]bool{"r": true, "s": true})
	if w.program == nil {
		t.Fatal(diags)
	}
	r := &datalog.Table{Name: "r", Cols: make([][]symbol.Value, 2)}
	for range 3 + rng.IntN(6) {
		r.Cols[0] = append(r.Cols[0], w.syms.Int(rng.Int64N(3)))
		r.Cols[1] = append(r.Cols[1], w.syms.Int(rng.Int64N(6)))
		r.N++
	}
	s := &datalog.Table{Name: "s", Cols: make([][]symbol.Value, 1)}
	for range 1 + rng.IntN(4) {
		s.Cols[0] = append(s.Cols[0], w.syms.Int(rng.Int64N(4)))
		s.N++
	}
	w.decided = []*datalog.Decided{decide(rng, r), decide(rng, s)}
	return w
}
