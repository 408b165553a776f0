package datalog

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// derive evaluates a program without facts from outside and returns the named
// relations as text.
func derive(t *testing.T, text string, goals ...string) string {
	t.Helper()
	u, ds := Parse(diag.NewSource("test.dl", []byte(text)))
	if len(ds) > 0 {
		t.Fatalf("Parse: %v", ds)
	}
	p, ds := Compile([]*Unit{u}, nil)
	if p == nil {
		t.Fatalf("Compile: %v", ds)
	}
	tab := symbol.NewTable()
	db, err := p.Eval(context.Background(), tab, nil, goals, Limits{})
	if err != nil {
		t.Fatalf("Eval: %v", err)
	}
	var out []string
	for _, g := range goals {
		for _, row := range db.Rows(g) {
			out = append(out, tab.FormatAtom(g, row))
			if _, err := db.Prove(g, row); err != nil {
				t.Errorf("Prove %s: %v", tab.FormatAtom(g, row), err)
			}
		}
	}
	return strings.Join(out, " ")
}

// The programs that Mangle's own evaluator gets wrong, and their right answers.
func TestWhatOtherEvaluatorsGetWrong(t *testing.T) {
	for _, c := range []struct{ name, program, goals, want string }{
		{"negation with a wildcard",
			`inst(1). inst(2). stage(1,0). missing(X) :- inst(X), !stage(X,_).`,
			"missing", "missing(2)"},
		{"mutual recursion",
			`s(0). nxt(0,1). nxt(1,2). nxt(2,3). nxt(3,4). a(X) :- s(X). b(X) :- s(X).
			a(Y) :- a(X), nxt(X,Y), ok(X). b(Y) :- b(X), nxt(X,Y), ok(X).
			ok(X) :- s(X). ok(X) :- both(X). both(X) :- a(X), b(X).`,
			"both", "both(0) both(1) both(2) both(3) both(4)"},
		{"nonlinear recursion",
			`e(1,1). dbl(1,2). dbl(2,4). dbl(4,8). dbl(8,16). d(X,X) :- e(X,X). d(Y,Y) :- d(X,X), d(X,Z), dbl(Z,Y).`,
			"d", "d(1, 1) d(2, 2) d(4, 4) d(8, 8) d(16, 16)"},
		{"two aggregations with one head",
			`p(1,10). p(1,20). r(1,5). z(1).
			tot(X,T) :- p(X,B), z(X) |> do fn:group_by(X), let T = fn:sum(B).
			tot(X,T) :- r(X,Q), z(X) |> do fn:group_by(X), let T = fn:count().`,
			"tot", "tot(1, 1) tot(1, 30)"},
		{"repeated variable in an aggregation",
			`p(1,1). p(1,2). p(2,1). q(N) :- p(X,X) |> do fn:group_by(), let N = fn:count().`,
			"q", "q(1)"},
		{"a key just below all that are there",
			`n(5). n(Y) :- n(X), X < 3000, Y = fn:plus(X, 1). a(X,X) :- n(X). b(4). b(7). q(Y) :- b(X), a(X,Y).`,
			"q", "q(7)"},
		{"comparison before its atom",
			`p(1). p(5). q(X) :- X != 1, p(X).`,
			"q", "q(5)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, derive(t, c.program, c.goals)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
