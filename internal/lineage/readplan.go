package lineage

import "plancheck/ir"

func (b *builder) plan(p *ir.Plan) {
	b.document.instances = map[ir.ID][]*ir.Instance{}
	for i := range p.Assignment.Instances {
		in := &p.Assignment.Instances[i]
		b.document.instances[in.Op] = append(b.document.instances[in.Op], in)
	}
	lineage := func(e *entity, l *ir.Lineage, kinds ...Kind) {
		if l != nil {
			b.from(e, texts(p, l.Sources), kinds...)
		}
	}
	for i := range p.Graph.Ops {
		o := &p.Graph.Ops[i]
		lineage(b.add(GraphOp, p.Text(o.ID), "", o.At, i), o.Lineage, PortableTask, PortableBuffer)
	}
	if p.Program == nil {
		return
	}
	b.document.lookIn(p.Program)
	where := placesOf(p)
	for i := range p.Program.Buffers {
		buffer := &p.Program.Buffers[i]
		e := b.add(Buffer, p.Text(buffer.ID), buffer.Name, buffer.At, i)
		e.rank, e.device = where.region(buffer.Region)
		lineage(e, buffer.Lineage, PortableBuffer, PortableTask)
		if buffer.Lineage == nil { // buffers of the two that have one id are the same
			b.sources = append(b.sources, source{e, e.id, []Kind{PortableBuffer}, same})
		}
	}
	for i := range p.Program.Commands {
		c := &p.Program.Commands[i]
		e := b.add(Command, p.Text(c.ID), c.Name, c.At, i)
		e.rank, e.device = where.queue(c.Queue)
		b.makes(e, Buffer, texts(p, c.Writes))
		lineage(e, c.Lineage, PortableTask, PortableBuffer)
	}
}

// lookIn notes what a program says of its queues and commands elsewhere.
func (d *document) lookIn(p *ir.Program) {
	d.queueKinds, d.slots, d.routes = map[ir.ID]string{}, map[ir.ID]*ir.Slot{}, map[ir.ID]*ir.Route{}
	for _, q := range p.Queues {
		d.queueKinds[q.ID] = q.Kind
	}
	if p.Extension == nil || p.Extension.Spatial == nil {
		return
	}
	for i := range p.Extension.Spatial.Slots {
		d.slots[p.Extension.Spatial.Slots[i].Command] = &p.Extension.Spatial.Slots[i]
	}
	for i := range p.Extension.Spatial.Routes {
		d.routes[p.Extension.Spatial.Routes[i].Command] = &p.Extension.Spatial.Routes[i]
	}
}

func texts(p *ir.Plan, ids []ir.ID) []string {
	var all []string
	for _, id := range ids {
		all = append(all, p.Text(id))
	}
	return all
}

// places tell on which device the queues and regions of a plan are.
type places struct {
	plan            *ir.Plan
	devices         map[ir.ID]*ir.Device
	queues, regions map[ir.ID]ir.ID // their devices
}

func placesOf(p *ir.Plan) *places {
	w := &places{p, map[ir.ID]*ir.Device{}, map[ir.ID]ir.ID{}, map[ir.ID]ir.ID{}}
	for i := range p.Program.Devices {
		w.devices[p.Program.Devices[i].ID] = &p.Program.Devices[i]
	}
	for _, q := range p.Program.Queues {
		w.queues[q.ID] = q.Device
	}
	for _, r := range p.Program.Regions {
		w.regions[r.ID] = r.Device
	}
	return w
}

func (w *places) queue(id ir.ID) (rank int64, device string)  { return w.device(w.queues[id]) }
func (w *places) region(id ir.ID) (rank int64, device string) { return w.device(w.regions[id]) }

// device returns the rank of a device, or else its id.
func (w *places) device(id ir.ID) (rank int64, device string) {
	d := w.devices[id]
	switch {
	case d == nil:
		return none, ""
	case d.Rank == ir.None:
		return none, w.plan.Text(id)
	}
	return d.Rank, ""
}
