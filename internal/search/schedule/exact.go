package schedule

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"plancheck/solver"
)

// exact asks a SAT solver about the whole problem at once: first for solutions
// within limits of the interval, by bisection between bound and best, then for
// fewer forwards. It ends with a proof, where the problem is small.
type exact struct {
	b       *board
	m       *model
	probed  []probe // ascending
	current int64   // the limit being probed; -1 for none
	count   []solver.Lit
	covers  []*cover // of the limit that is certified; nil unless kept
	keep    bool
	lessons int // how many of the judge's clauses the model has
}

// probe is a limit and the group of what holds under it.
type probe struct {
	limit int64
	group solver.Group
}

// bySAT is the name of this part of the search.
const bySAT = "sat"

// exactSize is how large a model the exact search takes on.
const exactSize = 30_000

func newExact(b *board, n naming) *exact {
	return &exact{b: b, m: newModel(b.p, n), current: -1}
}

// turn puts questions until the steps are spent, and returns what it took.
func (e *exact) turn(ctx context.Context, steps int64) int64 {
	spent := int64(0)
	for spent < steps && ctx.Err() == nil && !e.b.closed() {
		if err := e.ask(ctx); err != nil {
			e.b.fail(err)
			break
		}
		spent += 500 + int64(e.m.NumVars()/8)
	}
	return spent
}

// ask puts one question to the solver and learns from the answer.
func (e *exact) ask(ctx context.Context) error {
	for _, clause := range e.b.lessons(e.lessons) {
		e.m.say(solver.Always, clause)
		e.lessons++
	}
	bound, interval := e.b.limits()
	if bound >= interval {
		return e.askForwards(ctx, interval)
	}
	if e.current < bound || e.current >= interval {
		if interval == noInterval {
			e.current = max(bound, e.m.most())
		} else {
			e.current = bound + (interval-1-bound)/2
		}
	}
	answer, err := e.m.Solve(ctx, []solver.Group{e.open(e.current)})
	if err = cmp.Or(e.m.err, err); err != nil {
		return fmt.Errorf("probe interval %d: %w", e.current, err)
	}
	switch answer.Status {
	case solver.Unsat:
		if interval == noInterval || len(answer.Groups) == 0 {
			e.b.refute(bySAT)
		} else {
			e.b.raise(bySAT, e.current+1, nil)
		}
		e.current = -1
	case solver.Sat:
		if !e.cut(answer.Model, e.current) {
			e.b.lower(bySAT, e.m.solution(answer.Model))
		}
	}
	return nil
}

// askForwards asks for fewer forwards at the best interval.
func (e *exact) askForwards(ctx context.Context, interval int64) error {
	fewest, best := e.b.forwards()
	if fewest >= best {
		return nil
	}
	if e.count == nil {
		var carried []solver.Lit
		for _, row := range e.m.carry {
			for _, l := range row {
				if l != 0 {
					carried = append(carried, l)
				}
			}
		}
		e.count = e.m.counter(carried, len(carried))
	}
	answer, err := e.m.Solve(ctx, []solver.Group{e.open(interval)}, e.m.not(e.count[best-1]))
	if err = cmp.Or(e.m.err, err); err != nil {
		return fmt.Errorf("probe fewer than %d forwards: %w", best, err)
	}
	switch answer.Status {
	case solver.Unsat:
		e.b.raiseForwards(bySAT, interval, best)
	case solver.Sat:
		if !e.cut(answer.Model, interval) {
			e.b.lower(bySAT, e.m.solution(answer.Model))
		}
	}
	return nil
}

// open returns the group of a limit, tied to its neighbours: what holds under a
// limit holds under smaller ones.
func (e *exact) open(limit int64) solver.Group {
	at, known := slices.BinarySearchFunc(e.probed, limit, func(q probe, l int64) int {
		switch {
		case q.limit < l:
			return -1
		case q.limit > l:
			return 1
		}
		return 0
	})
	if known {
		return e.probed[at].group
	}
	g := e.m.Group(fmt.Sprintf("interval at most %d", limit))
	e.probed = slices.Insert(e.probed, at, probe{limit, g})
	if at > 0 {
		e.m.clause(solver.Always, e.m.Selector(e.probed[at-1].group).Not(), e.m.Selector(g))
	}
	if at+1 < len(e.probed) {
		e.m.clause(solver.Always, e.m.Selector(g).Not(), e.m.Selector(e.probed[at+1].group))
	}
	return g
}

// cut forbids what a model does wrong, on each core one thing or two, and says
// whether it did anything wrong.
func (e *exact) cut(model solver.Model, limit int64) bool {
	m := e.m
	cut := false
	for core, on := range m.onCores(model) {
		class := m.class[core].value(model)
		if c := m.overload(on, class, limit); c != nil {
			e.forbid(e.weakest(c.sum, limit), c)
			cut = true
		}
		if c := m.overfull(on, class); c != nil {
			if g, on := m.group(m.capacity(class)); on {
				if g == solver.Always {
					g = m.lazy
				}
				e.forbid(g, c)
				cut = true
			}
		}
	}
	return cut
}

// weakest is the group of the greatest probed limit that a load passes.
func (e *exact) weakest(sum, limit int64) solver.Group {
	g := e.open(limit)
	for _, q := range e.probed {
		if q.limit < sum && q.limit > limit {
			g = q.group
		}
	}
	return g
}

func (e *exact) forbid(g solver.Group, c *cover) {
	e.m.forbid(g, c)
	if e.keep {
		e.covers = append(e.covers, c)
	}
}

// most is a limit that no solution passes: all items on one core.
func (m *model) most() int64 {
	sum := int64(0)
	for i := range m.items {
		sum += slices.Max(m.items[i].cycles)
	}
	return sum
}

// onCores returns the items that a model has on each core. Of several cores for
// one item the first counts, and forwards that nothing needs do not.
func (m *model) onCores(model solver.Model) [][]int {
	out := make([][]int, m.p.Cores)
	put := func(id int) {
		if c := m.coreOf(model, id); c != Free {
			out[c] = append(out[c], id)
		}
	}
	for _, ids := range m.at {
		for _, id := range ids {
			put(id)
		}
	}
	for _, f := range m.needed(model) {
		for _, id := range m.fwd[f.Value][f.Stage] {
			put(id)
		}
	}
	return out
}

func (m *model) coreOf(model solver.Model, id int) int {
	if it := &m.items[id]; m.wish != nil && it.op != Free {
		if c := m.wish.core(it.op, it.share); below(c, m.p.Cores) && m.on[id][c] != 0 && model.True(m.on[id][c]) {
			return c
		}
	}
	for c, l := range m.on[id] {
		if l != 0 && model.True(l) {
			return c
		}
	}
	return Free // in a coarse model; else a clause says that it is somewhere
}

// needed are the forwards that the stages of a model need.
func (m *model) needed(model solver.Model) []Forward {
	stage := make([]int, len(m.stage))
	for o, n := range m.stage {
		stage[o] = n.value(model)
	}
	return m.p.Needed(stage)
}

// solution is the solution that a model stands for.
func (m *model) solution(model solver.Model) *Solution {
	s := &Solution{}
	for o, n := range m.stage {
		s.Stage = append(s.Stage, n.value(model))
		var on []int
		for _, id := range m.at[o] {
			on = append(on, m.coreOf(model, id))
		}
		s.Core = append(s.Core, on)
	}
	for k := range m.p.Stages {
		s.First = append(s.First, m.start[k].value(model))
	}
	s.Forwards = m.p.Needed(s.Stage)
	for i, f := range s.Forwards {
		for _, id := range m.fwd[f.Value][f.Stage] {
			s.Forwards[i].Core = append(s.Forwards[i].Core, m.coreOf(model, id))
		}
	}
	classes := make([]int, m.p.Cores)
	for c := range classes {
		classes[c] = m.class[c].value(model)
	}
	s.Place = m.cl.places(m.p, classes)
	for c, row := range m.place {
		for k, l := range row {
			if model.True(l) {
				s.Place[c] = k
			}
		}
	}
	return s
}
