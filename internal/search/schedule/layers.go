package schedule

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"plancheck/internal/search/partition"
)

// layers decides one thing after the other: stages as if cores were only to be
// counted, with a bound on what any solution costs; then ranges and cores under
// them; then it moves ops where the cores under the stages are not as good as
// counted. Last it looks for fewer forwards.
type layers struct {
	b     *board
	o     Options
	g     *ground
	a     *arranger
	spent int64
	steps int64 // the budget; never when there is none
}

// byLayers is the name of this part of the search.
const byLayers = "layers"

func newLayers(b *board, o Options) *layers {
	g := newGround(b.p)
	return &layers{b: b, o: o, g: g, a: &arranger{ground: g, seed: o.Seed, known: map[string]*packed{}}}
}

// Efforts of one packing, in steps.
const (
	quick    = 20_000
	thorough = 500_000
)

// reserves are the shares of memory that are left free in turn, until what is
// counted to fit is also packed.
var reserves = []float64{0, 0.01, 0.03, 0.07, 0.15, 0.3}

// run searches until all is proven, the steps are spent or ctx ends, and returns
// the steps it took.
func (l *layers) run(ctx context.Context, steps int64) int64 {
	l.steps = steps
	if bound, sum := l.g.longest(); sum != nil {
		l.b.raise("share", bound, sum)
	}
	l.b.raise("pins", l.g.pinnedLoad(), nil)
	for i, reserve := range reserves {
		if !l.going(ctx) || i > 0 && l.g.room == nil {
			break
		}
		if !l.stages(ctx, reserve, i == 0) {
			break
		}
		if l.b.incumbent() != nil && (i > 0 || l.b.settled()) {
			break
		}
	}
	l.pool(ctx)
	l.climb(ctx)
	l.wander(ctx)
	l.forwards(ctx)
	return l.total()
}

// total is the steps that were taken.
func (l *layers) total() int64 { return l.spent + l.a.spent }

func (l *layers) going(ctx context.Context) bool {
	return ctx.Err() == nil && !l.b.closed() && l.total() < l.steps
}

// stages solves the relaxed problem and arranges what it finds, again whenever
// the judge has said more about stages. It says whether there is more to try.
func (l *layers) stages(ctx context.Context, reserve float64, proves bool) bool {
	for {
		heard := len(l.b.stageLessons())
		more := l.partition(ctx, reserve, proves, heard)
		if !more || !l.going(ctx) || l.b.settled() || len(l.b.stageLessons()) == heard {
			return more
		}
	}
}

// partition solves the relaxed problem with the first so many lessons about
// stages, until there are more, and arranges what it finds. Only without a
// reserve is what it proves true.
func (l *layers) partition(ctx context.Context, reserve float64, proves bool, heard int) bool {
	p := l.g.relax(reserve)
	if heard > 0 {
		p.Clauses = l.b.stageLessons()[:heard]
	}
	if p.Cores != nil && slices.ContainsFunc(p.Cores.Sizes, func(r partition.Range) bool { return r.Lo < 1 || r.Hi > p.Cores.Total }) {
		l.b.refute("ranges")
		return false
	}
	const mostTried = 3
	var found [][]int // the best at the end
	o := partition.Options{Seed: l.o.Seed, First: l.first(p.Problem)}
	part, done := context.WithCancel(ctx)
	defer done()
	// Half of the time is for packing, once there is something to pack.
	enough := &both{then: done}
	if end, ok := ctx.Deadline(); ok && l.steps == never {
		defer time.AfterFunc(time.Until(end)/2, func() { enough.have(&enough.late) }).Stop()
	}
	o.OnAssignment = func(stages, _ []int, value int64) {
		enough.have(&enough.found)
		stage := slices.Clone(stages[:len(l.b.p.Ops)])
		found = append(found[max(0, len(found)-mostTried+1):], stage)
		// Something to show soon, and then whenever it would be clearly better.
		if _, interval := l.b.limits(); interval == noInterval || value < interval-interval/50 {
			l.try(ctx, stage, quick)
		}
		if len(l.b.stageLessons()) > heard {
			done()
		}
	}
	if proves {
		o.OnChange = func(bound, _ int64) { l.b.raise("stages", bound, nil) }
	}
	if l.steps != never {
		o.Steps = max(1, (l.steps-l.total())/2)
	}
	r, err := partition.Solve(part, p.Problem, o)
	if err != nil {
		l.b.fail(err)
		return false
	}
	l.spent += r.Steps
	if r.Status == partition.Infeasible {
		if proves {
			l.b.refute("stages")
		}
		return false
	}
	if proves {
		l.b.raise("stages", r.Bound, p.sum(r.Sum))
	}
	slices.Reverse(found)
	for _, stage := range found {
		if !l.going(ctx) || l.b.settled() || len(l.b.stageLessons()) > heard {
			break
		}
		l.try(ctx, stage, thorough)
	}
	return true
}

// both does something when it is late and something was found, whichever comes
// last.
type both struct {
	mu          sync.Mutex
	late, found bool
	then        func()
}

// have notes one of the two.
func (b *both) have(what *bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if *what = true; b.late && b.found {
		b.then()
	}
}

// try arranges stages and offers what comes of it.
func (l *layers) try(ctx context.Context, stage []int, steps int64) bool {
	if !l.b.keepsStages(stage) {
		return false
	}
	bound, before := l.b.limits()
	sol, err := l.a.arrange(ctx, stage, steps, bound)
	if err != nil {
		l.b.fail(err)
		return false
	}
	if l.a.bound > bound && l.g.decided() {
		if l.a.bound == never {
			l.b.refute("packing")
			return false
		}
		l.b.raise("packing", l.a.bound, nil)
	}
	if sol == nil {
		return false
	}
	l.b.lower(byLayers, sol)
	_, after := l.b.limits()
	return after < before
}

// portion is a part of the time that is left for this part of the search. With a
// budget of steps it is all of it: what is found then must not depend on the
// clock.
func (l *layers) portion(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	if l.steps != never {
		return context.WithCancel(ctx)
	}
	return portion(ctx, share)
}

// portion is a part of the time that is left, where that has an end.
func portion(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	left := time.Until(end)
	return context.WithTimeout(ctx, time.Duration(share*float64(left)))
}

// climb moves ops out of the slowest stage while that helps.
func (l *layers) climb(ctx context.Context) {
	best := l.b.incumbent()
	s := newShifter(l.b.p)
	for better := true; better && best != nil && l.going(ctx) && !l.b.settled(); {
		better = false
		slow := l.slowest(best)
		for o, stage := range best.Stage {
			if stage != slow {
				continue
			}
			for _, by := range []int{-1, 1} {
				if !l.going(ctx) || l.b.settled() {
					return
				}
				l.spent += int64(len(best.Stage))
				next := s.shift(best.Stage, o, by)
				if next == nil || !l.promising(next) {
					continue
				}
				better = l.try(ctx, next, quick) || better
			}
		}
		best = l.b.incumbent()
	}
}

// promising says whether stages could have a smaller interval than the best, as
// far as counting goes.
func (l *layers) promising(stage []int) bool {
	_, interval := l.b.limits()
	if !l.b.keepsStages(stage) {
		return false
	}
	crews := l.g.crews(stage)
	cores := 0
	for s := range crews {
		c := &crews[s]
		if c.longest >= interval {
			return false
		}
		n := 1
		if c.load > 0 {
			n = int(ceil(c.load, interval-1)) // a share takes cycles, so interval is above 1
		}
		if r := l.b.p.Ranges[s]; r.Count != Free {
			if n > r.Count {
				return false
			}
			n = r.Count
		}
		cores += n
	}
	return cores <= l.b.p.Cores
}

// slowest is the stage of the core with the largest load.
func (l *layers) slowest(s *Solution) int {
	load := l.b.p.loads(s)
	core := 0
	for c := range load {
		if load[c] > load[core] {
			core = c
		}
	}
	stage := 0
	for k, first := range s.First {
		if first <= core {
			stage = k
		}
	}
	return stage
}

// forwards looks for stages with fewer forwards that are no slower.
func (l *layers) forwards(ctx context.Context) {
	_, best := l.b.forwards()
	if best == 0 || l.b.incumbent() == nil || !l.going(ctx) {
		return
	}
	_, interval := l.b.limits()
	p := l.g.relax(0)
	o := partition.Options{Seed: l.o.Seed}
	if l.steps != never {
		o.Steps = max(1, (l.steps-l.total())/2)
	}
	o.OnAssignment = func(stages, _ []int, _ int64) {
		sol, err := l.a.arrange(ctx, stages[:len(l.b.p.Ops)], quick, interval)
		switch {
		case err != nil:
			l.b.fail(err)
		case sol != nil:
			l.b.lower(byLayers, sol)
		}
	}
	part, done := l.portion(ctx, 0.8)
	defer done()
	r, err := partition.Fewest(part, p.Problem, interval, append(slices.Clone(l.b.incumbent().Stage), l.g.outside()...), o)
	if err != nil {
		l.b.fail(err)
		return
	}
	l.spent += r.Steps
	l.b.raiseForwards("stages", interval, r.Bound)
}

// first cuts the order in which ops are wanted into stages of about equal work,
// where that is legal; nil where it is not.
func (l *layers) first(p *partition.Problem) []int {
	if l.o.Rank == nil {
		return nil
	}
	order := make([]int, len(l.b.p.Ops))
	for o := range order {
		order[o] = o
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.o.Rank[a], l.o.Rank[b]) })
	total, sum := int64(0), int64(0)
	for o := range order {
		total += p.Work[o]
	}
	stage := make([]int, len(order), len(p.Work))
	for _, o := range order {
		stage[o] = int(min(float64(p.Stages-1), float64(sum)/float64(total+1)*float64(p.Stages)))
		sum += p.Work[o]
	}
	stage = append(stage, l.g.outside()...)
	if _, err := p.Value(stage); err != nil {
		return nil
	}
	return stage
}
