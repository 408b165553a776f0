package facts

import (
	"cmp"
	"slices"
)

// clocks say which commands have completed when another one begins: the clock of
// a command has, for each track, up to which place that is so. Along a track
// clocks only grow; only what changes is kept.
//
// They are made where looking for single orders has become too much work.
type clocks struct {
	waits  *waits
	tracks *tracks
	latest []int32     // by track, and track that it knows about: the last place
	log    [][]reading // likewise: the entries of its clock, as they grow
	all    []change
	rows   [][]int32 // by track, in the order of places: positions in all
	taken  []int32   // by track and track from which it took: how many changes
	full   bool      // there was no room for all changes
}

// reading is one entry of a clock: the last command of a track that has
// completed, the command at which that was learnt, and the change by which.
type reading struct{ before, join, change int32 }

// change is a change of one entry of the clock of a track.
type change struct {
	before, join int32
	mate, via    int32
	through      int32 // the change by which via's track learnt it; -1 where via, or a mate of it, is before
}

// Clocks are not made for more tracks, nor with more changes: what they take is
// bounded, and orders that they do not show are told as not looked for.
const (
	maxClockTracks  = 2048
	maxClockChanges = 24 << 20
)

// makeClocks computes the clocks of all commands, which must have ranks, in their
// order; nil where there are too many tracks.
func makeClocks(s *waits, t *tracks, order []int32) *clocks {
	if t.count > maxClockTracks {
		return nil
	}
	pairs := t.count * t.count
	h := &clocks{waits: s, tracks: t, latest: make([]int32, pairs), log: make([][]reading, pairs), rows: make([][]int32, t.count), taken: make([]int32, pairs)}
	for i := range h.latest {
		h.latest[i] = -1
	}
	for _, i := range order {
		mates := s.mates(i)
		if mates == nil {
			mates = []int32{i}
		}
		for _, m := range mates {
			for _, w := range s.real(m) {
				h.learn(i, m, w.on)
			}
			if s.before[m] >= 0 {
				h.learn(i, m, s.before[m])
			}
		}
		if h.full {
			break
		}
	}
	return h
}

// learn takes over, for a command, what is known when via has completed, for
// which the command or a mate of it waits.
func (h *clocks) learn(i, mate, via int32) {
	t := h.tracks
	own, other := t.of[i], t.of[via]
	if done := h.waits.mates(via); done == nil {
		h.note(own, change{before: via, join: i, mate: mate, via: via, through: -1})
	} else {
		for _, d := range done {
			h.note(own, change{before: d, join: i, mate: mate, via: via, through: -1})
		}
	}
	if own == other {
		return
	}
	rows := h.rows[other]
	key := int(own)*t.count + int(other)
	k := h.taken[key]
	for ; int(k) < len(rows) && t.place[h.all[rows[k]].join] <= t.place[via]; k++ {
		h.note(own, change{before: h.all[rows[k]].before, join: i, mate: mate, via: via, through: rows[k]})
	}
	h.taken[key] = k
}

// note enters a change into the clock of a track, if it is one.
func (h *clocks) note(own int32, c change) {
	t := h.tracks
	of := t.of[c.before]
	key := int(own)*t.count + int(of)
	if of == own || h.latest[key] >= t.place[c.before] {
		return
	}
	if len(h.all) >= maxClockChanges {
		h.full = true
		return
	}
	h.latest[key] = t.place[c.before]
	h.log[key] = append(h.log[key], reading{c.before, c.join, int32(len(h.all))})
	h.rows[own] = append(h.rows[own], int32(len(h.all)))
	h.all = append(h.all, c)
}

// find returns the first entry of a clock by which a command has completed when
// another one begins, on another track.
func (h *clocks) find(first, second int32) (reading, bool) {
	t := h.tracks
	log := h.log[int(t.of[second])*t.count+int(t.of[first])]
	k, _ := slices.BinarySearchFunc(log, t.place[first], func(r reading, place int32) int { return cmp.Compare(t.place[r.before], place) })
	if k == len(log) || t.place[log[k].join] > t.place[second] {
		return reading{}, false
	}
	return log[k], true
}
