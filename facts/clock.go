package facts

import (
	"cmp"
	"slices"
)

// happens says which commands have completed when another one begins, by clocks:
// the clock of a command has, for each chain, up to which place that is so. Along
// a chain clocks only grow; only what changes is kept.
type happens struct {
	waits *waits
	log   []map[int32][]reading // by chain, and chain that it knows about: the entries of its clock, as they grow
	all   []change
	rows  [][]int32        // by chain, in the order of places: positions in all
	taken map[[2]int32]int // by chain and chain from which it took: how many changes
}

// reading is one entry of a clock: the last command of a chain that has
// completed, the command at which that was learnt, and the change by which.
type reading struct{ before, join, change int32 }

// change is a change of one entry of the clock of a chain.
type change struct {
	before, join int32
	mate, via    int32
	through      int32 // the change by which via's chain learnt it; -1 where via, or a mate of it, is before
	needed       bool  // a certificate rests on it
}

// happensBefore computes the clocks; where some command has no rank there are
// none.
func (e *exporter) happensBefore() *happens {
	if e.happens != nil {
		return e.happens
	}
	s := e.waits()
	_, order := e.commandOrder()
	chains := s.queues
	for _, c := range s.chain {
		chains = max(chains, int(c)+1)
	}
	h := &happens{waits: s, log: make([]map[int32][]reading, chains), rows: make([][]int32, chains), taken: map[[2]int32]int{}}
	e.happens = h
	if len(order) < len(s.chain) {
		return h
	}
	for _, i := range order {
		h.learnAll(i, i)
		for _, m := range s.mates(i) {
			if m != i {
				h.learnAll(i, m)
			}
		}
	}
	return h
}

// learnAll takes over, for a command, what is known when all that a mate of it, or
// itself, waits for has completed.
func (h *happens) learnAll(i, mate int32) {
	for _, w := range h.waits.of(mate) {
		if h.waits.holds(w) {
			h.learn(i, mate, w.on)
		}
	}
	if before := h.waits.before[mate]; before >= 0 {
		h.learn(i, mate, before)
	}
}

// learn takes over, for a command, what is known when via has completed, for
// which the command or a mate of it waits.
func (h *happens) learn(i, mate, via int32) {
	s := h.waits
	own, other := s.chain[i], s.chain[via]
	done := s.mates(via)
	if done == nil {
		done = []int32{via}
	}
	for _, d := range done {
		h.note(own, change{before: d, join: i, mate: mate, via: via, through: -1})
	}
	if own == other {
		return
	}
	rows := h.rows[other]
	key := [2]int32{own, other}
	k := h.taken[key]
	for ; k < len(rows) && s.place[h.all[rows[k]].join] <= s.place[via]; k++ {
		h.note(own, change{before: h.all[rows[k]].before, join: i, mate: mate, via: via, through: rows[k]})
	}
	h.taken[key] = max(h.taken[key], k)
}

// note enters a change into the clock of a chain, if it is one.
func (h *happens) note(own int32, c change) {
	s := h.waits
	of := s.chain[c.before]
	if of == own {
		return
	}
	if h.log[own] == nil {
		h.log[own] = map[int32][]reading{}
	}
	log := h.log[own][of]
	if n := len(log); n > 0 && s.place[log[n-1].before] >= s.place[c.before] {
		return
	}
	h.log[own][of] = append(log, reading{c.before, c.join, int32(len(h.all))})
	h.rows[own] = append(h.rows[own], int32(len(h.all)))
	h.all = append(h.all, c)
}

// orders says by which entry of a clock a command has completed when another one
// begins, on another chain.
func (h *happens) orders(first, second int32) (reading, bool) {
	s := h.waits
	log := h.log[s.chain[second]][s.chain[first]]
	k, _ := slices.BinarySearchFunc(log, s.place[second]+1, func(r reading, place int32) int { return cmp.Compare(s.place[r.join], place) })
	if k == 0 || s.place[log[k-1].before] < s.place[first] {
		return reading{}, false
	}
	return log[k-1], true
}

// need notes that a certificate rests on an entry.
func (h *happens) need(r reading) {
	for i := r.change; i >= 0 && !h.all[i].needed; i = h.all[i].through {
		h.all[i].needed = true
	}
}

func (e *exporter) clocksDirect(w *writer) { e.clocks(w, true) }

func (e *exporter) clocksPassed(w *writer) { e.clocks(w, false) }

// clocks writes the entries that orders rest on.
func (e *exporter) clocks(w *writer, direct bool) {
	e.orders()
	commands, h := e.program().Commands, e.happensBefore()
	for _, c := range h.all {
		join := &commands[c.join]
		before, mate, via := commands[c.before].ID, commands[c.mate].ID, commands[c.via].ID
		switch {
		case !c.needed || direct != (c.through < 0):
		case direct:
			w.row(join.At, join.ID, before, mate, via)
		default:
			w.row(join.At, join.ID, before, mate, via, commands[h.all[c.through].join].ID)
		}
	}
}
