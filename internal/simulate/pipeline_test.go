package simulate

import (
	"slices"
	"testing"

	"plancheck/facts"
	"plancheck/internal/pipeline"
	"plancheck/ir"
	"plancheck/rules"
)

// The programs of published schedules of pipelines take as long as their papers
// say: (m + p - 1) (F + B + W) for GPipe and 1F1B, m (F + B + W) +
// (p - 1) (F + B - W) for ZB-H1, and a bubble of (p - 1) / (v m) of the work for
// an interleaved 1F1B.
func TestPipelines(t *testing.T) {
	s := timelineRules(t)
	for _, c := range []struct {
		name string
		size pipeline.Size
		want int64
	}{
		{"gpipe", pipeline.Size{Ranks: 4, Microbatches: 8, Chunks: 1}, 33},
		{"1f1b", pipeline.Size{Ranks: 4, Microbatches: 8, Chunks: 1}, 33},
		{"1f1b", pipeline.Size{Ranks: 8, Microbatches: 64, Chunks: 1}, 213},
		{"1f1b", pipeline.Size{Ranks: 4, Microbatches: 4, Chunks: 1}, 21},
		{"1f1b", pipeline.Size{Ranks: 3, Microbatches: 5, Chunks: 1}, 21},
		{"interleaved-1f1b", pipeline.Size{Ranks: 4, Microbatches: 8, Chunks: 2}, 57},
		{"zero-bubble-h1", pipeline.Size{Ranks: 4, Microbatches: 8, Chunks: 1}, 27},
	} {
		all := pipeline.Generators()
		g := all[slices.IndexFunc(all, func(g pipeline.Generator) bool { return g.Name == c.name })]
		schedule, err := g.Make(c.size)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := schedule.Plan(c.name, pipeline.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		steps := map[string]int64{"forward": 1, "backward_input": 1, "backward_weights": 1, "backward": 2}
		table := &Table{Schema: TableSchema}
		for i := range plan.Program.Commands {
			x := &plan.Program.Commands[i]
			takes := int64(0) // transfers take no time
			if x.Kind == ir.KindLaunch {
				var known bool
				if takes, known = steps[x.Op]; !known {
					t.Fatalf("%s does %q", plan.Text(x.ID), x.Op)
				}
			}
			table.Durations = append(table.Durations, Duration{Command: plan.Text(x.ID), Picoseconds: takes})
		}
		costs, err := FromTable(plan, table)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(Input{Plan: plan, Durations: costs.Durations})
		if err != nil {
			t.Fatal(err)
		}
		if r.Makespan != c.want {
			t.Errorf("%s %+v takes %d steps, want %d", c.name, c.size, r.Makespan, c.want)
		}
		v, err := s.JudgeDocument(t.Context(), facts.OfLevel(Bundle(plan, costs, r), nil), rules.Options{Parent: facts.OfPlan(plan)})
		if err != nil || len(v.Findings) > 0 {
			t.Errorf("%s %+v: %v, %v", c.name, c.size, err, v.Findings)
		}
	}
}
