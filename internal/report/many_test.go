package report

import (
	"fmt"
	"strings"
	"testing"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/rules"
)

// Of very many stories the first are shown, and with All every one.
func TestManyStories(t *testing.T) {
	v := &rules.Verdict{Document: "p.json", Symbols: symbol.NewTable()}
	for i := range storiesShown + 50 {
		v.Findings = append(v.Findings, diag.Diagnostic{
			Code: "too-much", Severity: diag.Error, Message: fmt.Sprint("finding ", i),
			Pos: diag.Position{File: "p.json", Line: i + 1, Column: 1},
		})
	}
	run := &Run{Documents: []Document{{Name: "p.json", Verdict: v}}}
	for _, c := range []struct {
		all   bool
		shown int
		more  bool
	}{{false, storiesShown, true}, {true, storiesShown + 50, false}} {
		var b strings.Builder
		if err := writeText(&b, run, Options{All: c.all}); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if n := strings.Count(text, "error[too-much]"); n != c.shown {
			t.Errorf("all %v: %d findings shown, want %d", c.all, n, c.shown)
		}
		if more := strings.Contains(text, "... and 50 more stories; --all shows them"); more != c.more {
			t.Errorf("all %v: more is %v\n%s", c.all, more, text[len(text)-200:])
		}
		if !strings.Contains(text, fmt.Sprintf("%d errors", storiesShown+50)) {
			t.Errorf("all %v: the summary does not count all", c.all)
		}
	}
}
