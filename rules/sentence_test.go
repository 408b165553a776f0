package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// Every relation that may stand in a proof has words for its rows, and the
// words name only columns that there are.
func TestEveryRelationHasASentence(t *testing.T) {
	s := builtin(t)
	costs := map[string]bool{}
	for _, o := range s.Objectives() {
		costs[o.Relation] = true
	}
	n := 0
	for _, r := range s.Program().Relations() {
		if costs[r.Name] {
			continue
		}
		n++
		words, ok := s.Sentences()[r.Name]
		if !ok {
			t.Errorf("%s has no says(..)", r.Name)
			continue
		}
		segments, err := parseTemplate(words.Template)
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
		for _, part := range segments {
			for _, v := range part.vars {
				if !slices.Contains(words.Cols, v) {
					t.Errorf("%s has no column %s", r.Name, v)
				}
			}
		}
		if diff := cmp.Diff(r.Cols, words.Cols); diff != "" {
			t.Errorf("%s: %s", r.Name, diff)
		}
		if strings.HasSuffix(words.Template, ".") {
			t.Errorf("%s: %q is a part of a sentence, which others follow", r.Name, words.Template)
		}
	}
	if n < 150 {
		t.Errorf("only %d relations", n)
	}
}

func TestSentences(t *testing.T) {
	syms := symbol.NewTable()
	words := Sentences{
		"at": {[]string{"Op", "Stage"}, "op {Op} is in stage {Stage}"},
		"of": {[]string{"N"}, "there are {N cores}"},
	}
	for _, c := range []struct {
		p    diag.Proof
		want string
	}{
		{diag.Proof{Pred: "at", Args: []symbol.Value{syms.String("a b"), syms.Int(3)}}, `op "a b" is in stage 3`},
		{diag.Proof{Pred: "at", Args: []symbol.Value{syms.String("a"), 0}, Open: []bool{false, true}}, "op a is in stage (any)"},
		{diag.Proof{Pred: "at", Args: []symbol.Value{0, syms.Int(3)}, Open: []bool{true, false}}, "op (any) is in stage 3"},
		{diag.Proof{Pred: "of", Args: []symbol.Value{syms.Int(1)}}, "there are 1 core"},
		{diag.Proof{Pred: "other", Args: []symbol.Value{syms.Int(1)}}, ""},
		{diag.Proof{Text: "1 < 2", Kind: diag.Holds}, ""},
	} {
		if got := words.Of(&c.p, syms); got != c.want {
			t.Errorf("%s: %q, want %q", c.p.Pred, got, c.want)
		}
	}
}
