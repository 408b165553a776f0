package bench

import (
	"fmt"

	"plancheck/internal/pipeline"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// Programs lists the programs that Program makes. The first two are legal and
// like what compilers write; the others are legal, illegal, and unpleasant.
func Programs() []string { return []string{"tokens", "1f1b", "staircase", "races"} }

// Program makes a plan with a program of about the given number of commands:
//
//   - tokens: 1F1B with 32 stages, each with a queue that computes and one that
//     copies, joined by tokens; a buffer for every ten commands, many of them
//     one behind the other on the same bytes.
//   - 1f1b: 1F1B on 64 ranks, joined by channels.
//   - staircase: a buffer for every two commands, on queues without an order,
//     all on the first bytes of a region and each larger than the one before.
//   - races: tokens, but every eighth copy of an output does not wait for it.
func Program(kind string, commands int) (*ir.Plan, error) {
	switch kind {
	case "tokens":
		return tokens(commands, 0), nil
	case "races":
		return tokens(commands, 8), nil
	case "staircase":
		return staircase(commands), nil
	case "1f1b":
		return channels(commands)
	}
	return nil, fmt.Errorf("no program is called %s", kind)
}

const ranks = 64

func channels(commands int) (*ir.Plan, error) {
	for _, g := range pipeline.Generators() {
		if g.Name != "1f1b" {
			continue
		}
		perMicrobatch := 2*ranks + 4*(ranks-1)
		s, err := g.Make(pipeline.Size{Ranks: ranks, Microbatches: max(1, commands/perMicrobatch), Chunks: 1})
		if err != nil {
			return nil, err
		}
		return s.Plan(fmt.Sprintf("1f1b-%d", commands), pipeline.DefaultOptions())
	}
	return nil, fmt.Errorf("there is no schedule 1f1b")
}

// program builds a program.
type program struct {
	ir.Program
	symbols *symbol.Table
}

func newProgram() *program {
	return &program{symbols: symbol.NewTable()}
}

func (p *program) plan(name string) *ir.Plan {
	return &ir.Plan{Symbols: p.symbols, Name: name, LogicalCores: ir.None, Program: &p.Program}
}

func (p *program) id(format string, args ...any) ir.ID {
	return p.symbols.String(fmt.Sprintf(format, args...))
}

func (p *program) command(c ir.Command) {
	c.Bytes, c.Stage, c.Microbatch = ir.None, ir.None, ir.None
	p.Commands = append(p.Commands, c)
}

// token is a new one of this name that has been signalled.
func (p *program) token(format string, args ...any) []ir.ID {
	id := p.id(format, args...)
	p.Tokens = append(p.Tokens, ir.Token{ID: id})
	return []ir.ID{id}
}

// ring is how many messages of a kind a stage has places for.
const ring = 4

// pipe is a program of stages that compute and copy.
type pipe struct {
	*program
	stages, batches int
	lives           int // how many microbatches use a buffer before another one takes its bytes
	rash            int // every how many microbatches one is copied too early; 0 is none
}

// tokens makes the pipeline, with a race in each rash microbatch of each stage but
// the last.
func tokens(commands, rash int) *ir.Plan {
	const stages = ranks / 2
	p := &pipe{program: newProgram(), stages: stages, rash: rash}
	p.batches = max(1, commands/(2*stages+2*(stages-1)))
	// Each microbatch has 5 kinds of data in a stage, and 4 commands, and there
	// is to be a buffer for 10 commands.
	p.lives = 12
	for s := range stages {
		p.stage(s)
	}
	for s := range stages {
		p.computations(s)
	}
	for s := range stages {
		p.copies(s)
	}
	return p.plan(fmt.Sprintf("tokens-%d", commands))
}

// places is how many microbatches a stage holds: activations wait for the
// backward, messages do not.
func (p *pipe) places(kind string, s int) int {
	if kind == "a" {
		return p.stages - s
	}
	return ring
}

// kinds are a stage's data of a microbatch: its input, what its backward needs,
// its output, the gradient of that, and the gradient of the input.
var kinds = []string{"x", "a", "y", "dy", "dx"}

// buffer is where a stage keeps data of a microbatch.
func (p *pipe) buffer(kind string, s, batch int) []ir.ID {
	places := p.places(kind, s)
	return []ir.ID{p.id("%s.%d.%d.%d", kind, s, batch%places, batch/places/p.lives)}
}

func (p *pipe) stage(s int) {
	device, region := p.id("core%d", s), p.id("memory%d", s)
	p.Devices = append(p.Devices, ir.Device{ID: device, Rank: int64(s)})
	p.Queues = append(p.Queues, ir.Queue{ID: p.id("compute%d", s), Device: device}, ir.Queue{ID: p.id("copy%d", s), Device: device})
	const size = 256
	offset := int64(0)
	for _, kind := range kinds {
		if s == 0 && (kind == "x" || kind == "dx") || s == p.stages-1 && (kind == "y" || kind == "dy") {
			continue
		}
		places := p.places(kind, s)
		for place := range min(places, p.batches) {
			for life := range (p.batches-place-1)/places/p.lives + 1 {
				p.Buffers = append(p.Buffers, ir.Buffer{ID: p.id("%s.%d.%d.%d", kind, s, place, life), Region: region, Offset: offset, Size: size, Alignment: 64})
			}
			offset += size
		}
	}
	p.Regions = append(p.Regions, ir.Region{ID: region, Device: device, Capacity: offset, Alignment: 64})
}

func (p *pipe) isRash(batch int) bool { return p.rash > 0 && batch%p.rash == 0 }

// freePlace lets a command that is the last to read a message signal that its
// place is free, if another one will come there.
func (p *pipe) freePlace(c *ir.Command, token string, s, batch int) {
	if batch+ring < p.batches {
		c.Signals = append(c.Signals, p.token(token, s, batch)...)
	}
}

// waitForPlace lets a command that writes a message wait until its place is free.
func (p *pipe) waitForPlace(c *ir.Command, token string, s, batch int) {
	if batch >= ring {
		c.Waits = append(c.Waits, p.id(token, s, batch-ring))
	}
}

// computations are the forwards and backwards of a stage in turn, once it has
// done as many forwards as there are stages behind it.
func (p *pipe) computations(s int) {
	queue, first, last := p.id("compute%d", s), s == 0, s == p.stages-1
	warmup := min(p.stages-s-1, p.batches)
	for i := range p.batches + warmup {
		if i < p.batches {
			c := ir.Command{ID: p.id("F%d.%d", s, i), Kind: ir.KindLaunch, Queue: queue, Op: "forward", Writes: p.buffer("a", s, i)}
			if !first {
				c.Waits = append(c.Waits, p.id("arrived%d.%d", s, i))
				c.Reads = p.buffer("x", s, i)
				p.freePlace(&c, "read%d.%d", s, i)
			}
			if !last {
				c.Writes = append(c.Writes, p.buffer("y", s, i)...)
				if !p.isRash(i) {
					c.Signals = append(c.Signals, p.token("made%d.%d", s, i)...)
				}
				p.waitForPlace(&c, "copied%d.%d", s, i)
			}
			p.command(c)
		}
		if i < warmup {
			continue
		}
		i -= warmup
		c := ir.Command{ID: p.id("B%d.%d", s, i), Kind: ir.KindLaunch, Queue: queue, Op: "backward", Reads: p.buffer("a", s, i)}
		if !last {
			c.Waits = append(c.Waits, p.id("returned%d.%d", s, i))
			c.Reads = append(c.Reads, p.buffer("dy", s, i)...)
			p.freePlace(&c, "reread%d.%d", s, i)
		}
		if !first {
			c.Writes = p.buffer("dx", s, i)
			c.Signals = append(c.Signals, p.token("graded%d.%d", s, i)...)
			p.waitForPlace(&c, "recopied%d.%d", s, i)
		}
		p.command(c)
	}
}

// copies bring outputs to the next stage and gradients to the one before, in
// the order in which the stage makes them.
func (p *pipe) copies(s int) {
	queue, first, last := p.id("copy%d", s), s == 0, s == p.stages-1
	warmup := min(p.stages-s-1, p.batches)
	for i := range p.batches + warmup {
		if i < p.batches && !last {
			c := ir.Command{ID: p.id("T%d.%d", s, i), Kind: ir.KindTransfer, Queue: queue, Reads: p.buffer("y", s, i), Writes: p.buffer("x", s+1, i)}
			c.Signals = p.token("arrived%d.%d", s+1, i)
			if !p.isRash(i) {
				c.Waits = []ir.ID{p.id("made%d.%d", s, i)}
			}
			p.waitForPlace(&c, "read%d.%d", s+1, i)
			p.freePlace(&c, "copied%d.%d", s, i)
			p.command(c)
		}
		if i < warmup || first {
			continue
		}
		i -= warmup
		c := ir.Command{ID: p.id("U%d.%d", s, i), Kind: ir.KindTransfer, Queue: queue, Reads: p.buffer("dx", s, i), Writes: p.buffer("dy", s-1, i)}
		c.Waits, c.Signals = []ir.ID{p.id("graded%d.%d", s, i)}, p.token("returned%d.%d", s-1, i)
		p.waitForPlace(&c, "reread%d.%d", s-1, i)
		p.freePlace(&c, "recopied%d.%d", s, i)
		p.command(c)
	}
}

// staircase writes and reads one buffer after the other. All begin at byte 0, and
// each is larger than the one before. The two queues have no order; all commands
// depend on the one before.
func staircase(commands int) *ir.Plan {
	p := newProgram()
	device, region := p.id("core"), p.id("memory")
	p.Devices = []ir.Device{{ID: device, Rank: ir.None}}
	queues := []ir.ID{p.id("even"), p.id("odd")}
	for _, q := range queues {
		p.Queues = append(p.Queues, ir.Queue{ID: q, Device: device, Unordered: true})
	}
	buffers := max(1, commands/2)
	p.Regions = []ir.Region{{ID: region, Device: device, Capacity: 64 * int64(buffers), Alignment: 1}}
	var before []ir.ID
	for i := range buffers {
		b := []ir.ID{p.id("b%d", i)}
		p.Buffers = append(p.Buffers, ir.Buffer{ID: b[0], Region: region, Size: 64 * int64(i+1), Alignment: 1})
		for _, c := range []ir.Command{{ID: p.id("W%d", i), Writes: b}, {ID: p.id("R%d", i), Reads: b}} {
			c.Kind, c.Queue, c.After = ir.KindLaunch, queues[i%2], before
			p.command(c)
			before = []ir.ID{c.ID}
		}
	}
	return p.plan(fmt.Sprintf("staircase-%d", commands))
}
