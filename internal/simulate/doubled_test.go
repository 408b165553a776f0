package simulate

import (
	"os"
	"strings"
	"testing"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/timeline"
	"plancheck/rules"
)

// doubled is a timeline with every time twice as long: it agrees with itself.
func doubled(t *testing.T, b *timeline.Bundle) *timeline.Bundle {
	t.Helper()
	d, diags := facts.Decode(diag.NewSource("timeline.json", levels.Encode(b)))
	if d == nil {
		t.Fatal(diags)
	}
	b = d.Body().(*timeline.Bundle)
	b.Makespan *= 2
	for i := range b.Costs {
		b.Costs[i].Duration *= 2
	}
	for i := range b.Intervals {
		x := &b.Intervals[i]
		x.Start, x.End, x.Slack, x.Delay = 2*x.Start, 2*x.End, 2*x.Slack, 2*x.Delay
	}
	for i := range b.Resources {
		b.Resources[i].Busy *= 2
	}
	return b
}

// A timeline of other durations than those that it is from passes beside a plan
// that says none, and is found beside what they are from.
func TestDoubledTimelinesAreFound(t *testing.T) {
	binding := &evidence.Binding{Header: level.Header{Schema: evidence.BindingSchema}, ABI: "lab", Tasks: []evidence.Bound{
		{ID: "mm", Body: "compute", Op: "mm", Cost: &evidence.Resolution{Duration: 7, Match: "exact", Provider: "lab", Method: "measured", Records: []string{"r"}}},
		{ID: "act", Body: "compute", Op: "act", Cost: &evidence.Resolution{Duration: 9, Match: "analytical", Provider: "analytical", Method: "analytical"}},
	}}
	records := &evidence.Evidence{Header: level.Header{Schema: evidence.EvidenceSchema}, Provider: "lab", Records: []evidence.Sample{
		{ID: "r", Op: "mm", Bytes: -1, Participants: -1, Duration: 7, Method: "measured"},
		{ID: "s", Op: "act", Bytes: -1, Participants: -1, Duration: 6, Method: "measured"},
	}, Factors: []evidence.Factor{{Group: "act", Bucket: -1, Participants: -1, Numerator: 3, Denominator: 2, Samples: 1}}}
	p := plan(t, "", `{"id": "a", "kind": "launch", "queue": "q0", "op": "mm", "lineage": {"kind": "lowered", "transform": "schedule", "sources": ["mm"]}},
		{"id": "b", "kind": "launch", "queue": "q0", "op": "act", "after": ["a"], "lineage": {"kind": "lowered", "transform": "schedule", "sources": ["act"]}}`)
	byBinding, err := FromBinding(p, binding)
	if err != nil {
		t.Fatal(err)
	}
	byRecords, err := FromEvidence(p, records)
	if err != nil {
		t.Fatal(err)
	}
	s := timelineRules(t)
	for _, c := range []struct {
		costs *Costs
		from  level.Body
	}{{byBinding, binding}, {byRecords, records}} {
		r, err := Run(Input{Plan: p, Durations: c.costs.Durations})
		if err != nil {
			t.Fatal(err)
		}
		b := Bundle(p, c.costs, r)
		twice := doubled(t, b)
		for _, x := range []struct {
			what   *timeline.Bundle
			beside *facts.Document
			want   string
		}{
			{b, facts.OfLevel(c.from, nil), ""},
			{b, facts.OfPlan(p), ""},
			{twice, facts.OfPlan(p), ""},
			{twice, facts.OfLevel(c.from, nil), "estimate-provenance-mismatch estimate-provenance-mismatch"},
		} {
			v, err := s.JudgeDocument(t.Context(), facts.OfLevel(x.what, nil).Beside(x.beside), rules.Options{Parent: x.beside})
			if err != nil {
				t.Fatal(err)
			}
			var codes []string
			for _, f := range v.Findings {
				codes = append(codes, f.Code)
			}
			if got := strings.Join(codes, " "); got != x.want {
				t.Errorf("of %s, makespan %d, beside a %s: %q, want %q", c.costs.Schema, x.what.Makespan, x.beside.Schema, got, x.want)
			}
		}
	}
}

// A chip says itself how long its commands take.
func TestDoubledChipsAreFound(t *testing.T) {
	text, err := os.ReadFile("../../examples/simulate/chip.json")
	if err != nil {
		t.Fatal(err)
	}
	p, diags := ir.DecodePlan(diag.NewSource("chip.json", text))
	if p == nil {
		t.Fatal(diags)
	}
	costs, err := FromPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(Input{Plan: p, Durations: costs.Durations})
	if err != nil {
		t.Fatal(err)
	}
	b := Bundle(p, costs, r)
	for _, c := range []struct {
		what *timeline.Bundle
		want bool
	}{{b, false}, {doubled(t, b), true}} {
		v, err := timelineRules(t).JudgeDocument(t.Context(), facts.OfLevel(c.what, nil), rules.Options{Parent: facts.OfPlan(p)})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range v.Findings {
			found = found || f.Code == "estimate-provenance-mismatch"
		}
		if found != c.want {
			t.Errorf("makespan %d: %v", c.what.Makespan, v.Findings)
		}
	}
}
