package ir

func (w planWriter) engine(x *Engine) {
	w.entity(func() {
		w.id("id", x.ID)
		w.id("device", x.Device)
		if worth(w, x.Kinds) {
			w.field("kinds")
			row(w.writer, x.Kinds, w.text)
		}
	})
}

func (w planWriter) communicator(x *Communicator) {
	w.entity(func() {
		w.id("id", x.ID)
		w.id("group", x.Group)
		w.field("queues")
		row(w.writer, x.Queues, w.showID)
	})
}
