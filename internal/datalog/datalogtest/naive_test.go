package datalogtest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
)

// evalText evaluates a program without given rows.
func evalText(t *testing.T, text string) (*Model, error) {
	t.Helper()
	clauses, err := ParseClauses(diag.NewSource("test.dl", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	return Eval(clauses, nil, 1000)
}

// TestNaive compares with answers worked out by hand.
func TestNaive(t *testing.T) {
	for _, c := range Worked() {
		m, err := evalText(t, c.Program)
		if err != nil {
			t.Errorf("%s\n%v", c.Program, err)
			continue
		}
		var got []string
		for _, row := range m.Rows(c.Relation) {
			got = append(got, FormatAtom("", row))
		}
		if diff := cmp.Diff(c.Want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s\n%s: -want +got:\n%s", c.Program, c.Relation, diff)
		}
	}
}

func TestNaiveErrors(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{`p(1). q(X) :- p(X), !q(X).`, "q depends on its own absence"},
		{`p(1). q(N) :- q(X), p(X) |> do fn:group_by(), let N = fn:count().`, "q depends on its own absence"},
		{`p(9223372036854775807). q(fn:plus(X, 1)) :- p(X).`, "overflow"},
		{`p(9223372036854775807). q(fn:plus(X, 1, -1)) :- p(X).`, "overflow"},
		{`p(-9223372036854775808). q(fn:div(X, -1)) :- p(X).`, "overflow"},
		{`p(1, 9223372036854775807). p(2, 1). q(S) :- p(X, Y) |> do fn:group_by(), let S = fn:sum(Y).`, "overflow"},
		{`p(0). q(fn:div(1, X)) :- p(X).`, "division by zero"},
		{`p("a"). q(X) :- p(X), X < 1.`, "compares"},
		{`p(1). q(X) :- p(X), Y < 1.`, "no value"},
		{`p(1). q(Y) :- p(X), !q2(Y).`, "no value"},
		{`p([1]). q(fn:list:get(X, 1)) :- p(X).`, "no element 1"},
		{`n(0). n(Y) :- n(X), Y = fn:plus(X, 1).`, "too many rows"},
	} {
		_, err := evalText(t, c.program)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot %v, want %s", c.program, err, c.want)
		}
	}
}
