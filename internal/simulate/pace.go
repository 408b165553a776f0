package simulate

import (
	"cmp"
	"math"
	"slices"

	"plancheck/ir"
)

// meeting is what is known of commands that complete together and begin apart.
type meeting struct {
	over int // how many have done their part
	// last did so last, of several the one of the smallest id.
	last int32
}

// pace is the pace of a unit; nil for none.
func (s *state) pace(u int32) *pace {
	if s.chip == nil {
		return nil
	}
	return s.chip.paces[s.units.of(u)[0]] // what has one is alone
}

// tick lets units be ready whose cycle has come, and begin that were kept by what
// is free now.
func (s *state) tick() {
	for len(s.due) > 0 && s.due[0].time == s.now {
		if u := s.due.pop().unit; s.missing[u] == 0 { // no buffer was taken from it
			s.bound[u] = binding{-1, Slot}
			s.becomeReady(u)
		}
	}
	for len(s.reserved) > 0 && s.reserved[0].time == s.now {
		if u := s.reserved.pop().unit; s.missing[u] == 0 {
			s.begin(u)
		}
	}
}

// reserve takes what a ready unit holds by the plan, links and a slot, for the
// first time at which all of it is free, and lets it begin then.
func (s *state) reserve(u int32) {
	c, p := s.units.of(u)[0], s.pace(u)
	start := s.now
	for again := true; again; {
		again = false
		for _, h := range p.holds {
			shift := start - p.due
			if h.end > math.MaxInt64-shift {
				s.err = beyond(s.name(c))
				return
			}
			held := s.held[h.resource]
			at := behind(held, h.start+shift)
			if at == len(held) || held[at].Start >= h.end+shift {
				continue
			}
			delay := held[at].End - (h.start + shift)
			if delay > math.MaxInt64-start {
				s.err = beyond(s.name(c))
				return
			}
			start, again = start+delay, true
			s.bound[u] = binding{held[at].Command, Unit}
			if s.chip.resources[h.resource].slot == noSlot {
				s.bound[u].why = Link
			}
		}
	}
	if s.bound[u] == (binding{-1, Slot}) {
		s.bound[u] = s.heir(c, p)
	}
	for _, h := range p.holds {
		shift := start - p.due
		held := s.held[h.resource]
		s.held[h.resource] = slices.Insert(held, behind(held, h.start+shift), Use{c, h.hop, h.start + shift, h.end + shift})
	}
	if start == s.now {
		s.begin(u)
		return
	}
	s.reserved.push(item{time: start, rank: s.rank[u], unit: u, from: -1})
}

// heir is what binds a command that begins at its cycle: the plan cannot have it any
// earlier where it takes a link, or else its slot, just when another one leaves that.
func (s *state) heir(c int32, p *pace) binding {
	why := binding{-1, Slot}
	for _, h := range p.holds {
		held := s.held[h.resource]
		at := behind(held, h.start) - 1
		if at < 0 || held[at].End != h.start || held[at].Command == c {
			continue
		}
		if s.chip.resources[h.resource].slot == noSlot {
			return binding{held[at].Command, Link}
		}
		why = binding{held[at].Command, Unit}
	}
	return why
}

// behind returns the place of the first use that ends behind a time.
func behind(held []Use, time int64) int {
	at, _ := slices.BinarySearchFunc(held, time, func(x Use, t int64) int {
		if x.End <= t {
			return -1
		}
		return 1
	})
	return at
}

// part lets a unit have done its part in a meeting, which is over with the last
// one.
func (s *state) part(u, m int32) {
	c, x := s.units.of(u)[0], &s.meeting[m]
	if x.over == 0 || s.end[s.unit[x.last]] < s.now || s.idRank[c] < s.idRank[x.last] {
		x.last = c
	}
	x.over++
	if recv, there := s.listeners[c]; there {
		s.satisfy(recv, c, Message)
	}
	all := s.partners.of(m)
	if x.over < len(all) {
		return
	}
	for _, mate := range all {
		s.end[s.unit[mate]] = s.now
	}
	for _, mate := range all {
		s.finish(s.unit[mate])
	}
}

// decisive is the command that lets a command complete: itself, or of those that
// begin apart the last one.
func (s *state) decisive(c int32) int32 {
	if m := s.meetingOf(s.unit[c]); m >= 0 {
		return s.meeting[m].last
	}
	return c
}

// completes says that a command had to complete for another one to begin by an
// edge.
func (s *state) completes(c, follower int32, why Edge) bool {
	recv, there := s.listeners[c]
	return why != Link && why != Unit && !(why == Message && there && recv == follower)
}

// overs are when units have ended, or in a meeting have done their part.
func (s *state) overs() []int64 {
	if len(s.meetings) == 0 {
		return s.end
	}
	over := slices.Clone(s.end)
	for u := range s.meetings {
		over[u] = s.start[u] + s.durations[s.units.of(u)[0]]
	}
	return over
}

// narrow lowers the latest ends of units to what links and slots allow, given when
// units are over, and says whether it could.
func (s *state) narrow(latest, over []int64) bool {
	changed := false
	for _, held := range s.held {
		for i := 1; i < len(held); i++ {
			u, next := s.unit[held[i-1].Command], s.unit[held[i].Command]
			room, slack := max(0, held[i].Start-held[i-1].End), latest[next]-over[next]
			if u != next && slack < latest[u]-over[u]-room {
				latest[u], changed = over[u]+slack+room, true
			}
		}
	}
	return changed
}

// carriers are the links and slots that were used.
func (s *state) carriers() []Carrier {
	if s.chip == nil {
		return nil
	}
	x := s.SpatialExtension()
	place := map[ir.ID]int{}
	for i, l := range x.Links {
		place[l.ID] = i
	}
	of := map[ir.ID]int{}
	for i, u := range x.Units {
		of[u.ID] = i
	}
	var links, slots []Carrier
	for i, r := range s.chip.resources {
		c := Carrier{ID: r.id, Slot: r.slot, Uses: s.held[i]}
		if r.slot == noSlot {
			links = append(links, c)
		} else {
			slots = append(slots, c)
		}
	}
	slices.SortFunc(links, func(a, b Carrier) int { return cmp.Compare(place[a.ID], place[b.ID]) })
	slices.SortFunc(slots, func(a, b Carrier) int {
		return cmp.Or(cmp.Compare(of[a.ID], of[b.ID]), cmp.Compare(a.Slot, b.Slot))
	})
	return append(links, slots...)
}
