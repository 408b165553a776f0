package schedule

import (
	"context"
	"fmt"
	"slices"

	"plancheck/solver"
)

// WhyOptions say how a conflict is looked for.
type WhyOptions struct {
	// Prices of forwards of each value, for a read that may be longer than a
	// stage when its limit is lifted; nil where nobody states them: then such a
	// forward has one lane and takes no time.
	Prices []Price
	// Steps of the search for each relaxation; 0 leaves relaxations out.
	Steps int64
}

// Price is what a forward of a value takes.
type Price struct {
	Lanes  int     // at least 1
	Cycles []int64 // of one lane, on a core of each kind
}

// Why says why a problem has no solution.
type Why struct {
	// Status is Infeasible where Core is a conflict, Feasible when there is none,
	// and StatusUnknown when none was found in time or the problem is too large.
	Status Status
	// Core are constraints that cannot hold together: of kinds Reading,
	// StagePinned, CorePinned, RangeGiven, Placed, Capacity and Filled.
	Core []Constraint
	// Minimal: without any one of them the others can hold together. Where it is
	// false, time ended before that was known.
	Minimal bool
	// Excesses are the sums of bytes that the conflict rests on, where it does
	// and they are few.
	Excesses []Excess
	// Relaxations of the whole problem, one for each of Core.
	Relaxations []Relaxation
}

// Excess is a sum of weights and the room that is too small for it.
type Excess struct {
	Ops []int // ascending
	// First and Last are the stages that the ops are in, which have at most so
	// many Cores. Where First is Free, the ops' shares are on one core.
	First, Last, Cores int
	Bytes, Room        int64
	// Each: Bytes are those of one share, and Room that of the largest core.
	Each bool
}

// mostExcesses is how many sums are told: more are no explanation.
const mostExcesses = 4

// question asks whether constraints can hold together, the structure of the
// problem being as it is.
type question interface {
	// ask returns, with Unsat, those that are enough for it, in their order.
	ask(ctx context.Context, asked []Constraint) (solver.Status, []Constraint, error)
	// needed marks what the last answer, a solution of all of a conflict but one,
	// shows to be needed besides.
	needed(core []Constraint, but int, mark []bool)
	// excesses are the sums that a conflict rests on; nil when they are many.
	excesses(ctx context.Context, core []Constraint) ([]Excess, error)
}

// WhyNot looks for a smallest conflict among the constraints of a problem that
// has no solution: for a path between two pinned stages; for one of stages and
// ranges; for a sum of weights that must be in a few stages; for one of stages
// and counted bytes; and then, where the problem is small, for one of everything,
// or it makes what was found smaller.
//
// A conflict is right in any case. When ctx ends, or a conflict of sums in a
// large problem has many constraints, it may not be minimal.
func WhyNot(ctx context.Context, p *Problem, o WhyOptions) (Why, error) {
	if err := p.Check(); err != nil {
		return Why{}, err
	}
	w, err := conflict(ctx, p, exactSize)
	if err != nil {
		return Why{}, fmt.Errorf("%w: why not: %w", errSearch, err)
	}
	if o.Steps > 0 {
		w.Relaxations, err = relaxations(ctx, p, w.Core, o)
	}
	return w, err
}

func conflict(ctx context.Context, p *Problem, exactSize int) (Why, error) {
	if core := pathConflict(p); core != nil {
		return Why{Status: Infeasible, Core: core, Minimal: true}, nil
	}
	w := Why{}
	all := p.constraints()
	var counted *stageModel
	if stageModelSize(p) <= stageModelLimit {
		counted = newStageModel(p)
		known, err := w.ask(ctx, counted, slices.DeleteFunc(slices.Clone(all), ofMemory))
		if err != nil || known && w.Status == Infeasible {
			return w, err // without memory, stages and ranges are all there is
		}
	}
	if core, sum := sumConflict(p, all); sum != nil {
		w = Why{Status: Infeasible, Core: core, Excesses: []Excess{*sum}}
	} else if counted != nil {
		if _, err := w.ask(ctx, counted, all); err != nil {
			return w, err
		}
	}
	if modelSize(p) <= exactSize {
		return w, w.exact(ctx, p, counted, all)
	}
	if w.Status != Infeasible {
		return Why{}, nil
	}
	w.Minimal = holdsWithoutAny(ctx, p, w.Core)
	if w.Excesses != nil || counted == nil {
		return w, nil
	}
	var err error
	w.Excesses, err = counted.excesses(ctx, w.Core)
	return w, err
}

// ask puts a question about constraints and keeps what is known then: that they
// conflict, and which of them, or that they do not.
func (w *Why) ask(ctx context.Context, q question, asked []Constraint) (known bool, err error) {
	status, core, err := q.ask(ctx, asked)
	switch {
	case err != nil || status == solver.Unknown:
		return false, err
	case status == solver.Sat:
		w.Status = Feasible
		return true, nil
	}
	w.Status = Infeasible
	w.Core, w.Minimal, err = shrink(ctx, q, core)
	return true, err
}

// exact makes a conflict of counted bytes smaller, or finds one where counting
// finds none.
func (w *Why) exact(ctx context.Context, p *Problem, counted *stageModel, all []Constraint) error {
	before := *w
	asked := all
	if w.Status == Infeasible {
		asked = w.Core
	}
	m := newExactQuestion(p)
	known, err := w.ask(ctx, m, asked)
	switch {
	case err != nil:
		return err
	case !known:
		*w = before
		if w.Status != Infeasible {
			*w = Why{}
			return nil
		}
		w.Minimal = false
	case w.Status == Feasible && before.Status == Infeasible:
		return fmt.Errorf("%d constraints conflict when bytes are counted, and not when they are packed", len(before.Core))
	case w.Status == Feasible:
		return nil
	}
	if before.Excesses != nil && len(w.Core) == len(before.Core) {
		w.Excesses = before.Excesses
		return nil
	}
	if counted != nil {
		if w.Excesses, err = counted.excesses(ctx, w.Core); err != nil || w.Excesses != nil {
			return err
		}
	}
	if slices.ContainsFunc(w.Core, ofMemory) {
		w.Excesses, err = m.excesses(ctx, w.Core)
	}
	return err
}

// shrink leaves out one constraint after the other.
func shrink(ctx context.Context, q question, core []Constraint) ([]Constraint, bool, error) {
	minimal := true
	needed := make([]bool, len(core))
	for i := 0; i < len(core); i++ {
		if needed[i] {
			continue
		}
		status, used, err := q.ask(ctx, slices.Delete(slices.Clone(core), i, i+1))
		if err != nil {
			return core, false, err
		}
		switch status {
		case solver.Unsat:
			// What a larger conflict needed a smaller one needs, so it is there.
			known := make(map[Constraint]bool, len(core))
			for j, c := range core {
				known[c] = needed[j]
			}
			core, i = used, -1
			needed = make([]bool, len(core))
			for j, c := range core {
				needed[j] = known[c]
			}
		case solver.Sat:
			needed[i] = true
			q.needed(core, i, needed)
		case solver.Unknown:
			// It is not asked again: what is left out is no conflict for sure.
			minimal, needed[i] = false, true
		}
	}
	return core, minimal, nil
}

// mostHeld is how large a conflict is for which that is tried.
const mostHeld = 12

// holdsWithoutAny says whether a search finds, for each constraint of a
// conflict, a solution of the others.
func holdsWithoutAny(ctx context.Context, p *Problem, core []Constraint) bool {
	if len(core) > mostHeld {
		return false
	}
	others := slices.DeleteFunc(p.constraints(), func(c Constraint) bool { return slices.Contains(core, c) })
	for _, c := range core {
		if ctx.Err() != nil {
			return false
		}
		r, err := Solve(ctx, p.Without(append(slices.Clone(others), c)...), Options{Steps: thorough})
		if err != nil || r.Solution == nil {
			return false
		}
	}
	return true
}

func ofMemory(c Constraint) bool { return c.Kind == Capacity || c.Kind == Placed }
