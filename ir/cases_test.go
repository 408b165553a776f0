package ir

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
)

const casesDir = "../testdata/cases/input"

// TestInputCases reads documents as they came from the field: empty ones, keys
// given twice, booleans and strings where numbers belong, other encodings.
func TestInputCases(t *testing.T) {
	want := map[string][]string{
		"c66-empty.json":  {"1:1  document-empty: the document is empty"},
		"c66-spaces.json": {"1:1  document-empty: the document holds nothing but white space"},
		"c66-null.json":   {"1:1  wrong-type: the document must be an object, found null"},
		"c66-list.json":   {"1:1  wrong-type: the document must be an object, found a list"},
		"c66-string.json": {"1:1  wrong-type: the document must be an object, found a string"},
		"c66-object.json": {
			`1:1  missing-field: a plan must have the field "graph"`,
			`1:1  missing-field: a plan must have the field "schema" (write "schema": "plancheck.concrete-plan/1")`,
		},
		"c69-dup.json": {
			`15:29 /graph/edges/0/to duplicate-json-key: the key "to" is already given on line 15`,
			`20:16 /stages/1/index duplicate-json-key: the key "index" is already given on line 20`,
		},
		"c71-bool.json": {`20:13 /stages/1/index wrong-type: "index" must be an integer, found true`},
		"c71-frac.json": {`20:13 /stages/1/index not-an-integer: "index" must be an integer, found 1.5 (write whole numbers without fraction and exponent)`},
		"c71-str.json":  {`20:13 /stages/1/index wrong-type: "index" must be an integer, found a string`},
		"c73-lf.json":   nil,
		"c73-crlf.json": nil,
		"c73-bom.json":  nil,
		"c73-utf16.json": {
			"1:1  encoding-unsupported: the document is encoded in UTF-16 (little-endian) (save it as UTF-8)",
		},
		"c75-letters.json": {`11:46 /graph/inputs/0/consumers wrong-type: "consumers" must be a list of op ids, found a string`},
	}
	files, err := filepath.Glob(filepath.Join(casesDir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	seen := 0
	for _, file := range files {
		name := filepath.Base(file)
		expected, known := want[name]
		if !known {
			t.Errorf("%s: nothing is said about this case", name)
			continue
		}
		seen++
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		plan, ds := DecodePlan(diag.NewSource(name, data))
		if diff := cmp.Diff(expected, brief(ds)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if (plan == nil) == (expected == nil) {
			t.Errorf("%s: plan is %v", name, plan)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d cases are there", seen, len(want))
	}
}

// TestEncodingsOfOnePlan holds that line ends and a byte-order mark change
// nothing but byte offsets.
func TestEncodingsOfOnePlan(t *testing.T) {
	read := func(name string) *Plan {
		data, err := os.ReadFile(filepath.Join(casesDir, name))
		if err != nil {
			t.Fatal(err)
		}
		plan, ds := DecodePlan(diag.NewSource("plan.json", data))
		if ds != nil {
			t.Fatal(brief(ds))
		}
		return plan
	}
	lf := read("c73-lf.json")
	for _, name := range []string{"c73-crlf.json", "c73-bom.json"} {
		other := read(name)
		if diff := cmp.Diff(view(lf), view(other)); diff != "" {
			t.Errorf("%s (-lf +other):\n%s", name, diff)
		}
		for i := range lf.Graph.Ops {
			a := lf.Source.Position(int(lf.Graph.Ops[i].At))
			b := other.Source.Position(int(other.Graph.Ops[i].At))
			if a != b {
				t.Errorf("%s: op %d is at %v, not at %v", name, i, b, a)
			}
		}
	}
}
