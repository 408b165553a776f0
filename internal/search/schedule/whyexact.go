package schedule

import (
	"cmp"
	"context"
	"slices"

	"plancheck/solver"
)

// exactQuestion asks about everything but loads: also about the core of every
// share and what fits on it.
type exactQuestion struct {
	m      *model
	groups map[Constraint]solver.Group // the first group of each constraint
	more   map[Constraint][]solver.Group
	always []solver.Group // of what is no constraint of a plan

	sums  []Excess
	sumOf map[solver.Group]int
	cuts  map[int][]solver.Group // of each class
}

func newExactQuestion(p *Problem) *exactQuestion {
	q := &exactQuestion{
		m: newModel(p, naming{named: true}), groups: map[Constraint]solver.Group{}, more: map[Constraint][]solver.Group{},
		sumOf: map[solver.Group]int{}, cuts: map[int][]solver.Group{},
	}
	for _, c := range q.m.constraints {
		g := q.m.groups[c]
		switch c.Kind {
		case InRange:
			q.always = append(q.always, g)
			continue
		case Follow, Near:
			c = Constraint{Kind: Reading, Of: c.Of}
		case Filled:
			c = Constraint{Kind: Filled, Of: Free}
		}
		q.more[c] = append(q.more[c], g)
	}
	// One selector stands for all groups of a constraint.
	for _, c := range p.constraints() {
		g := q.m.Group("constraint")
		q.groups[c] = g
		for _, part := range q.more[c] {
			q.m.clause(g, q.m.Selector(part))
		}
	}
	return q
}

func (q *exactQuestion) ask(ctx context.Context, asked []Constraint) (solver.Status, []Constraint, error) {
	groups := slices.Clone(q.always)
	limited := make([]bool, len(q.m.cl.cores))
	for _, c := range asked {
		groups = append(groups, q.groups[c])
		if c.Kind == Capacity {
			limited[q.m.cl.of[c.Of]] = true
		}
	}
	for {
		answer, err := q.m.Solve(ctx, groups)
		switch err = cmp.Or(q.m.err, err); {
		case err != nil:
			return solver.Unknown, nil, err
		case answer.Status == solver.Unsat:
			return solver.Unsat, among(asked, answer.Groups, q.groups), nil
		case answer.Status != solver.Sat || !q.cut(answer.Model, limited):
			return answer.Status, nil, nil
		}
	}
}

// needed marks nothing: exact conflicts are small.
func (q *exactQuestion) needed([]Constraint, int, []bool) {}

// cut forbids what does not fit the cores whose limit is asked for. The clauses
// hold where that limit is.
func (q *exactQuestion) cut(model solver.Model, limited []bool) bool {
	m := q.m
	cut := false
	for core, on := range m.onCores(model) {
		class := m.class[core].value(model)
		if !limited[class] {
			continue
		}
		c := m.overfull(on, class)
		if c == nil {
			continue
		}
		cut = true
		g := m.Group("sum")
		q.sumOf[g] = len(q.sums)
		q.sums = append(q.sums, q.excess(c))
		limit := m.capacity(class)
		m.clause(q.groups[limit], m.Selector(g))
		m.forbid(g, c)
		q.cuts[class] = append(q.cuts[class], g)
	}
	return cut
}

func (q *exactQuestion) excess(c *cover) Excess {
	x := Excess{First: Free, Last: Free, Cores: 1, Bytes: c.sum, Room: q.m.cl.cores[c.class].Capacity}
	for _, id := range c.members {
		x.Ops = append(x.Ops, q.m.items[id].op)
	}
	slices.Sort(x.Ops)
	x.Ops = slices.Compact(x.Ops)
	return x
}

// excesses are the sums that a conflict rests on, which was asked for before.
func (q *exactQuestion) excesses(ctx context.Context, core []Constraint) ([]Excess, error) {
	status, _, err := q.ask(ctx, core)
	if err != nil || status != solver.Unsat {
		return nil, err
	}
	// The limits themselves would bring all their sums along.
	var cuts []solver.Group
	var rest []Constraint
	for _, c := range core {
		if c.Kind == Capacity {
			cuts = append(cuts, q.cuts[q.m.cl.of[c.Of]]...)
		} else {
			rest = append(rest, c)
		}
	}
	return usedSums(ctx, q.m.formula, q.groups, rest, append(slices.Clone(q.always), cuts...), q.sumOf, q.sums)
}
