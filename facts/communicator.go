package facts

import (
	"cmp"
	"fmt"
	"slices"

	"plancheck/ir"
)

// sharedRank holds what a rank does in two groups that share it, and another one,
// and both have communicators.
type sharedRank struct {
	group, other ir.ID
	at           uint32 // of the first group
	rank         int64
	commands     []int32 // collectives of both, in an order in which they can happen
}

// sharedRanks finds them, for each two groups in document order; there are none
// where some command has no rank in the order of commands.
func (e *exporter) sharedRanks() []sharedRank {
	if e.shared != nil {
		return e.shared
	}
	e.shared = []sharedRank{}
	p := e.program()
	communicators := p.QueueExtension().Communicators
	if len(communicators) < 2 {
		return e.shared
	}
	ranks, order := e.commandOrder()
	if len(order) < len(ranks) {
		return e.shared
	}
	has := map[ir.ID]bool{}
	for _, c := range communicators {
		has[c.Group] = true
	}
	var groups []int // with a communicator
	of := map[int64][]int{}
	for i, g := range p.Groups {
		if !has[g.ID] {
			continue
		}
		groups = append(groups, i)
		for _, r := range g.Ranks {
			of[r] = append(of[r], i)
		}
	}
	collectives := e.collectives(has)
	for _, g := range groups {
		common := map[int][]int64{} // by other group behind it: the ranks
		for _, r := range p.Groups[g].Ranks {
			for _, h := range of[r] {
				if h > g {
					common[h] = append(common[h], r)
				}
			}
		}
		for _, h := range groups {
			if len(common[h]) < 2 {
				continue
			}
			for _, r := range common[h] {
				all := slices.Concat(collectives[inGroup{p.Groups[g].ID, r}], collectives[inGroup{p.Groups[h].ID, r}])
				slices.SortStableFunc(all, func(a, b int32) int { return cmp.Compare(ranks[a], ranks[b]) })
				e.shared = append(e.shared, sharedRank{p.Groups[g].ID, p.Groups[h].ID, p.Groups[g].At, r, all})
			}
		}
	}
	return e.shared
}

// inGroup is a rank in a group.
type inGroup struct {
	group ir.ID
	rank  int64
}

// collectives returns those of some groups, by rank, as they are issued.
func (e *exporter) collectives(of map[ir.ID]bool) map[inGroup][]int32 {
	all := map[inGroup][]int32{}
	for _, i := range e.issued() {
		c := &e.program().Commands[i]
		if c.Kind != ir.KindCollective || !of[c.Group] {
			continue
		}
		if rank, ok := e.rankOf(c); ok {
			k := inGroup{c.Group, rank}
			all[k] = append(all[k], i)
		}
	}
	return all
}

// sharedNeighbours goes through collectives of two groups that follow each other
// on a rank that both share: the first one, and what the second one waits for
// itself.
func (e *exporter) sharedNeighbours(need func(first, via int32)) {
	commands, w := e.program().Commands, e.waits()
	for _, s := range e.sharedRanks() {
		for k := 1; k < len(s.commands); k++ {
			first, second := s.commands[k-1], s.commands[k]
			if commands[first].Group == commands[second].Group {
				continue
			}
			for _, via := range w.real(second) {
				need(first, via.on)
			}
			if before := w.before[second]; before >= 0 {
				need(first, before)
			}
		}
	}
}

func (e *exporter) sharedTurns(w *writer) {
	for _, s := range e.sharedRanks() {
		if !w.expand(0, int64(len(s.commands)), s.at, func() string {
			return fmt.Sprintf("groups %s and %s share rank %d", e.plan.Text(s.group), e.plan.Text(s.other), s.rank)
		}) {
			return
		}
		for turn, i := range s.commands {
			c := &e.program().Commands[i]
			w.row(c.At, s.group, s.other, e.num(s.rank), e.num(int64(turn)), c.ID)
		}
	}
}
