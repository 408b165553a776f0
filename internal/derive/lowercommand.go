package derive

import (
	"fmt"

	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/machine"
)

// command issues what a command becomes: its waits, what it does, its signals.
func (l *lowering) command(i int) error {
	c := &l.in.Commands[i]
	e := &emission{lowering: l, command: l.plan.Text(c.ID), section: &l.out.Sections[l.section[i]]}
	for _, t := range c.Waits {
		e.instruction(machine.Wait, l.token(t, l.waits)).Lineage = e.lowered()
	}
	for _, before := range c.After {
		if l.needsToken(i, l.place[before]) {
			e.instruction(machine.Wait, l.after(before)).Lineage = e.generated(l.plan.Text(before))
		}
	}
	if err := l.body(c, e); err != nil {
		return err
	}
	for _, t := range c.Signals {
		e.instruction(machine.Signal, l.token(t, l.signals)).Lineage = e.lowered()
	}
	if l.handed[c.ID] {
		e.instruction(machine.Signal, l.after(c.ID)).Lineage = e.generated()
	}
	return nil
}

// emission issues the instructions of one command.
type emission struct {
	*lowering
	command string
	section *machine.Section
}

// instruction adds an instruction; token is empty for those without one.
func (e *emission) instruction(opcode, token string) *machine.Instruction {
	parts := []string{e.command, opcode}
	if token != "" {
		parts = append(parts, token)
	}
	e.section.Instructions = append(e.section.Instructions, machine.Instruction{
		ID: level.ID("instruction", parts...), Opcode: machine.Opcode{Dialect: machine.Dialect, Name: opcode},
		Token: token, Command: e.command,
	})
	return &e.section.Instructions[len(e.section.Instructions)-1]
}

func (e *emission) lowered() *level.Lineage {
	return &level.Lineage{Kind: level.Lowered, Transform: lowerTransform, Sources: []string{e.command}}
}

// generated is the lineage of what the plan says by a dependency.
func (e *emission) generated(others ...string) *level.Lineage {
	return &level.Lineage{Kind: level.Generated, Transform: lowerTransform, Sources: append(others, e.command),
		Reason: "a dependency on a command of another queue"}
}

// body issues what a command does, besides waiting and signalling.
func (l *lowering) body(c *ir.Command, e *emission) error {
	opcodes := map[string]string{
		ir.KindLaunch: machine.Call, ir.KindHostCall: machine.Call, ir.KindCollective: machine.Call,
		ir.KindTransfer: machine.Copy, ir.KindSend: machine.Send, ir.KindRecv: machine.Recv, ir.KindBarrier: machine.Arrive,
	}
	opcode, does := opcodes[c.Kind]
	if !does { // a signal or a wait
		return nil
	}
	x := e.instruction(opcode, "")
	x.Lineage = e.lowered()
	task := l.above.taskOf(l, c)
	if opcode == machine.Call {
		if x.Function = l.plannedOp(c, task); x.Function == "" {
			return fmt.Errorf("it does not say what it does")
		}
		if c.Op != "" && x.Function != c.Function() {
			return fmt.Errorf("it does %s, but task %s, whose result it writes, does %s", c.Function(), task.ID, x.Function)
		}
	}
	var err error
	if x.Operands, err = l.operands(c, task); err != nil {
		return err
	}
	text := l.plan.Text
	switch c.Kind {
	case ir.KindSend:
		x.Message = &machine.Message{Channel: text(c.Channel), Round: next(l.sends, c.Channel)}
	case ir.KindRecv:
		x.Message = &machine.Message{Channel: text(c.Channel), Round: next(l.receives, c.Channel)}
	case ir.KindBarrier:
		x.Arrival = &machine.Arrival{Barrier: text(c.Barrier), Round: next(l.arrivals, [2]ir.ID{c.Barrier, c.Queue})}
	case ir.KindCollective:
		device := l.devices[l.queues[c.Queue].Device]
		if device == nil || device.Rank == ir.None {
			return fmt.Errorf("its device has no rank")
		}
		x.Meeting = &machine.Meeting{Group: text(c.Group), Rank: device.Rank, Round: next(l.meetings, member{c.Group, device.Rank})}
		if x.Meeting.Reduction = c.Reduction; c.Reduction == "" && task != nil {
			x.Meeting.Reduction = task.Reduce
		}
	}
	for _, need := range []struct {
		of   string
		what ir.ID
		name string
	}{
		{ir.KindSend, c.Channel, "channel"}, {ir.KindRecv, c.Channel, "channel"},
		{ir.KindBarrier, c.Barrier, "barrier"}, {ir.KindCollective, c.Group, "group"},
	} {
		if need.of == c.Kind && need.what == ir.NoID {
			return fmt.Errorf("it has no %s", need.name)
		}
	}
	return nil
}

// next counts: from 0 on.
func next[K comparable](count map[K]int64, of K) int64 {
	n := count[of]
	count[of]++
	return n
}
