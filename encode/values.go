package encode

import (
	"fmt"
	"slices"

	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// readValues makes a value of each result that edges carry and of each dynamic
// input. As for the rules, an edge that names no value carries one that has the
// op's own id, and a value is as large as the largest of its edges says.
func (b *builder) readValues() {
	b.readEdges()
	b.readInputs()
	if b.options.Forward {
		b.allowForwards()
	}
}

func (b *builder) readEdges() {
	type pair struct {
		value, to int
	}
	known := map[ir.ID]int{}
	sized := map[pair]bool{} // whether a size is known for what goes to an op
	for i := range b.plan.Graph.Edges {
		e := &b.plan.Graph.Edges[i]
		id := carried(e)
		v, there := known[id]
		if !there {
			v = len(b.model.values)
			known[id] = v
			b.model.values = append(b.model.values, value{id: id, named: e.Value, input: -1})
			b.problem.Values = append(b.problem.Values, schedule.Value{From: b.ops[e.From]})
		}
		read := pair{v, b.ops[e.To]}
		if _, there := sized[read]; !there {
			b.problem.Reads = append(b.problem.Reads, schedule.Read{Value: v, To: read.to})
			b.model.readAt = append(b.model.readAt, e.At)
		}
		size := b.size(e)
		sized[read] = sized[read] || size != ir.None
		b.problem.Values[v].Bytes = max(b.problem.Values[v].Bytes, size)
	}
	for _, r := range b.problem.Reads {
		if !sized[pair{r.Value, r.To}] {
			b.problem.Values[r.Value].Bytes = schedule.Unknown
		}
	}
}

// carried is the id of the value on an edge.
func carried(e *ir.Edge) ir.ID {
	if e.Value == ir.NoID {
		return e.From
	}
	return e.Value
}

// size is what is known of the size of what an edge carries.
func (b *builder) size(e *ir.Edge) int64 {
	if v, known := b.listed[e.Value]; known && e.Size == ir.None {
		return b.plan.Graph.Values[v].Size
	}
	return e.Size
}

func (b *builder) readInputs() {
	for i := range b.plan.Graph.Inputs {
		in := &b.plan.Graph.Inputs[i]
		if !in.Dynamic || len(in.Consumers) == 0 {
			continue
		}
		v := len(b.model.values)
		b.model.values = append(b.model.values, value{id: in.ID, input: i})
		b.problem.Values = append(b.problem.Values, schedule.Value{From: schedule.Outside, Bytes: in.Size})
		seen := map[int]bool{}
		for at, id := range in.Consumers {
			if op := b.ops[id]; !seen[op] {
				seen[op] = true
				b.problem.Reads = append(b.problem.Reads, schedule.Read{Value: v, To: op})
				b.model.readAt = append(b.model.readAt, offset(in.ConsumersAt, at, in.At))
			}
		}
	}
}

// allowForwards finds the values that may need forwards, and what one costs. A
// value for which the graph has a forward already keeps to it.
func (b *builder) allowForwards() {
	has := map[ir.ID]bool{}
	for i := range b.plan.Graph.Ops {
		if op := &b.plan.Graph.Ops[i]; op.Forwards != ir.NoID {
			has[op.Forwards] = true
		}
	}
	var unpriced []int
	far := make([]int, len(b.problem.Values)) // the last stage in which a reader may be
	for _, r := range b.problem.Reads {
		far[r.Value] = max(far[r.Value], b.problem.Ops[r.To].Hi)
	}
	for v := range b.problem.Values {
		value := &b.problem.Values[v]
		from := schedule.Outside
		if value.From != schedule.Outside {
			from = b.problem.Ops[value.From].Lo
		}
		if b.hasForward(has, v) {
			continue
		}
		if far[v] <= from+1 {
			b.model.near = append(b.model.near, v)
			continue
		}
		work, ok := b.forwardWork(v)
		if !ok {
			unpriced = append(unpriced, v)
			continue
		}
		b.model.values[v].work = work
		price := b.price(v, work)
		value.Forward, value.Cycles = price.Lanes, price.Cycles
	}
	b.unpriced(unpriced)
}

// price is what a forward of a value takes that has so much work.
func (b *builder) price(v int, work int64) schedule.Price {
	lanes := int64(1)
	if from := b.problem.Values[v].From; from != schedule.Outside {
		lanes = max(1, min(work, int64(b.problem.Ops[from].Lanes)))
	}
	p := schedule.Price{Lanes: int(lanes), Cycles: make([]int64, b.problem.Kinds)}
	for k := range p.Cycles {
		p.Cycles[k] = ceil(work, lanes)
	}
	return p
}

// prices is what forwards would take, also of values that must not be carried,
// and whether anything tells it; else it is no time.
func (b *builder) prices() (list []schedule.Price, known []bool) {
	quiet := *b
	model := *b.model
	model.values = slices.Clone(model.values)
	quiet.model, quiet.reports = &model, reports{plan: b.plan}
	list, known = make([]schedule.Price, len(b.problem.Values)), make([]bool, len(b.problem.Values))
	for v := range list {
		work, ok := quiet.forwardWork(v)
		list[v], known[v] = b.price(v, max(work, 0)), ok
	}
	return list, known
}

// entry returns the graph's entry for a value: of the only one of an op also
// where edges do not name it.
func (b *builder) entry(v int) (*ir.Value, bool) {
	value := &b.model.values[v]
	if i, listed := b.listed[value.named]; listed {
		return &b.plan.Graph.Values[i], true
	}
	if of := b.valueOf[value.id]; value.input < 0 && len(of) == 1 {
		return &b.plan.Graph.Values[of[0]], true
	}
	return nil, false
}

func (b *builder) hasForward(has map[ir.ID]bool, v int) bool {
	entry, listed := b.entry(v)
	return has[b.model.values[v].id] || listed && has[entry.ID]
}

// origin is what makes a value: what it is called in messages, where the graph
// has it, and the cycles of a forward that the graph states there.
func (b *builder) origin(v int) (what string, at uint32, stated int64) {
	value := &b.model.values[v]
	g := &b.plan.Graph
	if value.input >= 0 {
		return "input", g.Inputs[value.input].At, g.Inputs[value.input].ForwardCycles
	}
	if entry, listed := b.entry(v); listed {
		return "value", entry.At, entry.ForwardCycles
	}
	op := &g.Ops[b.problem.Values[v].From]
	return "op", op.At, op.ForwardCycles
}

// forwardWork returns the work of a forward of a value: as stated, or as long as
// its bytes take, or as the options say; false where none of these tells.
func (b *builder) forwardWork(v int) (int64, bool) {
	_, _, stated := b.origin(v)
	bytes, t := b.problem.Values[v].Bytes, b.plan.Target
	switch {
	case stated != ir.None:
		return stated, true
	case bytes != schedule.Unknown && t != nil && t.BytesPerCycle != ir.None:
		b.model.values[v].told = true
		return ceil(bytes, t.BytesPerCycle), true
	}
	return b.options.ForwardCycles, b.options.ForwardCycles >= 0
}

// unpriced reports values of which nothing tells the work of a forward. They are
// one report: a plan that does not say it of one value mostly says it of none.
func (b *builder) unpriced(values []int) {
	if b.options.Unpriced {
		b.model.Unpriced = len(values)
		return
	}
	if len(values) == 0 {
		return
	}
	what, at, _ := b.origin(values[0])
	id := b.show(b.model.values[values[0]].id)
	size, others := "the size of "+what+" "+id, ""
	if what == "op" {
		size = "the size_bytes of all edges from it"
	}
	if n := len(values) - 1; n > 0 {
		others = ", nor one of " + diag.Counted(n, "other value")
	}
	b.reports.add(at, "forward-work-unknown", fmt.Sprintf("nothing says how many cycles a forward of %s %s takes%s", what, id, others),
		fmt.Sprintf("state its forward_cycles, or %s and the bytes_per_cycle of the target, or give --forward-cycles", size))
}

// offset is an entry's own offset, or else that of what it is in.
func offset(list []uint32, i int, within uint32) uint32 {
	if i < len(list) {
		return list[i]
	}
	return within
}
