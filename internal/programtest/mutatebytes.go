package programtest

import (
	"math"

	"plancheck/ir"
)

// ofBytes are the ways in which buffers lie where they must not.
func ofBytes() []Mutation {
	return []Mutation{
		{"an alignment that an offset has not", "buffer-misaligned", func(c *Case) (edits []Edit) {
			for k, b := range c.Program.Buffers {
				for a := int64(2); ; a *= 2 {
					if b.Offset < a || b.Offset%a != 0 {
						edits = append(edits, Edit{Do: func(p *ir.Program) { p.Buffers[k].Alignment = a }})
						break
					}
				}
			}
			return edits
		}},
		{"an alignment of a region that an offset has not", "buffer-misaligned", func(c *Case) (edits []Edit) {
			for k := range c.Program.Regions {
				for a := int64(2); a < 100; a++ {
					edits = append(edits, Edit{Do: func(p *ir.Program) { p.Regions[k].Alignment = a }})
				}
			}
			return edits
		}},
		{"a buffer shifted by a byte", "buffer-misaligned", func(c *Case) []Edit {
			return c.moves(func(b *ir.Buffer) []int64 { return []int64{b.Offset + 1, b.Offset - 1} })
		}},
		{"a buffer beyond the end", "buffer-out-of-bounds", func(c *Case) []Edit {
			return c.moves(func(b *ir.Buffer) []int64 {
				return []int64{c.up(b, c.region(b).Capacity-b.Size+1), c.up(b, c.region(b).Capacity)}
			})
		}},
		{"a buffer at the end of all numbers", "buffer-out-of-bounds", func(c *Case) []Edit {
			return c.moves(func(b *ir.Buffer) []int64 { return []int64{c.up(b, math.MaxInt64-1000)} })
		}},
		{"a buffer longer than its region", "buffer-out-of-bounds", func(c *Case) []Edit {
			return c.grow(func(b *ir.Buffer) []int64 { return []int64{c.region(b).Capacity + 1, math.MaxInt64} })
		}},
		{"a region cut short", "buffer-out-of-bounds", func(c *Case) (edits []Edit) {
			for k, r := range c.Program.Regions {
				for _, b := range c.Program.Buffers {
					if b.Region == r.ID && b.Size > 0 {
						edits = append(edits, Edit{Do: func(p *ir.Program) { p.Regions[k].Capacity = b.Offset + b.Size - 1 }})
					}
				}
			}
			return edits
		}},
		{"more bytes reserved", "region-capacity-exceeded", func(c *Case) (edits []Edit) {
			for k, r := range c.Program.Regions {
				for _, b := range c.Program.Buffers {
					if b.Region == r.ID && b.Size > 0 {
						edits = append(edits, Edit{Do: func(p *ir.Program) { p.Regions[k].Reserved = r.Capacity - (b.Offset + b.Size - 1) }})
					}
				}
			}
			return edits
		}},
		{"a buffer on what is reserved", "region-capacity-exceeded", func(c *Case) []Edit {
			return c.moves(func(b *ir.Buffer) []int64 {
				r := c.region(b)
				end := r.Capacity - b.Size
				return []int64{end / max(b.Alignment, r.Alignment) * max(b.Alignment, r.Alignment)}
			})
		}},
		{"a buffer moved onto another one", "buffer-overlap", func(c *Case) []Edit {
			return c.moves(func(b *ir.Buffer) (offsets []int64) {
				for _, x := range c.Program.Buffers {
					if x.Region == b.Region && x.ID != b.ID {
						offsets = append(offsets, c.up(b, x.Offset), c.up(b, x.Offset+x.Size/2))
					}
				}
				return offsets
			})
		}},
		{"a buffer that grows into another one", "buffer-overlap", func(c *Case) []Edit {
			return c.grow(func(b *ir.Buffer) []int64 { return []int64{b.Size + 1, 2 * b.Size, b.Size + 33} })
		}},
		{"a buffer written over another one, shifted", "buffer-overlap", func(c *Case) (edits []Edit) {
			for _, i := range c.those(func(x *ir.Command) bool { return len(x.InPlace) > 0 }) {
				write := c.Program.Commands[i].InPlace[0].Write
				for k := range c.Program.Buffers {
					if b := &c.Program.Buffers[k]; b.ID == write {
						to := c.up(b, b.Offset+1)
						edits = append(edits, Edit{Do: func(p *ir.Program) { p.Buffers[k].Offset = to }})
					}
				}
			}
			return edits
		}},
		{"a buffer written over another one, and shorter", "buffer-overlap", func(c *Case) (edits []Edit) {
			for _, i := range c.those(func(x *ir.Command) bool { return len(x.InPlace) > 0 }) {
				write := c.Program.Commands[i].InPlace[0].Write
				for k := range c.Program.Buffers {
					if b := &c.Program.Buffers[k]; b.ID == write && b.Size > 1 {
						edits = append(edits, Edit{Do: func(p *ir.Program) { p.Buffers[k].Size-- }})
					}
				}
			}
			return edits
		}},
	}
}

func (c *Case) region(b *ir.Buffer) *ir.Region {
	for k := range c.Program.Regions {
		if c.Program.Regions[k].ID == b.Region {
			return &c.Program.Regions[k]
		}
	}
	panic("a buffer is in a region of the program")
}

// up is the least offset from one on that a buffer may have by its alignment.
func (c *Case) up(b *ir.Buffer, offset int64) int64 {
	a := max(b.Alignment, c.region(b).Alignment)
	if offset > math.MaxInt64-a {
		return offset / a * a
	}
	return (offset + a - 1) / a * a
}

// moves offers other offsets for each buffer.
func (c *Case) moves(to func(*ir.Buffer) []int64) (edits []Edit) {
	for k := range c.Program.Buffers {
		for _, offset := range to(&c.Program.Buffers[k]) {
			if offset >= 0 && c.Program.Buffers[k].Size > 0 {
				edits = append(edits, Edit{Do: func(p *ir.Program) { p.Buffers[k].Offset = offset }})
			}
		}
	}
	return edits
}

// grow offers other sizes for each buffer.
func (c *Case) grow(to func(*ir.Buffer) []int64) (edits []Edit) {
	for k := range c.Program.Buffers {
		for _, size := range to(&c.Program.Buffers[k]) {
			edits = append(edits, Edit{Do: func(p *ir.Program) { p.Buffers[k].Size = max(size, 1) }})
		}
	}
	return edits
}
