package schedule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"plancheck/solver"
)

// Wish is what one would have a solution decide; a number that is Free is not
// cared about. Numbers need not exist: what cannot be is a change in every
// solution.
type Wish struct {
	Stage  []int   // of each op
	Core   [][]int // of each share of each op; nil where none of an op is cared about
	Ranges []Range // of each stage; both numbers or none
	Place  []int   // machine core of each logical core; nil where none is cared about
}

// core is the core that is wished for a share; Free where none is, and for
// forwards, whose op is Free.
func (w *Wish) core(op, share int) int {
	if op == Free || w.Core[op] == nil {
		return Free
	}
	return w.Core[op][share]
}

// place is the machine core that is wished for a logical one.
func (w *Wish) place(core int) int {
	if w.Place == nil {
		return Free
	}
	return w.Place[core]
}

// Changes is in how many decisions a solution differs from a wish.
type Changes struct {
	Stages   int // ops in another stage
	Cores    int // shares on another core
	Ranges   int // stages with another range
	Places   int // logical cores with another place
	Forwards int // all forwards: they are added
}

// Total is the number of all changes.
func (c Changes) Total() int { return c.Stages + c.Cores + c.Ranges + c.Places + c.Forwards }

// Changes counts in what a solution differs from the wish. The solution must be
// legal.
func (w *Wish) Changes(p *Problem, s *Solution) Changes {
	c := Changes{Forwards: len(s.Forwards)}
	differs := func(n *int, wished, is int) {
		if wished != Free && wished != is {
			*n++
		}
	}
	for o := range p.Ops {
		differs(&c.Stages, w.Stage[o], s.Stage[o])
		for share, core := range s.Core[o] {
			differs(&c.Cores, w.core(o, share), core)
		}
	}
	for stage, r := range w.Ranges {
		if first, end := s.Range(p, stage); r.First != Free && r != (Range{First: first, Count: end - first}) {
			c.Ranges++
		}
	}
	for core, place := range s.Place {
		differs(&c.Places, w.place(core), place)
	}
	return c
}

// RepairResult is what Repair found.
type RepairResult struct {
	// Status is Optimal when no solution has fewer changes, Feasible when that is
	// not shown, Infeasible when no solution is legal at all.
	Status   Status
	Solution *Solution
	Cost     Cost
	Changes  Changes
	// Fewest is proven: every solution has as many changes or more.
	Fewest int
	// Bound is proven: no solution with Fewest changes has a smaller interval;
	// 0 where that was not asked.
	Bound int64
	Steps int64
}

// RepairOptions say how long to look.
type RepairOptions struct {
	Seed uint64
	// Steps is a budget that does not depend on the machine; 0 is none.
	Steps int64
	// Most ends the search when it is shown that there are more changes than
	// this; 0 is none.
	Most int
	// Judge, when set, is asked about every solution that is otherwise legal, as
	// that of Options is.
	Judge func(*Solution) ([]Clause, error)
}

// repairSize is how large a model may be that has a literal for each share and
// core; for larger problems there is one for each wish only.
const repairSize = 400_000

// Repair looks for the solution that changes least of a wish, and among those
// with as few changes for one with a small interval. What p itself decides holds
// in every solution; p.Ops, p.Ranges and p.Places are best left open. When ctx
// ends, or the steps are spent, it returns what it has.
func Repair(ctx context.Context, p *Problem, w *Wish, o RepairOptions) (RepairResult, error) {
	if err := p.Check(); err != nil {
		return RepairResult{}, err
	}
	r := newRepairer(p, w, o, modelSize(p) > repairSize)
	if err := r.run(ctx); err != nil {
		return RepairResult{}, fmt.Errorf("%w: repair: %w", errSearch, err)
	}
	return r.result(ctx)
}

// repairer finds the fewest changes. Every change is a literal, and every "not
// changed" is assumed. A set of assumptions that cannot hold together costs one
// change, so the bound is raised by one; from then on it is assumed that no more
// than one of the set is changed, and more only after that has failed too. The
// first model under all assumptions has as many changes as the bound says.
type repairer struct {
	*wished
	o       RepairOptions
	assumed []solver.Lit
	all     []solver.Lit // what is assumed at first: no change at all
	started time.Time
	// next has the assumption that takes the place of a failed one that is "no
	// more than n of these are changed": "no more than n+1".
	next map[solver.Lit]solver.Lit
	// failed are sets of which each costs a change that is not counted yet.
	failed [][]solver.Lit

	fewest     int
	infeasible bool
	over       bool // nothing is left to ask
	proven     bool
	best       *Solution
	cost       Cost
	changes    Changes
	bound      int64
	steps      int64
}

func newRepairer(p *Problem, w *Wish, o RepairOptions, coarse bool) *repairer {
	r := &repairer{wished: newWished(p, w, coarse, o.Judge), o: o, next: map[solver.Lit]solver.Lit{}, started: time.Now()}
	for _, l := range r.changed {
		r.assumed = append(r.assumed, r.m.not(l))
	}
	r.all = slices.Clone(r.assumed)
	r.fewest = r.always
	return r
}

// spent says whether the budget ended.
func (r *repairer) spent(ctx context.Context) bool {
	return r.o.Most > 0 && r.fewest > r.o.Most || ctx.Err() != nil || r.o.Steps > 0 && r.steps >= r.o.Steps
}

// ask asks for a model under assumptions and some groups. Apart from what is cut
// off all clauses together have a model, which was asked first: clauses that
// conflict by themselves are more than the solver can stand.
func (r *repairer) ask(ctx context.Context, assumed []solver.Lit, groups ...solver.Group) (solver.Answer, error) {
	r.steps += 500 + int64(r.m.NumVars()/8)
	answer, err := r.m.Solve(ctx, append(groups, r.m.lazy), assumed...)
	return answer, cmp.Or(r.m.err, err)
}

func (r *repairer) run(ctx context.Context) error {
	answer, err := r.m.Solve(ctx, nil)
	if err = cmp.Or(r.m.err, err); err != nil || answer.Status == solver.Unknown {
		return err
	}
	r.infeasible = answer.Status == solver.Unsat
	r.over = r.infeasible
	settled := false
	for !r.spent(ctx) && !r.over {
		if !settled && r.best == nil && r.late(ctx) {
			settled = true
			if err := r.startAnew(ctx); err != nil {
				return err
			}
			if err := r.settleForAny(ctx); err != nil {
				return err
			}
		}
		answer, err := r.ask(ctx, r.assumed)
		if err != nil {
			return err
		}
		switch answer.Status {
		case solver.Unknown:
			return nil
		case solver.Unsat:
			if err := r.raise(ctx, answer.Assumptions); err != nil {
				return err
			}
		case solver.Sat:
			s, err := r.settle(ctx, answer.Model, never64)
			if err != nil {
				return err
			}
			if s == nil {
				continue
			}
			if err := r.keep(s); err != nil {
				return err
			}
			if len(r.failed) == 0 {
				r.proven = !r.unsure
				return r.hasten(ctx)
			}
			r.count()
		}
	}
	return nil
}

// never64 is an interval that no solution passes.
const never64 = int64(1<<63 - 1)

// raise notes that some assumptions cannot all hold.
func (r *repairer) raise(ctx context.Context, set []solver.Lit) error {
	if len(set) == 0 {
		if r.best != nil && !r.unsure {
			return errors.New("a solution was found, and shown not to exist")
		}
		r.infeasible, r.over = !r.unsure, true
		return nil
	}
	set, err := r.trim(ctx, set)
	if err != nil {
		return err
	}
	if !r.unsure {
		r.fewest++
	}
	in := map[solver.Lit]bool{}
	for _, l := range set {
		in[l] = true
	}
	r.assumed = slices.DeleteFunc(r.assumed, func(l solver.Lit) bool { return in[l] })
	for _, l := range set {
		if more := r.next[l]; more != 0 {
			r.assumed = append(r.assumed, more)
		}
	}
	r.failed = append(r.failed, set)
	return nil
}

// trim asks again under the failed assumptions only, as long as fewer fail.
func (r *repairer) trim(ctx context.Context, set []solver.Lit) ([]solver.Lit, error) {
	for range 4 {
		answer, err := r.ask(ctx, set)
		if err != nil {
			return nil, err
		}
		if answer.Status != solver.Unsat || len(answer.Assumptions) == 0 || len(answer.Assumptions) >= len(set) {
			return set, nil
		}
		set = answer.Assumptions
	}
	return set, nil
}

// count assumes that of each failed set no more than one is changed.
func (r *repairer) count() {
	for _, set := range r.failed {
		if len(set) == 1 {
			continue
		}
		changed := make([]solver.Lit, len(set))
		for i, l := range set {
			changed[i] = l.Not()
		}
		more := r.m.counter(changed, len(changed)) // more than i are changed
		r.assumed = append(r.assumed, more[1].Not())
		for i := 1; i+1 < len(more); i++ {
			r.next[more[i].Not()] = more[i+1].Not()
		}
	}
	r.failed = nil
}

// keep takes a solution if it is better than the best.
func (r *repairer) keep(s *Solution) error {
	cost, err := r.m.p.Cost(s)
	if err != nil {
		return err
	}
	changes := r.wish.Changes(r.m.p, s)
	if r.best == nil || changes.Total() < r.changes.Total() || changes.Total() == r.changes.Total() && cost.less(r.cost) {
		r.best, r.cost, r.changes = s, cost, changes
	}
	return nil
}

// less compares costs; traffic that is not known is more than any other.
func (c Cost) less(d Cost) bool {
	return cmp.Or(cmp.Compare(c.Interval, d.Interval), cmp.Compare(c.Forwards, d.Forwards),
		cmp.Compare(uint64(c.Traffic), uint64(d.Traffic))) < 0
}

// hasten looks for smaller intervals among the solutions with the fewest
// changes, which are those that the assumptions allow.
func (r *repairer) hasten(ctx context.Context) error {
	if r.m.coarse {
		return nil
	}
	low := int64(0)
	for low < r.cost.Interval && !r.spent(ctx) {
		limit := low + (r.cost.Interval-1-low)/2
		answer, err := r.ask(ctx, r.assumed, r.cuts.open(limit))
		if err != nil {
			return err
		}
		switch answer.Status {
		case solver.Unknown:
			return nil
		case solver.Unsat:
			low = limit + 1
			r.bound = low
		case solver.Sat:
			s, err := r.settle(ctx, answer.Model, limit)
			if err != nil {
				return err
			}
			if s == nil {
				continue
			}
			if err := r.keep(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// result tells what was found, with the best places for what has no wish.
func (r *repairer) result(ctx context.Context) (RepairResult, error) {
	out := RepairResult{Fewest: r.fewest, Bound: r.bound, Steps: r.steps}
	switch {
	case r.infeasible:
		out.Status = Infeasible
		return out, nil
	case r.best == nil:
		return out, nil
	case r.proven && r.changes.Total() != r.fewest:
		return RepairResult{}, fmt.Errorf("%w: repair: %d changes, and %d are proven the fewest", errSearch, r.changes.Total(), r.fewest)
	}
	out.Status, out.Solution, out.Cost, out.Changes = Feasible, r.best, r.cost, r.changes
	if r.proven || r.changes.Total() == r.fewest {
		out.Status = Optimal
	}
	return r.place(ctx, out)
}

// place finds good places for the logical cores that have none wished for, or
// that had to be moved. The others stay.
func (r *repairer) place(ctx context.Context, out RepairResult) (RepairResult, error) {
	if len(r.m.p.Machine) == 0 {
		return out, nil
	}
	pinned := *r.m.p
	pinned.Places = slices.Clone(r.m.p.Places)
	for core, place := range out.Solution.Place {
		if r.wish.place(core) == place {
			pinned.Places[core] = place
		}
	}
	placed, err := place(ctx, &pinned, Result{Solution: out.Solution, Cost: out.Cost}, Options{Seed: r.o.Seed, Steps: r.o.Steps, Judge: r.judge})
	if err != nil {
		return RepairResult{}, err
	}
	if changes := r.wish.Changes(r.m.p, placed.Solution); changes == out.Changes {
		out.Solution, out.Cost = placed.Solution, placed.Cost
	}
	return out, nil
}
