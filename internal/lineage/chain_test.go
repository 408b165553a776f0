package lineage

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"plancheck/facts"
	"plancheck/internal/derive"
	"plancheck/internal/diag"
	bind "plancheck/internal/evidence"
	"plancheck/internal/example"
	"plancheck/internal/simulate"
	"plancheck/ir"
	"plancheck/ir/evidence"
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

// derivedFrom makes a model's documents by the passes; but for the plan, whose
// commands are one for each task and rank, on a queue for each kind of task.
func derivedFrom(t testing.TB, m *model.Model, ranks int64) chain {
	t.Helper()
	ctx := context.Background()
	var c chain
	c[modelLevel] = reread(t, "model.json", levels.Encode(m))
	var err error
	if c[taskLevel], err = derive.Distribute(byRows(m, ranks)).Apply(ctx, c[modelLevel]); err != nil {
		t.Fatal(err)
	}
	c[taskLevel] = reread(t, "tasks.json", derive.Encode(c[taskLevel]))
	if c[portableLevel], err = derive.Plan(derive.PlanOptions{Bindings: []portable.Binding{{Symbol: "M", Value: 4}}}).Apply(ctx, c[taskLevel]); err != nil {
		t.Fatal(err)
	}
	c[portableLevel] = reread(t, "portable.json", derive.Encode(c[portableLevel]))
	p := c[portableLevel].Body().(*portable.Plan)
	d := bind.A100Deployment()
	bound, err := bind.Bind(bind.Input{Plan: p, Target: bind.A100(), Deployment: d, Evidence: bind.NoRecords(d), Policy: bind.DefaultPolicy("measurements")})
	if err != nil {
		t.Fatal(err)
	}
	c[bindingLevel] = reread(t, "binding.json", levels.Encode(bound))
	plan := scheduled(c[portableLevel], bound)
	c[planLevel] = reread(t, "plan.json", ir.Encode(plan))
	plan = c[planLevel].Plan()
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

// scheduled is a plan of a binding in the simplest way: every buffer has bytes of
// its own.
func scheduled(doc *facts.Document, bound *evidence.Binding) *ir.Plan {
	p := doc.Body().(*portable.Plan)
	plan := facts.OfPlan(&ir.Plan{Symbols: doc.Symbols, LogicalCores: ir.None}).Plan()
	id := func(format string, args ...any) ir.ID { return plan.Symbols.String(fmt.Sprintf(format, args...)) }
	for _, d := range []*facts.Document{doc, facts.OfLevel(bound, nil)} {
		plan.Parents = append(plan.Parents, ir.Parent{Schema: d.Schema, Digest: d.Digest()})
	}
	lineage := func(kind, source string) *ir.Lineage {
		return &ir.Lineage{Kind: kind, Transform: "schedule", Sources: []ir.ID{id("%s", source)}}
	}
	program := &ir.Program{}
	plan.Program = program
	all := []int64{}
	values := map[string]int64{}
	for _, b := range p.Bindings {
		values[b.Symbol] = b.Value
	}
	next := map[int64]int64{}
	for _, b := range p.Buffers {
		if int(b.Rank) == len(all) {
			r := b.Rank
			all = append(all, r)
			program.Devices = append(program.Devices, ir.Device{ID: id("gpu%d", r), Rank: r})
			for _, kind := range []string{"compute", "collective"} {
				program.Queues = append(program.Queues, ir.Queue{ID: id("gpu%d.%s", r, kind), Device: id("gpu%d", r), Kind: kind})
			}
			program.Regions = append(program.Regions, ir.Region{ID: id("gpu%d.hbm", r), Device: id("gpu%d", r), Capacity: 1 << 20, Alignment: 16})
		}
		size, _ := b.Size.Bind(values)
		bytes, _ := size.Int()
		program.Buffers = append(program.Buffers, ir.Buffer{ID: id("%s", b.ID), Region: id("gpu%d.hbm", b.Rank), Offset: next[b.Rank], Size: bytes, Alignment: 16,
			Initialised: b.Producer == "", Kept: b.Role == "output", Lineage: lineage("lowered", b.ID)})
		next[b.Rank] += (bytes + 15) / 16 * 16
	}
	program.WorldSize = int64(len(all))
	program.Groups = []ir.Group{{ID: id("all"), Ranks: all}}
	rank := map[string]int64{}
	for _, b := range p.Buffers {
		rank[b.ID] = b.Rank
	}
	var last map[int64]ir.ID = map[int64]ir.ID{}
	for _, t := range p.Tasks {
		for _, r := range t.Ranks {
			own := func(ids []string) (mine []ir.ID) {
				for _, b := range ids {
					if rank[b] == r {
						mine = append(mine, id("%s", b))
					}
				}
				return mine
			}
			c := ir.Command{Kind: ir.KindLaunch, Queue: id("gpu%d.%s", r, t.Body), Op: t.Op, Reads: own(t.Inputs), Writes: own(t.Outputs),
				Bytes: ir.None, Stage: ir.None, Microbatch: ir.None, Lineage: lineage("lowered", t.ID)}
			c.ID = id("%s", level.ID("command", t.ID))
			if t.Body == task.Collective {
				c.ID = id("%s", level.ID("command", t.ID, fmt.Sprint(r)))
				c.Kind, c.Group, c.Lineage = ir.KindCollective, id("all"), lineage("decomposed", t.ID)
			}
			if before := last[r]; before != ir.NoID {
				c.After = []ir.ID{before}
			}
			last[r] = c.ID
			program.Commands = append(program.Commands, c)
		}
	}
	return plan
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

func rowParallel(t testing.TB) *model.Model {
	t.Helper()
	m, err := example.BuildModel("row-parallel", example.ModelSize{Hidden: 8, FFN: 16, DType: "f16"})
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

func TestDump(t *testing.T) {
	x := opened(t, derivedFrom2(t)...)
	t.Log("\n" + trailOf(t, x, "y", "").Text(false))
	t.Log("\n" + trailOf(t, x, "x", "").Text(false))
	t.Log("\n" + string(trailOf(t, x, "x", "").JSON("x")))
}
func derivedFrom2(t testing.TB) []*facts.Document {
	c := derivedFrom(t, rowParallel(t), 4)
	return c[:]
}
