package ir

// This file writes the entities of a plan, each on one line.

func (w planWriter) id(key string, id ID) {
	w.field(key)
	w.showID(id)
}

// showID writes the text of an id, and an empty one for what is no id.
func (w planWriter) showID(id ID) {
	text := ""
	if _, ok := w.dense(id); ok {
		text = w.plan.Text(id)
	}
	w.text(text)
}

// optionalID leaves NoID out.
func (w planWriter) optionalID(key string, id ID) {
	if id != NoID {
		w.id(key, id)
	}
}

func (w planWriter) number(key string, n int64) {
	w.field(key)
	w.integer(n)
}

// optional leaves None out.
func (w planWriter) optional(key string, n int64) {
	if n != None {
		w.number(key, n)
	}
}

func (w planWriter) optionalText(key, s string) {
	if s != "" {
		w.field(key)
		w.text(s)
	}
}

// numbers leaves an absent list out.
func (w planWriter) numbers(key string, list []int64, write func(int64)) {
	if list != nil {
		w.field(key)
		row(w.writer, list, write)
	}
}

// flag leaves false out.
func (w planWriter) flag(key string, on bool) {
	if on {
		w.field(key)
		w.boolean(on)
	}
}

func (w planWriter) options(o *Options) {
	w.entity(func() {
		w.flag("nonempty_stages", o.Nonempty)
		w.flag("forward", o.Forward)
	})
}

func (w planWriter) core(c *Core) {
	w.entity(func() {
		w.number("id", c.ID)
		if c.Row != None || c.Col != None {
			w.numbers("at", []int64{c.Row, c.Col}, w.integer)
		}
		w.optional("capacity_bytes", c.Capacity)
		w.optionalText("kind", c.Kind)
	})
}

func (w planWriter) input(in *Input) {
	w.entity(func() {
		w.id("id", in.ID)
		w.field("dynamic")
		w.boolean(in.Dynamic)
		w.optional("size_bytes", in.Size)
		w.optional("forward_cycles", in.ForwardCycles)
		w.field("consumers")
		row(w.writer, in.Consumers, w.showID)
	})
}

func (w planWriter) weight(x *Weight) {
	w.entity(func() {
		w.id("id", x.ID)
		w.number("size_bytes", x.Size)
	})
}

func (w planWriter) value(v *Value) {
	w.entity(func() {
		w.id("id", v.ID)
		w.id("from", v.From)
		w.optional("size_bytes", v.Size)
		w.optional("forward_cycles", v.ForwardCycles)
	})
}

func (w planWriter) op(o *Op) {
	w.entity(func() {
		w.id("id", o.ID)
		w.optionalText("kind", o.Kind)
		if !w.canonical || o.Lanes != 1 {
			w.number("lanes", o.Lanes)
		}
		w.number("work_cycles", o.Work)
		if worth(w, o.WorkOn) {
			w.field("work_on")
			row(w.writer, o.WorkOn, w.kindWork)
		}
		if worth(w, o.Weights) {
			w.field("weights")
			row(w.writer, o.Weights, w.showID)
		}
		w.optional("max_parts", o.MaxParts)
		w.optional("windows", o.Windows)
		w.optionalID("forwards", o.Forwards)
		w.optional("forward_cycles", o.ForwardCycles)
		w.lineage(o.Lineage)
	})
}

func (w planWriter) kindWork(k KindWork) {
	w.entity(func() {
		w.field("kind")
		w.text(k.Kind)
		w.number("cycles", k.Cycles)
	})
}

func (w planWriter) edge(e *Edge) {
	w.entity(func() {
		w.id("from", e.From)
		w.id("to", e.To)
		w.optionalID("value", e.Value)
		w.optional("size_bytes", e.Size)
	})
}

func (w planWriter) stage(s *Stage) {
	w.entity(func() {
		w.number("index", s.Index)
		if s.First != None || s.Count != None {
			w.field("cores")
			w.entity(func() {
				w.optional("first", s.First)
				w.optional("count", s.Count)
			})
		}
	})
}

func (w planWriter) instance(i *Instance) {
	lanes, cores := i.Lanes, i.Cores
	if w.canonical {
		lanes, cores = w.plainLanes(i)
	}
	w.entity(func() {
		w.id("op", i.Op)
		w.optional("stage", i.Stage)
		w.optional("part", i.Part)
		w.numbers("lanes", lanes, w.integer)
		w.numbers("cores", cores, w.hole)
	})
}

func (w planWriter) split(s *Split) {
	w.entity(func() {
		w.id("op", s.Op)
		w.number("parts", s.Parts)
	})
}

func (w planWriter) resident(r *Resident) {
	lanes := r.Lanes
	if w.canonical && countsUp(lanes, len(r.Cores)) {
		lanes = nil
	}
	w.entity(func() {
		w.id("weight", r.Weight)
		w.numbers("lanes", lanes, w.integer)
		w.field("cores")
		row(w.writer, r.Cores, w.integer)
		w.optional("part", r.Part)
		w.optional("parts", r.Parts)
	})
}

func (w planWriter) replica(r *Replica) {
	w.entity(func() {
		w.id("op", r.Op)
		w.number("index", r.Index)
		w.number("first", r.First)
		w.number("count", r.Count)
	})
}

func (w planWriter) transfer(t *Transfer) {
	w.entity(func() {
		w.id("id", t.ID)
		w.id("from", t.From)
		w.id("to", t.To)
		w.optional("stage", t.Stage)
		w.optional("from_stage", t.FromStage)
		w.optional("to_stage", t.ToStage)
	})
}

func (w planWriter) sync(s *Sync) {
	w.entity(func() {
		w.id("id", s.ID)
		w.id("op", s.Op)
		w.optional("stage", s.Stage)
	})
}
