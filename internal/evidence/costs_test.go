package evidence

import (
	"strings"
	"testing"

	"plancheck/ir/evidence"
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
