package pipeline_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plancheck/internal/diag"
	"plancheck/internal/pipeline"
	"plancheck/ir"
	"plancheck/rules"
)

// The rules find every schedule that gets stuck, and nothing wrong with one
// whose actions are only in another order, in which it does not.
func TestRulesAgreeOnSpoiltSchedules(t *testing.T) {
	set, ds := rules.Load([]string{"builtin"})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		r := rapid.SampledFrom(s.Ranks).Draw(t, "rank")
		i := rapid.IntRange(0, len(r)-1).Draw(t, "first")
		lost := rapid.Bool().Draw(t, "lost")
		if lost {
			at := slices.IndexFunc(s.Ranks, func(x []pipeline.Action) bool { return &x[0] == &r[0] })
			s.Ranks[at] = slices.Delete(slices.Clone(r), i, i+1)
		} else {
			j := rapid.IntRange(0, len(r)-1).Draw(t, "second")
			r[i], r[j] = r[j], r[i]
		}
		stuck := len(s.DoInUnits().Stuck) > 0
		p, err := s.Plan("spoilt", pipeline.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		read, ds := ir.DecodePlan(diag.NewSource("plan.json", ir.Encode(p)))
		if read == nil {
			t.Fatal(ds)
		}
		v, err := set.Judge(context.Background(), read, rules.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// What nothing waits for can be lost without an end of all others.
		if found := len(v.Findings) > 0; found != stuck && (stuck || !lost) {
			t.Fatalf("stuck %t, but findings %v\n%v", stuck, v.Findings, s)
		}
	})
}

func draw(t *rapid.T) pipeline.Schedule {
	g := rapid.SampledFrom(pipeline.Generators()).Draw(t, "generator")
	z := pipeline.Size{Ranks: rapid.IntRange(1, 3).Draw(t, "ranks"), Microbatches: rapid.IntRange(1, 4).Draw(t, "microbatches"), Chunks: 1}
	if g.Interleaves {
		z.Chunks = rapid.IntRange(1, 2).Draw(t, "chunks")
		z.Microbatches = z.Ranks * min(z.Microbatches, 2)
	}
	s, err := g.Make(z)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
