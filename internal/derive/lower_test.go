package derive

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/pipeline"
	"plancheck/internal/poly"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/machine"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/rules"
)

func decodedPlan(t testing.TB, data []byte) *ir.Plan {
	t.Helper()
	p, diags := ir.DecodePlan(diag.NewSource("plan.json", data))
	for _, d := range diags {
		t.Fatalf("%s: %s: %s", d.Pos.Pointer, d.Code, d.Message)
	}
	return p
}

func planIn(t testing.TB, name string) *ir.Plan {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return decodedPlan(t, data)
}

// listing is what the sections of a program issue: opcode, command and what the
// instruction is about, with tokens that lowering made by their number.
func listing(p *machine.Program) string {
	var b strings.Builder
	made := map[string]string{}
	token := func(id string) string {
		if strings.HasPrefix(id, "token:") {
			if made[id] == "" {
				made[id] = fmt.Sprint("#", len(made))
			}
			return made[id]
		}
		return id
	}
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "queue %s\n", s.Queue)
		for _, x := range s.Instructions {
			fmt.Fprintf(&b, "  %s %s", x.Opcode.Name, x.Command)
			if x.Token != "" {
				fmt.Fprintf(&b, " %s %s", token(x.Token), x.Lineage.Kind)
			}
			if x.Function != "" {
				fmt.Fprintf(&b, " %s", x.Function)
			}
			for _, o := range x.Operands {
				fmt.Fprintf(&b, " %s %s@%d+%d", o.Access, o.Arena, o.Offset, o.Bytes)
			}
			switch {
			case x.Message != nil:
				fmt.Fprintf(&b, " %s/%d", x.Message.Channel, x.Message.Round)
			case x.Meeting != nil:
				fmt.Fprintf(&b, " %s/%d as %d", x.Meeting.Group, x.Meeting.Round, x.Meeting.Rank)
			case x.Arrival != nil:
				fmt.Fprintf(&b, " %s/%d", x.Arrival.Barrier, x.Arrival.Round)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Every kind of command, tokens of both sorts, dependencies within a queue and
// between two, and a queue that is not ordered.
func TestLower(t *testing.T) {
	plan := planIn(t, "kinds.json")
	p, wrong, err := LowerJudged(context.Background(), facts.OfPlan(plan), Lowering{})
	if err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	const want = `queue q0
  call F0 gelu read hbm0@0+64 write hbm0@64+64
  signal F0 done lowered
  send S0 read hbm0@64+64 act/0
  signal G0 #0 lowered
  signal G1 #1 lowered
  barrier B0 step/0
  wait T0 #2 generated
  copy T0 read hbm0@128+64 write hbm0@192+64
queue q1
  recv R1 write hbm1@0+64 act/0
  call A1 all-reduce read hbm1@0+64 write hbm1@64+64 both/0 as 1
  barrier B1 step/0
  wait W0 #0 lowered
  wait W1 #1 lowered
  signal W1 #3 generated
queue k0
  wait A0 done lowered
  call A0 all-reduce read hbm0@64+64 write hbm0@128+64 both/0 as 0
  signal A0 #2 generated
queue h1
  wait H1 #3 generated
  call H1 log
`
	if diff := cmp.Diff(want, listing(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wantParents := []level.Parent{{Schema: ir.PlanSchema, Digest: ir.PlanDigest(plan)}}
	if diff := cmp.Diff(wantParents, p.Parents); diff != "" {
		t.Error(diff)
	}
	again, err := Lower(plan, Lowering{})
	if err != nil {
		t.Fatal(err)
	}
	if levels.Digest(again) != levels.Digest(p) {
		t.Error("lowering twice gives two programs")
	}
	plan.Name = "another name"
	renamed, err := Lower(plan, Lowering{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p.Sections, renamed.Sections); diff != "" {
		t.Errorf("a name changes the program:\n%s", diff)
	}
}

// extended is a plan with issue orders, an identity, and dependencies that wait
// for nothing.
const extended = `{"schema": "plancheck.concrete-plan/1", "program": {
 "identity": {"abi_revision": "abi-3", "target_fingerprint": "sha256:t"}, "dependencies": "declare",
 "devices": [{"id": "d"}], "queues": [{"id": "q", "device": "d"}, {"id": "r", "device": "d"}], "tokens": [{"id": "t", "consuming": true}],
 "commands": [{"id": "a", "kind": "launch", "queue": "q", "op": "f", "signals": ["t"]},
              {"id": "b", "kind": "launch", "queue": "q", "op": "f", "signals": ["t"]},
              {"id": "c", "kind": "launch", "queue": "r", "op": "f", "after": ["b"], "waits": ["t"]}],
 "target_extension": {"queue": {"orders": [{"queue": "q", "commands": ["b", "a"]}, {"queue": "r", "commands": ["c"]}]}}}}`

// A queue that has an issue order is issued in it; dependencies that are only
// declared make no instructions; and a program has the ABI of its plan, or of the
// target.
func TestLowerWithExtension(t *testing.T) {
	plan := decodedPlan(t, []byte(extended))
	p, err := Lower(plan, Lowering{})
	if err != nil {
		t.Fatal(err)
	}
	const want = `queue q
  call b f
  signal b #0 lowered
  call a f
  signal a #1 lowered
queue r
  wait c #0 lowered
  call c f
`
	if diff := cmp.Diff(want, listing(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p.ABI != "abi-3" || p.Target != "sha256:t" {
		t.Errorf("ABI %s, target %s", p.ABI, p.Target)
	}
	target := &evidence.Target{Header: level.Header{Schema: evidence.TargetSchema}, ABI: "abi-4"}
	if _, err = Lower(plan, Lowering{Target: target}); err == nil || !strings.Contains(err.Error(), "was made for the target with digest sha256:t,") {
		t.Errorf("another target: %v", err)
	}
	plan.Program.Identity.Target = ""
	if p, err = Lower(plan, Lowering{Target: target}); err != nil {
		t.Fatal(err)
	}
	if p.ABI != "abi-4" || p.Target != levels.Digest(target) {
		t.Errorf("ABI %s, target %s", p.ABI, p.Target)
	}
	parents := []level.Parent{{Schema: ir.PlanSchema, Digest: ir.PlanDigest(plan)}, {Schema: evidence.TargetSchema, Digest: levels.Digest(target)}}
	if diff := cmp.Diff(parents, p.Parents); diff != "" {
		t.Error(diff)
	}
}

// What lowering writes is read back the same.
func TestLoweredProgramsAreDocuments(t *testing.T) {
	p, err := Lower(planIn(t, "kinds.json"), Lowering{})
	if err != nil {
		t.Fatal(err)
	}
	text := levels.Encode(p)
	doc, diags := facts.Decode(diag.NewSource("machine.json", text))
	if doc == nil {
		t.Fatal(diags)
	}
	if got := levels.Encode(doc.Body()); string(got) != string(text) {
		t.Errorf("%s\nis read as\n%s", text, got)
	}
}

func TestLowerErrors(t *testing.T) {
	const plan = `{"schema": "plancheck.concrete-plan/1", "program": {
 "devices": [{"id": "d"}], "queues": [{"id": "q", "device": "d"}], "memory_regions": [{"id": "m", "device": "d", "capacity_bytes": 64}],
 "buffers": [{"id": "x", "memory_region": "m", "offset_bytes": 0, "size_bytes": 64}],
 "commands": [{"id": "c", "kind": "launch", "queue": "q", "op": "model.relu", "writes": ["x"]}]}}`
	M, N := poly.Symbol("M"), poly.Int(4)
	buffer := portable.Buffer{ID: "x", Shape: []poly.Poly{M, N}, DType: "f32", Producer: "t", Lineage: &level.Lineage{Sources: []string{"v"}}}
	over := func(bindings []portable.Binding, change func(*portable.Buffer)) *portable.Plan {
		b := buffer
		change(&b)
		return &portable.Plan{Bindings: bindings, Buffers: []portable.Buffer{b}, Outputs: []string{"x"},
			Tasks: []portable.Task{{ID: "t", Op: "model.relu"}}}
	}
	same := func(*portable.Buffer) {}
	bound := []portable.Binding{{Symbol: "M", Value: 2}}
	of := func(change func(*task.Value)) *task.Distributed {
		v := task.Value{ID: "v", Source: "y", Shape: []poly.Poly{M, N}}
		change(&v)
		return &task.Distributed{Mesh: []task.Axis{{ID: "tp", Size: 2}}, Values: []task.Value{v}}
	}
	sound := func(*task.Value) {}
	made := over(bound, same)
	made.Parents = []level.Parent{{Schema: task.Schema, Digest: "sha256:y"}}
	if _, err := Lower(decodedPlan(t, []byte(plan)), Lowering{Portable: over(bound, same), Tasks: of(sound)}); err != nil {
		t.Errorf("all is well: %v", err)
	}
	for _, c := range []struct {
		name, plan string
		with       Lowering
		want       string
	}{
		{"no program", `{"schema": "plancheck.concrete-plan/1", "graph": {"ops": []}}`, Lowering{}, "the plan has no program to lower"},
		{"no queue", strings.Replace(plan, `"queue": "q", `, "", 1), Lowering{}, "command c is on no queue"},
		{"no function", strings.Replace(plan, `"op": "model.relu", `, "", 1), Lowering{}, "command c: it does not say what it does"},
		{"an implementation for a function", strings.NewReplacer(`"op": "model.relu"`, `"op": "lib.relu", "implementation": "lib"`, `"commands"`, `"implementations": [{"id": "lib", "namespace": "lib", "name": "relu"}], "commands"`).Replace(plan),
			Lowering{Portable: over(bound, same)}, "command c: it does lib.relu, but task t, whose result it writes, does model.relu"},
		{"unbound", plan, Lowering{Portable: over(nil, same)}, "command c: buffer x: size M is not known: [M] is not bound"},
		{"bound twice", plan, Lowering{Portable: over(append(bound, portable.Binding{Symbol: "M", Value: 3}), same)}, "symbol M is bound to 2 and to 3"},
		{"another portable plan", strings.Replace(plan, `"program": {`, `"program": {"identity": {"source_portable_digest": "sha256:x"},`, 1), Lowering{Portable: over(bound, same)},
			"the plan was made from the portable plan with digest sha256:x, and the one that is given has " + levels.Digest(over(bound, same))},
		{"other tasks", plan, Lowering{Portable: made, Tasks: of(sound)},
			"the portable plan was made from the tasks with digest sha256:y, and those that are given have " + levels.Digest(of(sound))},
		{"other buffers", plan, Lowering{Portable: over(bound, func(b *portable.Buffer) { b.ID = "z" })}, "the plan has no buffer of the portable plan"},
		{"no lineage", plan, Lowering{Portable: over(bound, func(b *portable.Buffer) { b.Lineage = nil }), Tasks: of(sound)},
			"buffer x: its lineage names no value of the distributed model"},
		{"no value of the model", plan, Lowering{Portable: over(bound, same), Tasks: of(func(v *task.Value) { v.Source = "" })}, "buffer x: value v is no value of the model"},
		{"partial", plan, Lowering{Portable: over(bound, same), Tasks: of(func(v *task.Value) { v.Partial = []string{"tp"} })}, "buffer x: value v is partial: its owners have terms of it"},
		{"rank", plan, Lowering{Portable: over(bound, func(b *portable.Buffer) { b.Rank = 2 }), Tasks: of(sound)}, "buffer x: the mesh has no rank 2"},
		{"cut", plan, Lowering{Portable: over(bound, same), Tasks: of(func(v *task.Value) { v.Sharding = []task.Cut{{Dimension: 2, Mesh: "tp"}} })},
			"buffer x: value v is cut along axis 2, which it does not have"},
	} {
		p, err := Lower(decodedPlan(t, []byte(c.plan)), c.with)
		if err == nil || err.Error() != c.want || p != nil {
			t.Errorf("%s: the error is %v, want %q", c.name, err, c.want)
		}
	}
}

// The shard of a rank, along one axis, along two, and along one by two axes of
// the mesh.
func TestShardOf(t *testing.T) {
	mesh := []task.Axis{{ID: "dp", Size: 2}, {ID: "tp", Size: 3}}
	for _, c := range []struct {
		sharding []task.Cut
		rank     int64
		want     []int64
	}{
		{nil, 4, []int64{0, 0}},
		{[]task.Cut{{Dimension: 1, Mesh: "tp"}}, 4, []int64{0, 1}},
		{[]task.Cut{{Dimension: 1, Mesh: "tp"}, {Dimension: 0, Mesh: "dp"}}, 5, []int64{1, 2}},
		{[]task.Cut{{Dimension: 0, Mesh: "dp"}, {Dimension: 0, Mesh: "tp"}}, 5, []int64{5, 0}},
		{[]task.Cut{{Dimension: 0, Mesh: "tp"}, {Dimension: 0, Mesh: "dp"}}, 3, []int64{1, 0}},
	} {
		v := &task.Value{ID: "v", Shape: []poly.Poly{poly.Int(6), poly.Int(6)}, Sharding: c.sharding}
		got, err := shardOf(mesh, v, c.rank)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("rank %d of %v: %s", c.rank, c.sharding, diff)
		}
	}
}

// schedules are pipeline schedules of several families, with channels that have
// places and that have none.
func schedules(t *testing.T) []*ir.Plan {
	t.Helper()
	var all []*ir.Plan
	for _, g := range pipeline.Generators() {
		size := pipeline.Size{Ranks: 2, Microbatches: 4, Chunks: 1}
		if g.Interleaves {
			size.Chunks = 2
		}
		s, err := g.Make(size)
		if err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		options := pipeline.DefaultOptions()
		p, err := s.Plan(g.Name, options)
		if err != nil {
			t.Fatalf("%s: %v", g.Name, err)
		}
		all = append(all, p)
	}
	return append(all, planIn(t, "kinds.json"), decodedPlan(t, []byte(extended)))
}

// Whatever is taken out of a program, or changes its place with a neighbour of
// another command, the rules miss it; what they are given as it is they pass.
func TestNothingIsLostUnseen(t *testing.T) {
	set, err := rulesOf(machine.Schema)
	if err != nil {
		t.Fatal(err)
	}
	plans := schedules(t)
	broken := func(t interface{ Fatal(...any) }, plan *ir.Plan, p *machine.Program) []string {
		parent := facts.OfPlan(plan)
		v, err := set.JudgeDocument(context.Background(), facts.OfLevel(p, nil), rules.Options{Parent: parent})
		if err != nil {
			t.Fatal(err)
		}
		var codes []string
		for _, f := range v.Findings {
			if f.Severity == diag.Error {
				codes = append(codes, f.Code)
			}
		}
		return codes
	}
	lowered := map[*ir.Plan]*machine.Program{}
	for _, plan := range plans {
		p, err := Lower(plan, Lowering{})
		if err != nil {
			t.Fatalf("%s: %v", plan.Name, err)
		}
		if got := broken(t, plan, p); got != nil {
			t.Errorf("%s: %v", plan.Name, got)
		}
		lowered[plan] = p
	}
	rapid.Check(t, func(t *rapid.T) {
		plan := rapid.SampledFrom(plans).Draw(t, "plan")
		p := *lowered[plan]
		p.Sections = slices.Clone(p.Sections)
		s := &p.Sections[rapid.IntRange(0, len(p.Sections)-1).Draw(t, "section")]
		s.Instructions = slices.Clone(s.Instructions)
		i := rapid.IntRange(0, len(s.Instructions)-1).Draw(t, "instruction")
		x := s.Instructions[i]
		if rapid.Bool().Draw(t, "swap") {
			if i == 0 || s.Instructions[i-1].Command == x.Command && ordersOnly(s.Instructions[i-1]) && ordersOnly(x) &&
				s.Instructions[i-1].Opcode == x.Opcode {
				return // two waits, or two signals, of one command have no order
			}
			s.Instructions[i-1], s.Instructions[i] = x, s.Instructions[i-1]
		} else {
			if x.Opcode.Name == machine.Signal && !waited(&p, x.Token) {
				return // nobody misses it
			}
			s.Instructions = slices.Delete(s.Instructions, i, i+1)
		}
		if got := broken(t, plan, &p); got == nil {
			t.Fatalf("%s: nobody misses %s of %s at place %d of section %s", plan.Name, x.Opcode.Name, x.Command, i, s.ID)
		}
	})
}

func ordersOnly(x machine.Instruction) bool {
	return x.Opcode.Name == machine.Wait || x.Opcode.Name == machine.Signal
}

func waited(p *machine.Program, token string) bool {
	for _, s := range p.Sections {
		for _, x := range s.Instructions {
			if x.Opcode.Name == machine.Wait && x.Token == token {
				return true
			}
		}
	}
	return false
}
