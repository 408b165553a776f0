package partition

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"plancheck/solver"
)

// Listing says what Enumerate lists.
type Listing struct {
	// Limit is the greatest value of an assignment that is listed.
	Limit int64
	// Distance is how many ops, at least, have another stage in any two
	// assignments that are kept; 0 counts as 1.
	Distance int
	// Apart says that something beside the problem tells stages from each other,
	// so that no assignment is the copy of another one.
	Apart bool
	// Kept are assignments that were kept before: what is listed is apart from
	// them too.
	Kept [][]int
	// Capped lists only what carries no more than Cap, as Problem.Carried counts.
	Capped bool
	Cap    int
	// Steps is a budget that does not depend on the machine; 0 is none.
	Steps int64
}

// Choice is what Enumerate shall do about an assignment.
type Choice int

const (
	// Stop ends the listing.
	Stop Choice = iota
	// Keep lists nothing more that is not apart from it.
	Keep
	// Skip does not list it again, but what is near it.
	Skip
)

// Listed is what came of a listing.
type Listed struct {
	// All: nothing is left. Every assignment within the limit was visited, or is
	// a copy of one, or is not apart from one that was kept.
	All   bool
	Steps int64
}

// ErrLarge is returned, wrapped, for a problem of which no formula can be made.
var ErrLarge = errors.New("problem too large for a formula")

// Enumerate visits legal assignments of value Limit or less, each of them apart
// from all that were kept, none twice, until visit stops it, nothing is left,
// the steps are spent or ctx ends. Where nothing tells stages from each other,
// assignments that differ only in which stages are empty are copies, and the one
// that is visited uses stages 0 to some m (Closed). The slices are the callee's.
// Errors are those of Solve, or wrap ErrLarge.
func Enumerate(ctx context.Context, p *Problem, l Listing, visit func(stages, sizes []int, value int64) Choice) (Listed, error) {
	w, err := compileNet(p, false)
	if err != nil {
		return Listed{}, err
	}
	e := &lister{w: w, listing: l, visit: visit, closed: !l.Apart && p.Interchangeable()}
	e.listing.Limit = min(l.Limit, w.ceiling())
	e.listing.Distance = max(l.Distance, 1)
	// Loads of stages that could be merged are no reason to leave any out.
	w.movable = false
	switch {
	case w.cores.none || l.Limit < 0:
		return Listed{All: true}, nil
	case w.n == 0:
		return e.nothing()
	case w.anc == nil || !w.cores.fixed && int64(w.k)*w.cores.total > mostSizingVar:
		return Listed{}, fmt.Errorf("list assignments of %d ops: %w", w.n, ErrLarge)
	}
	root := box{w.lo, w.hi}.clone()
	if !newNarrower(w).edges(root) {
		return Listed{All: true}, nil
	}
	w.lo, w.hi = root.lo, root.hi
	if err := e.prepare(); err != nil {
		return Listed{}, err
	}
	return e.run(ctx)
}

// Interchangeable says whether nothing in the problem tells one stage from
// another, but for what comes from outside.
func (p *Problem) Interchangeable() bool {
	for o := range p.Work {
		if d := p.domain(o); d.Lo != Outside && d != (Range{0, p.Stages - 1}) {
			return false
		}
	}
	if p.Cores != nil {
		for _, size := range p.Cores.Sizes {
			if size != p.Cores.Sizes[0] {
				return false
			}
		}
	}
	return true
}

// Closed returns stages that hold the same ops in the same order, with the empty
// ones behind all others.
func Closed(stages []int, k int) []int {
	to := make([]int, k)
	for _, s := range stages {
		if s != Outside {
			to[s] = 1
		}
	}
	next := 0
	for s, used := range to {
		to[s] = next
		next += used
	}
	closed := slices.Clone(stages)
	for o, s := range closed {
		if s != Outside {
			closed[o] = to[s]
		}
	}
	return closed
}

// lister asks the prober's formula for one assignment after the other.
type lister struct {
	w       *net
	listing Listing
	visit   func(stages, sizes []int, value int64) Choice
	closed  bool // only assignments without an empty stage before a used one

	pr    *prober
	limit solver.Group
	// spread keeps away from what was skipped, as long as there is anything else.
	spread  solver.Group
	skipped int
	differs map[literal]solver.Lit // "the op is not in this stage"
	steps   int64
}

// nothing lists the one assignment of no ops.
func (e *lister) nothing() (Listed, error) {
	stages := e.w.expand(nil)
	if len(e.listing.Kept) > 0 {
		return Listed{All: true}, nil
	}
	sizes, value, err := e.w.p.Sizes(stages)
	if e.listing.Capped && e.listing.Cap < 0 {
		return Listed{All: true}, nil
	}
	if err != nil || value > e.listing.Limit {
		return Listed{All: true}, nil
	}
	return Listed{All: e.visit(stages, sizes, value) != Stop}, nil
}

// prepare makes the formula.
func (e *lister) prepare() error {
	b := newBoard(e.w)
	b.bound, b.value = e.listing.Limit, e.listing.Limit+1
	e.pr = newProber(e.w, b, false)
	if e.pr.err != nil {
		return e.pr.err
	}
	e.pr.current = e.listing.Limit
	if err := e.pr.open(e.listing.Limit); err != nil {
		return err
	}
	at, _ := e.pr.find(e.listing.Limit)
	e.limit = e.pr.probed[at].group
	e.spread = e.pr.e.s.Group("apart from what was skipped")
	e.differs = map[literal]solver.Lit{}
	if e.closed {
		if err := e.closeUp(); err != nil {
			return err
		}
	}
	if e.listing.Capped {
		if err := e.cap(b); err != nil {
			return err
		}
	}
	for _, stages := range e.listing.Kept {
		if len(stages) != len(e.w.of) {
			return fmt.Errorf("%d stages kept, of %d ops: %w", len(stages), len(e.w.of), ErrStages)
		}
		if e.closed {
			stages = Closed(stages, e.w.k)
		}
		if err := e.apart(solver.Always, e.w.shrink(stages), e.listing.Distance); err != nil {
			return err
		}
	}
	return nil
}

// cap wants no more to be carried than is listed.
func (e *lister) cap(b *board) error {
	c := &counter{t: &tally{w: e.w, limit: e.listing.Limit}, b: b, pr: e.pr}
	left := box{e.w.lo, e.w.hi}.clone()
	nr := newNarrower(e.w)
	if !nr.edges(left) || !nr.limit(left, e.listing.Limit) {
		return nil // which the limit says already
	}
	for i := range e.w.all {
		if err := c.pairs(&e.w.all[i], left); err != nil {
			return err
		}
	}
	most := e.listing.Cap - c.forced
	switch {
	case most < 0:
		return e.pr.e.s.Add(solver.Always)
	case most >= len(c.leaves):
		return nil
	}
	if err := c.build(most + 1); err != nil {
		return err
	}
	return e.pr.e.s.Add(solver.Always, c.out[most].Not())
}

// closeUp wants an op in every stage before one that has an op.
func (e *lister) closeUp() error {
	s := e.pr.e.s
	for k := range e.w.k - 1 {
		used := []solver.Lit{}
		for v := range e.w.n {
			if int(e.w.lo[v]) > k || int(e.w.hi[v]) < k {
				continue
			}
			here := s.Var("")
			used = append(used, here)
			for _, claim := range []literal{{v, k, false}, {v, k, true}} {
				if err := e.pr.e.either(solver.Always, settled{lit: here.Not()}, claim); err != nil {
					return err
				}
			}
		}
		filled := s.Var(fmt.Sprintf("stage %d has an op", k))
		if err := s.Add(solver.Always, append(used, filled.Not())...); err != nil {
			return err
		}
		for v := range e.w.n {
			if err := e.pr.e.either(solver.Always, settled{lit: filled}, literal{v, k, false}); err != nil {
				return err
			}
		}
	}
	return nil
}

// apart wants so many ops to have other stages than these.
func (e *lister) apart(g solver.Group, stages []int8, distance int) error {
	if distance == 1 {
		clause := make([]literal, 0, 2*len(stages))
		for v, s := range stages {
			clause = append(clause, literal{v, int(s) - 1, false}, literal{v, int(s) + 1, true})
		}
		return e.pr.e.add(g, clause...)
	}
	var movable []int
	for v := range stages {
		if e.w.lo[v] < e.w.hi[v] {
			movable = append(movable, v)
		}
	}
	if len(movable) < distance {
		return e.pr.e.s.Add(g)
	}
	// before[j] is "j+1 or more of the ops so far differ", and may be false
	// where that is so.
	var before []solver.Lit
	s := e.pr.e.s
	for i, v := range movable {
		y, err := e.differ(v, stages[v])
		if err != nil {
			return err
		}
		now := make([]solver.Lit, min(i+1, distance))
		for j := range now {
			now[j] = s.Var("")
			this := []solver.Lit{now[j].Not(), y}
			rest := []solver.Lit{now[j].Not()}
			if j < len(before) {
				this, rest = append(this, before[j]), append(rest, before[j])
			}
			if err := s.Add(solver.Always, this...); err != nil {
				return err
			}
			if j == 0 {
				continue
			}
			if err := s.Add(solver.Always, append(rest, before[j-1])...); err != nil {
				return err
			}
		}
		before = now
	}
	return s.Add(g, before[distance-1])
}

// differ is a literal that is true only where op v is not in stage s.
func (e *lister) differ(v int, s int8) (solver.Lit, error) {
	key := literal{op: v, stage: int(s)}
	if y, known := e.differs[key]; known {
		return y, nil
	}
	y := e.pr.e.s.Var("")
	e.differs[key] = y
	return y, e.pr.e.either(solver.Always, settled{lit: y.Not()}, literal{v, int(s) - 1, false}, literal{v, int(s) + 1, true})
}

// run puts questions until nothing is left or the budget ends.
func (e *lister) run(ctx context.Context) (Listed, error) {
	groups := []solver.Group{e.limit}
	if e.listing.Steps == 0 {
		e.listing.Steps = noValue
	}
	for e.steps < e.listing.Steps && ctx.Err() == nil {
		before := e.pr.covers.steps
		if e.skipped > 0 && len(groups) == 1 {
			groups = append(groups, e.spread)
		}
		answer, err := e.pr.e.s.Solve(ctx, groups)
		e.steps += 500 + int64(e.pr.e.s.NumVars()/8)
		if err != nil {
			return Listed{}, fmt.Errorf("list assignments within %d: %w", e.listing.Limit, err)
		}
		switch answer.Status {
		case solver.Unsat:
			if !slices.Contains(answer.Groups, e.spread) {
				return Listed{All: true, Steps: e.steps}, nil
			}
			e.spread = e.pr.e.s.Group("apart from what is skipped later")
			e.skipped, groups = 0, groups[:1]
		case solver.Sat:
			stop, err := e.meet(answer.Model)
			if stop || err != nil {
				return Listed{Steps: e.steps}, err
			}
		}
		e.steps += e.pr.covers.steps - before
	}
	return Listed{Steps: e.steps}, nil
}

// farthestSkip is how far one keeps from what was skipped, at most, and
// mostSkips from how many.
const farthestSkip, mostSkips = 8, 50

// meet cuts a model that passes the limit, and shows any other.
func (e *lister) meet(model solver.Model) (stop bool, err error) {
	w := e.w
	e.pr.e.decode(model, e.pr.stages)
	stages := slices.Clone(e.pr.stages)
	if w.value(stages) > e.listing.Limit {
		return false, e.pr.cut()
	}
	full := w.expand(stages)
	sizes, value, err := w.p.Sizes(full)
	if e.listing.Capped && w.carried(stages) > e.listing.Cap {
		return true, fmt.Errorf("%w: an assignment that carries %d is listed, of at most %d", errSearch, w.carried(stages), e.listing.Cap)
	}
	if err != nil || value > e.listing.Limit || e.closed && !slices.Equal(full, Closed(full, w.k)) {
		return true, fmt.Errorf("%w: an assignment of value %d is listed, within %d: %v", errSearch, value, e.listing.Limit, err)
	}
	switch e.visit(full, sizes, value) {
	case Keep:
		return false, e.apart(solver.Always, stages, e.listing.Distance)
	case Skip:
		if err := e.apart(solver.Always, stages, 1); err != nil || e.skipped == mostSkips {
			return false, err
		}
		e.skipped++
		return false, e.apart(e.spread, stages, max(e.listing.Distance, min(farthestSkip, 1+w.n/16)))
	}
	return true, nil
}
