package encode

import (
	"slices"

	"plancheck/ir"
)

// withoutForwards returns the plan without its forwards: who read one reads the
// value itself. Offsets into the source stay.
func withoutForwards(p *ir.Plan) *ir.Plan {
	carried := map[ir.ID]ir.ID{} // by forward, what it carries
	for i := range p.Graph.Ops {
		if op := &p.Graph.Ops[i]; op.Forwards != ir.NoID {
			carried[op.ID] = op.Forwards
		}
	}
	if len(carried) == 0 {
		return p
	}
	q := *p
	gone := func(id ir.ID) bool { _, is := carried[id]; return is }
	q.Graph.Ops = slices.DeleteFunc(slices.Clone(p.Graph.Ops), func(op ir.Op) bool { return gone(op.ID) })
	q.Assignment.Instances = slices.DeleteFunc(slices.Clone(p.Assignment.Instances), func(in ir.Instance) bool { return gone(in.Op) })
	q.Assignment.Splits = slices.DeleteFunc(slices.Clone(p.Assignment.Splits), func(s ir.Split) bool { return gone(s.Op) })
	q.Assignment.Replicas = slices.DeleteFunc(slices.Clone(p.Assignment.Replicas), func(r ir.Replica) bool { return gone(r.Op) })
	q.Graph.Inputs = slices.Clone(p.Graph.Inputs)
	for i := range q.Graph.Inputs {
		in := &q.Graph.Inputs[i]
		var consumers []ir.ID
		var at []uint32
		for k, op := range in.Consumers {
			if !gone(op) {
				consumers = append(consumers, op)
				if in.ConsumersAt != nil {
					at = append(at, in.ConsumersAt[k])
				}
			}
		}
		in.Consumers, in.ConsumersAt = consumers, at
	}
	from := map[ir.ID]ir.ID{} // by listed value, its op
	for _, v := range p.Graph.Values {
		from[v.ID] = v.From
	}
	input := map[ir.ID]int{}
	for i := range q.Graph.Inputs {
		input[q.Graph.Inputs[i].ID] = i
	}
	type read struct{ from, to, value ir.ID }
	seen := map[read]bool{}
	q.Graph.Edges = nil
	add := func(e ir.Edge) {
		if key := (read{e.From, e.To, e.Value}); !seen[key] {
			seen[key] = true
			q.Graph.Edges = append(q.Graph.Edges, e)
		}
	}
	for _, e := range p.Graph.Edges {
		if !gone(e.From) && !gone(e.To) {
			add(e)
		}
	}
	for _, e := range p.Graph.Edges {
		if !gone(e.From) || gone(e.To) {
			continue
		}
		value := carried[e.From]
		for n := 0; gone(value) && n < len(carried); n++ { // a forward that says it carries another one
			value = carried[value]
		}
		if gone(value) {
			continue // forwards that carry each other carry nothing
		}
		if i, is := input[value]; is {
			in := &q.Graph.Inputs[i]
			if !slices.Contains(in.Consumers, e.To) {
				in.Consumers = append(in.Consumers, e.To)
				if in.ConsumersAt != nil {
					in.ConsumersAt = append(in.ConsumersAt, e.At)
				}
			}
			continue
		}
		e.From, e.Value = value, ir.NoID
		if op, listed := from[value]; listed {
			e.From, e.Value = op, value
		}
		add(e)
	}
	renewDigests(&q)
	return &q
}
