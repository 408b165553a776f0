package ir

import (
	"fmt"
	"slices"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
)

// namespace is where each id of one kind of a program's entities is defined.
type namespace struct {
	noun    string   // "queue"
	at      []uint32 // by the dense number of the id: 1 + offset of the entity; 0 where it is not defined
	unknown bool     // an entity's id could not be read, so that references cannot be judged
}

// programIDs are the namespaces of a program.
type programIDs struct {
	devices, queues, regions, buffers, tokens, channels, groups, barriers, commands, implementations namespace
}

// program checks what only the whole program can tell.
func (c *checker) program() {
	p := c.plan.Program
	if p == nil || c.Stopped() {
		return
	}
	ids := programIDs{
		devices:  names(c, "device", p.Devices, func(x *Device) (ID, uint32) { return x.ID, x.At }),
		queues:   names(c, "queue", p.Queues, func(x *Queue) (ID, uint32) { return x.ID, x.At }),
		regions:  names(c, "memory region", p.Regions, func(x *Region) (ID, uint32) { return x.ID, x.At }),
		buffers:  names(c, "buffer", p.Buffers, func(x *Buffer) (ID, uint32) { return x.ID, x.At }),
		tokens:   names(c, "token", p.Tokens, func(x *Token) (ID, uint32) { return x.ID, x.At }),
		channels: names(c, "channel", p.Channels, func(x *Channel) (ID, uint32) { return x.ID, x.At }),
		groups:   names(c, "group", p.Groups, func(x *Group) (ID, uint32) { return x.ID, x.At }),
		barriers: names(c, "barrier", p.Barriers, func(x *Barrier) (ID, uint32) { return x.ID, x.At }),
		commands: names(c, "command", p.Commands, func(x *Command) (ID, uint32) { return x.ID, x.At }),

		implementations: names(c, "implementation", p.Implementations, func(x *Implementation) (ID, uint32) { return x.ID, x.At }),
	}
	c.deployment(p.Deployment)
	for i := range p.Queues {
		c.refers(&ids.devices, p.Queues[i].Device, p.Queues[i].At, "device")
	}
	for i := range p.Regions {
		c.refers(&ids.devices, p.Regions[i].Device, p.Regions[i].At, "device")
	}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		c.refers(&ids.regions, b.Region, b.At, "memory_region")
		c.refers(&ids.commands, b.FreedBy, b.At, "freed_by")
	}
	for i := range p.Channels {
		c.channel(&ids, &p.Channels[i])
	}
	for i := range p.Groups {
		c.ranks(&p.Groups[i])
	}
	for i := range p.Barriers {
		c.refersList(&ids.queues, p.Barriers[i].Queues, p.Barriers[i].At, "queues")
	}
	for i := range p.Commands {
		c.command(&ids, &p.Commands[i])
	}
	c.extension(&ids, p.Extension)
}

// names enters the ids of one kind and reports those that are taken.
func names[T any](c *checker, noun string, list []T, of func(*T) (ID, uint32)) namespace {
	ns := namespace{noun: noun, at: make([]uint32, c.plan.Symbols.Len()), unknown: slices.Contains(c.unlisted, noun)}
	for i := range list {
		id, at := of(&list[i])
		if id == NoID { // reported before
			ns.unknown = true
			continue
		}
		n, _ := id.Index()
		switch first := ns.at[n]; {
		case first == 0:
			ns.at[n] = at + 1
		case !c.Stopped():
			c.ReportRepeat(c.locate(at, "id"), c.locate(first-1, "id"), "id-duplicate",
				fmt.Sprintf("the %s id %s is already used", noun, c.quote(id)))
		}
	}
	return ns
}

func (c *checker) known(ns *namespace, id ID) bool {
	if id == NoID || ns.unknown || c.Stopped() { // absent, or reported before
		return true
	}
	n, _ := id.Index()
	return ns.at[n] != 0
}

// refers checks the id in a field of the object at an offset.
func (c *checker) refers(ns *namespace, id ID, at uint32, field string) {
	if !c.known(ns, id) {
		c.stranger(ns, id, c.locate(at, field))
	}
}

// refersList checks the ids in a list in a field of the object at an offset, and
// that each is there once.
func (c *checker) refersList(ns *namespace, list []ID, at uint32, field string) {
	for i, id := range list {
		if !c.known(ns, id) {
			c.stranger(ns, id, c.locateEntry(at, field, i))
		}
	}
	repeats(list, func(first, i int) {
		if list[i] != NoID && !c.Stopped() {
			c.ReportRepeat(c.locateEntry(at, field, i), c.locateEntry(at, field, first), "id-duplicate",
				fmt.Sprintf("the %s %s is already given", ns.noun, c.quote(list[i])))
		}
	})
}

// repeats tells of each entry that an earlier one equals, and the first of those.
func repeats[T comparable](list []T, tell func(first, i int)) {
	const few = 16
	if len(list) <= few {
		for i, x := range list {
			if first := slices.Index(list[:i], x); first >= 0 {
				tell(first, i)
			}
		}
		return
	}
	firsts := make(map[T]int, len(list))
	for i, x := range list {
		if first, there := firsts[x]; there {
			tell(first, i)
		} else {
			firsts[x] = i
		}
	}
}

func (c *checker) stranger(ns *namespace, id ID, at uint32) {
	help := ""
	if c.suggested < maxSuggestions {
		c.suggested++
		near := diag.Nearest(c.plan.Text(id), func(yield func(string) bool) {
			for n, at := range ns.at {
				if at != 0 && !yield(c.plan.Text(symbolAt(n))) {
					return
				}
			}
		})
		if near != "" {
			help = "did you mean " + strictjson.Quote(near) + "?"
		}
	}
	c.ReportValue(at, "reference-unknown", fmt.Sprintf("names the %s %s, which does not exist", ns.noun, c.quote(id)), help)
}

// channel checks a channel whose slots are taken from a region: that it says how
// large they are, and the other way round.
func (c *checker) channel(ids *programIDs, x *Channel) {
	c.refers(&ids.regions, x.Region, x.At, "memory_region")
	if (x.Region == NoID) == (x.Slot == None) || slices.Contains(c.regionless, x.At) || c.Stopped() {
		return
	}
	has, lacks := "memory_region", "slot_bytes"
	if x.Region == NoID {
		has, lacks = lacks, has
	}
	c.Report(x.At, "missing-field", fmt.Sprintf("a channel with %q must have the field %q", has, lacks), "")
}

func (c *checker) ranks(g *Group) {
	repeats(g.Ranks, func(first, i int) {
		if !c.Stopped() {
			c.ReportRepeat(c.locateEntry(g.At, "ranks", i), c.locateEntry(g.At, "ranks", first), "id-duplicate",
				fmt.Sprintf("rank %d is already given", g.Ranks[i]))
		}
	})
}

func (c *checker) command(ids *programIDs, x *Command) {
	c.refers(&ids.queues, x.Queue, x.At, "queue")
	c.refers(&ids.implementations, x.Implementation, x.At, "implementation")
	c.refersList(&ids.commands, x.After, x.At, "after")
	c.refersList(&ids.buffers, x.Reads, x.At, "reads")
	c.refersList(&ids.buffers, x.Writes, x.At, "writes")
	c.refersList(&ids.tokens, x.Waits, x.At, "waits")
	c.refersList(&ids.tokens, x.Signals, x.At, "signals")
	c.refers(&ids.channels, x.Channel, x.At, "channel")
	c.refers(&ids.groups, x.Group, x.At, "group")
	c.refers(&ids.barriers, x.Barrier, x.At, "barrier")
	for i := range x.InPlace {
		pair := &x.InPlace[i]
		at := func() uint32 { return c.locateEntry(x.At, "in_place", i) }
		if !c.known(&ids.buffers, pair.Read) {
			c.stranger(&ids.buffers, pair.Read, c.locate(at(), "read"))
		}
		if !c.known(&ids.buffers, pair.Write) {
			c.stranger(&ids.buffers, pair.Write, c.locate(at(), "write"))
		}
	}
}
