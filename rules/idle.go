package rules

import (
	"fmt"
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

// additions warns of users' rules that add rows to a relation that a built-in
// file declares: it is most often a name that is taken by chance, and changes
// what the built-in rules find.
func (s *Set) additions(units []*datalog.Unit) []diag.Diagnostic {
	var diags []diag.Diagnostic
	for _, r := range s.program.Relations() {
		owner := slices.Index(units, r.Unit)
		if owner < 0 || !s.files[owner].Builtin {
			continue
		}
		for _, u := range r.FilledBy {
			if i := slices.Index(units, u); !s.files[i].Builtin {
				diags = append(diags, diag.Diagnostic{
					Code: "rule-adds-to-builtin", Severity: diag.Warning, Pos: diag.Position{File: s.files[i].Name},
					Message: fmt.Sprintf("the rules for %s add rows to the relation that is declared at %s:%d; if that is not meant, take another name",
						r.Name, r.Pos.File, r.Pos.Line),
				})
			}
		}
	}
	return diags
}
