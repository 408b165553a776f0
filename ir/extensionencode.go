package ir

// This file writes the target extension of a program, one entity a line.

func (w planWriter) extension(x *Extension) {
	w.object(
		section{key: "queue", there: x.Queue != nil, tall: true, write: func() { w.queueExtension(x.Queue) }},
		section{key: "spatial", there: x.Spatial != nil, tall: true, write: func() { w.spatialExtension(x.Spatial) }},
	)
}

func (w planWriter) queueExtension(x *QueueExtension) {
	w.object(
		listed(w, "orders", worth(w, x.Orders), x.Orders, w.issueOrder),
		listed(w, "engines", worth(w, x.Engines), x.Engines, w.engine),
		listed(w, "communicators", worth(w, x.Communicators), x.Communicators, w.communicator),
	)
}

func (w planWriter) issueOrder(o *IssueOrder) {
	w.entity(func() {
		w.id("queue", o.Queue)
		w.field("commands")
		row(w.writer, o.Commands, w.showID)
	})
}
