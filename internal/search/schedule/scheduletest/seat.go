package scheduletest

import (
	"math"
	"slices"

	"plancheck/internal/search/schedule"
)

// guest is a share of an op, or a lane of a forward, that wants a core.
type guest struct {
	cycles []int64 // on each kind
	pin    int
	holds  []int // numbers of weight parts
	twin   bool  // one like the guest before, so that the two may change seats
}

// part is a part of the slice of a weight's lane.
type part struct {
	slice int // number of the slice that it is of
	bytes int64
	whole bool
}

// table seats guests on the cores of a stage.
type table struct {
	guests []guest
	parts  []part
	slices []int64 // bytes of each slice

	cores []tableCore
	seats []int // core of each guest that has one
	best  seating
}

// tableCore is a core of the stage.
type tableCore struct {
	number   int // logical core
	capacity int64
	kind     int
	plain    bool // no guest is pinned to it
	load     int64
	held     []int // how many guests hold each part
	guests   int
}

// seatBest finds the least largest load of the cores of a stage by trying all
// seats of all guests. A seat is not tried
//   - if the core is then loaded as much as in the best seating so far,
//   - if the core cannot hold the weights, counting no more of a slice than the
//     whole slice has, as the rest of it may come and cover its parts,
//   - if a guest's twin would only change seats with it, and
//   - on the second of two cores that are both empty and of one sort.
func seatBest(p *schedule.Problem, s *schedule.Solution, c crowd) seating {
	t := &table{best: seating{load: math.MaxInt64}}
	number := map[held]int{}
	slice := map[held]int{}
	for o := range p.Ops {
		op := &p.Ops[o]
		if c.ops>>o&1 == 0 {
			continue
		}
		for i := range op.Shares() {
			g := guest{cycles: op.Cycles, pin: schedule.Free, twin: i > 0 && len(op.Weights) == 0 && op.Pins == nil}
			if op.Pins != nil {
				g.pin = op.Pins[i]
			}
			for _, h := range holds(op, i) {
				g.holds = append(g.holds, t.part(p, h, number, slice))
			}
			t.guests = append(t.guests, g)
		}
	}
	for v, value := range p.Values {
		for i := range value.Forward {
			if c.forwards>>v&1 == 1 {
				t.guests = append(t.guests, guest{cycles: value.Cycles, pin: schedule.Free, twin: i > 0})
			}
		}
	}
	for number := c.first; number < c.end; number++ {
		core := tableCore{number: number, capacity: schedule.Unknown, plain: true, held: make([]int, len(t.parts))}
		if s.Place != nil {
			m := p.Machine[s.Place[number]]
			core.capacity, core.kind = m.Capacity, m.Kind
		}
		for _, g := range t.guests {
			core.plain = core.plain && g.pin != number
		}
		t.cores = append(t.cores, core)
	}
	t.seat()
	return t.best
}

// part numbers a part of a slice.
func (t *table) part(p *schedule.Problem, h held, number, slice map[held]int) int {
	n, ok := number[h]
	if ok {
		return n
	}
	whole := held{h.weight, h.lane, 0, 1}
	if _, ok := slice[whole]; !ok {
		slice[whole] = len(t.slices)
		t.slices = append(t.slices, whole.bytes(p))
	}
	number[h] = len(t.parts)
	t.parts = append(t.parts, part{slice[whole], h.bytes(p), h == whole})
	return number[h]
}

// seat seats the next guest in every way, and all that come after.
func (t *table) seat() {
	n := len(t.seats)
	if n == len(t.guests) {
		t.keep()
		return
	}
	g := &t.guests[n]
	for i := range t.cores {
		c := &t.cores[i]
		if g.pin != schedule.Free && g.pin != c.number || g.twin && c.number < t.seats[n-1] || t.same(i) {
			continue
		}
		c.load += g.cycles[c.kind]
		c.guests++
		for _, part := range g.holds {
			c.held[part]++
		}
		if c.load < t.best.load && (c.capacity == schedule.Unknown || t.room(c, false) <= c.capacity) {
			t.seats = append(t.seats, c.number)
			t.seat()
			t.seats = t.seats[:n]
		}
		for _, part := range g.holds {
			c.held[part]--
		}
		c.guests--
		c.load -= g.cycles[c.kind]
	}
}

// same says whether the core is empty and another one of its sort before it is.
func (t *table) same(i int) bool {
	c := &t.cores[i]
	for j := range i {
		d := &t.cores[j]
		if c.guests == 0 && d.guests == 0 && c.plain && d.plain && c.capacity == d.capacity && c.kind == d.kind {
			return true
		}
	}
	return false
}

// room is how many bytes the core needs. Before all guests are seated it is at
// least how many it will need.
func (t *table) room(c *tableCore, all bool) int64 {
	sums := make([]int64, len(t.slices))
	whole := make([]bool, len(t.slices))
	for i, part := range t.parts {
		if c.held[i] > 0 {
			sums[part.slice] += part.bytes
			whole[part.slice] = whole[part.slice] || part.whole
		}
	}
	var sum int64
	for slice, bytes := range sums {
		if whole[slice] || !all {
			bytes = min(bytes, t.slices[slice])
		}
		sum += bytes
	}
	return sum
}

// keep keeps the seating of all guests if it fits; it is better than the best.
func (t *table) keep() {
	var load int64
	for i := range t.cores {
		c := &t.cores[i]
		load = max(load, c.load)
		if c.capacity != schedule.Unknown && t.room(c, true) > c.capacity {
			return
		}
	}
	if load < t.best.load {
		t.best = seating{load, slices.Clone(t.seats), true}
	}
}
