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

	// Covers to be said again under smaller limits, where they force more cores.
	kept []*cover
	size shareOut
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
	p.probed = slices.Insert(p.probed, at, probe{limit, g, make([]bool, len(p.w.vals))})
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
		for i, s := range p.probed[at+1].strict {
			p.probed[at].strict[i] = p.probed[at].strict[i] || s
		}
	}
	for i := range p.w.vals {
		if p.probed[at].strict[i] && (at+1 == len(p.probed) || !p.probed[at+1].strict[i]) {
			x := &p.w.vals[i]
			for _, c := range x.to {
				if err := p.e.edge(g, x.op, arc{c, true}); err != nil {
					return err
				}
			}
		}
	}
	for v := range p.w.n {
		if err := p.e.add(g, literal{v, int(b.lo[v]), true}); err != nil {
			return err
		}
		if err := p.e.add(g, literal{v, int(b.hi[v]), false}); err != nil {
			return err
		}
	}
	if p.e.sizes != nil {
		return p.narrowSizes(g)
	}
	if p.w.cores.room != nil && len(p.probed) == 1 {
		return p.single()
	}
	return nil
}

// single adds the covers of one op: its ancestors are too heavy for a prefix,
// or its descendants for a suffix; and that of all ops together.
func (p *prober) single() error {
	if p.plain {
		if err := p.forbid(&cover{window: whole, sum: p.w.total}); err != nil {
			return err
		}
	}
	for v := range p.w.n {
		for _, c := range []*cover{
			{window: prefix, to: []int{v}, sum: p.w.ancWork[v]},
			{window: suffix, from: []int{v}, sum: p.w.descWork[v]},
		} {
			if err := p.forbid(c); err != nil {
				return err
			}
		}
		if p.w.cores.room == nil {
			continue
		}
		for _, c := range []*cover{
			{window: oneStage, memory: true, from: []int{v}, to: []int{v}, sum: p.w.cores.ofSet(one(p.w.n, v))},
			{window: prefix, memory: true, to: []int{v}, sum: p.w.cores.ofSet(p.w.anc[v])},
			{window: suffix, memory: true, from: []int{v}, sum: p.w.cores.ofSet(p.w.desc[v])},
		} {
			if err := p.forbid(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// cut forbids every window that the model overfills under the current limit.
func (p *prober) cut() error {
	if p.e.sizes != nil {
		return p.cutSizes()
	}
	w, limit := p.w, p.current
	w.loads(p.stages, p.loads)
	for t := range w.k {
		if room := limit * w.cores.lo[t]; p.loads[t] > room {
			if err := p.forbid(p.covers.stage(p.stages, int8(t), room)); err != nil {
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
		if room := limit * w.cores.most(0, i); head > room && i > 0 {
			if err := p.forbid(p.covers.upTo(p.stages, int8(i), room)); err != nil {
				return err
			}
		}
		if room := limit * w.cores.most(w.k-1-i, w.k-1); tail > room && i > 0 {
			if err := p.forbid(p.covers.from(p.stages, int8(w.k-1-i), room)); err != nil {
				return err
			}
		}
	}
	return p.cutMemory()
}

// cutMemory forbids the stages, prefixes and suffixes whose bytes their sizes,
// which are fixed, do not hold.
func (p *prober) cutMemory() error {
	w := p.w
	c := &w.cores
	bytes := c.bytes(p.stages, nil)
	if bytes == nil {
		return nil
	}
	p.covers.memory = true
	defer func() { p.covers.memory = false }()
	for t, b := range bytes {
		if b > c.room[c.lo[t]] {
			if err := p.forbid(p.covers.stage(p.stages, int8(t), c.room[c.lo[t]])); err != nil {
				return err
			}
		}
	}
	z := &p.size
	z.ends(p)
	for s := range w.k - 1 {
		for _, x := range []struct {
			win         window
			at          int
			first, last int
			need        int64
		}{{prefix, s, 0, s, z.head[s].memory}, {suffix, s + 1, s + 1, w.k - 1, z.tail[s+1].memory}} {
			most := c.most(x.first, x.last)
			if x.need <= most || x.first == x.last {
				continue
			}
			if err := p.cutEnd(x.win, x.at, end{memory: most + 1}); err != nil {
				return err
			}
		}
	}
	return nil
}

// forbid adds a cover's clauses: that its claims force cores into the stage, or
// into the prefixes or suffixes, that it speaks of. Of windows that cannot have
// that many the widest says it of all that are narrower.
func (p *prober) forbid(c *cover) error {
	k := p.w.k
	switch c.window {
	case whole:
		_, err := p.say(c, 0, k-1)
		return err
	case oneStage:
		for t := range k {
			if _, err := p.say(c, t, t); err != nil {
				return err
			}
		}
	case prefix:
		for t := k - 2; t >= 0; t-- {
			if never, err := p.say(c, 0, t); err != nil || never {
				return err
			}
		}
	case suffix:
		for t := 1; t < k; t++ {
			if never, err := p.say(c, t, k-1); err != nil || never {
				return err
			}
		}
	}
	return nil
}

// say adds a cover's clause for stages first to last, if it forces any cores
// into them, and returns whether more than they can have.
func (p *prober) say(c *cover, first, last int) (never bool, err error) {
	cores := &p.w.cores
	n := min(p.need(c, first, last, p.current), cores.most(first, last)+1)
	if n <= cores.least(first, last) {
		return false, nil
	}
	never = n > cores.most(first, last)
	t := first
	if c.window == prefix {
		t = last
	}
	x := settled{constant: -1}
	if !never {
		x = p.e.gives(first, last, n)
	}
	if err := p.e.either(p.guard(c, first, last, n), x, c.blocked(t)...); err != nil {
		return never, err
	}
	if p.plain {
		p.said = append(p.said, p.covers.export(c, first, last, n))
	}
	return never, nil
}

// need is how many cores a cover forces into stages first to last under a limit.
func (p *prober) need(c *cover, first, last int, limit int64) int64 {
	switch {
	case !c.memory:
		return coresFor(c.sum, limit)
	case first == last:
		return p.w.cores.toHold(c.sum)
	}
	return p.w.cores.toHoldAmong(c.sum)
}

// guard returns the group of the greatest probed limit under which c forces n
// cores into stages first to last.
func (p *prober) guard(c *cover, first, last int, n int64) solver.Group {
	if c.memory {
		return solver.Always
	}
	at, _ := p.find(p.current)
	for at+1 < len(p.probed) && p.need(c, first, last, p.probed[at+1].limit) >= n {
		at++
	}
	return p.probed[at].group
}
