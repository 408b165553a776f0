package facts

import (
	"fmt"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

func (e *exporter) inputs(w *writer) {
	for i := range e.plan.Graph.Inputs {
		in := &e.plan.Graph.Inputs[i]
		w.row(in.At, in.ID)
	}
}

func (e *exporter) dynamicInputs(w *writer) {
	for i := range e.plan.Graph.Inputs {
		if in := &e.plan.Graph.Inputs[i]; in.Dynamic {
			w.row(in.At, in.ID)
		}
	}
}

func (e *exporter) inputSizes(w *writer) {
	for i := range e.plan.Graph.Inputs {
		if in := &e.plan.Graph.Inputs[i]; in.Size != ir.None {
			w.row(in.At, in.ID, e.num(in.Size))
		}
	}
}

func (e *exporter) inputConsumers(w *writer) {
	n := 0
	w.distinct = true
	for i := range e.plan.Graph.Inputs {
		consumers := e.plan.Graph.Inputs[i].Consumers
		n += len(consumers)
		w.distinct = w.distinct && allDifferent(consumers)
	}
	w.grow(n)
	for i := range e.plan.Graph.Inputs {
		in := &e.plan.Graph.Inputs[i]
		for j, op := range in.Consumers {
			at := in.At
			if j < len(in.ConsumersAt) {
				at = in.ConsumersAt[j]
			}
			w.row(at, in.ID, op)
		}
	}
}

func (e *exporter) weights(w *writer) {
	w.grow(len(e.plan.Graph.Weights))
	for i := range e.plan.Graph.Weights {
		wt := &e.plan.Graph.Weights[i]
		w.row(wt.At, wt.ID, e.num(wt.Size))
	}
}

func (e *exporter) values(w *writer) {
	w.grow(len(e.plan.Graph.Values))
	for i := range e.plan.Graph.Values {
		v := &e.plan.Graph.Values[i]
		w.row(v.At, v.ID, v.From)
	}
}

func (e *exporter) ops(w *writer) {
	w.grow(len(e.plan.Graph.Ops))
	for i := range e.plan.Graph.Ops {
		op := &e.plan.Graph.Ops[i]
		w.row(op.At, op.ID, e.num(op.Lanes), e.num(op.Work))
	}
}

func (e *exporter) opWorkOn(w *writer) {
	for i := range e.plan.Graph.Ops {
		op := &e.plan.Graph.Ops[i]
		for _, on := range op.WorkOn {
			w.row(on.At, op.ID, e.plan.Symbols.String(on.Kind), e.num(on.Cycles))
		}
	}
}

func (e *exporter) forwardCycles(w *writer) {
	g := &e.plan.Graph
	row := func(at uint32, value ir.ID, cycles int64) {
		if cycles != ir.None {
			w.row(at, value, e.num(cycles))
		}
	}
	for i := range g.Inputs {
		row(g.Inputs[i].At, g.Inputs[i].ID, g.Inputs[i].ForwardCycles)
	}
	for i := range g.Values {
		row(g.Values[i].At, g.Values[i].ID, g.Values[i].ForwardCycles)
	}
	for i := range g.Ops {
		row(g.Ops[i].At, g.Ops[i].ID, g.Ops[i].ForwardCycles)
	}
}

func (e *exporter) opKinds(w *writer) {
	var kind string
	var value symbol.Value
	for i := range e.plan.Graph.Ops {
		op := &e.plan.Graph.Ops[i]
		if op.Kind == "" {
			continue
		}
		if op.Kind != kind {
			kind, value = op.Kind, e.plan.Symbols.String(op.Kind)
		}
		w.row(op.At, op.ID, value)
	}
}

func (e *exporter) opLanes(w *writer) {
	lanes := int64(0)
	for i := range e.plan.Graph.Ops {
		op := &e.plan.Graph.Ops[i]
		if !w.expand(lanes, op.Lanes, op.At, func() string {
			return fmt.Sprintf("op %s has %d lanes", e.plan.Symbols.Format(op.ID), op.Lanes)
		}) {
			return
		}
		lanes += op.Lanes
	}
	w.grow(int(lanes))
	for i := range e.plan.Graph.Ops {
		op := &e.plan.Graph.Ops[i]
		for lane := range op.Lanes {
			if !w.row(op.At, op.ID, e.num(lane)) {
				return
			}
		}
	}
}

func (e *exporter) opWeights(w *writer) {
	n := 0
	w.distinct = true
	for i := range e.plan.Graph.Ops {
		weights := e.plan.Graph.Ops[i].Weights
		n += len(weights)
		w.distinct = w.distinct && allDifferent(weights)
	}
	w.grow(n)
	for i := range e.plan.Graph.Ops {
		op := &e.plan.Graph.Ops[i]
		for j, weight := range op.Weights {
			w.entry = int64(j)
			w.row(op.At, op.ID, weight)
		}
	}
}

// allDifferent says whether no id occurs twice; of long lists it does not know.
func allDifferent(ids []ir.ID) bool {
	if len(ids) > 16 {
		return false
	}
	for i, a := range ids {
		for _, b := range ids[:i] {
			if a == b {
				return false
			}
		}
	}
	return true
}

func (e *exporter) opMaxParts(w *writer) {
	for i := range e.plan.Graph.Ops {
		if op := &e.plan.Graph.Ops[i]; op.MaxParts != ir.None {
			w.row(op.At, op.ID, e.num(op.MaxParts))
		}
	}
}

func (e *exporter) opWindows(w *writer) {
	for i := range e.plan.Graph.Ops {
		if op := &e.plan.Graph.Ops[i]; op.Windows != ir.None {
			w.row(op.At, op.ID, e.num(op.Windows))
		}
	}
}

func (e *exporter) opForwards(w *writer) {
	for i := range e.plan.Graph.Ops {
		if op := &e.plan.Graph.Ops[i]; op.Forwards != ir.NoID {
			w.row(op.At, op.ID, op.Forwards)
		}
	}
}

func (e *exporter) edges(w *writer) {
	edges := e.plan.Graph.Edges
	if w.places == nil {
		w.distinct = e.outEdges().pairsDiffer
	}
	w.grow(len(edges))
	for i := range edges {
		w.row(edges[i].At, edges[i].From, edges[i].To)
	}
}

func (e *exporter) edgeValues(w *writer) {
	for i := range e.plan.Graph.Edges {
		edge := &e.plan.Graph.Edges[i]
		size := edge.Size
		if size == ir.None {
			if v, ok := e.value(edge.Value); ok {
				size = e.plan.Graph.Values[v].Size
			}
		}
		if size != ir.None {
			w.row(edge.At, edge.From, edge.To, carried(edge), e.num(size))
		}
	}
}

// carried returns the value on an edge; an op's only value has the op's id.
func carried(edge *ir.Edge) ir.ID {
	if edge.Value == ir.NoID {
		return edge.From
	}
	return edge.Value
}

func (e *exporter) edgeNamedValues(w *writer) {
	for i := range e.plan.Graph.Edges {
		if edge := &e.plan.Graph.Edges[i]; edge.Value != ir.NoID {
			w.row(edge.At, edge.From, edge.To, edge.Value)
		}
	}
}

func (e *exporter) repeatedEdges(w *writer) {
	for _, i := range e.outEdges().repeated {
		edge := &e.plan.Graph.Edges[i]
		w.row(edge.At, edge.From, edge.To, carried(edge))
	}
}
