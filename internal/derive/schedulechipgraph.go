package derive

import (
	"fmt"
	"math"
	"slices"
	"strings"

	profiles "plancheck/internal/evidence"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// graph makes ops of tasks, and the graph and the target of the plan.
func (c *chip) graph() error {
	if err := c.group(); err != nil {
		return err
	}
	for _, g := range c.groups {
		for i := range g.lanes {
			if err := c.price(g, &g.lanes[i]); err != nil {
				return err
			}
		}
	}
	c.level()
	mesh := c.Target.Mesh
	c.out.Target = &ir.Target{Mesh: []int64{mesh.Rows, mesh.Cols}, CoreCount: ir.None, BytesPerCycle: c.Target.Link.PerCycle}
	for i := range int64(len(c.Deployment.Devices)) {
		c.out.Target.Cores = append(c.out.Target.Cores, ir.Core{ID: i, Row: i / mesh.Cols, Col: i % mesh.Cols, Capacity: c.usable})
	}
	for _, g := range c.groups {
		if err := c.addOp(g); err != nil {
			return err
		}
	}
	return c.flow()
}

// group puts tasks that were made from one task of the distributed model, each on
// a rank of its own, into one op.
func (c *chip) group() error {
	of := map[string]*group{}
	for i := range c.Portable.Tasks {
		t := &c.Portable.Tasks[i]
		switch {
		case t.Body == level.Collective && (t.Op != task.AllReduce || t.Reduce == ""):
			return refuse("collective-unsupported", "task %s is a %s, and only reductions of all ranks are taken apart for chips yet", shown(t.Name, t.ID), t.Op)
		case t.Body != level.Compute && t.Body != level.Collective:
			return refuse("model-feature-unsupported", "task %s is a %s, which is not scheduled on chips yet", shown(t.Name, t.ID), t.Body)
		}
		ranks := slices.Sorted(slices.Values(t.Ranks))
		key := t.ID
		if t.Body == level.Compute && t.Lineage != nil && len(t.Lineage.Sources) > 0 {
			key = strings.Join(append(t.Lineage.Sources, t.Op), "\n")
		}
		g := of[key]
		if g == nil || slices.ContainsFunc(ranks, func(r int64) bool { _, has := g.lane(r); return has }) {
			g = &group{kind: capability(t.Op), collective: t.Body == level.Collective}
			of[key] = g
			c.groups = append(c.groups, g)
		}
		for _, r := range ranks {
			g.lanes = append(g.lanes, lane{rank: r, task: t})
		}
		c.groupOf[t.ID] = g
	}
	for _, g := range c.groups {
		slices.SortFunc(g.lanes, func(a, b lane) int { return int(a.rank - b.rank) })
		g.op = level.ID("op", g.tasks()...)
	}
	return nil
}

// tasks are the tasks that an op was made from, each once.
func (g *group) tasks() []string {
	var ids []string
	for _, l := range g.lanes {
		if !slices.Contains(ids, l.task.ID) {
			ids = append(ids, l.task.ID)
		}
	}
	return ids
}

// price says what does a lane, and how many cycles it takes: a task takes what the
// binding says, and the sum of a collective what the formulas of the target say,
// as it is no task.
func (c *chip) price(g *group, l *lane) error {
	b, name := c.bound[l.task.ID], shown(l.task.Name, l.task.ID)
	if b == nil || b.Cost == nil || b.Implementation == "" {
		return refuse("evidence-missing", "the binding has no implementation, or no cost, of task %s", name)
	}
	if g.collective {
		partials, err := c.elements(c.inputs(l))
		if err != nil {
			return err
		}
		q := evidence.Query{Capabilities: []string{"add"}, DType: b.Query.DType, Participants: 1}
		for i, n := range partials {
			q.Read += n.bytes
			if i > 0 {
				q.Operations += n.elements
			} else {
				q.Write = n.bytes
			}
		}
		if b, err = profiles.Estimate(c.Target, level.Compute, l.task.Reduce, q); err != nil {
			return refuse("capability-unsupported", "the partials of task %s: %v", name, err)
		}
	}
	l.kernel, l.engine = b.Implementation, b.Engine
	var err error
	if l.name, err = c.nameOf(l, b.Query.DType); err != nil {
		return err
	}
	l.cycles, err = cyclesOf(b.Cost.Duration, c.Target.Clock)
	return err
}

// level lets launches of one name take as long as the longest of them, as units tell
// latencies by these names.
func (c *chip) level() {
	longest := map[string]int64{}
	for _, g := range c.groups {
		for _, l := range g.lanes {
			longest[l.name] = max(longest[l.name], l.cycles)
		}
	}
	for _, g := range c.groups {
		for i := range g.lanes {
			g.lanes[i].cycles = longest[g.lanes[i].name]
		}
	}
}

// nameOf is the op of a lane's launch: its function, and what it works on, so that
// a latency is that of one amount of work. Partials are alike, and are counted.
func (c *chip) nameOf(l *lane, dtype string) (string, error) {
	var shapes []string
	in := c.inputs(l)
	for _, id := range in {
		shape, err := c.above.shape(c.above.buffers[id].Shape)
		if err != nil {
			return "", refuse("scalar-symbolic-unbound", "buffer %s: %v", id, err)
		}
		shapes = append(shapes, strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", "x"), "[]"))
	}
	function, size := l.task.Op, strings.Join(shapes, ",")
	if l.task.Body == level.Collective {
		function = l.task.Reduce
		if len(slices.Compact(shapes)) == 1 {
			size = fmt.Sprintf("%dx%s", len(in), shapes[0])
		}
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", function, size, dtype)), nil
}

// inputs are the buffers that a lane reads: of a collective those of all its
// ranks, in the order of ranks, and of any other task those of its own rank, where
// it has several.
func (c *chip) inputs(l *lane) []string {
	in := l.task.Inputs
	if l.task.Body == level.Collective {
		in = slices.Clone(in)
		slices.SortStableFunc(in, func(a, b string) int { return int(c.above.buffers[a].Rank - c.above.buffers[b].Rank) })
		return in
	}
	return c.onRank(l, in)
}

func (c *chip) outputs(l *lane) []string { return c.onRank(l, l.task.Outputs) }

func (c *chip) onRank(l *lane, buffers []string) []string {
	if len(l.task.Ranks) < 2 {
		return buffers
	}
	var own []string
	for _, id := range buffers {
		if c.above.buffers[id].Rank == l.rank {
			own = append(own, id)
		}
	}
	return own
}

// amount is how much a buffer holds.
type amount struct{ elements, bytes int64 }

func (c *chip) elements(buffers []string) ([]amount, error) {
	var all []amount
	for _, id := range buffers {
		b := c.above.buffers[id]
		bytes, err := c.bytesOf(b)
		if err != nil {
			return nil, err
		}
		each, _ := level.Bytes(b.DType)
		all = append(all, amount{bytes / max(1, each), bytes})
	}
	return all, nil
}

func (c *chip) addOp(g *group) error {
	op := ir.Op{ID: c.id(g.op), Kind: g.kind, Lanes: int64(len(g.lanes)), MaxParts: ir.None, Windows: ir.None, ForwardCycles: ir.None,
		Lineage: scheduled(c.out, level.Fused, g.tasks()...)}
	if len(op.Lineage.Sources) == 1 {
		op.Lineage.Kind = level.Lowered
	}
	for _, l := range g.lanes {
		if op.Work > math.MaxInt64-l.cycles {
			return refuse("integer-out-of-range", "the cycles of task %s are more than 64 bits can count", shown(l.task.Name, l.task.ID))
		}
		op.Work += l.cycles
	}
	c.out.Graph.Ops = append(c.out.Graph.Ops, op)
	return nil
}

// given says that a buffer holds something before the first command.
func given(b *portable.Buffer) bool { return b.Producer == "" }

// weighs says that a buffer is a lane's slice of a weight.
func weighs(b *portable.Buffer) bool { return given(b) && b.Role != "input" }

// flow adds what ops read: weights, inputs, and what other ops make.
func (c *chip) flow() error {
	graph := &c.out.Graph
	weights, inputs, edges := map[string]int{}, map[string]int{}, map[[2]*group]int{}
	seen := map[[2]any]bool{} // an input or an edge, and a buffer
	for k, g := range c.groups {
		op := &graph.Ops[k]
		for i := range g.lanes {
			for _, id := range c.inputs(&g.lanes[i]) {
				b := c.above.buffers[id]
				bytes, err := c.bytesOf(b)
				if err != nil {
					return err
				}
				switch {
				case weighs(b):
					n := grown(weights, valueOf(b), &graph.Weights, func() ir.Weight { return ir.Weight{ID: c.id(level.ID("weight", valueOf(b)))} })
					graph.Weights[n].Size = max(graph.Weights[n].Size, bytes)
					if w := graph.Weights[n].ID; !slices.Contains(op.Weights, w) {
						op.Weights = append(op.Weights, w)
					}
				case given(b):
					n := grown(inputs, valueOf(b), &graph.Inputs, func() ir.Input {
						return ir.Input{ID: c.id(level.ID("input", valueOf(b))), Dynamic: true, ForwardCycles: ir.None}
					})
					in := &graph.Inputs[n]
					if !slices.Contains(in.Consumers, op.ID) {
						in.Consumers, in.ConsumersAt = append(in.Consumers, op.ID), append(in.ConsumersAt, 0)
					}
					if err := c.once(seen, [2]any{valueOf(b), id}, &in.Size, bytes); err != nil {
						return err
					}
				case c.groupOf[b.Producer] != g:
					from := c.groupOf[b.Producer]
					pair := [2]*group{from, g}
					n := grown(edges, pair, &graph.Edges, func() ir.Edge { return ir.Edge{From: c.id(from.op), To: op.ID} })
					if err := c.once(seen, [2]any{pair, id}, &graph.Edges[n].Size, bytes); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// once adds the bytes of a buffer, each once.
func (c *chip) once(seen map[[2]any]bool, what [2]any, sum *int64, bytes int64) error {
	if seen[what] {
		return nil
	}
	seen[what] = true
	if *sum > math.MaxInt64-bytes {
		return refuse("integer-out-of-range", "the buffers of one value have more bytes than 64 bits can count")
	}
	*sum += bytes
	return nil
}

// grown returns the place of a key in a list, at whose end it is added where it is
// not there yet.
func grown[K comparable, V any](places map[K]int, key K, list *[]V, fresh func() V) int {
	n, has := places[key]
	if !has {
		n = len(*list)
		places[key] = n
		*list = append(*list, fresh())
	}
	return n
}

// valueOf is what the buffers of all ranks that hold shards of one value have in
// common: the value that they were made from; of a buffer without lineage itself.
func valueOf(b *portable.Buffer) string {
	if b.Lineage != nil && len(b.Lineage.Sources) > 0 {
		return strings.Join(b.Lineage.Sources, "\n")
	}
	return b.ID
}
