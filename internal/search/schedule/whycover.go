package schedule

import (
	"cmp"
	"slices"

	"plancheck/internal/search/packing"
	"plancheck/solver"
)

// mostShifts bounds how many clauses one sum makes.
const mostShifts = 4096

// cut forbids what a model does wrong: ops in a window of stages whose weights
// are more than its cores hold, and an op of which one share is. It says whether
// anything was wrong.
func (m *stageModel) cut(model solver.Model) bool {
	if !m.rooms.any() {
		return false
	}
	in := make([][]int, m.p.Stages)
	for o, n := range m.stage {
		if len(m.p.Ops[o].Weights) > 0 {
			s := n.value(model)
			in[s] = append(in[s], o)
		}
	}
	cut := false
	for s := range m.p.Stages {
		if len(in[s]) == 0 {
			continue // the window without it has less room for the same
		}
		first := m.start[s].value(model)
		_, each := m.rooms.room(first, m.start[s+1].value(model))
		for _, o := range in[s] {
			if need := m.p.largest(o); need > each {
				m.forbid(Excess{Ops: []int{o}, First: s, Last: s, Bytes: need, Room: each, Each: true}, first, m.start[s+1].value(model))
				cut = true
			}
		}
		here := newBytes(m.p)
		var ops []int
		for t := s; t < m.p.Stages; t++ {
			for _, o := range in[t] {
				here.add(o)
				ops = append(ops, o)
			}
			end := m.start[t+1].value(model)
			if room, _ := m.rooms.room(first, end); len(in[t]) > 0 && here.sum > room {
				few, sum := m.p.tooMany(ops, room)
				m.forbid(Excess{Ops: few, First: s, Last: t, Bytes: sum, Room: room}, first, end)
				cut = true
				break
			}
		}
	}
	return cut
}

// forbid adds the clauses of a sum: not all these ops in the window while its
// cores are among first to end-1; and the same for other windows as long.
func (m *stageModel) forbid(x Excess, first, end int) {
	tooSmall := func(first, end int) bool {
		all, each := m.rooms.room(first, end)
		if x.Each {
			return each < x.Bytes
		}
		return all < x.Bytes
	}
	for first > 0 && tooSmall(first-1, end) {
		first--
	}
	for end < m.p.Cores && tooSmall(first, end+1) {
		end++
	}
	because := make([]solver.Lit, 0, 4)
	for _, c := range m.rooms.reasons(first, end) {
		because = append(because, m.not(m.Selector(m.groups[c])))
	}
	windows, shifts := m.p.Stages-(x.Last-x.First), 1
	if m.rooms.alike() {
		shifts = m.p.Cores - (end - first) + 1
	}
	if windows*shifts > mostShifts {
		windows = 1
	}
	x.Cores = end - first
	for w := range windows {
		y := x
		if windows > 1 {
			y.First, y.Last = w, w+x.Last-x.First
		}
		g := m.Group("sum")
		m.sumOf[g] = len(m.sums)
		m.sums = append(m.sums, y)
		m.cuts = append(m.cuts, g)
		if shifts == 1 {
			m.forbidAt(g, y, first, end, because)
			continue
		}
		for shift := range shifts {
			m.forbidAt(g, y, shift, shift+end-first, because)
		}
	}
}

func (m *stageModel) forbidAt(g solver.Group, x Excess, first, end int, because []solver.Lit) {
	clause := append(slices.Clone(because), m.not(m.start[x.First].atLeast(first)), m.not(m.start[x.Last+1].atMost(end)))
	for _, o := range x.Ops {
		clause = append(clause, m.stage[o].atMost(x.First-1), m.stage[o].atLeast(x.Last+1))
	}
	m.clause(g, clause...)
}

// largest is how many bytes the largest share of an op needs.
func (p *Problem) largest(o int) int64 {
	sum := int64(0)
	for _, w := range p.Ops[o].Weights {
		sum += packing.PartBytes(p.Slices[w], 0, p.Ops[o].Parts)
	}
	return sum
}

// bytes adds up slices of weights, each once.
type bytes struct {
	p     *Problem
	lanes []int // of each weight, how many slices are counted
	sum   int64
}

func newBytes(p *Problem) *bytes { return &bytes{p: p, lanes: make([]int, len(p.Slices))} }

func (b *bytes) add(o int) {
	for _, w := range b.p.Ops[o].Weights {
		if more := b.p.Ops[o].Lanes - b.lanes[w]; more > 0 {
			b.lanes[w] += more
			b.sum += int64(more) * b.p.Slices[w]
		}
	}
}

// tooMany are a few of the ops that have more bytes together than the room,
// and how many these are.
func (p *Problem) tooMany(ops []int, room int64) ([]int, int64) {
	sum := func(ops []int) int64 {
		b := newBytes(p)
		for _, o := range ops {
			b.add(o)
		}
		return b.sum
	}
	own := make(map[int]int64, len(ops))
	for _, o := range ops {
		own[o] = sum([]int{o})
	}
	few := slices.Clone(ops)
	slices.SortStableFunc(few, func(a, b int) int { return cmp.Or(cmp.Compare(own[b], own[a]), cmp.Compare(a, b)) })
	for n, b := 0, newBytes(p); n < len(few); n++ {
		if b.add(few[n]); b.sum > room {
			few = few[:n+1]
		}
	}
	for i := len(few) - 1; i >= 0; i-- {
		if rest := slices.Delete(slices.Clone(few), i, i+1); sum(rest) > room {
			few = rest
		}
	}
	slices.Sort(few)
	return few, sum(few)
}
