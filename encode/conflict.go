package encode

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/internal/strictjson"
	"plancheck/ir"
)

// Statement is one or several constraints of a conflict in the plan's words.
type Statement struct {
	Text string
	// Of are the constraints, by their numbers in the conflict: several for a
	// path of edges, the readers of an input, or the lanes of an op.
	Of []int
	// Parts says in short what each of them is, and where; where there is only
	// one, that of the statement.
	Parts []StatementPart
}

// StatementPart is a constraint: an edge of a path, a reader of an input, a lane.
type StatementPart struct {
	Text string
	// Pos is without a line where the plan does not say it: the command line does,
	// or the plan was not read from a file.
	Pos         diag.Position
	Snippet     string
	SnippetSkip int
}

// Prices are what a forward of each value takes, also where it must not be
// carried; no cycles where nothing tells.
func (m *Model) Prices() []schedule.Price { return m.prices }

// Statements tells a conflict, edges first as long paths, in an order that does
// not depend on how it was found.
func (m *Model) Statements(core []schedule.Constraint) []Statement {
	t := &teller{Model: m, core: core}
	t.paths()
	t.inputs()
	t.lanes()
	for _, i := range t.inOrder() {
		switch c := core[i]; c.Kind {
		case schedule.StagePinned:
			t.single(i, fmt.Sprintf("op %s is pinned to stage %d", m.op(c.Of), m.Problem.Ops[c.Of].Lo), m.stageAt[c.Of])
		case schedule.Filled:
			at := uint32(0) // the options of the caller
			if m.plan.Options.Nonempty {
				at = m.plan.Options.At
			}
			t.single(i, "no stage may be empty", at)
		case schedule.RangeGiven:
			t.single(i, m.rangeText(c.Of), m.rangeAt(c.Of))
		case schedule.Capacity:
			t.single(i, m.capacityText(c.Of), m.plan.Target.Cores[c.Of].At)
		case schedule.Placed:
			place := m.Problem.Places[c.Of]
			t.single(i, fmt.Sprintf("logical core %d is placed on physical core %d", c.Of, m.plan.Target.Cores[place].ID), m.placeAt(c.Of))
		}
	}
	return t.placed()
}

// inOrder numbers the constraints by kinds, those of one kind as the plan does.
func (t *teller) inOrder() []int {
	order := make([]int, len(t.core))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := t.core[i], t.core[j]
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Of, b.Of))
	})
	return order
}

// teller gathers statements.
type teller struct {
	*Model
	core []schedule.Constraint
	list []Statement
	at   []uint32 // of all parts of all statements
}

func (t *teller) single(i int, text string, at uint32) {
	t.list = append(t.list, Statement{Text: text, Of: []int{i}, Parts: []StatementPart{{Text: text}}})
	t.at = append(t.at, at)
}

func (t *teller) several(text string, of []int, parts []string, at []uint32) {
	s := Statement{Text: text, Of: of}
	for _, p := range parts {
		s.Parts = append(s.Parts, StatementPart{Text: p})
	}
	t.list = append(t.list, s)
	t.at = append(t.at, at...)
}

// placed gives the parts their places.
func (t *teller) placed() []Statement {
	src := t.plan.Source
	if src == nil {
		return t.list
	}
	pointers := strictjson.Pointers(src.Text(), t.at)
	n := 0
	for i := range t.list {
		for j := range t.list[i].Parts {
			p := &t.list[i].Parts[j]
			p.Pos.File = src.Name
			if at := t.at[n]; at > 0 {
				p.Pos = src.Position(int(at))
				p.Pos.Pointer = pointers[n]
				p.Snippet, p.SnippetSkip = src.Excerpt(int(at))
			}
			n++
		}
	}
	return t.list
}

// strict says whether the reader of an edge has to be in the next stage at most.
func (m *Model) strict(read int) bool {
	return m.Problem.Values[m.Problem.Reads[read].Value].Forward == 0
}

func (m *Model) producer(read int) int { return m.Problem.Values[m.Problem.Reads[read].Value].From }

// paths joins edges that meet in ops where no other edge of the conflict does.
func (t *teller) paths() {
	in, out := map[int][]int{}, map[int][]int{} // edges of each op, by number in the conflict
	var edges []int
	for i, c := range t.core {
		if c.Kind == schedule.Reading && t.producer(c.Of) != schedule.Outside {
			edges = append(edges, i)
		}
	}
	slices.SortStableFunc(edges, func(a, b int) int { return t.core[a].Of - t.core[b].Of })
	for _, i := range edges {
		read := t.core[i].Of
		from, to := t.producer(read), t.Problem.Reads[read].To
		out[from], in[to] = append(out[from], i), append(in[to], i)
	}
	// through is the edge behind i, where the path goes on.
	through := func(i, op int, edges map[int][]int) int {
		if len(in[op]) != 1 || len(out[op]) != 1 {
			return -1
		}
		next := edges[op][0]
		if t.strict(t.core[next].Of) != t.strict(t.core[i].Of) {
			return -1
		}
		return next
	}
	done := map[int]bool{}
	var paths [][]int
	for _, i := range edges {
		first := i
		for before := first; before >= 0 && !done[first]; { // edges have no cycle
			first = before
			before = through(first, t.producer(t.core[first].Of), in)
		}
		var path []int
		for next := first; next >= 0 && !done[next]; {
			done[next] = true
			path = append(path, next)
			next = through(next, t.Problem.Reads[t.core[next].Of].To, out)
		}
		if path != nil {
			paths = append(paths, path)
		}
	}
	if len(paths) > mostPaths {
		t.manyEdges(edges)
		return
	}
	for _, path := range paths {
		t.path(path)
	}
}

// mostPaths is how many paths are told one by one.
const mostPaths = 6

// manyEdges tells edges that are too many paths.
func (t *teller) manyEdges(edges []int) {
	for _, strict := range []bool{true, false} {
		var of []int
		var parts []string
		var at []uint32
		for _, i := range edges {
			if read := t.core[i].Of; t.strict(read) == strict {
				of = append(of, i)
				parts = append(parts, t.arrow(t.op(t.producer(read)), t.op(t.Problem.Reads[read].To)))
				at = append(at, t.readAt[read])
			}
		}
		how := "the reader is in the stage of the op that it reads or in the next one"
		if !strict {
			how = "the reader is not in an earlier stage than the op that it reads"
		}
		if of != nil {
			t.several(fmt.Sprintf("edges %s: in each, %s", few(parts), how), of, parts, at)
		}
	}
}

func (t *teller) path(path []int) {
	names := []string{t.op(t.producer(t.core[path[0]].Of))}
	var parts []string
	var at []uint32
	for _, i := range path {
		to := t.op(t.Problem.Reads[t.core[i].Of].To)
		parts = append(parts, t.arrow(names[len(names)-1], to))
		names = append(names, to)
		at = append(at, t.readAt[t.core[i].Of])
	}
	strict := t.strict(t.core[path[0]].Of)
	first, last := names[0], names[len(names)-1]
	text := ""
	switch {
	case len(path) == 1 && strict:
		text = fmt.Sprintf("edge %s: op %s is in the stage of op %s or in the next one", parts[0], last, first)
	case len(path) == 1:
		text = fmt.Sprintf("edge %s: op %s is not in an earlier stage than op %s", parts[0], last, first)
	case strict:
		text = fmt.Sprintf("path %s: each op is in the stage of the one before it or in the next one", t.arrow(names...))
	default:
		text = fmt.Sprintf("path %s: no op is in an earlier stage than the one before it", t.arrow(names...))
	}
	t.several(text, path, parts, at)
}

// arrow joins the names of ops, of a long path its ends.
func (t *teller) arrow(names ...string) string {
	const ends = 4
	if len(names) > 3*ends {
		middle := fmt.Sprintf("(%d more)", len(names)-2*ends)
		names = slices.Concat(names[:ends], []string{middle}, names[len(names)-ends:])
	}
	return strings.Join(names, " -> ")
}

// inputs tells who reads inputs, each reader by itself unless there are many.
func (t *teller) inputs() {
	const single = 3
	of := map[int][]int{} // of each value
	var order []int
	for i, c := range t.core {
		if c.Kind == schedule.Reading && t.producer(c.Of) == schedule.Outside {
			v := t.Problem.Reads[c.Of].Value
			if of[v] == nil {
				order = append(order, v)
			}
			of[v] = append(of[v], i)
		}
	}
	slices.Sort(order)
	for _, v := range order {
		readers := of[v]
		slices.SortStableFunc(readers, func(a, b int) int { return t.core[a].Of - t.core[b].Of })
		var names, parts []string
		var at []uint32
		for _, i := range readers {
			op := t.op(t.Problem.Reads[t.core[i].Of].To)
			names = append(names, op)
			parts = append(parts, fmt.Sprintf("input %s -> %s", t.value(v), op))
			at = append(at, t.readAt[t.core[i].Of])
		}
		if len(readers) > single {
			t.several(fmt.Sprintf("ops %s read the dynamic input %s, so they are in stage 0", few(names), t.value(v)), readers, parts, at)
			continue
		}
		for n, i := range readers {
			t.single(i, fmt.Sprintf("op %s reads the dynamic input %s, so it is in stage 0", names[n], t.value(v)), at[n])
		}
	}
}

// few names some of many.
func few(names []string) string {
	const shown = 8
	if len(names) > shown+1 {
		return strings.Join(names[:shown], ", ") + fmt.Sprintf(" and %d more", len(names)-shown)
	}
	return strings.Join(names, ", ")
}

// lanes joins the lanes of one op that are pinned to cores.
func (t *teller) lanes() {
	of := map[int][]int{}
	var order []int
	for i, c := range t.core {
		if c.Kind == schedule.CorePinned {
			if of[c.Of] == nil {
				order = append(order, c.Of)
			}
			of[c.Of] = append(of[c.Of], i)
		}
	}
	slices.Sort(order)
	for _, op := range order {
		shares := of[op]
		slices.SortStableFunc(shares, func(a, b int) int { return t.core[a].Share - t.core[b].Share })
		o := &t.Problem.Ops[op]
		var names, parts []string
		var at []uint32
		for _, i := range shares {
			share := t.core[i].Share
			name := fmt.Sprintf("lane %d", share/o.Parts)
			if t.split[op] {
				name = fmt.Sprintf("part %d of lane %d", share%o.Parts, share/o.Parts)
			}
			names = append(names, fmt.Sprintf("%s to core %d", name, o.Pins[share]))
			parts = append(parts, fmt.Sprintf("%s of op %s is pinned to core %d", name, t.op(op), o.Pins[share]))
			at = append(at, t.coreAt(op, share))
		}
		if len(shares) == 1 {
			t.single(shares[0], parts[0], at[0])
			continue
		}
		t.several(fmt.Sprintf("lanes of op %s are pinned: %s", t.op(op), few(names)), shares, parts, at)
	}
}

func (m *Model) rangeText(stage int) string {
	r := m.Problem.Ranges[stage]
	if r.Count == 1 {
		return fmt.Sprintf("stage %d has core %d only", stage, r.First)
	}
	return fmt.Sprintf("stage %d has cores %d to %d", stage, r.First, r.First+r.Count-1)
}

func (m *Model) capacityText(core int) string {
	return fmt.Sprintf("%s: no more than %s of weights on a core", m.alikeText(core), diag.Counted(m.Problem.Machine[core].Capacity, "byte"))
}

func (m *Model) rangeAt(stage int) uint32 {
	for i := range m.plan.Stages {
		if s := &m.plan.Stages[i]; s.Index == int64(stage) {
			return s.At
		}
	}
	return 0
}

func (m *Model) placeAt(core int) uint32 {
	a := &m.plan.Assignment
	return offset(a.PlacementsAt, core, a.PlacementAt)
}

// coreAt is where the plan says on which core a share is.
func (m *Model) coreAt(op, share int) uint32 {
	parts := m.Problem.Ops[op].Parts
	for i := range m.plan.Assignment.Instances {
		in := &m.plan.Assignment.Instances[i]
		if in.Op != m.plan.Graph.Ops[op].ID || in.Part != ir.None && in.Part != int64(share%parts) {
			continue
		}
		for n, core := range in.Cores {
			lane := int64(n)
			if in.Lanes != nil {
				lane = in.Lanes[n]
			}
			if core != ir.None && lane == int64(share/parts) {
				return in.At
			}
		}
	}
	return 0
}
