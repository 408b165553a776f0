package partition

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Fewer is what Fewest found.
type Fewer struct {
	Status  Status // Optimal when Carried is Bound
	Stages  []int  // of each op; nil when Unknown or Infeasible
	Sizes   []int  // cores of each stage; nil without Stages or Cores
	Value   int64  // of Stages, no more than the limit
	Carried int    // as Problem.Carried has it
	// Bound is proven: every legal assignment within the limit carries this
	// many, or more.
	Bound            int
	FoundBy, BoundBy string
	Steps            int64
}

// Fewest searches, among the legal assignments of value limit or less, for one
// that carries as little as possible: it counts pairs of a value and a stage that
// the value is carried through. first, when not nil, is such an assignment to
// start from. Of the options First and OnChange are not used; OnAssignment is
// called with every assignment that carries less than the ones before. Errors are
// those of Solve; they wrap ErrStages when first is not within the limit.
func Fewest(ctx context.Context, p *Problem, limit int64, first []int, o Options) (Fewer, error) {
	w, err := compile(p)
	if err != nil {
		return Fewer{}, err
	}
	if limit < 0 {
		return Fewer{}, fmt.Errorf("fewest under limit %d: %w", limit, ErrProblem)
	}
	t := newTally(w, limit, o.OnAssignment)
	if first != nil {
		value, err := p.Value(first)
		if err == nil && value > limit {
			err = fmt.Errorf("value %d, above %d: %w", value, limit, ErrStages)
		}
		if err != nil {
			return Fewer{}, fmt.Errorf("first assignment: %w", err)
		}
		t.lower("given", w.shrink(first))
	}
	if w.n == 0 || w.cores.none {
		return t.simple()
	}
	if t.best == nil {
		if err := t.find(ctx, o); err != nil {
			return Fewer{}, err
		}
	}
	if !t.closed() {
		if err := t.search(ctx, o); err != nil {
			return Fewer{}, err
		}
	}
	return t.result()
}

// tally is the best assignment of Fewest and what is proven. It is safe for
// several goroutines.
type tally struct {
	w            *net
	limit        int64
	onAssignment func(stages, sizes []int, value int64)
	steps        int64

	mu         sync.Mutex
	best       []int8
	count      int // of best; beyond while there is none
	bestBy     string
	bound      int
	boundBy    string
	infeasible bool
}

// beyond stands above every count.
const beyond = 1 << 40

func newTally(w *net, limit int64, on func(stages, sizes []int, value int64)) *tally {
	return &tally{w: w, boundBy: "structure", limit: min(limit, w.ceiling()), onAssignment: on, count: beyond}
}

// carried counts what stages carry.
func (w *net) carried(stages []int8) int {
	count := 0
	for i := range w.all {
		x := &w.all[i]
		count += max(0, int(x.reach(stages))-int(stages[x.op])-1)
	}
	return count
}

// lower offers an assignment. It is kept when it is legal, within the limit, and
// carries less than the best.
func (t *tally) lower(by string, stages []int8) {
	if !t.w.legal(stages) || t.w.value(stages) > t.limit {
		return
	}
	count := t.w.carried(stages)
	t.mu.Lock()
	defer t.mu.Unlock()
	if count >= t.count {
		return
	}
	t.best, t.count, t.bestBy = slices.Clone(stages), count, by
	if t.onAssignment != nil {
		full := t.w.expand(t.best)
		// What Sizes might have against it, result reports.
		sizes, value, _ := t.w.p.Sizes(full)
		t.onAssignment(full, sizes, value)
	}
}

// raise offers a bound.
func (t *tally) raise(by string, bound int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if bound > t.bound {
		t.bound, t.boundBy = bound, by
	}
}

func (t *tally) limits() (bound, count int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.bound, t.count
}

func (t *tally) closed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.infeasible || t.bound >= t.count
}

// refute says that nothing is within the limit.
func (t *tally) refute(by string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.infeasible, t.bound, t.boundBy = true, 0, by
}

// simple answers for a problem without ops, or without sizes.
func (t *tally) simple() (Fewer, error) {
	b := newBoard(t.w)
	if err := structure(b); err != nil {
		return Fewer{}, err
	}
	if b.infeasible || b.value > t.limit {
		t.refute("structure")
	} else {
		t.lower("structure", b.best)
	}
	return t.result()
}

// find looks for any assignment within the limit: the team's work, on a board
// that asks for no more.
func (t *tally) find(ctx context.Context, o Options) error {
	b := newBoard(t.w)
	b.bound, b.value = t.limit, t.limit+1
	if err := structure(b); err != nil {
		return err
	}
	team := newTeam(t.w, b, o.Seed)
	if o.Steps > 0 {
		t.steps = takeTurns(ctx, b, team.all(), o.Steps)
	} else {
		t.steps = race(ctx, b, team)
	}
	switch {
	case b.fault != nil:
		return b.fault
	case b.best != nil:
		t.lower(b.bestBy, b.best)
	case b.closed():
		t.refute(b.boundBy)
	}
	return nil
}

// search bounds the count by a least cut and by counting in a formula, from the
// domains that the limit leaves.
func (t *tally) search(ctx context.Context, o Options) error {
	w := t.w
	nr := newNarrower(w)
	b := box{w.lo, w.hi}.clone()
	// Two neighbouring stages that hold no more than the limit together may be
	// merged, which carries nothing more.
	nr.floor = t.limit
	fits := nr.edges(b)
	if fits {
		root := b.clone()
		w.lo, w.hi = root.lo, root.hi
		fits = nr.limit(b, t.limit)
	}
	if !fits {
		if t.best != nil {
			return fmt.Errorf("%w: nothing is within %d, but an assignment is", errSearch, t.limit)
		}
		t.refute("structure")
		return nil
	}
	c := cutter{w: w.counting()}
	strict := make([]bool, len(w.all))
	for i, s := range nr.strict {
		strict[w.valAt[i]] = s
	}
	t.raise("cuts", int(c.window(b, strict, 0, w.k-1)))
	c.labels(b)
	if nr.edges(b) {
		t.lower("cuts", b.lo)
		t.lower("cuts", b.hi)
	}
	parts := []func(ctx context.Context) (more bool, err error){newThrift(t, o.Seed).turn}
	if w.anc != nil && (w.cores.fixed || int64(w.k)*w.cores.total <= mostSizingVar) {
		n, err := newCounter(t)
		if err != nil {
			return err
		}
		parts = append(parts, n.ask)
	}
	if o.Steps == 0 {
		return t.together(ctx, parts)
	}
	for ctx.Err() == nil && !t.closed() && t.spent() < o.Steps {
		for _, part := range parts {
			if _, err := part(ctx); err != nil {
				return err
			}
			if t.closed() {
				break
			}
		}
	}
	return nil
}

// together runs the parts side by side until all is found or ctx ends.
func (t *tally) together(ctx context.Context, parts []func(ctx context.Context) (more bool, err error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, len(parts))
	var wg sync.WaitGroup
	for i, part := range parts {
		wg.Go(func() {
			for more := true; ctx.Err() == nil && !t.closed(); {
				if more, errs[i] = part(ctx); errs[i] != nil {
					break
				}
				if !more {
					return
				}
			}
			cancel()
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// spend counts steps.
func (t *tally) spend(steps int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.steps += steps
}

func (t *tally) spent() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.steps
}

// incumbent returns a copy of the best assignment, nil when there is none.
func (t *tally) incumbent() []int8 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.best)
}

// counting is the net with work and costs such that loads count what is carried.
func (w *net) counting() *net {
	c := *w
	c.work, c.total = make([]int64, w.n), 0
	c.vals = slices.Clone(w.all)
	for i := range c.vals {
		c.vals[i].cost = 1
	}
	return &c
}

// result holds the claim against the definitions.
func (t *tally) result() (Fewer, error) {
	f := Fewer{Bound: t.bound, BoundBy: t.boundBy, Steps: t.steps}
	if t.infeasible {
		f.Status = Infeasible
		return f, nil
	}
	if t.best == nil {
		return f, nil
	}
	f.Status, f.Stages, f.FoundBy = Feasible, t.w.expand(t.best), t.bestBy
	sizes, value, err := t.w.p.Sizes(f.Stages)
	if err == nil {
		f.Sizes, f.Value = sizes, value
		f.Carried, err = t.w.p.Carried(f.Stages)
	}
	if err != nil || value > t.limit || f.Carried != t.count || t.bound > t.count {
		return Fewer{}, fmt.Errorf("%w: %d carried by %s, %d when counted at value %d of %d (%v), bound %d by %s",
			errSearch, t.count, t.bestBy, f.Carried, value, t.limit, err, t.bound, t.boundBy)
	}
	if f.Bound == f.Carried {
		f.Status = Optimal
	}
	return f, nil
}
