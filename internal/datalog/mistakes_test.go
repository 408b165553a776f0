package datalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
)

// TestMistakes has what people write who know another language, and the whole
// of what they are told.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // "line:column message"
	}{
		// Words where a value belongs.
		{"unquoted word", "q(X) :- op(X, mlp).", []string{`1:18 mlp is no value: write "mlp" for a string (as ids are), Mlp for a variable, or /mlp for a name`}},
		{"small variable", "q(Op) :- op(op, _, _).", []string{`1:15 op is no value: write "op" for a string (as ids are), Op for a variable, or /op for a name`}},
		{"compared word", "q(X) :- op(X, L), L = max_lanes.", []string{`1:32 max_lanes is no value: write "max_lanes" for a string (as ids are), MaxLanes for a variable, or /max_lanes for a name`}},
		{"word before a sign", "q(X) :- op(X, L), two < L.", []string{`1:23 two is no value: write "two" for a string (as ids are), Two for a variable, or /two for a name`}},
		{"type", "Decl q(X) bound [number].\nq(1).", []string{"1:24 number: a type is written with a slash: /number, /string, /name"}},
		{"hole without brackets", "Decl q(X) descr [hole] bound [/number].\nq(1).", []string{"1:22 hole: what stands in descr has brackets: hole(..)"}},
		{"relation without brackets", "q(1) :- empty, p(1).", []string{"1:14 empty: a relation has its columns in brackets: empty(..)"}},
		{"underscore", "q(Op_id) :- op(Op_id, _).", []string{"1:3 Op_id: a variable has no underscore: write OpId, or _ for a value that does not matter"}},
		{"underscore in front", "q(X) :- op(X, _lanes).", []string{"1:16 _lanes: a variable has no underscore: write Lanes, or _ for a value that does not matter"}},
		{"capital relation", "Q(X) :- op(X, _).", []string{"1:2 Q(..): the name of a relation begins with a small letter: write q(..)"}},
		{"small decl", "decl q(X) bound [/number].\nq(1).", []string{"1:6 write Decl, with a capital D"}},

		// Arithmetic.
		{"plus", "q(Y) :- op(L), Y = L + 1.", []string{"1:22 there is no + operator: write fn:plus(L, 1)"}},
		{"minus", "q(X) :- op(L), 0 < L - M.", []string{"1:22 there is no - operator: write fn:minus(L, M)"}},
		{"minus without spaces", "q(X) :- op(L), L-1 < 3.", []string{"1:17 there is no - operator: write fn:minus(L, 1)"}},
		{"times a result", "q(Y) :- op(L), Y = fn:plus(L, 1) * 2.", []string{"1:34 there is no * operator: write fn:mult(.., 2)"}},
		{"divided", "q(Y) :- op(L), Y = L / 2.", []string{"1:22 there is no / operator: write fn:div(L, 2)"}},
		{"rest", "q(Y) :- op(L), Y = L % 2.", []string{"1:22 there is no % operator: what is left of a division is fn:minus(A, fn:mult(B, fn:div(A, B)))"}},
		{"sign", "q(X) :- op(L), X = -L.", []string{"1:20 write fn:minus(L) for -L"}},

		// Signs of other languages.
		{"==", "q(X) :- op(X, L), L == 1.", []string{"1:22 write = for =="}},
		{"<>", "q(X) :- op(X, L), L <> 1.", []string{"1:22 write != for <>"}},
		{"=<", "q(X) :- op(X, L), L =< 1.", []string{"1:22 write <= for =<"}},
		{"=>", "q(X) :- op(X, L), L => 1.", []string{"1:22 write >= for =>"}},
		{"not", "q(X) :- op(X), not edge(X).", []string{"1:20 write ! for not: !edge(..)"}},
		{"not with brackets", "q(X) :- op(X), not (edge(X)).", []string{"1:21 write ! for not: !edge(..)"}},
		{"negation of Prolog", `q(X) :- op(X), \+ edge(X).`, []string{`1:16 write ! for \+`}},
		{"and", "q(X) :- op(X) and edge(X).", []string{"1:15 write a comma for and"}},
		{"&&", "q(X) :- op(X) && edge(X).", []string{"1:15 write a comma for &&"}},
		{"or", "q(X) :- op(X) or edge(X).", []string{"1:15 there is no or: write a rule for each case"}},
		{"semicolon for or", "q(X) :- op(X); edge(X).", []string{"1:14 there is no ; here: a comma is and, a rule for each case is or, and a full stop ends a statement"}},
		{"semicolon at the end", "q(X) :- op(X);\nr(X) :- op(X);", []string{"1:14 a statement ends with a full stop, not with ;"}},
		{"<-", "q(X) <- op(X).", []string{"1:7 write :- for <-"}},
		{":", "q(X) : op(X).", []string{"1:6 write :- between the head of a rule and its body"}},
		{"comment of C", "// all ops\nq(X) :- op(X).", []string{"1:1 a comment begins with #"}},
		{"comment of C behind a rule", "q(X) :- op(X). // don't\n", []string{"1:16 a comment begins with #"}},
		{"comment of SQL", "-- all ops\nq(X) :- op(X).", []string{"1:1 a comment begins with #"}},
		{"comment of Prolog", "% all ops\nq(X) :- op(X).", []string{"1:1 a comment begins with #"}},
		{"filter behind let", "q(S, N) :- op(O, S) |> do fn:group_by(S), let N = fn:count(), N > 1.", []string{"1:63 a transform holds let statements only: test N > 1 in another rule, one that reads q(..)"}},

		// What is missing.
		{"full stop before a rule", "q(X) :- op(X)\n\nr(X) :- q(X).", []string{"3:1 a full stop is missing before r(..): q(..), which begins in line 1, needs one at its end"}},
		{"full stop before a Decl", "q(X) :- op(X)\nDecl r(X) bound [/number].\nr(1).", []string{"2:1 a full stop is missing before Decl: q(..), which begins in line 1, needs one at its end"}},
		{"full stop behind a Decl", "Decl q(X)\n  bound [/number]\nq(X) :- op(X).", []string{"3:1 a full stop is missing before q(..): Decl q(..), which begins in line 1, needs one at its end"}},
		{"full stop behind a fact", "op(1)\nop(2).", []string{"2:1 a full stop is missing before op(..): op(..), which begins in line 1, needs one at its end"}},
		{"full stop at the end", "q(X) :- op(X)\n# the end\n", []string{"3:1 a full stop is missing before the file ends: q(..), which begins in line 1, needs one at its end"}},
		{"comma for a full stop", "q(X) :- op(X),\nr(X) :- op(X).", []string{"2:6 a second :-: end the rule q(..), which begins in line 1, with a full stop"}},
		{"comma", "q(X) :- op(X) edge(X).", []string{"1:15 a comma is missing before edge(..)"}},
		{"comma between values", "q(X) :- op(X Y).", []string{"1:14 a comma is missing before Y"}},
		{"comma in descr", "Decl q(X)\n  descr [doc(\"d\")\n    hole()]\n  bound [/number].\nq(1).", []string{"3:5 a comma is missing before hole"}},
		{"quote", "q(X) :- op(X, \"a).\nr(X) :- op(X, _).", []string{`1:15 the string that begins with "a). in line 1 is not closed: it needs a " at its end`}},
		{"quote before another string", "q(X) :- op(X, \"a).\nr(X) :- op(X, \"b\").", []string{`2:16 the string that begins with "a). in line 1 is not closed: it needs a " at its end`}},
		{"bracket", "q(X) :- op(X, _.", []string{"1:16 the ( in line 1, column 11 is not closed before the full stop"}},
		{"bracket and full stop", "q(X) :- op(X, _\nr(X) :- op(X, _).", []string{"2:1 the ( in line 1, column 11 is not closed before :-"}},
		{"bracket at the end", "q(X) :- op(X, [1, 2", []string{"1:20 the [ in line 1, column 15 is not closed before the file ends"}},
		{"bracket in another", "Decl q(X) descr [doc(\"x\"] bound [/string].\nq(1).", []string{"1:25 the ( in line 1, column 21 is not closed before ]"}},
		{"bracket too many", "q(X) :- op(X)).", []string{"1:14 there is no bracket for this ) to close"}},

		// Two statements, each with its own; the rest of the parser's list is left
		// out. What is no common mistake is told in the parser's words.
		{"two", "q(X) :- op(X), L == 1.\nr(X) :- op(X).\ns(X) :- op(X), not r(X).", []string{"1:19 write = for ==", "3:20 write ! for not: !r(..)"}},
		{"none", "q(X) :- op(X),, op(X).", []string{"1:15 mismatched input ',' expecting '.'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ds := datalog.Parse(diag.NewSource("rules.dl", []byte(c.text)))
			var got []string
			for _, d := range ds {
				got = append(got, fmt.Sprintf("%d:%d %s", d.Pos.Line, d.Pos.Column, strings.TrimPrefix(d.Message, "syntax error: ")))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
