package house

import (
	"context"
	"testing"

	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/rules"
)

// TestProgramPageExamples judges the programs that pages show: they are whole, and
// nothing is wrong with them.
func TestProgramPageExamples(t *testing.T) {
	set, diags := rules.Load(nil)
	if set == nil {
		t.Fatal(diags)
	}
	for _, page := range []string{"docs/command-plan.md", "docs/target-extension.md"} {
		examples := fenced(readFile(t, page), "json")
		if len(examples) == 0 {
			t.Errorf("%s has no example", page)
		}
		for _, e := range examples {
			p, diags := ir.DecodePlan(diag.NewSource(page, []byte(e)))
			if p == nil {
				t.Errorf("%s\n%v", e, diags)
				continue
			}
			verdict, err := set.Judge(context.Background(), p, rules.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range verdict.Findings {
				t.Errorf("%s\n%s: %s", e, f.Code, f.Message)
			}
		}
	}
}
