package encode

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// TestCloneIsWhole holds that a copy of a plan with every section is written like
// the plan, and shares nothing with it that an edit could reach.
func TestCloneIsWhole(t *testing.T) {
	data, err := os.ReadFile("../facts/testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	p, diags := ir.DecodePlan(diag.NewSource("full.json", data))
	if p == nil {
		t.Fatal(diags)
	}
	before := string(ir.Encode(p))
	q := clone(p)
	if diff := cmp.Diff(before, string(ir.Encode(q))); diff != "" {
		t.Errorf("the copy (-plan +copy):\n%s", diff)
	}
	d := q.Program.Deployment
	q.Program.Identity.ABI, d.ABI, d.Devices[0] = "x", "x", ir.NoID
	d.Libraries[0].Version, d.Compatible[0].ABI, q.Program.Implementations[0].ABI = "x", "x", "x"
	if diff := cmp.Diff(before, string(ir.Encode(p))); diff != "" {
		t.Errorf("an edit of the copy changes the plan:\n%s", diff)
	}
}
