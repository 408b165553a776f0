package partition

import (
	"context"
	"fmt"
	"io"
	"slices"

	"plancheck/solver"
)

// Certificate confirms that no legal assignment has a value of Limit or less:
// the formula that WriteDIMACS writes is unsatisfiable, which any SAT solver
// confirms and a proof checker holds it to, and every clause of the formula
// that speaks of loads is a Cover that can be added up by hand.
type Certificate struct {
	Limit  int64
	Covers []Cover
}

// Cover says that these claims cannot all hold, because together they force
// more than Limit for each stage into the stages First to Last:
//
//	From    ops in stage First or later   To     ops in stage Last or earlier
//	Before  ops before stage First        After  ops after stage Last
//
// Ops are forced: each is, or is behind, an op of From, and is, or is ahead of,
// an op of To; a window that starts at 0 needs no From and one that ends with
// the last stage no To. The values of Carried, for a window of one stage, pass
// through it: each one's op is, or is ahead of, an op of Before, and some Far
// consumer of it is, or is behind, an op of After. Sum is the work of Ops and
// the carry costs of Carried.
type Cover struct {
	First, Last             int
	From, To, Before, After []int
	Ops, Carried            []int
	Sum                     int64
}

// Certify looks for a certificate that no legal assignment has a value of limit
// or less. When there is such an assignment it returns that instead; when ctx
// ends first, neither. It uses nothing that Solve found, and none of the
// arguments that a formula cannot show, so it can take longer than Solve.
func Certify(ctx context.Context, p *Problem, limit int64) (c *Certificate, better []int, err error) {
	w, err := compileNet(p, false)
	if err != nil {
		return nil, nil, err
	}
	if limit < 0 || w.n == 0 || w.anc == nil {
		return nil, nil, fmt.Errorf("certify limit %d of %d ops (1 to %d): %w", limit, w.n, maxClosures, ErrProblem)
	}
	b := newBoard(w)
	b.bound, b.value = limit, limit+1
	pr := newProber(w, b, true)
	pr.turn(ctx, noValue)
	switch {
	case b.fault != nil:
		return nil, nil, b.fault
	case b.best != nil:
		return nil, w.expand(b.best), nil
	case !b.closed():
		return nil, nil, nil
	}
	return &Certificate{Limit: limit, Covers: pr.said}, nil, nil
}

// export writes a cover at stage t in the problem's numbers.
func (c *coverer) export(k *cover, t int) Cover {
	w := c.w
	x := Cover{First: t, Last: t, Sum: k.sum}
	behind, ahead := newBitset(w.n), newBitset(w.n)
	for _, v := range k.from {
		behind.or(w.desc[v])
	}
	for _, v := range k.to {
		ahead.or(w.anc[v])
	}
	forced := behind
	switch k.window {
	case oneStage:
		forced.and(ahead)
	case prefix:
		x.First, forced = 0, ahead
	case suffix:
		x.Last = w.k - 1
	}
	forced.each(func(v int) {
		if w.work[v] > 0 {
			x.Ops = append(x.Ops, w.op[v])
		}
	})
	early, late := newBitset(w.n), newBitset(w.n)
	for _, v := range k.before {
		early.or(w.anc[v])
	}
	for _, v := range k.after {
		late.or(w.desc[v])
	}
	for _, v := range c.values {
		if early.has(v) && slices.ContainsFunc(w.out[v], func(a arc) bool { return late.has(a.to) }) {
			x.Carried = append(x.Carried, w.op[v])
		}
	}
	for _, l := range []struct {
		to  *[]int
		ops []int
	}{{&x.From, k.from}, {&x.To, k.to}, {&x.Before, k.before}, {&x.After, k.after}} {
		for _, v := range l.ops {
			*l.to = append(*l.to, w.op[v])
		}
		slices.Sort(*l.to)
	}
	slices.Sort(x.Ops)
	slices.Sort(x.Carried)
	return x
}

// Check re-adds every cover from the problem alone, by walking its edges. It
// does not look at the formula. Errors say which cover is wrong.
func (c *Certificate) Check(p *Problem) error {
	if err := p.check(); err != nil {
		return err
	}
	g := newWalk(p)
	for i, k := range c.Covers {
		if err := k.check(p, g, c.Limit); err != nil {
			return fmt.Errorf("cover %d: %w", i, err)
		}
	}
	return nil
}

// walk finds what is ahead of and behind ops by following edges.
type walk struct{ out, in [][]int }

func newWalk(p *Problem) walk {
	g := walk{make([][]int, len(p.Work)), make([][]int, len(p.Work))}
	for _, e := range p.Edges {
		g.out[e.From] = append(g.out[e.From], e.To)
		g.in[e.To] = append(g.in[e.To], e.From)
	}
	return g
}

func reached(next [][]int, from []int) []bool {
	seen := make([]bool, len(next))
	queue := slices.Clone(from)
	for _, o := range queue {
		seen[o] = true
	}
	for len(queue) > 0 {
		o := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, n := range next[o] {
			if !seen[n] {
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
	return seen
}

func (k *Cover) check(p *Problem, g walk, limit int64) error {
	if k.First < 0 || k.Last < k.First || k.Last >= p.Stages {
		return fmt.Errorf("stages %d to %d of %d", k.First, k.Last, p.Stages)
	}
	for _, list := range [][]int{k.From, k.To, k.Before, k.After, k.Ops, k.Carried} {
		for i, o := range list {
			if o < 0 || o >= len(p.Work) || i > 0 && o <= list[i-1] {
				return fmt.Errorf("op %d is unknown or out of order", o)
			}
		}
	}
	behind, ahead := reached(g.out, k.From), reached(g.in, k.To)
	early, late := reached(g.in, k.Before), reached(g.out, k.After)
	sum := int64(0)
	for _, o := range k.Ops {
		if k.First > 0 && !behind[o] || k.Last < p.Stages-1 && !ahead[o] || p.domain(o).Lo == Outside {
			return fmt.Errorf("op %d is not forced into stages %d to %d", o, k.First, k.Last)
		}
		sum += p.Work[o]
	}
	through := make([]bool, len(p.Work))
	for _, e := range p.Edges {
		if early[e.From] && late[e.To] {
			through[e.From] = true
		}
	}
	for _, o := range k.Carried {
		if !through[o] || k.First != k.Last {
			return fmt.Errorf("the value of op %d is not forced through stages %d to %d", o, k.First, k.Last)
		}
		sum += p.carry(o)
	}
	if width := int64(k.Last - k.First + 1); sum != k.Sum || sum <= width*limit {
		return fmt.Errorf("sum %d, added up %d, against %d stages of %d", k.Sum, sum, width, limit)
	}
	return nil
}

// WriteDIMACS writes the certificate's formula, made anew from the problem and
// the covers: what it says of ops and stages is the domains, the edges and the
// covers. Comments map variables to "op N in stage S or before".
func (c *Certificate) WriteDIMACS(out io.Writer, p *Problem) error {
	w, err := compileNet(p, false)
	if err != nil {
		return err
	}
	e, err := newEncoding(w)
	if err != nil {
		return err
	}
	of := func(ops []int, stage int, atLeast bool) (list []literal) {
		for _, o := range ops {
			list = append(list, literal{w.of[o], stage, atLeast})
		}
		return list
	}
	for _, k := range c.Covers {
		clause := slices.Concat(of(k.From, k.First-1, false), of(k.To, k.Last+1, true), of(k.Before, k.First, true), of(k.After, k.Last, false))
		if err := e.add(solver.Always, clause...); err != nil {
			return err
		}
	}
	return e.s.WriteDIMACS(out, nil)
}
