package partition

// cutter finds the least load that a window of stages must carry under a box,
// as a minimum cut. The network has a node for every op and every stage s from
// the one before the window to its last, "the op is in stage s or before"; a
// node on the source's side is true. Edges are implications, that is, arcs
// without limit. An op's work is paid when it is at or before the window's last
// stage and not before its first. A value's carrying through a stage t is paid
// when its producer is before t and some consumer is not at or before t.
type cutter struct {
	w     *net
	f     flow
	id    []int32 // node of op v and the i-th stage, at v*width+i; or one of:
	width int
	b     box
	first int
}

// Nodes that the box settles.
const (
	isTrue  = -1
	isFalse = -2
)

func (c *cutter) at(v, stage int) int32 { return c.id[v*c.width+stage-c.first+1] }

// window returns the least total load of stages from to to under b, whose
// ranges the edges must have narrowed. Values marked strict are known not to be
// carried. The cut's labels are kept for labels.
func (c *cutter) window(b box, strict []bool, from, to int) int64 {
	w := c.w
	c.b, c.first, c.width = b, from, to-from+2
	c.f.reset()
	c.id = c.id[:0]
	base := int64(0)
	for v := range w.n {
		for s := from - 1; s <= to; s++ {
			switch {
			case s >= int(b.hi[v]):
				c.id = append(c.id, isTrue)
			case s < int(b.lo[v]):
				c.id = append(c.id, isFalse)
			default:
				c.id = append(c.id, c.f.node())
			}
		}
	}
	for v := range w.n {
		base += c.op(v, from, to)
		for _, a := range w.out[v] {
			for s := from - 1; s <= to; s++ {
				c.implies(c.at(a.to, s), c.at(v, s))
				if a.tight && s < to {
					c.implies(c.at(v, s), c.at(a.to, s+1))
				}
			}
		}
	}
	for i := range w.vals {
		x := &w.vals[i]
		if !strict[i] {
			for t := from; t <= to; t++ {
				base += c.carry(x, t)
			}
			continue
		}
		for _, a := range x.to {
			for s := from - 1; s < to; s++ {
				c.implies(c.at(x.op, s), c.at(a, s+1))
			}
		}
	}
	return base + c.f.greatest()
}

func (c *cutter) implies(i, j int32) {
	if i >= 0 && j >= 0 {
		c.f.arc(i, j, unlimited)
	}
}

// op adds the nodes' chain and the work of v, and returns what is paid in any
// case, apart from the flow.
func (c *cutter) op(v, from, to int) int64 {
	work := c.w.work[v]
	before, last := c.at(v, from-1), c.at(v, to)
	chain := int32(-1) // first of the chain's arcs, two numbers apart
	for s := from - 1; s < to; s++ {
		if i, j := c.at(v, s), c.at(v, s+1); i >= 0 && j >= 0 {
			a := c.f.arc(i, j, unlimited)
			if s == from-1 {
				chain = a
			}
		}
	}
	switch {
	case work == 0 || before == isTrue || last == isFalse:
		return 0
	case before == isFalse && last == isTrue:
		return work
	case before == isFalse:
		c.f.arc(last, sink, work)
		return 0
	case last == isTrue:
		c.f.arc(source, before, work)
		return 0
	}
	// Paid twice when neither before nor after would be right, so once is
	// taken off; that one unit of flow runs down the op's own chain.
	in, out := c.f.arc(source, before, work), c.f.arc(last, sink, work)
	c.f.push(in, work)
	c.f.push(out, work)
	for s := from - 1; s < to; s++ {
		c.f.push(chain, work)
		chain += 2
	}
	return 0
}

// carry adds the carrying of x through t and returns what is paid in any case.
func (c *cutter) carry(x *val, t int) int64 {
	produced := c.at(x.op, t-1)
	if produced == isFalse {
		return 0
	}
	cost := x.cost
	open := false
	for _, a := range x.to {
		switch n := c.at(a, t); {
		case n == isFalse && produced == isTrue:
			return cost
		case n == isFalse:
			c.f.arc(produced, sink, cost)
			return 0
		case n >= 0:
			open = true
		}
	}
	if !open {
		return 0
	}
	done := c.f.node()
	if produced == isTrue {
		c.f.arc(source, done, cost)
	} else {
		c.f.arc(produced, done, cost)
	}
	for _, a := range x.to {
		c.implies(done, c.at(a, t))
	}
	return 0
}

// labels narrows b, a copy of the box of the last window, to the side of the
// cut that every op is on.
func (c *cutter) labels(b box) {
	for v := range c.w.n {
		for i := range c.width {
			n := c.id[v*c.width+i]
			if n < 0 {
				continue
			}
			stage := int8(c.first - 1 + i)
			if c.f.level[n] >= 0 {
				b.hi[v] = min(b.hi[v], stage)
			} else {
				b.lo[v] = max(b.lo[v], stage+1)
			}
		}
	}
}
