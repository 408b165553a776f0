package derive

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plancheck/facts"
	"plancheck/internal/poly"
	"plancheck/internal/record"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// plannerRevision changes whenever Plan makes another plan of the same tasks.
const plannerRevision = "1"

// bufferAlignment is what the addresses of buffers are multiples of, in bytes: as
// much as a vector load of common targets needs.
const bufferAlignment = 16

// PlanOptions are what a plan is made for.
type PlanOptions struct {
	// Bindings give symbols of the tasks their values. Sizes and work stay
	// polynomials; who needs numbers binds them. Symbols without one stay open.
	Bindings []portable.Binding
	// Objectives are what the plan is to be good at; latency where there are none.
	Objectives []portable.Objective
}

// Plan is the pass that gives each rank buffers for its shards and tasks with
// their work and needs, for any target.
//
// A value gets a buffer on each rank that owns it, of the elements of its shard
// times the bytes of one. A compute task becomes one task for each of its ranks, a
// collective one task of all. Tasks depend on what makes what they read, and on
// what their source says that they come behind on the same rank. The bytes that a
// compute task reads and writes are those of its buffers; how a collective moves
// bytes is for the target to choose, so it has its message alone.
func Plan(o PlanOptions) Pass {
	return Pass{Name: "plan", From: task.Schema, To: portable.Schema, Make: func(_ context.Context, parent *facts.Document) (*facts.Document, error) {
		d, ok := parent.Body().(*task.Distributed)
		if !ok {
			return nil, refuse("schema-name-mismatch", "only distributed tasks are planned")
		}
		p, err := plan(d, o)
		if err != nil {
			return nil, err
		}
		return facts.OfLevel(p, nil), nil
	}}
}

// place is an entity of the tasks on a rank.
type place struct {
	id   string
	rank int64
}

// planning is a plan on its way.
type planning struct {
	tasks   *task.Distributed
	out     *portable.Plan
	buffers map[place]int    // by value and rank: the buffer, in out
	done    map[place]string // by task and rank: the task of the plan
}

func plan(d *task.Distributed, o PlanOptions) (*portable.Plan, error) {
	p := &planning{tasks: d, buffers: map[place]int{}, done: map[place]string{}, out: &portable.Plan{
		Header:   level.Header{Schema: portable.Schema, Name: d.Name, Parents: []level.Parent{levels.Parent(d)}},
		Strategy: record.Digest("plancheck.strategy/1", &d.Strategy), Planner: plannerRevision,
		Bindings: slices.Clone(o.Bindings), Objectives: slices.Clone(o.Objectives),
		Buffers: []portable.Buffer{}, Tasks: []portable.Task{},
	}}
	if len(p.out.Objectives) == 0 {
		p.out.Objectives = []portable.Objective{{Kind: "latency", Weight: 1}}
	}
	for i := range d.Values {
		if err := p.value(&d.Values[i]); err != nil {
			return nil, err
		}
	}
	for i := range d.Tasks {
		if err := p.task(&d.Tasks[i]); err != nil {
			return nil, err
		}
	}
	p.out.Inputs, p.out.Outputs = p.everywhere(d.Inputs), p.everywhere(d.Outputs)
	if err := p.bind(); err != nil {
		return nil, err
	}
	p.out.Digest = levels.Digest(p.out)
	return p.out, nil
}

// role is what a value is to whoever plans memory.
func role(of string) (role, storage string, known bool) {
	switch of {
	case "input", "output":
		return of, "transient", true
	case "activation":
		return "value", "transient", true
	case "parameter", "constant":
		return "constant", "persistent", true
	case "state", "kv_cache", "optimizer_state":
		return "state", "persistent", true
	}
	return "", "", false
}

// value gives each owner of a value a buffer.
func (p *planning) value(v *task.Value) error {
	as, storage, known := role(v.Role)
	each, sized := level.Bytes(v.DType)
	if !known || !sized {
		return refuse("model-feature-unsupported", "value %s of role %s and type %s has no buffer yet", shown(v.Name, v.ID), v.Role, v.DType)
	}
	size, err := poly.Int(each).Mul(v.Local...)
	if err != nil {
		return refuse("integer-out-of-range", "the bytes of value %s: %v", shown(v.Name, v.ID), err)
	}
	for _, rank := range v.Owners {
		p.buffers[place{v.ID, rank}] = len(p.out.Buffers)
		p.out.Buffers = append(p.out.Buffers, portable.Buffer{
			ID: level.ID("buffer", v.ID, strconv.FormatInt(rank, 10)), Name: onRank(v.Name, rank), Rank: rank,
			Shape: slices.Clone(v.Local), DType: v.DType, Size: size, Align: bufferAlignment, Role: as, Storage: storage,
			Lineage: planLineage(level.Lowered, v.ID),
		})
	}
	return nil
}

// task adds the tasks of a compute task, one for each rank, or that of a
// collective.
func (p *planning) task(t *task.Task) error {
	if t.Body == level.Collective {
		return p.add(t, portable.Task{ID: level.ID("task", t.ID), Name: t.Name, Ranks: slices.Clone(t.Ranks), Lineage: planLineage(level.Preserved, t.ID)})
	}
	for _, rank := range t.Ranks {
		made := portable.Task{ID: level.ID("task", t.ID, strconv.FormatInt(rank, 10)), Name: onRank(t.Name, rank), Ranks: []int64{rank}, Lineage: planLineage(level.Decomposed, t.ID)}
		if len(t.Ranks) > 1 {
			made.Group = t.ID
		}
		if err := p.add(t, made); err != nil {
			return err
		}
	}
	return nil
}

// add fills in what a task of the plan does on its ranks.
func (p *planning) add(t *task.Task, made portable.Task) error {
	made.Body, made.Op, made.Reduce = t.Body, t.Op, t.Reduction
	made.Needs = []string{capability(t.Op)}
	made.Work = portable.Work{Operations: t.Operations, Message: t.MessageBytes}
	for _, rank := range made.Ranks {
		for _, id := range t.Inputs {
			b, err := p.touch(t, id, rank, &made.Inputs)
			if err != nil {
				return err
			}
			if !slices.Contains(b.Consumers, made.ID) {
				b.Consumers = append(b.Consumers, made.ID)
			}
			if b.Producer != "" && !slices.Contains(made.After, b.Producer) {
				made.After = append(made.After, b.Producer)
			}
			if err := p.count(t, &made, &made.Work.Read, b.Size); err != nil {
				return err
			}
		}
		for _, id := range t.Outputs {
			b, err := p.touch(t, id, rank, &made.Outputs)
			if err != nil {
				return err
			}
			b.Producer = made.ID
			if err := p.count(t, &made, &made.Work.Write, b.Size); err != nil {
				return err
			}
		}
		for _, id := range t.After {
			before, there := p.done[place{id, rank}]
			if !there {
				return refuse("cross-rank-order-unsupported", "task %s comes behind %s, which rank %d does not do: an order across ranks needs data that is passed on", shown(t.Name, t.ID), id, rank)
			}
			if !slices.Contains(made.After, before) {
				made.After = append(made.After, before)
			}
		}
		p.done[place{t.ID, rank}] = made.ID
	}
	p.out.Tasks = append(p.out.Tasks, made)
	return nil
}

// touch returns the buffer of a value on a rank and lists it.
func (p *planning) touch(t *task.Task, value string, rank int64, list *[]string) (*portable.Buffer, error) {
	i, there := p.buffers[place{value, rank}]
	if !there {
		return nil, refuse("ownership-invalid", "task %s touches value %s on rank %d, which does not own it", shown(t.Name, t.ID), value, rank)
	}
	*list = append(*list, p.out.Buffers[i].ID)
	return &p.out.Buffers[i], nil
}

// count adds bytes that a compute task reads or writes.
func (p *planning) count(t *task.Task, made *portable.Task, sum *poly.Poly, bytes poly.Poly) error {
	if made.Body != level.Compute {
		return nil
	}
	var err error
	if *sum, err = sum.Add(bytes); err != nil {
		return refuse("integer-out-of-range", "the bytes of task %s: %v", shown(t.Name, t.ID), err)
	}
	return nil
}

// everywhere lists the buffers of values, on each rank that owns them.
func (p *planning) everywhere(values []string) []string {
	var all []string
	for _, id := range values {
		v, _ := p.tasks.Value(id)
		for _, rank := range v.Owners {
			all = append(all, p.out.Buffers[p.buffers[place{id, rank}]].ID)
		}
	}
	return all
}

// bind refuses values of symbols that mean nothing, and quantities that do not fit
// in 64 bits with them.
func (p *planning) bind() error {
	quantities := map[string]poly.Poly{} // by what they are
	var names []string
	tell := func(what string, q poly.Poly) {
		names = append(names, what)
		quantities[what] = q
	}
	for _, b := range p.out.Buffers {
		tell("the bytes of buffer "+shown(b.Name, b.ID), b.Size)
	}
	for _, t := range p.out.Tasks {
		name := shown(t.Name, t.ID)
		tell("the operations of task "+name, t.Work.Operations)
		tell("the bytes that task "+name+" reads", t.Work.Read)
		tell("the bytes that task "+name+" writes", t.Work.Write)
	}
	has, values := map[string]bool{}, map[string]int64{}
	for _, what := range names {
		for _, s := range quantities[what].Symbols() {
			has[s] = true
		}
	}
	for _, b := range p.out.Bindings {
		_, twice := values[b.Symbol]
		switch {
		case !has[b.Symbol]:
			return refuse("symbol-undeclared", "%s is given a value, and no size of the tasks has it", b.Symbol)
		case b.Value < 1:
			return refuse("type-dimension-nonpositive", "%s is given the value %d, and must be 1 or more", b.Symbol, b.Value)
		case twice:
			return refuse("symbol-bound-twice", "%s is given two values", b.Symbol)
		}
		values[b.Symbol] = b.Value
	}
	for _, what := range names {
		if _, err := quantities[what].Bind(values); err != nil {
			return refuse("integer-out-of-range", "%s, %s: %v", what, quantities[what], err)
		}
	}
	return nil
}

// capability is what somebody must be able to do for an op: linear for model.linear.
func capability(op string) string {
	if _, name, found := strings.Cut(op, "."); found {
		return name
	}
	return op
}

// planLineage is the lineage of what was made from an entity of the tasks.
func planLineage(kind, source string) *level.Lineage {
	return &level.Lineage{Kind: kind, Transform: "plan", Sources: []string{source}}
}

// onRank is the name of what a rank has of something.
func onRank(name string, rank int64) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("%s@%d", name, rank)
}
