package facts

import "plancheck/ir"

// issued returns all commands in the order in which they are issued and counted:
// that of the list of commands, but that the commands of a queue with a sound
// issue order change places among themselves to be in this order. A queue whose
// orders are not sound keeps the order of the list, so that nothing else follows
// from what rules find wrong with them.
func (e *exporter) issued() []int32 {
	if e.issue != nil {
		return e.issue
	}
	p := e.program()
	e.issue = make([]int32, len(p.Commands))
	for i := range e.issue {
		e.issue[i] = int32(i)
	}
	orders := p.QueueExtension().Orders
	if len(orders) == 0 {
		return e.issue
	}
	ordered := map[ir.ID]bool{}
	for _, q := range p.Queues {
		ordered[q.ID] = !q.Unordered
	}
	slots, times := map[ir.ID][]int32{}, map[ir.ID]int{}
	for i := range p.Commands {
		slots[p.Commands[i].Queue] = append(slots[p.Commands[i].Queue], int32(i))
	}
	for _, o := range orders {
		times[o.Queue]++
	}
	index := e.positions(len(p.Commands), func(i int) ir.ID { return p.Commands[i].ID })
	listed := make([]bool, len(p.Commands)) // in an order of its own queue
	for n, o := range orders {
		own := slots[o.Queue]
		if !ordered[o.Queue] || times[o.Queue] > 1 || len(o.Commands) != len(own) {
			continue
		}
		list := make([]int32, 0, len(own))
		for _, id := range o.Commands {
			if i, ok := lookup(index, id); ok && p.Commands[i].Queue == o.Queue && !listed[i] {
				listed[i] = true
				list = append(list, int32(i))
			}
		}
		if len(list) < len(own) {
			continue
		}
		for k, slot := range own {
			e.issue[slot] = list[k]
		}
		e.followed = append(e.followed, n)
	}
	return e.issue
}

func (e *exporter) ordersFollowed(w *writer) {
	e.issued()
	for _, i := range e.followed {
		o := &e.program().QueueExtension().Orders[i]
		w.row(o.At, e.num(int64(i)), o.Queue)
	}
}

func (e *exporter) queuesUnordered(w *writer) {
	for _, q := range e.program().Queues {
		if q.Unordered {
			w.row(q.At, q.ID)
		}
	}
}

func (e *exporter) queueEngines(w *writer) {
	for _, q := range e.program().Queues {
		if q.Engine != ir.NoID {
			w.row(q.At, q.ID, q.Engine)
		}
	}
}

func (e *exporter) targetExtensions(w *writer) {
	x := e.program().Extension
	if x == nil {
		return
	}
	if x.Queue != nil {
		w.row(x.Queue.At, e.plan.Symbols.String(ir.FamilyQueue))
	}
	if x.Spatial != nil {
		w.row(x.Spatial.At, e.plan.Symbols.String(ir.FamilySpatial))
	}
}

func (e *exporter) issueOrders(w *writer) {
	for i, o := range e.program().QueueExtension().Orders {
		w.row(o.At, e.num(int64(i)), o.Queue)
	}
}

// issueEntries writes the entries of issue orders: the first of a command in an
// order, or the others.
func (e *exporter) issueEntries(w *writer, repeated bool) {
	orders := e.program().QueueExtension().Orders
	if len(orders) == 0 {
		return
	}
	last := make([]int32, e.plan.Symbols.Len()) // by id: 1 + the order that listed it last
	for i, o := range orders {
		for place, id := range o.Commands {
			n, ok := id.Index()
			if !ok {
				continue
			}
			again := last[n] == int32(i)+1
			last[n] = int32(i) + 1
			if again == repeated {
				w.entry = int64(place)
				w.row(o.At, e.num(int64(i)), e.num(int64(place)), id)
			}
		}
	}
}

func (e *exporter) issueOrderCommands(w *writer) { e.issueEntries(w, false) }

func (e *exporter) issueOrderRepeats(w *writer) { e.issueEntries(w, true) }

func (e *exporter) engines(w *writer) {
	for _, x := range e.program().QueueExtension().Engines {
		w.row(x.At, x.ID, x.Device)
	}
}

func (e *exporter) engineKinds(w *writer) {
	for _, x := range e.program().QueueExtension().Engines {
		for i, kind := range x.Kinds {
			w.entry = int64(i)
			w.row(x.At, x.ID, e.plan.Symbols.String(kind))
		}
	}
}

func (e *exporter) engineTakes(w *writer) {
	for _, x := range e.program().QueueExtension().Engines {
		for i, kind := range x.Kinds {
			for _, command := range ir.QueueKinds()[kind] {
				w.entry = int64(i)
				w.row(x.At, x.ID, e.plan.Symbols.String(command))
			}
		}
	}
}

func (e *exporter) communicators(w *writer) {
	for _, x := range e.program().QueueExtension().Communicators {
		w.row(x.At, x.ID, x.Group)
	}
}

func (e *exporter) communicatorQueues(w *writer) {
	for _, x := range e.program().QueueExtension().Communicators {
		for i, q := range x.Queues {
			w.entry = int64(i)
			w.row(x.At, x.ID, q)
		}
	}
}
