package ir

import "pgregory.net/rapid"

// program draws the program of a plan.
func (r random) program() *Program {
	p := &Program{Commands: []Command{}, Declared: r.coin("declared")}
	devices, queues, regions := r.ids("device", 2), r.ids("queue", 3), r.ids("region", 2)
	buffers, tokens, channels := r.ids("buffer", 3), r.ids("token", 2), r.ids("channel", 2)
	groups, barriers, commands := r.ids("group", 2), r.ids("barrier", 2), r.ids("command", 4)
	one := func(name string, of []ID) ID {
		if len(of) == 0 || r.coin("no "+name) {
			return NoID
		}
		return rapid.SampledFrom(of).Draw(r.T, name)
	}
	several := func(name string, of []ID) []ID {
		switch n := r.int(name+" of a command", -1, len(of)); {
		case n < 0:
			return nil
		default:
			return append([]ID{}, of[:n]...)
		}
	}
	r.deployment(p)
	var targets, implementations []ID
	if p.Deployment != nil {
		targets = p.Deployment.Devices
	}
	for _, i := range p.Implementations {
		implementations = append(implementations, i.ID)
	}
	p.Devices = each(r, "devices", devices, func(_ int, id ID) Device {
		return Device{ID: id, Rank: r.optional("rank", 0), Target: one("target", targets)}
	})
	devices = devices[:len(p.Devices)]
	if len(devices) == 0 {
		queues, regions = nil, nil
	}
	p.Queues = each(r, "queues", queues, func(i int, id ID) Queue {
		return Queue{ID: id, Device: devices[i%len(devices)], Kind: rapid.SampledFrom(append(queueKinds(), "")).Draw(r.T, "kind"),
			Engine: one("engine", r.ids("engine", 2)), Unordered: r.coin("unordered")}
	})
	p.Regions = each(r, "regions", regions, func(i int, id ID) Region {
		return Region{ID: id, Device: devices[i%len(devices)], Capacity: r.number("capacity", 0), Reserved: r.number("reserved", 0), Alignment: r.number("alignment", 1)}
	})
	queues, regions = queues[:len(p.Queues)], regions[:len(p.Regions)]
	if len(regions) == 0 {
		buffers = nil
	}
	p.Tokens = each(r, "tokens", tokens, func(_ int, id ID) Token { return Token{ID: id, Consuming: r.coin("consuming")} })
	p.Channels = each(r, "channels", channels, func(_ int, id ID) Channel {
		c := Channel{ID: id, Depth: r.number("depth", 0), Slot: None}
		if c.Region = one("slots", regions); c.Region != NoID {
			c.Slot = r.number("slot", 0)
		}
		return c
	})
	p.Groups = each(r, "groups", groups, func(_ int, id ID) Group {
		g := Group{ID: id, Ranks: []int64{}}
		for i := range r.int("ranks", 0, 3) {
			g.Ranks = append(g.Ranks, int64(7*i%5))
		}
		return g
	})
	p.Barriers = each(r, "barriers", barriers, func(_ int, id ID) Barrier { return Barrier{ID: id, Queues: append([]ID{}, queues...)} })
	tokens, channels, groups, barriers = tokens[:len(p.Tokens)], channels[:len(p.Channels)], groups[:len(p.Groups)], barriers[:len(p.Barriers)]
	count := r.int("commands", 0, len(commands))
	commands = commands[:count]
	p.Buffers = each(r, "buffers", buffers, func(i int, id ID) Buffer {
		return Buffer{ID: id, Name: r.text("name of a buffer"), Region: regions[i%len(regions)], Offset: r.number("offset", 0), Size: r.number("size", 0), Alignment: r.number("alignment", 1),
			Initialised: r.coin("initialised"), Kept: r.coin("kept"), FreedBy: one("freer", commands), Lineage: r.lineage()}
	})
	buffers = buffers[:len(p.Buffers)]
	for _, id := range commands {
		c := Command{ID: id, Name: r.text("name of a command"), Kind: rapid.SampledFrom(CommandKinds()).Draw(r.T, "kind"), Op: r.text("op"), Queue: one("queue", queues),
			Implementation: one("implementation", implementations),
			After:          several("commands", commands), Reads: several("reads", buffers), Writes: several("writes", buffers),
			Waits: several("waits", tokens), Signals: several("signals", tokens),
			Channel: one("channel", channels), Group: one("group", groups), Reduction: rapid.SampledFrom(append(Reductions(), "")).Draw(r.T, "reduction"), Barrier: one("barrier", barriers),
			Bytes: r.optional("bytes", 0), Stage: r.optional("stage", 0), Microbatch: r.optional("microbatch", 0), Lineage: r.lineage()}
		c.InPlace = some(r, "in place", buffers, func(_ int, b ID) InPlace { return InPlace{Read: b, Write: buffers[0]} })
		p.Commands = append(p.Commands, c)
	}
	if r.coin("extended") {
		p.Extension = &Extension{}
		if r.coin("extended for queues") {
			p.Extension.Queue = r.queueExtension(devices, queues, groups, commands)
		}
		if r.coin("spatial") {
			p.Extension.Spatial = r.spatialExtension(devices[:len(p.Devices)], commands)
		}
	}
	return p
}

// queueExtension draws what is said for queues, true or not.
func (r random) queueExtension(devices, queues, groups, commands []ID) *QueueExtension {
	x := &QueueExtension{}
	x.Orders = some(r, "orders", queues, func(_ int, id ID) IssueOrder {
		o := IssueOrder{Queue: id, Commands: []ID{}}
		for _, c := range commands {
			for range r.int("times", 0, 2) {
				o.Commands = append(o.Commands, c)
			}
		}
		return o
	})
	if len(devices) > 0 {
		x.Engines = each(r, "engines", r.ids("engine", 3), func(i int, id ID) Engine {
			kinds := each(r, "kinds", queueKinds(), func(_ int, kind string) string { return kind })
			return Engine{ID: id, Device: devices[i%len(devices)], Kinds: kinds}
		})
	}
	if len(groups) > 0 {
		x.Communicators = each(r, "communicators", r.ids("communicator", 2), func(i int, id ID) Communicator {
			return Communicator{ID: id, Group: groups[i%len(groups)], Queues: append([]ID{}, queues...)}
		})
	}
	return x
}
