package passes_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/bench/solvecases"
	"plancheck/internal/diag"
	"plancheck/internal/passes"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// explanations has, for each case without a schedule, why there is none: for
// arithmetic reasons their code and pointer; for conflicts the statements with
// the pointers of their parts and what giving them up costs, the sums, and the
// cheapest way out.
var explanations = map[string][]string{
	"c20": {
		"path r0 -> r1 -> r2 -> r3: each op is in the stage of the one before it or in the next one [/graph/edges/0 /graph/edges/1 /graph/edges/2]; no edge r0 -> r1: interval 8",
		"edge r0 -> r3: op r3 is in the stage of op r0 or in the next one [/graph/edges/3]; edge r0 -> r3 over several stages, behind forwards (which count no cycles: nothing tells how many): interval 8, 1 forward",
		"no stage may be empty [/options]; empty stages allowed: interval 8",
		"cheapest: empty stages allowed: interval 8",
	},
	"c22": {
		"op a reads the dynamic input x, so it is in stage 0 [/graph/inputs/0/consumers/0]; input x forwarded to op a (which count no cycles: nothing tells how many): interval 2, 1 forward",
		"op d reads the dynamic input x, so it is in stage 0 [/graph/inputs/0/consumers/1]; input x forwarded to op d (which count no cycles: nothing tells how many): interval 2, 1 forward",
		"physical core 0 and one like it: no more than 100 bytes of weights on a core [/target/cores/0]; enough room for weights on physical core 0 and one like it: interval 2",
		"sum: ops a, d in stage 0: 130 bytes of weights (wa 70 + wd 60), and at most 1 core there: 100 bytes",
		"cheapest: enough room for weights on physical core 0 and one like it: interval 2",
	},
	"c22-placed": {
		"op a reads the dynamic input x, so it is in stage 0 [/graph/inputs/0/consumers/0]; input x forwarded to op a (which count no cycles: nothing tells how many): interval 2, 1 forward",
		"op d reads the dynamic input x, so it is in stage 0 [/graph/inputs/0/consumers/1]; input x forwarded to op d (which count no cycles: nothing tells how many): interval 2, 1 forward",
		"logical core 0 is placed on physical core 0 [/assignment/placement/0]; logical core 0 on any physical core: interval 2",
		"physical core 0: no more than 100 bytes of weights on a core [/target/cores/0]; enough room for weights on physical core 0: interval 2",
		"sum: ops a, d in stage 0: 130 bytes of weights (wa 70 + wd 60), and at most 1 core there: 100 bytes",
		"cheapest: logical core 0 on any physical core: interval 2",
	},
	"pins-far": {
		"path a -> b -> c: each op is in the stage of the one before it or in the next one [/graph/edges/0 /graph/edges/1]; edge a -> b over several stages, behind forwards: interval 2, 1 forward",
		"op a is pinned to stage 0 [/assignment/instances/0]; op a in any stage: interval 2",
		"op c is pinned to stage 3 [/assignment/instances/1]; op c in any stage: interval 2",
		"cheapest: op c in any stage: interval 2",
	},
	"input-behind-pin": {
		"path a -> b -> c: each op is in the stage of the one before it or in the next one [/graph/edges/0 /graph/edges/1]; no edge a -> b: interval 2",
		"op c reads the dynamic input x, so it is in stage 0 [/graph/inputs/0/consumers/0]; input x forwarded to op c (which count no cycles: nothing tells how many): interval 4, 1 forward",
		"op a is pinned to stage 1 [/assignment/instances/0]; op a in any stage: interval 4",
		"cheapest: op a in any stage: interval 4",
	},
	"c25-small":  {"weights-exceed-all-cores /target: the weights have 15 bytes in 15 slices, each counted once, but all 2 cores together hold 14"},
	"split-once": {"lane-exceeds-every-core /graph/ops/0: a lane of op big in 1 part, the most that are allowed, has 91 bytes of weights a part at the most (wb 91), but no core holds more than 50"},
	"split-few":  {"lane-exceeds-every-core /graph/ops/0: a lane of op big in 2 parts, the most that are allowed, has 56 bytes of weights a part at the most (wb 56), but no core holds more than 50"},
	"bins":       {"slices-exceed-all-cores /target: 3 slices of weights have 4 bytes or more, but all 2 cores together have room for 2 of that size"},
	"few-cores":  {"more-stages-than-cores /logical_cores: 3 stages need a core each, but there are 2 logical cores"},
}

// Every case without a schedule is explained, by the clock and by steps.
func TestWhyNot(t *testing.T) {
	set := builtin(t)
	explained := 0
	for _, c := range solvecases.Cases() {
		if c.Feasible {
			continue
		}
		explained++
		t.Run(c.Name, func(t *testing.T) {
			plan, err := c.Read("../../testdata/cases/solve")
			if err != nil {
				t.Fatal(err)
			}
			for _, steps := range []int64{0, 10_000_000} {
				out, err := passes.Run(context.Background(), plan, passes.Options{
					Encode: encode.Options{ForwardCycles: ir.None}, Rules: set, Search: schedule.Options{Steps: steps},
				})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(explanations[c.Name], explanation(t, out)); diff != "" {
					t.Errorf("%d steps: %s", steps, diff)
				}
			}
		})
	}
	if explained != len(explanations) {
		t.Errorf("%d cases have no schedule, and %d explanations are known", explained, len(explanations))
	}
}

// Where forwards are allowed a conflict names the stage that makes them useless,
// not an edge as if it could not be longer.
func TestWhyNotWithForwards(t *testing.T) {
	plan, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(`{"schema": "plancheck.concrete-plan/1", "logical_cores": 3, "options": {"forward": true},
  "graph": {"ops": [{"id": "a", "work_cycles": 4, "forward_cycles": 1}, {"id": "b", "work_cycles": 4}, {"id": "c", "work_cycles": 4}],
            "edges": [{"from": "a", "to": "b"}, {"from": "a", "to": "c"}]},
  "stages": [{"index": 0}, {"index": 1}, {"index": 2}],
  "assignment": {"instances": [{"op": "a", "stage": 1}, {"op": "b", "cores": [0]}, {"op": "c", "cores": [2]}]}}`)))
	if plan == nil {
		t.Fatal(diags)
	}
	out, err := passes.Run(context.Background(), plan, passes.Options{
		Encode: encode.Options{ForwardCycles: ir.None}, Rules: builtin(t), Search: schedule.Options{Steps: 1_000_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"edge a -> b: op b is not in an earlier stage than op a [/graph/edges/0]; no edge a -> b: interval 4",
		"lane 0 of op b is pinned to core 0 [/assignment/instances/1]; lane 0 of op b on any core: interval 8",
		"op a is pinned to stage 1 [/assignment/instances/0]; op a in any stage: interval 8, 1 forward",
		"cheapest: lane 0 of op b on any core: interval 8",
	}
	if diff := cmp.Diff(want, explanation(t, out)); diff != "" {
		t.Error(diff)
	}
}

func explanation(t *testing.T, out *passes.Outcome) []string {
	t.Helper()
	var text []string
	for _, d := range out.Reasons {
		if d.Pos.Line == 0 || d.Pos.Column == 0 {
			t.Errorf("%s has no place", d.Code)
		}
		text = append(text, fmt.Sprintf("%s %s: %s", d.Code, d.Pos.Pointer, d.Message))
	}
	if out.Why == nil {
		return text
	}
	if !out.Why.Minimal {
		text = append(text, "not minimal")
	}
	for _, c := range out.Why.Conflict {
		var pointers []string
		for _, p := range c.Parts {
			if p.Pos.Line == 0 || p.Pos.Column == 0 || p.Snippet == "" {
				t.Errorf("%s has no place", p.Text)
			}
			pointers = append(pointers, p.Pos.Pointer)
		}
		text = append(text, fmt.Sprintf("%s %s; %s", c.Message, pointers, c.Help))
	}
	for _, s := range out.Why.Sums {
		text = append(text, "sum: "+s)
	}
	if out.Why.Cheapest != "" {
		text = append(text, "cheapest: "+out.Why.Cheapest)
	}
	return text
}
