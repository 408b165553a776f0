package facts

import (
	"plancheck/internal/poly"
	"plancheck/ir/evidence"
	"plancheck/ir/portable"
)

// computedRelations are those of levels that no single field fills.
func computedRelations() []Relation {
	all := []Relation{portableAmounts(), portableSizes(), evidenceAbout()}
	return append(append(all, shapeRelations()...), machineRelations()...)
}

// evidenceAbout is the relation of what records are about, all of it in one
// column, so that rules find those about the same without comparing each with
// each.
func evidenceAbout() Relation {
	return Relation{
		Name: "evidence_about", Cols: []Column{str("Record"), str("About")}, Section: "/records",
		Doc:  "What a record is about, written in one way: the op, and the data type, implementation, dimensions, bytes and participants where it names them.",
		Says: "record {Record} is about {About}", Distinct: true,
		rows: rows{write: (*exporter).evidenceAbout, schema: evidence.EvidenceSchema},
	}
}

func (e *exporter) evidenceAbout(w *writer) {
	known, ok := e.document.Body().(*evidence.Evidence)
	if !ok {
		return
	}
	for i := range known.Records {
		s := &known.Records[i]
		w.row(s.At, e.plan.Symbols.String(s.ID), e.plan.Symbols.String(s.About()))
	}
}

// portableAmounts is the relation of what the quantities of tasks are after
// symbols have their values: rules do not reckon with polynomials.
func portableAmounts() Relation {
	return Relation{
		Name: "portable_task_amount", Cols: []Column{str("Task"), str("Quantity"), num("Amount")}, Section: "/tasks",
		Doc:  "How much a quantity of the task's workload is, where symbols that are in it have values and it is more than 0.",
		Says: "{Quantity} of task {Task} are {Amount}", Distinct: true,
		rows: rows{write: (*exporter).portableAmounts, schema: portable.Schema},
	}
}

func (e *exporter) portableAmounts(w *writer) {
	p, ok := e.document.Body().(*portable.Plan)
	if !ok {
		return
	}
	values := p.Values()
	for i := range p.Tasks {
		t := &p.Tasks[i]
		for _, x := range []struct {
			name   string
			amount poly.Poly
		}{
			{"operations", t.Work.Operations}, {"read_bytes", t.Work.Read}, {"write_bytes", t.Work.Write}, {"message_bytes", t.Work.Message},
		} {
			bound, err := x.amount.Bind(values)
			if n, whole := bound.Int(); err == nil && whole && n > 0 {
				w.row(t.At, e.plan.Symbols.String(t.ID), e.plan.Symbols.String(x.name), e.num(n))
			}
		}
	}
}

// portableSizes is the relation of how large buffers are after symbols have their
// values.
func portableSizes() Relation {
	return Relation{
		Name: "portable_buffer_size", Cols: []Column{str("Buffer"), num("Bytes")}, Section: "/buffers",
		Doc:  "How many bytes a buffer has, where symbols that are in its size have values.",
		Says: "buffer {Buffer} has {Bytes bytes} in the portable plan", Distinct: true,
		rows: rows{write: (*exporter).portableSizes, field: "size_bytes", schema: portable.Schema},
	}
}

func (e *exporter) portableSizes(w *writer) {
	p, ok := e.document.Body().(*portable.Plan)
	if !ok {
		return
	}
	values := p.Values()
	for i := range p.Buffers {
		b := &p.Buffers[i]
		bound, err := b.Size.Bind(values)
		if n, whole := bound.Int(); err == nil && whole {
			w.row(b.At, e.plan.Symbols.String(b.ID), e.num(n))
		}
	}
}
