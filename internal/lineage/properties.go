package lineage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plancheck/internal/poly"
	"plancheck/internal/report"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/model"
	"plancheck/ir/observation"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/ir/timeline"
)

// Property is a key figure of an entity. Numbers are exact: integers in decimal,
// sizes with open symbols as polynomials.
type Property struct {
	_  struct{} `noun:"a property"`
	At uint32

	Name  string `json:"name"`
	Value string `json:"value"`
}

// properties are a list of them in the making.
type properties []Property

func (p *properties) text(name, value string) {
	if value != "" {
		*p = append(*p, Property{Name: name, Value: value})
	}
}

func (p *properties) number(name string, n int64) { p.text(name, strconv.FormatInt(n, 10)) }

// some is number, of what is left out when it is 0.
func (p *properties) some(name string, n int64) {
	if n != 0 {
		p.number(name, n)
	}
}

func (p *properties) size(name string, n poly.Poly) {
	if !n.IsZero() {
		p.text(name, n.String())
	}
}

// properties are the key figures of an entity. With common they leave out what
// only says on which rank it is.
func (x *Index) properties(e *entity, common bool) []Property {
	var all properties
	if e.document == nil {
		return nil
	}
	switch body := e.document.Body().(type) {
	case *model.Model:
		x.modelProperties(&all, e, body)
	case *task.Distributed:
		if e.kind == Task {
			t := &body.Tasks[e.place[0]]
			all.size("operations", t.Operations)
			all.size("message_bytes", t.MessageBytes)
		}
	case *portable.Plan:
		portableProperties(&all, e, body)
	case *evidence.Binding:
		boundProperties(&all, &body.Tasks[e.place[0]])
	case *timeline.Bundle:
		x.intervalProperties(&all, e, body, common)
	case *observation.Set:
		observedProperties(&all, e.document.observed[e.id])
	case nil:
		planProperties(&all, e, e.document.Plan(), common)
	}
	return all
}

func (x *Index) modelProperties(all *properties, e *entity, m *model.Model) {
	if e.kind == ModelValue {
		var readers []string
		for i := range m.Ops {
			if slices.Contains(m.Ops[i].Inputs, e.id) {
				readers = append(readers, cmp.Or(m.Ops[i].Name, x.shortID(m.Ops[i].ID)))
			}
		}
		all.text("read_by", strings.Join(readers, ", "))
		return
	}
	o := &m.Ops[e.place[0]]
	var operands [][]poly.Poly
	for _, id := range o.Inputs {
		if v, ok := m.Value(id); ok {
			operands = append(operands, v.Type.Shape)
		}
	}
	if factors, known := model.Work(o.Kind, operands); known {
		if n, err := poly.Int(1).Mul(factors...); err == nil { // rules report what does not fit
			all.size("operations", n)
		}
	}
}

func portableProperties(all *properties, e *entity, p *portable.Plan) {
	if e.kind == PortableBuffer {
		all.size("size_bytes", p.Buffers[e.place[0]].Size)
		all.number("alignment_bytes", p.Buffers[e.place[0]].Align)
		return
	}
	w := &p.Tasks[e.place[0]].Work
	all.size("operations", w.Operations)
	all.size("read_bytes", w.Read)
	all.size("write_bytes", w.Write)
	all.size("message_bytes", w.Message)
	all.size("temporary_bytes", w.Workspace)
	for _, b := range p.Bindings {
		if slices.ContainsFunc([]poly.Poly{w.Operations, w.Read, w.Write, w.Message, w.Workspace}, func(q poly.Poly) bool { return slices.Contains(q.Symbols(), b.Symbol) }) {
			all.text("binding", fmt.Sprintf("%s = %d", b.Symbol, b.Value))
		}
	}
}

func boundProperties(all *properties, t *evidence.Bound) {
	all.some("operations", t.Query.Operations)
	all.some("read_bytes", t.Query.Read)
	all.some("write_bytes", t.Query.Write)
	all.some("message_bytes", t.Query.Message)
	all.some("workspace_bytes", t.Workspace)
	c := t.Cost
	if c == nil {
		return
	}
	all.number("duration_ps", c.Duration)
	all.text("match", c.Match)
	all.text("provider", c.Provider)
	all.text("method", c.Method)
	all.text("formula", c.Formula)
	all.text("records", strings.Join(c.Records, ", "))
	if c.Factor != nil {
		all.text("factor", fmt.Sprintf("%d / %d", c.Factor.Numerator, c.Factor.Denominator))
	}
}

func planProperties(all *properties, e *entity, p *ir.Plan, common bool) {
	switch e.kind {
	case GraphOp:
		o := &p.Graph.Ops[e.place[0]]
		all.number("lanes", o.Lanes)
		all.number("work_cycles", o.Work)
		for _, i := range e.document.instances[o.ID] {
			if i.Stage != ir.None {
				all.number("stage", i.Stage)
			}
			decided := slices.DeleteFunc(slices.Clone(i.Cores), func(core int64) bool { return core == ir.None })
			all.text("cores", ranges(decided))
		}
		return
	case Buffer:
		b := &p.Program.Buffers[e.place[0]]
		all.number("size_bytes", b.Size)
		return
	}
	c := &p.Program.Commands[e.place[0]]
	if c.Queue != ir.NoID {
		queue := p.Text(c.Queue)
		if common {
			queue = e.document.queueKinds[c.Queue]
		}
		all.text("queue", queue)
	}
	if c.Implementation != ir.NoID {
		all.text("implementation", p.Text(c.Implementation))
	}
	if c.Bytes != ir.None {
		all.number("message_bytes", c.Bytes)
	}
	if s := e.document.slots[c.ID]; s != nil {
		if !common {
			all.text("unit", p.Text(s.Unit))
		}
		all.number("cycle", s.Cycle)
	}
	if r := e.document.routes[c.ID]; r != nil && common {
		all.number("hops", int64(len(r.Hops)))
	} else if r != nil {
		var links []string
		for _, h := range r.Hops {
			links = append(links, fmt.Sprintf("%s at cycle %d", p.Text(h.Link), h.Depart))
		}
		all.text("route", strings.Join(links, ", "))
	}
}

func (x *Index) intervalProperties(all *properties, e *entity, b *timeline.Bundle, common bool) {
	i := &b.Intervals[e.place[0]]
	all.number("start_ps", i.Start)
	all.number("end_ps", i.End)
	all.number("duration_ps", i.End-i.Start)
	if step, on := e.document.steps[i.Command]; on {
		all.text("critical_step", fmt.Sprintf("%d of %d", step+1, len(b.Path)))
		all.text("bound_by", b.Path[step].Edge)
		if step > 0 {
			all.text("behind", b.Path[step-1].Command)
		}
	}
	if turn, known := e.document.turns[i.Command]; known {
		if !common {
			all.text("resource", turn.resource.ID)
		}
		all.text("turn", fmt.Sprintf("%d of %d", turn.number+1, len(turn.resource.Commands)))
	}
	all.number("slack_ps", i.Slack)
	all.some("queue_delay_ps", i.Delay)
	if c := e.document.costs[i.Cost]; c != nil {
		x.costProperties(all, e, c)
	}
}

// costProperties are what a duration is from: records of evidence, a bound task,
// whose cost says more, or the command's own entry in a table of durations or in
// the plan.
func (x *Index) costProperties(all *properties, e *entity, c *timeline.Cost) {
	own := func(id string) bool { // the bound task that the command does
		return slices.ContainsFunc(e.up, func(command *entity) bool {
			return slices.ContainsFunc(command.up, func(task *entity) bool { return task.id == id })
		})
	}
	switch {
	case slices.Equal(c.Records, []string{e.id}) && slices.ContainsFunc(e.document.Body().Head().Parents, func(p level.Parent) bool {
		return p.Schema == ir.PlanSchema && p.Digest == c.Source
	}):
		all.text("from", "the units and links of the plan")
	case slices.Equal(c.Records, []string{e.id}):
		all.text("from", "a table of durations")
	case len(c.Records) > 0 && own(c.Records[0]): // then those that its cost is from
		all.text("from", "the binding")
		if bound := x.bound(c); bound != nil && bound.Cost != nil {
			all.text("match", bound.Cost.Match)
			all.text("provider", bound.Cost.Provider)
		}
		all.text("records", strings.Join(c.Records[1:], ", "))
	default:
		all.text("records", strings.Join(c.Records, ", "))
	}
	if c.Numerator != c.Denominator {
		all.text("factor", fmt.Sprintf("%d / %d", c.Numerator, c.Denominator))
	}
}

// bound is the task of a given binding that a duration is from, or nil.
func (x *Index) bound(c *timeline.Cost) *evidence.Bound {
	for _, d := range x.documents {
		if d.digest != c.Source {
			continue
		}
		if b, ok := d.Body().(*evidence.Binding); ok {
			if e := x.of[key{d, BoundTask, c.Records[0]}]; e != nil {
				return &b.Tasks[e.place[0]]
			}
		}
	}
	return nil
}

func observedProperties(all *properties, times []int64) {
	times = slices.Sorted(slices.Values(times))
	low, high := times[(len(times)-1)/2], times[len(times)/2]
	all.number("samples", int64(len(times)))
	all.number("median_ps", low+(high-low)/2) // half down, as calibration has it
	if len(times) > 1 {
		all.number("least_ps", times[0])
		all.number("most_ps", times[len(times)-1])
	}
}

// figure writes a property for people; "" for one that the words of the entity
// say already.
func (x *Index) figure(p Property) string {
	value := p.Value
	n, err := strconv.ParseInt(p.Value, 10, 64)
	if err == nil {
		value = report.Thousands(n)
	}
	noun, unit := p.Name, ""
	for _, end := range []string{"bytes", "ps"} {
		if name, ok := strings.CutSuffix(p.Name, "_"+end); ok {
			noun, unit = name, " "+end
		}
	}
	if err == nil && unit == " ps" { // all times are told in one unit, exactly
		value, unit = timeline.In(timeline.Millisecond, n), " ms"
	}
	noun = strings.ReplaceAll(noun, "_", " ")
	switch p.Name {
	case "start_ps", "end_ps":
		return ""
	case "operations", "samples", "lanes", "hops":
		if value == "1" {
			noun = strings.TrimSuffix(noun, "s")
		}
		return value + " " + noun
	case "critical_step":
		return "step " + value + " of the critical path"
	case "behind":
		return noun + " " + x.calledCommand(p.Value)
	case "queue", "unit", "resource":
		return noun + " " + x.shortID(p.Value)
	}
	return noun + " " + value + unit
}

// calledCommand is the name of a command, or as much of its id as tells it from
// others.
func (x *Index) calledCommand(id string) string {
	for _, e := range x.ids[id] {
		if e.kind == Command && e.name != "" && x.only(e) {
			return e.name
		}
	}
	return x.shortID(id)
}

// only says whether no other command of the document has the name of this one.
func (x *Index) only(command *entity) bool {
	return !slices.ContainsFunc(x.names[command.name], func(e *entity) bool {
		return e != command && e.kind == Command && e.document == command.document
	})
}
