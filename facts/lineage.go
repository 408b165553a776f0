package facts

import "plancheck/ir"

// lineageRelations tell what entities of a plan were made from. Each kind of
// entity has relations of its own, as ids are unique within a kind only.
func lineageRelations() []Relation {
	all := []Relation{{"plan_parent", []Column{str("Schema"), str("Digest")}, "/parents", "The plan was made from a document of this schema and content.",
		"the plan was made from a {Schema} with digest {Digest}", true, rows{write: (*exporter).planParents}}}
	for _, of := range []struct {
		name, column, section, noun string
		each                        func(*exporter, func(ir.ID, *ir.Lineage))
	}{
		{"op", "Op", "/graph/ops", "op", (*exporter).opLineages},
		{"buffer", "Buffer", "/program/buffers", "buffer", (*exporter).bufferLineages},
		{"command", "Command", "/program/commands", "command", (*exporter).commandLineages},
	} {
		who := of.noun + " {" + of.column + "}"
		if of.noun == "command" {
			who = "{Command}"
		}
		all = append(all,
			Relation{of.name + "_lineage", []Column{str(of.column), str("Kind")}, of.section, "How the " + of.noun + " came to be.",
				who + " is {Kind}", true, rows{field: "kind", write: func(e *exporter, w *writer) {
					of.each(e, func(id ir.ID, l *ir.Lineage) { w.row(l.At, id, e.plan.Symbols.String(l.Kind)) })
				}}},
			Relation{of.name + "_transform", []Column{str(of.column), str("Transform")}, of.section, "What made the " + of.noun + ".",
				who + " was made by {Transform}", true, rows{field: "transform", write: func(e *exporter, w *writer) {
					of.each(e, func(id ir.ID, l *ir.Lineage) {
						if l.Transform != "" {
							w.row(l.At, id, e.plan.Symbols.String(l.Transform))
						}
					})
				}}},
			Relation{of.name + "_source", []Column{str(of.column), str("Source")}, of.section, "The " + of.noun + " was made from this entity of a document that the plan was made from.",
				who + " was made from {Source}", true, rows{field: "sources", entry: true, write: func(e *exporter, w *writer) {
					of.each(e, func(id ir.ID, l *ir.Lineage) {
						for i, source := range l.Sources {
							w.entry = int64(i)
							w.row(l.At, id, source)
						}
					})
				}}},
			Relation{of.name + "_reason", []Column{str(of.column), str("Reason")}, of.section, "Why the " + of.noun + " was generated.",
				who + " was generated: {Reason}", true, rows{field: "reason", write: func(e *exporter, w *writer) {
					of.each(e, func(id ir.ID, l *ir.Lineage) {
						if l.Reason != "" {
							w.row(l.At, id, e.plan.Symbols.String(l.Reason))
						}
					})
				}}})
	}
	return all
}

func (e *exporter) planParents(w *writer) {
	for _, p := range e.plan.Parents {
		w.row(p.At, e.plan.Symbols.String(p.Schema), e.plan.Symbols.String(p.Digest))
	}
}

func (e *exporter) opLineages(tell func(ir.ID, *ir.Lineage)) {
	for i := range e.plan.Graph.Ops {
		if o := &e.plan.Graph.Ops[i]; o.Lineage != nil {
			tell(o.ID, o.Lineage)
		}
	}
}

func (e *exporter) bufferLineages(tell func(ir.ID, *ir.Lineage)) {
	for i := range e.program().Buffers {
		if b := &e.program().Buffers[i]; b.Lineage != nil {
			tell(b.ID, b.Lineage)
		}
	}
}

func (e *exporter) commandLineages(tell func(ir.ID, *ir.Lineage)) {
	for i := range e.program().Commands {
		if c := &e.program().Commands[i]; c.Lineage != nil {
			tell(c.ID, c.Lineage)
		}
	}
}
