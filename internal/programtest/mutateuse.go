package programtest

import (
	"slices"

	"plancheck/ir"
)

// ofUse are the ways in which the lives of buffers go wrong.
func ofUse() []Mutation {
	return []Mutation{
		{"a buffer no longer initialised", "buffer-read-before-write", func(c *Case) (edits []Edit) {
			for k, b := range c.Program.Buffers {
				if b.Initialised {
					edits = append(edits, Edit{Do: func(p *ir.Program) { p.Buffers[k].Initialised = false }})
				}
			}
			return edits
		}},
		{"a write dropped", "buffer-read-before-write", func(c *Case) (edits []Edit) {
			for i := range c.Program.Commands {
				for _, b := range c.Program.Commands[i].Writes {
					edits = append(edits, change(i, func(x *ir.Command) {
						x.Writes = without(x.Writes, b)
						x.InPlace = slices.DeleteFunc(x.InPlace, func(p ir.InPlace) bool { return p.Write == b })
					}))
				}
			}
			return edits
		}},
		{"a read of a buffer that is not written yet", "buffer-read-before-write", func(c *Case) []Edit { return c.oneMoreRead() }},
		{"a buffer freed by another command", "buffer-use-after-free", func(c *Case) (edits []Edit) {
			for k := range c.Program.Buffers {
				for _, x := range c.Program.Commands {
					edits = append(edits, Edit{Do: func(p *ir.Program) { p.Buffers[k].FreedBy = x.ID }})
				}
			}
			return edits
		}},
		{"a read of a buffer that is freed", "buffer-use-after-free", func(c *Case) []Edit { return c.oneMoreRead() }},
		{"a read of a buffer on whose bytes another one is", "buffer-overlap", func(c *Case) []Edit { return c.oneMoreRead() }},
		{"a read that is not ordered", "data-race", func(c *Case) []Edit { return c.oneMoreRead() }},
		{"a buffer kept whose bytes are used again", "buffer-overlap", func(c *Case) (edits []Edit) {
			for k := range c.Program.Buffers {
				edits = append(edits, Edit{Do: func(p *ir.Program) { p.Buffers[k].Kept = true }})
			}
			return edits
		}},
		{"a buffer initialised on bytes used before", "buffer-overlap", func(c *Case) (edits []Edit) {
			for k := range c.Program.Buffers {
				edits = append(edits, Edit{Do: func(p *ir.Program) { p.Buffers[k].Initialised = true }})
			}
			return edits
		}},
		{"a buffer written over another one, and nothing says in place", "buffer-overlap", func(c *Case) []Edit {
			return c.edits(func(x *ir.Command) bool { return len(x.InPlace) > 0 }, func(i int) Edit {
				return change(i, func(x *ir.Command) { x.InPlace = nil })
			})
		}},
	}
}

// oneMoreRead adds a read of memory of its own device to a command.
func (c *Case) oneMoreRead() (edits []Edit) {
	for _, b := range c.Program.Buffers {
		for _, i := range c.those(func(x *ir.Command) bool {
			return works(x) && !slices.Contains(x.Reads, b.ID) && c.queueOf(x).Device == c.deviceOf(b.Region)
		}) {
			edits = append(edits, change(i, func(x *ir.Command) { x.Reads = append(x.Reads, b.ID) }))
		}
	}
	return edits
}
