package encode

import (
	"fmt"
	"slices"

	"plancheck/internal/search/schedule"
)

// Undecided returns the model with forwards also of values that need none as long
// as ops stay in the stages that are decided: a question that leaves such a
// decision out must allow them. Values of which nothing tells what a forward takes
// are not carried.
func (m *Model) Undecided() *Model {
	u, q := *m, *m.Problem
	q.Values = slices.Clone(q.Values)
	for _, v := range m.near {
		if m.priced[v] {
			q.Values[v].Forward, q.Values[v].Cycles = m.prices[v].Lanes, m.prices[v].Cycles
		}
	}
	if q.Check() != nil {
		return m // they take too long to be counted
	}
	u.Problem = &q
	return &u
}

// GivenUp says what is allowed when a constraint of a conflict is given up, in
// the way of a relaxation.
func (m *Model) GivenUp(c schedule.Constraint, r schedule.Relaxation) string {
	switch c.Kind {
	case schedule.Reading:
		return m.readGivenUp(c.Of, r.Gone)
	case schedule.StagePinned:
		return fmt.Sprintf("op %s in any stage", m.op(c.Of))
	case schedule.CorePinned:
		o := &m.Problem.Ops[c.Of]
		if m.split[c.Of] {
			return fmt.Sprintf("part %d of lane %d of op %s on any core", c.Share%o.Parts, c.Share/o.Parts, m.op(c.Of))
		}
		return fmt.Sprintf("lane %d of op %s on any core", c.Share/o.Parts, m.op(c.Of))
	case schedule.RangeGiven:
		if r.All {
			return "any cores for all stages"
		}
		return fmt.Sprintf("any cores for stage %d", c.Of)
	case schedule.Placed:
		return fmt.Sprintf("logical core %d on any physical core", c.Of)
	case schedule.Capacity:
		return fmt.Sprintf("enough room for weights on %s", m.alikeText(c.Of))
	}
	return "empty stages allowed"
}

func (m *Model) readGivenUp(read int, gone bool) string {
	r := m.Problem.Reads[read]
	from := m.Problem.Values[r.Value].From
	what := ""
	switch {
	case gone && from == schedule.Outside:
		return fmt.Sprintf("op %s not reading input %s", m.op(r.To), m.value(r.Value))
	case gone:
		return fmt.Sprintf("no edge %s -> %s", m.op(from), m.op(r.To))
	case from == schedule.Outside:
		what = fmt.Sprintf("input %s forwarded to op %s", m.value(r.Value), m.op(r.To))
	default:
		what = fmt.Sprintf("edge %s -> %s over several stages, behind forwards", m.op(from), m.op(r.To))
	}
	if !m.priced[r.Value] {
		what += " (which count no cycles: nothing tells how many)"
	}
	return what
}

// alikeText names a machine core and says how many others are like it.
func (m *Model) alikeText(core int) string {
	alike := -1
	for _, c := range m.Problem.Machine {
		if c == m.Problem.Machine[core] {
			alike++
		}
	}
	text := fmt.Sprintf("physical core %d", m.plan.Target.Cores[core].ID)
	switch alike {
	case 0:
		return text
	case 1:
		return text + " and one like it"
	}
	return fmt.Sprintf("%s and %d like it", text, alike)
}

// op and value are ids as messages show them.
func (m *Model) op(i int) string    { return m.plan.Symbols.Show(m.plan.Graph.Ops[i].ID) }
func (m *Model) value(i int) string { return m.plan.Symbols.Show(m.values[i].id) }
