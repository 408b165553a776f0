package packing

import (
	"cmp"
	"math/bits"
	"slices"
)

// lump is bytes that are on one core undivided: all that one item needs, or a
// chunk, or what an item alone needs.
type lump struct {
	bytes  int64
	item   int // -1 for a chunk
	chunks []int
}

// lumps divides the bytes that are needed, each slice once, into lumps that have
// nothing in common, the largest first. Where a whole unit is needed, parts of it
// are not counted beside it.
func (w *net) lumps() []lump {
	alone := make([]int64, w.n)
	order := make([]int, w.n)
	for i := range order {
		order[i], alone[i] = i, w.alone(i)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(alone[j], alone[i]) })
	taken := make([]bool, len(w.chunks))
	var list []lump
	for _, i := range order {
		chunks := w.undivided(i)
		if slices.ContainsFunc(chunks, func(c int) bool { return taken[c] }) {
			if w.own[i] > 0 {
				list = append(list, lump{w.own[i], i, nil})
			}
			continue
		}
		for _, c := range chunks {
			taken[c] = true
		}
		if alone[i] > 0 {
			list = append(list, lump{alone[i], i, chunks})
		}
	}
	for c, t := range taken {
		if !t && w.chunks[c].whole < 0 {
			list = append(list, lump{w.chunks[c].bytes, -1, []int{c}})
		}
	}
	slices.SortStableFunc(list, func(a, b lump) int { return cmp.Compare(b.bytes, a.bytes) })
	return list
}

// undivided returns the chunks of item i, with the whole unit in place of parts
// where some item needs it.
func (w *net) undivided(i int) []int {
	var list []int
	for _, c := range w.shared[i] {
		if w.chunks[c].whole >= 0 {
			c = w.chunks[c].whole
		}
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// crowd raises the bound by what large lumps leave. Lumps of more than half a
// core's room are on cores apart. Items that fit beside none of them share the
// other cores, and so do those that no longer fit in what the lumps leave of
// their own cores, at best those with the most bytes for a
// cycle.
func crowd(b *board, least []int64) {
	w := b.w
	if !w.limited {
		return
	}
	room := slices.Max(w.capacity)
	if room == noLimit {
		return
	}
	list := w.lumps()
	sizes := make([]int64, len(list))
	for n, l := range list {
		sizes[n] = l.bytes
	}
	if overfull(sizes, w.m, room) {
		b.refute("counting of weights", nil)
		return
	}
	large := 0
	for large < len(list) && list[large].bytes > room/2 {
		large++
	}
	const samples = 32
	tried := 0
	for n := 1; n <= large && n < w.m; n++ {
		if n < large && (list[n].bytes == list[n-1].bytes || tried >= samples) {
			continue
		}
		tried++
		b.raise("crowding", w.beside(list[:n], room, least))
	}
}

// beside returns a bound on the load of the cores without large lumps.
func (w *net) beside(large []lump, room int64, least []int64) int64 {
	with := make([]bool, len(w.chunks)) // in a large lump
	apart := make([]bool, w.n)
	left := int64(0) // of the cores of large lumps
	for _, l := range large {
		left += room - l.bytes
		for _, c := range l.chunks {
			with[c] = true
		}
		if l.item >= 0 {
			apart[l.item] = true
		}
	}
	smallest := large[len(large)-1].bytes
	var beside []small
	var others []int64 // cycles of the items that fit beside none of them
	load := int64(0)
	for i := range w.n {
		chunks := w.undivided(i)
		if apart[i] || slices.ContainsFunc(chunks, func(c int) bool { return with[c] }) {
			continue
		}
		load += least[i]
		if w.alone(i) > room-smallest {
			others = append(others, least[i])
			continue
		}
		// Bytes of a slice are shared by all its users; of units with parts
		// nothing is counted.
		s := small{least[i], w.own[i]}
		for _, c := range chunks {
			if len(w.chunks[c].parts) == 0 {
				s.bytes += w.chunks[c].bytes / int64(len(w.chunks[c].users))
			}
		}
		beside = append(beside, s)
	}
	slices.SortFunc(beside, func(a, b small) int { return a.compare(b) })
	for _, s := range beside {
		if s.bytes > left {
			// The part of it that would fit; less than s.cycles.
			hi, lo := bits.Mul64(uint64(s.cycles), uint64(left))
			part, _ := bits.Div64(hi, lo, uint64(s.bytes))
			load -= int64(part)
			break
		}
		load -= s.cycles
		left -= s.bytes
	}
	slices.SortFunc(others, func(a, b int64) int { return cmp.Compare(b, a) })
	cores := w.m - len(large)
	return max(ceil(load, int64(cores)), count(others, cores))
}

// small is an item that may fit beside a large lump.
type small struct{ cycles, bytes int64 }

// compare puts the one with fewer bytes for a cycle first, exactly; of items
// without either, none is more than another.
func (a small) compare(b small) int {
	if a.cycles == 0 || b.cycles == 0 {
		return cmp.Compare(b.cycles, a.cycles)
	}
	hi1, lo1 := bits.Mul64(uint64(a.bytes), uint64(b.cycles))
	hi2, lo2 := bits.Mul64(uint64(b.bytes), uint64(a.cycles))
	return cmp.Or(cmp.Compare(hi1, hi2), cmp.Compare(lo1, lo2))
}
