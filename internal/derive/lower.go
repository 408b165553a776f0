package derive

import (
	"fmt"
	"slices"
	"strconv"

	"plancheck/facts"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/machine"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// lowerRevision is what a lowered program says that made it.
const lowerRevision = "plancheck.lower/1"

// The words of a program that is lowered for no target.
const (
	lowerTransform = "lower"
	programFormat  = "plancheck.machine-json/1"
	virtualPlugin  = "virtual"
	virtualABI     = "virtual/1"
)

// Lowering is what a plan is lowered with, besides itself. All of it may be nil.
type Lowering struct {
	// Portable is the plan that the plan was made from. Buffers of the two that
	// have one id are the same: they give operands their shapes and types, and the
	// task that writes a buffer gives calls what they do.
	Portable *portable.Plan
	// Tasks is the document that Portable was made from: it says which shard of
	// which value of the model a buffer is. It gives the program its ports.
	Tasks *task.Distributed
	// Target has the ABI that the program is for.
	Target *evidence.Target
}

// Lower turns the commands of a plan into what its queues issue. It decides
// nothing: commands keep the order of their queue, and what they wait for in
// other queues they wait for by tokens. A dependency on a command of another
// queue that no token of the plan stands for gets one of its own.
//
// The plan must be legal. Errors name the command or the buffer for which
// something is missing.
func Lower(plan *ir.Plan, with Lowering) (*machine.Program, error) {
	if plan.Program == nil || len(plan.Program.Commands) == 0 {
		return nil, fmt.Errorf("the plan has no program to lower")
	}
	if err := with.fits(plan); err != nil {
		return nil, err
	}
	l := &lowering{plan: plan, in: plan.Program, with: with, out: header(plan, with)}
	if err := l.prepare(); err != nil {
		return nil, err
	}
	for _, i := range l.issue {
		if err := l.command(i); err != nil {
			return nil, fmt.Errorf("command %s: %w", plan.Text(l.in.Commands[i].ID), err)
		}
	}
	l.declare()
	for i := range l.out.Sections {
		id := l.out.Sections[i].ID
		l.out.Entries = append(l.out.Entries, machine.Entry{Name: id, Section: id})
	}
	if with.Portable != nil && with.Tasks != nil {
		var err error
		if l.out.Ports, err = l.ports(); err != nil {
			return nil, err
		}
	}
	l.out.Digest = levels.Digest(l.out)
	return l.out, nil
}

// documents are those that a program is judged beside, besides its plan.
func (w Lowering) documents() []*facts.Document {
	var all []*facts.Document
	if w.Portable != nil {
		all = append(all, facts.OfLevel(w.Portable, nil))
	}
	if w.Tasks != nil {
		all = append(all, facts.OfLevel(w.Tasks, nil))
	}
	if w.Target != nil {
		all = append(all, facts.OfLevel(w.Target, nil))
	}
	return all
}

// fits says why a plan cannot be lowered with documents: where it says of itself
// what it was made from, these must be that, and it must have buffers of them.
func (w Lowering) fits(plan *ir.Plan) error {
	if id := plan.Program.Identity; w.Target != nil && id != nil && id.Target != "" && id.Target != levels.Digest(w.Target) {
		return fmt.Errorf("the plan was made for the target with digest %s, and the one that is given has %s", id.Target, levels.Digest(w.Target))
	}
	if w.Portable == nil {
		return nil
	}
	if id := plan.Program.Identity; id != nil && id.SourcePortable != "" && id.SourcePortable != levels.Digest(w.Portable) {
		return fmt.Errorf("the plan was made from the portable plan with digest %s, and the one that is given has %s", id.SourcePortable, levels.Digest(w.Portable))
	}
	if w.Tasks != nil {
		for _, p := range w.Portable.Parents {
			if p.Schema == task.Schema && p.Digest != levels.Digest(w.Tasks) {
				return fmt.Errorf("the portable plan was made from the tasks with digest %s, and those that are given have %s", p.Digest, levels.Digest(w.Tasks))
			}
		}
	}
	for _, b := range plan.Program.Buffers {
		if slices.ContainsFunc(w.Portable.Buffers, func(above portable.Buffer) bool { return above.ID == plan.Text(b.ID) }) {
			return nil
		}
	}
	return fmt.Errorf("the plan has no buffer of the portable plan")
}

// header is a program without memory and code.
func header(plan *ir.Plan, with Lowering) *machine.Program {
	out := &machine.Program{
		Plugin: virtualPlugin, ABI: virtualABI, Emitter: lowerRevision, Format: programFormat,
		Arenas: []machine.Arena{}, Sections: []machine.Section{}, Entries: []machine.Entry{},
	}
	out.Header = level.Header{Schema: machine.Schema, Name: plan.Name,
		Parents: []level.Parent{{Schema: ir.PlanSchema, Digest: ir.PlanDigest(plan)}}}
	above := func(b level.Body) { out.Parents = append(out.Parents, levels.Parent(b)) }
	if with.Portable != nil {
		above(with.Portable)
	}
	if with.Tasks != nil {
		above(with.Tasks)
	}
	if id := plan.Program.Identity; id != nil {
		out.Target = id.Target
		if id.ABI != "" {
			out.ABI = id.ABI
		}
	}
	if with.Target != nil {
		above(with.Target)
		out.Target, out.ABI = levels.Digest(with.Target), with.Target.ABI
	}
	return out
}

// lowering is a run of Lower.
type lowering struct {
	plan *ir.Plan
	in   *ir.Program
	with Lowering
	out  *machine.Program

	queues  map[ir.ID]*ir.Queue
	devices map[ir.ID]*ir.Device
	buffers map[ir.ID]*ir.Buffer
	tokens  map[ir.ID]*ir.Token
	place   map[ir.ID]int // the place of a command in the program
	issue   []int         // the commands in the order in which they are issued
	turn    []int         // of each command: its place in issue
	section []int         // of each command: its section in out
	// handed are the commands whose completion other sections wait for by a token
	// that the plan does not have.
	handed map[ir.ID]bool
	above  *abovePlan

	signals, waits  map[ir.ID]int64 // of each token so far
	sends, receives map[ir.ID]int64
	meetings        map[member]int64
	arrivals        map[[2]ir.ID]int64
}

// member is a rank of a group.
type member struct {
	group ir.ID
	rank  int64
}

func (l *lowering) prepare() error {
	l.queues, l.devices, l.buffers, l.tokens = map[ir.ID]*ir.Queue{}, map[ir.ID]*ir.Device{}, map[ir.ID]*ir.Buffer{}, map[ir.ID]*ir.Token{}
	for i := range l.in.Queues {
		l.queues[l.in.Queues[i].ID] = &l.in.Queues[i]
	}
	for i := range l.in.Devices {
		l.devices[l.in.Devices[i].ID] = &l.in.Devices[i]
	}
	for i := range l.in.Buffers {
		l.buffers[l.in.Buffers[i].ID] = &l.in.Buffers[i]
	}
	for i := range l.in.Tokens {
		l.tokens[l.in.Tokens[i].ID] = &l.in.Tokens[i]
	}
	l.order()
	l.place = map[ir.ID]int{}
	for i := range l.in.Commands {
		l.place[l.in.Commands[i].ID] = i
	}
	l.signals, l.waits = map[ir.ID]int64{}, map[ir.ID]int64{}
	l.sends, l.receives = map[ir.ID]int64{}, map[ir.ID]int64{}
	l.meetings, l.arrivals = map[member]int64{}, map[[2]ir.ID]int64{}
	var err error
	if l.above, err = aboveOf(l.with.Portable); err != nil {
		return err
	}
	if err := l.sections(); err != nil {
		return err
	}
	l.handOver()
	return nil
}

// order puts the commands in the order of issue: that of the program, but that
// those of a queue with an issue order of its own change places among themselves.
func (l *lowering) order() {
	slots := map[ir.ID][]int{}
	index := map[ir.ID]int{}
	for i, c := range l.in.Commands {
		l.issue = append(l.issue, i)
		slots[c.Queue] = append(slots[c.Queue], i)
		index[c.ID] = i
	}
	for _, o := range l.in.QueueExtension().Orders {
		if len(o.Commands) != len(slots[o.Queue]) {
			continue // rules report it
		}
		for k, slot := range slots[o.Queue] {
			l.issue[slot] = index[o.Commands[k]]
		}
	}
	l.turn = make([]int, len(l.issue))
	for turn, i := range l.issue {
		l.turn[i] = turn
	}
}

// sections makes the sections: one for each ordered queue that has commands, and
// one for each command of a queue that is not ordered.
func (l *lowering) sections() error {
	of := map[ir.ID]int{}
	l.section = make([]int, len(l.in.Commands))
	for _, i := range l.issue {
		c := &l.in.Commands[i]
		q := l.queues[c.Queue]
		if q == nil {
			return fmt.Errorf("command %s is on no queue", l.plan.Text(c.ID))
		}
		name := l.plan.Text(q.ID)
		at, has := of[q.ID]
		if !has || q.Unordered {
			at = len(l.out.Sections)
			of[q.ID] = at
			id := name
			if q.Unordered {
				id = level.ID("section", name, l.plan.Text(c.ID))
			}
			l.out.Sections = append(l.out.Sections, machine.Section{ID: id, Kind: machine.Code, Queue: name})
		}
		l.section[i] = at
	}
	return nil
}

// handOver finds the dependencies for which neither the order of a section nor a
// token of the plan stands.
func (l *lowering) handOver() {
	l.handed = map[ir.ID]bool{}
	for i := range l.in.Commands {
		for _, before := range l.in.Commands[i].After {
			if l.needsToken(i, l.place[before]) {
				l.handed[before] = true
			}
		}
	}
}

// needsToken says whether only a token of its own orders a command behind one on
// which it depends. What is only declared to depend waits for nothing.
func (l *lowering) needsToken(command, before int) bool {
	if l.in.Declared || l.section[before] == l.section[command] && l.turn[before] < l.turn[command] {
		return false
	}
	for _, t := range l.in.Commands[command].Waits {
		if l.tokens[t].Consuming { // which signal it takes depends on others
			continue
		}
		if slices.Contains(l.in.Commands[before].Signals, t) {
			return false
		}
	}
	return true
}

// token is the token of the program for a wait or a signal of a token of the
// plan, of which it is the one of this number. Tokens of the program are
// signalled once, so that a consuming one becomes as many as it has signals.
func (l *lowering) token(id ir.ID, count map[ir.ID]int64) string {
	n := count[id]
	count[id]++
	if t := l.tokens[id]; t != nil && t.Consuming {
		return level.ID("token", l.plan.Text(id), strconv.FormatInt(n, 10))
	}
	return l.plan.Text(id)
}

// after is the token that stands for the completion of a command.
func (l *lowering) after(command ir.ID) string {
	return level.ID("token", "after", l.plan.Text(command))
}

// declare lists the memory, the channels and the meetings of the plan.
func (l *lowering) declare() {
	text := l.plan.Text
	for _, r := range l.in.Regions {
		l.out.Arenas = append(l.out.Arenas, machine.Arena{ID: text(r.ID), Bytes: r.Capacity})
	}
	for _, c := range l.in.Channels {
		l.out.Channels = append(l.out.Channels, machine.Channel{ID: text(c.ID), Depth: c.Depth})
	}
	for _, g := range l.in.Groups {
		l.out.Groups = append(l.out.Groups, machine.Group{ID: text(g.ID), Ranks: g.Ranks})
	}
	for _, b := range l.in.Barriers {
		queues := []string{}
		for _, q := range b.Queues {
			queues = append(queues, text(q))
		}
		l.out.Barriers = append(l.out.Barriers, machine.Barrier{ID: text(b.ID), Queues: queues})
	}
}
