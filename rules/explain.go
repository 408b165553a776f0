package rules

// Explain returns the invariants of a code, in the order of the rule files.
func (s *Set) Explain(code string) []Invariant {
	var all []Invariant
	for _, inv := range s.invariants {
		if inv.Code == code {
			all = append(all, inv)
		}
	}
	return all
}
