package schedule

import (
	"cmp"
	"context"
	"fmt"

	"plancheck/solver"
)

// stageModel asks about stages and ranges only. Of memory it only counts: the
// weights of the ops in a few stages are no more than all cores of these stages
// hold. Where memory is left out it says all there is to say.
type stageModel struct {
	*formula
	p      *Problem
	cl     *classes
	rooms  *rooms
	stage  []integer // of each op
	start  []integer // of each stage and, last, the number of cores
	groups map[Constraint]solver.Group

	found []int    // the stages of the last solution
	sums  []Excess // that were forbidden
	sumOf map[solver.Group]int
	cuts  []solver.Group
}

// stageModelLimit is how large a model of stages may be.
const stageModelLimit = 400_000

// stageModelSize is how many literals a model of stages has.
func stageModelSize(p *Problem) int { return (len(p.Ops)+p.Cores-p.Stages+1)*p.Stages + len(p.Reads) }

func newStageModel(p *Problem) *stageModel {
	m := &stageModel{formula: newFormula(), p: p, cl: newClasses(p), groups: map[Constraint]solver.Group{}, sumOf: map[solver.Group]int{}}
	m.rooms = newRooms(p, m.cl)
	for o := range p.Ops {
		m.stage = append(m.stage, m.integer(0, p.Stages-1, fmt.Sprintf("stage of op %d", o)))
	}
	for s := range p.Stages + 1 {
		lo, hi := s, p.Cores-p.Stages+s
		switch s {
		case 0:
			hi = 0
		case p.Stages:
			lo = p.Cores
		}
		m.start = append(m.start, m.integer(lo, hi, fmt.Sprintf("first core of stage %d", s)))
	}
	for s := range p.Stages {
		m.oneCore(s)
	}
	for _, c := range p.constraints() {
		g := m.Group("constraint")
		m.groups[c] = g
		m.constrain(g, c)
	}
	return m
}

// oneCore gives a stage at least one core.
func (m *stageModel) oneCore(s int) {
	a, b := m.start[s], m.start[s+1]
	for j := a.lo; j <= a.hi; j++ {
		m.clause(solver.Always, m.not(a.atLeast(j)), b.atLeast(j+1))
	}
}

// constrain adds the clauses of a constraint; those of memory have none.
func (m *stageModel) constrain(g solver.Group, c Constraint) {
	switch c.Kind {
	case Reading:
		m.reading(g, m.p.Reads[c.Of])
	case StagePinned:
		m.clause(g, m.stage[c.Of].atLeast(m.p.Ops[c.Of].Lo))
		m.clause(g, m.stage[c.Of].atMost(m.p.Ops[c.Of].Hi))
	case CorePinned:
		core := m.p.Ops[c.Of].Pins[c.Share]
		for s := range m.p.Stages {
			m.clause(g, m.not(m.stage[c.Of].atLeast(s)), m.start[s].atMost(core))
			m.clause(g, m.not(m.stage[c.Of].atMost(s)), m.start[s+1].atLeast(core+1))
		}
	case RangeGiven:
		m.rangeGiven(g, c.Of)
	case Filled:
		for s := range m.p.Stages {
			m.filled(g, s)
		}
	}
}

func (m *stageModel) reading(g solver.Group, r Read) {
	v := &m.p.Values[r.Value]
	to := m.stage[r.To]
	if v.From == Outside {
		if v.Forward == 0 {
			m.clause(g, to.atMost(0))
		}
		return
	}
	from := m.stage[v.From]
	for s := range m.p.Stages - 1 {
		m.clause(g, m.not(to.atMost(s)), from.atMost(s))
		if v.Forward == 0 {
			m.clause(g, m.not(from.atMost(s)), to.atMost(s+1))
		}
	}
}

func (m *stageModel) rangeGiven(g solver.Group, s int) {
	r, a, b := m.p.Ranges[s], m.start[s], m.start[s+1]
	if r.First != Free {
		m.clause(g, a.atLeast(r.First))
		m.clause(g, a.atMost(r.First))
	}
	if r.Count != Free {
		for j := a.lo; j <= a.hi; j++ {
			m.clause(g, m.not(a.atLeast(j)), b.atLeast(j+r.Count))
			m.clause(g, m.not(a.atMost(j)), b.atMost(j+r.Count))
		}
	}
}

func (m *stageModel) filled(g solver.Group, s int) {
	var some []solver.Lit
	for o, n := range m.stage {
		if m.p.Ops[o].Carries {
			continue
		}
		l := m.Var("")
		m.clause(solver.Always, m.not(l), n.atLeast(s))
		m.clause(solver.Always, m.not(l), n.atMost(s))
		some = append(some, l)
	}
	m.clause(g, some...)
}

// ask puts the question again until no window of stages is too full.
func (m *stageModel) ask(ctx context.Context, asked []Constraint) (solver.Status, []Constraint, error) {
	groups := make([]solver.Group, 0, len(asked)+len(m.cuts))
	of := make(map[solver.Group]Constraint, len(asked))
	for _, c := range asked {
		groups = append(groups, m.groups[c])
		of[m.groups[c]] = c
	}
	m.rooms.ask(asked)
	for {
		answer, err := m.Solve(ctx, append(groups[:len(asked):len(asked)], m.cuts...))
		switch err = cmp.Or(m.err, err); {
		case err != nil:
			return solver.Unknown, nil, err
		case answer.Status == solver.Unsat:
			return solver.Unsat, among(asked, answer.Groups, m.groups), nil
		case answer.Status == solver.Unknown:
			return solver.Unknown, nil, nil
		case !m.cut(answer.Model):
			m.found = m.found[:0]
			for _, n := range m.stage {
				m.found = append(m.found, n.value(answer.Model))
			}
			return solver.Sat, nil, nil
		}
	}
}

func (m *stageModel) needed(core []Constraint, but int, mark []bool) {
	if r := newRotation(m.p, core, m.found); r != nil {
		r.run(but, mark)
	}
}

// among are the asked constraints whose groups were used.
func among(asked []Constraint, used []solver.Group, groups map[Constraint]solver.Group) []Constraint {
	in := make(map[solver.Group]bool, len(used))
	for _, g := range used {
		in[g] = true
	}
	kept := []Constraint{}
	for _, c := range asked {
		if in[groups[c]] {
			kept = append(kept, c)
		}
	}
	return kept
}

// excesses are the sums that a conflict rests on, nil where it rests on none, on
// many, or on what cannot be counted.
func (m *stageModel) excesses(ctx context.Context, core []Constraint) ([]Excess, error) {
	status, _, err := m.ask(ctx, core)
	if err != nil || status != solver.Unsat {
		return nil, err
	}
	return usedSums(ctx, m.formula, m.groups, core, m.cuts, m.sumOf, m.sums)
}

// usedSums are the sums whose groups a conflict needs; nil for too many.
func usedSums(ctx context.Context, f *formula, groups map[Constraint]solver.Group, core []Constraint, cuts []solver.Group, sumOf map[solver.Group]int, sums []Excess) ([]Excess, error) {
	var asked []solver.Group
	for _, c := range core {
		asked = append(asked, groups[c])
	}
	status, used, err := f.Core(ctx, append(asked, cuts...))
	if err != nil || status != solver.Unsat {
		return nil, err
	}
	var list []Excess
	for _, g := range used.Groups {
		if i, is := sumOf[g]; is {
			list = append(list, sums[i])
		}
	}
	if len(list) > mostExcesses {
		return nil, nil
	}
	return list, nil
}
