package ir

// This file writes the object "spatial" of a target extension, one entity a line.

func (w planWriter) spatialExtension(x *SpatialExtension) {
	w.object(
		listed(w, "clock_domains", worth(w, x.ClockDomains), x.ClockDomains, w.clockDomain),
		listed(w, "units", worth(w, x.Units), x.Units, w.unit),
		listed(w, "links", worth(w, x.Links), x.Links, w.link),
		listed(w, "slots", worth(w, x.Slots), x.Slots, w.slot),
		listed(w, "routes", worth(w, x.Routes), x.Routes, w.route),
		section{key: "flow", there: x.Flow != nil, tall: true, write: func() { w.flow(x.Flow) }},
	)
}

func (w planWriter) clockDomain(x *ClockDomain) {
	w.entity(func() {
		w.id("id", x.ID)
		w.number("frequency_hz", x.Frequency)
	})
}

func (w planWriter) unit(x *Unit) {
	w.entity(func() {
		w.id("id", x.ID)
		w.id("device", x.Device)
		w.id("clock_domain", x.Domain)
		w.unlike("width", x.Width, 1)
		w.optional("latency_cycles", x.Latency)
		if worth(w, x.Operations) {
			w.field("operations")
			row(w.writer, x.Operations, w.operation)
		}
	})
}

func (w planWriter) operation(x Operation) {
	w.entity(func() {
		w.field("op")
		w.text(x.Op)
		w.number("latency_cycles", x.Latency)
	})
}

func (w planWriter) link(x *Link) {
	w.entity(func() {
		w.id("id", x.ID)
		w.id("source_device", x.Source)
		w.id("destination_device", x.Destination)
		w.id("clock_domain", x.Domain)
		w.unlike("latency_cycles", x.Latency, 0)
	})
}

func (w planWriter) slot(x *Slot) {
	w.entity(func() {
		w.id("command", x.Command)
		w.id("unit", x.Unit)
		w.number("cycle", x.Cycle)
		w.number("slot", x.Slot)
	})
}

func (w planWriter) route(x *Route) {
	w.entity(func() {
		w.id("command", x.Command)
		w.id("source_device", x.Source)
		w.id("destination_device", x.Destination)
		w.field("hops")
		row(w.writer, x.Hops, w.hop)
	})
}

func (w planWriter) hop(x Hop) {
	w.entity(func() {
		w.id("link", x.Link)
		w.number("depart_cycle", x.Depart)
		w.number("cycles", x.Cycles)
	})
}

func (w planWriter) flow(x *Flow) {
	w.entity(func() {
		w.unlike("tolerance_cycles", x.Tolerance, 0)
		w.optionalText("backpressure", x.Backpressure)
		w.optional("timeout_cycles", x.Timeout)
		w.optionalText("failure", x.Failure)
		w.optionalText("abi_revision", x.ABIRevision)
	})
}
