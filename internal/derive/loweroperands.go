package derive

import (
	"fmt"
	"slices"

	"plancheck/internal/poly"
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/machine"
	"plancheck/ir/portable"
)

// workspace is the role of buffers that commands use only while they work.
const workspace = "workspace"

// abovePlan is what a portable plan says of the buffers of a plan, by their ids.
type abovePlan struct {
	buffers  map[string]*portable.Buffer
	tasks    map[string]*portable.Task
	bindings map[string]int64
}

// aboveOf reads a portable plan; of none it knows nothing.
func aboveOf(p *portable.Plan) (*abovePlan, error) {
	a := &abovePlan{buffers: map[string]*portable.Buffer{}, tasks: map[string]*portable.Task{}, bindings: map[string]int64{}}
	if p == nil {
		return a, nil
	}
	for i := range p.Buffers {
		a.buffers[p.Buffers[i].ID] = &p.Buffers[i]
	}
	for i := range p.Tasks {
		a.tasks[p.Tasks[i].ID] = &p.Tasks[i]
	}
	for _, b := range p.Bindings {
		if had, twice := a.bindings[b.Symbol]; twice && had != b.Value {
			return nil, fmt.Errorf("symbol %s is bound to %d and to %d", b.Symbol, had, b.Value)
		}
		a.bindings[b.Symbol] = b.Value
	}
	return a, nil
}

// taskOf is the task that a command does a part of: the one that writes the first
// of its buffers that a task writes. It is nil where the portable plan has none.
func (a *abovePlan) taskOf(l *lowering, c *ir.Command) *portable.Task {
	for _, id := range c.Writes {
		if b := a.buffers[l.plan.Text(id)]; b != nil && b.Producer != "" {
			return a.tasks[b.Producer]
		}
	}
	return nil
}

// shape returns the numbers that the sizes of a tensor are.
func (a *abovePlan) shape(of []poly.Poly) ([]int64, error) {
	shape := []int64{}
	for _, p := range of {
		bound, err := p.Bind(a.bindings)
		if err != nil {
			return nil, fmt.Errorf("size %s: %w", p, err)
		}
		n, ok := bound.Int()
		if !ok {
			return nil, fmt.Errorf("size %s is not known: %v is not bound", p, bound.Symbols())
		}
		if n < 1 {
			return nil, fmt.Errorf("size %s is %d", p, n)
		}
		shape = append(shape, n)
	}
	return shape, nil
}

// plannedOp is what a command does: what its task says, whose words the functions
// of programs are; and what the command says, where there is no task, or where it
// is what a rank does of a collective that was taken apart.
func (l *lowering) plannedOp(c *ir.Command, t *portable.Task) string {
	switch {
	case t == nil:
		return c.Function()
	case c.Kind == ir.KindCollective, c.Kind == ir.KindLaunch && t.Body != level.Collective:
		return t.Op
	}
	return c.Function()
}

// operands lists what a command reads and then what it writes, each in the order
// of its task, where that is known, and else in its own.
func (l *lowering) operands(c *ir.Command, t *portable.Task) ([]machine.Operand, error) {
	reads, writes := c.Reads, c.Writes
	if t != nil && l.plannedOp(c, t) == t.Op {
		reads, writes = l.inOrderOf(t.Inputs, reads), l.inOrderOf(t.Outputs, writes)
	}
	var all []machine.Operand
	for _, part := range []struct {
		access  string
		buffers []ir.ID
	}{{machine.Read, reads}, {machine.Write, writes}} {
		for _, id := range part.buffers {
			x, err := l.operand(id, part.access)
			if err != nil {
				return nil, err
			}
			all = append(all, x)
		}
	}
	return all, nil
}

// inOrderOf sorts buffers by their place in a list; those that it does not have
// come last, in their own order.
func (l *lowering) inOrderOf(order []string, buffers []ir.ID) []ir.ID {
	place := func(id ir.ID) int {
		if b := l.plannedAs(l.buffers[id]); b != nil && slices.Contains(order, b.ID) {
			return slices.Index(order, b.ID)
		}
		return len(order)
	}
	sorted := slices.Clone(buffers)
	slices.SortStableFunc(sorted, func(a, b ir.ID) int { return place(a) - place(b) })
	return sorted
}

func (l *lowering) operand(id ir.ID, access string) (machine.Operand, error) {
	b := l.buffers[id]
	x := machine.Operand{Access: access, Buffer: l.plan.Text(id), Arena: l.plan.Text(b.Region), Offset: b.Offset, Bytes: b.Size}
	above := l.plannedAs(b)
	if above == nil {
		x.Workspace = l.generated(b)
		return x, nil
	}
	x.Workspace = above.Role == workspace
	var err error
	if x.Shape, err = l.above.shape(above.Shape); err != nil {
		return x, fmt.Errorf("buffer %s: %w", x.Buffer, err)
	}
	x.DType = above.DType
	return x, nil
}

// plannedAs is the buffer of the portable plan that a buffer is, or is a copy of, as
// its lineage says: it has the same shape. It is nil for any other.
func (l *lowering) plannedAs(b *ir.Buffer) *portable.Buffer {
	if above := l.above.buffers[l.plan.Text(b.ID)]; above != nil {
		return above
	}
	if b.Lineage == nil || len(b.Lineage.Sources) != 1 {
		return nil
	}
	return l.above.buffers[l.plan.Text(b.Lineage.Sources[0])]
}

// generated says whether a buffer is workspace that scheduling has added: nothing
// of the portable plan is in it.
func (l *lowering) generated(b *ir.Buffer) bool {
	if b.Lineage == nil || b.Lineage.Kind != level.Generated || l.with.Portable == nil {
		return false
	}
	return !slices.ContainsFunc(b.Lineage.Sources, func(id ir.ID) bool { return l.above.buffers[l.plan.Text(id)] != nil })
}
