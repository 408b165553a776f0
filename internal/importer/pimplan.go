package importer

import (
	"fmt"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// Operations of PIMCOMP that are not like the others.
const (
	pimInput = "OP_INPUT"
	pimConv  = "OP_CONV"
	pimDense = "OP_FC"
)

// pimBuilder makes a plan of a network and a chip that have been read without errors.
type pimBuilder struct {
	file   *file // of the network, for errors
	config *file // of the chip, likewise
	nodes  []pimNode
	chip   chip
	byName map[string]int

	plan  *ir.Plan
	notes []diag.Diagnostic
	// Of each node: elements and bytes of its result, and the array groups of
	// its weights, none but for convolutions and dense layers.
	elements, bytes []int64
	groups          []arrayGroups
}

func (b *pimBuilder) build() {
	b.plan = &ir.Plan{Symbols: symbol.NewTable(), Name: planName(b.file.src)}
	b.plan.Graph.Ops = []ir.Op{}
	b.addTarget()
	b.measure()
	b.groups = make([]arrayGroups, len(b.nodes))
	for i := range b.nodes {
		b.addNode(i)
	}
	b.boundGroups()
	merged := 0
	for _, n := range b.nodes {
		merged += b.addEdges(n)
	}
	if merged > 0 {
		b.notes = append(b.notes, note(b.file.src, "edges-merged", "merged %s with another one between the same nodes", diag.Counted(merged, "edge")))
	}
	if b.file.Failed() || b.config.Failed() {
		return
	}
	b.mapCores()
}

func (c chip) cores() int64 { return c.rows * c.columns }

// crossbarBytes is the size of a crossbar's cells.
func (c chip) crossbarBytes() (int64, bool) {
	cells, ok := product(c.crossbarRows, c.crossbarColumns, c.cellBits)
	return ceilDiv(cells, 8), ok
}

func (b *pimBuilder) addTarget() {
	c := b.chip
	p := b.plan
	bytes, ok := c.crossbarBytes()
	capacity, fits := product(bytes, c.crossbars)
	if !ok || !fits {
		b.config.Report(0, "integer-out-of-range", "the memory of a core is beyond 64 bits", "")
	}
	p.LogicalCores = c.cores()
	p.Target = &ir.Target{Mesh: []int64{c.rows, c.columns}, CoreCount: c.coreCount, BytesPerCycle: ir.None}
	for id := range c.cores() {
		p.Target.Cores = append(p.Target.Cores, ir.Core{ID: id, Row: id / c.columns, Col: id % c.columns, Capacity: capacity})
		p.Assignment.Placement = append(p.Assignment.Placement, id)
	}
	p.Stages = []ir.Stage{{Index: 0, First: 0, Count: c.cores()}}
}

// measure works out the size of each node's result.
func (b *pimBuilder) measure() {
	b.elements, b.bytes = make([]int64, len(b.nodes)), make([]int64, len(b.nodes))
	for i, n := range b.nodes {
		var dims []int64
		for _, d := range n.outputs {
			dims = append(dims, d.value)
		}
		bits, ok := product(append(dims, n.bitwidth)...)
		if !ok {
			b.tooLarge(n)
			bits = 1
		}
		b.elements[i], b.bytes[i] = bits/n.bitwidth, ceilDiv(bits, 8)
	}
}

func (b *pimBuilder) tooLarge(n pimNode) {
	b.file.Report(n.outputsAt, "integer-out-of-range", "the size of the result is beyond 64 bits", "")
}

// matrixOf returns the weight matrix of a convolution or dense layer and the
// positions of its sliding window. Where it cannot it reports why.
func (b *pimBuilder) matrixOf(n pimNode) (m matrix, windows int64, ok bool) {
	p := n.param
	if n.operation == pimDense {
		if p.inputs == 0 || p.outputs == 0 {
			b.file.Report(n.at, "missing-field", "a dense layer must have the parameters num_input and num_output", "")
			return m, 0, false
		}
		return matrix{p.inputs, p.outputs}, 1, true
	}
	if p.kernelHeight == 0 || p.kernelWidth == 0 || p.inputChannels == 0 || p.outputChannels == 0 {
		b.file.Report(n.at, "missing-field", "a convolution must have the parameters kernel_h, kernel_w, input_channel and output_channel", "")
		return m, 0, false
	}
	if len(n.outputs) != 4 {
		b.file.ReportValue(n.outputsAt, "length-mismatch", fmt.Sprintf("must have 4 entries for a convolution, found %d", len(n.outputs)), "")
		return m, 0, false
	}
	height, ok := product(p.kernelHeight, p.kernelWidth, p.inputChannels)
	if !ok {
		b.file.Report(n.at, "integer-out-of-range", "the size of the kernel is beyond 64 bits", "")
		return m, 0, false
	}
	return matrix{height, p.outputChannels}, n.outputs[2].value * n.outputs[3].value, true
}

func (b *pimBuilder) addNode(i int) {
	n, p := b.nodes[i], b.plan
	id := p.Symbols.String(n.name)
	if n.operation == pimInput {
		p.Graph.Inputs = append(p.Graph.Inputs, ir.Input{ID: id, Dynamic: true, Size: b.bytes[i], ForwardCycles: ir.None})
		if len(n.providers) > 0 {
			b.file.ReportValue(n.providers[0].at, "input-with-provider", "stands in an input, which reads nothing", "")
		}
		return
	}
	op := ir.Op{
		ID: id, Kind: n.operation, Lanes: 1,
		MaxParts: ir.None, Windows: ir.None, Forwards: ir.NoID, ForwardCycles: ir.None,
	}
	if n.operation == pimConv || n.operation == pimDense {
		b.addWeights(i, &op)
	} else {
		op.Work = b.work(n, ceilDiv(b.elements[i], b.chip.vectorWidth), b.chip.vectorLatency)
	}
	p.Graph.Ops = append(p.Graph.Ops, op)
}

// addWeights gives an op its array groups: lanes, and the weight that they slice.
func (b *pimBuilder) addWeights(i int, op *ir.Op) {
	n := b.nodes[i]
	m, windows, ok := b.matrixOf(n)
	if !ok {
		return
	}
	g, err := b.chip.divide(m)
	if err != nil {
		b.file.Report(n.at, "integer-out-of-range", err.Error(), "")
		return
	}
	b.groups[i] = g
	crossbar, _ := b.chip.crossbarBytes()
	op.Lanes, op.Windows, op.Weights = g.count, windows, []ir.ID{op.ID}
	op.Work = b.work(n, g.count, windows, b.chip.crossbarLatency)
	b.plan.Graph.Weights = append(b.plan.Graph.Weights, ir.Weight{ID: op.ID, Size: g.width * crossbar})
}

func (b *pimBuilder) work(n pimNode, factors ...int64) int64 {
	w, ok := product(factors...)
	if !ok {
		b.file.Report(n.at, "integer-out-of-range", "the work of the node is beyond 64 bits", "")
	}
	return w
}

// addEdges adds the edges and input consumers that end at a node, each once,
// and returns how many were left out because they repeat another one.
func (b *pimBuilder) addEdges(n pimNode) (merged int) {
	p := b.plan
	to := p.Symbols.String(n.name)
	seen := map[string]bool{}
	for _, provider := range n.providers {
		if seen[provider.value] {
			merged++
			continue
		}
		seen[provider.value] = true
		k := b.byName[provider.value]
		from := b.nodes[k]
		if from.operation != pimInput {
			p.Graph.Edges = append(p.Graph.Edges, ir.Edge{
				From: p.Symbols.String(from.name), To: to, Value: ir.NoID, Size: b.bytes[k],
			})
			continue
		}
		for j := range p.Graph.Inputs {
			if in := &p.Graph.Inputs[j]; p.Text(in.ID) == from.name {
				in.Consumers = append(in.Consumers, to)
			}
		}
	}
	return merged
}

// boundGroups refuses networks that would make too large a plan, and remarks on
// rows of crossbars that had to be cut.
func (b *pimBuilder) boundGroups() {
	var total int64
	cut := 0
	for i, g := range b.groups {
		if total += g.count; total > maxArrayGroups {
			b.file.Report(b.nodes[i].at, "integer-out-of-range", fmt.Sprintf("the network needs more than %d array groups", maxArrayGroups), "")
			return
		}
		if g.pieces > 1 {
			cut++
		}
	}
	if cut > 0 {
		b.notes = append(b.notes, note(b.file.src, "array-groups-cut",
			"%s with rows of crossbars wider than a core: each row became several groups of one width", diag.Counted(cut, "node")))
	}
}

// mapCores assigns every lane a core.
func (b *pimBuilder) mapCores() {
	free := make([]int64, b.chip.cores()) // crossbars
	for c := range free {
		free[c] = b.chip.crossbars
	}
	on := make([]int64, len(b.nodes)) // core of the node's first lane
	var crossbars, groups, homeless int64
	for i, n := range b.nodes {
		if n.operation == pimInput {
			continue
		}
		g := b.groups[i]
		crossbars, groups = crossbars+g.crossbars(), groups+g.count
		cores := firstFit(free, g)
		for _, c := range cores {
			if c == ir.None {
				homeless++
			}
		}
		if g.count == 0 {
			cores = []int64{0}
			if len(n.providers) > 0 {
				cores[0] = on[b.byName[n.providers[0].value]]
			}
		}
		on[i] = max(cores[0], 0)
		b.plan.Assignment.Instances = append(b.plan.Assignment.Instances, ir.Instance{
			Op: b.plan.Symbols.String(n.name), Stage: 0, Part: ir.None, Cores: cores,
		})
	}
	used := 0
	for _, f := range free {
		if f < b.chip.crossbars {
			used++
		}
	}
	b.notes = append(b.notes, note(b.file.src, "crossbars-mapped", "%d crossbars in %d array groups, on %d of %s",
		crossbars, groups, used, diag.Counted(len(free), "core")))
	if homeless > 0 {
		b.notes = append(b.notes, diag.Diagnostic{
			Code: "crossbars-do-not-fit", Severity: diag.Warning, Pos: diag.Position{File: b.file.src.Name},
			Message: fmt.Sprintf("%d array groups found no core with room for them and are left open", homeless),
		})
	}
}

// firstFit puts groups of equal width on the first cores that have so many
// crossbars left, and returns the core of each; ir.None where there is none. A
// core that has no room for one group has none for the next.
func firstFit(free []int64, g arrayGroups) []int64 {
	cores := make([]int64, g.count)
	c := 0
	for i := range cores {
		for c < len(free) && free[c] < g.width {
			c++
		}
		if c == len(free) {
			cores[i] = ir.None
			continue
		}
		free[c] -= g.width
		cores[i] = int64(c)
	}
	return cores
}
