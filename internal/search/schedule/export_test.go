package schedule

import (
	"context"

	"plancheck/solver"
)

func SolveExact(p *Problem) (Cost, bool, error) {
	b := newBoard(p, Options{})
	e := newExact(b, naming{})
	e.turn(context.Background(), never)
	return b.cost, b.best != nil, b.fault
}

func SolveLayers(p *Problem) (cost Cost, found bool, bound int64, infeasible bool, err error) {
	b := newBoard(p, Options{})
	newLayers(b, Options{}).run(context.Background(), never)
	return b.cost, b.best != nil, b.bound, b.infeasible, b.fault
}

// ModelAccepts says whether the clauses, and the sums that the search adds when
// they are broken, allow a solution within an interval. expressible is false
// for what the model has no words for: forwards that nothing needs, missing
// ones, and numbers that do not exist.
func ModelAccepts(p *Problem, s *Solution, limit int64) (accepts, expressible bool, err error) {
	b := newBoard(p, Options{})
	e := newExact(b, naming{})
	m := e.m
	var fixed []solver.Lit
	fix := func(n integer, v int) { fixed = append(fixed, n.atLeast(v), n.atMost(v)) }
	if len(s.Stage) != len(p.Ops) || len(s.Core) != len(p.Ops) || len(s.First) != p.Stages || len(s.Place) != len(p.Machine) {
		return false, false, nil
	}
	needed := p.Needed(s.Stage)
	if len(needed) != len(s.Forwards) {
		return false, false, nil
	}
	put := func(id, core int) bool {
		if core < 0 || core >= p.Cores {
			return false
		}
		for c, l := range m.on[id] {
			if c == core {
				fixed = append(fixed, l)
			} else {
				fixed = append(fixed, m.not(l))
			}
		}
		return true
	}
	for o, stage := range s.Stage {
		fix(m.stage[o], stage)
		if len(s.Core[o]) != len(m.at[o]) {
			return false, false, nil
		}
		for i, id := range m.at[o] {
			if !put(id, s.Core[o][i]) {
				return false, false, nil
			}
		}
	}
	for k, first := range s.First {
		fix(m.start[k], first)
	}
	for i, f := range s.Forwards {
		if f.Value != needed[i].Value || f.Stage != needed[i].Stage || len(f.Core) != len(m.fwd[f.Value][f.Stage]) {
			return false, false, nil
		}
		for lane, id := range m.fwd[f.Value][f.Stage] {
			if !put(id, f.Core[lane]) {
				return false, false, nil
			}
		}
	}
	taken := map[int]bool{}
	for c, place := range s.Place {
		if place < 0 || place >= len(p.Machine) || taken[place] || p.Places[c] != Free && p.Places[c] != place {
			return false, false, nil
		}
		taken[place] = true
		fix(m.class[c], m.cl.of[place])
	}
	for i, l := range fixed {
		if l == 0 { // false: the model rules it out at once
			return false, true, nil
		}
		fixed[i] = l
	}
	answer, err := m.Solve(context.Background(), []solver.Group{e.open(limit)}, fixed...)
	if err != nil || answer.Status != solver.Sat {
		return false, true, err
	}
	return !e.cut(answer.Model, limit), true, nil
}

// RepairSized is Repair with a coarse model, or with a whole one.
func RepairSized(ctx context.Context, p *Problem, w *Wish, o RepairOptions, coarse bool) (RepairResult, error) {
	r := newRepairer(p, w, o, coarse)
	if err := r.run(ctx); err != nil {
		return RepairResult{}, err
	}
	return r.result(ctx)
}

// Constraints lists what conflicts are told by.
func Constraints(p *Problem) []Constraint { return p.constraints() }

// Far lets a read be longer than a stage, behind forwards that take no time.
func Far(p *Problem, read int) *Problem {
	return p.far(read, Price{Lanes: 1, Cycles: make([]int64, p.Kinds)})
}

// WhyNotLarge looks for a conflict as in a problem that is too large for the
// exact model.
func WhyNotLarge(p *Problem) (Why, error) { return conflict(context.Background(), p, 0) }

// ShrinkUnasked makes a conflict of stages smaller with only so many answers in
// time.
func ShrinkUnasked(p *Problem, answers int) ([]Constraint, bool, error) {
	q := &impatient{stageModel: newStageModel(p), answers: answers}
	_, core, err := q.ask(context.Background(), p.constraints())
	if err != nil {
		return nil, false, err
	}
	return shrink(context.Background(), q, core)
}

// impatient stops answering, and learns nothing on the way.
type impatient struct {
	*stageModel
	answers int
}

func (q *impatient) ask(ctx context.Context, asked []Constraint) (solver.Status, []Constraint, error) {
	if q.answers--; q.answers < 0 {
		return solver.Unknown, nil, nil
	}
	return q.stageModel.ask(ctx, asked)
}

func (q *impatient) needed([]Constraint, int, []bool) {}

// Closes says whether Explore moves empty stages behind all others.
func Closes(p *Problem) bool {
	e := &explorer{p: p, g: newGround(p)}
	return e.interchangeable()
}
