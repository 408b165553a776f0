package simulate

import (
	"fmt"
	"math"
	"slices"

	"plancheck/ir"
)

// memory is what buffers hold while a program is played, and how many bytes of
// each region live.
type memory struct {
	*state
	region []int32 // of each buffer

	valid []bool    // the buffer holds something
	fills [][]int32 // the commands that read a buffer that holds nothing at first
	// filler is the command that wrote such a buffer first; -1 for none.
	filler []int32

	// users are how many commands have still to end that use a buffer or free it.
	users   []int32
	live    []bool
	charged []int64   // bytes of the region that the buffer accounts for
	freeing [][]int32 // the buffers that a command frees, by command; nil for none

	bytes, peaks []int64 // of each region
}

func newMemory(s *state) *memory {
	n := len(s.Buffers)
	m := &memory{
		state: s, region: make([]int32, n), valid: make([]bool, n), fills: make([][]int32, n), filler: make([]int32, n),
		users: make([]int32, n), live: make([]bool, n), charged: make([]int64, n), freeing: make([][]int32, len(s.Commands)),
		bytes: make([]int64, len(s.Regions)), peaks: make([]int64, len(s.Regions)),
	}
	regions := map[ir.ID]int32{}
	for i, r := range s.Regions {
		regions[r.ID] = int32(i)
	}
	for i := range s.Buffers {
		b := &s.Buffers[i]
		m.region[i], m.valid[i], m.filler[i] = regions[b.Region], b.Initialised, -1
	}
	for i := range s.Commands {
		c := int32(i)
		for _, b := range m.used(c) {
			m.users[b]++
		}
		for _, id := range s.Commands[i].Reads {
			if b := s.buffers[id]; !m.valid[b] {
				m.fills[b] = append(m.fills[b], c)
				s.missing[s.unit[c]]++
			}
		}
	}
	for i := range s.Buffers {
		if c, there := s.byID[s.Buffers[i].FreedBy]; there && m.users[i] > 0 {
			m.freeing[c] = append(m.freeing[c], int32(i))
			if !slices.Contains(m.used(c), int32(i)) {
				m.users[i]++
			}
		}
	}
	return m
}

// used lists the buffers that a command reads or writes, each once.
func (m *memory) used(c int32) []int32 {
	command := &m.Commands[c]
	list := make([]int32, 0, len(command.Reads)+len(command.Writes))
	for _, id := range command.Reads {
		list = append(list, m.buffers[id])
	}
	for _, id := range command.Writes {
		if b := m.buffers[id]; !slices.Contains(command.Reads, id) {
			list = append(list, b)
		}
	}
	return list
}

// begin lets the buffers live that hold something from the start, if they are
// used or kept.
func (m *memory) begin() {
	for i := range m.Buffers {
		if b := &m.Buffers[i]; b.Initialised && (m.users[i] > 0 || b.Kept) {
			m.charge(int32(i), b.Size)
		}
	}
}

// use lets the buffers of a command live that do not yet, as it starts. A buffer
// that is written in place takes over the bytes of the one that is read.
func (m *memory) use(c int32) {
	for _, b := range m.used(c) {
		if m.live[b] {
			continue
		}
		m.tell(Allocated, c, m.Buffers[b].ID)
		size := m.Buffers[b].Size
		for _, pair := range m.Commands[c].InPlace {
			if from := m.buffers[pair.Read]; pair.Write == m.Buffers[b].ID && m.sameBytes(from, b) && m.charged[from] == size {
				m.charged[from], m.charged[b], m.live[b] = 0, size, true
				break
			}
		}
		if !m.live[b] {
			m.charge(b, size)
		}
	}
}

func (m *memory) sameBytes(a, b int32) bool {
	x, y := &m.Buffers[a], &m.Buffers[b]
	return x.Region == y.Region && x.Offset == y.Offset && x.Size == y.Size
}

func (m *memory) charge(b int32, size int64) {
	r := m.region[b]
	if size > math.MaxInt64-m.bytes[r] {
		m.err = fmt.Errorf("the buffers that live at once in region %s have more bytes than 64 bits count", m.text(m.Regions[r].ID))
		return
	}
	m.live[b], m.charged[b] = true, size
	m.bytes[r] += size
	m.peaks[r] = max(m.peaks[r], m.bytes[r])
}

// leave ends the uses of a command: what it writes holds something, what it
// frees does no more, and what nothing uses any more is given back.
func (m *memory) leave(c int32) {
	used := m.used(c)
	for _, b := range m.freeing[c] {
		m.take(b)
		if !slices.Contains(used, b) {
			used = append(used, b)
		}
	}
	for _, b := range used {
		if m.users[b]--; m.users[b] == 0 && m.live[b] && !m.Buffers[b].Kept {
			m.tell(Freed, c, m.Buffers[b].ID)
			m.bytes[m.region[b]] -= m.charged[b]
			m.live[b], m.charged[b] = false, 0
		}
	}
	for _, id := range m.Commands[c].Writes {
		if b := m.buffers[id]; !m.valid[b] {
			m.valid[b], m.filler[b] = true, c
			for _, reader := range m.fills[b] {
				m.satisfy(reader, c, Buffer)
			}
		}
	}
}

// filledBy lists the commands that read what a command wrote first.
func (m *memory) filledBy(c int32) []int32 {
	var all []int32
	for _, id := range m.Commands[c].Writes {
		if b := m.buffers[id]; m.filler[b] == c {
			all = append(all, m.fills[b]...)
		}
	}
	return all
}

// take frees a buffer: what uses it and has not begun never will.
func (m *memory) take(b int32) {
	if m.users[b] <= 1 { // the command that frees it
		return
	}
	for i := range m.Commands {
		c := int32(i)
		if u := m.unit[c]; !m.begun[u] && slices.Contains(m.used(c), b) {
			m.stop(c, "uses buffer %s, which was freed", m.text(m.Buffers[b].ID))
			m.missing[u]++
		}
	}
}
