package solver

import (
	"fmt"
	"slices"

	"github.com/go-air/gini"
)

// Group names a set of clauses that hold only when a call asks for them.
// The zero Group, Always, is the set of clauses that hold in every call.
type Group int

// Always is the group of the clauses that hold in every call.
const Always Group = 0

// Solver is a formula and the search on it. It is for one goroutine at a time.
type Solver struct {
	g     *gini.Gini
	vars  int
	names []string // of variables, at index v-1; empty for unnamed ones

	groupNames []string // at index group; "" for Always
	selectors  []Lit    // at index group; 0 for Always
	groupOf    map[Lit]Group

	// The clauses as given to gini, selector included, one after the other:
	// clause i is lits[ends[i-1]:ends[i]]. Models are checked against these,
	// so a fault in the search cannot pass for a solution.
	lits []Lit
	ends []int

	contradiction bool // Always is known to be unsatisfiable
}

// New returns a solver without variables and clauses.
func New() *Solver {
	return &Solver{
		g:          gini.New(),
		groupNames: []string{""},
		selectors:  []Lit{0},
		groupOf:    map[Lit]Group{},
	}
}

// Var makes a variable and returns its positive literal. The name is for the
// variable map of WriteDIMACS and may be empty.
func (s *Solver) Var(name string) Lit {
	s.vars++
	s.names = append(s.names, name)
	if l := fromGini(s.g.Lit()); l != Lit(s.vars) {
		// Both count up from one; only a change of gini's could end here.
		panic(fmt.Sprintf("solver: gini made variable %d where %d was due", l, s.vars))
	}
	return Lit(s.vars)
}

// Vars makes n unnamed variables with consecutive numbers and returns the
// first one's positive literal; the i-th is that plus i. n must be positive.
func (s *Solver) Vars(n int) Lit {
	first := s.Var("")
	for range n - 1 {
		s.Var("")
	}
	return first
}

// NumVars returns how many variables there are, the groups' own included.
func (s *Solver) NumVars() int { return s.vars }

// NumClauses returns how many clauses were added; tautologies do not count.
func (s *Solver) NumClauses() int { return len(s.ends) }

// Group makes a group of clauses under a name. Names need not differ.
func (s *Solver) Group(name string) Group {
	g := Group(len(s.groupNames))
	sel := s.Var("group " + name)
	s.groupNames = append(s.groupNames, name)
	s.selectors = append(s.selectors, sel)
	s.groupOf[sel] = g
	return g
}

// Name returns the name that g was made with; "" for Always and for a group
// that this solver has not made.
func (s *Solver) Name(g Group) string {
	if g < 0 || int(g) >= len(s.groupNames) {
		return ""
	}
	return s.groupNames[g]
}

// Selector returns the literal that is true when g's clauses hold, so that
// clauses can relate groups to each other ("if this one holds, so does that").
// It is zero for Always and for a group that this solver has not made.
func (s *Solver) Selector(g Group) Lit {
	if g <= Always || int(g) >= len(s.selectors) {
		return 0
	}
	return s.selectors[g]
}

// Add adds the clause "one of lits is true" to group g. It may be called
// between solves. Repeated literals count once; a clause with a literal and its
// negation says nothing and is dropped. The empty clause is allowed: it makes
// its group unsatisfiable.
func (s *Solver) Add(g Group, lits ...Lit) error {
	if g < 0 || int(g) >= len(s.groupNames) {
		return fmt.Errorf("add a clause to group %d: %w", g, ErrUnknownGroup)
	}
	if err := s.check(lits); err != nil {
		return fmt.Errorf("add a clause: %w", err)
	}
	start := len(s.lits)
	s.lits = append(s.lits, lits...)
	if g != Always {
		s.lits = append(s.lits, s.selectors[g].Not())
	}
	clause := s.lits[start:]
	slices.SortFunc(clause, byVar)
	clause = slices.Compact(clause)
	for i := 1; i < len(clause); i++ {
		if clause[i] == clause[i-1].Not() {
			s.lits = s.lits[:start]
			return nil
		}
	}
	s.lits = s.lits[:start+len(clause)]
	s.ends = append(s.ends, len(s.lits))
	if len(clause) == 0 {
		s.contradiction = true
		return nil
	}
	for _, l := range clause {
		s.g.Add(toGini(l))
	}
	s.g.Add(0)
	return nil
}

// byVar orders literals by variable, a variable before its negation, so that
// both stand side by side.
func byVar(a, b Lit) int {
	if a.Var() != b.Var() {
		return int(a.Var() - b.Var())
	}
	return int(b - a)
}

// clause returns clause i with its selector literal.
func (s *Solver) clause(i int) []Lit {
	start := 0
	if i > 0 {
		start = s.ends[i-1]
	}
	return s.lits[start:s.ends[i]]
}

// Replay returns a new solver with the same variables, groups and clauses, and
// nothing of what the search has learnt. It takes the place of gini's Copy,
// whose copies search many times slower.
func (s *Solver) Replay() *Solver {
	r := New()
	for v := range s.vars {
		r.Var(s.names[v])
	}
	r.groupNames = slices.Clone(s.groupNames)
	r.selectors = slices.Clone(s.selectors)
	for g, sel := range r.selectors[1:] {
		r.groupOf[sel] = Group(g + 1)
	}
	r.lits = slices.Clone(s.lits)
	r.ends = slices.Clone(s.ends)
	r.contradiction = s.contradiction
	for i := range r.ends {
		clause := r.clause(i)
		if len(clause) == 0 {
			continue
		}
		for _, l := range clause {
			r.g.Add(toGini(l))
		}
		r.g.Add(0)
	}
	return r
}
