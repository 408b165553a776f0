package facts

import (
	"plancheck/internal/poly"
	"plancheck/ir/portable"
)

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
	values := map[string]int64{}
	for _, b := range p.Bindings {
		values[b.Symbol] = b.Value
	}
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
