package rules

import (
	"testing"

	"plancheck/ir/machine"
)

// Each invariant of machine programs has a document that breaks it, and nothing
// else, and the same one mended, which is also legal without its parent.
func TestMachineExamples(t *testing.T) {
	s := rulesOf(t, machine.Schema)
	of := map[string]bool{}
	for _, e := range machineExamples {
		of[e.relation] = true
		t.Run(e.relation, func(t *testing.T) {
			checkParent(t, e)
			checkExample(t, e)
		})
	}
	for _, inv := range s.Invariants() {
		if !of[inv.Relation] && !ofEveryLevel[inv.Relation] && inv.Pos.File != Builtin+":document" { // these have examples of other levels
			t.Errorf("%s has no example", inv.Relation)
		}
	}
}
