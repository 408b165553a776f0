package placement

import "slices"

// matching gives every logical core a machine core of its own, as far as that
// is possible.
type matching struct {
	allows func(i, k int) bool
	place  []int // of each logical core, or Free
	on     []int // logical core on each machine core, or Free

	seen  []bool // machine cores looked at by the last augment
	asked []int  // logical cores that it tried to move, the first included
}

func newMatching(logical, machine int, allows func(i, k int) bool) *matching {
	return &matching{
		allows: allows,
		place:  slices.Repeat([]int{Free}, logical),
		on:     slices.Repeat([]int{Free}, machine),
		seen:   make([]bool, machine),
	}
}

// augment finds a machine core for logical core i, which has none, by moving
// others. When it fails, the cores in asked have together exactly the machine
// cores that were seen, one fewer than they are.
func (m *matching) augment(i int) bool {
	clear(m.seen)
	m.asked = m.asked[:0]
	return m.move(i)
}

func (m *matching) move(i int) bool {
	m.asked = append(m.asked, i)
	for k := range m.on {
		if m.seen[k] || !m.allows(i, k) {
			continue
		}
		m.seen[k] = true
		if m.on[k] == Free || m.move(m.on[k]) {
			m.place[i], m.on[k] = k, i
			return true
		}
	}
	return false
}

// hall returns nil when every logical core can have a machine core, and else
// logical cores, in order, that have together too few.
func (m *matching) hall() []int {
	for i := range m.place {
		if !m.augment(i) {
			slices.Sort(m.asked)
			return m.asked
		}
	}
	return nil
}
