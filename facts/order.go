package facts

import (
	"slices"

	"plancheck/ir"
)

// outEdges are the edges by the op that they leave.
type outEdges struct {
	// Edges of op i, by position in Graph.Ops, are list[start[i]:start[i+1]],
	// themselves positions in Graph.Edges, in document order.
	start, list []int32
	// to is the op that each edge of list reaches.
	to []int32
	// repeated are the second occurrences of edges that are listed more than
	// once with one value, in document order.
	repeated []int32
	// pairsDiffer says that no two edges join the same ops.
	pairsDiffer bool
}

func (e *exporter) outEdges() *outEdges {
	if e.out != nil {
		return e.out
	}
	ops, edges := e.plan.Graph.Ops, e.plan.Graph.Edges
	o := &outEdges{
		start:       make([]int32, len(ops)+1),
		list:        make([]int32, len(edges)),
		to:          make([]int32, len(edges)),
		pairsDiffer: true,
	}
	for i := range edges {
		from, _ := e.op(edges[i].From)
		o.start[from+1]++
	}
	for i := range ops {
		o.start[i+1] += o.start[i]
	}
	next := slices.Clone(o.start)
	for i := range edges {
		from, _ := e.op(edges[i].From)
		to, _ := e.op(edges[i].To)
		o.list[next[from]], o.to[next[from]] = int32(i), int32(to)
		next[from]++
	}
	for i := range ops {
		o.findRepeats(edges, o.list[o.start[i]:o.start[i+1]])
	}
	slices.Sort(o.repeated)
	e.out = o
	return o
}

// findRepeats looks for repeats among the edges of one op.
func (o *outEdges) findRepeats(edges []ir.Edge, list []int32) {
	const few = 16
	if len(list) > few {
		o.findRepeatsOfMany(edges, list)
		return
	}
	for i, a := range list {
		copies := 0
		for _, b := range list[:i] {
			if edges[a].To == edges[b].To {
				o.pairsDiffer = false
				if edges[a].Value == edges[b].Value {
					copies++
				}
			}
		}
		if copies == 1 {
			o.repeated = append(o.repeated, a)
		}
	}
}

func (o *outEdges) findRepeatsOfMany(edges []ir.Edge, list []int32) {
	type key struct{ to, value ir.ID }
	copies := make(map[key]int, len(list))
	pairs := make(map[ir.ID]bool, len(list))
	for _, a := range list {
		k := key{edges[a].To, edges[a].Value}
		if copies[k] == 1 {
			o.repeated = append(o.repeated, a)
		}
		copies[k]++
		o.pairsDiffer = o.pairsDiffer && !pairs[k.to]
		pairs[k.to] = true
	}
}

// of returns the ops that edges of op i reach, and the edges.
func (o *outEdges) of(i int) (to, edges []int32) {
	return o.to[o.start[i]:o.start[i+1]], o.list[o.start[i]:o.start[i+1]]
}

// unranked is the rank of an op that a cycle reaches.
const unranked = -1

// rank numbers the ops so that the number grows along every edge but those
// from an op to itself: the length of the longest path that ends in the op.
// Ops on a cycle or behind one have none.
func (e *exporter) rank() []int64 {
	if e.ranks != nil {
		return e.ranks
	}
	o := e.outEdges()
	n := len(e.plan.Graph.Ops)
	waiting := make([]int32, n) // edges in whose tail has no rank yet
	for i := range n {
		to, _ := o.of(i)
		for _, t := range to {
			if int(t) != i {
				waiting[t]++
			}
		}
	}
	ranks := make([]int64, n)
	ready := make([]int32, 0, n)
	for i := range n {
		if waiting[i] == 0 {
			ready = append(ready, int32(i))
		}
	}
	for next := 0; next < len(ready); next++ {
		i := int(ready[next])
		to, _ := o.of(i)
		for _, t := range to {
			if int(t) == i {
				continue
			}
			ranks[t] = max(ranks[t], ranks[i]+1)
			if waiting[t]--; waiting[t] == 0 {
				ready = append(ready, t)
			}
		}
	}
	for i := range n {
		if waiting[i] > 0 {
			ranks[i] = unranked
		}
	}
	e.ranks = ranks
	return ranks
}

func (e *exporter) opRanks(w *writer) {
	ranks := e.rank()
	w.grow(len(ranks))
	for i, r := range ranks {
		if r != unranked {
			op := &e.plan.Graph.Ops[i]
			w.row(op.At, op.ID, e.num(r))
		}
	}
}

func (e *exporter) graphCycle(w *writer) {
	if e.cycle == nil {
		e.cycle = append([]int32{}, smallestCycle(e.outEdges(), e.rank())...)
	}
	for step, i := range e.cycle {
		edge := &e.plan.Graph.Edges[i]
		w.row(edge.At, e.num(int64(step)), edge.From, edge.To)
	}
}
