package partition

import (
	"context"
	"fmt"

	"plancheck/solver"
)

// counter asks a SAT solver for assignments within a limit that carry few values
// through few stages, by bisection. Limits are covers, as the prober learns them;
// what is carried is counted by a totalizer: a tree whose nodes say in unary how
// many of their leaves are true, each up to no more than is asked for.
type counter struct {
	t  *tally
	b  *board // of the prober: no bound and no value on it matter
	pr *prober

	forced int          // pairs that the limit forces to be carried
	leaves []solver.Lit // pairs that may be
	most   int          // outputs of the totalizer: 1, 2 and so on up to most
	out    []solver.Lit // the first most: "so many leaves or more"
}

func newCounter(t *tally) (*counter, error) {
	w := t.w
	b := newBoard(w)
	b.bound, b.value = t.limit, t.limit+1
	c := &counter{t: t, b: b, pr: newProber(w, b, false)}
	if c.pr.err != nil {
		return nil, c.pr.err
	}
	c.pr.current = t.limit
	c.pr.nr.floor = t.limit
	if err := c.pr.open(t.limit); err != nil {
		return nil, err
	}
	lo := box{w.lo, w.hi}.clone()
	nr := newNarrower(w)
	nr.floor = t.limit
	if !nr.edges(lo) || !nr.limit(lo, t.limit) {
		return nil, fmt.Errorf("%w: nothing is left to count", errSearch)
	}
	for i := range w.all {
		if err := c.pairs(&w.all[i], lo); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// pairs makes a leaf for every stage that x may be carried through.
func (c *counter) pairs(x *val, b box) error {
	near, far := b.reachOf(x)
	e := c.pr.e
	for t := int(b.lo[x.op]) + 1; t < int(far); t++ {
		if int(b.hi[x.op]) < t && int(near) > t {
			c.forced++
			continue
		}
		l := e.s.Var(fmt.Sprintf("value %d of op %d is carried through stage %d", x.of, c.t.w.op[x.op], t))
		c.leaves = append(c.leaves, l)
		for _, to := range x.to {
			if err := e.either(solver.Always, settled{lit: l}, literal{x.op, t, true}, literal{to, t, false}); err != nil {
				return err
			}
		}
	}
	return nil
}

// ask puts one question: is there an assignment within the limit that carries no
// more than the middle between bound and best?
func (c *counter) ask(ctx context.Context) (more bool, err error) {
	const growth = 32
	bound, count := c.t.limits()
	if bound < c.forced {
		bound = c.forced
		c.t.raise("structure", bound)
		if c.t.closed() {
			return true, nil
		}
	}
	before := c.pr.covers.steps
	defer func() {
		c.t.spend(500 + int64(c.pr.e.s.NumVars()/8) + c.pr.covers.steps - before)
	}()
	at, _ := c.pr.find(c.t.limit)
	group := c.pr.probed[at].group
	var assume []solver.Lit
	middle := bound + (count-1-bound)/2
	if count < beyond {
		if most := min(count, bound+max(growth, c.most)) - c.forced; c.most < most && c.most <= middle-c.forced && c.most < len(c.leaves) {
			if err := c.build(min(most, len(c.leaves))); err != nil {
				return true, err
			}
		}
		middle = min(middle, c.forced+max(c.most-1, 0))
		if n := middle - c.forced; n < c.most {
			assume = append(assume, c.out[n].Not())
		}
	}
	answer, err := c.pr.e.s.Solve(ctx, []solver.Group{group}, assume...)
	if err != nil {
		return true, fmt.Errorf("count up to %d: %w", middle, err)
	}
	switch answer.Status {
	case solver.Unsat:
		switch {
		case len(answer.Assumptions) > 0:
			c.t.raise("sat", middle+1)
		case count == beyond:
			c.t.refute("sat")
		default:
			return true, fmt.Errorf("%w: nothing is within %d, but an assignment is", errSearch, c.t.limit)
		}
	case solver.Sat:
		c.pr.e.decode(answer.Model, c.pr.stages)
		c.t.lower("sat", c.pr.stages)
		return true, c.pr.cut()
	}
	return true, nil
}

// build makes a totalizer with so many outputs.
func (c *counter) build(most int) error {
	out, err := c.total(c.leaves, most)
	c.most, c.out = most, out
	return err
}

// total returns outputs of a node over leaves: of the first, second and so on,
// each true when that many leaves are.
func (c *counter) total(leaves []solver.Lit, most int) ([]solver.Lit, error) {
	if len(leaves) <= 1 {
		return leaves, nil
	}
	s := c.pr.e.s
	left, err := c.total(leaves[:len(leaves)/2], most)
	if err != nil {
		return nil, err
	}
	right, err := c.total(leaves[len(leaves)/2:], most)
	if err != nil {
		return nil, err
	}
	n := min(len(left)+len(right), most)
	first := s.Vars(n)
	out := make([]solver.Lit, n)
	for i := range out {
		out[i] = first + solver.Lit(i)
		if i > 0 {
			if err := s.Add(solver.Always, out[i].Not(), out[i-1]); err != nil {
				return nil, err
			}
		}
	}
	for i := 0; i <= len(left); i++ {
		for j := 0; j <= len(right) && i+j <= n; j++ {
			if i+j == 0 {
				continue
			}
			clause := []solver.Lit{out[i+j-1]}
			if i > 0 {
				clause = append(clause, left[i-1].Not())
			}
			if j > 0 {
				clause = append(clause, right[j-1].Not())
			}
			if err := s.Add(solver.Always, clause...); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
