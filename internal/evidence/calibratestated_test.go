package evidence

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/observation"
	"plancheck/ir/timeline"
)

// A plan that states durations itself rounds costs up to cycles: what was observed
// is compared with the costs, with the factor that is in them.
func TestCalibrationOfStatedDurations(t *testing.T) {
	e := &evidence.Evidence{Header: level.Header{Schema: evidence.EvidenceSchema}, Provider: "lab", Records: []evidence.Sample{}}
	b := &evidence.Binding{
		Header: level.Header{Schema: evidence.BindingSchema, Parents: []level.Parent{levels.Parent(e)}},
		Tasks: []evidence.Bound{
			{ID: "mm", Body: "compute", Op: "linear", Implementation: "array", Query: evidence.Query{DType: "bf16", Operations: 1000, Participants: 1},
				Cost: &evidence.Resolution{Duration: 1500, Factor: &evidence.Ratio{Numerator: 3, Denominator: 2}}},
			{ID: "ar", Body: "collective", Op: "all-reduce", Implementation: "reduce", Query: evidence.Query{Participants: 2}, Cost: &evidence.Resolution{Duration: 9}},
		},
	}
	plan, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(`{"schema": "plancheck.concrete-plan/1", "name": "p",
		"parents": [{"schema": "plancheck.binding/1", "digest": "`+levels.Digest(b)+`"}],
		"program": {"devices": [{"id": "d"}], "queues": [{"id": "q", "device": "d", "kind": "compute"}],
		"commands": [
		 {"id": "a", "kind": "launch", "queue": "q", "lineage": {"kind": "lowered", "transform": "schedule", "sources": ["mm"]}},
		 {"id": "sum", "kind": "launch", "queue": "q", "lineage": {"kind": "decomposed", "transform": "schedule", "sources": ["ar"]}}]}}`)))
	if diags != nil {
		t.Fatal(diags[0].Message)
	}
	digest := ir.PlanDigest(plan)
	line := &timeline.Bundle{Header: level.Header{Schema: timeline.Schema}, Evidence: digest,
		Costs: []timeline.Cost{
			{ID: "two", Duration: 2000, Source: digest, Records: []string{"a"}, Numerator: 1, Denominator: 1},
			{ID: "one", Duration: 1000, Source: digest, Records: []string{"sum"}, Numerator: 1, Denominator: 1}},
		Intervals: []timeline.Interval{{Command: "a", End: 2000, Cost: "two"}, {Command: "sum", Start: 2000, End: 3000, Cost: "one"}}}
	in := Observations{Evidence: e, Binding: b, Plan: plan, Timeline: line, Training: []*observation.Set{run(took("a", 3000), took("sum", 5000))}}
	made, err := Calibrate(in)
	if err != nil {
		t.Fatal(err)
	}
	want := []evidence.Factor{{Group: "array", DType: "bf16", Bucket: 10, Participants: 1, Numerator: 3, Denominator: 1, Samples: 1, Before: 1500}}
	if diff := cmp.Diff(want, made.Factors); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	for _, c := range []struct {
		name   string
		change func(*Observations)
		want   Error
	}{
		{"no binding", func(in *Observations) { in.Binding = nil }, Error{"binding-missing", "the plan", "states its durations itself, and only its binding says what they are of"}},
		{"another binding", func(in *Observations) {
			other := *b
			other.ABI = "other"
			in.Binding = &other
		}, Error{"estimate-provenance-mismatch", "the plan", "is not made on this binding"}},
		{"only what no task is", func(in *Observations) { in.Training = []*observation.Set{run(took("sum", 5))} },
			Error{"calibration-no-samples", "the observations", "nothing was observed of a command that takes time"}},
	} {
		wrong := in
		c.change(&wrong)
		_, err := Calibrate(wrong)
		var got *Error
		if !errors.As(err, &got) {
			t.Fatalf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, *got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
