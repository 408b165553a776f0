package ir

// This file writes the section "program", one entity a line.

func (w planWriter) program(p *Program) {
	w.object(
		section{key: "identity", there: p.Identity != nil, tall: true, write: func() { w.identity(p.Identity) }},
		section{key: "deployment", there: p.Deployment != nil, tall: true, write: func() { w.deployment(p.Deployment) }},
		section{key: "world_size", there: p.WorldSize != 0, tall: true, write: func() { w.integer(p.WorldSize) }},
		listed(w, "devices", worth(w, p.Devices), p.Devices, w.device),
		listed(w, "queues", worth(w, p.Queues), p.Queues, w.queue),
		listed(w, "memory_regions", worth(w, p.Regions), p.Regions, w.region),
		listed(w, "buffers", worth(w, p.Buffers), p.Buffers, w.buffer),
		listed(w, "tokens", worth(w, p.Tokens), p.Tokens, w.token),
		listed(w, "channels", worth(w, p.Channels), p.Channels, w.channel),
		listed(w, "groups", worth(w, p.Groups), p.Groups, w.group),
		listed(w, "barriers", worth(w, p.Barriers), p.Barriers, w.barrier),
		listed(w, "implementations", worth(w, p.Implementations), p.Implementations, w.implementation),
		section{key: "dependencies", there: p.Declared, write: func() { w.text(declare) }},
		listed(w, "commands", true, p.Commands, w.command),
		section{key: "target_extension", there: p.Extension != nil, tall: true, write: func() { w.extension(p.Extension) }},
	)
}

func (w planWriter) device(x *Device) {
	w.entity(func() {
		w.id("id", x.ID)
		w.optional("rank", x.Rank)
		w.optionalID("target_device", x.Target)
	})
}

func (w planWriter) queue(q *Queue) {
	w.entity(func() {
		w.id("id", q.ID)
		w.id("device", q.Device)
		w.optionalText("kind", q.Kind)
		w.optionalID("engine", q.Engine)
		if q.Unordered {
			w.field("ordered")
			w.boolean(false)
		}
	})
}

func (w planWriter) region(r *Region) {
	w.entity(func() {
		w.id("id", r.ID)
		w.id("device", r.Device)
		w.number("capacity_bytes", r.Capacity)
		w.unlike("reserved_bytes", r.Reserved, 0)
		w.unlike("alignment_bytes", r.Alignment, 1)
	})
}

func (w planWriter) buffer(b *Buffer) {
	w.entity(func() {
		w.id("id", b.ID)
		w.optionalText("name", b.Name)
		w.id("memory_region", b.Region)
		w.number("offset_bytes", b.Offset)
		w.number("size_bytes", b.Size)
		w.unlike("alignment_bytes", b.Alignment, 1)
		w.flag("initialised", b.Initialised)
		w.flag("kept", b.Kept)
		w.optionalID("freed_by", b.FreedBy)
		w.lineage(b.Lineage)
	})
}

func (w planWriter) token(t *Token) {
	w.entity(func() {
		w.id("id", t.ID)
		w.flag("consuming", t.Consuming)
	})
}

func (w planWriter) channel(c *Channel) {
	w.entity(func() {
		w.id("id", c.ID)
		w.number("depth", c.Depth)
		w.optionalID("memory_region", c.Region)
		w.optional("slot_bytes", c.Slot)
	})
}

func (w planWriter) group(g *Group) {
	w.entity(func() {
		w.id("id", g.ID)
		w.field("ranks")
		row(w.writer, g.Ranks, w.integer)
	})
}

func (w planWriter) barrier(b *Barrier) {
	w.entity(func() {
		w.id("id", b.ID)
		w.field("queues")
		row(w.writer, b.Queues, w.showID)
	})
}

func (w planWriter) command(c *Command) {
	w.entity(func() {
		w.id("id", c.ID)
		w.optionalText("name", c.Name)
		w.field("kind")
		w.text(c.Kind)
		w.optionalID("queue", c.Queue)
		w.optionalText("op", c.Op)
		w.optionalID("implementation", c.Implementation)
		w.idRow("after", c.After)
		w.idRow("reads", c.Reads)
		w.idRow("writes", c.Writes)
		if worth(w, c.InPlace) {
			w.field("in_place")
			row(w.writer, c.InPlace, w.inPlace)
		}
		w.idRow("waits", c.Waits)
		w.idRow("signals", c.Signals)
		w.optionalID("channel", c.Channel)
		w.optionalID("group", c.Group)
		w.optionalText("reduction", c.Reduction)
		w.optionalID("barrier", c.Barrier)
		w.optional("bytes", c.Bytes)
		w.optional("stage", c.Stage)
		w.optional("microbatch", c.Microbatch)
		w.lineage(c.Lineage)
	})
}

func (w planWriter) inPlace(p InPlace) {
	w.entity(func() {
		w.id("read", p.Read)
		w.id("write", p.Write)
	})
}

// idRow leaves an absent list out.
func (w planWriter) idRow(key string, list []ID) {
	if worth(w, list) {
		w.field(key)
		row(w.writer, list, w.showID)
	}
}

// unlike leaves out a number that its absence says too.
func (w planWriter) unlike(key string, n, absent int64) {
	if n != absent {
		w.number(key, n)
	}
}
