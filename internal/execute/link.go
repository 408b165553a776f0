package execute

import (
	"fmt"
	"slices"

	"plancheck/ir/machine"
)

// linker makes steps of instructions: what each waits for becomes a gate that
// another one opens.
type linker struct {
	*run
	program  *machine.Program
	gates    map[gateKey]*gate
	messages map[messageKey]*[]byte
	meetings map[meetingKey]*meeting
	depth    map[string]int64
	ranks    map[string][]int64
	queues   map[string][]string
}

// gateKey names a gate: a token, a message that is sent or received, the arrival
// of a member or a queue, and its completion.
type gateKey struct {
	kind, id, who string
	round         int64
}

type messageKey struct {
	channel string
	round   int64
}

type meetingKey struct {
	group string
	round int64
}

// link makes the sections of a run: those that are entry points, each once.
func (r *run) link(p *machine.Program) error {
	l := &linker{
		run: r, program: p, gates: map[gateKey]*gate{}, messages: map[messageKey]*[]byte{}, meetings: map[meetingKey]*meeting{},
		depth: map[string]int64{}, ranks: map[string][]int64{}, queues: map[string][]string{},
	}
	for _, c := range p.Channels {
		l.depth[c.ID] = c.Depth
	}
	for _, g := range p.Groups {
		l.ranks[g.ID] = slices.Compact(slices.Sorted(slices.Values(g.Ranks)))
	}
	for _, b := range p.Barriers {
		l.queues[b.ID] = b.Queues
	}
	begun := map[string]bool{}
	for _, e := range p.Entries {
		i := slices.IndexFunc(p.Sections, func(s machine.Section) bool { return s.ID == e.Section })
		if i < 0 {
			return fmt.Errorf("entry point %s is section %s, which does not exist", e.Name, e.Section)
		}
		if begun[e.Section] {
			continue
		}
		begun[e.Section] = true
		s := &section{id: e.Section}
		r.sections = append(r.sections, s)
		for k := range p.Sections[i].Instructions {
			x := &p.Sections[i].Instructions[k]
			st, err := l.step(&p.Sections[i], x, &opener{len(r.sections) - 1, k, x})
			if err != nil {
				return &Error{x.ID, x.Command, err}
			}
			s.steps = append(s.steps, st)
		}
	}
	return nil
}

// gate returns the gate of a key, which what names in words.
func (l *linker) gate(k gateKey, what string) *gate {
	g := l.gates[k]
	if g == nil {
		g = &gate{open: make(chan struct{}), what: what}
		l.gates[k] = g
	}
	return g
}

// opened is a gate that a step opens; no other one may.
func (g *gate) opened(by *opener, early bool) (*gate, error) {
	if g.opener != nil {
		return nil, fmt.Errorf("%s is brought about by command %s too", g.what, g.opener.Command)
	}
	g.opener, g.early = by, early
	return g, nil
}

func (l *linker) step(s *machine.Section, x *machine.Instruction, at *opener) (st step, err error) {
	st.Instruction = x
	if x.Opcode.Dialect != machine.Dialect {
		return st, fmt.Errorf("opcode %s.%s is not known", x.Opcode.Dialect, x.Opcode.Name)
	}
	lacks := func(field string) error { return fmt.Errorf("a %s needs the field %s", x.Opcode.Name, field) }
	switch x.Opcode.Name {
	case machine.Wait:
		if x.Token == "" {
			return st, lacks("token")
		}
		st.gates = []*gate{l.token(x.Token)}
	case machine.Signal:
		if x.Token == "" {
			return st, lacks("token")
		}
		st.done, err = l.token(x.Token).opened(at, false)
	case machine.Send, machine.Recv:
		if x.Message == nil {
			return st, lacks("message")
		}
		if x.Opcode.Name == machine.Send {
			return st, l.send(&st, at)
		}
		return st, l.receive(&st, at)
	case machine.Arrive:
		if x.Arrival == nil {
			return st, lacks("arrival")
		}
		return st, l.arrive(&st, s.Queue, at)
	case machine.Copy:
		st.work, err = l.copies(x)
	case machine.Call:
		if x.Meeting != nil {
			return st, l.meet(&st, at)
		}
		st.work, err = l.function(x)
	default:
		return st, fmt.Errorf("opcode %s.%s is not known", x.Opcode.Dialect, x.Opcode.Name)
	}
	return st, err
}

func (l *linker) token(id string) *gate { return l.gate(gateKey{kind: "token", id: id}, "token "+id) }

// message returns the gates of a message: that it is sent, and that it is
// received.
func (l *linker) message(m machine.Message) (sent, received *gate) {
	name := fmt.Sprintf("message %d of channel %s", m.Round, m.Channel)
	return l.gate(gateKey{"sent", m.Channel, "", m.Round}, name),
		l.gate(gateKey{"received", m.Channel, "", m.Round}, "the receipt of "+name)
}

// slot is where a message lies until it is received.
func (l *linker) slot(m *machine.Message) *[]byte {
	k := messageKey{m.Channel, m.Round}
	if l.messages[k] == nil {
		l.messages[k] = new([]byte)
	}
	return l.messages[k]
}

// send puts a message in its channel when there is a place. With a depth of 0 it
// completes with its receive.
func (l *linker) send(st *step, at *opener) error {
	m, slot := *st.Message, l.slot(st.Message)
	put := func() error {
		*slot = nil
		for i := range st.Operands {
			*slot = append(*slot, l.memory.of(&st.Operands[i])...)
		}
		return nil
	}
	sent, received := l.message(m)
	depth, err := l.depthOf(m)
	if err != nil {
		return err
	}
	if depth == 0 {
		st.give, st.gates = put, []*gate{received}
		st.arrived, err = sent.opened(at, true)
		return err
	}
	if m.Round >= depth {
		_, place := l.message(machine.Message{Channel: m.Channel, Round: m.Round - depth})
		st.gates = []*gate{place}
	}
	st.work = put
	st.done, err = sent.opened(at, false)
	return err
}

// receive takes a message out of its channel.
func (l *linker) receive(st *step, at *opener) error {
	slot := l.slot(st.Message)
	sent, received := l.message(*st.Message)
	st.gates = []*gate{sent}
	st.work = func() error {
		rest := *slot
		for i := range st.Operands {
			into := l.memory.of(&st.Operands[i])
			if len(into) > len(rest) {
				return fmt.Errorf("it receives more bytes than the %d that are sent", len(*slot))
			}
			copy(into, rest)
			rest = rest[len(into):]
		}
		if len(rest) > 0 {
			return fmt.Errorf("it receives %d bytes less than are sent", len(rest))
		}
		return nil
	}
	depth, err := l.depthOf(*st.Message)
	if err != nil {
		return err
	}
	st.done, err = received.opened(at, depth == 0)
	return err
}

func (l *linker) depthOf(m machine.Message) (int64, error) {
	depth, known := l.depth[m.Channel]
	if !known || m.Round < 0 {
		return 0, fmt.Errorf("there is no message %d of channel %s", m.Round, m.Channel)
	}
	return depth, nil
}

// arrive waits until all queues of a barrier have arrived.
func (l *linker) arrive(st *step, queue string, at *opener) error {
	a := *st.Arrival
	arrival := func(queue string) *gate {
		return l.gate(gateKey{"arrival", a.Barrier, queue, a.Round}, fmt.Sprintf("arrival %d of queue %s at barrier %s", a.Round, queue, a.Barrier))
	}
	if !slices.Contains(l.queues[a.Barrier], queue) {
		return fmt.Errorf("barrier %s does not have queue %s", a.Barrier, queue)
	}
	for _, q := range l.queues[a.Barrier] {
		st.gates = append(st.gates, arrival(q))
	}
	var err error
	st.arrived, err = arrival(queue).opened(at, true)
	return err
}

// copies copies each operand that is read to the one that is written.
func (l *linker) copies(x *machine.Instruction) (func() error, error) {
	reads, writes := split(x)
	if len(reads) != len(writes) || len(reads) == 0 {
		return nil, fmt.Errorf("it copies %d operands to %d", len(reads), len(writes))
	}
	for i := range reads {
		if reads[i].Bytes != writes[i].Bytes {
			return nil, fmt.Errorf("it copies %d bytes to %d", reads[i].Bytes, writes[i].Bytes)
		}
	}
	return func() error {
		for i := range reads {
			copy(l.memory.of(writes[i]), l.memory.of(reads[i]))
		}
		return nil
	}, nil
}

// split returns the operands that are read and those that are written, without
// workspace.
func split(x *machine.Instruction) (reads, writes []*machine.Operand) {
	for i := range x.Operands {
		switch o := &x.Operands[i]; {
		case o.Workspace:
		case o.Access == machine.Read:
			reads = append(reads, o)
		default:
			writes = append(writes, o)
		}
	}
	return reads, writes
}
