package programtest

import (
	"slices"

	"plancheck/ir"
)

// ofOrder are the ways in which commands wait for each other, or no longer for
// what they must.
func ofOrder() []Mutation {
	return []Mutation{
		{"a command that depends on itself", "dag-self-dependency", func(c *Case) []Edit {
			return c.edits(func(x *ir.Command) bool { return true }, func(i int) Edit {
				return change(i, func(x *ir.Command) { x.After = append(x.After, x.ID) })
			})
		}},
		{"a dependency also the other way round", "dag-cycle", func(c *Case) (edits []Edit) {
			for i := range c.Program.Commands {
				x := &c.Program.Commands[i]
				for _, a := range x.After {
					edits = append(edits, Edit{Do: func(p *ir.Program) {
						p.Commands[c.index[a]].After = append(p.Commands[c.index[a]].After, x.ID)
					}})
				}
			}
			return edits
		}},
		{"a dependency listed behind", "dag-not-topological", listedBehind},
		{"two queues that wait for each other first", "schedule-deadlock", crosswise},
		{"neighbours on a queue swapped, and dead", "schedule-deadlock", swapNeighbours},
		{"neighbours on a queue swapped, and a race", "data-race", swapNeighbours},
		{"neighbours on a queue swapped, and bytes shared", "buffer-overlap", swapNeighbours},
		{"a command moved to another queue", "data-race", otherQueue},
		{"a command moved to another queue, and dead", "schedule-deadlock", otherQueue},
		{"a use of a signal moved to another queue", "token-order-open", otherQueue},
		{"a queue whose commands do not wait", "data-race", unorderedQueue},
		{"a dependency dropped, and a race", "data-race", dropDependency},
		{"a dependency dropped, and bytes shared", "buffer-overlap", dropDependency},
		{"a token dropped, and a race", "data-race", dropToken},
		{"a token dropped, and bytes shared", "buffer-overlap", dropToken},
		{"a message dropped, and a race", "data-race", dropMessage},
		{"a meeting dropped, and a race", "data-race", dropMeeting},
		{"a write more, and a race", "data-race", func(c *Case) (edits []Edit) {
			for _, b := range c.Program.Buffers {
				for _, i := range c.those(func(x *ir.Command) bool {
					return works(x) && !slices.Contains(x.Writes, b.ID) && c.queueOf(x).Device == c.deviceOf(b.Region)
				}) {
					edits = append(edits, change(i, func(x *ir.Command) { x.Writes = append(x.Writes, b.ID) }))
				}
			}
			return edits
		}},
	}
}

// swapNeighbours swaps commands that follow each other on an ordered queue and do
// not count each other.
func swapNeighbours(c *Case) (edits []Edit) {
	for _, q := range c.Program.Queues {
		on := c.on(q.ID)
		for k := 1; k < len(on) && !q.Unordered; k++ {
			a, b := on[k-1], on[k]
			if x, y := &c.Program.Commands[a], &c.Program.Commands[b]; !works(x) && x.Kind == y.Kind && x.Channel == y.Channel && x.Group == y.Group {
				continue // they would meet others
			}
			edits = append(edits, Edit{Do: func(p *ir.Program) { p.Commands[a], p.Commands[b] = p.Commands[b], p.Commands[a] }})
		}
	}
	return edits
}

// otherQueue moves a command to another queue of its device, where it keeps its
// place in the list.
func otherQueue(c *Case) (edits []Edit) {
	for _, i := range c.those(func(x *ir.Command) bool {
		return works(x) || x.Kind == ir.KindSignal || x.Kind == ir.KindWait
	}) {
		from := c.queueOf(&c.Program.Commands[i])
		for _, q := range c.Program.Queues {
			if q.ID != from.ID && q.Device == from.Device && takes(&q, c.Program.Commands[i].Kind) {
				edits = append(edits, change(i, func(x *ir.Command) { x.Queue = q.ID }))
			}
		}
	}
	return edits
}

// unorderedQueue takes the order from a queue whose commands have no numbers that
// depend on it.
func unorderedQueue(c *Case) (edits []Edit) {
	for k, q := range c.Program.Queues {
		if !slices.ContainsFunc(c.on(q.ID), func(i int) bool { return !works(&c.Program.Commands[i]) }) {
			edits = append(edits, Edit{Do: func(p *ir.Program) { p.Queues[k].Unordered = true }})
		}
	}
	return edits
}

func dropDependency(c *Case) (edits []Edit) {
	for i := range c.Program.Commands {
		for _, a := range c.Program.Commands[i].After {
			edits = append(edits, change(i, func(x *ir.Command) { x.After = without(x.After, a) }))
		}
	}
	return edits
}

// dropToken takes a token out of all commands; those that did nothing else with
// one go too.
func dropToken(c *Case) (edits []Edit) {
	for _, t := range c.Program.Tokens {
		edits = append(edits, Edit{Do: func(p *ir.Program) {
			for i := range p.Commands {
				p.Commands[i].Waits, p.Commands[i].Signals = without(p.Commands[i].Waits, t.ID), without(p.Commands[i].Signals, t.ID)
			}
			p.Tokens = without(p.Tokens, t)
			dropCommands(p, func(x *ir.Command) bool {
				return x.Kind == ir.KindSignal && len(x.Signals) == 0 || x.Kind == ir.KindWait && len(x.Waits) == 0
			})
		}})
	}
	return edits
}

// dropMessage takes the last message of a channel out.
func dropMessage(c *Case) (edits []Edit) {
	for _, x := range c.Program.Channels {
		sends, recvs := c.ends(x.ID, ir.KindSend), c.ends(x.ID, ir.KindRecv)
		if n := len(sends); n > 0 {
			edits = append(edits, c.dropAll([]int{sends[n-1], recvs[n-1]})...)
		}
	}
	return edits
}

// dropMeeting takes the last collective of a group, or meeting of a barrier, out.
func dropMeeting(c *Case) (edits []Edit) {
	last := func(x *ir.Command) bool { return x.Kind == ir.KindCollective || x.Kind == ir.KindBarrier }
	for _, m := range c.mates {
		first := &c.Program.Commands[m[0]]
		if len(m) < 2 || !last(first) {
			continue
		}
		own := c.those(func(x *ir.Command) bool {
			return x.Kind == first.Kind && x.Queue == first.Queue && x.Group == first.Group && x.Barrier == first.Barrier
		})
		if own[len(own)-1] == m[0] {
			edits = append(edits, c.dropAll(m)...)
		}
	}
	return edits
}

// dropAll takes commands out, if nothing names them.
func (c *Case) dropAll(list []int) []Edit {
	ids := map[ir.ID]bool{}
	for _, i := range list {
		if !c.loose(i) {
			return nil
		}
		ids[c.Program.Commands[i].ID] = true
	}
	return []Edit{{Do: func(p *ir.Program) { dropCommands(p, func(x *ir.Command) bool { return ids[x.ID] }) }}}
}

// dropCommands takes commands out; nothing depends on them any longer, and they
// free nothing.
func dropCommands(p *ir.Program, is func(*ir.Command) bool) {
	gone := map[ir.ID]bool{}
	p.Commands = slices.DeleteFunc(p.Commands, func(x ir.Command) bool {
		gone[x.ID] = is(&x)
		return gone[x.ID]
	})
	for i := range p.Commands {
		p.Commands[i].After = slices.DeleteFunc(p.Commands[i].After, func(a ir.ID) bool { return gone[a] })
	}
	for i := range p.Buffers {
		if gone[p.Buffers[i].FreedBy] {
			p.Buffers[i].FreedBy = ir.NoID
		}
	}
}

// listedBehind moves a command, in the list, in front of one that it depends on;
// no queue notices.
func listedBehind(c *Case) (edits []Edit) {
	for i := range c.Program.Commands {
		for _, a := range c.Program.Commands[i].After {
			at := c.index[a]
			ordered := !c.queueOf(&c.Program.Commands[i]).Unordered
			if ordered && slices.ContainsFunc(c.on(c.Program.Commands[i].Queue), func(j int) bool { return at <= j && j < i }) {
				continue
			}
			edits = append(edits, Edit{Do: func(p *ir.Program) {
				x := p.Commands[i]
				p.Commands = slices.Insert(slices.Delete(p.Commands, i, i+1), at, x)
			}})
		}
	}
	return edits
}

// crosswise lets the earlier ones of two commands on two queues wait for the later
// ones of the other queue.
func crosswise(c *Case) (edits []Edit) {
	s, t := c.id("new"), c.id("newer")
	qs := c.Program.Queues
	for k := range qs {
		for n := range k {
			a, b := c.on(qs[k].ID), c.on(qs[n].ID)
			for at := range min(len(a), len(b)) - 1 {
				edits = append(edits, Edit{Do: func(p *ir.Program) {
					p.Tokens = append(p.Tokens, ir.Token{ID: s}, ir.Token{ID: t})
					for _, x := range []struct {
						first, later int
						token        ir.ID
					}{{a[at], b[at+1], s}, {b[at], a[at+1], t}} {
						p.Commands[x.first].Waits = append(p.Commands[x.first].Waits, x.token)
						p.Commands[x.later].Signals = append(p.Commands[x.later].Signals, x.token)
					}
				}})
			}
		}
	}
	return edits
}
