package rules

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/ir"
)

// A plan with everything has each section that fills a relation, and a plan
// with empty lists none of them.
func TestSections(t *testing.T) {
	data, err := os.ReadFile("../facts/testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	p := plan(t, "full.json", data)
	want := []string{}
	for _, r := range facts.Relations() {
		whole := []string{"", "/graph", "/assignment", "/digest"} // of which sections are parts, and what is no section
		if !r.OfParent() && r.OfLevel() == "" && !slices.Contains(whole, r.Section) && !slices.Contains(want, r.Section) {
			want = append(want, r.Section)
		}
	}
	got := sections(p)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-filled by the facts +sections):\n%s", diff)
	}
	empty := plan(t, "empty.json", []byte(`{"schema": "plancheck.concrete-plan/1", "target": {"cores": []}, "stages": [], "transfers": [], "sync": [],
		"graph": {"inputs": [], "weights": [], "values": [], "ops": [], "edges": []},
		"assignment": {"instances": [], "splits": [], "residency": [], "replicas": [], "placement": []},
		"program": {"devices": [], "queues": [], "memory_regions": [], "buffers": [], "tokens": [], "channels": [], "groups": [], "barriers": [], "commands": []}}`))
	if got := sections(empty); got != nil {
		t.Errorf("sections of an empty plan: %v", got)
	}
}

// What a plan was made from does not matter.
func TestUnreadSectionsOfABuiltPlan(t *testing.T) {
	p := plan(t, "plan.json", []byte(chain))
	built := *p
	built.Source = nil
	if diff := cmp.Diff(unread(facts.OfPlan(p), []string{"op"}), unread(facts.OfPlan(&built), []string{"op"})); diff != "" {
		t.Error(diff)
	}
	if got := unread(facts.OfPlan(&ir.Plan{LogicalCores: ir.None, Stages: []ir.Stage{{}}}), []string{"op"}); !cmp.Equal(got, []string{"/stages"}) {
		t.Errorf("unread: %v", got)
	}
}

// What is there only to complete a plan need not be read, but the ops beside it
// must.
func TestUnreadSectionsOfCompletion(t *testing.T) {
	p := plan(t, "plan.json", []byte(`{"schema": "plancheck.concrete-plan/1", "target": {"bytes_per_cycle": 8, "cores": [{"id": 0}]},
		"graph": {"ops": [{"id": "a", "work_cycles": 1, "forward_cycles": 2}], "edges": []}, "stages": [{"index": 0}], "assignment": {"instances": []}}`))
	want := []string{"/target/cores", "/graph/ops"}
	if diff := cmp.Diff(want, unread(facts.OfPlan(p), []string{"stage"})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/target/cores", "/stages"}, unread(facts.OfPlan(p), []string{"op"})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
