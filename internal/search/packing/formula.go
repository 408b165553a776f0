package packing

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"plancheck/solver"
)

// formula says in clauses that a packing fits. Loads and weights are not in it at
// first; a model that breaks one gets clauses that forbid what broke it, on every
// core where it would.
type formula struct {
	w      *net
	limit  int64 // noLimit
	s      *solver.Solver
	first  solver.Lit     // item i is on core k: first + i*m + k
	chunk  solver.Lit     // chunk c is on core k: chunk + c*m + k
	groups []solver.Group // of each item: it is somewhere
}

func (f *formula) on(i, k int) solver.Lit { return f.first + solver.Lit(i*f.w.m+k) }

func (f *formula) holds(c, k int) solver.Lit { return f.chunk + solver.Lit(c*f.w.m+k) }

// encode makes the formula: an item has one core, that of its pin if it has one,
// and brings its chunks there. An item without room on an empty core is not there.
func encode(w *net, limit int64) (*formula, error) {
	f := &formula{w: w, limit: limit, s: solver.New()}
	if w.n == 0 {
		return f, nil
	}
	f.first = f.s.Vars(w.n * w.m)
	if len(w.chunks) > 0 {
		f.chunk = f.s.Vars(len(w.chunks) * w.m)
	}
	for i := range w.n {
		g := f.s.Group(fmt.Sprintf("item %d", i))
		f.groups = append(f.groups, g)
		var somewhere []solver.Lit
		alone := w.alone(i)
		for k := range w.m {
			if w.pin[i] != Free && w.pin[i] != k || w.on(i, k) > limit || alone > w.capacity[k] {
				if err := f.add(f.on(i, k).Not()); err != nil {
					return nil, err
				}
				continue
			}
			somewhere = append(somewhere, f.on(i, k))
			for _, c := range w.shared[i] {
				if err := f.add(f.on(i, k).Not(), f.holds(c, k)); err != nil {
					return nil, err
				}
			}
		}
		if err := f.s.Add(g, somewhere...); err != nil {
			return nil, err
		}
		if err := f.atMostOne(somewhere); err != nil {
			return nil, err
		}
	}
	// A chunk is where an item brings it, and nowhere else: a whole unit that no
	// item needs must not make room for parts.
	for c := range w.chunks {
		for k := range w.m {
			clause := []solver.Lit{f.holds(c, k).Not()}
			for _, i := range w.chunks[c].users {
				clause = append(clause, f.on(i, k))
			}
			if err := f.add(clause...); err != nil {
				return nil, err
			}
		}
	}
	return f, f.order()
}

func (f *formula) add(clause ...solver.Lit) error { return f.s.Add(solver.Always, clause...) }

// atMostOne forbids two of lits: pair by pair where they are few, else by
// literals that say that one of the first ones holds.
func (f *formula) atMostOne(lits []solver.Lit) error {
	if len(lits) <= 6 {
		for i, a := range lits {
			for _, b := range lits[:i] {
				if err := f.add(a.Not(), b.Not()); err != nil {
					return err
				}
			}
		}
		return nil
	}
	before := f.s.Vars(len(lits) - 1)
	for i, a := range lits {
		if i > 0 {
			if err := f.add((before + solver.Lit(i-1)).Not(), a.Not()); err != nil {
				return err
			}
		}
		if i == len(lits)-1 {
			break
		}
		if err := f.add(a.Not(), before+solver.Lit(i)); err != nil {
			return err
		}
		if i > 0 {
			if err := f.add((before + solver.Lit(i-1)).Not(), before+solver.Lit(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// order breaks the symmetry of cores that are alike: an item is on one of them
// only if an earlier item is on the one before. That holds for some packing of
// any set of items if it holds for any, so that conflicts stay conflicts.
func (f *formula) order() error {
	w := f.w
	before := map[int]int{} // the last core of each class
	for k := range w.m {
		last, ok := before[w.class[k]]
		before[w.class[k]] = k
		if !ok {
			continue
		}
		// Literal i says that an item up to i is on the core before.
		seen := f.s.Vars(w.n)
		for i := range w.n {
			now := seen + solver.Lit(i)
			clause := []solver.Lit{now.Not(), f.on(i, last)}
			not := []solver.Lit{f.on(i, k).Not()}
			if i > 0 {
				clause = append(clause, now-1)
				not = append(not, now-1)
			}
			if err := f.add(clause...); err != nil {
				return err
			}
			if err := f.add(not...); err != nil {
				return err
			}
		}
	}
	return nil
}

// solve looks for a packing of the items of groups. Items that are not of them
// may be nowhere, and are then Free in the answer.
func (f *formula) solve(ctx context.Context, groups []solver.Group) (solver.Status, []int, []int, error) {
	for {
		answer, err := f.s.Solve(ctx, groups)
		if err != nil {
			return solver.Unknown, nil, nil, err
		}
		if answer.Status == solver.Unsat {
			var conflict []int
			for _, g := range answer.Groups {
				conflict = append(conflict, f.item(g))
			}
			return solver.Unsat, nil, conflict, nil
		}
		if answer.Status == solver.Unknown {
			return solver.Unknown, nil, nil, nil
		}
		s := newState(f.w)
		for i := range f.w.n {
			for k := range f.w.m {
				if answer.Model.True(f.on(i, k)) {
					if s.core[i] != Free {
						return solver.Unknown, nil, nil, fmt.Errorf("%w: item %d on cores %d and %d", errSearch, i, s.core[i], k)
					}
					s.add(i, k)
				}
			}
		}
		broken, err := f.forbid(s)
		if err != nil {
			return solver.Unknown, nil, nil, err
		}
		if !broken {
			if len(groups) == len(f.groups) {
				if value, err := f.w.p.Value(s.core); err != nil || value > f.limit {
					return solver.Unknown, nil, nil, fmt.Errorf("%w: a model of value %d for limit %d (%v)", errSearch, value, f.limit, err)
				}
			}
			return solver.Sat, s.core, nil, nil
		}
	}
}

// item returns the item of a group.
func (f *formula) item(g solver.Group) int {
	i, _ := slices.BinarySearch(f.groups, g)
	return i
}

// forbid adds clauses for every core of the state that is over a limit.
func (f *formula) forbid(s *state) (bool, error) {
	broken := false
	w := f.w
	for k := range w.m {
		if s.load[k] > f.limit {
			broken = true
			if err := f.forbidLoad(s, k); err != nil {
				return broken, err
			}
		}
		if s.bytes[k] > w.capacity[k] {
			broken = true
			if err := f.forbidBytes(s, k); err != nil {
				return broken, err
			}
		}
	}
	return broken, nil
}

// forbidLoad forbids items that are too many for core k, as few of them as make
// it so, there and on every core where they would be.
func (f *formula) forbidLoad(s *state, k int) error {
	w := f.w
	var items []int
	for i, at := range s.core {
		if at == k {
			items = append(items, i)
		}
	}
	slices.SortStableFunc(items, func(i, j int) int { return cmp.Compare(w.on(j, k), w.on(i, k)) })
	sum := int64(0)
	for n, i := range items {
		if sum += w.on(i, k); sum > f.limit {
			items = items[:n+1]
			break
		}
	}
	for core := range w.m {
		sum := int64(0)
		for _, i := range items {
			sum += w.on(i, core)
		}
		if sum <= f.limit {
			continue
		}
		clause := make([]solver.Lit, len(items))
		for n, i := range items {
			clause[n] = f.on(i, core).Not()
		}
		if err := f.add(clause...); err != nil {
			return err
		}
	}
	return nil
}

// need is what takes room on a core: what an item brings for itself alone, or a
// chunk.
type need struct {
	bytes       int64
	item, chunk int // one of them, the other -1
}

// forbidBytes forbids needs that are too many for core k, as few of them as make
// it so, on every core as small. Where parts take more than their whole unit does,
// the unit may come to the rescue: it takes their place.
func (f *formula) forbidBytes(s *state, k int) error {
	w := f.w
	var list []need
	for i, at := range s.core {
		if at == k && w.own[i] > 0 {
			list = append(list, need{w.own[i], i, -1})
		}
	}
	for c := range w.chunks {
		if whole := w.chunks[c].whole; s.users(c, k) > 0 && (whole < 0 || s.users(whole, k) == 0) {
			list = append(list, need{w.chunks[c].bytes, -1, c})
		}
	}
	slices.SortStableFunc(list, func(a, b need) int { return cmp.Compare(b.bytes, a.bytes) })
	sum, rescue := int64(0), []int(nil)
	for n, x := range list {
		if sum += x.bytes; sum > w.capacity[k] {
			list = list[:n+1]
			break
		}
	}
	for _, x := range list {
		if x.chunk >= 0 && w.chunks[x.chunk].whole >= 0 && !slices.Contains(rescue, w.chunks[x.chunk].whole) {
			rescue = append(rescue, w.chunks[x.chunk].whole)
		}
	}
	for core := range w.m {
		if w.capacity[core] >= sum {
			continue
		}
		var clause []solver.Lit
		for _, x := range list {
			if x.chunk >= 0 {
				clause = append(clause, f.holds(x.chunk, core).Not())
			} else {
				clause = append(clause, f.on(x.item, core).Not())
			}
		}
		for _, whole := range rescue {
			parts := int64(0)
			for _, x := range list {
				if x.chunk >= 0 && w.chunks[x.chunk].whole == whole {
					parts += w.chunks[x.chunk].bytes
				}
			}
			if parts > w.chunks[whole].bytes {
				clause = append(clause, f.holds(whole, core))
			}
		}
		if err := f.add(clause...); err != nil {
			return err
		}
	}
	return nil
}
