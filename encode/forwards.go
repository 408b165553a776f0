package encode

import (
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// place of a forward: a value of the problem and a stage.
type hop struct{ value, stage int }

// chains are the forwards of a solution as ops of the plan that is made.
type chains struct {
	*Model
	plan  *ir.Plan
	stage []int          // of each op of the problem
	ops   map[hop]ir.ID  // the forward in each place
	of    map[ir.ID]int  // values of results of ops by the id that edges carry
	index map[ir.ID]int  // ops of the problem
	used  map[ir.ID]bool // ids of ops, values and inputs
}

// forward adds the forwards of a solution to the graph and lets readers read
// from them.
func (m *Model) forward(p *ir.Plan, s *schedule.Solution) {
	if len(s.Forwards) == 0 {
		return
	}
	c := &chains{Model: m, plan: p, stage: s.Stage, ops: map[hop]ir.ID{}, of: map[ir.ID]int{}, index: map[ir.ID]int{}, used: map[ir.ID]bool{}}
	c.learn()
	for _, f := range s.Forwards {
		c.ops[hop{f.Value, f.Stage}] = c.add(f.Value, f.Stage)
	}
	c.rewireEdges()
	c.rewireInputs()
	for _, f := range s.Forwards {
		c.feed(f.Value, f.Stage)
	}
}

func (c *chains) learn() {
	g := &c.plan.Graph
	for i := range g.Ops {
		c.index[g.Ops[i].ID], c.used[g.Ops[i].ID] = i, true
	}
	for i := range g.Values {
		c.used[g.Values[i].ID] = true
	}
	for i := range g.Inputs {
		c.used[g.Inputs[i].ID] = true
	}
	for v := range c.values {
		if c.values[v].input < 0 {
			c.of[c.values[v].id] = v
		}
	}
}

// add makes the op of a forward. What it costs is stated where the graph and the
// target do not tell, so that it can be carried on some day.
func (c *chains) add(v, stage int) ir.ID {
	value := &c.values[v]
	id := c.fresh(forwardID(c.plan.Text(value.id), stage))
	op := ir.Op{
		ID: id, Kind: ir.KindForward, Lanes: int64(c.Problem.Values[v].Forward), Work: value.work,
		MaxParts: ir.None, Windows: ir.None, Forwards: c.origin(v), ForwardCycles: value.work,
	}
	if value.told {
		op.ForwardCycles = ir.None
	}
	c.plan.Graph.Ops = append(c.plan.Graph.Ops, op)
	return id
}

// origin is the id of what a forward of a value carries: where a forward of the
// graph makes the value, that is what this one carries already.
func (m *Model) origin(v int) ir.ID {
	if from := m.Problem.Values[v].From; from != schedule.Outside {
		if carries := m.plan.Graph.Ops[from].Forwards; carries != ir.NoID {
			return carries
		}
	}
	return m.values[v].id
}

// forwardID is the id of the forward of a value in a stage, if nothing else has
// it.
func forwardID(value string, stage int) string {
	return "forward:" + value + ":" + decimal(int64(stage))
}

// fresh makes an id that nothing has of a text.
func (c *chains) fresh(text string) ir.ID {
	id := unique(c.plan, text, c.used)
	c.used[id] = true
	return id
}

// unique returns the id with a text, or with a number behind the text where it
// is used.
func unique(p *ir.Plan, text string, used map[ir.ID]bool) ir.ID {
	id := p.Symbols.String(text)
	for n := int64(2); used[id]; n++ {
		id = p.Symbols.String(text + ":" + decimal(n))
	}
	return id
}

// from returns the forward from which an op in a stage reads a value.
func (c *chains) from(v, stage int) (ir.ID, bool) {
	id, ok := c.ops[hop{v, stage - 1}]
	return id, ok
}

func (c *chains) rewireEdges() {
	g := &c.plan.Graph
	for i := range g.Edges {
		e := &g.Edges[i]
		v := c.of[carried(e)]
		to := c.stage[c.index[e.To]]
		if to <= c.stage[c.Problem.Values[v].From]+1 {
			continue
		}
		if id, ok := c.from(v, to); ok {
			e.From, e.Value = id, ir.NoID
			if bytes := c.Problem.Values[v].Bytes; bytes != schedule.Unknown {
				e.Size = bytes
			}
		}
	}
}

func (c *chains) rewireInputs() {
	g := &c.plan.Graph
	for v := range c.values {
		i := c.values[v].input
		if i < 0 {
			continue
		}
		in := &g.Inputs[i]
		var kept []ir.ID
		moved := map[ir.ID]bool{}
		for _, op := range in.Consumers {
			id, ok := c.from(v, c.stage[c.index[op]])
			if !ok {
				kept = append(kept, op)
			} else if !moved[op] { // a consumer may be listed twice
				moved[op] = true
				g.Edges = append(g.Edges, ir.Edge{From: id, To: op, Size: c.Problem.Values[v].Bytes})
			}
		}
		in.Consumers = kept
	}
}

// feed lets a forward read its value.
func (c *chains) feed(v, stage int) {
	g := &c.plan.Graph
	id := c.ops[hop{v, stage}]
	value := &c.values[v]
	edge := ir.Edge{To: id, Size: c.Problem.Values[v].Bytes}
	before, chained := c.from(v, stage)
	switch {
	case chained:
		edge.From = before
	case value.input >= 0:
		g.Inputs[value.input].Consumers = append(g.Inputs[value.input].Consumers, id)
		return
	default:
		edge.From, edge.Value = g.Ops[c.Problem.Values[v].From].ID, value.named
	}
	g.Edges = append(g.Edges, edge)
}
