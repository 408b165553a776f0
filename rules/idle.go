package rules

import (
	"slices"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
)

// IdleFile is the code of the warning about a rule file that changes nothing.
// People must see it even when they want to see little: without it a plan
// would seem to have passed.
const IdleFile = "rule-file-idle"

// idleFiles warns of the users' files, among the units of s.files, that can
// change no result: they fill no violation, no objective and no relation that
// another file declares or reads.
func (s *Set) idleFiles(units []*datalog.Unit) []diag.Diagnostic {
	useful := map[*datalog.Unit]bool{}
	for _, r := range s.program.Relations() {
		reports := slices.ContainsFunc(s.invariants, func(i Invariant) bool { return i.Relation == r.Name }) ||
			slices.ContainsFunc(s.objectives, func(o Objective) bool { return o.Relation == r.Name })
		for _, u := range append(r.FilledBy, r.Unit) {
			other := func(v *datalog.Unit) bool { return v != u }
			if reports || other(r.Unit) || slices.ContainsFunc(r.ReadBy, other) {
				useful[u] = true
			}
		}
	}
	var diags []diag.Diagnostic
	for i, u := range units {
		if !s.files[i].Builtin && !useful[u] {
			diags = append(diags, diag.Diagnostic{
				Code: IdleFile, Severity: diag.Warning, Pos: diag.Position{File: s.files[i].Name},
				Message: "nothing here can report anything: no violation(..), no objective(..), and no relation that another file reads",
			})
		}
	}
	return diags
}
