package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// randomChip draws a small program on a chip of three devices, whole in all but
// its times: each command that needs one has a slot, each that needs one a route
// over links that lead there.
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
		p.Devices = append(p.Devices, ir.Device{ID: id("d%d", d), Rank: ir.None})
		p.Queues = append(p.Queues, ir.Queue{ID: id("q%d", d), Device: id("d%d", d), Unordered: rapid.Bool().Draw(t, "unordered")})
		p.Regions = append(p.Regions, ir.Region{ID: id("m%d", d), Device: id("d%d", d), Capacity: 100, Alignment: 1})
		p.Buffers = append(p.Buffers, ir.Buffer{ID: id("in%d", d), Region: id("m%d", d), Size: 1, Alignment: 1, Initialised: true})
		x.Units = append(x.Units, ir.Unit{ID: id("u%d", d), Device: id("d%d", d), Domain: domain(), Width: int64(draw("width", 1, 2)), Latency: int64(draw("latency", 1, 3))})
	}
	for a := range devices {
		for b := range devices {
			if a != b {
				x.Links = append(x.Links, ir.Link{ID: id("l%d%d", a, b), Source: id("d%d", a), Destination: id("d%d", b), Domain: domain(), Latency: int64(draw("latency", 0, 2))})
			}
		}
	}
	add := func(device int, c ir.Command) ir.ID {
		c.Queue, c.Bytes, c.Stage, c.Microbatch = p.Queues[device].ID, ir.None, ir.None, ir.None
		for i := range p.Commands {
			if draw("after", 0, 3) == 0 {
				c.After = append(c.After, p.Commands[i].ID)
			}
		}
		p.Commands = append(p.Commands, c)
		if slices.Contains([]string{ir.KindLaunch, ir.KindTransfer, ir.KindSend, ir.KindRecv}, c.Kind) {
			x.Slots = append(x.Slots, ir.Slot{Command: c.ID, Unit: x.Units[device].ID, Cycle: int64(3 * draw("cycle", 0, 2*len(p.Commands))), Slot: int64(draw("slot", 0, 8)/4) % 3})
		}
		return c.ID
	}
	route := func(command ir.ID, from, to int) {
		r := ir.Route{Command: command, Source: id("d%d", from), Destination: id("d%d", to)}
		way := []int{from, to}
		if rapid.Bool().Draw(t, "detour") {
			way = []int{from, devices - from - to, to}
		}
		depart := int64(draw("depart", 0, 20))
		for i := range len(way) - 1 {
			h := ir.Hop{Link: id("l%d%d", way[i], way[i+1]), Depart: depart, Cycles: int64(draw("cycles", 1, 4))}
			r.Hops = append(r.Hops, h)
			depart += int64(draw("on its way", 1, 9))
		}
		x.Routes = append(x.Routes, r)
	}
	for i := range draw("steps", 1, 6) {
		from := draw("device", 0, 4) / 2 // often the same, so that units and links are crowded
		to := (from + draw("further", 1, devices-1)) % devices
		switch draw("kind", 0, 4) {
		case 0:
			add(from, ir.Command{ID: id("f%d", i), Kind: ir.KindLaunch})
		case 1, 2:
			p.Buffers = append(p.Buffers, ir.Buffer{ID: id("out%d", i), Region: id("m%d", to), Offset: int64(i + 1), Size: 1, Alignment: 1})
			route(add(from, ir.Command{ID: id("t%d", i), Kind: ir.KindTransfer, Reads: []ir.ID{id("in%d", from)}, Writes: []ir.ID{id("out%d", i)}}), from, to)
		case 3:
			p.Channels = append(p.Channels, ir.Channel{ID: id("c%d", i), Depth: int64(draw("depth", 0, 1)), Slot: ir.None})
			route(add(from, ir.Command{ID: id("s%d", i), Kind: ir.KindSend, Channel: id("c%d", i)}), from, to)
			add(to, ir.Command{ID: id("r%d", i), Kind: ir.KindRecv, Channel: id("c%d", i)})
		case 4:
			p.Tokens = append(p.Tokens, ir.Token{ID: id("k%d", i)})
			p.Barriers = append(p.Barriers, ir.Barrier{ID: id("b%d", i), Queues: []ir.ID{p.Queues[from].ID, p.Queues[to].ID}})
			add(from, ir.Command{ID: id("g%d", i), Kind: ir.KindSignal, Signals: []ir.ID{id("k%d", i)}})
			add(to, ir.Command{ID: id("w%d", i), Kind: ir.KindWait, Waits: []ir.ID{id("k%d", i)}})
			add(from, ir.Command{ID: id("x%d", i), Kind: ir.KindBarrier, Barrier: id("b%d", i)})
			add(to, ir.Command{ID: id("y%d", i), Kind: ir.KindBarrier, Barrier: id("b%d", i)})
		}
	}
	return &ir.Plan{Symbols: syms, LogicalCores: ir.None, Program: p}
}

// chipRun runs a program of randomChip moment by moment, six of which are two
// cycles of the slow clock and three of the fast one, as hardware would: nothing
// is known but what has happened. It shares no code with the rules.
type chipRun struct {
	plan    *ir.Plan
	program *ir.Program
	chip    *ir.SpatialExtension
	over    map[ir.ID]bool // commands that have completed
	faults  map[string]bool
}

func (r *chipRun) fault(what string, of ir.ID) { r.faults[what+" "+r.plan.Text(of)] = true }

// now says whether a cycle of a clock domain begins at a moment.
func (r *chipRun) now(moment int, domain ir.ID, cycle int64) bool {
	length := 2
	if r.plan.Text(domain) == "slow" {
		length = 3
	}
	return moment == length*int(cycle)
}

// free says whether all that a command waits for has completed.
func (r *chipRun) free(i int) bool {
	c := &r.program.Commands[i]
	for _, on := range c.After {
		if !r.over[on] {
			return false
		}
	}
	for j := range r.program.Commands {
		d := &r.program.Commands[j]
		if len(c.Waits) > 0 && slices.Equal(c.Waits, d.Signals) && !r.over[d.ID] {
			return false
		}
	}
	queue := slices.IndexFunc(r.program.Queues, func(q ir.Queue) bool { return q.ID == c.Queue })
	for j := i - 1; j >= 0 && !r.program.Queues[queue].Unordered; j-- {
		if d := &r.program.Commands[j]; d.Queue == c.Queue {
			return r.over[d.ID]
		}
	}
	return true
}

// run returns what goes wrong until a moment.
func (r *chipRun) run(until int) {
	done := map[ir.ID]bool{}    // have done their own part
	arrived := map[ir.ID]bool{} // routes
	at := map[string]int{}      // hops that have arrived, by route
	taken := map[string]int{}   // payloads by link and cycle
	slots := map[string]int{}
	mate := func(c *ir.Command) *ir.Command { // at a rendezvous or a barrier
		for j := range r.program.Commands {
			d := &r.program.Commands[j]
			k := slices.IndexFunc(r.program.Channels, func(x ir.Channel) bool { return x.ID == c.Channel && x.Depth == 0 })
			if d.ID != c.ID && (c.Barrier != ir.NoID && d.Barrier == c.Barrier || k >= 0 && d.Channel == c.Channel) {
				return d
			}
		}
		return nil
	}
	routed := func(c ir.ID) *ir.Route {
		if k := slices.IndexFunc(r.chip.Routes, func(x ir.Route) bool { return x.Command == c }); k >= 0 {
			return &r.chip.Routes[k]
		}
		return nil
	}
	for moment := range until {
		// What arrives, and units that are ready.
		ready := map[ir.ID]bool{}
		for _, s := range r.chip.Slots {
			u := r.chip.Units[slices.IndexFunc(r.chip.Units, func(u ir.Unit) bool { return u.ID == s.Unit })]
			if r.now(moment, u.Domain, s.Cycle+u.Latency) {
				ready[s.Command] = true
				done[s.Command] = done[s.Command] || routed(s.Command) == nil
				at["ready "+r.plan.Text(s.Command)] = 1
			}
		}
		for _, x := range r.chip.Routes {
			for i, h := range x.Hops {
				l := r.chip.Links[slices.IndexFunc(r.chip.Links, func(l ir.Link) bool { return l.ID == h.Link })]
				if r.now(moment, l.Domain, h.Depart+h.Cycles+l.Latency) {
					at[fmt.Sprint(r.plan.Text(x.Command), i)] = 1
				}
				if i == len(x.Hops)-1 && r.now(moment, l.Domain, h.Depart+h.Cycles+l.Latency+r.chip.Flow.Tolerance) {
					arrived[x.Command], done[x.Command] = true, true
				}
			}
		}
		// What has completed by that, and passes on.
		for again := true; again; {
			again = false
			for i := range r.program.Commands {
				c := &r.program.Commands[i]
				part := func(c *ir.Command) bool {
					if slices.ContainsFunc(r.chip.Slots, func(s ir.Slot) bool { return s.Command == c.ID }) {
						return done[c.ID]
					}
					return r.free(slices.IndexFunc(r.program.Commands, func(d ir.Command) bool { return d.ID == c.ID }))
				}
				if m := mate(c); !r.over[c.ID] && part(c) && (m == nil || part(m)) {
					r.over[c.ID], again = true, true
				}
			}
		}
		// What begins.
		for _, s := range r.chip.Slots {
			u := r.chip.Units[slices.IndexFunc(r.chip.Units, func(u ir.Unit) bool { return u.ID == s.Unit })]
			if !r.now(moment, u.Domain, s.Cycle) {
				continue
			}
			i := slices.IndexFunc(r.program.Commands, func(c ir.Command) bool { return c.ID == s.Command })
			c := &r.program.Commands[i]
			if !r.free(i) {
				r.fault("early", c.ID)
			}
			if c.Kind == ir.KindRecv {
				send := slices.IndexFunc(r.program.Commands, func(d ir.Command) bool { return d.Kind == ir.KindSend && d.Channel == c.Channel })
				if !arrived[r.program.Commands[send].ID] {
					r.fault("early", c.ID)
				}
			}
			if s.Slot >= u.Width {
				r.fault("slot", c.ID)
			}
			if slots[fmt.Sprint(s.Unit, s.Slot, s.Cycle)]++; slots[fmt.Sprint(s.Unit, s.Slot, s.Cycle)] > 1 {
				r.fault("conflict", u.ID)
			}
		}
		for _, x := range r.chip.Routes {
			for i, h := range x.Hops {
				l := r.chip.Links[slices.IndexFunc(r.chip.Links, func(l ir.Link) bool { return l.ID == h.Link })]
				switch there := at[fmt.Sprint(r.plan.Text(x.Command), i-1)]; {
				case !r.now(moment, l.Domain, h.Depart):
				case i == 0 && at["ready "+r.plan.Text(x.Command)] == 0:
					r.fault("departs", x.Command)
				case i > 0 && there == 0:
					r.fault("hop", x.Command)
				}
				for k := range h.Cycles {
					if r.now(moment, l.Domain, h.Depart+k) {
						if taken[fmt.Sprint(l.ID, h.Depart+k)]++; taken[fmt.Sprint(l.ID, h.Depart+k)] > 1 {
							r.fault("link", l.ID)
						}
					}
				}
			}
		}
	}
}

// A chip that is run agrees with the rules on which commands are issued too early,
// and on what is issued, departs or travels where something else does.
func TestChipsAgreeWithARun(t *testing.T) {
	s := builtin(t)
	count := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := randomChip(t)
		if ds := ir.Validate(p); ds != nil {
			t.Fatal(ds[0].Message)
		}
		v, err := s.Judge(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, f := range v.Findings {
			of := func(arg int) string { return p.Text(f.Proof.Args[arg]) }
			switch f.Proof.Pred {
			case "schedule_deadlock", "token_wait_before_signal", "dependency_cycle":
				return
			case "slot_order_violates_dependency", "slot_latency_violated":
				got["early "+of(0)] = true
			case "slot_width_exceeded":
				got["slot "+of(0)] = true
			case "slot_unit_conflict":
				got["conflict "+of(1)] = true
			case "route_departs_early":
				got["departs "+of(0)] = true
			case "hop_departs_early":
				got["hop "+of(0)] = true
			case "link_overcommitted":
				got["link "+of(0)] = true
			default:
				got[f.Code+": "+f.Message] = true
			}
		}
		r := &chipRun{plan: p, program: p.Program, chip: p.Program.Extension.Spatial, over: map[ir.ID]bool{}, faults: map[string]bool{}}
		r.run(400)
		for what := range r.faults {
			kind, _, _ := strings.Cut(what, " ")
			count[kind]++
		}
		if len(r.faults) == 0 {
			count["legal"]++
		}
		if diff := cmp.Diff(r.faults, got); diff != "" {
			t.Fatalf("(-run +rules):\n%s\n%s", diff, ir.Encode(p))
		}
	})
	if testing.Short() {
		return // too few to hold all kinds every time
	}
	for _, kind := range strings.Fields("legal early slot conflict departs hop link") {
		if count[kind] == 0 {
			t.Errorf("no program was %s: %v", kind, count)
		}
	}
}
