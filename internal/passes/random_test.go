package passes_test

import (
	"fmt"
	"math/rand/v2"

	"plancheck/encode"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// smallPlan makes a random plan of a few ops of which nothing is decided but how
// many stages it has. Its cores are on a mesh; often they are small, and weights
// are shared.
func smallPlan(r *rand.Rand) (*ir.Plan, encode.Options) {
	p := &ir.Plan{Symbols: symbol.NewTable(), LogicalCores: ir.None}
	some := func(n int) bool { return r.IntN(n) == 0 }
	between := func(lo, hi int) int64 { return int64(lo + r.IntN(hi-lo+1)) }
	cores := 2 + r.IntN(3)
	t := &ir.Target{CoreCount: ir.None, BytesPerCycle: 2, Mesh: []int64{int64(cores), 1}}
	square := cores == 4 && some(2)
	if square {
		t.Mesh = []int64{2, 2}
	}
	room := int64(ir.None)
	if some(2) {
		room = between(6, 14)
	}
	for i := range cores {
		c := ir.Core{ID: int64(i), Row: int64(i), Col: 0, Capacity: room}
		if square {
			c.Row, c.Col = int64(i/2), int64(i%2)
		}
		t.Cores = append(t.Cores, c)
	}
	p.Target = t
	for i := range 2 {
		p.Graph.Weights = append(p.Graph.Weights, ir.Weight{ID: p.Symbols.String(fmt.Sprintf("w%d", i)), Size: between(1, 6)})
	}
	names := []string{"a0", "b1", "heavy2", "c3"}
	for i := range 2 + r.IntN(3) {
		op := ir.Op{ID: p.Symbols.String(names[i]), Lanes: 1, Work: between(1, 12), MaxParts: ir.None, Windows: ir.None, ForwardCycles: ir.None}
		if some(4) {
			op.Lanes = 2
		}
		for _, w := range p.Graph.Weights {
			if some(3) {
				op.Weights = append(op.Weights, w.ID)
			}
		}
		for from := range i {
			if some(2) {
				p.Graph.Edges = append(p.Graph.Edges, ir.Edge{From: p.Graph.Ops[from].ID, To: op.ID, Size: between(1, 8)})
			}
		}
		p.Graph.Ops = append(p.Graph.Ops, op)
	}
	if some(3) {
		p.Graph.Inputs = []ir.Input{{
			ID: p.Symbols.String("in"), Dynamic: true, Size: 4, ForwardCycles: ir.None,
			Consumers: []ir.ID{p.Graph.Ops[0].ID, p.Graph.Ops[len(p.Graph.Ops)-1].ID},
		}}
	}
	if some(4) {
		p.Assignment.Residency = []ir.Resident{}
	}
	for i := range 1 + r.IntN(min(3, cores)) {
		p.Stages = append(p.Stages, ir.Stage{Index: int64(i), First: ir.None, Count: ir.None})
	}
	return p, encode.Options{Forward: !some(3), ForwardCycles: 1, NonEmpty: some(3)}
}
