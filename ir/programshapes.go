package ir

import (
	"fmt"
	"slices"
	"strings"

	"plancheck/internal/strictjson"
	"plancheck/internal/symbol"
)

// This file is the section "program" of the schema: one table of fields for
// each kind of object, in the order of program.go.

const (
	aDeviceID  = "a device id (a string)"
	aQueueID   = "a queue id (a string)"
	aRegionID  = "a memory region id (a string)"
	aBufferID  = "a buffer id (a string)"
	aTokenID   = "a token id (a string)"
	aChannelID = "a channel id (a string)"
	aGroupID   = "a group id (a string)"
	aBarrierID = "a barrier id (a string)"
	aCommandID = "a command id (a string)"
	aTargetID  = "the id of a physical device (a string)"
	commandIDs = "a list of command ids"
	bufferIDs  = "a list of buffer ids"
	tokenIDs   = "a list of token ids"
	queueIDs   = "a list of queue ids"
)

// declare is what "dependencies" says of a program whose dependencies are Declared.
const declare = "declare"

// timings are fields that no plan has: what was predicted or measured must not
// become part of a decision.
var timings = []string{
	"start", "end", "duration", "latency", "start_ps", "end_ps", "duration_ps", "latency_ps", "start_ns", "end_ns",
	"duration_ns", "latency_ns", "predicted_start", "predicted_end", "predicted_duration", "estimated_start",
	"estimated_end", "estimated_duration", "estimated_latency",
}

const timingHelp = "a plan holds no time, predicted or measured: leave it out"

// programTrails follow the series of references in a program.
type programTrails struct {
	queueDevice, queueEngine, regionDevice, bufferRegion, freedBy, channelRegion, barrierQueue symbol.Trail
	queue, after, reads, writes, inPlace, waits, signals, channel, group, barrier              symbol.Trail
	target, implementation                                                                     symbol.Trail
}

var programShape = strictjson.NewShape("a program",
	optional("identity", func(d *decoder, p *Program) {
		p.Identity = &Identity{At: d.Offset()}
		identityShape.Read(d.Reader, d, p.Identity)
	}),
	optional("deployment", func(d *decoder, p *Program) {
		p.Deployment = &Deployment{At: d.Offset()}
		deploymentShape.Read(d.Reader, d, p.Deployment)
	}),
	optional("world_size", func(d *decoder, p *Program) {
		p.WorldSizeAt = d.Offset()
		p.WorldSize = d.number(1)
	}),
	optional("devices", func(d *decoder, p *Program) {
		p.Devices = entries(d, deviceShape, func(at uint32) Device { return Device{Rank: None, At: at} })
		d.listed("device", p.Devices != nil)
	}),
	optional("queues", func(d *decoder, p *Program) {
		p.Queues = entries(d, queueShape, func(at uint32) Queue { return Queue{At: at} })
		d.listed("queue", p.Queues != nil)
	}),
	optional("memory_regions", func(d *decoder, p *Program) {
		p.Regions = entries(d, regionShape, func(at uint32) Region { return Region{Alignment: 1, At: at} })
		d.listed("memory region", p.Regions != nil)
	}),
	optional("buffers", func(d *decoder, p *Program) {
		p.Buffers = entries(d, bufferShape, func(at uint32) Buffer { return Buffer{Alignment: 1, At: at} })
		d.listed("buffer", p.Buffers != nil)
	}),
	optional("tokens", func(d *decoder, p *Program) {
		p.Tokens = entries(d, tokenShape, func(at uint32) Token { return Token{At: at} })
		d.listed("token", p.Tokens != nil)
	}),
	optional("channels", func(d *decoder, p *Program) {
		p.Channels = entries(d, channelShape, func(at uint32) Channel { return Channel{Slot: None, At: at} })
		d.listed("channel", p.Channels != nil)
	}),
	optional("groups", func(d *decoder, p *Program) {
		p.Groups = entries(d, groupShape, func(at uint32) Group { return Group{At: at} })
		d.listed("group", p.Groups != nil)
	}),
	optional("barriers", func(d *decoder, p *Program) {
		p.Barriers = entries(d, barrierShape, func(at uint32) Barrier { return Barrier{At: at} })
		d.listed("barrier", p.Barriers != nil)
	}),
	optional("implementations", func(d *decoder, p *Program) {
		p.Implementations = entries(d, implementationShape, func(at uint32) Implementation { return Implementation{At: at} })
		d.listed("implementation", p.Implementations != nil)
	}),
	optional("dependencies", func(d *decoder, p *Program) {
		p.Declared = d.oneOf([]string{"wait", declare}) == declare
	}),
	required("commands", func(d *decoder, p *Program) {
		p.Commands = entries(d, commandShape, func(at uint32) Command {
			return Command{Bytes: None, Stage: None, Microbatch: None, At: at}
		})
		d.listed("command", p.Commands != nil)
	}),
	optional("target_extension", func(d *decoder, p *Program) {
		p.Extension = &Extension{At: d.Offset()}
		extensionShape.Read(d.Reader, d, p.Extension)
	}),
).Refuse("attribute-reserved", timingHelp, timings...)

var deviceShape = strictjson.NewShape("a device",
	required("id", func(d *decoder, x *Device) { x.ID = d.id(aDeviceID) }),
	optional("rank", func(d *decoder, x *Device) { x.Rank = d.number(0) }),
	optional("target_device", func(d *decoder, x *Device) { x.Target = d.reference(aTargetID, &d.program.target) }),
).Refuse("attribute-reserved", timingHelp, timings...)

var queueShape = strictjson.NewShape("a queue",
	required("id", func(d *decoder, q *Queue) { q.ID = d.id(aQueueID) }),
	required("device", func(d *decoder, q *Queue) { q.Device = d.reference(aDeviceID, &d.program.queueDevice) }),
	optional("kind", func(d *decoder, q *Queue) { q.Kind = d.oneOf(queueKinds()) }),
	optional("engine", func(d *decoder, q *Queue) { q.Engine = d.reference(anEngineID, &d.program.queueEngine) }),
	optional("ordered", func(d *decoder, q *Queue) {
		ordered, ok := d.Bool()
		q.Unordered = ok && !ordered
	}),
).Refuse("attribute-reserved", timingHelp, timings...)

func queueKinds() []string { return []string{"compute", "collective", "transfer", "host"} }

var regionShape = strictjson.NewShape("a memory region",
	required("id", func(d *decoder, r *Region) { r.ID = d.id(aRegionID) }),
	required("device", func(d *decoder, r *Region) { r.Device = d.reference(aDeviceID, &d.program.regionDevice) }),
	required("capacity_bytes", func(d *decoder, r *Region) { r.Capacity = d.number(0) }),
	optional("reserved_bytes", func(d *decoder, r *Region) { r.Reserved = d.number(0) }),
	optional("alignment_bytes", func(d *decoder, r *Region) { r.Alignment = d.number(1) }),
).Refuse("attribute-reserved", timingHelp, timings...)

var bufferShape = strictjson.NewShape("a buffer",
	required("id", func(d *decoder, b *Buffer) { b.ID = d.id(aBufferID) }),
	optional("name", func(d *decoder, b *Buffer) { b.Name = d.text() }),
	required("memory_region", func(d *decoder, b *Buffer) { b.Region = d.reference(aRegionID, &d.program.bufferRegion) }),
	required("offset_bytes", func(d *decoder, b *Buffer) { b.Offset = d.number(0) }),
	required("size_bytes", func(d *decoder, b *Buffer) { b.Size = d.number(0) }),
	optional("alignment_bytes", func(d *decoder, b *Buffer) { b.Alignment = d.number(1) }),
	optional("initialised", func(d *decoder, b *Buffer) { b.Initialised, _ = d.Bool() }),
	optional("kept", func(d *decoder, b *Buffer) { b.Kept, _ = d.Bool() }),
	optional("freed_by", func(d *decoder, b *Buffer) { b.FreedBy = d.reference(aCommandID, &d.program.freedBy) }),
	optional("lineage", func(d *decoder, b *Buffer) { b.Lineage = d.lineage() }),
).Refuse("attribute-reserved", timingHelp, timings...)

var tokenShape = strictjson.NewShape("a token",
	required("id", func(d *decoder, t *Token) { t.ID = d.id(aTokenID) }),
	optional("consuming", func(d *decoder, t *Token) { t.Consuming, _ = d.Bool() }),
).Refuse("attribute-reserved", timingHelp, timings...)

var channelShape = strictjson.NewShape("a channel",
	required("id", func(d *decoder, c *Channel) { c.ID = d.id(aChannelID) }),
	required("depth", func(d *decoder, c *Channel) { c.Depth = d.number(0) }),
	optional("memory_region", func(d *decoder, c *Channel) {
		c.Region = d.reference(aRegionID, &d.program.channelRegion)
		if c.Region == NoID {
			d.regionless = append(d.regionless, c.At)
		}
	}),
	optional("slot_bytes", func(d *decoder, c *Channel) { c.Slot = d.number(0) }),
).Refuse("attribute-reserved", timingHelp, timings...).Annotate(func(s *strictjson.Schema) { // programcheck.go checks that
	s.DependentRequired = map[string][]string{"memory_region": {"slot_bytes"}, "slot_bytes": {"memory_region"}}
})

var groupShape = strictjson.NewShape("a group",
	required("id", func(d *decoder, g *Group) { g.ID = d.id(aGroupID) }),
	required("ranks", func(d *decoder, g *Group) { g.Ranks = d.numberList("a list of ranks", 0) }),
).Refuse("attribute-reserved", timingHelp, timings...)

var barrierShape = strictjson.NewShape("a barrier",
	required("id", func(d *decoder, b *Barrier) { b.ID = d.id(aBarrierID) }),
	required("queues", func(d *decoder, b *Barrier) { b.Queues = d.idList(queueIDs, aQueueID, &d.program.barrierQueue) }),
).Refuse("attribute-reserved", timingHelp, timings...)

var commandShape = strictjson.NewShape("a command",
	required("id", func(d *decoder, c *Command) { c.ID = d.id(aCommandID) }),
	optional("name", func(d *decoder, c *Command) { c.Name = d.text() }),
	required("kind", func(d *decoder, c *Command) { c.Kind = d.oneOf(CommandKinds()) }),
	optional("queue", func(d *decoder, c *Command) { c.Queue = d.reference(aQueueID, &d.program.queue) }),
	optional("op", func(d *decoder, c *Command) { c.Op = d.text() }),
	optional("implementation", func(d *decoder, c *Command) {
		c.Implementation = d.reference(anImplementationID, &d.program.implementation)
	}),
	optional("after", func(d *decoder, c *Command) { c.After = d.idList(commandIDs, aCommandID, &d.program.after) }),
	optional("reads", func(d *decoder, c *Command) { c.Reads = d.idList(bufferIDs, aBufferID, &d.program.reads) }),
	optional("writes", func(d *decoder, c *Command) { c.Writes = d.idList(bufferIDs, aBufferID, &d.program.writes) }),
	optional("in_place", func(d *decoder, c *Command) {
		c.InPlace = entries(d, inPlaceShape, func(uint32) InPlace { return InPlace{} })
	}),
	optional("waits", func(d *decoder, c *Command) { c.Waits = d.idList(tokenIDs, aTokenID, &d.program.waits) }),
	optional("signals", func(d *decoder, c *Command) { c.Signals = d.idList(tokenIDs, aTokenID, &d.program.signals) }),
	optional("channel", func(d *decoder, c *Command) { c.Channel = d.reference(aChannelID, &d.program.channel) }),
	optional("group", func(d *decoder, c *Command) { c.Group = d.reference(aGroupID, &d.program.group) }),
	optional("reduction", func(d *decoder, c *Command) { c.Reduction = d.oneOf(Reductions()) }),
	optional("barrier", func(d *decoder, c *Command) { c.Barrier = d.reference(aBarrierID, &d.program.barrier) }),
	optional("bytes", func(d *decoder, c *Command) { c.Bytes = d.number(0) }),
	optional("stage", func(d *decoder, c *Command) { c.Stage = d.number(0) }),
	optional("microbatch", func(d *decoder, c *Command) { c.Microbatch = d.number(0) }),
	optional("lineage", func(d *decoder, c *Command) { c.Lineage = d.lineage() }),
).Refuse("attribute-reserved", timingHelp, timings...)

var inPlaceShape = strictjson.NewShape("an in-place pair",
	required("read", func(d *decoder, p *InPlace) { p.Read = d.reference(aBufferID, &d.program.inPlace) }),
	required("write", func(d *decoder, p *InPlace) { p.Write = d.reference(aBufferID, &d.program.inPlace) }),
)

// listed notes whether a list of a program's entities could be read.
func (d *decoder) listed(noun string, read bool) {
	if !read {
		d.unlisted = append(d.unlisted, noun)
	}
}

// oneOf reads a string that is one of several words. It returns an empty one on
// an error.
func (d *decoder) oneOf(words []string) string {
	at := d.Offset()
	b, ok := d.String("a string")
	if s := d.Described(); s != nil {
		s.Enum = words
	}
	if !ok {
		return ""
	}
	if i := slices.Index(words, string(b)); i >= 0 {
		return words[i]
	}
	d.ReportValue(at, "unknown-type-tag", fmt.Sprintf("is %s, which is not known", strictjson.Quote(string(b))), "known are "+strings.Join(words, ", "))
	return ""
}

// oneOfList reads a list of such strings.
func (d *decoder) oneOfList(lists string, words []string) []string {
	l := d.List(lists)
	if !l.Ok() {
		return nil
	}
	list := []string{}
	for l.Next() {
		if word := d.oneOf(words); word != "" {
			list = append(list, word)
		}
	}
	return list
}
