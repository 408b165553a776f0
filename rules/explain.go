package rules

// Explanation is all that a rule file says about an invariant.
type Explanation struct {
	Invariant
	Clauses []string // source text of its rules, white space folded
}

// Explain returns the invariants of a code, in the order of the rule files.
func (s *Set) Explain(code string) []Explanation {
	var all []Explanation
	for _, e := range s.Explanations() {
		if e.Code == code {
			all = append(all, e)
		}
	}
	return all
}

// Explanations returns all invariants, in the order of the rule files.
func (s *Set) Explanations() []Explanation {
	clauses := map[string][]string{}
	for _, r := range s.program.Relations() {
		clauses[r.Name] = r.Clauses
	}
	var all []Explanation
	for _, inv := range s.invariants {
		all = append(all, Explanation{inv, clauses[inv.Relation]})
	}
	return all
}
