package facts

import (
	"math/big"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// Times on a spatial chip are in ticks: the longest time of which each cycle of
// each clock domain is a multiple, so that cycles of different clocks are
// compared exactly. A time that is computed here may be too large for an integer
// of a fact; the rules compute it too, and say so.

// ticks returns how many ticks a cycle of each clock domain has: the least common
// multiple of all frequencies, which is how many a second has, divided by its own
// one. It is nil where a second has more than an integer holds.
func (e *exporter) ticks() map[ir.ID]int64 {
	second := big.NewInt(1)
	domains := e.spatial().ClockDomains
	for _, d := range domains {
		hertz := big.NewInt(d.Frequency)
		second.Mul(second, new(big.Int).Div(hertz, new(big.Int).GCD(nil, nil, second, hertz)))
		if !second.IsInt64() {
			return nil
		}
	}
	ticks := make(map[ir.ID]int64, len(domains))
	for _, d := range domains {
		ticks[d.ID] = second.Int64() / d.Frequency
	}
	return ticks
}

func (e *exporter) clockTicks(w *writer) {
	ticks := e.ticks()
	for _, d := range e.spatial().ClockDomains {
		if ticks == nil {
			w.incomparable(d.At)
			return
		}
		w.row(d.At, d.ID, e.num(ticks[d.ID]))
	}
}

// incomparable ends the export: the clocks, of which the first is at this place,
// have no tick in common that can be counted.
func (w *writer) incomparable(at uint32) {
	if w.places != nil || w.err != nil {
		return
	}
	d := diag.Diagnostic{
		Code:     "clocks-not-comparable",
		Severity: diag.Error,
		Message:  "the clock domains have no common tick: a second would have more than 2^63 of them",
		Help:     "round the frequencies, or give related clocks frequencies with a common divisor",
	}
	if src := w.exporter.plan.Source; src != nil {
		d.Pos = src.Position(int(at))
		d.Snippet, d.SnippetSkip = src.Excerpt(int(at))
	}
	w.err = &Error{d}
}

// completions returns, for each command, the tick at which it has completed; nil for
// those that have no time: no slot and no route, more than one, or one on a unit
// or link that cannot be placed in time. What completes together has the last
// time of all.
func (e *exporter) completions() []*big.Int {
	x, commands := e.spatial(), e.program().Commands
	ticks := e.ticks()
	units := e.positions(len(x.Units), func(i int) ir.ID { return x.Units[i].ID })
	links := e.positions(len(x.Links), func(i int) ir.ID { return x.Links[i].ID })
	slots := onlyOnes(len(x.Slots), func(i int) ir.ID { return x.Slots[i].Command })
	routes := e.onlyRoutes()
	routed := map[ir.ID]bool{}
	for _, r := range x.Routes {
		routed[r.Command] = true
	}
	tolerance := int64(0)
	if x.Flow != nil {
		tolerance = x.Flow.Tolerance
	}
	ends := make([]*big.Int, len(commands))
	for i := range commands {
		c := &commands[i]
		if routed[c.ID] {
			if r, ok := routes[c.ID]; ok {
				ends[i] = arrival(&x.Routes[r], x.Links, links, ticks, tolerance)
			}
			continue
		}
		if s, ok := slots[c.ID]; ok {
			u, _ := lookup(units, x.Slots[s].Unit)
			ends[i] = instant(ticks, x.Units[u].Domain, x.Slots[s].Cycle, latency(&x.Units[u], c.Op))
		}
	}
	for _, all := range e.waits().members {
		var last *big.Int
		for _, m := range all {
			if ends[m] != nil && (last == nil || ends[m].Cmp(last) > 0) {
				last = ends[m]
			}
		}
		for _, m := range all {
			ends[m] = last
		}
	}
	return ends
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

// arrival is when the last hop of a route has arrived; nil where that is not
// known.
func arrival(r *ir.Route, all []ir.Link, links []int32, ticks map[ir.ID]int64, tolerance int64) *big.Int {
	if len(r.Hops) == 0 {
		return nil
	}
	last := r.Hops[len(r.Hops)-1]
	l, ok := lookup(links, last.Link)
	if !ok {
		return nil
	}
	return instant(ticks, all[l].Domain, last.Depart, last.Cycles, all[l].Latency, tolerance)
}

// instant is the tick at which a number of cycles of a clock domain, the sum of
// some, are over; nil where a summand or the domain is not known.
func instant(ticks map[ir.ID]int64, domain ir.ID, cycles ...int64) *big.Int {
	tick, ok := ticks[domain]
	if !ok {
		return nil
	}
	sum := new(big.Int)
	for _, c := range cycles {
		if c == ir.None {
			return nil
		}
		sum.Add(sum, big.NewInt(c))
	}
	return sum.Mul(sum, big.NewInt(tick))
}

// heldBy tells, for each command without a time, by which command with one it is
// held up longest. Where commands wait for each other there is nothing to tell.
func (e *exporter) heldBy(w *writer) {
	if len(e.spatial().Slots) == 0 && len(e.spatial().Routes) == 0 {
		return
	}
	s := e.waits()
	_, order := e.commandOrder()
	if len(order) < len(s.chain) {
		return
	}
	commands, ends := e.program().Commands, e.completions()
	held := make([]int32, len(commands)) // by a command or the first of its meeting
	for i := range held {
		held[i] = -1
	}
	lead := func(i int32) int32 {
		if s.meet[i] >= 0 {
			return s.meet[i]
		}
		return i
	}
	learn := func(i, on int32) {
		if ends[on] == nil {
			on = held[lead(on)]
		}
		if l := lead(i); on >= 0 && (held[l] < 0 || ends[on].Cmp(ends[held[l]]) > 0) {
			held[l] = on
		}
	}
	for _, i := range order {
		if ends[i] != nil {
			continue
		}
		for _, wait := range s.of(i) {
			learn(i, wait.on)
		}
		if s.before[i] >= 0 {
			learn(i, s.before[i])
		}
	}
	for i := range int32(len(commands)) {
		if held[i] >= 0 {
			w.row(commands[i].At, commands[i].ID, commands[held[i]].ID)
		}
	}
}
