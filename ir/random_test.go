package ir

import (
	"fmt"
	"math"
	"slices"

	"pgregory.net/rapid"

	"plancheck/internal/symbol"
)

// random draws parts of valid plans.
type random struct {
	*rapid.T
	symbols *symbol.Table
}

func (r random) int(name string, low, high int) int { return rapid.IntRange(low, high).Draw(r.T, name) }

func (r random) coin(name string) bool { return rapid.Bool().Draw(r.T, name) }

// number draws a number of at least least, often an extreme one.
func (r random) number(name string, least int64) int64 {
	return rapid.OneOf(rapid.Int64Range(least, least+5), rapid.Int64Range(least, math.MaxInt64),
		rapid.SampledFrom([]int64{math.MaxInt64, math.MaxInt64 - 1, 1<<53 + 1, 1 << 31})).Draw(r.T, name)
}

func (r random) optional(name string, least int64) int64 {
	if r.coin(name + " absent") {
		return None
	}
	return r.number(name, least)
}

// oddities are parts of ids and names that are easily got wrong.
var oddities = []string{"a", "A", "é", "e\u0301", "\x00", "\n", "\t", `"`, `\`, `\u0041`, "/", "~1", "\u2028", "\u202e", "\x7f", "😀", "\ufffd", "\ufeff", " ", "{", "'"}

func (r random) text(name string) string {
	text := ""
	for range r.int(name+" length", 0, 4) {
		text += rapid.SampledFrom(oddities).Draw(r.T, name)
	}
	return text
}

// ids draws ids that differ from each other and from those with another prefix.
func (r random) ids(prefix string, most int) []ID {
	ids := make([]ID, r.int(prefix+" count", 0, most))
	for i := range ids {
		ids[i] = r.symbols.String(fmt.Sprintf("%s%d%s", prefix, i, r.text(prefix)))
	}
	return ids
}

// listOf draws a list that is nil, empty or holds up to most elements.
func listOf[T any](r random, name string, most int, draw func(i int) T) []T {
	n := r.int(name+" length", -1, most)
	if n < 0 {
		return nil
	}
	list := make([]T, 0, n)
	for i := range n {
		list = append(list, draw(i))
	}
	return list
}

// some draws entries about things; without things there are none.
func some[T, E any](r random, name string, things []T, draw func(i int, of T) E) []E {
	if len(things) == 0 {
		return nil
	}
	return listOf(r, name, 3, func(i int) E { return draw(i, rapid.SampledFrom(things).Draw(r.T, name+" of")) })
}

// each draws an entry for each of the first things.
func each[T, E any](r random, name string, things []T, draw func(i int, of T) E) []E {
	if len(things) == 0 {
		return listOf(r, name, 0, func(int) (e E) { return e })
	}
	var entries []E
	for i := range r.int(name+" count", 0, len(things)) {
		entries = append(entries, draw(i, things[i]))
	}
	return entries
}

func (r random) lanesAndCores() (lanes, cores []int64) {
	n := r.int("entries", 0, 3)
	for range n {
		lanes = append(lanes, r.number("lane", 0))
		cores = append(cores, r.optional("core", 0))
	}
	if n == 0 {
		lanes, cores = []int64{}, []int64{}
	}
	if r.coin("no lanes") {
		lanes = nil
	}
	if r.coin("no cores") {
		cores = nil
	}
	return lanes, cores
}

// plan draws a plan that Validate has nothing against.
func (r random) plan() *Plan {
	p := &Plan{Symbols: r.symbols, Name: r.text("name"), Digest: r.text("digest"), LogicalCores: r.optional("logical cores", 0)}
	p.Parents = listOf(r, "parents", 2, func(int) Parent {
		return Parent{Schema: r.text("schema of a parent"), Digest: r.text("digest of a parent")}
	})
	p.Options = Options{Nonempty: r.coin("non-empty stages"), Forward: r.coin("forward")}
	if r.coin("target") {
		p.Target = r.target()
	}
	ops := r.graph(&p.Graph)
	p.Stages = listOf(r, "stages", 3, func(i int) Stage {
		s := Stage{Index: int64(7 * (i + 1) % 5), First: None, Count: None}
		if r.coin("range") {
			s.First, s.Count = r.number("first", 0), r.number("count", 0)
		}
		return s
	})
	r.assignment(&p.Assignment, ops, p.Graph.Weights)
	p.Transfers = each(r, "transfers", ops, func(i int, op ID) Transfer {
		return Transfer{ID: r.symbols.String(fmt.Sprint("t", i)), From: op, To: ops[0],
			Stage: r.optional("stage", 0), FromStage: r.optional("from", 0), ToStage: r.optional("to", 0)}
	})
	p.Syncs = each(r, "sync", ops, func(i int, op ID) Sync {
		return Sync{ID: r.symbols.String(fmt.Sprint("t", i)), Op: op, Stage: r.optional("stage", 0)}
	})
	if r.coin("program") {
		p.Program = r.program()
		if len(ops) == 0 && p.Graph.Digest == "" && r.coin("no graph") {
			if g := &p.Graph; len(g.Weights) == 0 && len(g.Inputs) == 0 {
				p.Graph = Graph{}
				p.Assignment.Residency = nil
			}
		}
	}
	return p
}

// lineage draws where something is from, nil for nothing said.
func (r random) lineage() *Lineage {
	if !r.coin("lineage") {
		return nil
	}
	l := &Lineage{Kind: rapid.SampledFrom(LineageKinds()).Draw(r.T, "kind of lineage"), Transform: r.text("transform"), Reason: r.text("reason")}
	if r.coin("sources") {
		l.Sources = r.ids("source", 2)
	}
	return l
}

func (r random) target() *Target {
	t := &Target{CoreCount: r.optional("core count", 0), BytesPerCycle: r.optional("bytes per cycle", 1), Cores: []Core{}}
	for i := range r.int("cores", 0, 3) {
		c := Core{ID: math.MaxInt64 - int64(i), Row: None, Col: None, Capacity: r.optional("capacity", 0), Kind: r.text("kind")}
		if r.coin("at") {
			c.Row, c.Col = r.number("row", 0), r.number("column", 0)
		}
		t.Cores = append(t.Cores, c)
	}
	switch r.int("topology", 0, 2) {
	case 1:
		t.Mesh = []int64{r.number("rows", 1), r.number("columns", 1)}
	case 2:
		t.Distances = [][]int64{}
		for range t.Cores {
			row := make([]int64, len(t.Cores))
			for i := range row {
				row[i] = r.number("hops", 0)
			}
			t.Distances = append(t.Distances, row)
		}
	}
	return t
}

func (r random) graph(g *Graph) (ops []ID) {
	ops = r.ids("op", 4)
	weights, values, inputs := r.ids("w", 3), r.ids("value", 2), r.ids("input", 2)
	g.Digest = r.text("graph digest")
	g.Weights = each(r, "weights", weights, func(_ int, id ID) Weight { return Weight{ID: id, Size: r.number("size", 0)} })
	g.Inputs = each(r, "inputs", inputs, func(_ int, id ID) Input {
		in := Input{ID: id, Dynamic: r.coin("dynamic"), Size: r.optional("size", 0), ForwardCycles: r.optional("forward cycles", 0), Consumers: []ID{}}
		return in.reading(some(r, "consumers", ops, func(_ int, op ID) ID { return op }))
	})
	if len(ops) > 0 {
		g.Values = each(r, "values", values, func(i int, id ID) Value {
			return Value{ID: id, From: ops[i%len(ops)], Size: r.optional("size", 0), ForwardCycles: r.optional("forward cycles", 0)}
		})
	}
	g.Ops = []Op{}
	for _, id := range ops {
		op := Op{ID: id, Kind: r.text("kind"), Lanes: r.number("lanes", 1), Work: r.number("work", 0),
			MaxParts: r.optional("parts", 1), Windows: r.optional("windows", 1), ForwardCycles: None}
		if !slices.ContainsFunc(g.Values, func(v Value) bool { return v.From == id }) {
			op.ForwardCycles = r.optional("forward cycles", 0)
		}
		op.WorkOn = listOf(r, "kinds", 3, func(i int) KindWork {
			return KindWork{Kind: fmt.Sprint(i, r.text("kind of core")), Cycles: r.number("work on a kind", 0)}
		})
		op.Weights = some(r, "op weights", g.Weights, func(_ int, w Weight) ID { return w.ID })
		if r.coin("forwards") {
			op.Forwards = rapid.SampledFrom(ops).Draw(r.T, "forwards")
		}
		op.Lineage = r.lineage()
		g.Ops = append(g.Ops, op)
	}
	g.Edges = some(r, "edges", ops, func(_ int, from ID) Edge {
		e := Edge{From: from, To: rapid.SampledFrom(ops).Draw(r.T, "to"), Size: r.optional("size", 0)}
		var made []ID
		for _, v := range g.Values {
			if v.From == from {
				made = append(made, v.ID)
			}
		}
		if len(made) > 1 || len(made) == 1 && r.coin("names its value") {
			e.Value = rapid.SampledFrom(made).Draw(r.T, "value")
		}
		return e
	})
	for _, v := range g.Values {
		g.Edges = append(g.Edges, Edge{From: v.From, To: ops[0], Value: v.ID, Size: None})
	}
	return ops
}

func (in Input) reading(consumers []ID) Input {
	in.Consumers = append(in.Consumers, consumers...)
	return in
}

func (r random) assignment(a *Assignment, ops []ID, weights []Weight) {
	a.GraphDigest = r.text("assignment's graph digest")
	a.Instances = some(r, "instances", ops, func(_ int, op ID) Instance {
		i := Instance{Op: op, Stage: r.optional("stage", 0), Part: r.optional("part", 0)}
		i.Lanes, i.Cores = r.lanesAndCores()
		return i
	})
	a.Splits = each(r, "splits", ops, func(_ int, op ID) Split { return Split{Op: op, Parts: r.number("parts", 1)} })
	a.Residency = some(r, "residency", weights, func(_ int, w Weight) Resident {
		res := Resident{Weight: w.ID, Part: None, Parts: None}
		res.Lanes, res.Cores = r.lanesAndCores()
		if res.Cores == nil {
			res.Cores = make([]int64, len(res.Lanes))
		}
		for i := range res.Cores {
			res.Cores[i] = max(res.Cores[i], 0)
		}
		if r.coin("part") {
			res.Part, res.Parts = r.number("part", 0), r.number("parts", 1)
		}
		return res
	})
	a.Replicas = each(r, "replicas", ops, func(i int, op ID) Replica {
		return Replica{Op: op, Index: int64(i), First: r.number("first", 0), Count: r.number("count", 0)}
	})
	a.Placement = listOf(r, "placement", 3, func(int) int64 { return r.optional("physical", 0) })
}
