package programtest

import (
	"math"
	"slices"

	"plancheck/ir"
)

// memory is what is known about a region.
type memory struct {
	device int
	top    int64 // where the bytes begin that no buffer has
}

// buffer is a buffer of the execution.
type buffer struct {
	ir.Buffer
	region    int
	written   bool // or initialised
	accesses  []int
	lastWrite int   // -1 for none
	reads     []int // since
	closed    bool  // it is not used again
	followed  bool  // another one lies on its bytes behind it
	freer     int   // -1 for none
}

// usage is what a command is to use.
type usage struct {
	reads, writes int // how many buffers
	from, to      int // devices that have them
	fresh         bool
}

// onQueue is a usage of buffers of the queue's device.
func (m *maker) onQueue(q, reads, writes int) usage {
	d := m.queues[q].device
	return usage{reads: reads, writes: writes, from: d, to: d}
}

// access chooses buffers for a command and orders it behind what uses them, or
// used their bytes. It returns what the command itself waits for, and what is to
// be called with its number once it has one.
func (m *maker) access(c *ir.Command, q int, u usage) (direct []int, use func(int)) {
	var read, written, last, not []*buffer
	var needs []int
	for range u.reads {
		all := m.live(u.from, func(b *buffer) bool { return b.written && !slices.Contains(read, b) })
		if len(all) == 0 {
			break
		}
		b := pick(m, all)
		read = append(read, b)
		c.Reads = append(c.Reads, b.ID)
		needs = append(needs, b.writers()...)
		if !b.Kept && m.chance(35) {
			last = append(last, b)
		}
	}
	for range u.writes {
		var b *buffer
		var more []int
		if len(read) > 0 && len(written) == 0 && !read[0].Kept && m.chance(30) {
			b, more = m.over(c, read[0])
			last = append(last, read[0])
			not = append(not, read[0])
		} else {
			b, more = m.written(u, not)
		}
		not = append(not, b)
		written = append(written, b)
		c.Writes = append(c.Writes, b.ID)
		needs = append(needs, more...)
	}
	direct = m.orders(c, q, needs)
	return direct, func(n int) {
		for _, b := range read {
			b.accesses, b.reads = append(b.accesses, n), append(b.reads, n)
		}
		for _, b := range written {
			b.accesses, b.lastWrite, b.reads, b.written = append(b.accesses, n), n, nil, true
		}
		for _, b := range last {
			b.closed = b.closed || !slices.Contains(written, b)
		}
	}
}

// live lists the buffers of a device that are still used.
func (m *maker) live(device int, is func(*buffer) bool) (list []*buffer) {
	for _, b := range m.buffers {
		if m.memory[b.region].device == device && !b.closed && is(b) {
			list = append(list, b)
		}
	}
	return list
}

// writers are the commands that a read comes behind.
func (b *buffer) writers() []int {
	if b.lastWrite < 0 {
		return nil
	}
	return []int{b.lastWrite}
}

// written chooses a buffer to write, mostly a new one, and what comes before.
func (m *maker) written(u usage, not []*buffer) (*buffer, []int) {
	all := m.live(u.to, func(b *buffer) bool { return !slices.Contains(not, b) })
	if u.fresh || len(all) == 0 || m.chance(70) {
		return m.create(u.to, false)
	}
	b := pick(m, all)
	return b, append(b.writers(), b.reads...)
}

// over makes a buffer that a command writes over one that it reads, as the last.
func (m *maker) over(c *ir.Command, b *buffer) (*buffer, []int) {
	next := *b
	next.Buffer.ID, next.Initialised, next.Kept = m.id("buffer"), false, m.chance(15)
	next.written, next.accesses, next.lastWrite, next.reads, next.closed, next.followed, next.freer = false, nil, -1, nil, false, false, -1
	next.FreedBy = ir.NoID
	b.followed = true
	if m.chance(20) {
		b.FreedBy = c.ID
	}
	c.InPlace = append(c.InPlace, ir.InPlace{Read: b.ID, Write: next.ID})
	m.buffers = append(m.buffers, &next)
	return &next, slices.Clone(b.accesses)
}

// create makes a buffer, on bytes that have never been used or on those of buffers
// that are not used again; then it returns what comes before its first use.
func (m *maker) create(device int, initialised bool) (*buffer, []int) {
	b := &buffer{lastWrite: -1, freer: -1, written: initialised}
	b.ID, b.Initialised, b.Kept = m.id("buffer"), initialised, m.chance(15)
	b.Size, b.Alignment = int64(1+m.IntN(64)), []int64{1, 1, 4, 32}[m.IntN(4)]
	if m.chance(3) {
		b.Size = 0
	}
	var regions []int
	for r := range m.memory {
		if m.memory[r].device == device {
			regions = append(regions, r)
		}
	}
	b.region = pick(m, regions)
	b.Region = m.p.Regions[b.region].ID
	if !initialised && m.chance(60) {
		if before, ok := m.reuse(b); ok {
			m.buffers = append(m.buffers, b)
			return b, before
		}
	}
	top := &m.memory[b.region].top
	b.Offset = m.align(b, *top)
	*top = b.Offset + b.Size
	m.buffers = append(m.buffers, b)
	return b, nil
}

// align rounds an offset up to what a buffer and its region ask for.
func (m *maker) align(b *buffer, offset int64) int64 {
	a := max(b.Alignment, m.p.Regions[b.region].Alignment)
	return (offset + a - 1) / a * a
}

// reuse puts a buffer where others were, if it can, and returns the commands that
// must be done with those.
func (m *maker) reuse(b *buffer) (before []int, ok bool) {
	var all []*buffer
	for _, x := range m.buffers {
		if x.region == b.region && x.closed {
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return nil, false
	}
	x := pick(m, all)
	b.Offset = m.align(b, x.Offset+int64(m.IntN(2)*m.IntN(int(x.Size)+1)))
	if m.chance(50) {
		b.Size = x.Size
	}
	var under []*buffer
	for _, x := range m.buffers {
		if x.region == b.region && x.Offset < b.Offset+b.Size && b.Offset < x.Offset+x.Size {
			if !x.closed {
				return nil, false
			}
			under = append(under, x)
		}
	}
	for _, x := range under {
		x.followed = true
		if x.FreedBy == ir.NoID && m.chance(40) {
			m.free(x)
		}
		before = append(before, x.accesses...)
		if x.freer >= 0 {
			before = append(before, x.freer)
		}
	}
	m.memory[b.region].top = max(m.memory[b.region].top, b.Offset+b.Size)
	return before, true
}

// free lets a command free a buffer that comes behind all that use it, if there is
// one.
func (m *maker) free(b *buffer) {
	var all []int
	for n := range m.commands {
		s := m.after(n)
		if !slices.ContainsFunc(b.accesses, func(a int) bool { return !s.has(a) }) {
			all = append(all, n)
		}
	}
	if len(all) > 0 {
		b.freer = pick(m, all)
		b.FreedBy = m.commands[b.freer].ID
	}
}

// layOut gives the regions their sizes, and lists the buffers in any order.
func (m *maker) layOut() {
	for r := range m.p.Regions {
		x := &m.p.Regions[r]
		x.Capacity = m.memory[r].top
		if m.chance(50) {
			x.Reserved = int64(m.IntN(100))
			x.Capacity += x.Reserved
		}
		for _, c := range m.p.Channels {
			if c.Region == x.ID {
				x.Capacity += c.Depth * c.Slot
			}
		}
		if m.chance(50) {
			x.Capacity += int64(m.IntN(1000))
		}
		if m.chance(2) {
			x.Capacity = math.MaxInt64
		}
	}
	for _, k := range m.Perm(len(m.buffers)) {
		m.p.Buffers = append(m.p.Buffers, m.buffers[k].Buffer)
	}
}
