package bench

import (
	"fmt"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// Lanes and weights of every op of a generated plan; edges are two an op.
const (
	lanesPerOp   = 4
	weightsPerOp = 3
)

// Plan makes a legal plan with the given number of ops: 4 lanes, 2 edges and
// 3 weights an op, one weight in ten shared with the op before, one stage for
// every 1,000 ops up to 64, 16 cores a stage of two sizes in turn, placed in
// reverse on a mesh.
func Plan(ops int) *ir.Plan {
	stages := max(2, min(64, ops/1000))
	p := &ir.Plan{Symbols: symbol.NewTable(), Name: fmt.Sprintf("generated-%d", ops), LogicalCores: ir.None}
	first := make([]int, stages+1)
	for s := range stages {
		first[s+1] = first[s] + 12 + 8*(s%2)
		p.Stages = append(p.Stages, ir.Stage{Index: int64(s), First: int64(first[s]), Count: int64(first[s+1] - first[s])})
	}
	cores := first[stages]
	cols := 4
	rows := (cores + cols - 1) / cols
	p.Target = &ir.Target{Mesh: []int64{int64(rows), int64(cols)}, CoreCount: ir.None, BytesPerCycle: ir.None}
	p.Assignment.Placement = make([]int64, rows*cols)
	for c := range rows * cols {
		p.Target.Cores = append(p.Target.Cores, ir.Core{ID: int64(c), Row: int64(c / cols), Col: int64(c % cols), Capacity: int64(ops) * 4096})
		p.Assignment.Placement[c] = int64(rows*cols - 1 - c)
	}
	if spare := rows*cols - cores; spare > 0 { // the last stage takes what fills the mesh
		p.Stages[stages-1].Count += int64(spare)
		first[stages] += spare
	}

	g := &p.Graph
	ids := make([]ir.ID, ops)
	for i := range ids {
		ids[i] = p.Symbols.String(fmt.Sprintf("op%d", i))
	}
	var weights []ir.ID
	refs := make([]ir.ID, 0, weightsPerOp*ops)
	stageOf := func(i int) int { return i * stages / ops }
	for i, id := range ids {
		from := len(refs)
		for k := range weightsPerOp {
			if n := i*weightsPerOp + k; n > 0 && n%10 == 0 {
				refs = append(refs, weights[len(weights)-weightsPerOp])
				continue
			}
			w := p.Symbols.String(fmt.Sprintf("w%d", len(weights)))
			g.Weights = append(g.Weights, ir.Weight{ID: w, Size: int64(64 + len(weights)%1024)})
			weights = append(weights, w)
			refs = append(refs, w)
		}
		g.Ops = append(g.Ops, ir.Op{ID: id, Kind: "linear", Lanes: lanesPerOp, Work: int64(400 + i%1000), Weights: refs[from:len(refs):len(refs)], MaxParts: ir.None, Windows: ir.None, ForwardCycles: ir.None})
		if i > 0 {
			far := max(i-1-(i*13)%37, 0)
			if stageOf(far) < stageOf(i)-1 || far == i-1 {
				far = max(i-2, 0)
			}
			g.Edges = append(g.Edges, ir.Edge{From: ids[i-1], To: id, Size: 256})
			if far != i-1 {
				g.Edges = append(g.Edges, ir.Edge{From: ids[far], To: id, Size: 256})
			}
		}
		s := stageOf(i)
		inst := ir.Instance{Op: id, Stage: int64(s), Part: ir.None}
		for l := range lanesPerOp {
			inst.Lanes = append(inst.Lanes, int64(l))
			inst.Cores = append(inst.Cores, int64(first[s]+(i*7+l)%(first[s+1]-first[s])))
		}
		p.Assignment.Instances = append(p.Assignment.Instances, inst)
	}
	g.Inputs = []ir.Input{{ID: p.Symbols.String("tokens"), Dynamic: true, Size: 512, Consumers: ids[:1], ForwardCycles: ir.None}}
	return p
}

// Break makes one edge of a generated plan skip a stage, in the middle.
func Break(p *ir.Plan) {
	n := len(p.Graph.Ops)
	p.Graph.Edges[len(p.Graph.Edges)/2] = ir.Edge{From: p.Graph.Ops[0].ID, To: p.Graph.Ops[n-1].ID, Size: 256}
}
