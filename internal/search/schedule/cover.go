package schedule

import (
	"cmp"
	"slices"

	"plancheck/internal/search/packing"
	"plancheck/solver"
)

// cover is a set of items that no core of a class can do together: they take
// longer than a limit, or need more memory than there is.
type cover struct {
	class   int
	members []int // items, ascending
	// without: a core that has one of these is not meant. They hold whole the
	// slices of which the members hold parts, and so might need less memory.
	without []int
	memory  bool
	sum     int64 // cycles or bytes of the members together
}

// overload returns the fewest of the items, the longest, that take longer than
// limit together, or nil when all of them do not.
func (m *model) overload(on []int, class int, limit int64) *cover {
	kind := m.cl.cores[class].Kind
	items := slices.Clone(on)
	slices.SortStableFunc(items, func(a, b int) int { return cmp.Compare(m.items[b].cycles[kind], m.items[a].cycles[kind]) })
	sum := int64(0)
	for i, id := range items {
		if sum += m.items[id].cycles[kind]; sum > limit {
			members := items[:i+1]
			slices.Sort(members)
			return &cover{class: class, members: members, sum: sum}
		}
	}
	return nil
}

// overfull returns a few of the items that need more memory together than a
// core of the class has, or nil when all of them do not.
func (m *model) overfull(on []int, class int) *cover {
	room := m.cl.cores[class].Capacity
	if room == Unknown || m.bytes(on) <= room {
		return nil
	}
	members := slices.Clone(on)
	for i := len(members) - 1; i >= 0; i-- {
		if rest := slices.Delete(slices.Clone(members), i, i+1); m.leastBytes(rest) > room {
			members = rest
		}
	}
	if sum := m.leastBytes(members); sum > room {
		return &cover{class: class, members: members, memory: true, sum: sum}
	}
	// Parts of one slice, cut in different ways, that are larger together than
	// the slice: with the whole of it on the core they would count for nothing.
	c := &cover{class: class, memory: true}
	for _, id := range on {
		if len(m.slices(id)) > 0 {
			c.members = append(c.members, id)
		}
	}
	here := map[int]bool{}
	for _, id := range on {
		here[id] = true
	}
	for id := range m.items {
		if !here[id] && slices.ContainsFunc(m.slices(id), func(s packing.Slice) bool { return s.Parts == 1 }) {
			c.without = append(c.without, id)
		}
	}
	c.sum = m.bytes(c.members)
	return c
}

// slices are what an item keeps resident. A unit is a lane's slice of a weight.
func (m *model) slices(id int) []packing.Slice {
	it := &m.items[id]
	if it.op == Free {
		return nil
	}
	return m.units.of(it.op, it.share)
}

// bytes is what items on one core need.
func (m *model) bytes(items []int) int64 {
	var all []packing.Slice
	for _, id := range items {
		all = append(all, m.slices(id)...)
	}
	return m.units.bytes(all)
}

// leastBytes is what the items need at least, whatever else is on the core.
func (m *model) leastBytes(items []int) int64 {
	byUnit := map[int][]packing.Slice{}
	for _, id := range items {
		for _, s := range m.slices(id) {
			byUnit[s.Unit] = append(byUnit[s.Unit], s)
		}
	}
	sum := int64(0)
	for unit, of := range byUnit {
		sum += min(m.units.sizes[unit], m.units.bytes(of))
	}
	return sum
}

// forbid adds the clauses of a cover, one for every core.
func (m *model) forbid(g solver.Group, c *cover) {
	for core := range m.p.Cores {
		clause := []solver.Lit{m.not(m.class[core].atLeast(c.class)), m.not(m.class[core].atMost(c.class))}
		for _, id := range c.members {
			clause = append(clause, m.not(m.on[id][core]))
		}
		for _, id := range c.without {
			clause = append(clause, m.on[id][core])
		}
		m.clause(g, clause...)
	}
}
