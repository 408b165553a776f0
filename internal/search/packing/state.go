package packing

// state is a packing under construction: items are on cores or nowhere yet, and
// may be more than fits.
type state struct {
	w     *net
	core  []int   // of each item; Free for nowhere
	load  []int64 // cycles on each core
	bytes []int64 // of weights on each core
	// How many items on core k use chunk c: in the cells from first[c] up to
	// first[c+1], in the one of core k if there is one. There are as many cells
	// as the chunk has users, or as there are cores if these are fewer.
	first []int
	cells []cell
}

// cell counts the users of a chunk on a core.
type cell struct{ core, count int32 }

func newState(w *net) *state {
	s := &state{w: w, core: make([]int, w.n), load: make([]int64, w.m), bytes: make([]int64, w.m)}
	s.first = make([]int, len(w.chunks)+1)
	for c := range w.chunks {
		s.first[c+1] = s.first[c] + min(len(w.chunks[c].users), w.m)
	}
	s.cells = make([]cell, s.first[len(w.chunks)])
	for i := range s.core {
		s.core[i] = Free
	}
	return s
}

// stateOf returns the state of a packing.
func stateOf(w *net, cores []int) *state {
	s := newState(w)
	for i, k := range cores {
		s.add(i, k)
	}
	return s
}

// reset takes up a packing.
func (s *state) reset(cores []int) {
	for i, k := range cores {
		if s.core[i] != k {
			if s.core[i] != Free {
				s.remove(i)
			}
			if k != Free {
				s.add(i, k)
			}
		}
	}
}

// users returns how many items on core k use chunk c.
func (s *state) users(c, k int) int32 {
	for _, at := range s.cells[s.first[c]:s.first[c+1]] {
		if at.count > 0 && int(at.core) == k {
			return at.count
		}
	}
	return 0
}

// count changes how many items on core k use chunk c, and returns how many do.
func (s *state) count(c, k int, by int32) int32 {
	cells := s.cells[s.first[c]:s.first[c+1]]
	empty := -1
	for j := range cells {
		if cells[j].count == 0 {
			empty = j
		} else if int(cells[j].core) == k {
			cells[j].count += by
			return cells[j].count
		}
	}
	cells[empty] = cell{int32(k), by}
	return by
}

// add puts item i, which is nowhere, on core k.
func (s *state) add(i, k int) {
	w := s.w
	s.core[i] = k
	s.load[k] += w.on(i, k)
	s.bytes[k] += w.own[i]
	for _, c := range w.shared[i] {
		if s.count(c, k, 1) == 1 {
			s.bytes[k] += s.weigh(c, k)
		}
	}
}

// remove takes item i off its core.
func (s *state) remove(i int) {
	w, k := s.w, s.core[i]
	s.core[i] = Free
	s.load[k] -= w.on(i, k)
	s.bytes[k] -= w.own[i]
	for _, c := range w.shared[i] {
		if s.count(c, k, -1) == 0 {
			s.bytes[k] -= s.weigh(c, k)
		}
	}
}

// weigh returns what chunk c adds to the bytes of core k when it comes, or frees
// when it goes: nothing for a part where the whole unit is, and for a whole unit
// that much less as its parts take there.
func (s *state) weigh(c, k int) int64 {
	at := &s.w.chunks[c]
	if at.whole >= 0 && s.users(at.whole, k) > 0 {
		return 0
	}
	bytes := at.bytes
	for _, part := range at.parts {
		if s.users(part, k) > 0 {
			bytes -= s.w.chunks[part].bytes
		}
	}
	return bytes
}

// needs returns by how many bytes core k grows when item i, which is elsewhere,
// comes to it; less than nothing when a whole unit takes the place of parts that
// are more than it.
func (s *state) needs(i, k int) int64 {
	if len(s.w.shared[i]) == 0 {
		return s.w.own[i]
	}
	before, was := s.bytes[k], s.core[i]
	s.add(i, k)
	grown := s.bytes[k] - before
	s.remove(i)
	s.core[i] = was
	return grown
}

// value returns the largest load.
func (s *state) value() int64 {
	value := int64(0)
	for _, l := range s.load {
		value = max(value, l)
	}
	return value
}

// over returns by how many bytes all cores together pass their capacities.
func (s *state) over() int64 {
	over := int64(0)
	for k, b := range s.bytes {
		over += max(0, b-s.w.capacity[k])
	}
	return over
}
