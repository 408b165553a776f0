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

// The observations of the worked example are of the plans that are derived in it.
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
	for _, c := range []struct {
		file, level string
		evidence    *facts.Document
		target      string
		stages      int64
		took        map[string]string // by what a command does, where it was observed
	}{
		{"run1.json", "exact-event", read("evidence.json"), "a100", 0, map[string]string{"model.linear": "337000000", "all-reduce": "151000000"}},
		{"chip1.json", "partial-observation", builtIn("chip-evidence"), "chip", 2, map[string]string{"model.linear 32x128,128x64 bf16": "600000"}},
	} {
		made, err := derive.Down(context.Background(), derive.Input{
			Model: read("model.ir"), Strategy: task.Strategy{TensorParallel: 2, Linear: []task.OpCut{{Op: "down", Cut: task.Row}}},
			Plan:   derive.PlanOptions{Bindings: []portable.Binding{{Symbol: "M", Value: 32}}},
			Target: builtIn(c.target + "-target"), Deployment: builtIn(c.target + "-deployment"), Evidence: c.evidence, Stages: c.stages,
		}, derive.PlanLevel)
		if err != nil {
			t.Fatal(err)
		}
		plan := made[len(made)-1].Document.Plan()
		var records []string
		for _, command := range plan.Program.Commands {
			if took := c.took[command.Op]; took != "" {
				records = append(records, fmt.Sprintf(`  {"command": "%s", "duration_ps": %s}`, plan.Text(command.ID), took))
			}
		}
		want := fmt.Sprintf(`{"schema": "plancheck.observations/1", "run": "run 1", "clock": "device", "level": "%s",
 "parents": [{"schema": "plancheck.concrete-plan/1", "digest": "%s"}],
 "records": [
%s]}
`, c.level, ir.PlanDigest(plan), strings.Join(records, ",\n"))
		if *update {
			if err := os.WriteFile(folder+c.file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(folder + c.file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s (-want +got; make golden writes it anew):\n%s", c.file, diff)
		}
	}
}
