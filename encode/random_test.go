package encode_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"plancheck/encode"
	"plancheck/internal/search/schedule"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// drawer makes random small plans with holes, and schedules for them.
type drawer struct {
	*rand.Rand
	plan  *ir.Plan
	tight bool // cores hold few slices
}

func (d *drawer) some(n int) bool { return d.IntN(n) == 0 }

func (d *drawer) between(lo, hi int) int64 { return int64(lo + d.IntN(hi-lo+1)) }

// maybe is a number, or now and then none.
func (d *drawer) maybe(lo, hi int) int64 {
	if d.some(4) {
		return ir.None
	}
	return d.between(lo, hi)
}

func (d *drawer) id(prefix string, n int) ir.ID {
	return d.plan.Symbols.String(fmt.Sprintf("%s%d", prefix, n))
}

// drawPlan makes a plan of which no more is decided than how many stages it has,
// and some splits.
func drawPlan(r *rand.Rand) (*ir.Plan, encode.Options) {
	p := &ir.Plan{Symbols: symbol.NewTable(), LogicalCores: ir.None}
	d := &drawer{Rand: r, plan: p}
	cores := 1 + d.IntN(5)
	if d.tight = d.some(4); d.tight {
		cores = 3 + d.IntN(3)
	}
	if d.some(4) && !d.tight {
		p.LogicalCores = int64(cores)
	} else {
		d.drawTarget(cores)
	}
	for i := range d.IntN(5) {
		p.Graph.Weights = append(p.Graph.Weights, ir.Weight{ID: d.id("w", i), Size: d.between(0, 9)})
	}
	d.drawOps()
	d.drawEdges()
	d.drawInputs()
	if d.some(3) {
		p.Assignment.Residency = []ir.Resident{}
	}
	for i := range 1 + d.IntN(cores) {
		p.Stages = append(p.Stages, ir.Stage{Index: int64(i), First: ir.None, Count: ir.None})
	}
	o := encode.Options{Forward: !d.some(3), ForwardCycles: d.between(0, 4), NonEmpty: d.some(4)}
	return p, o
}

func (d *drawer) drawTarget(cores int) {
	t := &ir.Target{CoreCount: ir.None, BytesPerCycle: d.maybe(1, 4)}
	place, limited := d.IntN(4), d.some(3)
	for i := range cores {
		c := ir.Core{ID: int64(10 + i), Row: ir.None, Col: ir.None, Capacity: ir.None, Kind: []string{"", "", "big", "small"}[d.IntN(4)]}
		switch {
		case d.tight:
			c.Capacity = d.between(6, 9)
		case limited && !d.some(4):
			c.Capacity = d.between(0, 50)
		}
		if place == 0 {
			c.Row, c.Col = int64(i), 0
		}
		t.Cores = append(t.Cores, c)
	}
	switch place {
	case 0:
		t.Mesh = []int64{int64(cores), 1}
	case 1, 2:
		for range cores {
			row := make([]int64, cores)
			for j := range row {
				row[j] = d.between(0, 5)
			}
			t.Distances = append(t.Distances, row)
		}
	}
	d.plan.Target = t
}

func (d *drawer) drawOps() {
	g := &d.plan.Graph
	for i := range 1 + d.IntN(6) {
		op := ir.Op{ID: d.id("o", i), Lanes: d.between(1, 3), Work: d.between(0, 20), MaxParts: d.maybe(1, 4), Windows: ir.None, ForwardCycles: ir.None}
		if d.tight && i == 0 {
			op.Lanes, op.MaxParts = 1, 4
		}
		for _, w := range g.Weights {
			if d.tight && i == 0 || !d.tight && d.some(2) {
				op.Weights = append(op.Weights, w.ID)
			}
		}
		for _, kind := range []string{"small", "big", "other"} {
			if d.some(4) {
				op.WorkOn = append(op.WorkOn, ir.KindWork{Kind: kind, Cycles: d.between(0, 20)})
			}
		}
		g.Ops = append(g.Ops, op)
		switch {
		case d.some(8) && op.MaxParts != ir.None:
			d.plan.Assignment.Splits = append(d.plan.Assignment.Splits, ir.Split{Op: op.ID, Parts: d.between(1, int(op.MaxParts))})
		case d.some(3):
			for n := range 1 + d.IntN(2) {
				g.Values = append(g.Values, ir.Value{ID: d.id(fmt.Sprintf("v%d.", i), n), From: op.ID, Size: d.maybe(0, 9), ForwardCycles: d.maybe(0, 9)})
			}
		case d.some(3):
			g.Ops[i].ForwardCycles = d.between(0, 9)
		}
	}
}

// drawEdges joins ops. Most plans state all sizes.
func (d *drawer) drawEdges() {
	g := &d.plan.Graph
	sized := !d.some(6)
	for to := range g.Ops {
		for from := range to {
			if d.some(2) {
				continue
			}
			e := ir.Edge{From: g.Ops[from].ID, To: g.Ops[to].ID, Size: ir.None}
			var named []ir.Value
			for _, v := range g.Values {
				if v.From == e.From {
					named = append(named, v)
				}
			}
			if len(named) > 1 || len(named) == 1 && !d.some(4) {
				e.Value = named[d.IntN(len(named))].ID
			}
			if sized || d.some(2) {
				e.Size = d.between(0, 9)
			}
			g.Edges = append(g.Edges, e)
			if len(named) > 1 && d.some(2) { // both values
				f := e
				f.Value, f.Size = named[0].ID, ir.None
				if e.Value == f.Value {
					f.Value = named[1].ID
				}
				if sized || d.some(2) {
					f.Size = d.between(0, 9)
				}
				g.Edges = append(g.Edges, f)
			}
			if d.some(12) { // listed twice, which is only odd
				f := e
				f.Size = d.maybe(0, 9)
				g.Edges = append(g.Edges, f)
			}
			if d.some(12) && g.Ops[to].Forwards == ir.NoID {
				g.Ops[to].Kind, g.Ops[to].Forwards = ir.KindForward, e.From
				if e.Value != ir.NoID {
					g.Ops[to].Forwards = e.Value
				}
			}
		}
	}
}

func (d *drawer) drawInputs() {
	g := &d.plan.Graph
	for i := range d.IntN(3) {
		in := ir.Input{ID: d.id("i", i), Dynamic: !d.some(3), Size: d.maybe(0, 9), ForwardCycles: d.maybe(0, 9)}
		for j := range g.Ops {
			op := &g.Ops[j]
			if !d.some(3) {
				continue
			}
			in.Consumers = append(in.Consumers, op.ID)
			if d.some(8) {
				in.Consumers = append(in.Consumers, op.ID)
			}
			if d.some(12) && op.Forwards == ir.NoID {
				op.Kind, op.Forwards = ir.KindForward, in.ID
			}
		}
		g.Inputs = append(g.Inputs, in)
	}
}

// drawSolution makes a schedule that has the right shape, and is legal in most
// cases.
func drawSolution(r *rand.Rand, p *schedule.Problem) *schedule.Solution {
	d := drawer{Rand: r}
	s := &schedule.Solution{Stage: make([]int, len(p.Ops))}
	for _, op := range p.Order() {
		lo, hi := p.Ops[op].Lo, p.Ops[op].Hi
		for _, read := range p.Reads {
			if read.To != op {
				continue
			}
			from := schedule.Outside
			if f := p.Values[read.Value].From; f != schedule.Outside {
				from = s.Stage[f]
			}
			lo = max(lo, from)
			if p.Values[read.Value].Forward == 0 {
				hi = min(hi, from+1)
			}
		}
		s.Stage[op] = max(lo, 0)
		if lo < hi {
			s.Stage[op] = lo + d.IntN(hi-lo+1)
		}
	}
	s.First = firsts(d, p)
	s.Core = make([][]int, len(p.Ops))
	for op := range p.Ops {
		s.Core[op] = d.cores(p, s, s.Stage[op], p.Ops[op].Shares())
		for share, core := range p.Ops[op].Pins {
			if core != schedule.Free {
				s.Core[op][share] = core
			}
		}
	}
	s.Forwards = forwards(d, p, s)
	if len(p.Machine) > 0 {
		s.Place = d.Perm(len(p.Machine))
	}
	return s
}

// firsts cuts the cores at random.
func firsts(d drawer, p *schedule.Problem) []int {
	cut := map[int]bool{0: true}
	for _, c := range d.Perm(p.Cores - 1)[:p.Stages-1] {
		cut[c+1] = true
	}
	var first []int
	for c := range p.Cores {
		if cut[c] {
			first = append(first, c)
		}
	}
	return first
}

func (d *drawer) cores(p *schedule.Problem, s *schedule.Solution, stage, n int) []int {
	first, end := s.Range(p, stage)
	cores := make([]int, n)
	spread, turn := d.some(2), d.IntN(p.Cores)
	for i := range cores {
		cores[i] = first + d.IntN(max(1, end-first))
		if spread {
			cores[i] = first + (turn+i)%max(1, end-first)
		}
	}
	return cores
}

// forwards makes those that are needed.
func forwards(d drawer, p *schedule.Problem, s *schedule.Solution) []schedule.Forward {
	var all []schedule.Forward
	for v := range p.Values {
		from, last := schedule.Outside, 0
		if f := p.Values[v].From; f != schedule.Outside {
			from = s.Stage[f]
		}
		for _, read := range p.Reads {
			if read.Value == v {
				last = max(last, s.Stage[read.To])
			}
		}
		for stage := from + 1; stage < last && p.Values[v].Forward > 0; stage++ {
			all = append(all, schedule.Forward{Value: v, Stage: stage, Core: d.cores(p, s, stage, p.Values[v].Forward)})
		}
	}
	return all
}

// spoil changes a schedule so that it may be illegal; what it breaks rules can
// see in a plan.
func spoil(r *rand.Rand, p *schedule.Problem, s *schedule.Solution) {
	switch op := r.IntN(len(p.Ops)); r.IntN(6) {
	case 0: // the shares come along, and forwards that nobody needs go
		d := drawer{Rand: r}
		s.Stage[op] = r.IntN(p.Stages)
		s.Core[op] = d.cores(p, s, s.Stage[op], p.Ops[op].Shares())
		needed := forwards(d, p, s)
		s.Forwards = slices.DeleteFunc(s.Forwards, func(f schedule.Forward) bool {
			return !slices.ContainsFunc(needed, func(n schedule.Forward) bool { return f.Value == n.Value && f.Stage == n.Stage })
		})
	case 1:
		s.Core[op][r.IntN(len(s.Core[op]))] = r.IntN(p.Cores)
	case 2:
		stage := r.IntN(p.Stages)
		s.First[stage] = s.First[max(0, stage-1)]
	case 3:
		stage := r.IntN(p.Stages)
		for i := range stage + 1 {
			s.First[i] = max(s.First[i], s.First[stage])
		}
	case 4:
		if n := len(s.Forwards); n > 0 {
			i := r.IntN(n)
			s.Forwards = append(s.Forwards[:i], s.Forwards[i+1:]...)
		}
	case 5:
		if n := len(s.Place); n > 1 {
			s.Place[r.IntN(n)] = s.Place[r.IntN(n)]
		}
	}
}
