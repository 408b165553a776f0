package schedule

import (
	"strconv"

	"plancheck/internal/search/packing"
)

// crew is what runs in one stage: ops and forwards of values.
type crew struct {
	ops, values []int
	forwards    []int // of each value, its forward in the list of all that are needed
	load        int64 // cycles of all shares, each on the fastest kind of core
	longest     int64 // the longest share
	pinned      bool  // some share is pinned to a core
}

// crews divides ops and the forwards they need by stages.
func (g *ground) crews(stage []int) []crew {
	list := make([]crew, g.p.Stages)
	for o, s := range stage {
		c := &list[s]
		c.ops = append(c.ops, o)
		c.load += int64(g.p.Ops[o].Shares()) * g.share[o]
		c.longest = max(c.longest, g.share[o])
		c.pinned = c.pinned || g.pinned[o]
	}
	for i, f := range g.p.Needed(stage) {
		c := &list[f.Stage]
		c.values, c.forwards = append(c.values, f.Value), append(c.forwards, i)
		c.load += int64(g.p.Values[f.Value].Forward) * g.lane[f.Value]
		c.longest = max(c.longest, g.lane[f.Value])
	}
	return list
}

// least is what the crew costs at least on so many cores.
func (c *crew) least(cores int) int64 { return max(c.longest, ceil(c.load, int64(cores))) }

// packing is the problem of packing a crew on cores of these classes, the first
// of which is logical core first. Items are the shares of each op in turn, then
// the lanes of each forward.
func (g *ground) packing(c *crew, first int, classes []int) *packing.Problem {
	p := &packing.Problem{Sizes: g.units.sizes}
	for _, class := range classes {
		m := g.classes.cores[class]
		core := packing.Core{Kind: m.Kind, Capacity: packing.Unlimited}
		if m.Capacity != Unknown {
			core.Capacity = m.Capacity
		}
		p.Cores = append(p.Cores, core)
	}
	for _, o := range c.ops {
		op := &g.p.Ops[o]
		for i := range op.Shares() {
			pin := packing.Free
			if op.Pins != nil && op.Pins[i] != Free {
				pin = op.Pins[i] - first
			}
			p.Items = append(p.Items, packing.Item{Cycles: op.Cycles, Slices: g.units.of(o, i), Pin: pin})
		}
	}
	for _, v := range c.values {
		for range g.p.Values[v].Forward {
			p.Items = append(p.Items, packing.Item{Cycles: g.p.Values[v].Cycles, Pin: packing.Free})
		}
	}
	return p
}

// holdsPins says whether all pinned shares of a crew are on the cores from
// first on.
func (g *ground) holdsPins(c *crew, first, count int) bool {
	if !c.pinned {
		return true
	}
	for _, o := range c.ops {
		for _, pin := range g.p.Ops[o].Pins {
			if pin != Free && (pin < first || pin >= first+count) {
				return false
			}
		}
	}
	return true
}

// bytes is what the crew's weights need at least, each slice counted once.
func (g *ground) bytes(c *crew) int64 {
	var all []packing.Slice
	for _, o := range c.ops {
		for i := range g.p.Ops[o].Shares() {
			all = append(all, g.units.of(o, i)...)
		}
	}
	return g.units.bytes(all)
}

// key names a crew on cores, for what is remembered of its packings. Where the
// first core does not matter, first is 0.
func (c *crew) key(first int, classes []int) string {
	b := make([]byte, 0, 4*(len(c.ops)+len(c.values)+len(classes)))
	for _, list := range [][]int{{first}, runs(classes), c.ops, c.values} {
		for _, n := range list {
			b = strconv.AppendInt(b, int64(n), 36)
			b = append(b, ' ')
		}
		b = append(b, '/')
	}
	return string(b)
}

// runs writes a list as numbers and how often each comes in a row: classes of
// many cores are mostly alike.
func runs(list []int) []int {
	var short []int
	for i, n := range list {
		if i == 0 || n != list[i-1] {
			short = append(short, n, 0)
		}
		short[len(short)-1]++
	}
	return short
}
