package evidence

import (
	"strings"
	"testing"

	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/observation"
)

// Whatever is changed of analytical costs, or of what was asked, is seen beside
// the target or the portable plan; and nothing else than that.
func TestChangedCostsAreSeen(t *testing.T) {
	target, d := A100(), A100Deployment()
	plan := rowParallel(64, 256, 32, 4, "bf16")
	factored := NoRecords(d)
	factored.Factors = []evidence.Factor{{Group: "linear", Bucket: -1, Participants: -1, Numerator: 3, Denominator: 2, Samples: 1}}
	for _, c := range []struct {
		name   string
		change func(b *evidence.Binding)
		target string // what is found beside the target
		plan   string // and beside the portable plan
	}{
		{"all costs ten times", func(b *evidence.Binding) {
			for i := range b.Tasks {
				b.Tasks[i].Cost.Duration *= 10
				for j := range b.Tasks[i].Cost.Components {
					b.Tasks[i].Cost.Components[j].Duration *= 10
				}
			}
		}, "estimate-provenance-mismatch estimate-provenance-mismatch", ""},
		{"1 ps and no components", func(b *evidence.Binding) { b.Tasks[0].Cost.Duration, b.Tasks[0].Cost.Components = 1, nil }, "estimate-provenance-mismatch", ""},
		{"1 ps more", func(b *evidence.Binding) { b.Tasks[1].Cost.Duration++ }, "estimate-provenance-mismatch", ""},
		{"no components", func(b *evidence.Binding) { b.Tasks[1].Cost.Components = nil }, "estimate-provenance-mismatch", ""},
		{"the formula of another network", func(b *evidence.Binding) { b.Tasks[1].Cost.Formula = "ring" }, "estimate-formula-mismatch", ""},
		{"other sizes", func(b *evidence.Binding) { b.Tasks[0].Query.Dims = []int64{64, 64, 1} }, "", "implementation-work-changed"},
		{"an axis more", func(b *evidence.Binding) { b.Tasks[1].Query.Dims = append(b.Tasks[1].Query.Dims, 2) }, "", "implementation-work-changed"},
		{"no sizes of a product's columns", func(b *evidence.Binding) { b.Tasks[0].Query.Dims = b.Tasks[0].Query.Dims[:2] }, "", "implementation-work-changed"},
		{"no data type", func(b *evidence.Binding) { b.Tasks[1].Query.DType = "" }, "", "implementation-work-changed"},
		{"other participants of a task", func(b *evidence.Binding) { b.Tasks[1].Query.Participants = 2 }, "estimate-provenance-mismatch", "implementation-work-changed"},
		{"other participants in all", func(b *evidence.Binding) { b.Requires.Widest = 2 }, "", "requirement-understated"},
	} {
		for _, e := range []*evidence.Evidence{NoRecords(d), factored} {
			b := bindOn(t, plan, target, d, e)
			c.change(b)
			got := func(codes []string) string {
				for i, s := range codes {
					codes[i], _, _ = strings.Cut(s, ":")
				}
				return strings.Join(codes, " ")
			}
			if found := got(judged(t, b, target)); found != c.target {
				t.Errorf("%s, %d factors, beside the target: %q, want %q", c.name, len(e.Factors), found, c.target)
			}
			if found := got(judged(t, b, plan)); found != c.plan {
				t.Errorf("%s, %d factors, beside the plan: %q, want %q", c.name, len(e.Factors), found, c.plan)
			}
		}
	}
}

// A factor that is changed by hand is found beside the revision before, and so is
// one that is taken away.
func TestFactorsNeedACalibration(t *testing.T) {
	e := &evidence.Evidence{Header: level.Header{Schema: evidence.EvidenceSchema}, Provider: "lab", Records: []evidence.Sample{stated("c0", "linear", 310_000_000)},
		Factors: []evidence.Factor{{Group: "conv", Bucket: -1, Participants: -1, Numerator: 3, Denominator: 2, Samples: 1}}}
	for _, c := range []struct {
		name   string
		change func(e *evidence.Evidence)
		want   string
	}{
		{"nothing", func(*evidence.Evidence) {}, ""},
		{"no calibration", func(e *evidence.Evidence) { e.Calibration = nil }, "calibration-no-samples"},
		{"no factor of before", func(e *evidence.Evidence) { e.Factors = e.Factors[1:] }, "evidence-mutated-in-place"},
	} {
		made, err := Calibrate(Observations{Evidence: e, Timeline: predicted(e, "c0"), Training: []*observation.Set{run(took("c0", 337_000_000))}})
		if err != nil {
			t.Fatal(err)
		}
		c.change(made)
		var codes []string
		for _, s := range judged(t, made, e) {
			code, _, _ := strings.Cut(s, ":")
			codes = append(codes, code)
		}
		if got := strings.Join(codes, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
