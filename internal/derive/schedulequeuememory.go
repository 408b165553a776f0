package derive

import (
	"plancheck/ir"
	"plancheck/ir/level"
)

// memory makes the buffers of the portable plan, and workspaces behind them, and
// places them in the memory of their devices.
func (q *queueing) memory() error {
	for i := range q.Portable.Buffers {
		b := &q.Portable.Buffers[i]
		if q.devices[b.Rank] == "" {
			return refuse("rank-unplaced", "rank %d of buffer %s is on no device", b.Rank, shown(b.Name, b.ID))
		}
		size, err := q.bytesOf(b)
		if err != nil {
			return err
		}
		made := ir.Buffer{ID: q.id(b.ID), Name: b.Name, Region: q.region(b.Rank), Size: size, Alignment: b.Align, Lineage: scheduled(q.plan, level.Lowered, b.ID)}
		made.Initialised, made.Kept = q.standing(b)
		q.program.Buffers = append(q.program.Buffers, made)
	}
	q.program.Buffers = append(q.program.Buffers, q.workspaces...)
	return placeBuffers(q.plan, clocksOf(q.program, q.meets).before)
}

// placeBuffers gives the buffers of a plan their offsets, in the regions that they
// are in; before says of two commands whether the first has completed when the
// second begins.
func placeBuffers(plan *ir.Plan, before func(first, second int) bool) error {
	p := plan.Program
	spaces, region := make([]memorySpace, len(p.Regions)), map[ir.ID]int{}
	for i, r := range p.Regions {
		spaces[i] = memorySpace{r.Capacity - r.Reserved, r.Alignment}
		region[r.ID] = i
	}
	needs, buffer := make([]memoryNeed, len(p.Buffers)), map[ir.ID]int{}
	for i, b := range p.Buffers {
		needs[i] = memoryNeed{space: region[b.Region], size: b.Size, align: b.Alignment, given: b.Initialised, kept: b.Kept}
		buffer[b.ID] = i
	}
	for i := range p.Commands {
		for _, touched := range [][]ir.ID{p.Commands[i].Reads, p.Commands[i].Writes} {
			for _, id := range touched {
				n := &needs[buffer[id]]
				n.uses = append(n.uses, i)
			}
		}
	}
	offsets, lack := placeInMemory(spaces, needs, before)
	if lack != nil {
		r := &p.Regions[lack.space]
		return refuse("region-capacity-exceeded", "device %s has %d bytes of memory for buffers, and %d are missing for what lives at once",
			plan.Text(r.Device), spaces[lack.space].size, lack.bytes)
	}
	for i, at := range offsets {
		p.Buffers[i].Offset = at
	}
	return nil
}
