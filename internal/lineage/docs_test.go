package lineage

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/internal/record"
)

// docs/explain.md names every level, kind, field and property.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/explain.md")
	if err != nil {
		t.Fatal(err)
	}
	need := func(what, word string) {
		if !strings.Contains(string(page), "`"+word+"`") {
			t.Errorf("docs/explain.md does not name the %s %s", what, word)
		}
	}
	for _, l := range Levels() {
		need("level", l.Name)
	}
	for _, k := range kinds {
		need("kind", k.noun)
	}
	for _, shape := range []any{Report{}, LevelReport{}, DocumentReport{}, EntityReport{}, Property{}} {
		of := reflect.TypeOf(shape)
		for i := range of.NumField() {
			if name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ","); name != "" {
				if !strings.Contains(string(page), name+"`") && !strings.Contains(string(page), name+"[]`") {
					t.Errorf("docs/explain.md does not name the field %s", name)
				}
			}
		}
	}
	c := rowParallel(t, 2)
	x := opened(t, c[:]...)
	for _, e := range x.entities {
		for _, p := range x.properties(e, false) {
			need("property", p.Name)
		}
	}
}

// What is written for tools is read back the same.
func TestJSON(t *testing.T) {
	c := rowParallel(t, 2)
	text := trailOf(t, opened(t, c[:]...), "y", "").JSON("y")
	var r Report
	if diags := record.Decode(diag.NewSource("trail.json", text), &r); diags != nil {
		t.Fatal(diags)
	}
	if diff := cmp.Diff(string(text), string(record.Encode(&r))); diff != "" {
		t.Error(diff)
	}
	if r.Schema != TrailSchema || r.Word != "y" || len(r.Levels) != int(levelCount) {
		t.Errorf("schema %s, word %s, %d levels", r.Schema, r.Word, len(r.Levels))
	}
}
