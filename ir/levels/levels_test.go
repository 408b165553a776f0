package levels

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/record"
	"plancheck/ir"
	"plancheck/ir/level"
)

// Every level's types can be described, and their relations have a doc and a
// sentence.
func TestLevelsAreDescribed(t *testing.T) {
	for _, l := range All() {
		if s := record.Schema(l.New()); s.Title == "" {
			t.Errorf("%s has no title", l.Schema)
		}
		for _, r := range record.Relations(l.New()) {
			if r.Doc == "" || r.Says == "" {
				t.Errorf("%s: relation %s has doc %q and sentence %q", l.Schema, r.Name, r.Doc, r.Says)
			}
		}
	}
}

// Plans, which have a codec of their own, and documents of all other levels know
// the same kinds of lineage.
func TestKindsOfLineage(t *testing.T) {
	want := []string{level.Root, level.Preserved, level.Cloned, level.Decomposed, level.Fused, level.Lowered, level.Generated}
	if diff := cmp.Diff(want, ir.LineageKinds()); diff != "" {
		t.Errorf("plans (-want +got):\n%s", diff)
	}
	kind, _ := reflect.TypeFor[level.Lineage]().FieldByName("Kind")
	if diff := cmp.Diff(want, strings.Fields(kind.Tag.Get("enum"))); diff != "" {
		t.Errorf("other levels (-want +got):\n%s", diff)
	}
}
