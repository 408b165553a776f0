package simulate

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/timeline"
)

// A command costs what the task does that it was made for, and the resolution
// names that task first.
func TestFromBinding(t *testing.T) {
	b := &evidence.Binding{Header: level.Header{Schema: evidence.BindingSchema}, Tasks: []evidence.Bound{
		{ID: "mm", Body: "compute", Cost: &evidence.Resolution{Duration: 7, Records: []string{"r"}, Factor: &evidence.Ratio{Numerator: 3, Denominator: 2}}},
		{ID: "ar", Body: "collective", Cost: &evidence.Resolution{Duration: 9}},
		{ID: "unknown", Body: "compute"},
	}}
	digest := levels.Digest(b)
	const groups = `"groups": [{"id": "g", "ranks": [0, 1]}], "tokens": [{"id": "t"}]`
	p := plan(t, groups, `{"id": "a", "kind": "launch", "queue": "q0", "signals": ["t"], "lineage": {"kind": "lowered", "transform": "schedule", "sources": ["elsewhere", "mm"]}},
		{"id": "w", "kind": "wait", "queue": "q1", "waits": ["t"], "lineage": {"kind": "decomposed", "transform": "schedule", "sources": ["ar"]}},
		{"id": "k", "kind": "collective", "queue": "q0", "group": "g", "lineage": {"kind": "decomposed", "transform": "schedule", "sources": ["ar"]}},
		{"id": "l", "kind": "collective", "queue": "q1", "group": "g", "lineage": {"kind": "decomposed", "transform": "schedule", "sources": ["ar"]}}`)
	costs, err := FromBinding(p, b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{7, 0, 9, 9}, costs.Durations); diff != "" {
		t.Errorf("durations (-want +got):\n%s", diff)
	}
	want := []timeline.Cost{
		*withID(timeline.Cost{Duration: 7, Source: digest, Records: []string{"mm", "r"}, Numerator: 3, Denominator: 2}),
		*withID(timeline.Cost{Duration: 9, Source: digest, Records: []string{"ar"}, Numerator: 1, Denominator: 1}),
	}
	if diff := cmp.Diff(want, costs.Resolutions); diff != "" {
		t.Errorf("resolutions (-want +got):\n%s", diff)
	}
	if costs.Schema != evidence.BindingSchema || costs.Digest != digest || costs.of(1) != "" {
		t.Errorf("costs are from %s %s, and the wait has %q", costs.Schema, costs.Digest, costs.of(1))
	}

	p = plan(t, groups, `{"id": "a", "kind": "launch", "queue": "q0"},
		{"id": "b", "kind": "launch", "queue": "q0", "lineage": {"kind": "lowered", "transform": "schedule", "sources": ["other"]}},
		{"id": "c", "kind": "launch", "queue": "q0", "lineage": {"kind": "lowered", "transform": "schedule", "sources": ["ar"]}},
		{"id": "d", "kind": "launch", "queue": "q0", "lineage": {"kind": "lowered", "transform": "schedule", "sources": ["unknown"]}}`)
	_, err = FromBinding(p, b)
	var got *Unknown
	if !errors.As(err, &got) {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]UnknownCost{
		{0, "evidence-missing", "command a: its lineage names no task of the binding"},
		{1, "evidence-missing", "command b: its lineage names no task of the binding"},
		{2, "evidence-missing", "command c: it is a launch for task ar, a collective, whose cost is of the whole"},
		{3, "evidence-missing", "command d: the binding has no cost of task unknown"},
	}, got.Commands); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
