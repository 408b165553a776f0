package schedule

import "plancheck/internal/search/partition"

// relaxed is a problem in which cores are only counted.
type relaxed struct {
	*partition.Problem
	valueOf map[[2]int]int // by its op and number there
}

// relax is what is left of the problem when cores are only counted: every stage
// has some number of cores, over which its work and its weights can be spread as
// one likes. What is proven of it is true of the whole problem. Its ops are the
// problem's and, behind them, one outside for each value from outside.
//
// reserve, from 0 to 1, leaves that share of the memory free: whole slices seldom
// fill a core. What is proven is then true of nothing.
func (g *ground) relax(reserve float64) *relaxed {
	p := g.p
	n := len(p.Ops)
	// There forwards of the graph fill a stage like other ops.
	r := &partition.Problem{Stages: p.Stages, NonEmpty: p.NonEmpty}
	least := int64(0)
	for o := range p.Ops {
		op := &p.Ops[o]
		r.Work = append(r.Work, int64(op.Shares())*g.share[o])
		r.Carry = append(r.Carry, 0)
		r.Domain = append(r.Domain, partition.Range{Lo: op.Lo, Hi: op.Hi})
		least = max(least, g.share[o])
	}
	// name is what a value is called there: an op and a number.
	type name struct{ op, value int }
	names := make([]name, len(p.Values))
	first := make([]bool, n)
	for i := range p.Values {
		v := &p.Values[i]
		cost := int64(v.Forward) * g.lane[i]
		switch {
		case v.From == Outside:
			names[i] = name{len(r.Work), 0}
			r.Work, r.Carry = append(r.Work, 0), append(r.Carry, cost)
			r.Domain = append(r.Domain, partition.Range{Lo: partition.Outside, Hi: partition.Outside})
		case !first[v.From]:
			first[v.From] = true
			names[i] = name{v.From, 0}
			r.Carry[v.From] = cost
		default:
			r.Values = append(r.Values, partition.ValueCost{Op: v.From, Carry: cost})
			names[i] = name{v.From, len(r.Values)}
		}
	}
	for _, read := range p.Reads {
		to := names[read.Value]
		r.Edges = append(r.Edges, partition.Edge{From: to.op, To: read.To, Value: to.value, Far: p.Values[read.Value].Forward > 0})
	}
	if r.Cores = g.cores(reserve, least); r.Cores != nil && r.Cores.Uses != nil {
		r.Cores.Uses = append(r.Cores.Uses, make([][]partition.Use, len(r.Work)-n)...)
	}
	out := &relaxed{Problem: r, valueOf: map[[2]int]int{}}
	for v, to := range names {
		out.valueOf[[2]int{to.op, to.value}] = v
	}
	return out
}

// cores is the relaxed problem's view of cores; nil where each stage has one and
// everything fits.
func (g *ground) cores(reserve float64, least int64) *partition.Cores {
	p := g.p
	if p.Cores == p.Stages && g.room == nil {
		return nil
	}
	c := &partition.Cores{Total: p.Cores, Least: least}
	for s, r := range p.Ranges {
		size := partition.Range{Lo: 1, Hi: p.Cores - p.Stages + 1}
		if r.Count != Free {
			size = partition.Range{Lo: r.Count, Hi: r.Count}
		} else if r.First != Free && s+1 < p.Stages && p.Ranges[s+1].First != Free {
			size = partition.Range{Lo: p.Ranges[s+1].First - r.First, Hi: p.Ranges[s+1].First - r.First}
		}
		c.Sizes = append(c.Sizes, size)
	}
	if g.room == nil {
		return c
	}
	for _, room := range g.room {
		c.Room = append(c.Room, room-int64(reserve*float64(room)))
	}
	for o := range p.Ops {
		var uses []partition.Use
		for _, w := range p.Ops[o].Weights {
			uses = append(uses, partition.Use{Weight: w, Bytes: int64(p.Ops[o].Lanes) * p.Slices[w]})
		}
		c.Uses = append(c.Uses, uses)
	}
	return c
}

// outside are the stages of the relaxed problem's ops that are not ours.
func (g *ground) outside() []int {
	var list []int
	for _, v := range g.p.Values {
		if v.From == Outside {
			list = append(list, partition.Outside)
		}
	}
	return list
}
