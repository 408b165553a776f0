package passes_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/diag"
	"plancheck/internal/example"
	"plancheck/internal/importer"
	"plancheck/internal/passes"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
	"plancheck/rules"
)

func repair(t *testing.T, text []byte, o passes.RepairOptions) *passes.Mended {
	t.Helper()
	plan, diags := ir.DecodePlan(diag.NewSource("plan.json", text))
	if diags != nil {
		t.Fatalf("%+v", diags)
	}
	set, diags := rules.Load(nil)
	if set == nil {
		t.Fatalf("%+v", diags)
	}
	o.Rules = set
	out, err := passes.Repair(context.Background(), plan, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The split of BERT-24 by an expert, with sources as ops, is legal with four
// forwards and no op moved, which are the fewest changes.
func TestRepairOfAnExpertsSplit(t *testing.T) {
	folder := os.Getenv("PLANCHECK_DATA")
	if folder == "" {
		t.Skip("skipped: PLANCHECK_DATA does not name a folder with workloads/dnn-partitioning")
	}
	var files []*diag.Source
	for _, name := range []string{"layer_bert24_inference.json", "bert24_inference_expert.json"} {
		path := filepath.Join(folder, "workloads", "dnn-partitioning", name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, diag.NewSource(name, data))
	}
	var options importer.Options
	if err := options.Set("sources", "ops"); err != nil {
		t.Fatal(err)
	}
	plan, diags := importer.Import("dnn-partitioning", files, options)
	if plan == nil {
		t.Fatalf("%+v", diags)
	}
	text := ir.Encode(plan)
	for _, c := range []struct {
		name    string
		forward bool
		changes schedule.Changes
	}{
		{"with forwards", true, schedule.Changes{Forwards: 4}},
		{"without", false, schedule.Changes{Stages: 20, Cores: 20}},
	} {
		out := repair(t, text, passes.RepairOptions{Encode: encode.Options{Forward: c.forward, ForwardCycles: ir.None}})
		if diff := cmp.Diff(c.changes, out.Result.Changes); diff != "" {
			t.Errorf("%s: changes (-want +got):\n%s", c.name, diff)
		}
		if out.Status != schedule.Optimal || out.Fewest != c.changes.Total() || out.Counted() != out.Fewest {
			t.Errorf("%s: %s, at least %d of %d changes", c.name, out.Status, out.Fewest, out.Counted())
		}
	}
}

// A change is told with the violations whose proofs rest on what it changes.
func TestRepairTellsCures(t *testing.T) {
	out := repair(t, []byte(`{"schema": "plancheck.concrete-plan/1", "logical_cores": 2,
 "graph": {"ops": [{"id": "a", "work_cycles": 1}, {"id": "b", "work_cycles": 1}, {"id": "c", "work_cycles": 1}], "edges": [{"from": "a", "to": "b"}]},
 "stages": [{"index": 0, "cores": {"first": 0, "count": 1}}, {"index": 1, "cores": {"first": 1, "count": 1}}],
 "assignment": {"instances": [{"op": "a", "stage": 0, "cores": [0]}, {"op": "b", "stage": 1, "cores": [7]}, {"op": "c", "stage": 1}]}}`),
		passes.RepairOptions{Encode: encode.Options{ForwardCycles: ir.None}})
	type cure struct {
		Kind   encode.ChangeKind
		Text   string
		Filled bool
		Cures  []string
	}
	var got []cure
	for _, c := range out.Changes {
		one := cure{Kind: c.Kind, Text: c.Text, Filled: c.Filled}
		for _, d := range c.Cures {
			one.Cures = append(one.Cures, d.Code)
		}
		got = append(got, one)
	}
	want := []cure{
		{encode.ChangeCore, "op b, lane 0: core 7 -> 1", false, []string{"instance-without-core-or-stage"}},
		{encode.ChangeCore, "op c, lane 0: core 1", true, []string{"instance-without-core-or-stage"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if out.Counted() != 1 || out.Fewest != 1 || len(out.Cured) != 0 {
		t.Errorf("%d changes of at least %d, and %v cured besides", out.Counted(), out.Fewest, out.Cured)
	}
}

// Of an instance with several lanes each change of a core cures what is wrong with
// its own lane.
func TestRepairTellsCuresByLanes(t *testing.T) {
	out := repair(t, []byte(`{"schema": "plancheck.concrete-plan/1", "logical_cores": 4,
 "graph": {"ops": [{"id": "a", "lanes": 2, "work_cycles": 1}, {"id": "b", "work_cycles": 1}]},
 "stages": [{"index": 0, "cores": {"first": 0, "count": 2}}, {"index": 1, "cores": {"first": 2, "count": 2}}],
 "assignment": {"instances": [{"op": "a", "stage": 0, "lanes": [1, 0], "cores": [2, 9]}, {"op": "b", "stage": 1, "cores": [2]}]}}`),
		passes.RepairOptions{Encode: encode.Options{ForwardCycles: ir.None}})
	got := map[string][]string{}
	for _, c := range out.Changes {
		lane, _, _ := strings.Cut(c.Text, ":")
		for _, d := range c.Cures {
			got[lane] = append(got[lane], d.Message)
		}
	}
	want := map[string][]string{
		"op a, lane 0": {"lane 0 of op a is on core 9, but the plan has 4 logical cores, counted from 0"},
		"op a, lane 1": {"lane 1 of op a is in stage 0 but on core 2, which the stage does not own"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cures (-want +got):\n%s", diff)
	}
}

// A large plan of which nothing is as it should be is made legal though the search
// for the fewest changes gets nowhere.
func TestRepairInTimeThatIsTooShort(t *testing.T) {
	plan, err := example.Build("bert-base", example.Complete)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range plan.Assignment.Instances {
		in := &plan.Assignment.Instances[i]
		in.Stage = int64(r.IntN(len(plan.Stages)))
		for j := range in.Cores {
			in.Cores[j] = int64(r.IntN(len(plan.Target.Cores)))
		}
	}
	out := repair(t, ir.Encode(plan), passes.RepairOptions{
		Encode: encode.Options{ForwardCycles: ir.None}, Search: schedule.RepairOptions{Steps: 50_000},
	})
	if out.Plan == nil || out.Status != schedule.Feasible || out.Fewest > out.Counted() {
		t.Errorf("status %v, %d changes of at least %d, and a plan: %t", out.Status, out.Counted(), out.Fewest, out.Plan != nil)
	}
}

// With a budget of steps the same plan comes of the same input.
func TestRepairByStepsRepeats(t *testing.T) {
	text := []byte(`{"schema": "plancheck.concrete-plan/1", "logical_cores": 4,
 "graph": {"ops": [{"id": "a", "work_cycles": 5, "lanes": 3}, {"id": "b", "work_cycles": 7, "lanes": 2}, {"id": "c", "work_cycles": 9}, {"id": "d", "work_cycles": 4}],
  "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}, {"from": "a", "to": "d"}]},
 "stages": [{"index": 0}, {"index": 1}, {"index": 2}],
 "assignment": {"instances": [{"op": "a", "stage": 2, "cores": [0, 9, 9]}, {"op": "b", "stage": 0, "cores": [3, 3]}, {"op": "c", "stage": 1, "cores": [0]}, {"op": "d", "stage": 0}]}}`)
	var plans []string
	for range 3 {
		out := repair(t, text, passes.RepairOptions{Encode: encode.Options{ForwardCycles: ir.None}, Search: schedule.RepairOptions{Steps: 50_000}})
		if out.Plan == nil {
			t.Fatalf("no plan: %s", out.Status)
		}
		plans = append(plans, string(ir.Encode(out.Plan)))
	}
	if plans[0] != plans[1] || plans[1] != plans[2] {
		t.Errorf("plans differ:\n%s\n%s\n%s", plans[0], plans[1], plans[2])
	}
}
