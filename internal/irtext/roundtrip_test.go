package irtext_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/derive"
	"plancheck/internal/diag"
	"plancheck/internal/example"
	"plancheck/internal/irtext"
	"plancheck/internal/programtest"
	"plancheck/ir"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func decode(t tester, name string, data []byte) *facts.Document {
	t.Helper()
	src, diags := irtext.Source(diag.NewSource(name, data))
	if src == nil {
		t.Fatalf("%v\n%s", diags, data)
	}
	d, diags := facts.Decode(src)
	if d == nil {
		t.Fatalf("%v\n%s\n%s", diags, data, src.Text())
	}
	return d
}

func print(t tester, d *facts.Document) []byte {
	t.Helper()
	text, err := irtext.Print(facts.Encode(d))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// roundTrip is survives for documents whose entities all have statements.
func roundTrip(t testing.TB, d *facts.Document) {
	t.Helper()
	if text := survives(t, d); bytes.Contains(text, []byte(" += ")) {
		t.Errorf("an entity has no statement:\n%s", text)
	}
}

// survives holds a document against what its text says, and the text against that
// of what it says.
func survives(t tester, d *facts.Document) []byte {
	t.Helper()
	text := print(t, d)
	again := decode(t, "text", text)
	if diff := cmp.Diff(string(facts.Encode(d)), string(facts.Encode(again))); diff != "" {
		t.Fatalf("the document is another one (-want +got):\n%s\n%s", diff, text)
	}
	if d.Digest() != again.Digest() {
		t.Fatalf("the digest is %s, want %s", again.Digest(), d.Digest())
	}
	if diff := cmp.Diff(string(text), string(print(t, again))); diff != "" {
		t.Fatalf("the text is another one (-want +got):\n%s", diff)
	}
	return text
}

// derived are a model of the examples and what is derived from it.
func derived(t testing.TB, name string, size example.ModelSize, strategy task.Strategy, o derive.PlanOptions) []*facts.Document {
	t.Helper()
	m, err := example.BuildModel(name, size)
	if err != nil {
		t.Fatal(err)
	}
	all := []*facts.Document{facts.OfLevel(m, nil)}
	for _, pass := range []derive.Pass{derive.Distribute(strategy), derive.Plan(o)} {
		parent := decode(t, name, facts.Encode(all[len(all)-1]))
		d, err := pass.Apply(context.Background(), parent)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

func TestRoundTripDerivations(t *testing.T) {
	for _, m := range example.Models() {
		for _, degree := range []int64{1, 2, 8} {
			for _, dtype := range []string{"bf16", "f32"} {
				for _, o := range []derive.PlanOptions{{}, {Bindings: []portable.Binding{{Symbol: "M", Value: 2048}}}} {
					size := example.ModelSize{Hidden: 128, FFN: 512, DType: dtype}
					for _, d := range derived(t, m.Name, size, task.Strategy{TensorParallel: degree}, o) {
						roundTrip(t, d)
					}
				}
			}
		}
	}
}

// hasText says whether a document is of the schemas of documents that have a text form.
func hasText(data []byte) bool {
	schema := ir.DeclaredSchema(diag.NewSource("document", data))
	for _, s := range irtext.Schemas() {
		if s == schema {
			return true
		}
	}
	return false
}

// All documents of the repository that decode.
func TestRoundTripDocuments(t *testing.T) {
	count := map[string]int{}
	for _, folder := range []string{"../../rules/testdata", "../../facts/testdata", "../../examples", "../../testdata", "../derive/testdata", "../execute/testdata", "../simulate/testdata"} {
		err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".json") {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if len(data) > 1<<20 || !hasText(data) {
				return nil
			}
			d, _ := facts.Decode(diag.NewSource(path, data))
			if d == nil {
				return nil
			}
			count[d.Schema]++
			t.Run(filepath.ToSlash(path), func(t *testing.T) { roundTrip(t, d) })
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range irtext.Schemas() {
		if count[s] == 0 {
			t.Errorf("no document of schema %s", s)
		}
	}
}

func TestRoundTripPlans(t *testing.T) {
	for _, name := range example.Names() {
		for _, variant := range example.Variants() {
			p, err := example.Build(name, variant)
			if err != nil {
				t.Fatal(err)
			}
			roundTrip(t, facts.OfPlan(p))
		}
	}
}

func TestRoundTripRandomPrograms(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := programtest.Generate(rapid.Uint64().Draw(r, "seed"), programtest.Medium)
		survives(r, facts.OfPlan(p))
	})
}
