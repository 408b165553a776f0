package facts

import (
	"slices"

	"plancheck/ir"
)

// adopt makes the exporter of a parent plan: the plan of the phase before, with
// which rules compare a plan. Ids get the constants of the plan's own table, so
// that what both have in common is equal. Only ops and instances are taken over.
func (e *exporter) adopt(parent *ir.Plan) {
	reduced := &ir.Plan{Symbols: e.plan.Symbols, Source: parent.Source}
	id := func(id ir.ID) ir.ID { return id }
	if parent.Symbols != e.plan.Symbols {
		id = func(id ir.ID) ir.ID { return e.plan.Symbols.String(parent.Text(id)) }
	}
	reduced.Graph.Ops = slices.Clone(parent.Graph.Ops)
	for i := range reduced.Graph.Ops {
		op := &reduced.Graph.Ops[i]
		op.ID = id(op.ID)
	}
	reduced.Assignment = ir.Assignment{At: parent.Assignment.At, Instances: slices.Clone(parent.Assignment.Instances)}
	for i := range reduced.Assignment.Instances {
		in := &reduced.Assignment.Instances[i]
		in.Op = id(in.Op)
	}
	// The adopted exporter keeps the whole parent for its digest.
	e.parent, e.adopted = parent, &exporter{document: OfPlan(reduced), plan: reduced, parent: parent, limit: e.limit}
}

// of returns the exporter of the document that a relation is read from; nil
// where there is no such document.
func (e *exporter) of(r Relation) *exporter {
	switch {
	case r.OfParent() && r.rows.schema != "":
		if e.above == nil || e.above.document.fills() != r.rows.schema {
			return nil
		}
		return e.above
	case r.OfParent():
		return e.adopted
	case r.rows.schema == everyLevel || e.above == nil || r.rows.schema == e.document.fills():
		return e
	case r.rows.schema == e.above.document.fills():
		return e.above
	}
	return e
}

// fills is the schema of the relations that only documents of this one fill.
func (d *Document) fills() string {
	if d.body == nil {
		return ""
	}
	return d.Schema
}

// FromParent says whether the rows of a relation are from the parent.
func (f *Facts) FromParent(relation string) bool {
	for _, r := range Relations() {
		if r.Name == relation {
			return f.exporter.of(r) != f.exporter
		}
	}
	return false
}

// wholeAssignmentDigest is written for the parent, by the exporter of its
// reduced plan.
func (e *exporter) wholeAssignmentDigest(w *writer) {
	w.text(e.plan.Assignment.At, ir.AssignmentDigest(e.parent))
}

func (e *exporter) assignmentContentDigest(w *writer) {
	if e.parent != nil {
		w.text(e.plan.Assignment.At, ir.AssignmentDigest(e.plan))
	}
}
