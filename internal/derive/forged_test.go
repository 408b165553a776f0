package derive

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/example"
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/rules"
)

// unasked is the lineage of what nobody has asked for.
func unasked() *level.Lineage {
	return &level.Lineage{Kind: level.Generated, Transform: "forge", Reason: "why not"}
}

// byName returns the entry of a list with a name.
func byName[E any](t *testing.T, all []E, name func(*E) string, want string) *E {
	t.Helper()
	for i := range all {
		if name(&all[i]) == want {
			return &all[i]
		}
	}
	t.Fatalf("there is no %s", want)
	return nil
}

// forgery is what is done to a document, and the one code by which it is found.
type forgery[D any] struct {
	name  string
	forge func(D)
	want  string
}

// What is forged in distributed tasks is found beside the model, and told once.
func TestForgedTasks(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "bf16"})
	value := func(d *task.Distributed, name string) *task.Value {
		return byName(t, d.Values, func(v *task.Value) string { return v.Name }, name)
	}
	done := func(d *task.Distributed, name string) *task.Task {
		return byName(t, d.Tasks, func(k *task.Task) string { return k.Name }, name)
	}
	// more lets act be done again, to a value of its own that down reads.
	more := func(d *task.Distributed, source string, of *level.Lineage) {
		v, k := *value(d, "a"), *done(d, "act")
		v.ID, v.Name, v.Source, v.Lineage = "more", "more", source, of
		if source != "" {
			v.Lineage = value(d, "a").Lineage
		}
		k.ID, k.Name, k.Inputs, k.Outputs, k.Lineage = "again", "again", []string{value(d, "a").ID}, []string{"more"}, of
		d.Values = append(d.Values, v)
		done(d, "down").Inputs[0] = "more"
		d.Tasks = slices.Insert(d.Tasks, 2, k)
	}
	for _, c := range []forgery[*task.Distributed]{
		{"an activation that is generated, of a value of its own", func(d *task.Distributed) { more(d, "", unasked()) }, "task-without-source"},
		{"an activation that is generated, of a value of the model", func(d *task.Distributed) { more(d, value(d, "a").Source, unasked()) }, "task-without-source"},
		{"an activation that is done twice", func(d *task.Distributed) {
			again := *done(d, "act").Lineage
			more(d, value(d, "a").Source, &again)
			done(d, "again").Inputs = []string{value(d, "h").ID}
		}, "work-not-conserved"},
		{"a value of nothing", func(d *task.Distributed) {
			v := *value(d, "w_up")
			v.ID, v.Source, v.Lineage = "more", "", unasked()
			d.Values = append(d.Values, v)
		}, "value-without-source"},
		{"an activation that says it was generated", func(d *task.Distributed) { done(d, "act").Lineage = unasked() }, "task-without-source"},
		{"an activation without sources", func(d *task.Distributed) { done(d, "act").Lineage.Sources = nil }, "lineage-kind-invalid"},
		{"a value without sources", func(d *task.Distributed) { value(d, "h").Lineage.Sources = nil }, "lineage-kind-invalid"},
		{"a value of another one", func(d *task.Distributed) { value(d, "h").Source = value(d, "y").Source }, "lineage-source-differs"},
		{"a value of another one, of another shape", func(d *task.Distributed) { value(d, "x").Source = value(d, "h").Source }, "lineage-source-differs"},
		{"an output more", func(d *task.Distributed) { d.Outputs = append(d.Outputs, value(d, "a").ID) }, "result-output-changed"},
		{"an output before", func(d *task.Distributed) { d.Outputs = append([]string{value(d, "a").ID}, d.Outputs...) }, "result-output-changed"},
		{"an input more", func(d *task.Distributed) { d.Inputs = append(d.Inputs, value(d, "w_up").ID) }, "result-output-changed"},
		{"a rank more", func(d *task.Distributed) { d.Mesh[0].Size++ }, "world-size-mismatch"},
		{"a rank less", func(d *task.Distributed) { d.Mesh[0].Size-- }, "world-size-mismatch"},
		{"a strategy for another op", func(d *task.Distributed) {
			d.Strategy.Linear = append(d.Strategy.Linear, task.OpCut{Op: "gone", Cut: task.Row})
		}, "strategy-op-unknown"},
		{"a strategy for what is not linear", func(d *task.Distributed) {
			d.Strategy.Linear = append(d.Strategy.Linear, task.OpCut{Op: m.Ops[1].ID, Cut: task.Row})
		}, "strategy-op-unknown"},
		{"a strategy that repeats itself", func(d *task.Distributed) { d.Strategy.Linear = append(d.Strategy.Linear, d.Strategy.Linear[0]) }, "strategy-op-duplicate"},
		{"an owner in the place of another", func(d *task.Distributed) { value(d, "h").Owners = []int64{0, 0} }, "owner-set-wrong"},
		{"an owner that there is not", func(d *task.Distributed) { value(d, "h").Owners = []int64{0, 2} }, "rank-unknown"},
		{"a rank in the place of another", func(d *task.Distributed) { done(d, "act").Ranks = []int64{0, 0} }, "ownership-invalid"},
		{"a rank that there is not", func(d *task.Distributed) { done(d, "act").Ranks = []int64{0, 2} }, "rank-unknown"},
		{"weights that are an activation", func(d *task.Distributed) { value(d, "w_up").Role = "activation" }, "result-role-changed"},
		{"an activation that is given", func(d *task.Distributed) { value(d, "h").Role = "input" }, "result-role-changed"},
		{"weights that are not cut", func(d *task.Distributed) { value(d, "w_up").Sharding = nil }, "shard-does-not-tile"},
		{"another op", func(d *task.Distributed) { done(d, "act").Op = "model.softmax" }, "operation-changed"},
		{"an op that is left out", func(d *task.Distributed) {
			d.Tasks = slices.DeleteFunc(d.Tasks, func(k task.Task) bool { return k.Name == "act" })
		}, "dataflow-missing-definition"},
		{"an owner twice", func(d *task.Distributed) { value(d, "h").Owners = []int64{0, 1, 1} }, "owner-duplicate"},
		{"a rank twice", func(d *task.Distributed) { done(d, "act").Ranks = []int64{0, 1, 0} }, "task-duplicate-rank"},
		{"a partial axis twice", func(d *task.Distributed) { value(d, "y.terms").Partial = []string{tensorAxis, tensorAxis} }, "sharding-axis-reuse"},
		{"terms that are an output", func(d *task.Distributed) { value(d, "y.terms").Role = "output" }, "result-role-changed"},
		{"an all-reduce for another op", func(d *task.Distributed) { done(d, "down.all-reduce").Lineage.Sources = done(d, "up").Lineage.Sources }, "lineage-source-differs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := distributed(t, m, task.Strategy{TensorParallel: 2})
			c.forge(d)
			d.Digest = ""
			if diff := cmp.Diff([]string{c.want}, codes(t, d, m)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What is forged in a portable plan is found beside its tasks, and told once.
func TestForgedPlans(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "bf16"})
	d := distributed(t, m, task.Strategy{TensorParallel: 2})
	buffer := func(p *portable.Plan, name string) *portable.Buffer {
		return byName(t, p.Buffers, func(b *portable.Buffer) string { return b.Name }, name)
	}
	done := func(p *portable.Plan, name string) *portable.Task {
		return byName(t, p.Tasks, func(k *portable.Task) string { return k.Name }, name)
	}
	// more lets act be done again on rank 0, to a buffer of its own that down reads.
	more := func(p *portable.Plan, op string) {
		b, k := *buffer(p, "a@0"), *done(p, "act@0")
		b.ID, b.Name, b.Producer, b.Consumers, b.Lineage = "more", "more", "again", []string{done(p, "down@0").ID}, unasked()
		k.ID, k.Name, k.Op, k.Needs, k.Group, k.Lineage = "again", "again", op, []string{capability(op)}, "", unasked()
		k.Inputs, k.Outputs, k.After = []string{buffer(p, "a@0").ID}, []string{"more"}, []string{done(p, "act@0").ID}
		down := done(p, "down@0")
		down.Inputs[0], down.After = "more", []string{"again"}
		buffer(p, "a@0").Consumers = []string{"again"}
		p.Buffers = append(p.Buffers, b)
		p.Tasks = slices.Insert(p.Tasks, slices.IndexFunc(p.Tasks, func(k portable.Task) bool { return k.Name == "down@0" }), k)
	}
	for _, c := range []forgery[*portable.Plan]{
		{"an activation that is generated", func(p *portable.Plan) { more(p, "model.gelu") }, "task-without-source"},
		{"another activation that is generated", func(p *portable.Plan) { more(p, "model.relu") }, "task-without-source"},
		{"a task that says it was generated", func(p *portable.Plan) { done(p, "act@0").Lineage = unasked() }, "task-without-source"},
		{"a buffer that says it was generated", func(p *portable.Plan) { buffer(p, "h@0").Lineage = unasked() }, "buffer-without-source"},
		{"a buffer for nothing", func(p *portable.Plan) {
			b := *buffer(p, "w_up@0")
			b.ID, b.Consumers, b.Lineage = "more", nil, unasked()
			p.Buffers = append(p.Buffers, b)
		}, "buffer-without-source"},
		{"a task without sources", func(p *portable.Plan) { done(p, "act@0").Lineage.Sources = nil }, "lineage-kind-invalid"},
		{"a buffer without sources", func(p *portable.Plan) { buffer(p, "h@0").Lineage.Sources = nil }, "lineage-kind-invalid"},
		{"no inputs", func(p *portable.Plan) { p.Inputs = p.Inputs[:1] }, "result-output-changed"},
		{"an output for an input", func(p *portable.Plan) { p.Inputs[0] = p.Outputs[0] }, "result-output-changed"},
		{"weights for an input", func(p *portable.Plan) { p.Inputs = append(p.Inputs, buffer(p, "w_up@0").ID) }, "result-output-changed"},
		{"an output more", func(p *portable.Plan) { p.Outputs = append(p.Outputs, buffer(p, "a@0").ID) }, "result-output-changed"},
		{"the needs of another task", func(p *portable.Plan) { done(p, "up@0").Needs = []string{"all-reduce"} }, "implementation-requirement-missing"},
		{"a symbol that there is not", func(p *portable.Plan) { p.Bindings = append(p.Bindings, portable.Binding{Symbol: "Z", Value: 5}) }, "symbol-undeclared"},
		{"terms that are reduced twice", func(p *portable.Plan) {
			k := done(p, "down.all-reduce")
			k.Inputs = append(k.Inputs, k.Inputs[0])
		}, "task-duplicate-input"},
		{"a result that is written twice", func(p *portable.Plan) {
			k := done(p, "down.all-reduce")
			k.Outputs = append(k.Outputs, k.Outputs[0])
		}, "task-duplicate-output"},
		{"weights that are a value", func(p *portable.Plan) { buffer(p, "x@0").Role = "constant" }, "result-role-changed"},
		{"a rank twice", func(p *portable.Plan) { done(p, "down.all-reduce").Ranks = []int64{0, 1, 1} }, "task-duplicate-rank"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := planned(t, d, PlanOptions{Bindings: []portable.Binding{{Symbol: "M", Value: 4}}})
			c.forge(p)
			p.Digest = ""
			if diff := cmp.Diff([]string{c.want}, codes(t, p, d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// forgedPlans judges forgeries of a plan beside the portable plan that it was made
// from.
func forgedPlans(t *testing.T, s *scheduling, all []forgery[*ir.Plan]) {
	t.Helper()
	made := s.scheduled(t)
	set, err := rulesOf(ir.PlanSchema)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			p := copied(t, made)
			c.forge(p)
			p.Digest = ""
			v, err := set.JudgeDocument(context.Background(), again(t, p), rules.Options{Parent: read(t, s.Portable)})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range v.Findings {
				got = append(got, f.Code)
			}
			slices.Sort(got)
			if diff := cmp.Diff([]string{c.want}, slices.Compact(got)); diff != "" {
				t.Errorf("(-want +got):\n%s\n%v", diff, found(v.Findings))
			}
		})
	}
}

// What is forged in a plan for GPUs is found, and told once.
func TestForgedSchedules(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "bf16"})
	named := func(p *ir.Plan, name string) *ir.Command {
		return byName(t, p.Program.Commands, func(c *ir.Command) string { return c.Name }, name)
	}
	lineage := func(p *ir.Plan, kind, of string) *ir.Lineage {
		l := &ir.Lineage{Kind: kind, Transform: "forge", Reason: "why not"}
		if of != "" {
			l.Sources = named(p, of).Lineage.Sources
		}
		return l
	}
	// inPlace does something more to what act has made, before down reads it.
	inPlace := func(p *ir.Plan, kind, of string) {
		act, down := named(p, "act@0"), named(p, "down@0")
		c := *down
		c.ID, c.Name, c.Op, c.Lineage = p.Symbols.String("command:more"), "more", "model.relu", lineage(p, kind, of)
		c.Reads, c.Writes, c.Signals = act.Writes, act.Writes, nil
		at := slices.IndexFunc(p.Program.Commands, func(c ir.Command) bool { return c.Name == "down@0" })
		p.Program.Commands = slices.Insert(p.Program.Commands, at, c)
	}
	// twice reduces what is reduced.
	twice := func(p *ir.Plan, kind, of string) {
		l := lineage(p, kind, of)
		for _, rank := range []string{"0", "1"} {
			c := *named(p, "down.all-reduce@"+rank)
			c.ID, c.Name, c.Lineage = p.Symbols.String("command:more"+rank), "more"+rank, l
			c.Reads, c.After, c.Waits = c.Writes, []ir.ID{named(p, "down.all-reduce@"+rank).ID}, nil
			p.Program.Commands = append(p.Program.Commands, c)
		}
	}
	forgedPlans(t, onA100(t, m, strategy(m, 2, []string{"column", "row"}), rows), []forgery[*ir.Plan]{
		{"a launch more that is generated", func(p *ir.Plan) { inPlace(p, "generated", "") }, "command-without-task"},
		{"a launch more that is generated for a task", func(p *ir.Plan) { inPlace(p, "generated", "act@0") }, "command-without-task"},
		{"a launch more that does its task again", func(p *ir.Plan) { inPlace(p, "decomposed", "act@0") }, "task-covered-twice"},
		{"a launch more for the task that reads", func(p *ir.Plan) { inPlace(p, "decomposed", "down@0") }, "command-access-changed"},
		{"an all-reduce more that is generated", func(p *ir.Plan) { twice(p, "generated", "") }, "command-without-task"},
		{"an all-reduce more of the same task", func(p *ir.Plan) { twice(p, "decomposed", "down.all-reduce@0") }, "task-covered-twice"},
		{"a buffer for two", func(p *ir.Plan) {
			h := byName(t, p.Program.Buffers, func(b *ir.Buffer) string { return b.Name }, "h@0")
			h.Lineage.Sources = append(h.Lineage.Sources, named(p, "act@0").Writes[0])
		}, "lineage-source-differs"},
		{"a launch that says it was generated", func(p *ir.Plan) { named(p, "act@0").Lineage = lineage(p, "generated", "act@0") }, "command-without-task"},
	})
}

// What is forged in a plan for a chip is found, and told once.
func TestForgedChips(t *testing.T) {
	s := onChip(t, "mlp", example.ModelSize{Hidden: 32, FFN: 64, DType: "bf16"}, 2, 2, 4)
	copyOf := func(p *ir.Plan, reader func(*ir.Command) bool) *ir.Buffer {
		for i := range p.Program.Buffers {
			b := &p.Program.Buffers[i]
			if b.Lineage.Kind == level.Generated && slices.ContainsFunc(p.Program.Commands, func(c ir.Command) bool {
				return reader(&c) && slices.Contains(c.Reads, b.ID)
			}) {
				return b
			}
		}
		t.Fatal("there is no copy")
		return nil
	}
	// before issues c on the unit of the command at place i, which comes behind it as
	// everything that the chip does later does.
	before := func(p *ir.Plan, c ir.Command, i int) {
		x := p.Program.Extension.Spatial
		next := &p.Program.Commands[i]
		next.After = append(next.After, c.ID)
		at := slices.IndexFunc(x.Slots, func(s ir.Slot) bool { return s.Command == next.ID })
		slot := x.Slots[at]
		slot.Command = c.ID
		const long = 10000
		for j := range x.Slots {
			if x.Slots[j].Cycle >= slot.Cycle {
				x.Slots[j].Cycle += long
			}
		}
		for j := range x.Routes {
			for k := range x.Routes[j].Hops {
				if hop := &x.Routes[j].Hops[k]; hop.Depart >= slot.Cycle {
					hop.Depart += long
				}
			}
		}
		x.Slots = append(x.Slots, slot)
	}
	sum := func(c *ir.Command) bool { return c.Function() == "sum" }
	product := func(c *ir.Command) bool { return c.Function() == "model.linear" }
	forgedPlans(t, s, []forgery[*ir.Plan]{
		{"a copy of a partial that is too small", func(p *ir.Plan) { copyOf(p, sum).Size = 16 }, "buffer-shrunk"},
		{"a copy that does not say so and is too small", func(p *ir.Plan) {
			b := copyOf(p, sum)
			b.Size, b.Lineage.Sources = 16, nil
		}, "buffer-shrunk"},
		{"a copy of a value that is too small", func(p *ir.Plan) { copyOf(p, product).Size = 16 }, "buffer-shrunk"},
		{"a copy that is less aligned", func(p *ir.Plan) {
			copyOf(p, product).Alignment = 8
			for i := range p.Program.Regions { // the other buffers ask for it themselves
				p.Program.Regions[i].Alignment = 1
			}
		}, "buffer-alignment-weakened"},
		{"a copy that another launch writes", func(p *ir.Plan) {
			b := copyOf(p, product)
			i := slices.IndexFunc(p.Program.Commands, func(c ir.Command) bool { return product(&c) && slices.Contains(c.Reads, b.ID) })
			c := p.Program.Commands[i]
			c.ID, c.Reads, c.Writes = p.Symbols.String("command:more"), []ir.ID{b.ID}, []ir.ID{b.ID}
			c.Lineage = &ir.Lineage{Kind: level.Decomposed, Transform: "forge", Sources: c.Lineage.Sources}
			p.Program.Commands = slices.Insert(p.Program.Commands, i, c)
			before(p, c, i+1)
		}, "command-access-changed"},
		{"a sum more", func(p *ir.Plan) {
			i := slices.IndexFunc(p.Program.Commands, func(c ir.Command) bool { return sum(&c) })
			c := p.Program.Commands[i]
			c.ID = p.Symbols.String("command:more")
			p.Program.Commands = slices.Insert(p.Program.Commands, i, c)
			before(p, c, i+1)
		}, "task-covered-twice"},
		{"no slots and no routes", func(p *ir.Plan) { p.Program.Extension = nil }, "target-extension-wrong-family"},
	})
}

// A document of any level is held to the digest that it states.
func TestStatedDigests(t *testing.T) {
	for _, l := range levels.All() {
		b := l.New()
		b.Head().Schema = l.Schema
		b.Head().Digest = "sha256:" + strings.Repeat("0", 64)
		set, diags := rules.LoadFor(l.Schema, nil)
		if set == nil {
			t.Fatal(diags)
		}
		v, err := set.JudgeDocument(context.Background(), facts.OfLevel(b, nil), rules.Options{})
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, f := range v.Findings {
			if f.Code == "digest-mismatch" {
				told++
			}
		}
		if told != 1 {
			t.Errorf("%s: a wrong digest is told %d times", l.Schema, told)
		}
	}
}
