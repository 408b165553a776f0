package irtext_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/derive"
	"plancheck/internal/diag"
	"plancheck/internal/example"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

var update = flag.Bool("update", false, "write the golden files")

func read(t testing.TB, path string) *facts.Document {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d, diags := facts.Decode(diag.NewSource(path, data))
	if d == nil {
		t.Fatal(diags)
	}
	return d
}

// goldens are documents by the names of their texts.
func goldens(t testing.TB) map[string]*facts.Document {
	size := example.ModelSize{Hidden: 8, FFN: 16, DType: "bf16"}
	options := derive.PlanOptions{Bindings: []portable.Binding{{Symbol: "M", Value: 4}}}
	all := map[string]*facts.Document{}
	m, err := example.BuildModel("row-parallel", size)
	if err != nil {
		t.Fatal(err)
	}
	row := task.Strategy{TensorParallel: 2, Linear: []task.OpCut{{Op: m.Ops[0].ID, Cut: task.Row}}}
	for i, d := range derived(t, "row-parallel", size, row, options) {
		all[[]string{"row-parallel-model", "row-parallel-tasks", "row-parallel-portable"}[i]] = d
	}
	for name, path := range map[string]string{
		"model": "model", "tasks": "tasks", "portable": "portable-bound", "plan": "full", "machine": "machine",
	} {
		all[name] = read(t, "../../facts/testdata/"+path+".json")
	}
	return all
}

func TestGolden(t *testing.T) {
	for name, d := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			path, got := filepath.Join("testdata", name+".ir"), print(t, d)
			if *update {
				if err := os.WriteFile(path, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("run go test ./internal/irtext -update if this is right (-want +got):\n%s", diff)
			}
			roundTrip(t, d)
		})
	}
}
