package irtext_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/poly"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/model"
	"plancheck/ir/task"
)

// drawer draws documents that decode, however little sense they make.
type drawer struct{ *rapid.T }

func (d drawer) of(name string, words ...string) string {
	return rapid.SampledFrom(words).Draw(d.T, name)
}

func (d drawer) coin(name string) bool { return rapid.Bool().Draw(d.T, name) }

// ids draws ids of entities, odd ones too, no two alike.
func (d drawer) ids(prefix string, most int) []string {
	n := rapid.IntRange(0, most).Draw(d.T, prefix)
	odd := []string{"x", "y", "tensor", "12", "-3", "a b", "in", "%x", "0..3", "after", "a/b", "a//b", "end.", "é", "true",
		level.ID(prefix, "1"), level.ID(prefix, "2"), level.ID(prefix, "3"), level.ID(prefix, "3")[:len(prefix)+9]}
	all := rapid.Permutation(odd).Draw(d.T, prefix+" ids")
	return all[:n]
}

// some draws a list of some of all, with repeats, or none at all.
func (d drawer) some(name string, all []string) []string {
	if d.coin("no " + name) {
		return nil
	}
	list := []string{}
	for range rapid.IntRange(0, 3).Draw(d.T, name) {
		if len(all) > 0 {
			list = append(list, d.of(name, all...))
		}
	}
	return list
}

func (d drawer) name() string {
	return d.of("name", "", "", "x", "y", "z", "two words", "tensor", "down@0")
}

func (d drawer) shape() []poly.Poly {
	shape := []poly.Poly{}
	for range rapid.IntRange(0, 3).Draw(d.T, "axes") {
		p, err := poly.Parse(d.of("size", "1", "49152", "M", "x", "Mx", "2*M^2*N - 3*M + 1", "-M", "-4", "M + N"))
		if err != nil {
			d.Fatal(err)
		}
		shape = append(shape, p)
	}
	return shape
}

func (d drawer) lineage() *level.Lineage {
	if d.coin("no lineage") {
		return nil
	}
	return &level.Lineage{
		Kind: d.of("kind", level.Root, level.Lowered, level.Generated), Transform: d.of("transform", "", "distribute", "by", "two words"),
		Sources: d.some("sources", []string{"x", "from", level.ID("value", "1"), level.ID("other", "1")}), Reason: d.of("reason", "", "because", "an odd \u202e one"),
	}
}

func (d drawer) model() *model.Model {
	m := &model.Model{Header: level.Header{Schema: model.Schema, Name: d.name()}, Values: []model.Value{}, Ops: []model.Op{}}
	values, ops := d.ids("value", 5), d.ids("op", 4)
	for _, id := range values {
		m.Values = append(m.Values, model.Value{
			ID: id, Name: d.name(), Type: model.Type{Shape: d.shape(), DType: d.of("dtype", "bf16", "i8")},
			Role: d.of("role", "input", "parameter", "activation", "output", "kv_cache"),
		})
	}
	for _, id := range ops {
		op := model.Op{
			ID: id, Name: d.name(), Kind: d.of("kind", "model.linear", "model.relu", "model.x-y", "linear", "a b.c", "x."),
			Inputs: d.some("inputs", values), Outputs: d.some("outputs", values), After: d.some("after", ops),
		}
		if op.Outputs == nil {
			op.Outputs = []string{}
		}
		if d.coin("effect") {
			op.Effects = []model.Effect{{Kind: "read", Resource: d.of("resource", "cache", "a b")}}
		}
		m.Ops = append(m.Ops, op)
	}
	m.Inputs, m.Outputs = d.some("model inputs", values), d.some("model outputs", values)
	return m
}

func (d drawer) tasks() *task.Distributed {
	p := &task.Distributed{Header: level.Header{Schema: task.Schema, Name: d.name()}, Strategy: task.Strategy{TensorParallel: 1}, Mesh: []task.Axis{}, Values: []task.Value{}, Tasks: []task.Task{}}
	axes, values, tasks := d.ids("mesh", 3), d.ids("value", 4), d.ids("task", 3)
	for _, id := range axes {
		p.Mesh = append(p.Mesh, task.Axis{ID: id, Size: 2})
	}
	ranks := func() []int64 {
		return rapid.SampledFrom([][]int64{{}, {0}, {0, 1, 2, 3}, {3, 4, 5, 1, 1}, {1 << 62, 1<<62 + 1, 1<<62 + 2}}).Draw(d.T, "ranks")
	}
	for _, id := range values {
		v := task.Value{
			ID: id, Name: d.name(), Source: d.of("source", "", "x", level.ID("value", "1")), Shape: d.shape(), DType: d.of("dtype", "bf16", "i8"),
			Role: d.of("role", "input", "parameter", "activation", "output"), Partial: d.some("partial", axes), Reduction: d.of("reduction", "", "sum"),
			Owners: ranks(), Local: d.shape(), Lineage: d.lineage(),
		}
		for _, a := range d.some("sharding", axes) {
			v.Sharding = append(v.Sharding, task.Cut{Dimension: 1, Mesh: a})
		}
		p.Values = append(p.Values, v)
	}
	for _, id := range tasks {
		k := task.Task{
			ID: id, Name: d.name(), Body: d.of("body", "compute", "collective"), Op: d.of("op", "model.linear", "all-reduce", "collective.x", "a b"),
			Ranks: ranks(), Inputs: d.some("inputs", values), Outputs: d.some("outputs", values), After: d.some("after", tasks),
			Reduction: d.of("reduction", "", "sum"), Lineage: d.lineage(),
		}
		if k.Outputs == nil {
			k.Outputs = []string{}
		}
		if d.coin("operations") {
			k.Operations = poly.Symbol("M")
		}
		p.Tasks = append(p.Tasks, k)
	}
	p.Inputs, p.Outputs = d.some("all inputs", values), d.some("all outputs", values)
	return p
}

// Documents that decode survive, be they as odd as they may.
func TestRoundTripRandomDocuments(t *testing.T) {
	for name, draw := range map[string]func(drawer) level.Body{
		"model": func(d drawer) level.Body { return d.model() },
		"tasks": func(d drawer) level.Body { return d.tasks() },
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				body := draw(drawer{r})
				src := diag.NewSource(fmt.Sprintf("drawn %s", name), levels.Encode(body))
				d, diags := facts.Decode(src)
				if d == nil {
					r.Fatalf("%v\n%s", diags, src.Text())
				}
				survives(r, d)
			})
		})
	}
}
