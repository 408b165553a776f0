package partition

import (
	"fmt"

	"plancheck/solver"
)

// sizing is the sizes of stages as literals: "stage s begins with core j or one
// before it" and "stage s has n cores or more". A stage that has n and begins
// with j or later makes the next one begin with j+n or later.
type sizing struct {
	// What sizes alone leave to the first core of each stage, and past the last.
	lo, hi []int64
	begin  []solver.Lit // of stage s with core lo[s] or before, the next ones after it
	size   []solver.Lit // of stage s with one core more than it must have, the next ones after it

	// whole: all clauses that tie them together are there. Else they are added
	// as chain asks for them.
	whole bool
	said  map[[3]int64]bool
}

// settled is a literal, or what the sizes alone say of it: constant is 1 for
// true and -1 for false.
type settled struct {
	lit      solver.Lit
	constant int
}

var never = settled{0, -1}

func (x settled) not() settled { return settled{-x.lit, -x.constant} }

// mostSizing is how many clauses tie sizes together from the start, and how
// many variables there may be for them; mostCores is the latter divided by the
// number of stages.
const (
	mostSizing    = 400_000
	mostSizingVar = 200_000
)

// size makes the variables and clauses of sizes.
func (e *encoding) size() error {
	c, k := &e.w.cores, e.w.k
	z := &sizing{begin: make([]solver.Lit, k+1), size: make([]solver.Lit, k), said: map[[3]int64]bool{}}
	e.sizes = z
	product := int64(0)
	for s := range k + 1 {
		z.lo = append(z.lo, max(c.sumLo[s], c.total-(c.sumHi[k]-c.sumHi[s])))
		z.hi = append(z.hi, min(c.sumHi[s], c.total-(c.sumLo[k]-c.sumLo[s])))
		for j := z.lo[s]; j < z.hi[s]; j++ {
			l := e.s.Var(fmt.Sprintf("stage %d begins with core %d or before", s, j))
			if j == z.lo[s] {
				z.begin[s] = l
			}
		}
	}
	for s := range k {
		for n := c.lo[s] + 1; n <= c.hi[s]; n++ {
			l := e.s.Var(fmt.Sprintf("stage %d has %d cores or more", s, n))
			if n == c.lo[s]+1 {
				z.size[s] = l
			}
		}
		product += (z.hi[s] - z.lo[s] + 1) * (c.hi[s] - c.lo[s] + 1)
	}
	z.whole = product <= mostSizing
	for s := range k {
		for j := z.lo[s]; j <= z.hi[s]; j++ {
			if err := e.both(e.beginsBy(s, j).not(), e.beginsBy(s, j+1)); err != nil {
				return err
			}
			if err := e.both(e.beginsBy(s, j).not(), e.beginsBy(s+1, j+c.hi[s])); err != nil {
				return err
			}
			if err := e.chain(s, j, c.lo[s]); err != nil {
				return err
			}
		}
		for n := c.lo[s] + 1; n <= c.hi[s]; n++ {
			if err := e.both(e.has(s, n).not(), e.has(s, n-1)); err != nil {
				return err
			}
			for j := z.lo[s]; j <= z.hi[s] && z.whole; j++ {
				if err := e.chain(s, j, n); err != nil {
					return err
				}
				if e.beginsBy(s+1, j+n-1).constant > 0 {
					break // which says the same of all that begin later
				}
			}
		}
	}
	return nil
}

// beginsBy says that stage s, or the end of the last for s = k, begins with core
// j or before.
func (e *encoding) beginsBy(s int, j int64) settled {
	z := e.sizes
	switch {
	case j < z.lo[s]:
		return never
	case j >= z.hi[s]:
		return never.not()
	}
	return settled{lit: z.begin[s] + solver.Lit(j-z.lo[s])}
}

// has says that stage s has n cores or more.
func (e *encoding) has(s int, n int64) settled {
	c := &e.w.cores
	switch {
	case n <= c.lo[s]:
		return never.not()
	case n > c.hi[s]:
		return never
	}
	return settled{lit: e.sizes.size[s] + solver.Lit(n-c.lo[s]-1)}
}

// chain says that stage s, when it begins with j or later and has n cores, makes
// the next one begin with j+n or later.
func (e *encoding) chain(s int, j, n int64) error {
	key := [3]int64{int64(s), j, n}
	if e.sizes.said[key] {
		return nil
	}
	if !e.sizes.whole {
		e.sizes.said[key] = true
	}
	return e.both(e.has(s, n).not(), e.beginsBy(s, j-1), e.beginsBy(s+1, j+n-1).not())
}

// both adds a clause of sizes alone.
func (e *encoding) both(xs ...settled) error {
	var clause []solver.Lit
	for _, x := range xs {
		if x.constant > 0 {
			return nil
		}
		if x.constant == 0 {
			clause = append(clause, x.lit)
		}
	}
	return e.s.Add(solver.Always, clause...)
}

// gives says that stages first to last, of which one is at an end of the
// pipeline or which are one, have n cores or more.
func (e *encoding) gives(first, last int, n int64) settled {
	c := &e.w.cores
	switch {
	case n <= c.least(first, last):
		return never.not()
	case n > c.most(first, last):
		return never
	case first == last:
		return e.has(first, n)
	case first == 0:
		return e.beginsBy(last+1, n-1).not()
	default:
		return e.beginsBy(first, c.total-n)
	}
}
