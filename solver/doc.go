// Package solver answers whether a set of clauses can be satisfied, and says
// why when it cannot. It wraps the SAT solver gini, keeps its sharp edges
// inside, and knows nothing of plans.
//
// A formula is made of variables (Var), of named groups of clauses (Group) and
// of clauses (Add). A group's clauses hold only in the calls that name the
// group, so a conflict maps back to names:
//
//	s := solver.New()
//	x, y := s.Var("x"), s.Var("y")
//	g := s.Group("x before y")
//	err := s.Add(g, x.Not(), y)
//	answer, err := s.Solve(ctx, []solver.Group{g}, x)
//
// Sat, Unsat and Unknown are values of Answer, never errors: an error means
// that the question was ill-formed or that the solver contradicted itself.
// The context is the budget; when it ends, the answer is Unknown.
//
// What gini needs and this package sees to: Gini.Try leaves its deadline behind
// for later calls, so solving goes through GoSolve; Value panics on a variable
// that gini has not seen, so every literal is checked against the variables
// made here; clauses added after a conflict of the clauses alone make gini fail
// on its own model and end the process, so such a conflict is remembered here;
// a copied solver searches badly, so there is no Copy, a second solver is made
// by Replay. Adding a variable after a solve resets the saved phases of the
// search: make the variables first where that is possible.
package solver
