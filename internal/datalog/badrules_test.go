package datalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
)

// said is one expected diagnostic: its severity and place, its code, and a
// part of its message.
type said struct{ place, code, part string }

// TestBadRules has rule files with mistakes and all that is said about them.
func TestBadRules(t *testing.T) {
	for _, c := range []struct {
		name, text string
		given      string // names of given relations
		want       []said
	}{
		// What does not parse.
		{"no full stop", "p(1).\nq(X) :- p(X)", "", []said{{"error 2:13", "rule-syntax", "full stop"}}},
		{"two commas", "p(1).\nq(X) :- p(X),, p(X).", "", []said{{"error 2:14", "rule-syntax", "','"}}},
		{"column counts characters", "p(\"éü\"), .", "", []said{{"error 1:8", "rule-syntax", "','"}}},
		{"behind a byte-order mark", "\ufeffp(1),", "", []said{{"error 1:5", "rule-syntax", "full stop"}}},
		{"CRLF", "p(1).\r\n\r\n  p(2),", "", []said{{"error 3:7", "rule-syntax", "full stop"}}},
		{"number out of range", "p(9223372036854775808).", "", []said{{"error 1:3", "rule-syntax", "out of range"}}},
		{"a predicate that is a keyword", "let(1).", "", []said{{"error 1:1", "rule-syntax", "'let'"}}},
		{"a body that is a variable", "q(X) :- X.", "", []said{{"error 1:9", "rule-syntax", "X"}}},
		{"an atom that is compared", "p(1). q(X) :- p(X), p(X) = 2.", "", []said{{"error 1:21", "rule-syntax", "p(X)"}}},

		// Names.
		{"unknown relation", "edge(1, 2).\nq(X) :- edge(X, _), egde(X, _).", "", []said{{"error 2:21", "rule-unknown-relation", "egde; did you mean edge?"}}},
		{"unknown relation under negation", "edge(1, 2).\nq(X) :- edge(X, _), !egde(X, _).", "", []said{{"error 2:21", "rule-unknown-relation", "egde; did you mean edge?"}}},
		{"unknown relation like no other", "edge(1, 2).\nq(X) :- placement(X).", "", []said{{"error 2:9", "rule-unknown-relation", "placement"}}},
		{"wrong arity", "Decl edge(From, To) bound [/number, /number].\nq(X) :- edge(X).", "edge", []said{{"error 2:9", "rule-arity", "edge has 2 columns (From, To), not 1"}}},
		{"wrong arity of a fact", "edge(1, 2).\nedge(1).", "", []said{{"error 2:1", "rule-arity", "edge has 2 columns"}}},
		{"wrong arity of a function", "p(1).\nq(X) :- p(X), fn:list:len(X, X) > 1.", "", []said{{"error 2:15", "rule-arity", "fn:list:len"}}},
		{"unknown function", "p(1).\nq(X) :- p(X), X = fn:sqr(X).", "", []said{{"error 2:15", "rule-unknown-function", "fn:sqr"}}},
		{"unknown built-in", "p(1).\nq(X) :- p(X), :even(X).", "", []said{{"error 2:15", "rule-unsupported", ":even"}}},
		{"misspelt function", "p(1).\nq(N) :- p(X) |> do fn:group_by(), let N = fn:cuont().", "", []said{{"error 2:1", "rule-unknown-function", "fn:cuont is unknown or not supported; did you mean fn:count?"}}},
		{"function without its family", "p(1).\nq(X) :- p(X), fn:len(X) = 1.", "", []said{{"error 2:15", "rule-unknown-function", "did you mean fn:list:len?"}}},
		{"function by another name", "p(1).\nq(X) :- p(X), fn:add(X, 1) = 1.", "", []said{{"error 2:15", "rule-unknown-function", "did you mean fn:plus?"}}},
		{"misspelt built-in", "p(\"a\").\nq(X) :- p(X), :string:startswith(X, \"b\").", "", []said{{"error 2:15", "rule-unsupported", "did you mean :string:starts_with?"}}},
		{"type of another language", "Decl p(X) bound [/int].\np(1).", "", []said{{"error 1:1", "rule-type", "there is no type /int; did you mean /number?"}}},
		{"misspelt type", "Decl p(X) bound [/strng].\np(\"a\").", "", []said{{"error 1:1", "rule-type", "there is no type /strng; did you mean /string?"}}},
		{"declared twice", "Decl p(X) bound [/number].\nDecl p(X) bound [/number].\np(1).", "", []said{{"error 2:1", "rule-redeclared", "p is declared before, at rules.dl:1"}}},
		{"declared with another arity", "Decl p(X) bound [/number].\nDecl p(X, Y) bound [/number, /number].\np(1).", "", []said{{"error 2:1", "rule-redeclared", "p is declared before, at rules.dl:1"}}},
		{"rule for a given relation", "Decl p(X) bound [/number].\nDecl r(X) bound [/number].\np(X) :- r(X).", "p r", []said{{"error 3:1", "rule-head", "p"}}},
		{"fact for a given relation", "Decl p(X) bound [/number].\np(1).", "p", []said{{"error 2:1", "rule-head", "p"}}},
		{"rule for a built-in", ":lt(1, 2).", "", []said{{"error 1:1", "rule-head", ":lt"}}},
		{"never filled", "Decl p(X) bound [/number].\nDecl r(X) bound [/number].\nq(X) :- p(X), !r(X).", "p", []said{{"warning 3:15", "rule-never-filled", "r"}}},

		// Variables.
		{"unsafe in the head", "p(1).\nq(X, Y) :- p(X).", "", []said{{"error 2:1", "rule-unsafe", "Y"}}},
		{"unsafe in a comparison", "p(1).\nq(X) :- p(X), Y < X.", "", []said{{"error 2:1", "rule-unsafe", "Y"}}},
		{"unsafe in a function", "p(1).\nq(X) :- p(X), p(fn:plus(Y, 1)), X != Y.", "", []said{{"error 2:1", "rule-unsafe", "Y"}}},
		{"safe by nothing but each other", "p(1).\nq(Y) :- p(_), Y = Z, Z = Y.", "", []said{{"error 2:1", "rule-unsafe", "Y"}, {"error 2:1", "rule-unsafe", "Z"}}},
		{"safe only under negation", "p(1). r(1).\nq(X, Y) :- p(X), !r(Y).", "", []said{{"error 2:1", "rule-unsafe", "Y"}}},
		{"local to two negations", "p(1). r(1, 1).\nq(X) :- p(X), !r(Y, 1), !r(1, Y).", "", []said{{"error 2:1", "rule-unsafe", "Y"}}},
		{"fact with a variable", "p(X).", "", []said{{"error 1:1", "rule-unsafe", "X"}}},
		{"head with a wildcard", "p(1).\nq(_) :- p(_).", "", []said{{"error 2:1", "rule-unsafe", "wildcard"}}},
		{"used once", "p(1, 2).\nq(X) :- p(X, Y).", "", []said{{"error 2:1", "rule-unused-variable", "Y occurs only once"}}},
		{"used once under negation", "p(1).\nq(X) :- p(X), !p(Y).", "", []said{{"error 2:1", "rule-unused-variable", "Y occurs only once"}}},
		{"let without use", "p(1).\nq(X) :- p(X) |> let Y = fn:plus(X, 1).", "", []said{{"error 2:1", "rule-unused-variable", "Y occurs only once"}}},
		{"let of a variable of the body", "p(1).\nq(X) :- p(X) |> let X = fn:plus(X, 1).", "", []said{{"error 2:1", "rule-unsafe", "X"}}},
		{"varies within a group", "p(1, 2).\nq(X, S) :- p(X, Y) |> do fn:group_by(), let S = fn:sum(Y).", "", []said{{"error 2:1", "rule-unsafe", "X varies within a group"}}},
		{"grouped by an unknown variable", "p(1).\nq() :- p(X), X = 1 |> do fn:group_by(Y).", "", []said{{"error 2:1", "rule-unsafe", "Y of fn:group_by"}}},

		// Types.
		{"argument of an atom", "Decl op(A, B) bound [/string, /number].\nq(X) :-\n  op(X, _), op(_, fn:plus(X, 1)).", "op", []said{{"error 2:1", "rule-type", "fn:plus takes a number, not a string"}}},
		{"fact", "Decl p(X) bound [/number].\np(\"a\").", "", []said{{"error 2:1", "rule-type", "column X of p is a number, not a string"}}},
		{"head", "Decl p(X) bound [/number].\nDecl q(X) bound [/string].\nq(X) :- p(X).", "p", []said{{"error 3:1", "rule-type", "column X of q is a string, not a number"}}},
		{"comparison", "p(\"a\").\nq(X) :- p(X), X < 1.", "", []said{{"error 2:15", "rule-type", "both a string (column X1 of p) and a number"}}},
		{"join", "Decl p(A) bound [/number].\nDecl r(B) bound [/string].\nq(X) :- p(X), r(X).", "p r", []said{{"error 3:15", "rule-type", "X would be both a number (column A of p) and a string (column B of r)"}}},
		{"constant in an atom", "Decl p(A) bound [/number].\nq() :- p(/a).", "p", []said{{"error 2:8", "rule-type", "name"}}},
		{"constant under negation", "Decl p(A) bound [/number].\nq() :- !p(\"a\").", "p", []said{{"error 2:8", "rule-type", "string"}}},
		{"function", "p(1).\nq(X) :- p(X), fn:plus(X, \"a\") < 2.", "", []said{{"error 2:15", "rule-type", "fn:plus takes a number, not a string"}}},
		{"sum of strings", "p(\"a\").\nq(S) :- p(X) |> do fn:group_by(), let S = fn:sum(X).", "", []said{{"error 2:1", "rule-type", "string"}}},
		{"bounds of another arity", "Decl p(X) bound [/number, /string].\np(1).", "", []said{{"error 1:1", "rule-type", "p has 1 column and 2 bounds"}}},

		// Strata.
		{"negates itself", "p(1).\nq(X) :- p(X), !q(X).", "", []said{{"error 2:1", "rule-not-stratifiable", "q <- q"}}},
		{"negates what needs it", "p(1).\na(X) :- p(X), !b(X).\nb(X) :- p(X), c(X).\nc(X) :- a(X).", "", []said{{"error 2:1", "rule-not-stratifiable", "a <- b <- c <- a"}}},
		{"aggregates itself", "p(1).\na(N) :- a(X), p(X) |> do fn:group_by(), let N = fn:count().", "", []said{{"error 2:1", "rule-not-stratifiable", "a <- a"}}},
		{"two circles", "p(1).\na(X) :- p(X), !a(X).\nb(X) :- p(X), !b(X).", "", []said{{"error 2:1", "rule-not-stratifiable", "a <- a"}, {"error 3:1", "rule-not-stratifiable", "b <- b"}}},

		// What is not supported.
		{"float", "p(1.5).", "", []said{{"error 1:1", "rule-unsupported", "1.5"}}},
		{"bytes", "p(b\"abc\").", "", []said{{"error 1:1", "rule-unsupported", "b\"abc\""}}},
		{"map", "p([1 : 2]).", "", []said{{"error 1:1", "rule-unknown-function", "fn:map"}}},
		{"struct", "p({/a : 2}).", "", []said{{"error 1:1", "rule-unknown-function", "fn:struct"}}},
		{"pair", "p(1).\nq(X) :- p(X), p(fn:pair(X, 2)).", "", []said{{"error 2:15", "rule-unknown-function", "fn:pair"}}},
		{"match_pair", "p(1).\nq(Y) :- p(X), :match_pair(X, Y, Y).", "", []said{{"error 2:15", "rule-unsupported", ":match_pair"}}},
		{"negated built-in", "p(\"a\").\nq(X) :- p(X), !:string:contains(X, \"b\").", "", []said{{"error 2:15", "rule-unsupported", "built-in predicate"}}},
		{"average", "p(1).\nq(S) :- p(X) |> do fn:group_by(), let S = fn:avg(X).", "", []said{{"error 2:1", "rule-unknown-function", "fn:avg"}}},
		{"count of a variable", "p(1).\nq(S) :- p(X) |> do fn:group_by(), let S = fn:count(X).", "", []said{{"error 2:1", "rule-arity", "fn:count"}}},
		{"reducer without a group", "p(1).\nq(S) :- p(X) |> let S = fn:sum(X).", "", []said{{"error 2:1", "rule-unsupported", "fn:sum"}}},
		{"reducer in the body", "p(1).\nq(S) :- p(X), S = fn:sum(X).", "", []said{{"error 2:15", "rule-unsupported", "fn:sum"}}},
		{"do without group_by", "p(1).\nq(X) :- p(X) |> do fn:sum(X).", "", []said{{"error 2:1", "rule-unsupported", "fn:group_by"}}},
		{"two transforms", "p(1).\nq(Z) :- p(X) |> let Y = fn:plus(X, 1) |> let Z = fn:plus(Y, 1).", "", []said{{"error 2:1", "rule-unsupported", "one transform"}}},
		{"package", "Package a!\np(1).", "", []said{{"error 1:1", "rule-unsupported", "Package"}}},
		{"use", "Use a!\np(1).", "", []said{{"error 1:1", "rule-unsupported", "Use"}}},
		{"inclusion", "Decl p(X) bound [/number] inclusion [q(X)].\nq(1). p(1).", "", []said{{"error 1:1", "rule-unsupported", "inclusion"}}},
		{"deep nesting", "p(1).\nq(" + strings.Repeat("[", 101) + strings.Repeat("]", 101) + ").", "", []said{{"error 2:102", "rule-syntax", "nested more than 100 deep"}}},
		{"float column", "Decl p(X) bound [/float64].\nq(X) :- p(X).", "p", []said{{"error 1:1", "rule-unsupported", "/float64"}}},
		{"external", "Decl p(X) descr [external(), mode(\"+\")] bound [/number].\nq(X) :- p(X).", "p", []said{{"error 1:1", "rule-unsupported", "external"}}},

		// More than one mistake.
		{"all are said", "p(1).\nq(X, X) :- p(X), r(X).\nq(X) :- p(X) |> let Y = fn:foo(X).\ns(X, Y) :- p(X), p(Z).\ns(X, \"a\") :- p(X), X < \"b\".", "", []said{
			{"error 2:18", "rule-unknown-relation", "r"},
			{"error 3:1", "rule-arity", "q"}, {"error 3:1", "rule-unknown-function", "fn:foo"},
			{"error 4:1", "rule-unsafe", "Y"}, {"error 4:1", "rule-unused-variable", "Z"}}},
		{"comments and text do not confuse places", "# p(X, :- .\np(\"# :- .\"). # q(X).\n\n  # é\n  q(X) :-\n    p(X),\n    r(X).", "", []said{{"error 7:5", "rule-unknown-relation", "r"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkSaid(t, c.text, c.given, c.want)
		})
	}
}

func checkSaid(t *testing.T, text, given string, want []said) {
	t.Helper()
	src := diag.NewSource("rules.dl", []byte(text))
	names := map[string]bool{}
	for _, n := range strings.Fields(given) {
		names[n] = true
	}
	unit, ds := datalog.Parse(src)
	if len(ds) == 0 {
		var p *datalog.Program
		p, ds = datalog.Compile([]*datalog.Unit{unit}, names)
		if failed := strings.Contains(diagText(ds), ": error["); failed == (p != nil) {
			t.Errorf("program is there: %v, with\n%s", p != nil, diagText(ds))
		}
	}
	diag.Sort(ds)
	var wantPlaces, gotPlaces []string
	for i, d := range ds {
		gotPlaces = append(gotPlaces, fmt.Sprintf("%s %d:%d %s", d.Severity, d.Pos.Line, d.Pos.Column, d.Code))
		if d.Pos.File != "rules.dl" || d.Snippet != src.Line(d.Pos.Line) {
			t.Errorf("file %q, snippet %q", d.Pos.File, d.Snippet)
		}
		if i < len(want) && !strings.Contains(d.Message, want[i].part) {
			t.Errorf("message %q does not contain %q", d.Message, want[i].part)
		}
	}
	for _, w := range want {
		wantPlaces = append(wantPlaces, w.place+" "+w.code)
	}
	if diff := cmp.Diff(wantPlaces, gotPlaces); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, diagText(ds))
	}
}

// TestSeveralUnits compiles files that use each other's relations.
func TestSeveralUnits(t *testing.T) {
	var units []*datalog.Unit
	for i, text := range []string{"Decl p(X) bound [/number].\nq(X) :- p(X).", "q(7).\nr(X) :- q(X), s(X).", "s(X) :- q(X)."} {
		unit, ds := datalog.Parse(diag.NewSource(fmt.Sprintf("%d.dl", i), []byte(text)))
		if len(ds) > 0 {
			t.Fatal(diagText(ds))
		}
		units = append(units, unit)
	}
	p, ds := datalog.Compile(units, map[string]bool{"p": true})
	if p == nil || len(ds) > 0 {
		t.Fatal(diagText(ds))
	}
	given, rules := p.Reads([]string{"s"})
	if diff := cmp.Diff([]string{"p"}, given); diff != "" || rules != 2 {
		t.Errorf("s reads %v by %d rules", given, rules)
	}
}
