package lineage

import (
	"fmt"
	"strings"

	"plancheck/internal/poly"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/ir/observation"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/ir/timeline"
)

// words are what an entity is, in one line. With common they leave out what
// differs between the ranks that do the same.
func (x *Index) words(e *entity, common bool) string {
	if e.document == nil {
		return "only its id is known"
	}
	switch body := e.document.Body().(type) {
	case *model.Model:
		return x.modelWords(e, body)
	case *task.Distributed:
		return x.taskWords(e, body)
	case *portable.Plan:
		return x.portableWords(e, body, common)
	case *evidence.Binding:
		return boundWords(&body.Tasks[e.place[0]])
	case *machine.Program:
		return x.machineWords(e, body, common)
	case *timeline.Bundle:
		i := &body.Intervals[e.place[0]]
		return fmt.Sprintf("[%s, %s) ms", timeline.In(timeline.Millisecond, i.Start), timeline.In(timeline.Millisecond, i.End))
	case *observation.Set:
		return fmt.Sprintf("run %q", body.Run)
	default:
		return x.planWords(e, e.document.Plan(), common)
	}
}

// statement is a value that is computed: %y = model.linear %x, %w.
func (x *Index) statement(outputs []*entity, op string, inputs []*entity, common bool) string {
	s := op
	if len(outputs) > 0 {
		s = x.labels(outputs, common) + " = " + op
	}
	if len(inputs) > 0 {
		s += " " + x.labels(inputs, common)
	}
	return s
}

// tensor is a type: tensor<2048x12288xbf16>.
func tensor(shape []poly.Poly, dtype string) string {
	var b strings.Builder
	b.WriteString("tensor<")
	for _, n := range shape {
		size := n.String()
		if n.Len() > 1 {
			size = "(" + size + ")"
		}
		b.WriteString(size + "x")
	}
	return b.String() + dtype + ">"
}

func (x *Index) modelWords(e *entity, m *model.Model) string {
	if e.kind == ModelValue {
		v := &m.Values[e.place[0]]
		return fmt.Sprintf("%s = %s : %s", x.label(e), v.Role, tensor(v.Type.Shape, v.Type.DType))
	}
	o := &m.Ops[e.place[0]]
	s := x.statement(x.these(e.document, ModelValue, o.Outputs), o.Kind, x.these(e.document, ModelValue, o.Inputs), false)
	var types []string
	for _, id := range o.Outputs {
		if v, ok := m.Value(id); ok {
			types = append(types, tensor(v.Type.Shape, v.Type.DType))
		}
	}
	return s + " : " + strings.Join(types, ", ")
}

func (x *Index) taskWords(e *entity, d *task.Distributed) string {
	if e.kind == Task {
		t := &d.Tasks[e.place[0]]
		op := strings.TrimSpace(t.Op + " " + t.Reduction)
		return x.statement(x.these(e.document, TaskValue, t.Outputs), op, x.these(e.document, TaskValue, t.Inputs), false) + " on ranks " + ranges(t.Ranks)
	}
	v := &d.Values[e.place[0]]
	s := fmt.Sprintf("%s = %s : %s", x.label(e), v.Role, tensor(v.Shape, v.DType))
	for _, c := range v.Sharding {
		s += fmt.Sprintf(", axis %d cut along %s", c.Dimension, c.Mesh)
	}
	if len(v.Partial) > 0 {
		s += fmt.Sprintf(", terms along %s to be reduced by %s", strings.Join(v.Partial, ", "), v.Reduction)
	}
	return s + fmt.Sprintf(", %s each on ranks %s", tensor(v.Local, v.DType), ranges(v.Owners))
}

func (x *Index) portableWords(e *entity, p *portable.Plan, common bool) string {
	if e.kind == PortableTask {
		t := &p.Tasks[e.place[0]]
		op := strings.TrimSpace(t.Op + " " + t.Reduce)
		return x.statement(x.these(e.document, PortableBuffer, t.Outputs), op, x.these(e.document, PortableBuffer, t.Inputs), common)
	}
	b := &p.Buffers[e.place[0]]
	return fmt.Sprintf("%s = %s %s : %s", x.labels([]*entity{e}, common), b.Storage, b.Role, tensor(b.Shape, b.DType))
}

func boundWords(t *evidence.Bound) string {
	switch {
	case t.Body == level.Barrier:
		return t.Op + ", which needs no implementation"
	case t.Implementation == "":
		return t.Op + ", which nothing does"
	}
	return fmt.Sprintf("%s by %s on engine %s", t.Op, t.Implementation, t.Engine)
}

func (x *Index) planWords(e *entity, p *ir.Plan, common bool) string {
	switch e.kind {
	case GraphOp:
		o := &p.Graph.Ops[e.place[0]]
		return strings.TrimSpace(o.Kind + " in the graph that is cut into stages")
	case Buffer:
		b := &p.Program.Buffers[e.place[0]]
		region := x.shortID(p.Text(b.Region))
		if common {
			region = "the region"
		}
		return fmt.Sprintf("%s in bytes [%d, %d) of %s", x.labels([]*entity{e}, common), b.Offset, b.Offset+b.Size, region)
	}
	c := &p.Program.Commands[e.place[0]]
	op := strings.TrimSpace(c.Kind + " " + c.Op)
	return x.statement(x.these(e.document, Buffer, texts(p, c.Writes)), op, x.these(e.document, Buffer, texts(p, c.Reads)), common)
}

func (x *Index) machineWords(e *entity, p *machine.Program, common bool) string {
	if e.kind == Port {
		port := &p.Ports[e.place[0]]
		arena, first := "arena "+x.shortID(port.Arena), fmt.Sprintf(", from index %s on", indices(port.First))
		if common {
			arena, first = "an arena", ""
		}
		return fmt.Sprintf("%s of %s, bytes [%d, %d) of %s", port.Direction, tensor(whole(port.Shape), port.DType), port.Offset, port.Offset+port.Bytes, arena) + first
	}
	i := &p.Sections[e.place[0]].Instructions[e.place[1]]
	name := i.Opcode.Dialect + "." + i.Opcode.Name
	if e.kind == Operand {
		o := &i.Operands[e.place[2]]
		arena, by := "arena "+x.shortID(o.Arena), " of "+x.shortID(i.ID)
		if common {
			arena, by = "the arena", ""
		}
		return fmt.Sprintf("%s by %s%s, bytes [%d, %d) of %s", accessed(o), strings.TrimSpace(name+" "+i.Function), by, o.Offset, o.Offset+o.Bytes, arena)
	}
	switch {
	case i.Function != "":
		name += " " + i.Function
	case i.Token != "" && common:
		name += " a token"
	case i.Token != "":
		name += " " + x.shortID(i.Token)
	case i.Message != nil:
		name += fmt.Sprintf(" message %d of %s", i.Message.Round, x.shortID(i.Message.Channel))
	case i.Arrival != nil:
		name += fmt.Sprintf(" round %d at %s", i.Arrival.Round, x.shortID(i.Arrival.Barrier))
	}
	if i.Meeting != nil {
		name += fmt.Sprintf(", meeting %d of group %s", i.Meeting.Round, x.shortID(i.Meeting.Group))
	}
	return name
}

func accessed(o *machine.Operand) string {
	switch {
	case o.Workspace:
		return "used"
	case o.Access == machine.Read:
		return "read"
	}
	return "written"
}

func whole(sizes []int64) (all []poly.Poly) {
	for _, n := range sizes {
		all = append(all, poly.Int(n))
	}
	return all
}

func indices(at []int64) string { return strings.ReplaceAll(fmt.Sprint(at), " ", ", ") }
