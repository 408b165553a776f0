package encode

import (
	"fmt"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
)

// ExcessText writes a sum of a conflict: which ops, what their weights come to,
// and what there is room for.
func (m *Model) ExcessText(x schedule.Excess) string {
	var names []string
	for _, o := range x.Ops {
		names = append(names, m.op(o))
	}
	ops := "op " + few(names)
	if len(names) > 1 {
		ops = "ops " + few(names)
	}
	stages := fmt.Sprintf("stage %d", x.First)
	if x.Last > x.First {
		stages = fmt.Sprintf("stages %d to %d", x.First, x.Last)
	}
	room := diag.Counted(x.Room, "byte")
	switch {
	case x.First == schedule.Free && len(names) == 1:
		return fmt.Sprintf("shares of %s need %s of weights together, and a core of %s has no room for them", ops, diag.Counted(x.Bytes, "byte"), room)
	case x.First == schedule.Free:
		return fmt.Sprintf("shares of %s need %s of weights together, and a core of %s has no room for all of them", ops, diag.Counted(x.Bytes, "byte"), room)
	case x.Each:
		return fmt.Sprintf("a share of %s in %s needs %s of weights, and the largest core that can be there holds %s", ops, stages, diag.Counted(x.Bytes, "byte"), room)
	}
	return fmt.Sprintf("%s in %s: %s of weights (%s), and at most %s there: %s", ops, stages,
		diag.Counted(x.Bytes, "byte"), m.weightsText(x.Ops), diag.Counted(int64(x.Cores), "core"), room)
}

// weightsText adds up the weights of ops, each lane's slice once.
func (m *Model) weightsText(ops []int) string {
	const shown = 8
	lanes := make([]int, len(m.Problem.Slices))
	var order []int
	for _, o := range ops {
		for _, w := range m.Problem.Ops[o].Weights {
			if lanes[w] == 0 {
				order = append(order, w)
			}
			lanes[w] = max(lanes[w], m.Problem.Ops[o].Lanes)
		}
	}
	var terms []string
	for i, w := range order {
		if i == shown && len(order) > shown+1 {
			terms = append(terms, fmt.Sprintf("%d more", len(order)-i))
			break
		}
		term := fmt.Sprintf("%s %d", m.plan.Symbols.Show(m.plan.Graph.Weights[w].ID), m.Problem.Slices[w])
		if lanes[w] > 1 {
			term = fmt.Sprintf("%s %d x %d", m.plan.Symbols.Show(m.plan.Graph.Weights[w].ID), lanes[w], m.Problem.Slices[w])
		}
		terms = append(terms, term)
	}
	return strings.Join(terms, " + ")
}
