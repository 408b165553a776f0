package simulate

import (
	"fmt"
	"math/big"
	"slices"

	"pgregory.net/rapid"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// randomChip draws a small program on a chip of three devices, whole in all but its
// slots and routes. Its clocks have 3000 and 2000 hertz.
func randomChip(t *rapid.T) *ir.Plan {
	syms := symbol.NewTable()
	id := func(format string, args ...any) ir.ID { return syms.String(fmt.Sprintf(format, args...)) }
	draw := func(name string, least, most int) int { return rapid.IntRange(least, most).Draw(t, name) }
	x := &ir.SpatialExtension{
		ClockDomains: []ir.ClockDomain{{ID: id("fast"), Frequency: 3000}, {ID: id("slow"), Frequency: 2000}},
		Flow:         &ir.Flow{Tolerance: int64(draw("tolerance", 0, 1)), Backpressure: "none", Timeout: ir.None},
	}
	p := &ir.Program{Extension: &ir.Extension{Spatial: x}}
	domain := func() ir.ID { return x.ClockDomains[draw("clock", 0, 1)].ID }
	const devices = 3
	for d := range devices {
		p.Devices = append(p.Devices, ir.Device{ID: id("d%d", d), Rank: int64(d)})
		p.Queues = append(p.Queues, ir.Queue{ID: id("q%d", d), Device: id("d%d", d), Unordered: draw("unordered", 0, 2) > 0})
		p.Regions = append(p.Regions, ir.Region{ID: id("m%d", d), Device: id("d%d", d), Capacity: 100, Alignment: 1})
		p.Buffers = append(p.Buffers, ir.Buffer{ID: id("in%d", d), Region: id("m%d", d), Size: 1, Alignment: 1, Initialised: true})
		x.Units = append(x.Units, ir.Unit{
			ID: id("u%d", d), Device: id("d%d", d), Domain: domain(), Width: int64(draw("width", 1, 2)), Latency: int64(draw("latency", 1, 3)),
			Operations: []ir.Operation{{Op: "long", Latency: 7}},
		})
	}
	for a := range devices {
		for b := range devices {
			if a != b {
				x.Links = append(x.Links, ir.Link{ID: id("l%d%d", a, b), Source: id("d%d", a), Destination: id("d%d", b), Domain: domain(), Latency: int64(draw("latency", 0, 2))})
			}
		}
	}
	p.Groups = []ir.Group{{ID: id("g"), Ranks: []int64{0, 1}}}
	p.Barriers = []ir.Barrier{{ID: id("b"), Queues: []ir.ID{id("q1"), id("q2")}}}
	add := func(device int, c ir.Command) {
		c.Queue, c.Bytes, c.Stage, c.Microbatch = p.Queues[device].ID, ir.None, ir.None, ir.None
		for i := range p.Commands {
			if draw("after", 0, 6) == 0 {
				c.After = append(c.After, p.Commands[i].ID)
			}
		}
		p.Commands = append(p.Commands, c)
	}
	for i := range draw("steps", 1, 12) {
		from := draw("device", 0, 5) / 3 // often the same, so that units and links are crowded
		to := (from + max(1, draw("further", 0, 2))) % devices
		switch draw("kind", 0, 8) {
		case 0, 1, 7:
			add(from, ir.Command{ID: id("f%d", i), Kind: ir.KindLaunch, Op: rapid.SampledFrom([]string{"", "long", "short"}).Draw(t, "op")})
		case 2, 8:
			p.Buffers = append(p.Buffers, ir.Buffer{ID: id("out%d", i), Region: id("m%d", to), Offset: int64(i + 1), Size: 1, Alignment: 1})
			add(from, ir.Command{ID: id("t%d", i), Kind: ir.KindTransfer, Reads: []ir.ID{id("in%d", from)}, Writes: []ir.ID{id("out%d", i)}})
		case 3, 4:
			p.Channels = append(p.Channels, ir.Channel{ID: id("c%d", i), Depth: int64(draw("depth", 0, 1)), Slot: ir.None})
			for k := range draw("messages", 1, 2) {
				add(from, ir.Command{ID: id("s%d.%d", i, k), Kind: ir.KindSend, Channel: id("c%d", i)})
				add(to, ir.Command{ID: id("r%d.%d", i, k), Kind: ir.KindRecv, Channel: id("c%d", i)})
			}
		case 5:
			add(0, ir.Command{ID: id("k%d.0", i), Kind: ir.KindCollective, Group: id("g")})
			add(1, ir.Command{ID: id("k%d.1", i), Kind: ir.KindCollective, Group: id("g")})
		case 6:
			p.Tokens = append(p.Tokens, ir.Token{ID: id("e%d", i)})
			add(from, ir.Command{ID: id("g%d", i), Kind: ir.KindSignal, Signals: []ir.ID{id("e%d", i)}})
			add(to, ir.Command{ID: id("w%d", i), Kind: ir.KindWait, Waits: []ir.ID{id("e%d", i)}})
			add(1, ir.Command{ID: id("x%d", i), Kind: ir.KindBarrier, Barrier: id("b")})
			add(2, ir.Command{ID: id("y%d", i), Kind: ir.KindBarrier, Barrier: id("b")})
		}
	}
	return &ir.Plan{Symbols: syms, LogicalCores: ir.None, Program: p}
}

// chipPlayer runs a program of randomChip moment by moment, two of which are a
// cycle of the fast clock and three one of the slow clock. What can be issued it
// issues some moments later, and writes down where and when. Of the simulator it
// shares nothing.
type chipPlayer struct {
	*oracle
	x                *ir.SpatialExtension
	begin, part, end []int // moments; -1 where that has not come
	taken            map[string]bool
}

// length is that of a cycle of a clock domain.
func (r *chipPlayer) length(domain ir.ID) int {
	if r.in.Plan.Text(domain) == "slow" {
		return 3
	}
	return 2
}

// play fills in the slots and routes, and says whether the program came to its end.
func (r *chipPlayer) play(t *rapid.T) bool {
	patience := make([]int, len(r.commands))
	for c := range patience {
		patience[c] = rapid.IntRange(0, 4).Draw(t, "patience")
	}
	for now := range 1000 {
		for r.passOn(now) {
		}
		if !slices.Contains(r.end, -1) {
			return true
		}
		for c := range r.commands {
			if r.begin[c] >= 0 || r.instant(c) || !r.free(c) || !r.heard(c, now) {
				continue
			}
			if patience[c]--; patience[c] < 0 {
				r.issue(t, c, now)
			}
		}
	}
	return false
}

// instant says that a command needs no slot.
func (r *chipPlayer) instant(c int) bool {
	return slices.Contains([]string{ir.KindSignal, ir.KindWait, ir.KindBarrier}, r.commands[c].Kind)
}

// free says whether all that a command waits for has completed.
func (r *chipPlayer) free(c int) bool {
	for _, w := range r.waits(c) {
		if r.end[w.on] < 0 {
			return false
		}
	}
	return true
}

// heard says whether the message of a rendezvous has arrived at its receive.
func (r *chipPlayer) heard(c, now int) bool {
	if r.commands[c].Kind != ir.KindRecv {
		return true
	}
	for _, m := range r.mates(c) {
		if m != c && (r.part[m] < 0 || r.part[m] > now) {
			return false
		}
	}
	return true
}

// passOn lets complete what can, and says whether something did.
func (r *chipPlayer) passOn(now int) (some bool) {
	for c := range r.commands {
		if r.end[c] >= 0 {
			continue
		}
		all := true
		for _, m := range r.mates(c) {
			all = all && (r.instant(m) && r.free(m) || r.part[m] >= 0 && r.part[m] <= now)
		}
		if !all {
			continue
		}
		for _, m := range r.mates(c) {
			if r.instant(m) {
				r.begin[m] = now
			}
			r.end[m], some = now, true
		}
	}
	return some
}

// take takes something if it is free.
func (r *chipPlayer) take(what ...any) bool {
	key := fmt.Sprint(what...)
	free := !r.taken[key]
	r.taken[key] = true
	return free
}

// issue issues a command if a cycle of its unit begins and a slot is free, and
// sends its data on its way.
func (r *chipPlayer) issue(t *rapid.T, c, now int) {
	command := &r.commands[c]
	device := r.queueOf(c).Device
	u := &r.x.Units[slices.IndexFunc(r.x.Units, func(u ir.Unit) bool { return u.Device == device })]
	each := r.length(u.Domain)
	if now%each != 0 {
		return
	}
	slot := int64(0)
	for !r.take("slot", u.ID, slot, now) {
		if slot++; slot == u.Width {
			return
		}
	}
	takes := u.Latency
	if command.Op == "long" {
		takes = u.Operations[0].Latency
	}
	r.begin[c], r.part[c] = now, now+int(takes)*each
	r.x.Slots = append(r.x.Slots, ir.Slot{Command: command.ID, Unit: u.ID, Cycle: int64(now / each), Slot: slot})
	if to := r.reaches(c); to != ir.NoID && to != device {
		r.travel(t, c, device, to)
	}
}

// reaches is the device to which a command brings data; NoID for none.
func (r *chipPlayer) reaches(c int) ir.ID {
	switch x := &r.commands[c]; x.Kind {
	case ir.KindTransfer:
		b := &r.p.Buffers[slices.IndexFunc(r.p.Buffers, func(b ir.Buffer) bool { return b.ID == x.Writes[0] })]
		return r.p.Regions[slices.IndexFunc(r.p.Regions, func(m ir.Region) bool { return m.ID == b.Region })].Device
	case ir.KindSend:
		recv := slices.IndexFunc(r.commands, func(d ir.Command) bool { return d.Kind == ir.KindRecv && d.Channel == x.Channel })
		return r.queueOf(recv).Device
	}
	return ir.NoID
}

// travel finds a route that is free.
func (r *chipPlayer) travel(t *rapid.T, c int, from, to ir.ID) {
	way := []ir.ID{from, to}
	if rapid.Bool().Draw(t, "detour") {
		third := slices.IndexFunc(r.p.Devices, func(d ir.Device) bool { return d.ID != from && d.ID != to })
		way = []ir.ID{from, r.p.Devices[third].ID, to}
	}
	route := ir.Route{Command: r.commands[c].ID, Source: from, Destination: to}
	for i := range len(way) - 1 {
		l := &r.x.Links[slices.IndexFunc(r.x.Links, func(l ir.Link) bool { return l.Source == way[i] && l.Destination == way[i+1] })]
		each, cycles := r.length(l.Domain), rapid.IntRange(1, 6).Draw(t, "cycles")
		depart := (r.part[c] + each - 1) / each
		for k := 0; k < cycles; k++ {
			if r.taken[fmt.Sprint("link", l.ID, depart+k)] {
				depart, k = depart+k+1, -1
			}
		}
		for k := range cycles {
			r.taken[fmt.Sprint("link", l.ID, depart+k)] = true
		}
		route.Hops = append(route.Hops, ir.Hop{Link: l.ID, Depart: int64(depart), Cycles: int64(cycles)})
		late := 0
		if i == len(way)-2 {
			late = int(r.x.Flow.Tolerance)
		}
		r.part[c] = (depart + cycles + int(l.Latency) + late) * each
	}
	r.x.Routes = append(r.x.Routes, route)
}

// picoseconds are those at which a moment, of which a second has 6000, has begun.
func picoseconds(moment int) int64 {
	exact := new(big.Rat).Mul(big.NewRat(int64(moment), 6000), big.NewRat(1_000_000_000_000, 1))
	up := new(big.Int).Add(exact.Num(), new(big.Int).Sub(exact.Denom(), big.NewInt(1)))
	return up.Div(up, exact.Denom()).Int64()
}

// legalChip draws a plan for a chip that keeps the rules, with the intervals that it
// has as "command start-end"; nil for one that does not come to its end.
func legalChip(t *rapid.T) (*ir.Plan, []string) {
	plan := randomChip(t)
	n := len(plan.Program.Commands)
	none := func() []int { return slices.Repeat([]int{-1}, n) }
	r := &chipPlayer{oracle: newOracle(Input{Plan: plan, Durations: make([]int64, n)}), x: plan.Program.Extension.Spatial,
		begin: none(), part: none(), end: none(), taken: map[string]bool{}}
	if !r.play(t) {
		return nil, nil
	}
	var intervals []string
	for c := range r.commands {
		intervals = append(intervals, fmt.Sprintf("%s %d-%d", plan.Text(r.commands[c].ID), picoseconds(r.begin[c]), picoseconds(r.end[c])))
	}
	return plan, intervals
}
