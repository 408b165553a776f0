package simulate

import (
	"slices"

	"plancheck/ir"
)

// chip is the spatial extension of a program as far as it is played.
type chip struct {
	paces     []*pace   // of each command; nil for those that have no time
	resources []carrier // what is held

	program *ir.Program
	hertz   map[ir.ID]int64 // by clock domain
	units   map[ir.ID]*ir.Unit
	links   map[ir.ID]*ir.Link
	numbers map[carrier]int32
}

// pace is when a command happens by the plan. One that begins later shifts all of
// it.
type pace struct {
	due int64 // when it begins
	// over is when its unit has done it, or its data has arrived; unknown where the
	// plan does not tell.
	over  int64
	holds []hold
}

const unknown = -1

// hold is the time for which a command has a link, for a hop of its route, or a
// slot of its unit, for a cycle.
type hold struct {
	resource   int32
	hop        int // of the route; 0 for a slot
	start, end int64
}

// carrier is a link, or a slot of a unit: what one command has at a time.
type carrier struct {
	id   ir.ID
	slot int64 // of the unit; noSlot for a link
}

const noSlot = -1

// newChip reads the spatial extension of a program; it is nil where no command has
// a time. By several slots, or several routes, a command has none, nor by a unit or
// a link that there is not or whose clock there is not. A time beyond 63 bits is
// an error.
func newChip(p *ir.Program, byID map[ir.ID]int32, text func(ir.ID) string) (*chip, error) {
	x := p.SpatialExtension()
	if len(x.Slots) == 0 && len(x.Routes) == 0 {
		return nil, nil
	}
	c := &chip{
		paces: make([]*pace, len(p.Commands)), program: p, hertz: map[ir.ID]int64{},
		units: map[ir.ID]*ir.Unit{}, links: map[ir.ID]*ir.Link{}, numbers: map[carrier]int32{},
	}
	for _, d := range x.ClockDomains {
		c.hertz[d.ID] = d.Frequency
	}
	for i := range x.Units {
		c.units[x.Units[i].ID] = &x.Units[i]
	}
	for i := range x.Links {
		c.links[x.Links[i].ID] = &x.Links[i]
	}
	only := onlyOnes(x.Slots, func(s *ir.Slot) ir.ID { return s.Command })
	for i := range x.Slots {
		s := &x.Slots[i]
		if at, there := byID[s.Command]; there && only[s.Command] == s && !c.issue(at, s) {
			return nil, beyond(text(s.Command))
		}
	}
	routes := onlyOnes(x.Routes, func(r *ir.Route) ir.ID { return r.Command })
	for i := range x.Routes {
		r := &x.Routes[i]
		at, there := byID[r.Command]
		if !there {
			continue
		}
		if c.paces[at] != nil {
			c.paces[at].over = unknown // until the route has said
		}
		if routes[r.Command] == r && !c.travel(at, r, x.Flow) {
			return nil, beyond(text(r.Command))
		}
	}
	return c, nil
}

// onlyOnes returns the entries of a list by what they are of: nil where there are
// several.
func onlyOnes[T any](list []T, of func(*T) ir.ID) map[ir.ID]*T {
	all := make(map[ir.ID]*T, len(list))
	for i := range list {
		x := &list[i]
		if _, again := all[of(x)]; again {
			all[of(x)] = nil
			continue
		}
		all[of(x)] = x
	}
	return all
}

// issue reads the slot of a command.
func (c *chip) issue(command int32, s *ir.Slot) bool {
	u := c.units[s.Unit]
	hertz, there := c.hertz[clockOf(u)]
	if !there {
		return true
	}
	due, ok := instant(hertz, s.Cycle)
	next, fits := instant(hertz, s.Cycle, 1)
	p := &pace{due: due, over: unknown, holds: []hold{{c.number(carrier{s.Unit, s.Slot}), 0, due, next}}}
	c.paces[command] = p
	if takes := latency(u, c.program.Commands[command].Op); takes != ir.None && ok && fits {
		p.over, ok = instant(hertz, s.Cycle, takes)
	}
	return ok && fits
}

// clockOf returns the clock domain of a unit, NoID for none.
func clockOf(u *ir.Unit) ir.ID {
	if u == nil {
		return ir.NoID
	}
	return u.Domain
}

// latency is how many cycles a unit takes for an op; None for what it does not do.
func latency(u *ir.Unit, op string) int64 {
	for _, o := range u.Operations {
		if o.Op == op {
			return o.Latency
		}
	}
	return u.Latency
}

// travel reads the route of a command. One without a slot begins with its first
// hop.
func (c *chip) travel(command int32, r *ir.Route, flow *ir.Flow) bool {
	tolerance := int64(0)
	if flow != nil {
		tolerance = flow.Tolerance
	}
	for i, h := range r.Hops {
		l := c.links[h.Link]
		if l == nil {
			continue
		}
		hertz, there := c.hertz[l.Domain]
		if !there {
			continue
		}
		start, ok := instant(hertz, h.Depart)
		end, fits := instant(hertz, h.Depart, h.Cycles)
		if !ok || !fits {
			return false
		}
		p := c.paces[command]
		if p == nil {
			if i > 0 { // it is not known when the command begins
				return true
			}
			p = &pace{due: start, over: unknown}
			c.paces[command] = p
		}
		p.holds = append(p.holds, hold{c.number(carrier{h.Link, noSlot}), i, start, end})
		if i == len(r.Hops)-1 {
			if p.over, ok = instant(hertz, h.Depart, h.Cycles, l.Latency, tolerance); !ok {
				return false
			}
		}
	}
	return true
}

// number returns the number of a link or slot, the next one where it has none.
func (c *chip) number(x carrier) int32 {
	n, there := c.numbers[x]
	if !there {
		n = int32(len(c.resources))
		c.numbers[x] = n
		c.resources = append(c.resources, x)
	}
	return n
}

// runners tells which queue runs each command: its own, but for commands that have
// a time and are on a queue without order, which only hands them to their units.
func (p *program) runners() {
	if p.runs = p.queue; p.chip == nil {
		return
	}
	p.runs = slices.Clone(p.queue)
	for i, q := range p.queue {
		if q >= 0 && p.Queues[q].Unordered && p.paced(int32(i)) {
			p.runs[i] = -1
		}
	}
}

// paced says that a command has a time by the spatial extension.
func (p *program) paced(command int32) bool { return p.chip != nil && p.chip.paces[command] != nil }

// mates are the commands that those of a unit complete together with, with
// themselves.
func (p *program) mates(u int32) []int32 {
	if m := p.meetingOf(u); m >= 0 {
		return p.partners.of(m)
	}
	return p.units.of(u)
}

// meetingOf returns the meeting of a unit that begins apart; -1 for none.
func (p *program) meetingOf(u int32) int32 {
	if p.chip == nil {
		return -1
	}
	if m, apart := p.meetings[u]; apart {
		return m
	}
	return -1
}
