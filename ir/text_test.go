package ir

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/internal/diag"
	"plancheck/internal/irtext"
	"plancheck/internal/symbol"
)

// The text of a plan says all of it, whatever is in it.
func TestTextOfRandomPlans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := random{t, symbol.NewTable()}.plan()
		before := Encode(p)
		text, err := irtext.Print(before)
		if err != nil {
			t.Fatal(err)
		}
		src, diags := irtext.Source(diag.NewSource("text", text))
		if src == nil {
			t.Fatalf("%v\n%s", diags, text)
		}
		again, diags := DecodePlan(src)
		if again == nil {
			t.Fatalf("%v\n%s", diags, text)
		}
		if diff := cmp.Diff(string(before), string(Encode(again))); diff != "" {
			t.Fatalf("the plan is another one (-want +got):\n%s\n%s", diff, text)
		}
	})
}
