package datalog_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// compiled compiles a program that has no errors.
func compiled(t *testing.T, text string) *datalog.Program {
	t.Helper()
	unit, ds := datalog.Parse(diag.NewSource("rules.dl", []byte(text)))
	if len(ds) > 0 {
		t.Fatalf("%s\n%s", text, diagText(ds))
	}
	p, ds := datalog.Compile([]*datalog.Unit{unit}, nil)
	if p == nil {
		t.Fatalf("%s\n%s", text, diagText(ds))
	}
	return p
}

// TestEvaluationErrors has programs that cannot be evaluated. The rule at
// fault is in line 2; each message names its relation and the row.
func TestEvaluationErrors(t *testing.T) {
	const most, least = "9223372036854775807", "-9223372036854775808"
	for _, c := range []struct {
		name, program string
		want          []string
	}{
		{"plus", "p(" + most + ").\nq(Y) :- p(X), Y = fn:plus(X, 1).", []string{"q", "64-bit", "X = " + most}},
		{"plus in the head", "p(" + most + ").\nq(fn:plus(X, 1)) :- p(X).", []string{"q", "64-bit", "X = " + most}},
		{"plus on the way", "p(" + most + ").\nq(fn:plus(X, 1, -1)) :- p(X).", []string{"q", "64-bit", "X = " + most}},
		{"plus of negatives", "p(" + least + ").\nq(fn:plus(-1, X)) :- p(X).", []string{"q", "64-bit", "X = " + least}},
		{"plus in a comparison", "p(" + most + ").\nq(X) :- p(X), fn:plus(X, 1) > 0.", []string{"q", "64-bit", "X = " + most}},
		{"plus in a negation", "p(" + most + ").\nq(X) :- p(X), !p(fn:plus(X, 1)).", []string{"q", "64-bit", "X = " + most}},
		{"plus in an atom", "p(" + most + ").\nq(X) :- p(X), p(fn:plus(X, 1)).", []string{"q", "64-bit", "X = " + most}},
		{"minus", "p(" + least + ").\nq(fn:minus(X, 1)) :- p(X).", []string{"q", "64-bit", "X = " + least}},
		{"negative", "p(" + least + ").\nq(fn:minus(X)) :- p(X).", []string{"q", "64-bit", "X = " + least}},
		{"mult", "p(4294967296).\nq(fn:mult(X, X)) :- p(X).", []string{"q", "64-bit", "X = 4294967296"}},
		{"mult by -1", "p(" + least + ").\nq(fn:mult(-1, X)) :- p(X).", []string{"q", "64-bit", "X = " + least}},
		{"div", "p(" + least + ").\nq(fn:div(X, -1)) :- p(X).", []string{"q", "64-bit", "X = " + least}},
		{"div by zero", "p(7, 0).\nq(fn:div(X, Y)) :- p(X, Y).", []string{"q", "7 / 0", "zero", "Y = 0"}},
		{"let", "p(" + most + ").\nq(Y) :- p(X) |> let Y = fn:plus(X, 1).", []string{"q", "64-bit", "X = " + most}},
		{"sum", "p(7, " + most + "). p(7, 1). p(8, 1).\nq(X, S) :- p(X, Y) |> do fn:group_by(X), let S = fn:sum(Y).", []string{"q", "fn:sum", "64-bit", "X = 7"}},
		{"let behind a sum", "p(7, " + most + ").\nq(X, T) :- p(X, Y) |> do fn:group_by(X), let S = fn:sum(Y), let T = fn:plus(S, 1).", []string{"q", "64-bit", "X = 7"}},
		{"fact", "p(1).\nq(fn:plus(" + most + ", 1)).", []string{"q", "64-bit"}},
		{"no such element", "p([1]).\nq(fn:list:get(L, 1)) :- p(L).", []string{"q", "no element 1", "L = [1]"}},
		{"no element before the first", "p([1]).\nq(fn:list:get(L, -1)) :- p(L).", []string{"q", "no element -1", "L = [1]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := compiled(t, c.program).Eval(context.Background(), symbol.NewTable(), nil, []string{"q"}, datalog.Limits{})
			ruleError(t, err, 2, c.want)
		})
	}
}

// ruleError checks the place and the message of a RuleError.
func ruleError(t *testing.T, err error, line int, want []string) {
	t.Helper()
	var re *datalog.RuleError
	if !errors.As(err, &re) {
		t.Fatalf("got %v, not a RuleError", err)
	}
	got := diag.Position{File: "rules.dl", Line: line, Column: 1}
	if diff := cmp.Diff(got, re.Pos); diff != "" || re.Severity != diag.Error || re.Code == "" || re.Snippet == "" {
		t.Errorf("got %s%s", diagText([]diag.Diagnostic{re.Diagnostic}), diff)
	}
	for _, w := range want {
		if !strings.Contains(re.Message, w) {
			t.Errorf("message %q does not contain %q", re.Message, w)
		}
	}
}

// TestNoErrorWhereNothingIsEvaluated has terms that would fail but for rows
// that do not exist.
func TestNoErrorWhereNothingIsEvaluated(t *testing.T) {
	for _, text := range []string{
		`p(9223372036854775807). q(X) :- p(X), !p(X), fn:plus(X, 1) > 0.`,
		`Decl r(X) bound [/number]. p(0). q(X) :- p(X), r(X), fn:div(1, X) > 0.`,
		`p(9223372036854775807). r(1). q(Y) :- p(X), r(X), Y = fn:plus(X, 1).`,
		`p(9223372036854775807). r(1). q(S) :- p(X), r(X) |> do fn:group_by(), let S = fn:plus(9223372036854775807, 1).`,
	} {
		db, err := compiled(t, text).Eval(context.Background(), symbol.NewTable(), nil, []string{"q"}, datalog.Limits{})
		if err != nil || db.Len("q") != 0 {
			t.Errorf("%s\n%v", text, err)
		}
	}
}

// TestRunaway stops rules that would derive forever.
func TestRunaway(t *testing.T) {
	const numbers = "n(0).\nn(Y) :- n(X), Y = fn:plus(X, 1)."
	for _, c := range []struct {
		name, program string
		limits        datalog.Limits
		want          []string
	}{
		{"facts", numbers, datalog.Limits{Facts: 1000}, []string{"n", "1000 facts", "growing"}},
		{"bytes", numbers, datalog.Limits{Bytes: 1 << 20}, []string{"n", "memory", "growing"}},
		{"time", numbers, datalog.Limits{Time: 50 * time.Millisecond}, []string{"n", "50ms"}},
		{"lists", "n([]).\nn(fn:list:cons(1, X)) :- n(X).", datalog.Limits{Facts: 1000}, []string{"n", "1000 facts", "growing"}},
		{"long lists", "n([]).\nn(fn:list:cons(1, X)) :- n(X).", datalog.Limits{Bytes: 1 << 20, Facts: 10_000}, []string{"n", "memory", "growing"}},
		{"long strings", "n(\"\").\nn(fn:string:concat(X, \"" + strings.Repeat("a", 2000) + "\")) :- n(X).", datalog.Limits{Bytes: 1 << 20, Facts: 300}, []string{"n", "memory", "growing"}},
		{"a product", "r(1). r(2). r(3). r(4). r(5). r(6). r(7). r(8). r(9). r(10).\nn(A, B, C, D, E, F, G) :- r(A), r(B), r(C), r(D), r(E), r(F), r(G).",
			datalog.Limits{Time: 50 * time.Millisecond}, []string{"n"}},
		{"a product without rows", "r(1). r(2). r(3). r(4). r(5). r(6). r(7). r(8). r(9). r(10).\nn() :- r(A), r(B), r(C), r(D), r(E), r(F), r(G), r(H), r(I), fn:plus(A, B, C, D, E, F, G, H, I) > 90.",
			datalog.Limits{Time: 50 * time.Millisecond}, []string{"n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			_, err := compiled(t, c.program).Eval(context.Background(), symbol.NewTable(), nil, []string{"n"}, c.limits)
			ruleError(t, err, 2, c.want)
			if took := time.Since(start); took > time.Minute {
				t.Errorf("stopped after %v", took)
			}
		})
	}
}

// TestGoalsLimitWhatIsEvaluated leaves out a rule that would never end.
func TestGoalsLimitWhatIsEvaluated(t *testing.T) {
	p := compiled(t, `p(1). q(X) :- p(X). n(0). n(Y) :- n(X), Y = fn:plus(X, 1).`)
	db, err := p.Eval(context.Background(), symbol.NewTable(), nil, []string{"q"}, datalog.Limits{Facts: 1000})
	if err != nil || db.Len("q") != 1 {
		t.Errorf("got %v", err)
	}
}

// TestCancel ends an evaluation from outside: a deadline names the rule, an
// interruption is the caller's own error.
func TestCancel(t *testing.T) {
	p := compiled(t, "n(0).\nn(Y) :- n(X), Y = fn:plus(X, 1).")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := p.Eval(ctx, symbol.NewTable(), nil, []string{"n"}, datalog.Limits{})
	var rule *datalog.RuleError
	if !errors.As(err, &rule) || rule.Pos.Line != 2 || !strings.Contains(rule.Message, "time ran out") {
		t.Errorf("a deadline: %v", err)
	}
	gone, end := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, end)
	_, err = p.Eval(gone, symbol.NewTable(), nil, []string{"n"}, datalog.Limits{})
	if diff := cmp.Diff(context.Canceled, err, cmpopts.EquateErrors()); diff != "" {
		t.Error(diff)
	}
}
