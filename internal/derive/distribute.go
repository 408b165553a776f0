package derive

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"plancheck/facts"
	"plancheck/internal/poly"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/model"
	"plancheck/ir/task"
)

// tensorAxis is the axis of the mesh along which tensors are cut.
const tensorAxis = "tp"

// mostRanks is the greatest degree by which Distribute distributes.
const mostRanks = 1 << 14

// Distribute is the pass that gives the ranks of a tensor-parallel strategy their
// parts of a model's values and ops.
//
// The weight w[N,K] of a linear op is cut by columns, along K: each rank computes
// its columns of the result of all of x. Or by rows, along N, with x along the
// same axis: each rank computes a term of the result, and an all-reduce adds them
// up; by which algorithm is not chosen. The strategy says which; where it does
// not, the way in which x comes does, so that a chain of linear ops alternates,
// columns first. Elementwise ops work on shards as they come. What would need
// another exchange of data than this all-reduce is refused.
//
// Operations and bytes are exact polynomials in the symbols of the model. Sizes
// that the degree does not divide are refused.
func Distribute(s task.Strategy) Pass {
	return Pass{Name: "distribute", From: model.Schema, To: task.Schema, Make: func(_ context.Context, parent *facts.Document) (*facts.Document, error) {
		m, ok := parent.Body().(*model.Model)
		if !ok {
			return nil, refuse("schema-name-mismatch", "only a model is distributed")
		}
		d, err := distribute(m, s)
		if err != nil {
			return nil, err
		}
		return facts.OfLevel(d, nil), nil
	}}
}

// whole is the cut of a value that is not cut.
const whole = -1

// distribution is a distribution on its way.
type distribution struct {
	model  *model.Model
	degree int64
	ranks  []int64
	cuts   map[string]string // how the weights of ops are to be cut
	out    *task.Distributed
	cut    map[string]int    // by value of the model: the axis that is cut, or whole; absent while not decided
	ids    map[string]string // by value of the model: that of its distribution
	last   map[string]string // by op of the model: its last task
}

func distribute(m *model.Model, s task.Strategy) (*task.Distributed, error) {
	d := &distribution{model: m, degree: s.TensorParallel, cuts: map[string]string{},
		cut: map[string]int{}, ids: map[string]string{}, last: map[string]string{}}
	if d.degree < 1 || d.degree > mostRanks {
		return nil, refuse("strategy-degree-invalid", "the degree of tensor parallelism is %d, and must be from 1 to %d", d.degree, mostRanks)
	}
	if err := d.readCuts(s.Linear); err != nil {
		return nil, err
	}
	for rank := range d.degree {
		d.ranks = append(d.ranks, rank)
	}
	d.out = &task.Distributed{
		Header:   level.Header{Schema: task.Schema, Name: m.Name, Parents: []level.Parent{levels.Parent(m)}},
		Strategy: task.Strategy{TensorParallel: d.degree},
		Mesh:     []task.Axis{{ID: tensorAxis, Size: d.degree}},
		Values:   []task.Value{}, Tasks: []task.Task{},
	}
	for i := range m.Ops {
		if err := d.op(&m.Ops[i]); err != nil {
			return nil, about(m.Ops[i].ID, err)
		}
	}
	for i := range m.Values {
		if v := &m.Values[i]; d.ids[v.ID] == "" { // no op has to do with it
			if err := d.place(v.ID, whole); err != nil {
				return nil, err
			}
		}
	}
	for _, id := range m.Inputs {
		d.out.Inputs = append(d.out.Inputs, d.ids[id])
	}
	for _, id := range m.Outputs {
		d.out.Outputs = append(d.out.Outputs, d.ids[id])
	}
	d.out.Digest = levels.Digest(d.out)
	return d.out, nil
}

// readCuts reads what the strategy says of ops.
func (d *distribution) readCuts(cuts []task.OpCut) error {
	linear := map[string]bool{}
	for _, op := range d.model.Ops {
		linear[op.ID] = op.Kind == model.Linear
	}
	for _, c := range cuts {
		isLinear, there := linear[c.Op]
		switch {
		case !there:
			return refuse("strategy-op-unknown", "the strategy cuts op %s, which the model does not have", c.Op)
		case !isLinear:
			return refuse("strategy-op-unknown", "the strategy cuts op %s, which is not linear", c.Op)
		case c.Cut != task.Row && c.Cut != task.Column:
			return refuse("strategy-cut-unknown", "the strategy cuts op %s by %q; it can be row or column", c.Op, c.Cut)
		case d.cuts[c.Op] != "":
			return refuse("strategy-op-repeated", "the strategy cuts op %s twice", c.Op)
		}
		d.cuts[c.Op] = c.Cut
	}
	return nil
}

func (d *distribution) op(op *model.Op) error {
	if len(op.Effects) > 0 {
		return refuse("model-feature-unsupported", "op %s has effects, which cannot be distributed yet", shown(op.Name, op.ID))
	}
	if op.Kind == model.Linear {
		return d.linear(op)
	}
	x, y := op.Inputs[0], op.Outputs[0]
	at, decided := d.cut[x]
	if !decided {
		at = whole
	}
	if err := d.place(x, at); err != nil {
		return err
	}
	if err := d.place(y, at); err != nil {
		return err
	}
	return d.compute(op, d.ids[y])
}

// linear distributes a linear op by rows or by columns; at a degree of 1 there is
// nothing to cut.
func (d *distribution) linear(op *model.Op) error {
	x, w, y := op.Inputs[0], op.Inputs[1], op.Outputs[0]
	how := d.cuts[op.ID]
	if how == "" {
		how = task.Column
		if at, decided := d.cut[x]; decided && at == 1 {
			how = task.Row
		}
	}
	xAt, wAt, yAt := whole, 1, 1
	if how == task.Row {
		xAt, wAt, yAt = 1, 0, whole
	}
	if d.degree == 1 {
		xAt, wAt, yAt, how = whole, whole, whole, ""
	} else {
		d.out.Strategy.Linear = append(d.out.Strategy.Linear, task.OpCut{Op: op.ID, Cut: how})
	}
	if err := d.need(op, how, x, xAt); err != nil {
		return err
	}
	if err := d.need(op, how, w, wAt); err != nil {
		return err
	}
	if how == task.Row {
		return d.reduced(op, y)
	}
	if err := d.place(y, yAt); err != nil {
		return err
	}
	return d.compute(op, d.ids[y])
}

// need places an operand where it has to be cut along an axis. One that is there
// otherwise would have to be resharded.
func (d *distribution) need(op *model.Op, how, value string, axis int) error {
	if at, decided := d.cut[value]; decided && at != axis {
		v, _ := d.model.Value(value)
		return refuse("reshard-unsupported", "op %s, cut by its %s, needs value %s %s, but it is %s: resharding is not supported; cut the ops around it otherwise",
			shown(op.Name, op.ID), how, shown(v.Name, v.ID), cutWords(axis), cutWords(at))
	}
	return d.place(value, axis)
}

func cutWords(axis int) string {
	if axis == whole {
		return "whole on every rank"
	}
	return fmt.Sprintf("cut along axis %d", axis)
}

// reduced computes terms of a value and reduces them.
func (d *distribution) reduced(op *model.Op, y string) error {
	v, _ := d.model.Value(y)
	terms, err := d.value(v, whole)
	if err != nil {
		return err
	}
	terms.ID, terms.Role = level.ID("value", v.ID, "terms"), "activation"
	terms.Name = suffixed(named(v.Name, v.ID), "terms")
	terms.Partial, terms.Reduction = []string{tensorAxis}, task.Sum
	terms.Lineage.Kind = level.Decomposed
	d.out.Values = append(d.out.Values, terms)
	if err := d.compute(op, terms.ID); err != nil {
		return err
	}
	if err := d.place(y, whole); err != nil {
		return err
	}
	bytes, _ := level.Bytes(terms.DType)
	message, err := poly.Int(bytes).Mul(terms.Local...)
	if err != nil {
		return refuse("integer-out-of-range", "the bytes of value %s: %v", shown(v.Name, v.ID), err)
	}
	d.out.Tasks = append(d.out.Tasks, task.Task{
		ID: level.ID("task", op.ID, task.AllReduce), Name: suffixed(named(op.Name, op.ID), task.AllReduce),
		Body: level.Collective, Op: task.AllReduce, Ranks: d.ranks,
		Inputs: []string{terms.ID}, Outputs: []string{d.ids[y]},
		Reduction: task.Sum, MessageBytes: message,
		Lineage: &level.Lineage{Kind: level.Generated, Transform: "distribute", Sources: []string{op.ID},
			Reason: "each rank has a term of the sum over the axis that is cut"},
	})
	d.last[op.ID] = d.out.Tasks[len(d.out.Tasks)-1].ID
	return nil
}

// place decides how a value is cut, once.
func (d *distribution) place(id string, axis int) error {
	if d.ids[id] != "" {
		return nil
	}
	source, _ := d.model.Value(id)
	v, err := d.value(source, axis)
	if err != nil {
		return err
	}
	d.cut[id], d.ids[id] = axis, v.ID
	d.out.Values = append(d.out.Values, v)
	return nil
}

// value is a value of the model, cut along an axis.
func (d *distribution) value(source *model.Value, axis int) (task.Value, error) {
	v := task.Value{
		ID: level.ID("value", source.ID), Name: named(source.Name, source.ID), Source: source.ID, Role: source.Role,
		Shape: source.Type.Shape, DType: source.Type.DType, Owners: d.ranks, Local: append([]poly.Poly{}, source.Type.Shape...),
		Lineage: &level.Lineage{Kind: level.Cloned, Transform: "distribute", Sources: []string{source.ID}},
	}
	switch {
	case d.degree == 1:
		v.Lineage.Kind = level.Preserved
	case axis != whole:
		v.Lineage.Kind = level.Decomposed
		v.Sharding = []task.Cut{{Dimension: int64(axis), Mesh: tensorAxis}}
		local, err := source.Type.Shape[axis].Div(poly.Int(d.degree))
		if errors.Is(err, poly.ErrRemainder) {
			return v, about(source.ID, refuse("tp-not-divisible", "value %s has size %s along axis %d, which the degree %d does not divide",
				shown(source.Name, source.ID), source.Type.Shape[axis], axis, d.degree))
		}
		if err != nil {
			return v, refuse("integer-out-of-range", "the shards of value %s: %v", shown(source.Name, source.ID), err)
		}
		v.Local[axis] = local
	}
	return v, nil
}

// compute adds the task of an op that makes a distributed value.
func (d *distribution) compute(op *model.Op, result string) error {
	t := task.Task{
		ID: level.ID("task", op.ID), Name: named(op.Name, op.ID), Body: level.Compute, Op: op.Kind, Ranks: d.ranks, Outputs: []string{result},
		Lineage: &level.Lineage{Kind: level.Decomposed, Transform: "distribute", Sources: []string{op.ID}},
	}
	if d.degree == 1 {
		t.Lineage.Kind = level.Preserved
	}
	var operands [][]poly.Poly
	for _, id := range op.Inputs {
		v, _ := d.out.Value(d.ids[id])
		t.Inputs = append(t.Inputs, v.ID)
		operands = append(operands, v.Local)
	}
	for _, id := range op.After {
		t.After = append(t.After, d.last[id])
	}
	factors, ok := model.Work(op.Kind, operands)
	if !ok {
		return refuse("model-feature-unsupported", "what op %s, a %s, takes is not known", shown(op.Name, op.ID), op.Kind)
	}
	var err error
	if t.Operations, err = poly.Int(1).Mul(factors...); err != nil {
		return refuse("integer-out-of-range", "the operations of op %s: %v", shown(op.Name, op.ID), err)
	}
	d.out.Tasks = append(d.out.Tasks, t)
	d.last[op.ID] = t.ID
	return nil
}

// shown is how messages call an entity.
func shown(name, id string) string {
	if name != "" {
		return name
	}
	return id
}

// named is the display name of what is made for an entity: that of the entity, or
// its id where people have written it.
func named(name, id string) string {
	if _, _, derived := level.Derived(id); name == "" && !derived {
		return id
	}
	return name
}

// suffixed is the name of what was added for something that has a name.
func suffixed(name, suffix string) string {
	if name == "" {
		return ""
	}
	return strings.Join([]string{name, suffix}, ".")
}
