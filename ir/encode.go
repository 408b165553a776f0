package ir

// Encode writes a plan as a document of the schema PlanSchema: UTF-8, one
// entity a line, the same bytes for the same plan. Decoding it gives the plan
// back. A plan that Validate objects to is written too, as far as JSON can tell
// it.
func Encode(p *Plan) []byte {
	w := newPlanWriter(p, &writer{})
	w.document()
	return append(w.buf, '\n')
}

// planWriter writes the parts of a plan in the style of its writer.
type planWriter struct {
	*writer
	plan    *Plan
	symbols int     // how many constants the plan's table has
	lanes   []int64 // of each op, by the dense number of its id; for the canonical style
}

func newPlanWriter(p *Plan, w *writer) planWriter {
	pw := planWriter{writer: w, plan: p}
	if p.Symbols != nil {
		pw.symbols = p.Symbols.Len()
	}
	if w.canonical {
		pw.lanes = make([]int64, pw.symbols)
		for i := range p.Graph.Ops {
			if n, ok := pw.dense(p.Graph.Ops[i].ID); ok {
				pw.lanes[n] = p.Graph.Ops[i].Lanes
			}
		}
	}
	return pw
}

// dense returns the dense number of an id, and false for what is not an id of
// the plan.
func (w planWriter) dense(id ID) (int, bool) {
	n, ok := id.Index()
	return n, ok && n < w.symbols
}

// worth says whether a list is written. The canonical style does not tell an
// empty list from an absent one.
func worth[T any](w planWriter, list []T) bool {
	return len(list) > 0 || list != nil && !w.canonical
}

// listed makes a section of a list of entities.
func listed[T any](w planWriter, key string, there bool, entities []T, entity func(*T)) section {
	return section{key: key, there: there, tall: true, write: func() { lines(w.writer, entities, entity) }}
}

// texted makes a section of a string, absent when it is empty.
func (w planWriter) texted(key, text string) section {
	return section{key: key, there: text != "", write: func() { w.text(text) }}
}

// counted makes a section of a number, absent when it is None.
func (w planWriter) counted(key string, n int64) section {
	return section{key: key, there: n != None, write: func() { w.integer(n) }}
}

func (w planWriter) document() {
	p := w.plan
	a := &p.Assignment
	digest := w.texted("digest", p.Digest)
	digest.there = digest.there && !w.canonical
	w.object(
		w.texted("schema", PlanSchema),
		w.texted("name", p.Name),
		digest,
		listed(w, "parents", worth(w, p.Parents), p.Parents, w.parent),
		w.counted("logical_cores", p.LogicalCores),
		section{key: "options", there: p.Options.Nonempty || p.Options.Forward, write: func() { w.options(&p.Options) }},
		section{key: "target", there: p.Target != nil, tall: true, write: func() { w.target(p.Target) }},
		section{key: "graph", there: p.Graph.Ops != nil || p.Program == nil, tall: true, write: w.graph},
		// That these sections are given says something, even when they are empty.
		listed(w, "stages", p.Stages != nil, p.Stages, w.stage),
		section{key: "assignment", there: w.assigned(a), tall: true, write: func() { w.assignment(a) }},
		listed(w, "transfers", worth(w, p.Transfers), p.Transfers, w.transfer),
		listed(w, "sync", worth(w, p.Syncs), p.Syncs, w.sync),
		section{key: "program", there: p.Program != nil, tall: true, write: func() { w.program(p.Program) }},
	)
}

func (w planWriter) target(t *Target) {
	w.object(
		section{key: "topology", there: t.Mesh != nil || t.Distances != nil, write: func() { w.topology(t) }},
		w.counted("core_count", t.CoreCount),
		w.counted("bytes_per_cycle", t.BytesPerCycle),
		listed(w, "cores", true, t.Cores, w.core),
	)
}

func (w planWriter) topology(t *Target) {
	w.object(
		section{key: "mesh", there: t.Mesh != nil, write: func() { row(w.writer, t.Mesh, w.integer) }},
		listed(w, "distances", t.Distances != nil, t.Distances, func(hops *[]int64) { row(w.writer, *hops, w.integer) }),
	)
}

func (w planWriter) graph() {
	g := &w.plan.Graph
	digest := w.texted("digest", g.Digest)
	digest.there = digest.there && !w.canonical
	w.object(
		digest,
		listed(w, "inputs", worth(w, g.Inputs), g.Inputs, w.input),
		listed(w, "weights", worth(w, g.Weights), g.Weights, w.weight),
		listed(w, "values", worth(w, g.Values), g.Values, w.value),
		listed(w, "ops", true, g.Ops, w.op),
		listed(w, "edges", worth(w, g.Edges), g.Edges, w.edge),
	)
}

func (w planWriter) assigned(a *Assignment) bool {
	return a.GraphDigest != "" || worth(w, a.Instances) || worth(w, a.Splits) ||
		a.Residency != nil || worth(w, a.Replicas) || a.Placement != nil
}

func (w planWriter) assignment(a *Assignment) {
	w.object(
		w.texted("graph_digest", a.GraphDigest),
		listed(w, "instances", worth(w, a.Instances), a.Instances, w.instance),
		listed(w, "splits", worth(w, a.Splits), a.Splits, w.split),
		listed(w, "residency", a.Residency != nil, a.Residency, w.resident),
		listed(w, "replicas", worth(w, a.Replicas), a.Replicas, w.replica),
		section{key: "placement", there: a.Placement != nil, tall: true, write: func() { row(w.writer, a.Placement, w.hole) }},
	)
}
