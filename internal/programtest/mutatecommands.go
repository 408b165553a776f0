package programtest

import (
	"fmt"
	"slices"

	"plancheck/ir"
)

// ofCommands are the ways in which a command by itself is wrong.
func ofCommands() []Mutation {
	return []Mutation{
		{"a queue taken from a command", "command-missing-queue", func(c *Case) []Edit {
			return c.edits(func(x *ir.Command) bool { return works(x) || x.Kind == ir.KindSignal || x.Kind == ir.KindWait }, func(i int) Edit {
				return change(i, func(x *ir.Command) { x.Queue = ir.NoID }, commandAt(i))
			})
		}},
		{"a kind given to a queue that has something else", "command-queue-kind", wrongQueueKind},
		{"another kind of work on a queue of a kind", "command-queue-kind", func(c *Case) (edits []Edit) {
			for _, i := range c.those(func(x *ir.Command) bool { return works(x) && x.Kind != ir.KindTransfer }) {
				for _, kind := range []string{ir.KindLaunch, ir.KindHostCall, ir.KindTransfer} {
					if !takes(c.queueOf(&c.Program.Commands[i]), kind) {
						edits = append(edits, change(i, func(x *ir.Command) { x.Kind = kind }, commandAt(i)+"/queue"))
					}
				}
			}
			return edits
		}},
		{"a kind that needs a field that is not there", "command-incomplete", func(c *Case) (edits []Edit) {
			for _, i := range c.those(func(x *ir.Command) bool { return works(x) && x.Kind != ir.KindTransfer }) {
				for _, kind := range []string{ir.KindSend, ir.KindRecv, ir.KindCollective, ir.KindBarrier} {
					if takes(c.queueOf(&c.Program.Commands[i]), kind) {
						edits = append(edits, change(i, func(x *ir.Command) { x.Kind = kind }, commandAt(i)))
					}
				}
			}
			return edits
		}},
		{"a channel, a group or a barrier that a command does not use", "command-unexpected-field", func(c *Case) (edits []Edit) {
			p := c.Program
			for i := range p.Commands {
				x := &p.Commands[i]
				if x.Channel == ir.NoID && len(p.Channels) > 0 {
					edits = append(edits, change(i, func(x *ir.Command) { x.Channel = p.Channels[0].ID }, commandAt(i)))
				}
				if x.Group == ir.NoID && len(p.Groups) > 0 {
					edits = append(edits, change(i, func(x *ir.Command) { x.Group = p.Groups[0].ID }, commandAt(i)))
				}
				if x.Barrier == ir.NoID && len(p.Barriers) > 0 {
					edits = append(edits, change(i, func(x *ir.Command) { x.Barrier = p.Barriers[0].ID }, commandAt(i)))
				}
			}
			return edits
		}},
		{"a signal of nothing", "token-empty-signal", func(c *Case) []Edit { return c.anywhere(ir.KindSignal) }},
		{"a wait for nothing", "token-empty-wait", func(c *Case) []Edit { return c.anywhere(ir.KindWait) }},
		{"a read of memory of another device", "command-device-mismatch", foreignRead},
		{"a transfer between devices that becomes a launch", "command-device-mismatch", func(c *Case) []Edit {
			return c.edits(func(x *ir.Command) bool {
				return x.Kind == ir.KindTransfer && takes(c.queueOf(x), ir.KindLaunch) && c.foreign(x)
			}, func(i int) Edit {
				return change(i, func(x *ir.Command) { x.Kind = ir.KindLaunch }, commandAt(i))
			})
		}},
		{"a command on a queue of another device", "command-device-mismatch", func(c *Case) (edits []Edit) {
			for _, i := range c.those(func(x *ir.Command) bool {
				return works(x) && x.Kind != ir.KindTransfer && len(x.Reads)+len(x.Writes) > 0
			}) {
				for _, q := range c.Program.Queues {
					if q.Device != c.queueOf(&c.Program.Commands[i]).Device && takes(&q, c.Program.Commands[i].Kind) {
						edits = append(edits, change(i, func(x *ir.Command) { x.Queue = q.ID }, commandAt(i)))
					}
				}
			}
			return edits
		}},
	}
}

// anywhere offers to put a command that has nothing but its kind into any place.
func (c *Case) anywhere(kind string) (edits []Edit) {
	for at := range len(c.Program.Commands) + 1 {
		q := c.Program.Queues[at%len(c.Program.Queues)].ID
		edits = append(edits, c.insert(at, ir.Command{Kind: kind, Queue: q}, commandAt(at)))
	}
	return edits
}

// wrongQueueKind gives a kind to a queue on which one command does not belong
// there.
func wrongQueueKind(c *Case) (edits []Edit) {
	for k, q := range c.Program.Queues {
		for kind := range ir.QueueKinds() {
			other := q
			other.Kind = kind
			wrong := slices.DeleteFunc(c.on(q.ID), func(i int) bool { return takes(&other, c.Program.Commands[i].Kind) })
			if len(wrong) > 0 {
				e := Edit{Do: func(p *ir.Program) { p.Queues[k] = other }, Every: true}
				for _, i := range wrong {
					e.Places = append(e.Places, commandAt(i)+"/queue")
				}
				edits = append(edits, e)
			}
		}
	}
	slices.SortStableFunc(edits, func(a, b Edit) int { return slices.Compare(a.Places, b.Places) }) // kinds came in any order
	return edits
}

// foreign says that a command uses memory of another device than its queue's.
func (c *Case) foreign(x *ir.Command) bool {
	return slices.ContainsFunc(slices.Concat(x.Reads, x.Writes), func(id ir.ID) bool {
		b := slices.IndexFunc(c.Program.Buffers, func(b ir.Buffer) bool { return b.ID == id })
		return c.deviceOf(c.Program.Buffers[b].Region) != c.queueOf(x).Device
	})
}

func foreignRead(c *Case) (edits []Edit) {
	for _, b := range c.Program.Buffers {
		if !b.Initialised {
			continue
		}
		for _, i := range c.those(func(x *ir.Command) bool {
			return x.Kind != ir.KindTransfer && c.queueOf(x).Device != c.deviceOf(b.Region)
		}) {
			edits = append(edits, change(i, func(x *ir.Command) { x.Reads = append(x.Reads, b.ID) }, commandAt(i)))
		}
	}
	return edits
}

// entryAt is the place of an entry of a list in a field of a command.
func entryAt(i int, field string, entry int) string {
	return fmt.Sprintf("%s/%s/%d", commandAt(i), field, entry)
}
