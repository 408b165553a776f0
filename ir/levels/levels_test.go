package levels

import (
	"testing"

	"plancheck/internal/record"
)

// Every level's types can be described, and their relations have a doc and a
// sentence.
func TestLevelsAreDescribed(t *testing.T) {
	for _, l := range All() {
		if s := record.Schema(l.New(), nil); s.Title == "" {
			t.Errorf("%s has no title", l.Schema)
		}
		for _, r := range record.Relations(l.New()) {
			if r.Doc == "" || r.Says == "" {
				t.Errorf("%s: relation %s has doc %q and sentence %q", l.Schema, r.Name, r.Doc, r.Says)
			}
		}
	}
}
