package derive

import (
	"cmp"
	"slices"

	"plancheck/ir"
)

// clockDomain is the clock of a chip.
const clockDomain = "core"

// write writes the program into the plan.
func (p *chipProgram) write() {
	program := *p.chip.program
	p.plan.Program = &program
	p.plan.Parents, p.plan.Name = p.out.Parents, p.out.Name
	device := func(core int64) ir.ID { return p.id(p.Deployment.Devices[core]) }
	region := func(core int64) ir.ID { return p.id(p.Deployment.Devices[core] + "." + p.Target.Memory[0].Space) }
	for _, core := range p.used {
		program.Devices = append(program.Devices, ir.Device{ID: device(core), Rank: ir.None, Target: device(core)})
		program.Regions = append(program.Regions, ir.Region{ID: region(core), Device: device(core), Capacity: p.capacity, Reserved: p.reserved,
			Alignment: p.Target.Memory[0].Alignment})
	}
	for i, b := range p.buffers {
		program.Buffers = append(program.Buffers, ir.Buffer{ID: p.id(b.id), Name: b.name, Region: region(b.core), Offset: p.offsets[i], Size: b.bytes, Alignment: b.align,
			Initialised: b.initialised, Kept: b.kept, Lineage: b.lineage})
	}
	x := &ir.SpatialExtension{
		ClockDomains: []ir.ClockDomain{{ID: p.id(clockDomain), Frequency: p.Target.Clock}},
		Flow:         &ir.Flow{Backpressure: "stall", Timeout: ir.None, Failure: "abort", ABIRevision: p.Target.ABI},
	}
	slices.SortFunc(p.units, func(a, b *chipUnit) int { return cmp.Or(cmp.Compare(a.key.core, b.key.core), cmp.Compare(a.id, b.id)) })
	for _, u := range p.units {
		q := ir.Queue{ID: p.id(u.id), Device: device(u.key.core), Kind: "compute", Unordered: u.router}
		unit := ir.Unit{ID: q.ID, Device: q.Device, Domain: p.id(clockDomain), Width: u.width, Latency: ir.None}
		if u.router {
			q.Kind, unit.Latency = "transfer", routerLatency
		}
		program.Queues = append(program.Queues, q)
		x.Units = append(x.Units, unit)
		for op, latency := range u.latency {
			list := &x.Units[len(x.Units)-1].Operations
			*list = append(*list, ir.Operation{Op: op, Latency: latency})
			slices.SortFunc(*list, func(a, b ir.Operation) int { return cmp.Compare(a.Op, b.Op) })
		}
	}
	x.Links = p.mesh()
	for _, i := range p.order {
		p.writeCommand(&program, x, &p.commands[i])
	}
	program.Extension = &ir.Extension{Spatial: x}
	p.implementations(p.plan)
	p.plan.Digest = ir.PlanDigest(p.plan)
}

// mesh is the links between cores that are used, both ways.
func (p *chipProgram) mesh() []ir.Link {
	var links []ir.Link
	rows, cols := p.Target.Mesh.Rows, p.Target.Mesh.Cols
	for _, core := range p.used {
		row, col := core/cols, core%cols
		for _, to := range [][2]int64{{row - 1, col}, {row, col - 1}, {row, col + 1}, {row + 1, col}} {
			other := to[0]*cols + to[1]
			if to[0] < 0 || to[0] == rows || to[1] < 0 || to[1] == cols {
				continue
			}
			if _, there := slices.BinarySearch(p.used, other); there {
				links = append(links, ir.Link{ID: p.link(core, other), Source: p.id(p.Deployment.Devices[core]), Destination: p.id(p.Deployment.Devices[other]),
					Domain: p.id(clockDomain), Latency: p.Target.Link.Latency})
			}
		}
	}
	return links
}

func (p *chipProgram) link(from, to int64) ir.ID {
	return p.id(p.Deployment.Devices[from] + "-" + p.Deployment.Devices[to])
}

// writeCommand adds a command, its slot and its route.
func (p *chipProgram) writeCommand(program *ir.Program, x *ir.SpatialExtension, c *chipCommand) {
	made := ir.Command{
		ID: p.id(c.id), Name: c.name, Kind: c.kind, Queue: p.id(c.unit.id), Reads: p.ids(c.reads), Writes: p.ids(c.writes),
		Bytes: ir.None, Stage: c.stage, Microbatch: ir.None, Lineage: c.lineage,
	}
	for _, before := range c.after {
		made.After = append(made.After, p.id(p.commands[before].id))
	}
	if c.kind == ir.KindLaunch {
		made.Op, made.Implementation = c.lane.name, p.id(c.lane.kernel)
	}
	program.Commands = append(program.Commands, made)
	x.Slots = append(x.Slots, ir.Slot{Command: made.ID, Unit: made.Queue, Cycle: c.cycle, Slot: c.slot})
	if c.kind != ir.KindTransfer {
		return
	}
	r := ir.Route{Command: made.ID, Source: p.id(p.Deployment.Devices[c.core]), Destination: p.id(p.Deployment.Devices[c.to])}
	for _, h := range c.hops {
		r.Hops = append(r.Hops, ir.Hop{Link: p.link(h.link.from, h.link.to), Depart: h.depart, Cycles: h.cycles})
	}
	x.Routes = append(x.Routes, r)
}

// ids are the ids of texts.
func (c *chip) ids(texts []string) []ir.ID {
	var ids []ir.ID
	for _, t := range texts {
		ids = append(ids, c.id(t))
	}
	return ids
}
