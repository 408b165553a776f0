package derive

import (
	"context"
	"errors"
	"math/bits"

	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/portable"
)

// forChip schedules a binding for a spatial target, step by step:
//
//	graph      ops with a lane for each rank, and what flows between them
//	assign     stages, cores and places, by the scheduler that completes plans
//	commands   a launch for each lane; a transfer for what is read on another core
//	time       a cycle for every command, a route for every transfer
//	memory     offsets, by what is behind what
//
// The scheduler is told of weights only. Where they and the activations of a core
// do not fit together, it is asked once more, with room for the activations.
func (s *Scheduling) forChip(ctx context.Context, binding *evidence.Binding) (*ir.Plan, error) {
	if err := s.fits(binding); err != nil {
		return nil, err
	}
	c, err := s.chip(binding)
	if err != nil {
		return nil, err
	}
	if err := c.graph(); err != nil {
		return nil, err
	}
	plan, err := c.schedule(ctx, c.usable)
	var full *regionFull
	if !errors.As(err, &full) {
		return plan, err
	}
	if full.others < c.usable {
		plan, err = c.schedule(ctx, c.usable-full.others)
		if err == nil || ctx.Err() != nil {
			return plan, err
		}
	}
	return nil, refuse("region-capacity-exceeded", "core %s has %d bytes of memory for buffers, and %d are missing for its weights and what else lives at once",
		full.device, c.usable, full.missing)
}

// schedule makes a plan whose cores have so many bytes for weights. The error is
// a *regionFull where a core has too little memory.
func (c *chip) schedule(ctx context.Context, weights int64) (*ir.Plan, error) {
	plan, err := c.assign(ctx, weights)
	if err != nil {
		return nil, err
	}
	p := &chipProgram{chip: c, plan: plan}
	if err := p.place(); err != nil {
		return nil, err
	}
	if err := p.command(); err != nil {
		return nil, err
	}
	if err := p.time(); err != nil {
		return nil, err
	}
	if err := p.memory(); err != nil {
		return nil, err
	}
	p.write()
	return plan, nil
}

// chip is what a binding is scheduled from, and the ops that its tasks make.
type chip struct {
	*Scheduling
	above  *abovePlan
	bound  map[string]*evidence.Bound // by task
	stages int64
	// capacity is the memory of a core in bytes, reserved what of it is to stay
	// free, and usable the rest.
	capacity, reserved, usable int64
	groups                     []*group
	groupOf                    map[string]*group // by task
	out                        *ir.Plan          // the graph and the target
	program                    *ir.Program       // what it is made for, without commands
}

// group is an op of the graph: what tasks on several ranks do alike, each on a
// lane of its own, or a collective.
type group struct {
	op         string
	kind       string
	collective bool
	lanes      []lane // by rank
}

// lane is what a rank does of an op.
type lane struct {
	rank   int64
	task   *portable.Task
	name   string // of the op of its launch, by which units tell its latency
	kernel string // the implementation that does it
	engine string
	cycles int64
}

func (g *group) lane(rank int64) (int, bool) {
	for i := range g.lanes {
		if g.lanes[i].rank == rank {
			return i, true
		}
	}
	return 0, false
}

// chip reads the documents.
func (s *Scheduling) chip(binding *evidence.Binding) (*chip, error) {
	t, d := s.Target, s.Deployment
	if t.Mesh == nil || t.Link == nil || t.Clock == 0 || len(t.Memory) == 0 {
		return nil, refuse("target-incomplete", "target %s is spatial, and has no mesh, no links, no clock or no memory", shown(t.Name, t.Architecture))
	}
	if n := int64(len(d.Devices)); n/t.Mesh.Cols != t.Mesh.Rows || n%t.Mesh.Cols != 0 {
		return nil, refuse("device-count-out-of-range", "the deployment has %d devices, and the mesh of the target is %d x %d", n, t.Mesh.Rows, t.Mesh.Cols)
	}
	c := &chip{Scheduling: s, bound: map[string]*evidence.Bound{}, groupOf: map[string]*group{}, stages: max(1, s.Stages), out: s.header(binding)}
	c.capacity, c.reserved = s.memoryOf()
	c.usable = c.capacity - c.reserved
	c.out.Options.Nonempty = true                 // a stage without work would delay for nothing
	c.program, c.out.Program = c.out.Program, nil // the scheduler knows of no commands
	if c.usable < 0 {
		return nil, refuse("region-capacity-exceeded", "%d bytes of each core are reserved, and it has %d", c.reserved, c.capacity)
	}
	for i := range binding.Tasks {
		c.bound[binding.Tasks[i].ID] = &binding.Tasks[i]
	}
	var err error
	if c.above, err = aboveOf(s.Portable); err != nil {
		return nil, refuse("symbol-bound-twice", "%v", err)
	}
	return c, nil
}

// cyclesOf is how many cycles of a clock a duration takes: at least 1.
func cyclesOf(ps, hertz int64) (int64, error) {
	const second = 1_000_000_000_000 // in picoseconds
	high, low := bits.Mul64(uint64(ps), uint64(hertz))
	low, carry := bits.Add64(low, second-1, 0)
	if high += carry; high >= second {
		return 0, refuse("integer-out-of-range", "%d ps are more cycles of %d Hz than 64 bits can count", ps, hertz)
	}
	n, _ := bits.Div64(high, low, second)
	if n > 1<<62 {
		return 0, refuse("integer-out-of-range", "%d ps are more cycles of %d Hz than 64 bits can count", ps, hertz)
	}
	return max(1, int64(n)), nil
}

func (c *chip) id(text string) ir.ID { return c.out.Symbols.String(text) }

// generatedFor is the lineage of what a schedule adds, and why.
func (c *chip) generatedFor(source, reason string) *ir.Lineage {
	l := scheduled(c.out, level.Generated, source)
	l.Reason = reason
	return l
}
