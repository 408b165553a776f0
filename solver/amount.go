package solver

// NoneOrBetween says that none of the literals is true, or at least so many and
// at most so many. It makes a literal for each of them and each number up to the
// bounds.
func (s *Solver) NoneOrBetween(g Group, lits []Lit, least, most int) error {
	if most < len(lits) {
		if err := s.atMost(g, lits, max(most, 0)); err != nil {
			return err
		}
	}
	if least > 1 {
		return s.noneOrAtLeast(g, lits, least)
	}
	return nil
}

// atMost is a sequential counter: literal j of a column is true when more than
// j of the literals so far are.
func (s *Solver) atMost(g Group, lits []Lit, most int) error {
	var before Lit // the first of the column before; 0 for none
	for _, l := range lits {
		if most == 0 {
			if err := s.Add(g, l.Not()); err != nil {
				return err
			}
			continue
		}
		now := s.Vars(most)
		clauses := [][]Lit{{l.Not(), now}}
		for j := range Lit(most) {
			if before == 0 {
				break
			}
			clauses = append(clauses, []Lit{(before + j).Not(), now + j})
			if j+1 < Lit(most) {
				clauses = append(clauses, []Lit{l.Not(), (before + j).Not(), now + j + 1})
			} else {
				clauses = append(clauses, []Lit{l.Not(), (before + j).Not()})
			}
		}
		if err := s.addAll(g, clauses); err != nil {
			return err
		}
		before = now
	}
	return nil
}

// noneOrAtLeast is a sequential counter: literal j of a column is true only when
// more than j of the literals so far are.
func (s *Solver) noneOrAtLeast(g Group, lits []Lit, least int) error {
	var before Lit // the first of the column before; 0 for none
	for _, l := range lits {
		now := s.Vars(least)
		var clauses [][]Lit
		for j := range Lit(least) {
			more, fewer := []Lit{(now + j).Not(), l}, []Lit{(now + j).Not()}
			if before != 0 {
				more, fewer = append(more, before+j), append(fewer, before+j)
			}
			clauses = append(clauses, more)
			if j == 0 {
				continue
			}
			if before != 0 {
				fewer = append(fewer, before+j-1)
			}
			clauses = append(clauses, fewer)
		}
		if err := s.addAll(g, clauses); err != nil {
			return err
		}
		before = now
	}
	for _, l := range lits {
		if err := s.Add(g, l.Not(), before+Lit(least)-1); err != nil {
			return err
		}
	}
	return nil
}

func (s *Solver) addAll(g Group, clauses [][]Lit) error {
	for _, c := range clauses {
		if err := s.Add(g, c...); err != nil {
			return err
		}
	}
	return nil
}
