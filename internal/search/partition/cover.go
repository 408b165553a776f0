package partition

import (
	"cmp"
	"slices"
)

// window is a run of stages that a cover overfills.
type window int

const (
	oneStage window = iota // any one stage t
	prefix                 // stages 0 to t
	suffix                 // stages t to the last
	whole                  // all stages
)

// cover is a set of claims on ops that together put so much into a window, load
// or memory, that it takes more cores than it need have otherwise: not all of
// them can hold, or the window has these cores. A cover of one stage is true of
// every stage, so it is written for a stage t that is still open.
//
//	from    ops in stage t or later     to     ops in stage t or earlier
//	after   ops in a later stage        before ops in an earlier stage
//
// Every op that is behind an op of from and ahead of an op of to has stage t;
// a value produced ahead of an op of before, with a consumer behind an op of
// after, is carried through t. A prefix has only to (all its ancestors are in
// stages 0 to t), a suffix only from.
type cover struct {
	window                  window
	from, to, before, after []int
	memory                  bool
	sum                     int64 // of the work and the carrying that they force, or of the bytes
}

// size is the number of claims.
func (c *cover) size() int {
	return len(c.from) + len(c.to) + len(c.before) + len(c.after)
}

// blocked returns the clause that some claim does not hold, at stage t.
func (c *cover) blocked(t int) []literal {
	clause := make([]literal, 0, c.size())
	for _, v := range c.from {
		clause = append(clause, literal{v, t - 1, false})
	}
	for _, v := range c.to {
		clause = append(clause, literal{v, t + 1, true})
	}
	for _, v := range c.before {
		clause = append(clause, literal{v, t, true})
	}
	for _, v := range c.after {
		clause = append(clause, literal{v, t, false})
	}
	return clause
}

// claim is one member of a cover under construction.
type claim struct {
	list int // 0 from, 1 to, 2 before, 3 after
	op   int
	loss int64 // of the sum, when only this claim is given up
}

// coverer finds small covers. It holds the scratch space of one goroutine.
type coverer struct {
	w      *net
	memory bool // sum is of bytes
	union  [4]bitset
	claims []claim
	steps  int64
}

func newCoverer(w *net) *coverer {
	c := &coverer{w: w}
	for i := range c.union {
		c.union[i] = newBitset(w.n)
	}
	return c
}

// reach is the closure that a claim on v in the given list takes with it.
func (c *coverer) reach(list, v int) bitset {
	if list == 0 || list == 3 {
		return c.w.desc[v]
	}
	return c.w.anc[v]
}

// sum returns what the claims but skip force into the window.
func (c *coverer) sum(win window, skip int) int64 {
	var has [4]bool
	for i := range c.union {
		c.union[i].clear()
	}
	for i, m := range c.claims {
		if i != skip {
			c.union[m.list].or(c.reach(m.list, m.op))
			has[m.list] = true
		}
	}
	c.steps += int64(len(c.claims)/16 + 1)
	switch win {
	case prefix:
		return c.of(c.union[1])
	case suffix:
		return c.of(c.union[0])
	}
	if c.memory {
		if !has[0] || !has[1] {
			return 0
		}
		c.union[0].and(c.union[1])
		return c.w.cores.ofSet(c.union[0])
	}
	sum := int64(0)
	if has[0] && has[1] {
		sum = c.w.weights.ofBoth(c.union[0], c.union[1])
	}
	if has[2] && has[3] {
		for i := range c.w.vals {
			x := &c.w.vals[i]
			if c.union[2].has(x.op) && c.leaves(x) {
				sum += x.cost
			}
		}
	}
	return sum
}

// of is what a set weighs: work, or bytes.
func (c *coverer) of(set bitset) int64 {
	if c.memory {
		return c.w.cores.ofSet(set)
	}
	return c.w.weights.of(set)
}

// leaves says whether a consumer of x is in the closure of after.
func (c *coverer) leaves(x *val) bool {
	for _, v := range x.to {
		if c.union[3].has(v) {
			return true
		}
	}
	return false
}

// stage returns a minimal cover for the load of stage t of legal stages,
// heavier than limit, which the load must be. With memory set, it and the others
// do the same for bytes.
func (c *coverer) stage(stages []int8, t int8, limit int64) *cover {
	c.claims = c.claims[:0]
	for v, s := range stages {
		if s != t {
			continue
		}
		if !slices.ContainsFunc(c.w.in[v], func(a arc) bool { return stages[a.to] == t }) {
			c.claims = append(c.claims, claim{list: 0, op: v})
		}
		if !slices.ContainsFunc(c.w.out[v], func(a arc) bool { return stages[a.to] == t }) {
			c.claims = append(c.claims, claim{list: 1, op: v})
		}
	}
	for i := range c.w.vals {
		x := &c.w.vals[i]
		if c.memory || stages[x.op] >= t {
			continue
		}
		carried := false
		for _, v := range x.to {
			if stages[v] > t {
				carried = true
				c.claims = append(c.claims, claim{list: 3, op: v})
			}
		}
		if carried {
			c.claims = append(c.claims, claim{list: 2, op: x.op})
		}
	}
	return c.minimal(oneStage, limit)
}

// upTo returns a minimal cover for the work of stages 0 to t, heavier than
// limit, which it must be; from is its mirror.
func (c *coverer) upTo(stages []int8, t int8, limit int64) *cover {
	c.claims = c.claims[:0]
	for v, s := range stages {
		if s <= t && !slices.ContainsFunc(c.w.out[v], func(a arc) bool { return stages[a.to] <= t }) {
			c.claims = append(c.claims, claim{list: 1, op: v})
		}
	}
	return c.minimal(prefix, limit)
}

func (c *coverer) from(stages []int8, t int8, limit int64) *cover {
	c.claims = c.claims[:0]
	for v, s := range stages {
		if s >= t && !slices.ContainsFunc(c.w.in[v], func(a arc) bool { return stages[a.to] >= t }) {
			c.claims = append(c.claims, claim{list: 0, op: v})
		}
	}
	return c.minimal(suffix, limit)
}

// minimal gives up claims, those that matter least first, as long as the sum
// stays above limit.
func (c *coverer) minimal(win window, limit int64) *cover {
	sum := c.sum(win, -1)
	for i := range c.claims {
		c.claims[i].loss = sum - c.sum(win, i)
	}
	slices.SortStableFunc(c.claims, func(a, b claim) int { return cmp.Compare(a.loss, b.loss) })
	for i := 0; i < len(c.claims); {
		if less := c.sum(win, i); less > limit {
			c.claims = slices.Delete(c.claims, i, i+1)
			sum = less
		} else {
			i++
		}
	}
	k := &cover{window: win, memory: c.memory, sum: sum}
	for _, m := range c.claims {
		list := [...]*[]int{&k.from, &k.to, &k.before, &k.after}[m.list]
		*list = append(*list, m.op)
	}
	return k
}
