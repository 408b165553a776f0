package passes_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/diag"
	"plancheck/internal/passes"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// launched is a plan without an assignment whose program says which op is in
// which stage.
const launched = `{"schema": "plancheck.concrete-plan/1",
	"target": {"cores": [{"id": 0}, {"id": 1}]},
	"graph": {"ops": [{"id": "embed", "work_cycles": 800}, {"id": "mlp", "work_cycles": 700}], "edges": [{"from": "embed", "to": "mlp"}]},
	"stages": [{"index": 0, "cores": {"first": 0, "count": 1}}, {"index": 1, "cores": {"first": 1, "count": 1}}],
	"assignment": {"instances": []},
	"program": {
		"devices": [{"id": "d"}], "queues": [{"id": "q0", "device": "d"}, {"id": "q1", "device": "d"}],
		"commands": [{"id": "E", "kind": "launch", "queue": "q0", "op": "embed", "stage": 0},
		             {"id": "M", "kind": "launch", "queue": "q1", "op": "mlp", "stage": 1}]}}`

// A plan is completed so that its program is right about stages.
func TestAssignmentsAgreeWithThePrograms(t *testing.T) {
	for _, c := range []struct {
		name     string
		edits    []string
		want     []int64 // stages of embed and mlp; nil where there are none
		conflict []string
	}{
		{"as it is", nil, []int64{0, 1}, nil},
		{"the other way round", []string{`, "edges": [{"from": "embed", "to": "mlp"}]`, ``,
			`"op": "embed", "stage": 0`, `"op": "embed", "stage": 1`, `"op": "mlp", "stage": 1`, `"op": "mlp", "stage": 0`}, []int64{1, 0}, nil},
		{"both in one stage", []string{`"op": "embed", "stage": 0`, `"op": "embed", "stage": 1`}, []int64{1, 1}, nil},
		{"against an edge", []string{`"from": "embed", "to": "mlp"`, `"from": "mlp", "to": "embed"`}, nil, []string{"command-stage-disagrees"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, ds := ir.DecodePlan(diag.NewSource("plan.json", []byte(strings.NewReplacer(c.edits...).Replace(launched))))
			if plan == nil {
				t.Fatal(ds)
			}
			out, err := passes.Run(context.Background(), plan, passes.Options{Encode: encode.Options{ForwardCycles: ir.None}, Rules: builtin(t)})
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			if out.Plan != nil {
				for _, in := range out.Plan.Assignment.Instances {
					got = append(got, in.Stage)
				}
			}
			var conflict []string
			for _, x := range out.Conflict {
				conflict = append(conflict, x.Invariant.Code)
			}
			if diff := cmp.Diff(c.want, got) + cmp.Diff(c.conflict, conflict); diff != "" || (out.Status == schedule.Infeasible) != (c.want == nil) {
				t.Errorf("%v %s", out.Status, diff)
			}
		})
	}
}
