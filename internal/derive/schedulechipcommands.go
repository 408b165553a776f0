package derive

import (
	"fmt"
	"slices"
	"strconv"

	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/portable"
)

// chipProgram is the program of a plan on its way.
type chipProgram struct {
	*chip
	plan *ir.Plan

	coreOf   map[work]int64 // the core of the mesh that a lane is on
	stageOf  map[*group]int64
	home     map[string]int64 // the core that has a buffer of the portable plan
	buffers  []chipBuffer
	buffer   map[string]int    // by id: the place in buffers
	copies   map[copyOn]string // the buffer on a core that is read there
	made     map[string]int    // by buffer: the command that writes it
	done     map[work]int      // the command of a lane
	commands []chipCommand
	units    []*chipUnit
	unitOf   map[chipUnitKey]*chipUnit
	links    map[[2]int64]*chipLink
	order    []int   // commands, in the order of their cycles
	used     []int64 // cores, those that data passes too
	offsets  []int64 // of buffers
}

// work is what a rank does of a task.
type work struct {
	task string
	rank int64
}

// copyOn is a buffer that is read on a core.
type copyOn struct {
	buffer string
	core   int64
}

// chipBuffer is a buffer of the program.
type chipBuffer struct {
	id, name          string
	core              int64
	bytes, align      int64
	initialised, kept bool
	lineage           *ir.Lineage
	used              []int // commands
}

// chipCommand is a launch or a transfer.
type chipCommand struct {
	id, name      string
	kind          string
	lane          *lane // of a launch
	core          int64 // that issues it
	to            int64 // of a transfer: the core that it brings its data to
	stage         int64
	reads, writes []string
	after         []int
	lineage       *ir.Lineage
	bytes         int64 // that it moves

	unit        *chipUnit
	cycle, slot int64
	hops        []chipHop
	done        int64 // the cycle by which it has completed
}

// place says where lanes and buffers are.
func (p *chipProgram) place() error {
	p.coreOf, p.stageOf, p.home = map[work]int64{}, map[*group]int64{}, map[string]int64{}
	at := map[ir.ID][]int64{} // of an op: the core of each lane
	stage := map[ir.ID]int64{}
	for i := range p.plan.Assignment.Instances {
		in := &p.plan.Assignment.Instances[i]
		if in.Part != ir.None {
			return refuse("model-feature-unsupported", "an op does not fit a core, and what runs in parts is not scheduled on chips yet")
		}
		for k, core := range in.Cores {
			lane := int64(k)
			if in.Lanes != nil {
				lane = in.Lanes[k]
			}
			for int64(len(at[in.Op])) <= lane {
				at[in.Op] = append(at[in.Op], ir.None)
			}
			at[in.Op][lane] = p.plan.Assignment.Placement[core]
		}
		stage[in.Op] = in.Stage
	}
	for i, g := range p.groups {
		op := p.plan.Graph.Ops[i].ID
		p.stageOf[g] = stage[op]
		for k, l := range g.lanes {
			p.coreOf[work{l.task.ID, l.rank}] = at[op][k]
		}
	}
	for i := range p.Portable.Buffers {
		b := &p.Portable.Buffers[i]
		p.home[b.ID] = p.homeOf(b)
	}
	return nil
}

// homeOf is the core that a buffer of the portable plan is on: that on which it is
// made, or else first read. What nobody touches is on the first core of its rank.
func (p *chipProgram) homeOf(b *portable.Buffer) int64 {
	for _, t := range append([]string{b.Producer}, b.Consumers...) {
		g := p.groupOf[t]
		if g == nil {
			continue
		}
		for _, l := range g.lanes { // a buffer of another rank is on the core of the first one
			if core, does := p.coreOf[work{t, b.Rank}]; does {
				return core
			}
			if l.task.ID == t {
				return p.coreOf[work{t, l.rank}]
			}
		}
	}
	for _, g := range p.groups {
		if i, has := g.lane(b.Rank); has {
			return p.coreOf[work{g.lanes[i].task.ID, b.Rank}]
		}
	}
	return 0
}

// command makes the buffers and commands of the portable plan: a launch for every
// lane, in the order of tasks, and for what it reads on another core a transfer
// before it. What several launches read on one core is brought there once.
func (p *chipProgram) command() error {
	p.buffer, p.copies, p.made, p.done = map[string]int{}, map[copyOn]string{}, map[string]int{}, map[work]int{}
	for i := range p.Portable.Buffers {
		b := &p.Portable.Buffers[i]
		bytes, err := p.bytesOf(b)
		if err != nil {
			return err
		}
		made := chipBuffer{id: b.ID, name: b.Name, core: p.home[b.ID], bytes: bytes, align: max(1, b.Align), lineage: scheduled(p.out, level.Lowered, b.ID)}
		made.initialised, made.kept = p.standing(b)
		p.addBuffer(made)
	}
	for i := range p.Portable.Tasks {
		g := p.groupOf[p.Portable.Tasks[i].ID]
		for k := range g.lanes {
			if g.lanes[k].task == &p.Portable.Tasks[i] {
				if err := p.launch(g, &g.lanes[k]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (p *chipProgram) addBuffer(b chipBuffer) {
	p.buffer[b.id] = len(p.buffers)
	p.buffers = append(p.buffers, b)
}

// launch adds the launch of a lane.
func (p *chipProgram) launch(g *group, l *lane) error {
	t := l.task
	c := chipCommand{id: level.ID("command", t.ID), name: t.Name, kind: ir.KindLaunch, lane: l, core: p.coreOf[work{t.ID, l.rank}], stage: p.stageOf[g],
		lineage: scheduled(p.out, level.Lowered, t.ID)}
	if len(t.Ranks) > 1 {
		c.id, c.name = level.ID("command", t.ID, strconv.FormatInt(l.rank, 10)), onRank(t.Name, l.rank)
		c.lineage.Kind = level.Decomposed
	}
	for _, id := range p.inputs(l) {
		local := p.bring(id, c.core, c.stage, l)
		if slices.Contains(c.reads, local) {
			continue
		}
		c.reads = append(c.reads, local)
		if by, written := p.made[local]; written && !slices.Contains(c.after, by) {
			c.after = append(c.after, by)
		}
	}
	for _, before := range t.After {
		for _, w := range p.before(before, l) {
			if !slices.Contains(c.after, w) {
				c.after = append(c.after, w)
			}
		}
	}
	slices.Sort(c.after)
	at := len(p.commands)
	for _, id := range p.outputs(l) {
		if p.home[id] != c.core {
			return refuse("model-feature-unsupported", "task %s writes buffer %s of another rank", shown(t.Name, t.ID), id)
		}
		c.writes = append(c.writes, id)
	}
	if room := p.workspace(l); room > 0 {
		id := level.ID("buffer", c.id, "workspace")
		p.addBuffer(chipBuffer{id: id, core: c.core, bytes: room, align: 1, lineage: p.generatedFor(t.ID, "workspace of implementation "+l.kernel)})
		c.writes = append(c.writes, id)
	}
	for _, id := range c.writes {
		p.made[id] = at
	}
	p.done[work{t.ID, l.rank}] = at
	p.add(c)
	return nil
}

// workspace is what a lane needs beside its operands, in bytes.
func (p *chipProgram) workspace(l *lane) int64 {
	room := int64(0)
	for i := range p.Target.Kernels {
		if k := &p.Target.Kernels[i]; k.ID == l.kernel {
			room = k.Workspace
		}
	}
	return room
}

// before are the commands of a task that a lane comes behind: that of its own
// rank, or all where its rank does not do the task.
func (p *chipProgram) before(task string, l *lane) []int {
	if own, does := p.done[work{task, l.rank}]; does {
		return []int{own}
	}
	var all []int
	for _, other := range p.groupOf[task].lanes {
		if other.task.ID == task {
			all = append(all, p.done[work{task, other.rank}])
		}
	}
	return all
}

// bring returns the buffer on a core that holds what a buffer of the portable plan
// does: itself, or a copy, which a transfer makes for all tasks that read it there.
// The transfer works for the stage in which the data is made, on whose core it is
// issued; what is given is of the stage that reads it.
func (p *chipProgram) bring(id string, core, stage int64, reader *lane) string {
	source := p.buffers[p.buffer[id]]
	if source.core == core {
		return id
	}
	if local, there := p.copies[copyOn{id, core}]; there {
		l := p.commands[p.made[local]].lineage
		if source := p.id(reader.task.ID); !slices.Contains(l.Sources, source) {
			l.Sources = append(l.Sources, source)
		}
		return local
	}
	device := p.Deployment.Devices[core]
	local := level.ID("buffer", id, device)
	p.copies[copyOn{id, core}] = local
	if g := p.groupOf[p.above.buffers[id].Producer]; g != nil {
		stage = p.stageOf[g]
	}
	p.addBuffer(chipBuffer{id: local, name: copyName(source.name, device), core: core, bytes: source.bytes, align: source.align,
		lineage: p.generatedFor(id, "a copy on the core that reads it")})
	c := chipCommand{id: level.ID("command", "transfer", id, device), name: transferName(p.above.buffers[id], device, reader), kind: ir.KindTransfer, core: source.core, to: core, stage: stage,
		reads: []string{id}, writes: []string{local}, bytes: source.bytes, lineage: scheduled(p.out, level.Decomposed, reader.task.ID)}
	if by, written := p.made[id]; written {
		c.after = []int{by}
	}
	p.made[local] = len(p.commands)
	p.add(c)
	return local
}

// transferName is how people call a transfer: by the collective and the ranks between
// which it moves a partial, or by the data of a rank and the core that gets it.
func transferName(b *portable.Buffer, device string, reader *lane) string {
	switch {
	case reader.task.Body == level.Collective && b.Rank != reader.rank && reader.task.Name != "":
		return fmt.Sprintf("%s %d>%d", reader.task.Name, b.Rank, reader.rank)
	case b.Name != "":
		return b.Name + ">" + device
	}
	return ""
}

// copyName is how people call the copy of a buffer on a core.
func copyName(buffer, device string) string {
	if buffer == "" {
		return ""
	}
	return buffer + " on " + device
}

// add adds a command, and it to the users of its buffers.
func (p *chipProgram) add(c chipCommand) {
	for _, id := range slices.Concat(c.reads, c.writes) {
		b := &p.buffers[p.buffer[id]]
		b.used = append(b.used, len(p.commands))
	}
	p.commands = append(p.commands, c)
}
