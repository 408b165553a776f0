package passes_test

import (
	"context"
	"testing"

	"plancheck/encode"
	"plancheck/internal/example"
	"plancheck/internal/passes"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// A complete plan whose decisions are given up does not become worse, however
// short the search; with its forwards given up too, it has none that it needs
// not.
func TestSolvingAgainIsNotWorse(t *testing.T) {
	plan, err := example.Build("bert-base", example.Complete)
	if err != nil {
		t.Fatal(err)
	}
	set := builtin(t)
	run := func(p *ir.Plan, free encode.Free) *passes.Outcome {
		t.Helper()
		out, err := passes.Run(context.Background(), p, passes.Options{
			Encode: encode.Options{ForwardCycles: ir.None, Free: free, Forward: true}, Rules: set, Search: schedule.Options{Steps: 1},
		})
		if err != nil || out.Plan == nil {
			t.Fatal(out, err)
		}
		return out
	}
	cost := func(out *passes.Outcome) (interval, forwards, traffic int64) {
		for _, c := range out.Costs {
			switch c.Name {
			case "interval":
				interval = c.Value
			case "forwards":
				forwards = c.Value
			case "traffic":
				traffic = c.Value
			}
		}
		return interval, forwards, traffic
	}
	interval, forwards, traffic := cost(run(plan, encode.Free{}))
	i, f, tr := cost(run(plan, encode.Free{Stage: true, Core: true, Placement: true}))
	if i > interval || i == interval && (f > forwards || f == forwards && tr > traffic) {
		t.Errorf("interval %d, forwards %d, traffic %d; was %d, %d, %d", i, f, tr, interval, forwards, traffic)
	}
	again := run(plan, encode.Free{Stage: true, Core: true, Placement: true, Forward: true})
	if kept := again.Model.Problem.Ops; len(kept) != len(plan.Graph.Ops)-int(forwards) {
		t.Errorf("%d ops to be scheduled, of %d with %d forwards", len(kept), len(plan.Graph.Ops), forwards)
	}
}
