package programtest

import (
	"fmt"
	"math"
	"slices"

	"plancheck/ir"
)

// ofChannels are the ways in which messages do not arrive.
func ofChannels() []Mutation {
	return []Mutation{
		{"a send too many", "p2p-unmatched", func(c *Case) []Edit { return c.oneMore(ir.KindSend) }},
		{"a receive too many", "p2p-unmatched", func(c *Case) []Edit { return c.oneMore(ir.KindRecv) }},
		{"a send dropped", "p2p-unmatched", func(c *Case) []Edit { return c.oneLess(ir.KindSend, ir.KindRecv) }},
		{"a receive dropped", "p2p-unmatched", func(c *Case) []Edit { return c.oneLess(ir.KindRecv, ir.KindSend) }},
		{"bytes of a receive changed", "p2p-unmatched", func(c *Case) []Edit {
			return c.messages(func(send, recv int) []Edit {
				if c.Program.Commands[send].Bytes == ir.None {
					return nil
				}
				return []Edit{change(recv, func(x *ir.Command) { x.Bytes = c.Program.Commands[send].Bytes + 1 }, commandAt(recv)+"/bytes")}
			})
		}},
		{"a second queue that sends on a channel", "channel-order-open", func(c *Case) []Edit { return c.otherEnd(ir.KindSend, ir.KindRecv) }},
		{"a second queue that receives from a channel", "channel-order-open", func(c *Case) []Edit { return c.otherEnd(ir.KindRecv, ir.KindSend) }},
		{"a queue without order at an end of a channel", "channel-order-open", unorderedEnd},
		{"less depth", "schedule-deadlock", func(c *Case) (edits []Edit) {
			for k, x := range c.Program.Channels {
				for depth := range x.Depth {
					edits = append(edits, Edit{Do: func(p *ir.Program) { p.Channels[k].Depth = depth }})
				}
			}
			return edits
		}},
		{"slots that no region has room for", "region-capacity-exceeded", func(c *Case) (edits []Edit) {
			for k, x := range c.Program.Channels {
				if x.Region != ir.NoID && x.Depth > 0 {
					edits = append(edits, Edit{Do: func(p *ir.Program) {
						p.Channels[k].Depth, p.Channels[k].Slot = math.MaxInt64, math.MaxInt64
					}})
				}
			}
			return edits
		}},
		{"slots that leave too little to buffers", "region-capacity-exceeded", func(c *Case) (edits []Edit) {
			for k, x := range c.Program.Channels {
				for more := int64(1); x.Region != ir.NoID && x.Depth > 0 && more < 2000; more += more/2 + 1 {
					edits = append(edits, Edit{Do: func(p *ir.Program) { p.Channels[k].Slot += more }})
				}
			}
			return edits
		}},
	}
}

// ends are the commands of a kind of a channel.
func (c *Case) ends(channel ir.ID, kind string) []int {
	return c.those(func(x *ir.Command) bool { return x.Kind == kind && x.Channel == channel })
}

// messages goes through the sends, with their receives.
func (c *Case) messages(edit func(send, recv int) []Edit) (edits []Edit) {
	for _, x := range c.Program.Channels {
		recvs := c.ends(x.ID, ir.KindRecv)
		for k, send := range c.ends(x.ID, ir.KindSend) {
			edits = append(edits, edit(send, recvs[k])...)
		}
	}
	return edits
}

// oneMore adds a command to an end of a channel, behind all others.
func (c *Case) oneMore(kind string) (edits []Edit) {
	n := len(c.Program.Commands)
	for _, x := range c.Program.Channels {
		if own := c.ends(x.ID, kind); len(own) > 0 {
			q := c.Program.Commands[own[0]].Queue
			edits = append(edits, c.insert(n, ir.Command{Kind: kind, Channel: x.ID, Queue: q}, commandAt(n)+"/channel"))
		}
	}
	return edits
}

// oneLess drops the last command of an end of a channel; the last of the other end
// is then alone.
func (c *Case) oneLess(kind, other string) (edits []Edit) {
	for _, x := range c.Program.Channels {
		own, others := c.ends(x.ID, kind), c.ends(x.ID, other)
		if n := len(own); n > 0 && c.loose(own[n-1]) {
			alone := others[n-1]
			if alone > own[n-1] {
				alone--
			}
			edits = append(edits, remove(own[n-1], commandAt(alone)+"/channel"))
		}
	}
	return edits
}

// otherEnd adds a message behind all others, one end of which is on another queue
// than those before.
func (c *Case) otherEnd(kind, usual string) (edits []Edit) {
	n := len(c.Program.Commands)
	for k, x := range c.Program.Channels {
		own, others := c.ends(x.ID, kind), c.ends(x.ID, usual)
		if len(own) == 0 {
			continue
		}
		for _, q := range c.Program.Queues {
			if q.Unordered || q.ID == c.Program.Commands[own[0]].Queue || q.ID == c.Program.Commands[others[0]].Queue || !takes(&q, kind) {
				continue
			}
			a := c.insert(n, ir.Command{Kind: kind, Channel: x.ID, Queue: q.ID})
			b := ir.Command{ID: c.id("newer"), Kind: usual, Channel: x.ID, Queue: c.Program.Commands[others[0]].Queue, Bytes: ir.None, Stage: ir.None, Microbatch: ir.None}
			edits = append(edits, Edit{
				Do:     func(p *ir.Program) { a.Do(p); p.Commands = append(p.Commands, b) },
				Places: []string{fmt.Sprintf("/program/channels/%d", k)},
			})
		}
	}
	return edits
}

// unorderedEnd takes the order from a queue on which nothing but messages of one
// channel is numbered.
func unorderedEnd(c *Case) (edits []Edit) {
	for k, q := range c.Program.Queues {
		var numbered []*ir.Command
		for _, i := range c.on(q.ID) {
			if x := &c.Program.Commands[i]; !works(x) && x.Kind != ir.KindSignal && x.Kind != ir.KindWait {
				numbered = append(numbered, x)
			}
		}
		if len(numbered) < 2 || slices.ContainsFunc(numbered, func(x *ir.Command) bool {
			return x.Channel == ir.NoID || x.Channel != numbered[0].Channel || x.Kind != numbered[0].Kind
		}) {
			continue
		}
		at := slices.IndexFunc(c.Program.Channels, func(x ir.Channel) bool { return x.ID == numbered[0].Channel })
		edits = append(edits, Edit{
			Do:     func(p *ir.Program) { p.Queues[k].Unordered = true },
			Places: []string{fmt.Sprintf("/program/channels/%d", at)},
		})
	}
	return edits
}
