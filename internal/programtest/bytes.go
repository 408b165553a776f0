package programtest

import (
	"math"

	"plancheck/ir"
)

// fitBytes lessens what messages and collectives move until it fits in slots of
// channels and in buffers: both ends of a message, and all ranks of a collective,
// move the same.
func (m *maker) fitBytes() {
	type meeting struct {
		of ir.ID
		n  int
	}
	type end struct {
		of    ir.ID
		kind  string
		queue ir.ID
	}
	slots, sizes := map[ir.ID]int64{}, map[ir.ID]int64{}
	for _, c := range m.p.Channels {
		if c.Slot != ir.None {
			slots[c.ID] = c.Slot
		}
	}
	for _, b := range m.p.Buffers {
		sizes[b.ID] = b.Size
	}
	counted := map[end]int{}
	of := make([]meeting, len(m.p.Commands))
	most := map[meeting]int64{}
	for i := range m.p.Commands {
		c := &m.p.Commands[i]
		if c.Channel == ir.NoID && c.Group == ir.NoID {
			continue
		}
		e := end{c.Channel, c.Kind, c.Queue}
		if c.Group != ir.NoID {
			e.of = c.Group
		}
		of[i] = meeting{e.of, counted[e]}
		counted[e]++
		limit := c.Bytes
		if limit == ir.None {
			limit = math.MaxInt64
		}
		if slot, ok := slots[c.Channel]; ok {
			limit = min(limit, slot)
		}
		for _, list := range [][]ir.ID{c.Reads, c.Writes} {
			if len(list) == 1 {
				limit = min(limit, sizes[list[0]])
			}
		}
		if least, met := most[of[i]]; !met || limit < least {
			most[of[i]] = limit
		}
	}
	for i := range m.p.Commands {
		if c := &m.p.Commands[i]; c.Bytes != ir.None && of[i].of != ir.NoID {
			c.Bytes = most[of[i]]
		}
	}
}
