package schedule

import (
	"context"
	"errors"
	"fmt"

	"plancheck/solver"
)

// wished is a model with a literal for every change of a wish.
type wished struct {
	m    *model
	wish *Wish
	cuts *exact // makes covers of loads and memory, and limits
	// changed are the literals; always is how many changes no solution avoids.
	changed []solver.Lit
	always  int
	// kept is true when a logical core has the place that is wished for it; 0
	// where none is, or it cannot have it.
	kept []solver.Lit
	// unsure: something was cut off of which it is not shown that it is illegal,
	// so what is proven from then on is not.
	unsure bool
	judge  func(*Solution) ([]Clause, error)
}

func newWished(p *Problem, w *Wish, coarse bool, judge func(*Solution) ([]Clause, error)) *wished {
	m := blankModel(p, naming{precise: judge != nil && !coarse})
	m.wish, m.coarse, m.lazy = w, coarse, m.Group("cut off")
	m.build()
	x := &wished{m: m, wish: w, cuts: &exact{m: m, current: -1}, judge: judge}
	x.stages()
	x.cores()
	x.ranges()
	x.places()
	for _, row := range m.carry {
		for _, l := range row {
			if l != 0 {
				x.changed = append(x.changed, l)
			}
		}
	}
	return x
}

// change makes the literal of a change, which is true unless all of these are.
// One that is false for sure makes the change certain.
func (x *wished) change(unless ...solver.Lit) {
	for _, l := range unless {
		if l == 0 {
			x.always++
			return
		}
	}
	c := x.m.Var("")
	for _, l := range unless {
		x.m.clause(solver.Always, c, l)
	}
	x.changed = append(x.changed, c)
}

func (x *wished) stages() {
	for o, s := range x.wish.Stage {
		if s != Free {
			x.change(x.m.stage[o].exactly(s)...)
		}
	}
}

// exactly are the literals of "the number is v"; a zero where it cannot be.
func (n integer) exactly(v int) []solver.Lit {
	if v < n.lo || v > n.hi {
		return []solver.Lit{0}
	}
	return []solver.Lit{n.atLeast(v), n.atMost(v)}
}

func (x *wished) cores() {
	for o, ids := range x.m.at {
		for share, id := range ids {
			switch c := x.wish.core(o, share); {
			case c == Free:
			case !below(c, x.m.p.Cores) || x.m.on[id][c] == 0:
				x.always++
			default:
				x.changed = append(x.changed, x.m.not(x.m.on[id][c]))
			}
		}
	}
}

func (x *wished) ranges() {
	for s, r := range x.wish.Ranges {
		if r.First == Free {
			continue
		}
		if r.First > x.m.p.Cores || r.Count > x.m.p.Cores {
			x.always++
			continue
		}
		x.change(append(x.m.start[s].exactly(r.First), x.m.start[s+1].exactly(r.First+r.Count)...)...)
	}
}

// places lets logical cores keep the places that are wished for them: those
// cores are of the class of the place, and no two have one place.
func (x *wished) places() {
	p := x.m.p
	x.kept = make([]solver.Lit, p.Cores)
	if len(p.Machine) == 0 {
		return
	}
	holders := map[int][]solver.Lit{}
	pinned := map[int]int{} // places that others are pinned to
	for core, place := range p.Places {
		if place != Free {
			pinned[place] = core
		}
	}
	for core := range p.Cores {
		place := x.wish.place(core)
		if place == Free {
			continue
		}
		if !below(place, len(p.Machine)) || p.Places[core] != Free && p.Places[core] != place {
			x.always++
			continue
		}
		if other, taken := pinned[place]; taken && other != core {
			x.always++
			continue
		}
		if x.m.place != nil {
			x.kept[core] = x.m.place[core][place]
			x.changed = append(x.changed, x.m.not(x.kept[core]))
			continue
		}
		l := x.m.Var("")
		for _, is := range x.m.class[core].exactly(x.m.cl.of[place]) {
			x.m.clause(solver.Always, l.Not(), is)
		}
		for _, other := range holders[place] {
			x.m.clause(solver.Always, l.Not(), other.Not())
		}
		holders[place] = append(holders[place], l)
		x.kept[core] = l
		x.changed = append(x.changed, l.Not())
	}
}

// settle makes a solution of a model that keeps loads within a limit, or cuts
// the model off and returns nil.
func (x *wished) settle(ctx context.Context, model solver.Model, limit int64) (*Solution, error) {
	if x.cuts.cut(model, limit) {
		return nil, nil
	}
	if x.m.coarse {
		return x.complete(ctx, model)
	}
	s := x.m.solution(model)
	if x.m.place == nil {
		s.Place = x.place(model)
	}
	if x.judge == nil {
		return s, nil
	}
	clauses, err := x.judge(s)
	if err != nil || len(clauses) == 0 {
		return s, err
	}
	for _, c := range clauses {
		x.m.say(x.m.lazy, c)
	}
	return nil, nil
}

// place puts logical cores on machine cores: those that keep their place there,
// others on what is left of their class.
func (x *wished) place(model solver.Model) []int {
	p := x.m.p
	if len(p.Machine) == 0 {
		return nil
	}
	kept := *p
	kept.Places = make([]int, p.Cores)
	classes := make([]int, p.Cores)
	for core := range classes {
		classes[core] = x.m.class[core].value(model)
		kept.Places[core] = p.Places[core]
		if x.kept[core] != 0 && model.True(x.kept[core]) {
			kept.Places[core] = x.wish.place(core)
		}
	}
	return x.m.cl.places(&kept, classes)
}

// completeSteps is how long the cores are looked for that a coarse model leaves
// open.
const completeSteps = 2_000_000

// complete finds cores for what a coarse model keeps nowhere. Where there are
// none it forbids to keep all that was kept.
func (x *wished) complete(ctx context.Context, model solver.Model) (*Solution, error) {
	p, m := *x.m.p, x.m
	p.Ops = append([]Op{}, p.Ops...)
	var also []solver.Lit
	literal := func(n integer) int {
		v := n.value(model)
		also = append(also, n.exactly(v)...)
		return v
	}
	for o := range p.Ops {
		op := &p.Ops[o]
		op.Lo = literal(m.stage[o])
		op.Hi = op.Lo
		op.Pins = make([]int, op.Shares())
		for share, id := range m.at[o] {
			if op.Pins[share] = m.coreOf(model, id); op.Pins[share] != Free {
				also = append(also, m.on[id][op.Pins[share]])
			}
		}
	}
	p.Ranges = make([]Range, p.Stages)
	for s := range p.Ranges {
		p.Ranges[s] = Range{First: literal(m.start[s]), Count: m.start[s+1].value(model) - m.start[s].value(model)}
	}
	if len(p.Machine) > 0 {
		p.Places = append([]int{}, p.Places...)
		for core, l := range x.kept {
			if l != 0 && model.True(l) {
				p.Places[core] = x.wish.place(core)
				also = append(also, l)
			}
		}
	}
	r, err := Solve(ctx, &p, Options{Steps: completeSteps, Judge: x.judge})
	switch {
	case errors.Is(err, ErrProblem):
		return nil, fmt.Errorf("complete: %w", err)
	case err != nil:
		return nil, err
	case r.Solution != nil:
		return r.Solution, nil
	}
	clause := make([]solver.Lit, len(also))
	for i, l := range also {
		clause[i] = m.not(l)
	}
	m.clause(m.lazy, clause...)
	if r.Status != Infeasible {
		x.unsure = true
	}
	return nil, nil
}
