package facts

import (
	"plancheck/internal/costs"
	"plancheck/ir/evidence"
	"plancheck/ir/portable"
	"plancheck/ir/timeline"
)

// costRelations are numbers that rules cannot reckon, as they have no fractions
// and no polynomials: what formulas of a target give, and the sizes of tasks.
func costRelations() []Relation {
	return []Relation{
		{"formula_cost", []Column{str("Task"), str("Formula"), num("Duration")}, "/tasks", "What the formulas of the target give for what is asked of a bound task, by the factor that its cost states and rounded once; only of a binding beside a target, where they give anything.",
			"by the formula {Formula} task {Task} takes {Duration} ps", true, rows{write: (*exporter).formulaCosts, schema: evidence.BindingSchema}},
		{"formula_component", []Column{str("Task"), str("Name"), num("Duration")}, "/tasks", "A part of what the formulas of the target give for a bound task, before any factor and rounded by itself.",
			"by formula {Name} of task {Task} takes {Duration} ps", true, rows{write: (*exporter).formulaComponents, schema: evidence.BindingSchema}},
		{"portable_task_dim", []Column{str("Task"), num("Axis"), num("Size")}, "/tasks", "The sizes that a task is about, where symbols that are in them have values: rows, inner size and columns of a matrix product, else the shape of the first input.",
			"task {Task} has size {Size} in dimension {Axis} in the portable plan", true, rows{write: (*exporter).portableDims, schema: portable.Schema}},
		{"resolution_known", []Column{str("Cost"), num("Numerator"), num("Denominator"), num("Duration")}, "/cost_resolutions", "What the evidence beside which a timeline is judged says of a resolution, if it has all of its records: the factor of their group, 1 / 1 for none, and their median times that factor, rounded once.",
			"the records of resolution {Cost} give {Duration} ps, with factor {Numerator} / {Denominator}", true, rows{write: (*exporter).knownResolutions, schema: timeline.Schema}},
	}
}

// byFormula tells what the formulas of the target beside which a binding is judged
// give for its tasks.
func (e *exporter) byFormula(tell func(task *evidence.Bound, c *costs.Cost)) {
	binding, ok := e.document.Body().(*evidence.Binding)
	if !ok || e.above == nil {
		return
	}
	target, ok := e.above.document.Body().(*evidence.Target)
	if !ok {
		return
	}
	for i := range binding.Tasks {
		task := &binding.Tasks[i]
		if c, why := costs.Formula(target, task); why == "" {
			tell(task, c)
		}
	}
}

func (e *exporter) formulaCosts(w *writer) {
	e.byFormula(func(task *evidence.Bound, c *costs.Cost) {
		var factor *evidence.Ratio
		if task.Cost != nil {
			factor = task.Cost.Factor
		}
		if n, err := costs.Picoseconds(c.Duration, factor); err == nil {
			w.row(task.At, w.str(task.ID), w.str(c.Formula), e.num(n))
		}
	})
}

func (e *exporter) formulaComponents(w *writer) {
	e.byFormula(func(task *evidence.Bound, c *costs.Cost) {
		for _, part := range c.Components {
			w.row(task.At, w.str(task.ID), w.str(part.Name), e.num(part.Duration))
		}
	})
}

func (e *exporter) portableDims(w *writer) {
	p, ok := e.document.Body().(*portable.Plan)
	if !ok {
		return
	}
	values := p.Values()
	buffers := map[string]*portable.Buffer{}
	for i := range p.Buffers {
		buffers[p.Buffers[i].ID] = &p.Buffers[i]
	}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		open := false
		dims, _ := costs.Dims(t, func(id string) ([]int64, error) {
			var shape []int64
			if b := buffers[id]; b != nil {
				for _, size := range b.Shape {
					bound, err := size.Bind(values)
					n, whole := bound.Int()
					open = open || err != nil || !whole
					shape = append(shape, n)
				}
			}
			return shape, nil
		})
		if open {
			continue
		}
		for axis, n := range dims {
			w.row(t.At, w.str(t.ID), e.num(int64(axis)), e.num(n))
		}
	}
}

func (e *exporter) knownResolutions(w *writer) {
	bundle, ok := e.document.Body().(*timeline.Bundle)
	if !ok || e.above == nil {
		return
	}
	known, ok := e.above.document.Body().(*evidence.Evidence)
	if !ok {
		return
	}
	records := map[string]*evidence.Sample{}
	for i := range known.Records {
		records[known.Records[i].ID] = &known.Records[i]
	}
	for i := range bundle.Costs {
		c := &bundle.Costs[i]
		var of []*evidence.Sample
		for _, id := range c.Records {
			if s := records[id]; s != nil {
				of = append(of, s)
			}
		}
		if len(of) == 0 || len(of) < len(c.Records) {
			continue
		}
		if n, by, err := costs.OfRecords(known, of); err == nil {
			w.row(c.At, w.str(c.ID), e.num(by.Numerator), e.num(by.Denominator), e.num(n))
		}
	}
}
