package ir

// This file writes the target extension of a program, one entity a line.

func (w planWriter) extension(x *Extension) {
	w.object(
		section{key: "queue", there: x.Queue != nil, tall: true, write: func() { w.queueExtension(x.Queue) }},
		section{key: "spatial", there: x.Spatial != nil, tall: true, write: func() { w.spatialExtension(x.Spatial) }},
	)
}

func (w planWriter) queueExtension(x *QueueExtension) {
	w.object(listed(w, "orders", worth(w, x.Orders), x.Orders, w.issueOrder))
}

func (w planWriter) issueOrder(o *IssueOrder) {
	w.entity(func() {
		w.id("queue", o.Queue)
		w.field("commands")
		row(w.writer, o.Commands, w.showID)
	})
}

func (w planWriter) spatialExtension(x *SpatialExtension) {
	w.object(listed(w, "clock_domains", worth(w, x.ClockDomains), x.ClockDomains, w.clockDomain))
}

func (w planWriter) clockDomain(x *ClockDomain) {
	w.entity(func() {
		w.id("id", x.ID)
		w.number("frequency_hz", x.Frequency)
	})
}
