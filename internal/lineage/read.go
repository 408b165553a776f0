package lineage

import (
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/ir/observation"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/ir/timeline"
)

// builder reads the entities of documents.
type builder struct {
	*Index
	document *document
	sources  []source
}

// read reads the entities of a document, those of higher levels first.
func (b *builder) read(d *document) {
	b.document = d
	switch body := d.Body().(type) {
	case *model.Model:
		b.model(body)
	case *task.Distributed:
		b.tasks(body)
	case *portable.Plan:
		b.portable(body)
	case *evidence.Binding:
		b.binding(body)
	case *machine.Program:
		b.machine(body)
	case *timeline.Bundle:
		b.timeline(body)
	case *observation.Set:
		b.observations(body)
	case nil:
		b.plan(d.Plan())
	}
}

// add files an entity. Of several with one id, which rules find, the first counts.
func (b *builder) add(kind Kind, id, name string, at uint32, place ...int) *entity {
	e := &entity{kind: kind, id: id, name: name, document: b.document, at: at, rank: none}
	copy(e.place[:], place)
	b.entities = append(b.entities, e)
	if k := (key{b.document, kind, id}); b.of[k] == nil {
		b.of[k] = e
	}
	return e
}

// from notes ids that an entity was made from, and the kinds that they may be of.
func (b *builder) from(e *entity, ids []string, kinds ...Kind) {
	for _, id := range ids {
		b.sources = append(b.sources, source{e, id, kinds, made})
	}
}

// fromLineage is from, of a lineage that may be absent.
func (b *builder) fromLineage(e *entity, l *level.Lineage, kinds ...Kind) {
	if l != nil {
		b.from(e, l.Sources, kinds...)
	}
}

// makes notes what work makes, in the same document.
func (b *builder) makes(work *entity, kind Kind, ids []string) {
	for _, id := range ids {
		if v := b.of[key{b.document, kind, id}]; v != nil {
			work.produces = append(work.produces, v)
			v.makers = append(v.makers, work)
		}
	}
}

func (b *builder) model(m *model.Model) {
	for i := range m.Values {
		v := &m.Values[i]
		b.add(ModelValue, v.ID, v.Name, v.At, i)
	}
	for i := range m.Ops {
		o := &m.Ops[i]
		b.makes(b.add(ModelOp, o.ID, o.Name, o.At, i), ModelValue, o.Outputs)
	}
}

func (b *builder) tasks(d *task.Distributed) {
	for i := range d.Values {
		v := &d.Values[i]
		e := b.add(TaskValue, v.ID, v.Name, v.At, i)
		if v.Source != "" {
			b.from(e, []string{v.Source}, ModelValue)
		}
		b.fromLineage(e, v.Lineage, ModelValue, ModelOp)
	}
	for i := range d.Tasks {
		t := &d.Tasks[i]
		e := b.add(Task, t.ID, t.Name, t.At, i)
		b.makes(e, TaskValue, t.Outputs)
		b.fromLineage(e, t.Lineage, ModelOp, ModelValue)
	}
}

func (b *builder) portable(p *portable.Plan) {
	for i := range p.Buffers {
		buffer := &p.Buffers[i]
		e := b.add(PortableBuffer, buffer.ID, buffer.Name, buffer.At, i)
		e.rank = buffer.Rank
		b.fromLineage(e, buffer.Lineage, TaskValue, Task)
	}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		e := b.add(PortableTask, t.ID, t.Name, t.At, i)
		if len(t.Ranks) == 1 {
			e.rank = t.Ranks[0]
		}
		b.makes(e, PortableBuffer, t.Outputs)
		b.fromLineage(e, t.Lineage, Task, TaskValue)
	}
}

func (b *builder) binding(d *evidence.Binding) {
	for i := range d.Tasks {
		b.from(b.add(BoundTask, d.Tasks[i].ID, "", d.Tasks[i].At, i), []string{d.Tasks[i].ID}, PortableTask)
	}
}

func (b *builder) machine(p *machine.Program) {
	for i := range p.Ports {
		b.from(b.port(&p.Ports[i], i), []string{p.Ports[i].Value}, ModelValue)
	}
	for i := range p.Sections {
		for j := range p.Sections[i].Instructions {
			x := &p.Sections[i].Instructions[j]
			e := b.add(Instruction, x.ID, "", x.At, i, j)
			b.from(e, []string{x.Command}, Command)
			if x.Lineage != nil { // other commands are those that it waits for
				for _, id := range x.Lineage.Sources {
					b.sources = append(b.sources, source{e, id, []Kind{Command, Buffer}, beside})
				}
			}
			for k := range x.Operands {
				o := b.add(Operand, x.ID, "", x.Operands[k].At, i, j, k)
				b.from(o, []string{x.Operands[k].Buffer}, Buffer, PortableBuffer)
			}
		}
	}
}

func (b *builder) port(p *machine.Port, i int) *entity {
	e := b.add(Port, p.Value, "", p.At, i)
	e.rank = p.Rank
	return e
}

func (b *builder) timeline(t *timeline.Bundle) {
	b.document.steps, b.document.costs = map[string]int{}, map[string]*timeline.Cost{}
	for i := range t.Path {
		b.document.steps[t.Path[i].Command] = i
	}
	b.document.turns = map[string]turn{}
	for i := range t.Resources {
		for n, c := range t.Resources[i].Commands {
			b.document.turns[c] = turn{&t.Resources[i], n}
		}
	}
	for i := range t.Costs {
		b.document.costs[t.Costs[i].ID] = &t.Costs[i]
	}
	for i := range t.Intervals {
		b.from(b.add(Interval, t.Intervals[i].Command, "", t.Intervals[i].At, i), []string{t.Intervals[i].Command}, Command)
	}
}

// observations joins the records of a command: they are its repetitions.
func (b *builder) observations(s *observation.Set) {
	b.document.observed = map[string][]int64{}
	for i := range s.Records {
		r := &s.Records[i]
		b.document.observed[r.Command] = append(b.document.observed[r.Command], r.Duration)
		if b.of[key{b.document, Observed, r.Command}] == nil {
			b.from(b.add(Observed, r.Command, "", r.At, i), []string{r.Command}, Command)
		}
	}
}
