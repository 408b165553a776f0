package derive

import (
	"fmt"
	"slices"
	"strconv"

	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/portable"
)

// forQueues schedules a binding on devices with queues: a device for each rank,
// and on it a queue for each engine that has something to do. Queues issue their
// commands in the order of the tasks, which is one in which they can run; what a
// command depends on in another queue it waits for by a token. Buffers share bytes
// where these orders say that they never live at once.
func (s *Scheduling) forQueues(binding *evidence.Binding) (*ir.Plan, error) {
	if err := s.fits(binding); err != nil {
		return nil, err
	}
	q := newQueueing(s, binding)
	for i := range s.Portable.Tasks {
		if err := q.task(&s.Portable.Tasks[i]); err != nil {
			return nil, err
		}
	}
	if err := q.memory(); err != nil {
		return nil, err
	}
	q.extension()
	s.implementations(q.plan)
	q.plan.Digest = ir.PlanDigest(q.plan)
	return q.plan, nil
}

// queueing is a plan for devices with queues on its way.
type queueing struct {
	*Scheduling
	plan    *ir.Plan
	program *ir.Program
	devices map[int64]string // by rank: the name that the deployment has for it
	bound   map[string]*evidence.Bound
	buffers map[string]*portable.Buffer
	engines map[string]*evidence.Engine

	tasks map[string]*portable.Task // those that have been scheduled

	queues map[ir.ID]bool
	groups map[string]ir.ID
	done   map[place]int // by task and rank: its command, in the program
	meets  []int         // of each command: the first one that completes together with it
	tokens map[int]ir.ID // by command: the token that it signals
	// workspaces are the buffers of commands that are done by what needs memory
	// beside their operands; they are placed with the others.
	workspaces []ir.Buffer
}

func newQueueing(s *Scheduling, binding *evidence.Binding) *queueing {
	q := &queueing{
		Scheduling: s, plan: s.header(binding), devices: map[int64]string{},
		bound: map[string]*evidence.Bound{}, buffers: map[string]*portable.Buffer{}, engines: map[string]*evidence.Engine{},
		tasks: map[string]*portable.Task{}, queues: map[ir.ID]bool{}, groups: map[string]ir.ID{}, done: map[place]int{}, tokens: map[int]ir.ID{},
	}
	q.program = q.plan.Program
	q.program.WorldSize = int64(len(binding.Ranks))
	capacity, reserved := s.memoryOf()
	for _, r := range binding.Ranks {
		q.devices[r.Rank] = r.Device
		q.program.Devices = append(q.program.Devices, ir.Device{ID: q.id(r.Device), Rank: r.Rank, Target: q.id(r.Device)})
		q.program.Regions = append(q.program.Regions, ir.Region{
			ID: q.region(r.Rank), Device: q.id(r.Device), Capacity: capacity, Reserved: reserved, Alignment: s.Target.Memory[0].Alignment,
		})
	}
	for i := range binding.Tasks {
		q.bound[binding.Tasks[i].ID] = &binding.Tasks[i]
	}
	for i := range s.Portable.Buffers {
		q.buffers[s.Portable.Buffers[i].ID] = &s.Portable.Buffers[i]
	}
	for i := range s.Target.Engines {
		q.engines[s.Target.Engines[i].ID] = &s.Target.Engines[i]
	}
	return q
}

func (q *queueing) id(text string) ir.ID { return q.plan.Symbols.String(text) }

// region is the memory of the device of a rank.
func (q *queueing) region(rank int64) ir.ID {
	return q.id(q.devices[rank] + "." + q.Target.Memory[0].Space)
}

// queue is the queue of an engine of the device of a rank.
func (q *queueing) queue(rank int64, engine *evidence.Engine) ir.ID {
	id := q.id(q.devices[rank] + "." + engine.ID)
	if !q.queues[id] {
		q.queues[id] = true
		q.program.Queues = append(q.program.Queues, ir.Queue{ID: id, Device: q.id(q.devices[rank]), Kind: engine.Kind, Engine: id})
	}
	return id
}

// task adds the commands of a task: of a collective and a barrier one for each
// rank, of others one.
func (q *queueing) task(t *portable.Task) error {
	bound := q.bound[t.ID]
	if bound == nil {
		return refuse("binding-missing", "task %s of the portable plan is not bound", shown(t.Name, t.ID))
	}
	kind := evidence.KindOf(t.Body)
	if kind == "" {
		return refuse("capability-unsupported", "task %s is a %s, which no command does", shown(t.Name, t.ID), t.Body)
	}
	engine := q.engines[bound.Engine]
	if t.Body == level.Barrier { // which is on a queue of any engine, as it needs none
		engine = &q.Target.Engines[0]
	}
	if engine == nil || t.Body != level.Barrier && bound.Implementation == "" {
		return refuse("capability-unsupported", "task %s has no implementation", shown(t.Name, t.ID))
	}
	first := len(q.program.Commands)
	together := kind == ir.KindCollective || kind == ir.KindBarrier
	for i, rank := range t.Ranks {
		if q.devices[rank] == "" {
			return refuse("rank-unplaced", "rank %d of task %s is on no device", rank, shown(t.Name, t.ID))
		}
		if i > 0 && !together { // the command of the first rank is that of all
			q.done[place{t.ID, rank}] = first
			continue
		}
		c := ir.Command{
			ID: q.commandID(t, rank, together), Name: t.Name, Kind: kind, Queue: q.queue(rank, engine), Op: t.Op,
			Bytes: ir.None, Stage: ir.None, Microbatch: ir.None, Lineage: scheduled(q.plan, level.Lowered, t.ID),
		}
		if err := q.fill(&c, t, bound, rank, together); err != nil {
			return err
		}
		q.done[place{t.ID, rank}] = len(q.program.Commands)
		q.program.Commands = append(q.program.Commands, c)
		q.meets = append(q.meets, first)
	}
	q.tasks[t.ID] = t
	return nil
}

func (q *queueing) commandID(t *portable.Task, rank int64, together bool) ir.ID {
	if together {
		return q.id(level.ID("command", t.ID, strconv.FormatInt(rank, 10)))
	}
	return q.id(level.ID("command", t.ID))
}

// fill says what a command is done by, what it touches, and what it waits for.
func (q *queueing) fill(c *ir.Command, t *portable.Task, bound *evidence.Bound, rank int64, together bool) error {
	switch t.Body {
	case level.Compute, level.Host, level.Collective:
		c.Implementation = q.id(bound.Implementation)
	}
	if t.Body == level.Collective {
		c.Group, c.Reduction = q.group(t.Ranks), t.Reduce
		c.Name = onRank(t.Name, rank)
	}
	if bound.Query.Message > 0 {
		c.Bytes = bound.Query.Message
	}
	if t.Body == level.Barrier {
		c.Barrier = q.barrier(t)
	}
	touched := func(ids []string) (all []ir.ID) {
		for _, id := range ids {
			if b := q.buffers[id]; b != nil && (b.Rank == rank || !together) && !slices.Contains(all, q.id(id)) {
				all = append(all, q.id(id))
			}
		}
		return all
	}
	c.Reads, c.Writes = touched(t.Inputs), touched(t.Outputs)
	if bound.Workspace > 0 {
		c.Writes = append(c.Writes, q.workspace(c, t, rank, bound))
	}
	for _, id := range t.After {
		if err := q.depend(c, t, id, rank, together); err != nil {
			return err
		}
	}
	return nil
}

// workspace adds the buffer in which the implementation of a command works.
func (q *queueing) workspace(c *ir.Command, t *portable.Task, rank int64, bound *evidence.Bound) ir.ID {
	b := ir.Buffer{
		ID: q.id(level.ID("buffer", "workspace", q.plan.Text(c.ID))), Region: q.region(rank), Size: bound.Workspace, Alignment: 1,
		Lineage: scheduled(q.plan, level.Generated, t.ID),
	}
	b.Lineage.Reason = "workspace of implementation " + bound.Implementation
	q.workspaces = append(q.workspaces, b)
	return b.ID
}

// depend lets a command wait for a task that its own depends on: for what its rank
// does of it. Where no rank does both, it waits for all that the other one is.
func (q *queueing) depend(c *ir.Command, t *portable.Task, before string, rank int64, together bool) error {
	other := q.tasks[before]
	if other == nil {
		return refuse("dag-not-topological", "task %s depends on %s, which is not listed before it", shown(t.Name, t.ID), before)
	}
	ranks := t.Ranks
	if together {
		ranks = []int64{rank}
	}
	shared := func(r int64) bool { return slices.Contains(other.Ranks, r) }
	if !slices.ContainsFunc(t.Ranks, shared) {
		ranks = other.Ranks
	}
	for _, r := range ranks {
		if shared(r) {
			q.wait(c, q.done[place{before, r}])
		}
	}
	return nil
}

// wait lets a command wait for another one: by the order of their queue, or by a
// token.
func (q *queueing) wait(c *ir.Command, before int) {
	b := &q.program.Commands[before]
	if slices.Contains(c.After, b.ID) {
		return
	}
	c.After = append(c.After, b.ID)
	if b.Queue == c.Queue {
		return
	}
	token, there := q.tokens[before]
	if !there {
		token = q.id(level.ID("token", q.plan.Text(b.ID)))
		q.tokens[before] = token
		q.program.Tokens = append(q.program.Tokens, ir.Token{ID: token})
		b.Signals = append(b.Signals, token)
	}
	c.Waits = append(c.Waits, token)
}

// group is the group of ranks, in their order.
func (q *queueing) group(ranks []int64) ir.ID {
	ranks = slices.Sorted(slices.Values(ranks))
	key := fmt.Sprint(ranks)
	id, there := q.groups[key]
	if !there {
		var parts []string
		for _, r := range ranks {
			parts = append(parts, strconv.FormatInt(r, 10))
		}
		id = q.id(level.ID("group", parts...))
		q.groups[key] = id
		q.program.Groups = append(q.program.Groups, ir.Group{ID: id, Ranks: ranks})
	}
	return id
}

// barrier is where the queues of the ranks of a barrier meet.
func (q *queueing) barrier(t *portable.Task) ir.ID {
	id := q.id(level.ID("barrier", t.ID))
	if !slices.ContainsFunc(q.program.Barriers, func(b ir.Barrier) bool { return b.ID == id }) {
		b := ir.Barrier{ID: id}
		for _, rank := range t.Ranks {
			if q.devices[rank] != "" { // others are refused
				b.Queues = append(b.Queues, q.queue(rank, &q.Target.Engines[0]))
			}
		}
		q.program.Barriers = append(q.program.Barriers, b)
	}
	return id
}

// extension lists the engines that queues are on, and the communicator of each
// group: the queues that its collectives are on.
func (q *queueing) extension() {
	x := &ir.QueueExtension{}
	for _, queue := range q.program.Queues {
		x.Engines = append(x.Engines, ir.Engine{ID: queue.Engine, Device: queue.Device, Kinds: []string{queue.Kind}})
	}
	for _, g := range q.program.Groups {
		c := ir.Communicator{ID: q.id(level.ID("communicator", q.plan.Text(g.ID))), Group: g.ID}
		for _, command := range q.program.Commands {
			if command.Group == g.ID && !slices.Contains(c.Queues, command.Queue) {
				c.Queues = append(c.Queues, command.Queue)
			}
		}
		x.Communicators = append(x.Communicators, c)
	}
	q.program.Extension = &ir.Extension{Queue: x}
}
