package solver

import (
	"cmp"
	"context"
	"slices"
)

// Core is a set of groups and assumptions that cannot hold together.
type Core struct {
	Groups      []Group
	Assumptions []Lit
	// Minimal: without any one member the rest was found satisfiable. False
	// when the budget ended first; the core is then right but may be larger
	// than need be.
	Minimal bool
}

// Core finds a conflict among groups and assumptions and makes it minimal by
// leaving out one member after the other, groups first, in the order in which
// they were asked for. The status is that of the whole question; the core is
// set when it is Unsat. A conflict that rests on counting (many items into too
// few places) can be out of reach of the search: give ctx an end.
func (s *Solver) Core(ctx context.Context, groups []Group, assumptions ...Lit) (Status, Core, error) {
	answer, err := s.Solve(ctx, groups, assumptions...)
	if err != nil || answer.Status != Unsat {
		return answer.Status, Core{}, err
	}
	c := Core{
		Groups:      amongOnce(groups, answer.Groups),
		Assumptions: amongOnce(assumptions, answer.Assumptions),
		Minimal:     true,
	}
	for i := 0; i < len(c.Groups); {
		rest := slices.Delete(slices.Clone(c.Groups), i, i+1)
		shrunk, status, err := s.without(ctx, rest, c.Assumptions)
		if err != nil {
			return Unsat, c, err
		}
		switch status {
		case Unsat:
			// Members before i were needed by a larger set, so they are
			// needed by this smaller one: they are in it.
			c.Groups, c.Assumptions = shrunk.Groups, shrunk.Assumptions
			continue
		case Unknown:
			c.Minimal = false
		}
		i++
	}
	for i := 0; i < len(c.Assumptions); {
		rest := slices.Delete(slices.Clone(c.Assumptions), i, i+1)
		shrunk, status, err := s.without(ctx, c.Groups, rest)
		if err != nil {
			return Unsat, c, err
		}
		switch status {
		case Unsat:
			c.Groups, c.Assumptions = shrunk.Groups, shrunk.Assumptions
			continue
		case Unknown:
			c.Minimal = false
		}
		i++
	}
	return Unsat, c, nil
}

// without solves under a candidate for a smaller core, and returns the part of
// it, in its order, that the search found to be enough.
func (s *Solver) without(ctx context.Context, groups []Group, assumptions []Lit) (Core, Status, error) {
	answer, err := s.Solve(ctx, groups, assumptions...)
	if err != nil || answer.Status != Unsat {
		return Core{}, answer.Status, err
	}
	c := Core{
		Groups:      amongOnce(groups, answer.Groups),
		Assumptions: amongOnce(assumptions, answer.Assumptions),
	}
	return c, Unsat, nil
}

// amongOnce returns the members of list that are in chosen, which is sorted,
// each once, in the order of list.
func amongOnce[T cmp.Ordered](list, chosen []T) []T {
	used := make([]bool, len(chosen))
	var kept []T
	for _, x := range list {
		if at, ok := slices.BinarySearch(chosen, x); ok && !used[at] {
			used[at] = true
			kept = append(kept, x)
		}
	}
	return kept
}
