package house

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/derive"
	"plancheck/internal/diag"
	"plancheck/internal/example"
	"plancheck/internal/irtext"
	"plancheck/ir"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// The observations of the worked example are of the plan that is derived in it.
// Ids and digests change with what the passes make; -update writes them anew.
func TestObservationsAreOfTheExample(t *testing.T) {
	const folder = "../../examples/row-parallel-mlp/"
	read := func(name string) *facts.Document {
		text, err := os.ReadFile(folder + name)
		if err != nil {
			t.Fatal(err)
		}
		src, diags := irtext.Source(diag.NewSource(name, text))
		if diags != nil {
			t.Fatal(diags)
		}
		doc, diags := facts.Decode(src)
		if doc == nil {
			t.Fatal(diags)
		}
		return doc
	}
	builtIn := func(name string) *facts.Document {
		body, err := example.Document(name)
		if err != nil {
			t.Fatal(err)
		}
		return facts.OfLevel(body, nil)
	}
	made, err := derive.Down(context.Background(), derive.Input{
		Model: read("model.ir"), Strategy: task.Strategy{TensorParallel: 2, Linear: []task.OpCut{{Op: "down", Cut: task.Row}}},
		Plan:   derive.PlanOptions{Bindings: []portable.Binding{{Symbol: "M", Value: 32}}},
		Target: builtIn("a100-target"), Deployment: builtIn("a100-deployment"), Evidence: read("evidence.json"),
	}, derive.PlanLevel)
	if err != nil {
		t.Fatal(err)
	}
	plan := made[len(made)-1].Document.Plan()
	took := map[string]string{ir.KindLaunch: "337000000", ir.KindCollective: "151000000"}
	var records []string
	for _, c := range plan.Program.Commands {
		records = append(records, fmt.Sprintf(`  {"command": "%s", "duration_ps": %s}`, plan.Text(c.ID), took[c.Kind]))
	}
	want := fmt.Sprintf(`{"schema": "plancheck.observations/1", "run": "run 1", "clock": "device", "level": "exact-event",
 "parents": [{"schema": "plancheck.concrete-plan/1", "digest": "%s"}],
 "records": [
%s]}
`, ir.PlanDigest(plan), strings.Join(records, ",\n"))
	name := folder + "run1.json"
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s (-want +got; make golden writes it anew):\n%s", name, diff)
	}
}
