package rules

// Explanation is all that a rule file says about an invariant.
type Explanation struct {
	Invariant
	Clauses []string // source text of its rules, white space folded
}

// Explain returns the invariants of a code, in the order of the rule files.
func (s *Set) Explain(code string) []Explanation {
	var all []Explanation
	for _, inv := range s.invariants {
		if inv.Code != code {
			continue
		}
		e := Explanation{Invariant: inv}
		for _, r := range s.program.Relations() {
			if r.Name == inv.Relation {
				e.Clauses = r.Clauses
			}
		}
		all = append(all, e)
	}
	return all
}
