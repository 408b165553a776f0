package partition

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/bits"
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

// Cover says that when these claims all hold, the stages First to Last have
// Cores cores or more, because so much is forced into them; when they cannot
// have that many, the claims cannot all hold:
//
//	From    ops in stage First or later   To     ops in stage Last or earlier
//	Before  ops before stage First        After  ops after stage Last
//
// Ops are forced: each is, or is behind, an op of From, and is, or is ahead of,
// an op of To; a window that starts at 0 needs no From and one that ends with
// the last stage no To. The values of Carried (and, for i of Values, those of
// Problem.Values[i]), for a window of one stage, pass through it: each one's op
// is, or is ahead of, an op of Before, and some consumer of it is, or is behind,
// an op of After. Sum is the work of Ops and the costs of what is carried; one
// core less than Cores takes no more than Limit for each. A cover of Memory has
// the bytes of Ops as Sum, and one core less than Cores does not hold them: for
// a window of one stage by Cores.Room; for several, which hold apart what is
// theirs, because min(Room[m], Sum) / m is too little a core for every m.
type Cover struct {
	First, Last             int
	From, To, Before, After []int
	Ops, Carried, Values    []int
	Memory                  bool
	Sum                     int64
	Cores                   int64
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
	if w.cores.none || limit < w.cores.floor {
		return nil, nil, fmt.Errorf("certify limit %d: the sizes or the given least value rule it out: %w", limit, ErrProblem)
	}
	if !w.cores.fixed && int64(w.k)*w.cores.total > mostSizingVar {
		return nil, nil, fmt.Errorf("certify %d cores of %d stages: too many: %w", w.cores.total, w.k, ErrProblem)
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

// export writes a cover of stages first to last, which have n cores then, in the
// problem's numbers.
func (c *coverer) export(k *cover, first, last int, n int64) Cover {
	w := c.w
	x := Cover{First: first, Last: last, Memory: k.memory, Sum: k.sum, Cores: n}
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
		forced = ahead
	case whole:
		for v := range w.n {
			forced.add(v)
		}
	}
	forced.each(func(v int) {
		if !k.memory && w.work[v] > 0 || k.memory && (w.cores.own[v] > 0 || len(w.cores.sharedOf[v]) > 0) {
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
	for i := range w.vals {
		y := &w.vals[i]
		if k.memory || !early.has(y.op) || !slices.ContainsFunc(y.to, late.has) {
			continue
		}
		if y.of == 0 {
			x.Carried = append(x.Carried, w.op[y.op])
		} else {
			x.Values = append(x.Values, y.of-1)
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
	slices.Sort(x.Values)
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
	for i, v := range k.Values {
		if v < 0 || v >= len(p.Values) || i > 0 && v <= k.Values[i-1] {
			return fmt.Errorf("value %d is unknown or out of order", v)
		}
	}
	one := k.First == k.Last
	if !one && k.First > 0 && k.Last < p.Stages-1 {
		return fmt.Errorf("stages %d to %d are several and at no end", k.First, k.Last)
	}
	behind, ahead := reached(g.out, k.From), reached(g.in, k.To)
	early, late := reached(g.in, k.Before), reached(g.out, k.After)
	load := int64(0)
	for _, o := range k.Ops {
		if k.First > 0 && !behind[o] || k.Last < p.Stages-1 && !ahead[o] || p.domain(o).Lo == Outside {
			return fmt.Errorf("op %d is not forced into stages %d to %d", o, k.First, k.Last)
		}
		load += p.Work[o]
	}
	through := map[[2]int]bool{} // op, value
	for _, e := range p.Edges {
		if early[e.From] && late[e.To] && one {
			through[[2]int{e.From, e.Value}] = true
		}
	}
	for _, o := range k.Carried {
		if !through[[2]int{o, 0}] {
			return fmt.Errorf("the value of op %d is not forced through stages %d to %d", o, k.First, k.Last)
		}
		load += p.carry(o)
	}
	for _, i := range k.Values {
		if !through[[2]int{p.Values[i].Op, i + 1}] {
			return fmt.Errorf("value %d is not forced through stages %d to %d", i, k.First, k.Last)
		}
		load += p.Values[i].Carry
	}
	return k.forces(p, load, limit)
}

// forces says whether load, or the bytes of Ops, need Cores cores, as claimed.
func (k *Cover) forces(p *Problem, load, limit int64) error {
	if k.Cores < 1 || p.Cores == nil && k.Cores > maxStages+1 || p.Cores != nil && k.Cores > int64(p.Cores.Total)+1 {
		return fmt.Errorf("%d cores", k.Cores)
	}
	if !k.Memory {
		if load != k.Sum || load <= (k.Cores-1)*limit {
			return fmt.Errorf("sum %d, added up %d, against %d cores of %d", k.Sum, load, k.Cores-1, limit)
		}
		return nil
	}
	if p.Cores == nil || p.Cores.Room == nil || p.Cores.Uses == nil || len(k.Carried)+len(k.Values) > 0 {
		return fmt.Errorf("memory of a problem that limits none, or of what is carried")
	}
	most, bytes := map[int]int64{}, int64(0)
	for _, o := range k.Ops {
		for _, u := range p.Cores.Uses[o] {
			if more := u.Bytes - most[u.Weight]; more > 0 {
				most[u.Weight] += more
				bytes += more
			}
		}
	}
	if bytes != k.Sum {
		return fmt.Errorf("sum %d, added up %d bytes", k.Sum, bytes)
	}
	room := p.Cores.Room[k.Cores-1]
	if k.First == k.Last {
		if bytes <= room {
			return fmt.Errorf("%d bytes, which %d cores hold", bytes, k.Cores-1)
		}
		return nil
	}
	// Each stage holds no more of them than its room, and no more than all: r
	// for n+1 cores. No such shares add up to all.
	for n, r := range p.Cores.Room[1:] {
		r = min(r, bytes)
		if need, has := mul(bytes, int64(n)+1), mul(k.Cores-1, r); need.cmp(has) <= 0 {
			return fmt.Errorf("%d bytes, which %d cores may hold as %d hold %d", bytes, k.Cores-1, n+1, r)
		}
	}
	return nil
}

// wide is a product of numbers that are not negative.
type wide struct{ hi, lo uint64 }

func mul(a, b int64) wide {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return wide{hi, lo}
}

func (a wide) cmp(b wide) int { return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.lo, b.lo)) }

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
		x := never
		if k.Cores <= w.cores.most(k.First, k.Last) {
			x = e.gives(k.First, k.Last, k.Cores)
		}
		if err := e.either(solver.Always, x, clause...); err != nil {
			return err
		}
	}
	return e.s.WriteDIMACS(out, nil)
}
