package pipeline

import (
	"fmt"
	"slices"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// DefaultBytes is the size of activations and messages where Options leave it
// open.
const DefaultBytes = 1 << 20

// Options say what a schedule does not.
type Options struct {
	// ActivationBytes is what a stage keeps of a microbatch from its forward to
	// its backward, MessageBytes what it hands to a neighbour; from 0.
	ActivationBytes, MessageBytes int64
	// CapacityBytes is the memory of a rank for both; None for as much as the
	// plan takes.
	CapacityBytes int64
	// Depth is how many messages between two stages may be under way in either
	// direction; 0 makes every send wait for its receive. None for as many as
	// there are when every computation takes one step, at least one.
	Depth int64
	// Name is the id of an action's command, its String by default.
	Name func(Action) string
}

// DefaultOptions leave everything open.
func DefaultOptions() Options {
	return Options{ActivationBytes: DefaultBytes, MessageBytes: DefaultBytes, CapacityBytes: ir.None, Depth: ir.None}
}

// Plan turns a schedule into the program that carries it out: a device, a queue
// and a memory region for each rank, a command for each action, and channels
// between neighbouring stages. Transfers are on the queues of computations, in
// the order of the schedule.
//
// The schedule must be free of Repeats and Strays; what it lacks, and an order
// that gets stuck, is in the program for the rules to find. It fails where it is
// not, and for numbers that are out of range.
func (s Schedule) Plan(name string, o Options) (*ir.Plan, error) {
	s = s.WithTransfers()
	if err := s.fits(o); err != nil {
		return nil, err
	}
	b := &builder{s: s, sh: s.Shape(), o: o, symbols: symbol.NewTable()}
	b.p = &ir.Program{WorldSize: int64(len(s.Ranks)), Commands: []ir.Command{}}
	if b.o.Name == nil {
		b.o.Name = Action.String
	}
	b.channels()
	for r := range s.Ranks {
		if err := b.memory(r); err != nil {
			return nil, err
		}
	}
	for r, actions := range s.Ranks {
		for i, a := range actions {
			b.command(Place{r, i}, a)
		}
	}
	return &ir.Plan{Symbols: b.symbols, Name: name, LogicalCores: ir.None, Program: b.p}, nil
}

func (s Schedule) fits(o Options) error {
	if repeats := s.Repeats(); len(repeats) > 0 {
		return fmt.Errorf("%v is done twice", s.Action(repeats[0][1]))
	}
	if strays := s.Strays(); len(strays) > 0 {
		return fmt.Errorf("%v is on rank %d, where its stage is not", s.Action(strays[0]), strays[0].Rank)
	}
	if o.ActivationBytes < 0 || o.MessageBytes < 0 || o.CapacityBytes < ir.None || o.Depth < ir.None {
		return fmt.Errorf("bytes and the depth of channels must be at least 0")
	}
	return nil
}

type builder struct {
	s       Schedule
	sh      Shape
	o       Options
	symbols *symbol.Table
	p       *ir.Program
	links   map[linkKey]*link
}

func (b *builder) id(format string, args ...any) ir.ID {
	return b.symbols.String(fmt.Sprintf(format, args...))
}

// channels makes the channels: one a link if both ends agree on the order of
// microbatches. Otherwise messages would be mistaken for one another, and each
// has a channel of its own.
func (b *builder) channels() {
	run := b.s.run(b.sh, UnitCosts())
	list, by := b.s.links(run)
	b.links = by
	for _, l := range list {
		depth := b.o.Depth
		if depth == ir.None {
			depth = int64(max(l.most, 1))
			if len(run.Stuck) > 0 { // what is stuck shall not be blamed on channels
				depth = int64(max(len(l.sent), 1))
			}
		}
		of := l.sent
		if l.inOrder {
			of = of[:min(1, len(of))]
		} else {
			of = append(slices.Clone(l.sent), l.received...)
			slices.Sort(of)
			of = slices.Compact(of)
			depth = min(depth, 1)
		}
		for _, m := range of {
			c := ir.Channel{ID: b.channel(l, m), Depth: depth, Slot: ir.None}
			if home, ok := b.sh.Home[l.way().To]; ok && depth > 0 {
				c.Region, c.Slot = b.region(home), b.o.MessageBytes
			}
			b.p.Channels = append(b.p.Channels, c)
		}
	}
}

func (b *builder) channel(l *link, microbatch int64) ir.ID {
	kind, way := "F", l.way()
	if l.back {
		kind = "B"
	}
	if l.inOrder {
		return b.id("%s.s%d-s%d", kind, way.From, way.To)
	}
	return b.id("%s.s%d-s%d.m%d", kind, way.From, way.To, microbatch)
}

func (b *builder) region(rank int) ir.ID { return b.id("memory%d", rank) }

// memory makes the device, the queue, the region and the buffers of a rank:
// activations first, then messages. The slots of channels come on top.
func (b *builder) memory(rank int) error {
	device, region := b.id("rank%d", rank), b.region(rank)
	b.p.Devices = append(b.p.Devices, ir.Device{ID: device, Rank: int64(rank)})
	b.p.Queues = append(b.p.Queues, ir.Queue{ID: b.id("queue%d", rank), Device: device})

	slots, large, small := b.sh.slots(b.s.Ranks[rank])
	terms := [][2]int64{{b.o.ActivationBytes, int64(large)}, {b.o.MessageBytes, int64(small)}}
	for i := range b.p.Channels {
		if c := &b.p.Channels[i]; c.Region == region {
			terms = append(terms, [2]int64{c.Slot, c.Depth})
		}
	}
	capacity, err := total(terms...)
	if err != nil {
		return err
	}
	if b.o.CapacityBytes != ir.None {
		capacity = b.o.CapacityBytes
	}
	b.p.Regions = append(b.p.Regions, ir.Region{ID: region, Device: device, Capacity: capacity, Alignment: 1})
	for _, s := range slots {
		x := ir.Buffer{ID: b.id("%v", s.data), Region: region, Alignment: 1}
		if s.large {
			x.Size, x.Offset = b.o.ActivationBytes, int64(s.index)*b.o.ActivationBytes
		} else {
			x.Size, x.Offset = b.o.MessageBytes, int64(large)*b.o.ActivationBytes+int64(s.index)*b.o.MessageBytes
		}
		b.p.Buffers = append(b.p.Buffers, x)
	}
	return nil
}

// opOf is what a computation's command does; transfers have no op.
func opOf(k Kind) string {
	switch k {
	case Forward:
		return "forward"
	case Backward:
		return "backward"
	case BackwardInput:
		return "backward_input"
	case BackwardWeights:
		return "backward_weights"
	}
	return ""
}

func (b *builder) command(at Place, a Action) {
	c := ir.Command{
		ID: b.symbols.String(b.o.Name(a)), Kind: ir.KindLaunch, Queue: b.id("queue%d", at.Rank), Op: opOf(a.Kind),
		Bytes: ir.None, Stage: a.Stage, Microbatch: a.Microbatch,
	}
	// Ranks wait for each other by messages only.
	for _, need := range b.sh.needs(a) {
		if p, ok := b.sh.at[need]; ok && p.Rank == at.Rank {
			c.After = append(c.After, b.symbols.String(b.o.Name(b.s.Action(p))))
		}
	}
	reads, writes := b.sh.touched(a)
	for _, d := range reads {
		c.Reads = append(c.Reads, b.id("%v", d))
	}
	for _, d := range writes {
		c.Writes = append(c.Writes, b.id("%v", d))
	}
	if a.Kind.Transfer() {
		c.Kind = ir.KindRecv
		if a.Kind.sends() {
			c.Kind = ir.KindSend
		}
		c.Channel, c.Bytes = b.channel(b.links[linkOf(a)], a.Microbatch), b.o.MessageBytes
	}
	b.p.Commands = append(b.p.Commands, c)
}
