package example

import (
	"fmt"
	"slices"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// complete builds the legal plan.
func (m model) complete() (*ir.Plan, error) {
	net := m.layers()
	s := newSchedule(net, m.machine, m.stages)
	s.addForwards()
	packed, cores, err := s.packStages(m.machine, m.stages, net.paramBytes)
	if err != nil {
		return nil, fmt.Errorf("building %s: %w", m.name, err)
	}
	p := m.newPlan(net, s)
	first := int64(0)
	for k := range m.stages {
		p.Stages = append(p.Stages, ir.Stage{Index: int64(k), First: first, Count: cores[k]})
		first += cores[k]
	}
	for i, n := range s.nodes {
		stage := s.stage[i]
		on := slices.Clone(packed[stage].cores[i])
		for lane := range on {
			on[lane] += p.Stages[stage].First
		}
		p.Assignment.Instances = append(p.Assignment.Instances, ir.Instance{
			Op: p.Symbols.String(n.id), Stage: int64(stage), Part: ir.None, Cores: on,
		})
	}
	p.Assignment.Placement = m.machine.snake()
	return p, nil
}

// holes builds the plan of which nearly nothing is decided. Values that a
// solver will have to forward have no forwards yet.
func (m model) holes() (*ir.Plan, error) {
	net := m.layers()
	s := newSchedule(net, m.machine, m.stages)
	p := m.newPlan(net, s)
	for k := range m.stages {
		p.Stages = append(p.Stages, ir.Stage{Index: int64(k), First: ir.None, Count: ir.None})
	}
	for i, n := range s.nodes {
		stage := int64(ir.None)
		switch i {
		case 0:
			stage = 0
		case len(s.nodes) - 1:
			stage = int64(m.stages - 1)
		}
		p.Assignment.Instances = append(p.Assignment.Instances, ir.Instance{
			Op: p.Symbols.String(n.id), Stage: stage, Part: ir.None,
		})
	}
	return p, nil
}

// newPlan writes down what is given: the machine and the graph.
func (m model) newPlan(net *network, s *schedule) *ir.Plan {
	p := &ir.Plan{Symbols: symbol.NewTable(), Name: m.name, LogicalCores: m.machine.cores()}
	p.Target = &ir.Target{Mesh: []int64{m.machine.rows, m.machine.cols}, CoreCount: m.machine.cores(), BytesPerCycle: copyBytesPerCycle}
	for id := range m.machine.cores() {
		p.Target.Cores = append(p.Target.Cores, ir.Core{
			ID: id, Row: id / m.machine.cols, Col: id % m.machine.cols, Capacity: m.machine.capacity,
		})
	}
	op := func(r ref) ir.ID { return p.Symbols.String(s.nodes[r].id) }
	for _, in := range net.inputs {
		given := ir.Input{ID: p.Symbols.String(in.id), Dynamic: in.dynamic, Size: in.bytes, ForwardCycles: ir.None}
		for _, r := range in.readers {
			given.Consumers = append(given.Consumers, op(r))
		}
		p.Graph.Inputs = append(p.Graph.Inputs, given)
	}
	known := map[string]bool{}
	for i, n := range s.nodes {
		made := ir.Op{
			ID: op(ref(i)), Kind: n.kind, Lanes: s.lanes[i], Work: s.work(i),
			MaxParts: ir.None, Windows: ir.None, Forwards: ir.NoID, ForwardCycles: ir.None,
		}
		if s.value[i] != ordinary {
			made.Forwards = op(s.value[i])
		}
		for _, w := range n.weights {
			id := p.Symbols.String(w.id)
			made.Weights = append(made.Weights, id)
			if !known[w.id] {
				known[w.id] = true
				p.Graph.Weights = append(p.Graph.Weights, ir.Weight{ID: id, Size: w.params * net.paramBytes / s.lanes[i]})
			}
		}
		p.Graph.Ops = append(p.Graph.Ops, made)
		for _, from := range n.from {
			p.Graph.Edges = append(p.Graph.Edges, ir.Edge{
				From: op(from), To: op(ref(i)), Value: ir.NoID, Size: s.nodes[from].outBytes,
			})
		}
	}
	return p
}
