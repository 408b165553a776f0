package lineage

import (
	"context"
	"slices"
	"sync"
	"testing"

	"plancheck/facts"
	"plancheck/internal/derive"
	"plancheck/internal/diag"
	bind "plancheck/internal/evidence"
	"plancheck/internal/example"
	"plancheck/internal/simulate"
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/model"
	"plancheck/ir/observation"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// chain are the documents of a derivation, from the model to what was observed,
// by their levels.
type chain [levelCount]*facts.Document

// derivedFrom makes a model's documents by the passes, on GPUs.
func derivedFrom(t testing.TB, m *model.Model, ranks int64) chain {
	t.Helper()
	ctx := context.Background()
	var c chain
	c[modelLevel] = reread(t, "model.json", levels.Encode(m))
	var err error
	if c[taskLevel], err = derive.Distribute(byRows(m, ranks)).Apply(ctx, c[modelLevel]); err != nil {
		t.Fatal(err)
	}
	c[taskLevel] = reread(t, "tasks.json", facts.Encode(c[taskLevel]))
	if c[portableLevel], err = derive.Plan(derive.PlanOptions{Bindings: []portable.Binding{{Symbol: "M", Value: 4}}}).Apply(ctx, c[taskLevel]); err != nil {
		t.Fatal(err)
	}
	c[portableLevel] = reread(t, "portable.json", facts.Encode(c[portableLevel]))
	p := c[portableLevel].Body().(*portable.Plan)
	d := bind.A100Deployment()
	bound, err := bind.Bind(bind.Input{Plan: p, Target: bind.A100(), Deployment: d, Evidence: bind.NoRecords(d), Policy: bind.DefaultPolicy("measurements")})
	if err != nil {
		t.Fatal(err)
	}
	c[bindingLevel] = reread(t, "binding.json", levels.Encode(bound))
	with := derive.Scheduling{Portable: p, Target: bind.A100(), Deployment: d}
	if c[planLevel], err = derive.Schedule(with).Apply(ctx, c[bindingLevel]); err != nil {
		t.Fatal(err)
	}
	c[planLevel] = reread(t, "plan.json", facts.Encode(c[planLevel]))
	plan := c[planLevel].Plan()
	program, err := derive.Lower(plan, derive.Lowering{Portable: p, Tasks: c[taskLevel].Body().(*task.Distributed)})
	if err != nil {
		t.Fatal(err)
	}
	c[machineLevel] = reread(t, "machine.json", levels.Encode(program))
	var table simulate.Table
	table.Schema = simulate.TableSchema
	for _, command := range plan.Program.Commands {
		takes := int64(310_000_000)
		if command.Kind == ir.KindCollective {
			takes = 132_000_000
		}
		table.Durations = append(table.Durations, simulate.Duration{Command: plan.Text(command.ID), Picoseconds: takes})
	}
	costs, err := simulate.FromTable(plan, &table)
	if err != nil {
		t.Fatal(err)
	}
	result, err := simulate.Run(simulate.Input{Plan: plan, Durations: costs.Durations})
	if err != nil {
		t.Fatal(err)
	}
	c[timelineLevel] = reread(t, "timeline.json", levels.Encode(simulate.Bundle(plan, costs, result)))
	seen := &observation.Set{Header: level.Header{Schema: observation.Schema, Parents: []level.Parent{{Schema: ir.PlanSchema, Digest: ir.PlanDigest(plan)}}},
		Run: "r1", Clock: "device", Repeats: 2}
	for i, command := range plan.Program.Commands {
		for n := range int64(2) {
			seen.Records = append(seen.Records, observation.Observed{Command: plan.Text(command.ID), Repetition: n, Start: -1, Duration: 300_000_000 + int64(i/int(ranks))*1_000_000 + 10_000_000*n})
		}
	}
	c[observationLevel] = reread(t, "observations.json", levels.Encode(seen))
	return c
}

// chains are those of the row-parallel model by their ranks: nothing changes them.
var chains sync.Map

// rowParallel is the chain of the built-in model of that name.
func rowParallel(t testing.TB, ranks int64) chain {
	t.Helper()
	if c, ok := chains.Load(ranks); ok {
		return c.(chain)
	}
	c := derivedFrom(t, small(t, "row-parallel"), ranks)
	chains.Store(ranks, c)
	return c
}

// byRows cuts the last linear op of a model by rows, so that its terms are summed.
func byRows(m *model.Model, ranks int64) task.Strategy {
	s := task.Strategy{TensorParallel: ranks}
	for _, o := range slices.Backward(m.Ops) {
		if o.Kind == model.Linear {
			s.Linear = []task.OpCut{{Op: o.ID, Cut: task.Row}}
			break
		}
	}
	return s
}

// reread is a document as it is read from a file.
func reread(t testing.TB, name string, text []byte) *facts.Document {
	t.Helper()
	d, diags := facts.Decode(diag.NewSource(name, text))
	if d == nil {
		t.Fatalf("%s: %v", name, diags)
	}
	return d
}

// small is one of the built-in models, with few columns.
func small(t testing.TB, name string) *model.Model {
	t.Helper()
	m, err := example.BuildModel(name, example.ModelSize{Hidden: 8, FFN: 16, DType: "f16"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func opened(t testing.TB, documents ...*facts.Document) *Index {
	t.Helper()
	x, diags := Open(documents)
	if x == nil {
		t.Fatal(diags)
	}
	return x
}

func trailOf(t testing.TB, x *Index, word, level string) *Trail {
	t.Helper()
	asked, err := x.Find(word, level)
	if err != nil {
		t.Fatal(err)
	}
	return x.Trail(asked)
}
