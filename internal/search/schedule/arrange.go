package schedule

import (
	"context"
	"fmt"
	"math"
	"slices"

	"plancheck/internal/search/packing"
)

// packed is what is known of packing a crew on cores.
type packed struct {
	cores []int // of each item, counted from the first; nil while none is known
	value int64 // never when none is known
	bound int64 // of any packing of the crew on these cores; never when there is none
	steps int64 // spent on it
}

// never is the cost of what does not work.
const never = math.MaxInt64

// arranger turns stages of ops into solutions: it chooses ranges and packs
// stages, and remembers what it packed.
type arranger struct {
	*ground
	seed  uint64
	known map[string]*packed
	spent int64
	// bound is that of the last packing of all stages: no packing of these
	// stages on these cores has a smaller interval.
	bound int64
}

// rangesFor chooses a range for every stage so that the largest cost of a stage
// is as small as possible, and of those sums up to least; cost says what a stage
// costs on cores from first on, never when it cannot be there. It returns the
// first core of each stage, nil when nothing works or ctx ends.
func (g *ground) rangesFor(ctx context.Context, cost func(stage, first, count int) int64) []int {
	k, c := g.p.Stages, g.p.Cores
	type cell struct {
		worst int64
		sum   float64 // of costs, to break ties
		count int
	}
	// best[s][f]: stages s and later from core f on.
	best := make([][]cell, k+1)
	for s := range best {
		best[s] = make([]cell, c+1)
		for f := range best[s] {
			best[s][f] = cell{worst: never}
		}
	}
	best[k][c] = cell{}
	for s := k - 1; s >= 0; s-- {
		r := g.p.Ranges[s]
		for f := s; f <= c-(k-s); f++ {
			if r.First != Free && r.First != f || s == 0 && f > 0 {
				continue
			}
			if ctx.Err() != nil {
				return nil
			}
			for n := 1; f+n <= c-(k-s-1); n++ {
				if r.Count != Free && r.Count != n || best[s+1][f+n].worst == never {
					continue
				}
				v := cost(s, f, n)
				if v == never {
					continue
				}
				next := &best[s+1][f+n]
				this := cell{max(v, next.worst), float64(v) + next.sum, n}
				if now := &best[s][f]; this.worst < now.worst || this.worst == now.worst && this.sum < now.sum {
					*now = this
				}
			}
		}
	}
	if best[0][0].worst == never {
		return nil
	}
	first := make([]int, k)
	for s, f := 0, 0; s < k; s++ {
		first[s] = f
		f += best[s][f].count
	}
	return first
}

// arrange finds the best ranges and packings for these stages of ops that steps
// for each packing allow, and a solution, nil when it finds none or a stage is
// empty that must not be. It stops early at a solution that is no worse than
// target. An error is a fault of the packing, or that it refuses numbers as large.
func (a *arranger) arrange(ctx context.Context, stage []int, steps, target int64) (*Solution, error) {
	a.bound = 0
	if a.p.NonEmpty && !a.p.fills(stage) {
		return nil, nil
	}
	crews := a.crews(stage)
	bytes := make([]int64, len(crews))
	for s := range crews {
		bytes[s] = a.bytes(&crews[s])
	}
	// What a stage costs is what is known of it, else the least that it can be.
	hope := func(s, first, count int) int64 {
		c := &crews[s]
		if !a.holdsPins(c, first, count) || a.need(bytes[s]) > count {
			return never
		}
		least := c.least(count)
		if a.positioned(c) || !a.uniform {
			return least
		}
		if k := a.known[c.key(0, make([]int, count))]; k != nil && k.steps >= steps {
			return k.value
		}
		return least
	}
	var best *Solution
	var before []int
	for range 12 {
		first := a.rangesFor(ctx, a.remembered(crews, hope))
		if first == nil || slices.Equal(first, before) || ctx.Err() != nil {
			break
		}
		sol, settled, err := a.pack(ctx, stage, crews, bytes, first, steps, target)
		if err != nil {
			return nil, err
		}
		if sol != nil && (best == nil || a.p.interval(sol) < a.p.interval(best)) {
			best = sol
		}
		if settled {
			break
		}
		before = first
	}
	return best, nil
}

// remembered is a cost of stages that is asked only once where it is the same
// wherever a stage's cores are.
func (a *arranger) remembered(crews []crew, cost func(stage, first, count int) int64) func(stage, first, count int) int64 {
	byCount := make([][]int64, len(crews)) // -1 where it was not asked; nil where the place matters
	for s := range crews {
		if !a.positioned(&crews[s]) {
			byCount[s] = slices.Repeat([]int64{-1}, a.p.Cores+1)
		}
	}
	return func(s, first, count int) int64 {
		if byCount[s] == nil {
			return cost(s, first, count)
		}
		if byCount[s][count] < 0 {
			byCount[s][count] = cost(s, first, count)
		}
		return byCount[s][count]
	}
}

// positioned says whether it matters which logical cores a crew has, not only
// how many.
func (a *arranger) positioned(c *crew) bool {
	return c.pinned || !a.uniform && slices.ContainsFunc(a.classes.fixed, func(class int) bool { return class != Free })
}

// pack packs every stage on its range. The solution is nil when one of them
// does not fit; settled says that all costs were as low as can be hoped for.
func (a *arranger) pack(ctx context.Context, stage []int, crews []crew, bytes []int64, first []int, steps, target int64) (sol *Solution, settled bool, err error) {
	classOf := a.hire(crews, bytes, first)
	sol = &Solution{Stage: slices.Clone(stage), First: first, Core: make([][]int, len(stage)), Forwards: a.p.Needed(stage)}
	settled = true
	a.bound = 0
	for s := range crews {
		end := a.p.Cores
		if s+1 < len(first) {
			end = first[s+1]
		}
		k, err := a.packCrew(ctx, &crews[s], first[s], classOf[first[s]:end], steps, target)
		if err != nil {
			return nil, false, fmt.Errorf("pack stage %d: %w", s, err)
		}
		a.bound = max(a.bound, k.bound)
		if k.cores == nil {
			return nil, false, nil
		}
		if hoped := max(crews[s].least(end-first[s]), target); k.value > hoped {
			settled = false
		}
		a.write(sol, &crews[s], k, first[s])
	}
	sol.Place = a.classes.places(a.p, classOf)
	return sol, settled, nil
}

// write puts a packed crew into a solution.
func (a *arranger) write(sol *Solution, c *crew, k *packed, first int) {
	at := 0
	take := func(n int) []int {
		on := make([]int, n)
		for i := range on {
			on[i] = k.cores[at+i] + first
		}
		at += n
		return on
	}
	for _, o := range c.ops {
		sol.Core[o] = take(a.p.Ops[o].Shares())
	}
	for n, i := range c.forwards {
		sol.Forwards[i].Core = take(a.p.Values[c.values[n]].Forward)
	}
}

// packCrew packs a crew, or remembers how.
func (a *arranger) packCrew(ctx context.Context, c *crew, first int, classes []int, steps, target int64) (*packed, error) {
	origin := first
	if !c.pinned {
		origin = 0
	}
	key := c.key(origin, classes)
	k := a.known[key]
	if k != nil && (k.steps >= steps || k.value <= target) {
		return k, nil
	}
	if k == nil {
		k = &packed{value: never}
		a.known[key] = k
	}
	o := packing.Options{Seed: a.seed, Steps: steps, Target: target, First: k.cores}
	r, err := packing.Pack(ctx, a.packing(c, first, classes), o)
	if err != nil {
		return nil, err
	}
	a.spent += r.Steps
	k.steps = steps
	if k.bound = max(k.bound, r.Bound); r.Status == packing.Infeasible {
		k.bound = never
	}
	if r.Cores != nil && r.Value < k.value {
		k.cores, k.value = r.Cores, r.Value
	}
	if r.Status == packing.Optimal || r.Status == packing.Infeasible {
		k.steps = never
	}
	return k, nil
}
