package partition

import (
	"context"
	"fmt"
	"slices"

	"plancheck/solver"
)

// prober asks a SAT solver for assignments within limits, by bisection between
// bound and best. Loads are no clauses at first: whatever stage, prefix or
// suffix of stages a model overfills is forbidden by a cover. A cover holds
// under the group of the greatest probed limit that it refutes, and a limit's
// group implies those of greater limits, so nothing is said twice.
type prober struct {
	w       *net
	b       *board
	e       *encoding
	nr      *narrower
	covers  *coverer
	spare   []solver.Group
	probed  []probe // ascending
	current int64   // the limit being probed; -1 for none
	stages  []int8
	loads   []int64
	err     error

	// plain: the formula may rest on nothing but the problem and covers that
	// are kept in said, because it is to be certified.
	plain bool
	said  []Cover
}

// probe is a limit and the group of what holds under it.
type probe struct {
	limit int64
	group solver.Group
	// strict: values that the limit leaves no room to carry.
	strict []bool
}

func newProber(w *net, b *board, plain bool) *prober {
	p := &prober{
		w: w, b: b, plain: plain, nr: newNarrower(w), covers: newCoverer(w), current: -1,
		stages: make([]int8, w.n), loads: make([]int64, w.k),
	}
	if p.e, p.err = newEncoding(w); p.err != nil {
		return p
	}
	if w.movable && !plain {
		p.err = p.startAtZero()
	}
	// A variable made later would reset what the search has learnt of phases.
	for i := range 60 {
		p.spare = append(p.spare, p.e.s.Group(fmt.Sprintf("limit %d", i)))
	}
	return p
}

// startAtZero puts an op into stage 0. Where stages can be shifted, every
// assignment has a twin that does so.
func (p *prober) startAtZero() error {
	var some []literal
	for v := range p.w.n {
		if len(p.w.in[v]) == 0 {
			some = append(some, literal{v, 0, false})
		}
	}
	return p.e.add(solver.Always, some...)
}

func (p *prober) name() string { return "sat" }

func (p *prober) turn(ctx context.Context, steps int64) (int64, bool) {
	spent := int64(0)
	for spent < steps && ctx.Err() == nil && !p.b.closed() {
		before := p.covers.steps
		if p.err == nil {
			p.err = p.ask(ctx)
		}
		if p.err != nil {
			p.b.fail(p.err)
			break
		}
		spent += 500 + int64(p.e.s.NumVars()/8) + p.covers.steps - before
	}
	return spent, true
}

// ask puts one question to the solver and learns from the answer.
func (p *prober) ask(ctx context.Context) error {
	bound, value := p.b.limits()
	if bound >= value {
		return nil
	}
	if p.current < bound || p.current >= value {
		p.current = bound + (min(value, p.w.ceiling()+1)-1-bound)/2
		if value == noValue {
			p.current = max(bound, p.w.ceiling())
		}
		if err := p.open(p.current); err != nil {
			return err
		}
	}
	at, _ := p.find(p.current)
	answer, err := p.e.s.Solve(ctx, []solver.Group{p.probed[at].group})
	if err != nil {
		return fmt.Errorf("probe limit %d: %w", p.current, err)
	}
	switch answer.Status {
	case solver.Unsat:
		p.b.refuteUnder(p.name(), p.current, len(answer.Groups) == 0)
		p.current = -1
	case solver.Sat:
		p.e.decode(answer.Model, p.stages)
		p.b.lower(p.name(), p.stages)
		return p.cut()
	}
	return nil
}

func (p *prober) find(limit int64) (int, bool) {
	return slices.BinarySearchFunc(p.probed, limit, func(q probe, l int64) int {
		switch {
		case q.limit < l:
			return -1
		case q.limit > l:
			return 1
		}
		return 0
	})
}

// open makes the group of a limit, ties it to its neighbours and adds the
// domains that the limit leaves.
func (p *prober) open(limit int64) error {
	at, known := p.find(limit)
	if known {
		return nil
	}
	if len(p.spare) == 0 {
		p.spare = append(p.spare, p.e.s.Group("limit"))
	}
	g := p.spare[0]
	p.spare = p.spare[1:]
	p.probed = slices.Insert(p.probed, at, probe{limit, g, make([]bool, p.w.n)})
	sel := p.e.s.Selector(g)
	if at > 0 {
		if err := p.e.s.Add(solver.Always, p.e.s.Selector(p.probed[at-1].group).Not(), sel); err != nil {
			return err
		}
	}
	if at+1 < len(p.probed) {
		if err := p.e.s.Add(solver.Always, sel.Not(), p.e.s.Selector(p.probed[at+1].group)); err != nil {
			return err
		}
	}
	if p.plain {
		return p.single()
	}
	b := box{p.w.lo, p.w.hi}.clone()
	p.nr.floor, _ = p.b.limits()
	if !p.nr.limit(b, limit) {
		return p.e.s.Add(g)
	}
	copy(p.probed[at].strict, p.nr.strict)
	if at+1 < len(p.probed) {
		for v, s := range p.probed[at+1].strict {
			p.probed[at].strict[v] = p.probed[at].strict[v] || s
		}
	}
	for v := range p.w.n {
		if p.probed[at].strict[v] && (at+1 == len(p.probed) || !p.probed[at+1].strict[v]) {
			for _, a := range p.w.out[v] {
				if err := p.e.edge(g, v, arc{a.to, true}); err != nil {
					return err
				}
			}
		}
		if err := p.e.add(g, literal{v, int(b.lo[v]), true}); err != nil {
			return err
		}
		if err := p.e.add(g, literal{v, int(b.hi[v]), false}); err != nil {
			return err
		}
	}
	return nil
}

// single adds the covers of one op: its ancestors are too heavy for a prefix,
// or its descendants for a suffix.
func (p *prober) single() error {
	for v := range p.w.n {
		for _, c := range []*cover{
			{window: prefix, to: []int{v}, sum: p.w.ancWork[v]},
			{window: suffix, from: []int{v}, sum: p.w.descWork[v]},
		} {
			if p.widest(c, p.current) > 0 {
				if err := p.forbid(c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// cut forbids every window that the model overfills under the current limit.
func (p *prober) cut() error {
	w, limit := p.w, p.current
	w.loads(p.stages, p.loads)
	for t := range w.k {
		if p.loads[t] > limit {
			if err := p.forbid(p.covers.stage(p.stages, int8(t), limit)); err != nil {
				return err
			}
		}
	}
	work := make([]int64, w.k)
	for v, s := range p.stages {
		if s >= 0 {
			work[s] += w.work[v]
		}
	}
	head, tail := int64(0), int64(0)
	for i := range w.k - 1 {
		head += work[i]
		tail += work[w.k-1-i]
		room := int64(i+1) * limit
		if head > room && i > 0 {
			if err := p.forbid(p.covers.upTo(p.stages, int8(i), room)); err != nil {
				return err
			}
		}
		if tail > room && i > 0 {
			if err := p.forbid(p.covers.from(p.stages, int8(w.k-1-i), room)); err != nil {
				return err
			}
		}
	}
	return nil
}

// forbid adds a cover's clauses.
func (p *prober) forbid(c *cover) error {
	g, limit := p.guard(c)
	first, last := 0, p.w.k-1
	switch c.window {
	case prefix:
		first = p.widest(c, limit) - 1
		last = first
	case suffix:
		first = p.w.k - p.widest(c, limit)
		last = first
	}
	for t := first; t <= last; t++ {
		if err := p.e.add(g, c.blocked(t)...); err != nil {
			return err
		}
		if p.plain {
			p.said = append(p.said, p.covers.export(c, t))
		}
	}
	return nil
}

// guard returns the group of the greatest probed limit that c refutes for the
// window it was made for.
func (p *prober) guard(c *cover) (solver.Group, int64) {
	at, _ := p.find(p.current)
	for c.window == oneStage && at+1 < len(p.probed) && p.probed[at+1].limit < c.sum {
		at++
	}
	return p.probed[at].group, p.probed[at].limit
}

// widest is the greatest number of stages that the limit makes too narrow for
// a cover of a prefix or suffix. The clause for it implies those for fewer.
func (p *prober) widest(c *cover, limit int64) int {
	for n := p.w.k - 1; n > 0; n-- {
		if c.sum > int64(n)*limit {
			return n
		}
	}
	return 0
}
