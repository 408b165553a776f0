package irtext_test

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/rules"
)

// finding is what is compared of a finding; the line is apart.
type finding struct{ Code, Message, Pointer string }

func judged(t *testing.T, set *rules.Set, d *facts.Document) (all []finding, lines []int) {
	t.Helper()
	verdict, err := set.JudgeDocument(context.Background(), d, rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range verdict.Findings {
		all = append(all, finding{f.Code, f.Message, f.Pos.Pointer})
		lines = append(lines, f.Pos.Line)
	}
	slices.SortFunc(all, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message))
	})
	return all, lines
}

// The rules find in a text what they find in the document, at the same entities
// and on lines of the text.
func TestFindingsInTexts(t *testing.T) {
	found := 0
	for _, level := range []string{"model", "task", "machine", "queue"} {
		paths, err := filepath.Glob("../../rules/testdata/" + level + "/*.bad.json")
		if err != nil || len(paths) == 0 {
			t.Fatal(level, err)
		}
		var set *rules.Set
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			d, diags := facts.Decode(diag.NewSource(path, data))
			if d == nil {
				t.Fatal(path, diags)
			}
			if set == nil {
				if set, diags = rules.LoadFor(d.Schema, nil); set == nil {
					t.Fatal(diags)
				}
			}
			text := print(t, d)
			want, _ := judged(t, set, d)
			got, lines := judged(t, set, decode(t, "text", text))
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-JSON +text):\n%s", path, diff)
			}
			for _, line := range lines {
				if line < 1 || line > 1+bytes.Count(text, []byte("\n")) {
					t.Errorf("%s: a finding on line %d, which the text has not", path, line)
				}
			}
			found += len(got)
		}
	}
	if found < 100 {
		t.Errorf("only %d findings are compared", found)
	}
}
