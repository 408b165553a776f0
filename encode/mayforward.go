package encode

import (
	"plancheck/internal/search/schedule"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// forwardIDs finds the ids that forwards would have, and says whether they are
// the same in every plan.
func (b *mayBuilder) forwardIDs() bool {
	g := &b.plan.Graph
	used := map[ir.ID]bool{}
	for i := range g.Ops {
		used[g.Ops[i].ID] = true
	}
	for i := range g.Values {
		used[g.Values[i].ID] = true
	}
	for i := range g.Inputs {
		used[g.Inputs[i].ID] = true
	}
	b.ids = map[hop]ir.ID{}
	for v := range b.Problem.Values {
		if b.Problem.Values[v].Forward == 0 {
			continue
		}
		for s := range b.Problem.Stages {
			id := b.plan.Symbols.String(forwardID(b.plan.Text(b.values[v].id), s))
			if used[id] {
				return false // another one is made up, which depends on the others
			}
			used[id], b.ids[hop{v, s}] = true, id
		}
	}
	return true
}

// forwards are what forwards make of the graph. It says whether there may be
// any.
func (b *mayBuilder) forwards() bool {
	if len(b.ids) == 0 {
		return false
	}
	b.graphOps()
	of := map[ir.ID]int{}
	for v := range b.values {
		if b.values[v].input < 0 {
			of[b.values[v].id] = v
		}
	}
	b.graphEdges(of)
	b.graphInputs()
	for v := range b.Problem.Values {
		for s := range b.Problem.Stages {
			if id, may := b.ids[hop{v, s}]; may {
				b.forwardOp(v, s, id)
				b.fed(v, s, id)
			}
		}
	}
	return true
}

func carriedThrough(v, stage int) schedule.Claim {
	return schedule.Claim{What: schedule.IsCarried, A: v, B: stage}
}

// graphOps are the rows of the graph's own ops, which are always there.
func (b *mayBuilder) graphOps() {
	b.declare("op", "op_lane", "op_kind", "op_forwards", "forward_cycles", "instance_listed")
	num := b.plan.Symbols.Int
	g := &b.plan.Graph
	for i := range g.Inputs {
		if n := g.Inputs[i].ForwardCycles; n != ir.None {
			b.add("forward_cycles", []symbol.Value{g.Inputs[i].ID, num(n)})
		}
	}
	for i := range g.Values {
		if n := g.Values[i].ForwardCycles; n != ir.None {
			b.add("forward_cycles", []symbol.Value{g.Values[i].ID, num(n)})
		}
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		b.add("op", []symbol.Value{op.ID, num(op.Lanes), num(op.Work)})
		for lane := range op.Lanes {
			b.add("op_lane", []symbol.Value{op.ID, num(lane)})
			b.add("instance_listed", []symbol.Value{op.ID, num(lane)})
		}
		if op.Kind != "" {
			b.add("op_kind", []symbol.Value{op.ID, b.plan.Symbols.String(op.Kind)})
		}
		if op.Forwards != ir.NoID {
			b.add("op_forwards", []symbol.Value{op.ID, op.Forwards})
		}
		if op.ForwardCycles != ir.None {
			b.add("forward_cycles", []symbol.Value{op.ID, num(op.ForwardCycles)})
		}
	}
}

// edge is an edge that is there when all claims are true. A value of NoID is
// the only one of from.
func (b *mayBuilder) edge(from, to, value ir.ID, size int64, claims ...schedule.Claim) {
	b.add("edge", []symbol.Value{from, to}, claims...)
	carries := from
	if value != ir.NoID {
		b.add("edge_named_value", []symbol.Value{from, to, value}, claims...)
		carries = value
	}
	if size != ir.None {
		b.add("edge_value", []symbol.Value{from, to, carries, b.plan.Symbols.Int(size)}, claims...)
	}
}

// graphEdges are the edges of the graph, which are there while the reader is at
// most one stage later, and else read from forwards.
func (b *mayBuilder) graphEdges(of map[ir.ID]int) {
	b.declare("edge", "edge_value", "edge_named_value")
	p := b.Problem
	number, sizes := map[ir.ID]int{}, map[ir.ID]int64{}
	for i := range b.plan.Graph.Ops {
		number[b.plan.Graph.Ops[i].ID] = i
	}
	for i := range b.plan.Graph.Values {
		sizes[b.plan.Graph.Values[i].ID] = b.plan.Graph.Values[i].Size
	}
	for i := range b.plan.Graph.Edges {
		e := &b.plan.Graph.Edges[i]
		size := e.Size
		if known, listed := sizes[e.Value]; size == ir.None && listed {
			size = known
		}
		v, to := of[carried(e)], number[e.To]
		if p.Values[v].Forward == 0 {
			b.edge(e.From, e.To, e.Value, size)
			continue
		}
		// Behind a forward the edge has the size of the value, or its own where
		// that is not known.
		behind := p.Values[v].Bytes
		if behind == schedule.Unknown {
			behind = e.Size
		}
		from := p.Values[v].From
		for s := range p.Stages {
			for t := range p.Stages {
				if t <= s+1 && b.mayBeIn(from, s) && b.mayBeIn(to, t) {
					b.edge(e.From, e.To, e.Value, size, inStage(from, s), inStage(to, t))
				}
			}
			if s+1 < p.Stages {
				b.edge(b.ids[hop{v, s}], e.To, ir.NoID, behind, carriedThrough(v, s), inStage(to, s+1))
			}
		}
	}
}

func (b *mayBuilder) graphInputs() {
	b.declare("input_consumer")
	number, value := map[ir.ID]int{}, map[int]int{}
	for i := range b.plan.Graph.Ops {
		number[b.plan.Graph.Ops[i].ID] = i
	}
	for v := range b.values {
		if b.values[v].input >= 0 && b.Problem.Values[v].Forward > 0 {
			value[b.values[v].input] = v
		}
	}
	for i := range b.plan.Graph.Inputs {
		in := &b.plan.Graph.Inputs[i]
		v, carries := value[i]
		for _, id := range in.Consumers {
			if !carries {
				b.add("input_consumer", []symbol.Value{in.ID, id})
				continue
			}
			to := number[id]
			b.add("input_consumer", []symbol.Value{in.ID, id}, inStage(to, 0))
			for s := range b.Problem.Stages - 1 {
				b.edge(b.ids[hop{v, s}], id, ir.NoID, b.Problem.Values[v].Bytes, carriedThrough(v, s), inStage(to, s+1))
			}
		}
	}
}

// forwardOp is what a forward makes by itself.
func (b *mayBuilder) forwardOp(v, s int, id ir.ID) {
	value := &b.values[v]
	there := carriedThrough(v, s)
	num := b.plan.Symbols.Int
	b.add("op", []symbol.Value{id, b.num(b.Problem.Values[v].Forward), num(value.work)}, there)
	b.add("op_kind", []symbol.Value{id, b.plan.Symbols.String(ir.KindForward)}, there)
	b.add("op_forwards", []symbol.Value{id, b.origin(v)}, there)
	if !value.told {
		b.add("forward_cycles", []symbol.Value{id, num(value.work)}, there)
	}
	for lane := range b.Problem.Values[v].Forward {
		l := b.num(lane)
		b.add("op_lane", []symbol.Value{id, l}, there)
		b.add("instance_listed", []symbol.Value{id, l}, there)
		b.add("instance_stage", []symbol.Value{id, l, b.num(s)}, there)
		for c := range b.Problem.Cores {
			on := schedule.Claim{What: schedule.ForwardOnCore, A: v, B: s, C: lane, D: c}
			b.add("instance", []symbol.Value{id, l, b.num(s), b.num(c)}, on)
			b.add("instance_core", []symbol.Value{id, l, b.num(c)}, on)
		}
	}
}

// fed is what a forward reads from: the one in the stage before, or what makes
// the value.
func (b *mayBuilder) fed(v, s int, id ir.ID) {
	value := &b.values[v]
	claims := []schedule.Claim{carriedThrough(v, s)}
	if before, may := b.ids[hop{v, s - 1}]; may {
		b.edge(before, id, ir.NoID, b.Problem.Values[v].Bytes, claims[0], carriedThrough(v, s-1))
		claims = append(claims, carriedThrough(v, s-1).Opposite())
	}
	if value.input >= 0 {
		if s == 0 {
			b.add("input_consumer", []symbol.Value{b.plan.Graph.Inputs[value.input].ID, id}, claims...)
		}
		return
	}
	size := b.Problem.Values[v].Bytes
	if size == schedule.Unknown && value.named != ir.NoID {
		for i := range b.plan.Graph.Values {
			if b.plan.Graph.Values[i].ID == value.named {
				size = b.plan.Graph.Values[i].Size
			}
		}
	}
	b.edge(b.plan.Graph.Ops[b.Problem.Values[v].From].ID, id, value.named, size, claims...)
}
