package schedule

import "slices"

// ground is a problem made ready for the search by layers.
type ground struct {
	p       *Problem
	classes *classes
	units   *units
	share   []int64 // of each op, the cycles of a share on the fastest kind of core
	lane    []int64 // of each value, the cycles of a forward's lane, likewise
	pinned  []bool  // of each op, whether a share is pinned to a core
	// room[c] is what the c largest cores hold together, and largest first
	// where places are open; nil where some core holds anything.
	room []int64
	// uniform: no two machine cores differ, so which ones a stage has does not
	// matter.
	uniform bool
}

func newGround(p *Problem) *ground {
	g := &ground{p: p, classes: newClasses(p), units: newUnits(p)}
	for o := range p.Ops {
		g.share = append(g.share, slices.Min(p.Ops[o].Cycles))
		g.pinned = append(g.pinned, slices.ContainsFunc(p.Ops[o].Pins, func(c int) bool { return c != Free }))
	}
	for v := range p.Values {
		cycles := int64(0)
		if p.Values[v].Forward > 0 {
			cycles = slices.Min(p.Values[v].Cycles)
		}
		g.lane = append(g.lane, cycles)
	}
	g.uniform = len(g.classes.cores) == 1
	var all []int64
	for _, m := range p.Machine {
		if m.Capacity == Unknown {
			return g
		}
		all = append(all, m.Capacity)
	}
	if all != nil {
		slices.Sort(all)
		slices.Reverse(all)
		g.room = []int64{0}
		for i, c := range all {
			g.room = append(g.room, g.room[i]+c)
		}
	}
	return g
}

// need is the fewest cores that hold this many bytes, at least 1; more than
// there are when all do not.
func (g *ground) need(bytes int64) int {
	if g.room == nil {
		return 1
	}
	n, _ := slices.BinarySearch(g.room, bytes)
	return max(n, 1)
}

// decided says whether only cores are left to be chosen: every op has its
// stage, every stage its range, and each range its machine cores, or at least
// cores that are like them.
func (g *ground) decided() bool {
	p := g.p
	if !g.uniform && (p.Stages > 1 || slices.Contains(g.pinned, true)) && slices.Contains(p.Places, Free) {
		return false
	}
	for _, o := range p.Ops {
		if o.Lo != o.Hi {
			return false
		}
	}
	known := true
	for s, r := range p.Ranges {
		known = s == 0 || r.First != Free || known && p.Ranges[s-1].Count != Free
		if !known {
			return false
		}
	}
	return true
}
