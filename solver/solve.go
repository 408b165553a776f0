package solver

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/go-air/gini/z"
)

// Status says what is known of a formula.
type Status int

const (
	// Unknown: the budget ended first. It says nothing of the formula.
	Unknown Status = iota
	// Sat: there is a model.
	Sat
	// Unsat: there is none under the groups and assumptions of the call.
	Unsat
)

func (s Status) String() string {
	switch s {
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	}
	return "unknown"
}

// Answer is the result of one Solve.
type Answer struct {
	Status Status
	// Model is set when Status is Sat.
	Model Model
	// Groups and Assumptions are set when Status is Unsat: together they
	// cannot hold. They are a part of what the call asked for, seldom a
	// minimal one (Core makes it so). Both are in ascending order.
	Groups      []Group
	Assumptions []Lit
}

// Model is a satisfying assignment. It keeps its meaning after later calls.
type Model struct{ values []bool }

// True says whether l is true in the model. A literal of a variable that did
// not exist when the model was found is false, and so is its negation.
func (m Model) True(l Lit) bool {
	v := l.Var()
	if l == 0 || int(v) > len(m.values) {
		return false
	}
	return m.values[v-1] == (l > 0)
}

// Solve looks for a model of the clauses in Always and in groups under the
// assumptions, until ctx ends. Groups that are not named do not hold. An error
// means an unknown variable or group, or a model that does not satisfy the
// clauses (a fault of the search; the answer is then not to be used).
func (s *Solver) Solve(ctx context.Context, groups []Group, assumptions ...Lit) (Answer, error) {
	if err := s.check(assumptions); err != nil {
		return Answer{}, fmt.Errorf("assume: %w", err)
	}
	assumed := make([]Lit, 0, len(groups)+len(assumptions))
	for _, g := range groups {
		if g < 0 || int(g) >= len(s.selectors) {
			return Answer{}, fmt.Errorf("solve with group %d: %w", g, ErrUnknownGroup)
		}
		if g != Always {
			assumed = append(assumed, s.selectors[g])
		}
	}
	assumed = append(assumed, assumptions...)
	if s.contradiction {
		return Answer{Status: Unsat}, nil
	}
	if ctx.Err() != nil {
		return Answer{}, nil
	}
	for _, l := range assumed {
		s.g.Assume(toGini(l))
	}
	switch s.run(ctx) {
	case 1:
		return s.model(assumed)
	case -1:
		return s.failed(), nil
	}
	return Answer{}, nil
}

// run calls gini under ctx and returns 1, -1 or 0. It asks for the result at
// growing intervals: without a pause at first, because a pause takes as long as
// a short call, then after an eighth of the time passed, so that the end of ctx
// is seen soon. Ctl.Try would not see it, and stops the search when its own
// time is over.
func (s *Solver) run(ctx context.Context) int {
	if ctx.Done() == nil {
		return s.g.Solve()
	}
	const (
		busy    = 300 * time.Microsecond
		longest = 4 * time.Millisecond
	)
	started := time.Now()
	call := s.g.GoSolve()
	for {
		if result, done := call.Test(); done {
			return result
		}
		if ctx.Err() != nil {
			return call.Stop()
		}
		if passed := time.Since(started); passed < busy {
			runtime.Gosched()
		} else {
			time.Sleep(min(passed/8, longest))
		}
	}
}

// model reads gini's values and checks them against every clause.
func (s *Solver) model(assumed []Lit) (Answer, error) {
	values := make([]bool, s.vars)
	for v := range values {
		values[v] = s.g.Value(z.Var(v + 1).Pos())
	}
	m := Model{values}
	for _, l := range assumed {
		if !m.True(l) {
			return Answer{}, fmt.Errorf("model breaks the assumption %d", l)
		}
	}
	for i := range s.ends {
		if !slices.ContainsFunc(s.clause(i), m.True) {
			return Answer{}, fmt.Errorf("model breaks clause %d, %v", i, s.clause(i))
		}
	}
	return Answer{Status: Sat, Model: m}, nil
}

// failed sorts the assumptions that gini blames into groups and literals.
func (s *Solver) failed() Answer {
	a := Answer{Status: Unsat}
	for _, m := range s.g.Why(nil) {
		l := fromGini(m)
		if g, ok := s.groupOf[l]; ok {
			a.Groups = append(a.Groups, g)
		} else {
			a.Assumptions = append(a.Assumptions, l)
		}
	}
	slices.Sort(a.Groups)
	a.Groups = slices.Compact(a.Groups)
	slices.Sort(a.Assumptions)
	a.Assumptions = slices.Compact(a.Assumptions)
	if len(a.Groups) == 0 && len(a.Assumptions) == 0 {
		// The clauses alone conflict. gini forgets that when more are added
		// and then fails on its own model, so it is not asked again.
		s.contradiction = true
		return a
	}
	s.forget()
	return a
}

// forget makes gini forget the conflict that it ended with. Its next call would
// learn from the conflict first, and where that shows that the clauses alone
// conflict, it does not see it and fails on its own model. A clause that says
// nothing is enough: whatever is added takes gini back to before its assumptions.
func (s *Solver) forget() {
	x := z.Var(1).Pos()
	s.g.Add(x)
	s.g.Add(x.Not())
	s.g.Add(0)
}
