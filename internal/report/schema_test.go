package report

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"plancheck/internal/strictjson"
	"plancheck/internal/strictjson/strictjsontest"
)

// reports are the json reports of the goldens, decoded.
func reports(t *testing.T) map[string]any {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d goldens, %v", len(files), err)
	}
	all := map[string]any{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if all[file], err = jsonschema.UnmarshalJSON(bytes.NewReader(data)); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return all
}

// The schema accepts every report, and refuses it when any of its objects has
// a field more, lacks one that is required, or any value is of another type.
func TestSchemaOfReports(t *testing.T) {
	schema := strictjsontest.Compile(t, Schema())
	for file, report := range reports(t) {
		if err := schema.Validate(report); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if file == filepath.Join("testdata", "deep.json") || file == filepath.Join("testdata", "long.json") {
			continue // more of the same, and slow
		}
		refuse := func(what string) {
			t.Helper()
			if schema.Validate(report) == nil {
				t.Errorf("%s: accepted with %s", file, what)
			}
		}
		var visit func(value any, set func(any), at string)
		visit = func(value any, set func(any), at string) {
			if !strings.Contains(at, "/args/") && !strings.HasSuffix(at, "/value") { // there anything may stand
				set(1.5)
				refuse("a fraction at " + at)
				set(value)
			}
			switch v := value.(type) {
			case map[string]any:
				v["zz"] = true
				refuse("a new field at " + at)
				delete(v, "zz")
				for _, key := range slices.Sorted(maps.Keys(v)) {
					visit(v[key], func(x any) { v[key] = x }, at+"/"+key)
				}
			case []any:
				if len(v) > 0 {
					visit(v[0], func(x any) { v[0] = x }, at+"/0")
				}
			}
		}
		visit(report, func(x any) { report = x }, "")
	}
}

// Every field that the schema knows is in some report, or stands here.
func TestSchemaOfReportsIsNotTooLarge(t *testing.T) {
	seen := map[string]bool{}
	var collect func(any)
	collect = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			for key, x := range v {
				seen[key] = true
				collect(x)
			}
		case []any:
			for _, x := range v {
				collect(x)
			}
		}
	}
	for _, r := range reports(t) {
		collect(r)
	}
	var unseen []string
	s := Schema()
	for _, def := range append(strictjson.Properties{{Name: "report", Schema: s}}, s.Defs...) {
		for _, p := range def.Schema.Properties {
			if !seen[p.Name] {
				unseen = append(unseen, def.Name+"."+p.Name)
			}
		}
	}
	if diff := cmp.Diff([]string(nil), unseen); diff != "" {
		t.Errorf("fields that no report has (-want +got):\n%s", diff)
	}
}
