package ir

import "pgregory.net/rapid"

// spatialExtension draws the spatial extension of a program with these devices
// and commands.
func (r random) spatialExtension(devices, commands []ID) *SpatialExtension {
	x := &SpatialExtension{}
	domains, units, links := r.ids("domain", 2), r.ids("unit", 2), r.ids("link", 2)
	either := func(name string, of, or []ID) ID {
		return rapid.SampledFrom(append(append([]ID{}, of...), or...)).Draw(r.T, name)
	}
	strange := []ID{r.symbols.String("strange")} // clock domains and links need not exist
	x.ClockDomains = each(r, "clock domains", domains, func(_ int, id ID) ClockDomain {
		return ClockDomain{ID: id, Frequency: r.number("frequency", 1)}
	})
	if len(devices) == 0 {
		units, links = nil, nil
	}
	x.Units = each(r, "units", units, func(i int, id ID) Unit {
		u := Unit{ID: id, Device: devices[i%len(devices)], Domain: either("domain", domains, strange), Width: r.number("width", 1), Latency: r.optional("latency", 1)}
		u.Operations = some(r, "operations", []string{"op"}, func(i int, op string) Operation {
			return Operation{Op: op + string(rune('a'+i)) + r.text("op"), Latency: r.number("latency", 1)}
		})
		return u
	})
	units = units[:len(x.Units)]
	x.Links = each(r, "links", links, func(i int, id ID) Link {
		return Link{ID: id, Source: devices[i%len(devices)], Destination: devices[0], Domain: either("domain", domains, strange), Latency: r.number("latency", 0)}
	})
	links = links[:len(x.Links)]
	if len(units) > 0 {
		x.Slots = some(r, "slots", commands, func(i int, id ID) Slot {
			return Slot{Command: id, Unit: units[i%len(units)], Cycle: r.number("cycle", 0), Slot: r.number("slot", 0)}
		})
	}
	if len(devices) > 0 {
		x.Routes = some(r, "routes", commands, func(i int, id ID) Route {
			route := Route{Command: id, Source: devices[i%len(devices)], Destination: devices[0], Hops: []Hop{}}
			for range r.int("hops", 0, 2) {
				route.Hops = append(route.Hops, Hop{Link: either("link", links, strange), Depart: r.number("depart", 0), Cycles: r.number("cycles", 1)})
			}
			return route
		})
	}
	if r.coin("flow") {
		x.Flow = &Flow{Tolerance: r.number("tolerance", 0), Backpressure: rapid.SampledFrom(append(backpressures(), "")).Draw(r.T, "backpressure"),
			Timeout: r.optional("timeout", 1), Failure: rapid.SampledFrom(append(failures(), "")).Draw(r.T, "failure"), ABIRevision: r.text("revision")}
	}
	return x
}
