package importer

import (
	"fmt"
	"strconv"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// dnnBuilder makes a plan of a graph and a split that have been read without errors.
type dnnBuilder struct {
	o     Options
	file  *file // of the graph, for errors
	graph dnnGraph
	split *dnnSplit // nil when there is none
	byID  map[int64]int

	plan    *ir.Plan
	notes   []diag.Diagnostic
	ids     []ir.ID // of each node
	isInput []bool  // of each node
	work    scale
}

func (b *dnnBuilder) note(code, format string, args ...any) {
	b.notes = append(b.notes, note(b.file.src, code, format, args...))
}

func (b *dnnBuilder) build() {
	b.plan = &ir.Plan{Symbols: symbol.NewTable(), Name: planName(b.file.src), LogicalCores: ir.None}
	b.plan.Graph.Ops = []ir.Op{}
	latencies := make([]float64, len(b.graph.nodes))
	for i, n := range b.graph.nodes {
		latencies[i] = n.latency
	}
	b.work = newScale(b.o.total(), latencies)
	b.nameNodes()
	edges := b.mergeEdges()
	b.findInputs(edges)
	b.addNodes()
	b.addEdges(edges)
	b.addStages()
	b.remark()
}

// nameNodes chooses the ids of ops: the nodes' names where every node has one
// of its own, and otherwise their numbers.
func (b *dnnBuilder) nameNodes() {
	names := map[string]bool{}
	for _, n := range b.graph.nodes {
		if n.name != "" {
			names[n.name] = true
		}
	}
	named := len(names) == len(b.graph.nodes)
	b.ids = make([]ir.ID, len(b.graph.nodes))
	for i, n := range b.graph.nodes {
		id := strconv.FormatInt(n.id, 10)
		if named {
			id = n.name
		}
		b.ids[i] = b.plan.Symbols.String(id)
	}
	if !named {
		b.note("named-by-number", "not every node has a name of its own: ops are named by the nodes' ids")
	}
}

// mergeEdges joins edges between the same nodes, the larger cost and size win.
func (b *dnnBuilder) mergeEdges() []dnnEdge {
	var edges []dnnEdge
	place := map[[2]int64]int{}
	for _, e := range b.graph.edges {
		ends := [2]int64{e.from.value, e.to.value}
		i, repeated := place[ends]
		if !repeated {
			place[ends] = len(edges)
			edges = append(edges, e)
			continue
		}
		edges[i].cost = max(edges[i].cost, e.cost)
		edges[i].size = max(edges[i].size, e.size)
	}
	if n := len(b.graph.edges) - len(edges); n > 0 {
		b.note("edges-merged", "merged %s with another one between the same nodes", diag.Counted(n, "edge"))
	}
	return edges
}

// findInputs marks the nodes that become inputs.
func (b *dnnBuilder) findInputs(edges []dnnEdge) {
	b.isInput = make([]bool, len(b.graph.nodes))
	if b.o.Sources != SourcesAsInputs {
		return
	}
	for i := range b.isInput {
		b.isInput[i] = true
	}
	for _, e := range edges {
		b.isInput[b.byID[e.to.value]] = false
	}
	sources, loaded := 0, 0
	for i, n := range b.graph.nodes {
		if !b.isInput[i] {
			continue
		}
		sources++
		if n.latency > 0 || n.size > 0 {
			loaded++
		}
	}
	b.note("sources-as-inputs", "%s without predecessors became dynamic inputs", diag.Counted(sources, "node"))
	if loaded > 0 {
		b.note("source-load-dropped", "%s that became inputs had latency or weights, which inputs do not have", diag.Counted(loaded, "node"))
	}
}

func (b *dnnBuilder) addNodes() {
	p := b.plan
	for i, n := range b.graph.nodes {
		if b.isInput[i] {
			p.Graph.Inputs = append(p.Graph.Inputs, ir.Input{ID: b.ids[i], Dynamic: true, Size: ir.None, ForwardCycles: ir.None})
			continue
		}
		op := ir.Op{
			ID: b.ids[i], Lanes: 1, Work: b.scaled(n.at, "the latency", n.latency),
			MaxParts: ir.None, Windows: ir.None, Forwards: ir.NoID, ForwardCycles: ir.None,
		}
		if n.backward {
			op.Kind = "backward"
		}
		if n.size > 0 {
			op.Weights = []ir.ID{op.ID}
			p.Graph.Weights = append(p.Graph.Weights, ir.Weight{ID: op.ID, Size: b.bytes(n.at, n.size)})
		}
		p.Graph.Ops = append(p.Graph.Ops, op)
	}
}

// addEdges adds the edges, and to what they come from the work of a forward: the
// cost of the edge, scaled like work. One value goes along all edges of a node,
// so the dearest of them says what its forward costs.
func (b *dnnBuilder) addEdges(edges []dnnEdge) {
	g := &b.plan.Graph
	inputs, ops := map[ir.ID]*ir.Input{}, map[ir.ID]*ir.Op{}
	for i := range g.Inputs {
		inputs[g.Inputs[i].ID] = &g.Inputs[i]
	}
	for i := range g.Ops {
		ops[g.Ops[i].ID] = &g.Ops[i]
	}
	differ := map[ir.ID]bool{}
	for _, e := range edges {
		from, to := b.ids[b.byID[e.from.value]], b.ids[b.byID[e.to.value]]
		cost := b.scaled(e.at, "the cost", e.cost)
		size := b.edgeSize(e, cost)
		var forward *int64
		if in := inputs[from]; in != nil {
			in.Consumers = append(in.Consumers, to)
			in.Size = max(in.Size, size)
			forward = &in.ForwardCycles
		} else {
			g.Edges = append(g.Edges, ir.Edge{From: from, To: to, Value: ir.NoID, Size: size})
			forward = &ops[from].ForwardCycles
		}
		if *forward != ir.None && *forward != cost {
			differ[from] = true
		}
		*forward = max(*forward, cost)
	}
	if n := len(differ); n > 0 {
		b.note("forward-cost-is-largest", "edges of %s differ in cost: a forward costs what the dearest does", diag.Counted(n, "node"))
	}
}

// edgeSize is the size of an edge with this cost, scaled like work.
func (b *dnnBuilder) edgeSize(e dnnEdge, cost int64) int64 {
	if b.o.EdgeSize == EdgeCost {
		return cost
	}
	if e.size < 0 {
		return ir.None
	}
	return b.bytes(e.at, e.size)
}

// addStages makes the target, the stages and the assignment. There are as many
// stages as the split has accelerators, or else as many as there may be.
func (b *dnnBuilder) addStages() {
	p := b.plan
	count := b.graph.devices
	if b.split != nil {
		count = int64(len(b.split.accelerators))
	}
	if count >= 0 {
		p.LogicalCores = count
		p.Target = &ir.Target{CoreCount: ir.None, BytesPerCycle: ir.None, Cores: []ir.Core{}}
	}
	for k := range count {
		p.Target.Cores = append(p.Target.Cores, ir.Core{ID: k, Row: ir.None, Col: ir.None, Capacity: b.graph.capacity})
		stage := ir.Stage{Index: k, First: ir.None, Count: ir.None}
		if b.split != nil {
			stage.First, stage.Count = k, 1
			p.Assignment.Placement = append(p.Assignment.Placement, k)
		}
		p.Stages = append(p.Stages, stage)
	}
	assigned := make([]bool, len(b.graph.nodes))
	if b.split != nil {
		for k, d := range b.split.accelerators {
			for _, n := range d.nodes {
				i := b.byID[n.value]
				assigned[i] = true
				if !b.isInput[i] {
					b.assign(i, int64(k), []int64{int64(k)})
				}
			}
		}
	}
	for i := range assigned {
		if !assigned[i] && !b.isInput[i] {
			b.assign(i, ir.None, nil)
		}
	}
}

func (b *dnnBuilder) assign(node int, stage int64, cores []int64) {
	b.plan.Assignment.Instances = append(b.plan.Assignment.Instances,
		ir.Instance{Op: b.ids[node], Stage: stage, Part: ir.None, Cores: cores})
}

// remark notes what else of the files the plan does not hold.
func (b *dnnBuilder) remark() {
	classes, shared, excluded := map[int64]int{}, 0, 0
	for _, n := range b.graph.nodes {
		if n.excluded {
			excluded++
		}
		if n.class < 0 {
			continue
		}
		if classes[n.class]++; classes[n.class] == 2 {
			shared++
		}
	}
	if shared > 0 {
		b.note("colour-classes-ignored", "nodes of one colour class must share a device (%s): plans have no such demand, it is ignored", diag.Counted(shared, "such group"))
	}
	if excluded > 0 {
		b.note("device-kind-ignored", "%s not supported on an accelerator: plans have no such demand, it is ignored", diag.Counted(excluded, "node"))
	}
	if b.o.EdgeSize == EdgeCost {
		b.note("edge-size-is-cost", "sizes of edges and inputs are costs, scaled like work, and not bytes")
	}
	if b.split != nil && b.graph.devices >= 0 && int64(len(b.split.accelerators)) > b.graph.devices {
		b.notes = append(b.notes, diag.Diagnostic{
			Code: "too-many-devices", Severity: diag.Warning, Pos: diag.Position{File: b.file.src.Name},
			Message: fmt.Sprintf("the split has %s, the graph allows %d", diag.Counted(len(b.split.accelerators), "device"), b.graph.devices),
		})
	}
}

func (b *dnnBuilder) scaled(at uint32, what string, x float64) int64 {
	n, ok := b.work.apply(x)
	switch {
	case ok:
	case !b.work.defined():
		b.file.Report(at, "scale-undefined", what+" cannot be scaled: the latencies of all nodes add up to 0", "")
	default:
		b.file.Report(at, "integer-out-of-range", what+" is beyond 64 bits once it is scaled", "choose a smaller scale")
	}
	return n
}

func (b *dnnBuilder) bytes(at uint32, x float64) int64 {
	n, ok := wholeBytes(x)
	if !ok {
		b.file.Report(at, "integer-out-of-range", "the size is beyond 64 bits", "")
	}
	return n
}
