package programtest

import (
	"plancheck/internal/diag"
	"plancheck/ir"
)

// step goes one step of the execution.
func (m *maker) step() {
	any := func(int) bool { return true }
	switch k := m.IntN(100); {
	case k < 42:
		m.work(ir.KindLaunch, pick(m, m.takes(ir.KindLaunch, any)))
	case k < 50:
		m.work(ir.KindHostCall, pick(m, m.takes(ir.KindHostCall, any)))
	case k < 62:
		m.work(ir.KindTransfer, pick(m, m.takes(ir.KindTransfer, any)))
	case k < 76:
		from, to := m.IntN(len(m.queues)), m.IntN(len(m.queues))
		if len(m.p.Channels) > 0 && m.chance(70) {
			from, to = m.ends(m.IntN(len(m.p.Channels)))
		}
		m.send(from, to, 1)
	case k < 84:
		if keys := m.pending(); len(keys) > 0 {
			m.receive(pick(m, keys), 1)
		}
	case k < 90:
		if len(m.p.Barriers) > 0 {
			m.barrier(m.first(pick(m, m.p.Barriers).Queues[0]))
		}
	default:
		m.collective()
	}
}

// ends are the queues of a channel.
func (m *maker) ends(channel int) (from, to int) {
	for from := range m.queues {
		for to := range m.queues {
			if l := m.links[[2]int{from, to}]; l != nil && l.channel != nil && l.channel.index == channel {
				return from, to
			}
		}
	}
	panic("a channel is one of a link")
}

// first is the number of a queue.
func (m *maker) first(queue ir.ID) int {
	for q := range m.p.Queues {
		if m.p.Queues[q].ID == queue {
			return q
		}
	}
	panic("a barrier has queues of the program")
}

// work does something on its own.
func (m *maker) work(kind string, q int) {
	c := m.command(kind, kind)
	if m.chance(50) {
		c.Op = "kernel"
	}
	u := m.onQueue(q, m.IntN(3), m.IntN(3))
	if kind == ir.KindTransfer { // reaches other devices
		u.from, u.to = m.IntN(len(m.p.Devices)), m.IntN(len(m.p.Devices))
	}
	direct, use := m.access(&c, q, u)
	use(m.do([]ir.Command{c}, []int{q}, direct...)[0])
}

// list lists the commands in an order that keeps that of each queue, and each
// behind what it depends on; mostly not that of the execution.
func (m *maker) list() {
	for _, c := range m.commands {
		if c.Kind == ir.KindLaunch { // so that nobody expects all others to have a stage
			c.Stage = ir.None
			break
		}
	}
	asExecuted := m.chance(30)
	listed := map[ir.ID]bool{}
	for len(m.p.Commands) < len(m.commands) {
		var ready []*made
		waiting := map[int]bool{} // queues of which a command is not listed yet
		for _, c := range m.commands {
			if listed[c.ID] {
				continue
			}
			ok := !m.ordered(c.queue) || !waiting[c.queue]
			waiting[c.queue] = true
			for _, a := range c.After {
				ok = ok && listed[a]
			}
			if ok {
				ready = append(ready, c)
			}
		}
		c := ready[0]
		if !asExecuted {
			c = pick(m, ready)
		}
		listed[c.ID] = true
		m.p.Commands = append(m.p.Commands, c.Command)
	}
}

// decode writes a plan and reads it.
func decode(p *ir.Plan) (*ir.Plan, []diag.Diagnostic) {
	return ir.DecodePlan(diag.NewSource("plan.json", ir.Encode(p)))
}
