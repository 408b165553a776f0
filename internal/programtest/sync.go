package programtest

import (
	"slices"

	"plancheck/ir"
)

// orders makes sure that commands have completed when the next command of a queue
// begins, which is c: by what it does to c, or by more commands before it. It
// returns those that c itself waits for.
func (m *maker) orders(c *ir.Command, q int, needs []int) (direct []int) {
	slices.Sort(needs)
	slices.Reverse(needs) // the last ones know the most
	for _, n := range slices.Compact(needs) {
		known := m.ordered(q) && m.queues[q].known.has(n)
		for _, d := range direct {
			known = known || m.after(d).has(n)
		}
		if known && !m.chance(5) {
			continue
		}
		if m.ordered(q) && m.ordered(m.commands[n].queue) && m.commands[n].queue != q && m.talk(m.commands[n].queue, q) {
			continue
		}
		direct = append(direct, n)
		before := &m.commands[n].Command
		if m.chance(50) {
			c.After = append(c.After, before.ID)
			continue
		}
		if len(before.Signals) == 0 || m.chance(30) || m.consuming(before.Signals[0]) {
			t := ir.Token{ID: m.id("event")}
			m.p.Tokens = append(m.p.Tokens, t)
			before.Signals = append(before.Signals, t.ID)
			c.Waits = append(c.Waits, t.ID)
			continue
		}
		if !slices.Contains(c.Waits, before.Signals[0]) {
			c.Waits = append(c.Waits, before.Signals[0])
		}
	}
	return direct
}

func (m *maker) consuming(token ir.ID) bool {
	return slices.Contains(m.p.Tokens, ir.Token{ID: token, Consuming: true})
}

// talk lets an ordered queue know what another one has completed, by commands of
// their own; false where it is left to the commands that need it.
func (m *maker) talk(from, to int) bool {
	how := m.IntN(7)
	if m.link(from, to).token != ir.NoID && m.chance(40) {
		how = 3
	}
	switch how {
	case 0:
		return m.barrier(from, to)
	case 1:
		return m.collective(from, to)
	case 2:
		if l := m.channel(from, to); l == nil || len(l.channel.flying) > 0 || !m.send(from, to, 0) {
			return false
		}
		if len(m.links[[2]int{from, to}].channel.flying) > 0 {
			m.receive([2]int{from, to}, 0)
		}
		return true
	case 3: // a token that waits use up
		l := m.link(from, to)
		if l.token == ir.NoID {
			l.token = m.id("semaphore")
			m.p.Tokens = append(m.p.Tokens, ir.Token{ID: l.token, Consuming: true})
		}
		m.signal(l.token, from, to)
		return true
	case 4:
		t := ir.Token{ID: m.id("event")}
		m.p.Tokens = append(m.p.Tokens, t)
		m.signal(t.ID, from, to)
		return true
	}
	return false
}

// signal has one queue signal a token and another one wait for it.
func (m *maker) signal(token ir.ID, from, to int) {
	s := m.command(ir.KindSignal, "signal")
	s.Signals = []ir.ID{token}
	n := m.do([]ir.Command{s}, []int{from})
	w := m.command(ir.KindWait, "wait")
	w.Waits = []ir.ID{token}
	m.do([]ir.Command{w}, []int{to}, n...)
}

func (m *maker) link(from, to int) *link {
	key := [2]int{from, to}
	if m.links[key] == nil {
		m.links[key] = &link{}
	}
	return m.links[key]
}

// barrier lets the queues of a barrier meet, of one that has the given ones.
func (m *maker) barrier(queues ...int) bool {
	for _, b := range m.p.Barriers {
		if slices.ContainsFunc(queues, func(q int) bool { return !slices.Contains(b.Queues, m.p.Queues[q].ID) }) {
			continue
		}
		var commands []ir.Command
		var on []int
		for q := range m.p.Queues {
			if slices.Contains(b.Queues, m.p.Queues[q].ID) {
				c := m.command(ir.KindBarrier, "arrive")
				c.Barrier = b.ID
				commands, on = append(commands, c), append(on, q)
			}
		}
		m.do(commands, on)
		return true
	}
	return false
}

// home is the queue on which a rank does the collectives of a group, -1 where it
// has none. Where a rank did them on several queues, their numbers would not be
// those of the execution.
func (m *maker) home(group int, rank int64) int {
	all := m.takes(ir.KindCollective, func(q int) bool {
		return m.ordered(q) && m.p.Devices[m.queues[q].device].Rank == rank
	})
	return all[group%len(all)]
}

// collective lets the ranks of a group meet, of one that does so on the given
// queues.
func (m *maker) collective(queues ...int) bool {
	for _, g := range m.Perm(len(m.p.Groups)) {
		var on []int
		for _, rank := range m.p.Groups[g].Ranks {
			on = append(on, m.home(g, rank))
		}
		if slices.ContainsFunc(queues, func(q int) bool { return !slices.Contains(on, q) }) {
			continue
		}
		op := pick(m, []string{"all_reduce", "all_gather", "reduce_scatter"})
		bytes := int64(1+m.IntN(64)) * 16
		commands := make([]ir.Command, len(on))
		var direct []int
		var used []func(n int)
		for k, q := range on {
			c := m.command(ir.KindCollective, op)
			c.Group, c.Op = m.p.Groups[g].ID, op
			if m.chance(80) {
				c.Bytes = bytes
			}
			if len(queues) == 0 { // one of its own, not for order
				more, use := m.access(&c, q, m.onQueue(q, m.IntN(2), m.IntN(2)))
				direct = append(direct, more...)
				used = append(used, use)
			}
			commands[k] = c
		}
		numbers := m.do(commands, on, direct...)
		for k, use := range used {
			use(numbers[k])
		}
		return true
	}
	return false
}

// channel returns the link between two ordered queues, with a channel; nil where
// messages cannot be on them.
func (m *maker) channel(from, to int) *link {
	if !slices.Contains(m.takes(ir.KindSend, m.ordered), from) || !slices.Contains(m.takes(ir.KindRecv, m.ordered), to) || from == to {
		return nil
	}
	l := m.link(from, to)
	if l.channel == nil {
		c := ir.Channel{ID: m.id("channel"), Depth: int64(m.IntN(3)), Slot: ir.None}
		if m.chance(40) {
			r := m.IntN(len(m.p.Regions))
			c.Region, c.Slot = m.p.Regions[r].ID, int64(m.IntN(65))
		}
		l.channel = &channel{index: len(m.p.Channels)}
		m.p.Channels = append(m.p.Channels, c)
	}
	return l
}

// send sends a message, if there is a place in the channel; with a depth of 0 it
// receives it too. Each end uses up to as many buffers.
func (m *maker) send(from, to, buffers int) bool {
	l := m.channel(from, to)
	if l == nil {
		return false
	}
	x := m.p.Channels[l.channel.index]
	if x.Depth > 0 && int64(len(l.channel.flying)) >= x.Depth {
		return false
	}
	s := m.command(ir.KindSend, "send")
	s.Channel = x.ID
	if m.chance(70) {
		s.Bytes = int64(m.IntN(65))
	}
	direct, use := m.access(&s, from, m.onQueue(from, m.IntN(1+buffers), 0))
	if x.Depth == 0 {
		r, more, used := m.recv(s, to, buffers)
		both := m.do([]ir.Command{s, r}, []int{from, to}, append(direct, more...)...)
		use(both[0])
		used(both[1])
		return true
	}
	sent := len(l.channel.flying) + len(l.channel.delivered)
	if behind := sent - int(x.Depth); behind >= 0 {
		direct = append(direct, l.channel.delivered[behind])
	}
	n := m.do([]ir.Command{s}, []int{from}, direct...)
	use(n[0])
	l.channel.flying = append(l.channel.flying, n[0])
	return true
}

// recv makes the receive of a send. What it writes is new: nothing that the send
// reads in the same moment.
func (m *maker) recv(s ir.Command, to, buffers int) (r ir.Command, direct []int, use func(int)) {
	r = m.command(ir.KindRecv, "recv")
	r.Channel, r.Bytes, r.Microbatch = s.Channel, s.Bytes, s.Microbatch
	if m.chance(20) {
		r.Bytes = ir.None
	}
	u := m.onQueue(to, 0, m.IntN(1+buffers))
	u.fresh = true
	direct, use = m.access(&r, to, u)
	return r, direct, use
}

// receive takes the oldest message of a channel that has one.
func (m *maker) receive(key [2]int, buffers int) {
	l := m.links[key]
	s := l.channel.flying[0]
	r, direct, use := m.recv(m.commands[s].Command, key[1], buffers)
	n := m.do([]ir.Command{r}, []int{key[1]}, append(direct, s)...)
	use(n[0])
	l.channel.flying = l.channel.flying[1:]
	l.channel.delivered = append(l.channel.delivered, n[0])
}

// pending are the links with a message on its way, in order.
func (m *maker) pending() (keys [][2]int) {
	for from := range m.queues {
		for to := range m.queues {
			if l := m.links[[2]int{from, to}]; l != nil && l.channel != nil && len(l.channel.flying) > 0 {
				keys = append(keys, [2]int{from, to})
			}
		}
	}
	return keys
}
