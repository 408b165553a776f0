package facts

import (
	"cmp"
	"slices"

	"plancheck/ir"
)

func (e *exporter) spatial() ir.SpatialExtension { return e.program().SpatialExtension() }

func (e *exporter) clockDomains(w *writer) {
	for _, d := range e.spatial().ClockDomains {
		w.row(d.At, d.ID, e.num(d.Frequency))
	}
}

func (e *exporter) units(w *writer) {
	for _, u := range e.spatial().Units {
		w.row(u.At, u.ID, u.Device, u.Domain, e.num(u.Width))
	}
}

func (e *exporter) unitLatencies(w *writer) {
	for _, u := range e.spatial().Units {
		if u.Latency != ir.None {
			w.row(u.At, u.ID, e.num(u.Latency))
		}
	}
}

func (e *exporter) unitOps(w *writer) {
	for _, u := range e.spatial().Units {
		for i, o := range u.Operations {
			w.entry = int64(i)
			w.row(u.At, u.ID, e.plan.Symbols.String(o.Op), e.num(o.Latency))
		}
	}
}

func (e *exporter) links(w *writer) {
	for _, l := range e.spatial().Links {
		w.row(l.At, l.ID, l.Source, l.Destination, l.Domain, e.num(l.Latency))
	}
}

func (e *exporter) issueSlots(w *writer) {
	slots := e.spatial().Slots
	w.grow(len(slots))
	count := map[ir.ID]int64{}
	for _, s := range slots {
		w.row(s.At, s.Command, e.num(count[s.Command]), s.Unit, e.num(s.Cycle), e.num(s.Slot))
		count[s.Command]++
	}
}

func (e *exporter) routes(w *writer) {
	count := map[ir.ID]int64{}
	for _, r := range e.spatial().Routes {
		w.row(r.At, r.Command, e.num(count[r.Command]), r.Source, r.Destination)
		count[r.Command]++
	}
}

func (e *exporter) routeHops(w *writer) {
	count := map[ir.ID]int64{}
	for _, r := range e.spatial().Routes {
		for i, h := range r.Hops {
			w.row(h.At, r.Command, e.num(count[r.Command]), e.num(int64(i)), h.Link, e.num(h.Depart), e.num(h.Cycles))
		}
		count[r.Command]++
	}
}

// linkTurns puts the hops over each link in the order in which they depart.
func (e *exporter) linkTurns(w *writer) {
	type turn struct{ route, hop, link int }
	x := e.spatial()
	links := e.positions(len(x.Links), func(i int) ir.ID { return x.Links[i].ID })
	routed := e.onlyRoutes()
	var turns []turn
	for i, r := range x.Routes {
		if _, only := routed[r.Command]; !only {
			continue
		}
		for j, h := range r.Hops {
			if l, ok := lookup(links, h.Link); ok {
				turns = append(turns, turn{i, j, l})
			}
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.link, b.link), cmp.Compare(x.Routes[a.route].Hops[a.hop].Depart, x.Routes[b.route].Hops[b.hop].Depart))
	})
	number := int64(0)
	for i, t := range turns {
		if i > 0 && turns[i-1].link != t.link {
			number = 0
		}
		r := &x.Routes[t.route]
		w.row(r.Hops[t.hop].At, x.Links[t.link].ID, e.num(number), r.Command, e.num(int64(t.hop)))
		number++
	}
}

// onlyRoutes returns the positions of the routes of commands that have one.
func (e *exporter) onlyRoutes() map[ir.ID]int {
	x := e.spatial()
	return onlyOnes(len(x.Routes), func(i int) ir.ID { return x.Routes[i].Command })
}

// onlyOnes returns, by what they are of, the positions of the entries of a list
// that are the only ones of their kind.
func onlyOnes(n int, of func(i int) ir.ID) map[ir.ID]int {
	only, seen := map[ir.ID]int{}, map[ir.ID]bool{}
	for i := range n {
		id := of(i)
		if seen[id] {
			delete(only, id)
			continue
		}
		only[id], seen[id] = i, true
	}
	return only
}

func (e *exporter) flows(w *writer) {
	if f := e.spatial().Flow; f != nil {
		w.row(f.At, e.num(f.Tolerance))
	}
}

func (e *exporter) flowBackpressures(w *writer) {
	if f := e.spatial().Flow; f != nil && f.Backpressure != "" {
		w.row(f.At, e.plan.Symbols.String(f.Backpressure))
	}
}
