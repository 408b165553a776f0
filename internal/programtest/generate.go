package programtest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// Size bounds a random program.
type Size struct {
	Devices int // at least 1
	Queues  int // of a device, at least 1
	Steps   int // of the execution; each is one to some ten commands
}

// The sizes at which tests draw programs. All orders of a small one can be tried.
var (
	Small  = Size{Devices: 2, Queues: 2, Steps: 5}
	Medium = Size{Devices: 3, Queues: 3, Steps: 24}
)

// maker draws an execution, command by command, and keeps what the program lets
// every execution of it keep.
type maker struct {
	*rand.Rand
	size Size
	syms *symbol.Table
	p    *ir.Program

	queues   []queue // as p.Queues
	commands []*made // in the order of the execution
	memory   []memory
	buffers  []*buffer
	links    map[[2]int]*link
	counts   map[string]int // of ids, by what they begin with
}

// made is a command of the execution.
type made struct {
	ir.Command
	queue  int
	before set // commands that have completed when it begins; together with all that completes with it
}

// queue is what is known about a queue.
type queue struct {
	device int
	known  set // what has completed when the next command of the queue begins; for ordered queues
}

// link is how two ordered queues talk to each other, once they do.
type link struct {
	channel *channel
	token   ir.ID
}

type channel struct {
	index     int   // of p.Channels
	flying    []int // sends whose receives have not come
	delivered []int // receives
}

// Generate draws a legal program: the same for the same seed. It has been written
// and read once, so that its places are those in a file.
func Generate(seed uint64, size Size) *ir.Plan {
	m := &maker{
		Rand: rand.New(rand.NewPCG(seed, uint64(size.Steps))), size: size, syms: symbol.NewTable(),
		p: &ir.Program{Commands: []ir.Command{}}, links: map[[2]int]*link{}, counts: map[string]int{},
	}
	m.machine()
	for range 1 + m.IntN(size.Steps) + size.Steps/2 {
		m.step()
	}
	if len(m.commands) == 0 {
		m.work(ir.KindLaunch, 0)
	}
	for _, q := range m.pending() {
		for len(m.links[q].channel.flying) > 0 {
			m.receive(q, 1)
		}
	}
	m.endLives()
	m.layOut()
	m.list()
	return Reread(&ir.Plan{Symbols: m.syms, LogicalCores: ir.None, Name: fmt.Sprint("seed ", seed), Program: m.p})
}

// chance is true p times of a hundred.
func (m *maker) chance(p int) bool { return m.IntN(100) < p }

// id makes a new id.
func (m *maker) id(stem string) ir.ID {
	m.counts[stem]++
	return m.syms.String(fmt.Sprint(stem, m.counts[stem]-1))
}

// machine draws devices, queues, regions, groups and barriers.
func (m *maker) machine() {
	for range m.size.Devices {
		m.device(int64(len(m.p.Devices)))
	}
	if m.chance(40) {
		m.device(ir.None)
	}
	for range m.IntN(3) {
		g := ir.Group{ID: m.id("group")}
		for _, d := range m.Perm(m.size.Devices) {
			if len(g.Ranks) < 2 || m.chance(50) {
				g.Ranks = append(g.Ranks, int64(d))
			}
		}
		m.p.Groups = append(m.p.Groups, g)
	}
	for range m.IntN(3) {
		b := ir.Barrier{ID: m.id("barrier")}
		for _, q := range m.Perm(len(m.queues)) {
			if !m.p.Queues[q].Unordered && (len(b.Queues) < 2 || m.chance(30)) {
				b.Queues = append(b.Queues, m.p.Queues[q].ID)
			}
		}
		if len(b.Queues) > 1 {
			m.p.Barriers = append(m.p.Barriers, b)
		}
	}
	for range 1 + m.IntN(3) {
		d := m.IntN(len(m.p.Devices))
		m.create(d, true)
	}
}

// device draws a device: its first queue is ordered and takes everything.
func (m *maker) device(rank int64) {
	d := ir.Device{ID: m.id("device"), Rank: rank}
	m.p.Devices = append(m.p.Devices, d)
	for k := range 1 + m.IntN(m.size.Queues) {
		q := ir.Queue{ID: m.id("queue"), Device: d.ID}
		if k > 0 && m.chance(60) {
			q.Kind = []string{"compute", "collective", "transfer", "host"}[m.IntN(4)]
		}
		q.Unordered = k > 0 && m.chance(20)
		m.p.Queues = append(m.p.Queues, q)
		m.queues = append(m.queues, queue{device: len(m.p.Devices) - 1})
	}
	for range 1 + m.IntN(2) {
		m.p.Regions = append(m.p.Regions, ir.Region{ID: m.id("region"), Device: d.ID, Alignment: []int64{1, 1, 8, 16, 12}[m.IntN(5)]})
		m.memory = append(m.memory, memory{device: len(m.p.Devices) - 1})
	}
}

// takes lists the queues on which commands of a kind may be.
func (m *maker) takes(kind string, is func(q int) bool) (list []int) {
	for q := range m.p.Queues {
		k := m.p.Queues[q].Kind
		if (k == "" || slices.Contains(ir.QueueKinds()[k], kind)) && is(q) {
			list = append(list, q)
		}
	}
	return list
}

func (m *maker) ordered(q int) bool { return !m.p.Queues[q].Unordered }

// pick draws one of a list that is not empty.
func pick[T any](m *maker, list []T) T { return list[m.IntN(len(list))] }

// command is a command without anything but its kind and perhaps a microbatch;
// those without one may get the stage of their device. What says both, or a stage
// of what is moved between devices, would have to fit a whole pipeline.
func (m *maker) command(kind, stem string) ir.Command {
	c := ir.Command{ID: m.id(stem), Kind: kind, Bytes: ir.None, Stage: ir.None, Microbatch: ir.None}
	if m.chance(30) {
		c.Microbatch = int64(m.IntN(4))
	}
	return c
}

// do appends commands that complete together, each to its queue. What direct
// names has completed before, besides what their queues know.
func (m *maker) do(commands []ir.Command, queues []int, direct ...int) (numbers []int) {
	before := newSet(len(m.commands))
	for _, q := range queues {
		if m.ordered(q) {
			before.join(m.queues[q].known)
		}
	}
	for _, d := range direct {
		before.join(m.after(d))
	}
	for k, c := range commands {
		c.Queue = m.p.Queues[queues[k]].ID
		if c.Microbatch == ir.None && c.Kind != ir.KindTransfer && m.chance(50) {
			c.Stage = int64(m.queues[queues[k]].device)
		}
		numbers = append(numbers, len(m.commands))
		m.commands = append(m.commands, &made{c, queues[k], before})
	}
	known := append(set{}, before...)
	for _, n := range numbers {
		known.add(n)
	}
	for _, q := range queues {
		m.queues[q].known = known
	}
	return numbers
}

// after is what has completed once a command has: itself, what came before it,
// and what completes with it, which comes right before and behind it.
func (m *maker) after(n int) set {
	s := append(set{}, m.commands[n].before...)
	s.add(n)
	return s
}

// endLives frees some of the buffers that nothing has followed.
func (m *maker) endLives() {
	for _, b := range m.buffers {
		if !b.followed && !b.Kept && m.chance(30) {
			m.free(b)
		}
	}
}

// Reread writes a plan and reads it again. It panics where that does not work,
// which is an error of the test.
func Reread(p *ir.Plan) *ir.Plan {
	again, problems := decode(p)
	if len(problems) > 0 {
		panic(fmt.Sprintf("%s: %s\n%s", problems[0].Pos.Pointer, problems[0].Message, ir.Encode(p)))
	}
	return again
}
