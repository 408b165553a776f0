package programtest

import (
	"slices"

	"plancheck/ir"
)

// ofTokens are the ways in which signals and waits do not fit together.
func ofTokens() []Mutation {
	return []Mutation{
		{"a token signalled twice", "token-multiple-signal", func(c *Case) (edits []Edit) {
			for _, t := range c.plainTokens() {
				first := c.signals(t)[0]
				for i := range c.Program.Commands {
					if i != first && c.Program.Commands[i].Kind != ir.KindWait {
						edits = append(edits, change(i, func(x *ir.Command) { x.Signals = append(x.Signals, t) }, c.secondSignal(t, first, i)))
					}
				}
			}
			return edits
		}},
		{"a token that no longer is used up", "token-multiple-signal", func(c *Case) (edits []Edit) {
			for k, t := range c.Program.Tokens {
				all := c.signals(t.ID)
				if !t.Consuming || len(all) < 2 {
					continue
				}
				e := Edit{Do: func(p *ir.Program) { p.Tokens[k].Consuming = false }, Every: true}
				for _, i := range all[1:] {
					e.Places = append(e.Places, c.signalAt(i, t.ID))
				}
				edits = append(edits, e)
			}
			return edits
		}},
		{"a wait for a token that is new", "token-never-signaled", func(c *Case) []Edit {
			return c.newToken(func(x *ir.Command, t ir.ID) { x.Waits = append(x.Waits, t) }, func(i int) string {
				return entryAt(i, "waits", len(c.Program.Commands[i].Waits))
			})
		}},
		{"a signal dropped", "token-never-signaled", func(c *Case) (edits []Edit) {
			for _, t := range c.plainTokens() {
				i := c.signals(t)[0]
				if x := &c.Program.Commands[i]; x.Kind == ir.KindSignal && len(x.Signals) == 1 {
					continue
				}
				e := change(i, func(x *ir.Command) { x.Signals = without(x.Signals, t) })
				for _, w := range c.waiters(t) {
					e.Places = append(e.Places, c.waitAt(w, t))
				}
				e.Every = true
				edits = append(edits, e)
			}
			return edits
		}},
		{"a wait more than signals that waits use up", "token-never-signaled", func(c *Case) (edits []Edit) {
			n := len(c.Program.Commands)
			for _, t := range c.Program.Tokens {
				if t.Consuming {
					q := c.Program.Commands[c.waiters(t.ID)[0]].Queue
					edits = append(edits, c.insert(n, ir.Command{Kind: ir.KindWait, Waits: []ir.ID{t.ID}, Queue: q}, entryAt(n, "waits", 0)))
				}
			}
			return edits
		}},
		{"a signal of a token that is new", "token-never-waited", func(c *Case) []Edit {
			return c.newToken(func(x *ir.Command, t ir.ID) { x.Signals = append(x.Signals, t) }, func(i int) string {
				return entryAt(i, "signals", len(c.Program.Commands[i].Signals))
			})
		}},
		{"a wait dropped", "token-never-waited", func(c *Case) (edits []Edit) {
			for _, t := range c.plainTokens() {
				all := c.waiters(t)
				if x := &c.Program.Commands[all[0]]; len(all) > 1 || x.Kind == ir.KindWait && len(x.Waits) == 1 {
					continue
				}
				edits = append(edits, change(all[0], func(x *ir.Command) { x.Waits = without(x.Waits, t) }, c.signalAt(c.signals(t)[0], t)))
			}
			return edits
		}},
		{"a wait ahead of its signal on its queue", "token-wait-before-signal", func(c *Case) (edits []Edit) {
			t := c.id("new")
			for _, q := range c.Program.Queues {
				on := c.on(q.ID)
				for k := 1; k < len(on); k++ {
					a, b := on[k-1], on[k]
					edits = append(edits, Edit{Do: func(p *ir.Program) {
						p.Tokens = append(p.Tokens, ir.Token{ID: t})
						p.Commands[a].Waits = append(p.Commands[a].Waits, t)
						p.Commands[b].Signals = append(p.Commands[b].Signals, t)
					}})
				}
			}
			return edits
		}},
		{"neighbours on a queue swapped, a wait ahead of its signal", "token-wait-before-signal", swapNeighbours},
	}
}

func (c *Case) signals(token ir.ID) []int {
	return c.those(func(x *ir.Command) bool { return slices.Contains(x.Signals, token) })
}

func (c *Case) waiters(token ir.ID) []int {
	return c.those(func(x *ir.Command) bool { return slices.Contains(x.Waits, token) })
}

// plainTokens are those that waits do not use up.
func (c *Case) plainTokens() (list []ir.ID) {
	for _, t := range c.Program.Tokens {
		if !t.Consuming {
			list = append(list, t.ID)
		}
	}
	return list
}

func (c *Case) signalAt(i int, token ir.ID) string {
	return entryAt(i, "signals", slices.Index(c.Program.Commands[i].Signals, token))
}

func (c *Case) waitAt(i int, token ir.ID) string {
	return entryAt(i, "waits", slices.Index(c.Program.Commands[i].Waits, token))
}

// secondSignal is the place of the signal that comes later in the list, of one
// that is there and one that another command gets.
func (c *Case) secondSignal(token ir.ID, there, gets int) string {
	if there > gets {
		return c.signalAt(there, token)
	}
	return entryAt(gets, "signals", len(c.Program.Commands[gets].Signals))
}

// newToken adds a token to a list of each command.
func (c *Case) newToken(do func(*ir.Command, ir.ID), place func(i int) string) (edits []Edit) {
	t := c.id("new")
	for i := range c.Program.Commands {
		edits = append(edits, Edit{Do: func(p *ir.Program) {
			p.Tokens = append(p.Tokens, ir.Token{ID: t})
			do(&p.Commands[i], t)
		}, Places: []string{place(i)}})
	}
	return edits
}
