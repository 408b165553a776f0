package derive

import (
	"fmt"
	"slices"

	"plancheck/ir"
	"plancheck/ir/machine"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// ports lists where the shards of what the model is given, and of what it
// computes, lie: the buffers of the portable plan that no task writes and that
// are no workspace, and those that are its outputs.
func (l *lowering) ports() ([]machine.Port, error) {
	placed := map[string]*ir.Buffer{}
	for i := range l.in.Buffers {
		placed[l.plan.Text(l.in.Buffers[i].ID)] = &l.in.Buffers[i]
	}
	var all []machine.Port
	for i := range l.with.Portable.Buffers {
		b := &l.with.Portable.Buffers[i]
		output := slices.Contains(l.with.Portable.Outputs, b.ID)
		at := placed[b.ID]
		if at == nil || b.Role == workspace || b.Producer != "" && !output {
			continue
		}
		p, err := l.port(b, at)
		if err != nil {
			return nil, fmt.Errorf("buffer %s: %w", b.ID, err)
		}
		if b.Producer == "" {
			p.Direction = machine.Input
			all = append(all, p)
		}
		if output { // also what is only passed on
			p.Direction = machine.Output
			all = append(all, p)
		}
	}
	return all, nil
}

func (l *lowering) port(b *portable.Buffer, at *ir.Buffer) (machine.Port, error) {
	p := machine.Port{Buffer: b.ID, Rank: b.Rank, Arena: l.plan.Text(at.Region), Offset: at.Offset, Bytes: at.Size, DType: b.DType}
	v := l.distributed(b)
	switch {
	case v == nil:
		return p, fmt.Errorf("its lineage names no value of the distributed model")
	case v.Source == "":
		return p, fmt.Errorf("value %s is no value of the model", v.ID)
	case len(v.Partial) > 0:
		return p, fmt.Errorf("value %s is partial: its owners have terms of it", v.ID)
	}
	p.Value, p.Source = v.Source, v.ID
	var err error
	if p.Shape, err = l.above.shape(b.Shape); err != nil {
		return p, err
	}
	if p.Whole, err = l.above.shape(v.Shape); err != nil {
		return p, err
	}
	if len(p.Shape) != len(p.Whole) {
		return p, fmt.Errorf("it has %d axes, and value %s has %d", len(p.Shape), v.ID, len(p.Whole))
	}
	blocks, err := shardOf(l.with.Tasks.Mesh, v, b.Rank)
	if err != nil {
		return p, err
	}
	p.First = make([]int64, len(p.Shape))
	for axis, block := range blocks {
		p.First[axis] = block * p.Shape[axis]
	}
	return p, nil
}

// distributed is the value of the tasks that a buffer is a shard of.
func (l *lowering) distributed(b *portable.Buffer) *task.Value {
	if b.Lineage == nil {
		return nil
	}
	for i := range l.with.Tasks.Values {
		if v := &l.with.Tasks.Values[i]; slices.Contains(b.Lineage.Sources, v.ID) {
			return v
		}
	}
	return nil
}

// shardOf counts, along each axis of a value, the parts before the one that a
// rank has. Of several cuts of one axis the first one is the coarsest.
func shardOf(mesh []task.Axis, v *task.Value, rank int64) ([]int64, error) {
	coordinate, rest := map[string]int64{}, rank
	size := map[string]int64{}
	for _, axis := range slices.Backward(mesh) { // the last one is the fastest
		coordinate[axis.ID], rest = rest%axis.Size, rest/axis.Size
		size[axis.ID] = axis.Size
	}
	if rest > 0 {
		return nil, fmt.Errorf("the mesh has no rank %d", rank)
	}
	blocks := make([]int64, len(v.Shape))
	for _, cut := range v.Sharding {
		if cut.Dimension >= int64(len(blocks)) {
			return nil, fmt.Errorf("value %s is cut along axis %d, which it does not have", v.ID, cut.Dimension)
		}
		blocks[cut.Dimension] = blocks[cut.Dimension]*size[cut.Mesh] + coordinate[cut.Mesh]
	}
	return blocks, nil
}
