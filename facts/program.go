package facts

import (
	"slices"

	"plancheck/ir"
)

// program returns the program of the plan, an empty one where there is none.
func (e *exporter) program() *ir.Program {
	if e.plan.Program == nil {
		return &ir.Program{}
	}
	return e.plan.Program
}

func (e *exporter) devices(w *writer) {
	for _, d := range e.program().Devices {
		w.row(d.At, d.ID)
	}
}

func (e *exporter) deviceRanks(w *writer) {
	for _, d := range e.program().Devices {
		if d.Rank != ir.None {
			w.row(d.At, d.ID, e.num(d.Rank))
		}
	}
}

func (e *exporter) queues(w *writer) {
	for _, q := range e.program().Queues {
		w.row(q.At, q.ID, q.Device)
	}
}

func (e *exporter) queueKinds(w *writer) {
	for _, q := range e.program().Queues {
		if q.Kind != "" {
			w.row(q.At, q.ID, e.plan.Symbols.String(q.Kind))
		}
	}
}

func (e *exporter) queueKindsTake(w *writer) {
	seen := map[string]bool{}
	for _, q := range e.program().Queues {
		if q.Kind == "" || seen[q.Kind] {
			continue
		}
		seen[q.Kind] = true
		for _, kind := range ir.QueueKinds()[q.Kind] {
			w.row(q.At, e.plan.Symbols.String(q.Kind), e.plan.Symbols.String(kind))
		}
	}
}

func (e *exporter) regions(w *writer) {
	for _, r := range e.program().Regions {
		w.row(r.At, r.ID, r.Device, e.num(r.Capacity), e.num(r.Reserved), e.num(r.Alignment))
	}
}

func (e *exporter) buffers(w *writer) {
	w.grow(len(e.program().Buffers))
	for _, b := range e.program().Buffers {
		w.row(b.At, b.ID, b.Region, e.num(b.Offset), e.num(b.Size))
	}
}

func (e *exporter) bufferAlignments(w *writer) {
	for _, b := range e.program().Buffers {
		if b.Alignment > 1 {
			w.row(b.At, b.ID, e.num(b.Alignment))
		}
	}
}

func (e *exporter) buffersInitialised(w *writer) {
	for _, b := range e.program().Buffers {
		if b.Initialised {
			w.row(b.At, b.ID)
		}
	}
}

func (e *exporter) buffersKept(w *writer) {
	for _, b := range e.program().Buffers {
		if b.Kept {
			w.row(b.At, b.ID)
		}
	}
}

func (e *exporter) buffersFreed(w *writer) {
	for _, b := range e.program().Buffers {
		if b.FreedBy != ir.NoID {
			w.row(b.At, b.ID, b.FreedBy)
		}
	}
}

func (e *exporter) tokens(w *writer) {
	for _, t := range e.program().Tokens {
		w.row(t.At, t.ID)
	}
}

func (e *exporter) tokensConsuming(w *writer) {
	for _, t := range e.program().Tokens {
		if t.Consuming {
			w.row(t.At, t.ID)
		}
	}
}

func (e *exporter) channels(w *writer) {
	for _, c := range e.program().Channels {
		w.row(c.At, c.ID, e.num(c.Depth))
	}
}

func (e *exporter) channelSlots(w *writer) {
	for _, c := range e.program().Channels {
		if c.Region != ir.NoID {
			w.row(c.At, c.ID, c.Region, e.num(c.Slot))
		}
	}
}

func (e *exporter) groupRanks(w *writer) {
	for _, g := range e.program().Groups {
		for i, rank := range g.Ranks {
			w.entry = int64(i)
			w.row(g.At, g.ID, e.num(rank))
		}
	}
}

func (e *exporter) groupFirsts(w *writer) {
	for _, g := range e.program().Groups {
		if len(g.Ranks) > 0 {
			w.row(g.At, g.ID, e.num(g.Ranks[0]))
		}
	}
}

func (e *exporter) barrierQueues(w *writer) {
	for _, b := range e.program().Barriers {
		for i, q := range b.Queues {
			w.entry = int64(i)
			w.row(b.At, b.ID, q)
		}
	}
}

func (e *exporter) barrierFirsts(w *writer) {
	for _, b := range e.program().Barriers {
		if len(b.Queues) > 0 {
			w.row(b.At, b.ID, b.Queues[0])
		}
	}
}

func (e *exporter) commands(w *writer) {
	w.grow(len(e.program().Commands))
	for i := range e.program().Commands {
		c := &e.program().Commands[i]
		w.row(c.At, c.ID, e.plan.Symbols.String(c.Kind))
	}
}

// commandIDs writes the commands that have an id in one of their fields.
func (e *exporter) commandIDs(w *writer, of func(*ir.Command) ir.ID) {
	for i := range e.program().Commands {
		c := &e.program().Commands[i]
		if id := of(c); id != ir.NoID {
			w.row(c.At, c.ID, id)
		}
	}
}

// commandLists writes the entries of a list in one of the commands' fields.
func (e *exporter) commandLists(w *writer, of func(*ir.Command) []ir.ID) {
	for i := range e.program().Commands {
		c := &e.program().Commands[i]
		for j, id := range of(c) {
			w.entry = int64(j)
			w.row(c.At, c.ID, id)
		}
	}
}

func (e *exporter) commandQueues(w *writer) {
	e.commandIDs(w, func(c *ir.Command) ir.ID { return c.Queue })
}

func (e *exporter) commandChannels(w *writer) {
	e.commandIDs(w, func(c *ir.Command) ir.ID { return c.Channel })
}

func (e *exporter) commandGroups(w *writer) {
	e.commandIDs(w, func(c *ir.Command) ir.ID { return c.Group })
}

func (e *exporter) commandBarriers(w *writer) {
	e.commandIDs(w, func(c *ir.Command) ir.ID { return c.Barrier })
}

func (e *exporter) commandImplementations(w *writer) {
	e.commandIDs(w, func(c *ir.Command) ir.ID { return c.Implementation })
}

func (e *exporter) commandAfters(w *writer) {
	e.commandLists(w, func(c *ir.Command) []ir.ID { return c.After })
}

func (e *exporter) commandReads(w *writer) {
	e.commandLists(w, func(c *ir.Command) []ir.ID { return c.Reads })
}

func (e *exporter) commandWrites(w *writer) {
	e.commandLists(w, func(c *ir.Command) []ir.ID { return c.Writes })
}

func (e *exporter) commandOps(w *writer) {
	for i := range e.program().Commands {
		if c := &e.program().Commands[i]; c.Op != "" {
			w.row(c.At, c.ID, e.plan.Symbols.String(c.Op))
		}
	}
}

func (e *exporter) commandBytes(w *writer) {
	for i := range e.program().Commands {
		if c := &e.program().Commands[i]; c.Bytes != ir.None {
			w.row(c.At, c.ID, e.num(c.Bytes))
		}
	}
}

func (e *exporter) commandStages(w *writer) {
	for i := range e.program().Commands {
		if c := &e.program().Commands[i]; c.Stage != ir.None {
			w.row(c.At, c.ID, e.num(c.Stage))
		}
	}
}

func (e *exporter) commandFunctions(w *writer) {
	for i := range e.program().Commands {
		if c := &e.program().Commands[i]; c.Op != "" {
			w.row(c.At, c.ID, e.plan.Symbols.String(c.Function()))
		}
	}
}

func (e *exporter) commandReductions(w *writer) {
	for i := range e.program().Commands {
		if c := &e.program().Commands[i]; c.Reduction != "" {
			w.row(c.At, c.ID, e.plan.Symbols.String(c.Reduction))
		}
	}
}

func (e *exporter) commandMicrobatches(w *writer) {
	for i := range e.program().Commands {
		if c := &e.program().Commands[i]; c.Microbatch != ir.None {
			w.row(c.At, c.ID, e.num(c.Microbatch))
		}
	}
}

func (e *exporter) dependenciesDeclared(w *writer) {
	if p := e.program(); p.Declared {
		w.row(p.At, e.plan.Symbols.Name("/declare"))
	}
}

func (e *exporter) commandsInPlace(w *writer) {
	for i := range e.program().Commands {
		c := &e.program().Commands[i]
		for j, p := range c.InPlace {
			w.entry = int64(j)
			w.row(c.At, c.ID, p.Read, p.Write)
		}
	}
}

func (e *exporter) commandAfterLater(w *writer) {
	index := e.waits().index
	for i := range e.program().Commands {
		c := &e.program().Commands[i]
		for j, id := range c.After {
			if before, ok := lookup(index, id); ok && before > i {
				w.entry = int64(j)
				w.row(c.At, c.ID, id)
			}
		}
	}
}

// tokenRows writes the entries of a list of tokens, counted for each token.
func (e *exporter) tokenRows(w *writer, of func(*ir.Command) []ir.ID) {
	index := e.tokenIndex()
	count := make([]int64, len(e.program().Tokens))
	for _, i := range e.issued() {
		c := &e.program().Commands[i]
		for j, token := range of(c) {
			if t, ok := lookup(index, token); ok {
				w.entry = int64(j)
				w.row(c.At, c.ID, token, e.num(count[t]))
				count[t]++
			}
		}
	}
}

// tokenIndex maps the ids of tokens to their positions.
func (e *exporter) tokenIndex() []int32 {
	if e.tokenAt == nil {
		tokens := e.program().Tokens
		e.tokenAt = e.positions(len(tokens), func(i int) ir.ID { return tokens[i].ID })
	}
	return e.tokenAt
}

func (e *exporter) commandWaits(w *writer) {
	e.tokenRows(w, func(c *ir.Command) []ir.ID { return c.Waits })
}

func (e *exporter) commandSignals(w *writer) {
	e.tokenRows(w, func(c *ir.Command) []ir.ID { return c.Signals })
}

func (e *exporter) queuePlaces(w *writer) {
	s := e.waits()
	for i, place := range s.place {
		if c := &e.program().Commands[i]; s.ordered(i) {
			w.row(c.At, c.ID, c.Queue, e.num(int64(place)))
		}
	}
}

func (e *exporter) queueNexts(w *writer) {
	s := e.waits()
	for i, before := range s.before {
		if c := &e.program().Commands[i]; before >= 0 {
			w.row(c.At, e.program().Commands[before].ID, c.ID)
		}
	}
}

// messages writes the commands of a kind by their channels.
func (e *exporter) messages(w *writer, kind string) {
	count := map[ir.ID]int64{}
	for _, i := range e.issued() {
		if c := &e.program().Commands[i]; c.Kind == kind && c.Channel != ir.NoID {
			w.row(c.At, c.Channel, e.num(count[c.Channel]), c.ID)
			count[c.Channel]++
		}
	}
}

func (e *exporter) channelSends(w *writer) { e.messages(w, ir.KindSend) }

func (e *exporter) channelRecvs(w *writer) { e.messages(w, ir.KindRecv) }

func (e *exporter) collectiveEntries(w *writer) {
	type key struct {
		group ir.ID
		rank  int64
	}
	count := map[key]int64{}
	for _, i := range e.issued() {
		c := &e.program().Commands[i]
		rank, ok := e.rankOf(c)
		if c.Kind != ir.KindCollective || c.Group == ir.NoID || !ok {
			continue
		}
		k := key{c.Group, rank}
		w.row(c.At, c.Group, e.num(rank), e.num(count[k]), c.ID)
		count[k]++
	}
}

// rankOf returns the rank of the device that a command is on.
func (e *exporter) rankOf(c *ir.Command) (int64, bool) {
	if e.queueRanks == nil {
		e.queueRanks = map[ir.ID]int64{}
		p := e.program()
		for _, q := range p.Queues {
			if d := slices.IndexFunc(p.Devices, func(d ir.Device) bool { return d.ID == q.Device }); d >= 0 && p.Devices[d].Rank != ir.None {
				e.queueRanks[q.ID] = p.Devices[d].Rank
			}
		}
	}
	rank, ok := e.queueRanks[c.Queue]
	return rank, ok
}

func (e *exporter) barrierEntries(w *writer) {
	type key struct{ barrier, queue ir.ID }
	count := map[key]int64{}
	for _, i := range e.issued() {
		c := &e.program().Commands[i]
		if c.Kind != ir.KindBarrier || c.Barrier == ir.NoID || c.Queue == ir.NoID {
			continue
		}
		k := key{c.Barrier, c.Queue}
		w.row(c.At, c.Barrier, c.Queue, e.num(count[k]), c.ID)
		count[k]++
	}
}
