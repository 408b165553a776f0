package encode

import (
	"fmt"
	"slices"

	"plancheck/ir"
)

// reconnect lets ops that read a value from too far behind read it from a
// forward of that value which the graph has already, in the op's stage or the one
// before. It returns how many reads it has changed. The lists of edges and inputs
// of q are its own afterwards.
func reconnect(q *ir.Plan, c *changes) int {
	at := wishedStages(q)
	forwards := map[ir.ID][]ir.ID{} // of each value
	for i := range q.Graph.Ops {
		if op := &q.Graph.Ops[i]; op.Forwards != ir.NoID {
			forwards[op.Forwards] = append(forwards[op.Forwards], op.ID)
		}
	}
	if len(forwards) == 0 {
		return 0
	}
	// near is the forward of a value from which an op can read.
	near := func(value, to ir.ID) (ir.ID, bool) {
		stage, known := at[to]
		for _, f := range forwards[value] {
			if s, there := at[f]; known && there && f != to && (s == stage || s+1 == stage) {
				return f, true
			}
		}
		return ir.NoID, false
	}
	n := 0
	q.Graph.Edges = slices.Clone(q.Graph.Edges)
	for i := range q.Graph.Edges {
		e := &q.Graph.Edges[i]
		from, known := at[e.From]
		if to, there := at[e.To]; !known || !there || to <= from+1 {
			continue
		}
		if f, ok := near(carried(e), e.To); ok {
			c.add(ChangeEdge, false, fmt.Sprintf("op %s: reads %s from %s", q.Symbols.Show(e.To), q.Symbols.Show(carried(e)), q.Symbols.Show(f)), pointer("graph", "edges", i))
			e.From, e.Value = f, ir.NoID
			n++
		}
	}
	return n + reconnectInputs(q, c, at, near)
}

func reconnectInputs(q *ir.Plan, c *changes, at map[ir.ID]int64, near func(value, to ir.ID) (ir.ID, bool)) int {
	n := 0
	q.Graph.Inputs = slices.Clone(q.Graph.Inputs)
	for i := range q.Graph.Inputs {
		in := &q.Graph.Inputs[i]
		if !in.Dynamic {
			continue
		}
		var kept []ir.ID
		for j, op := range in.Consumers {
			f, ok := near(in.ID, op)
			if stage, known := at[op]; !ok || !known || stage == 0 {
				kept = append(kept, op)
				continue
			}
			c.add(ChangeEdge, false, fmt.Sprintf("op %s: reads %s from %s", q.Symbols.Show(op), q.Symbols.Show(in.ID), q.Symbols.Show(f)), pointer("graph", "inputs", i, "consumers", j))
			q.Graph.Edges = append(q.Graph.Edges, ir.Edge{From: f, To: op, Size: in.Size})
			n++
		}
		if len(kept) < len(in.Consumers) {
			if kept == nil {
				kept = []ir.ID{}
			}
			in.Consumers, in.ConsumersAt = kept, nil
		}
	}
	return n
}

// wishedStages are the stages of ops whose instances agree.
func wishedStages(p *ir.Plan) map[ir.ID]int64 {
	at := map[ir.ID]int64{}
	differ := map[ir.ID]bool{}
	for i := range p.Assignment.Instances {
		in := &p.Assignment.Instances[i]
		stage, known := at[in.Op]
		if in.Stage == ir.None || known && stage != in.Stage {
			differ[in.Op] = true
		}
		at[in.Op] = in.Stage
	}
	for op := range differ {
		delete(at, op)
	}
	return at
}
