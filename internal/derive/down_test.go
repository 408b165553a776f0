package derive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	binder "plancheck/internal/evidence"
	"plancheck/internal/example"
	"plancheck/internal/execute"
	"plancheck/internal/poly"
	"plancheck/internal/reference"
	"plancheck/internal/tensor"
	"plancheck/ir/level"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/ir/portable"
)

// fromModel is a derivation of a model on the A100 profile without records.
func fromModel(t testing.TB, m *model.Model) Input {
	d := binder.A100Deployment()
	return Input{Model: read(t, m), Target: read(t, binder.A100()), Deployment: read(t, d), Evidence: read(t, binder.NoRecords(d))}
}

// reached is what a derivation is checked by: its levels, and what they are
// compared with.
type reached struct {
	Level  string
	Beside []string
}

// Every level is there, beside what the rules compare it with, and the same input
// gives the same bytes.
func TestDown(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 16, FFN: 32, DType: "bf16"})
	in := fromModel(t, m)
	in.Strategy.TensorParallel = 4
	in.Plan.Bindings = []portable.Binding{{Symbol: "M", Value: 3}}
	ctx := context.Background()
	made, err := Down(ctx, in, MachineLevel)
	if err != nil {
		t.Fatal(err)
	}
	var got []reached
	for _, c := range made {
		s := reached{c.Level, c.Beside}
		if c.Level == PlanLevel { // which documents a plan is compared with is for its rules to say
			s.Beside = nil
		}
		got = append(got, s)
	}
	want := []reached{
		{ModelLevel, nil}, {TargetInput, nil}, {DeploymentInput, []string{TargetInput}}, {EvidenceInput, nil},
		{TaskLevel, []string{ModelLevel}}, {PortableLevel, []string{TaskLevel}},
		{BindingLevel, []string{PortableLevel, TargetInput, DeploymentInput, EvidenceInput}}, {PlanLevel, nil}, {MachineLevel, []string{PlanLevel, PortableLevel, TaskLevel, TargetInput}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again, err := Down(ctx, in, MachineLevel)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range again {
		if !bytes.Equal(facts.Encode(c.Document), facts.Encode(made[i].Document)) {
			t.Errorf("%s has other bytes the second time", c.Level)
		}
	}
	above, err := Down(ctx, in, PortableLevel)
	if err != nil || len(above) != 3 || !bytes.Equal(facts.Encode(above[2].Document), facts.Encode(made[5].Document)) {
		t.Errorf("down to the portable plan there are %d documents, %v", len(above), err)
	}
}

// Display names are names only: no id of any level depends on one.
func TestDownRenamed(t *testing.T) {
	ids := regexp.MustCompile(`"id": "[^"]*"`)
	derived := func(m *model.Model) map[string][]string {
		in := fromModel(t, m)
		in.Strategy.TensorParallel = 2
		in.Plan.Bindings = []portable.Binding{{Symbol: "M", Value: 3}}
		made, err := Down(context.Background(), in, MachineLevel)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string][]string{}
		for _, c := range made {
			all[c.Level] = ids.FindAllString(string(facts.Encode(c.Document)), -1)
		}
		return all
	}
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "bf16"})
	want := derived(m)
	m.Name = "another one"
	for i := range m.Values {
		m.Values[i].Name = fmt.Sprint("value ", i)
	}
	for i := range m.Ops {
		m.Ops[i].Name = ""
	}
	if diff := cmp.Diff(want, derived(m)); diff != "" {
		t.Errorf("after renaming (-before +after):\n%s", diff)
	}
	if len(want[MachineLevel]) < 10 {
		t.Errorf("the program has only %d ids", len(want[MachineLevel]))
	}
}

// A derivation ends where something is wrong, and gives out what is legal.
func TestDownEnds(t *testing.T) {
	m := built(t, "row-parallel", example.ModelSize{Hidden: 4, FFN: 8, DType: "bf16"})
	for _, c := range []struct {
		name   string
		change func(*Input)
		made   int
		want   string // of the error
	}{
		{"a degree that does not divide", func(in *Input) { in.Strategy.TensorParallel = 3 }, 4, "tp-not-divisible"},
		{"a symbol without a value", func(in *Input) { in.Plan.Bindings = nil }, 6, "scalar-symbolic-unbound"},
		{"a deployment of another target", func(in *Input) { in.Deployment = read(t, binder.ChipDeployment()) }, 2, "parent-digest-wrong"},
		{"no cost by the policy", func(in *Input) {
			p := binder.DefaultPolicy("measurements")
			p.Providers = p.Providers[:1]
			in.Policy = &p
		}, 6, "evidence-missing"},
		{"no evidence", func(in *Input) { in.Evidence = nil }, 3, "level machine needs a evidence"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := fromModel(t, m)
			in.Strategy.TensorParallel = 2
			in.Plan.Bindings = []portable.Binding{{Symbol: "M", Value: 3}}
			c.change(&in)
			made, err := Down(context.Background(), in, MachineLevel)
			var refused *Refused
			var illegal *Illegal
			got := fmt.Sprint(err)
			switch {
			case errors.As(err, &refused):
				got = refused.Code
			case errors.As(err, &illegal):
				got = illegal.Findings[0].Code
			}
			if got != c.want || len(made) != c.made {
				t.Errorf("%d documents and %s, want %d and %s", len(made), got, c.made, c.want)
			}
		})
	}
}

// Whatever model, degree and strategy: each op's operations are there in full,
// each all-reduce gives all bytes of its value, the rules pass every level, and
// the program computes what the model means.
func TestDownConserves(t *testing.T) {
	type profile struct{ target, deployment, known *facts.Document }
	gpus, cores := binder.A100Deployment(), binder.ChipDeployment()
	profiles := map[string]profile{
		"a100": {read(t, binder.A100()), read(t, gpus), read(t, binder.NoRecords(gpus))},
		"chip": {read(t, binder.Chip()), read(t, cores), read(t, binder.NoRecords(cores))},
	}
	made, refused := map[string]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"a100", "a100", "a100", "a100", "a100", "chip"}).Draw(t, "target")
		on := profiles[name]
		degree := rapid.SampledFrom([]int64{1, 2, 4, 8}).Draw(t, "degree")
		m := drawChain(t, degree)
		dtype := rapid.SampledFrom([]string{"bf16", "f16", "f32"}).Draw(t, "computed dtype")
		for i := range m.Values {
			m.Values[i].Type.DType = dtype
		}
		rows := rapid.Int64Range(1, 5).Draw(t, "M")
		in := Input{Model: facts.OfLevel(m, nil), Target: on.target, Deployment: on.deployment, Evidence: on.known,
			Strategy: drawStrategy(t, m, degree), Plan: PlanOptions{Bindings: []portable.Binding{{Symbol: "M", Value: rows}}}}
		all, err := Down(context.Background(), in, MachineLevel)
		var no *Refused
		if errors.As(err, &no) && (no.Code == "tp-not-divisible" || no.Code == "reshard-unsupported") {
			refused++
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		made[name]++
		way := &descent{made: all}
		if err := summed(m, way.document(PortableLevel).Body().(*portable.Plan), all, rows, degree); err != nil {
			t.Fatal(err)
		}
		if err := computes(withRows(m, rows), way.document(MachineLevel).Body().(*machine.Program)); err != nil {
			t.Fatal(err)
		}
	})
	if made["a100"] == 0 || made["chip"] == 0 || refused == 0 {
		t.Errorf("%v derivations and %d refusals", made, refused)
	}
}

// summed adds the operations of tasks up by op: 2MNK of a linear op, once or, of
// an elementwise one on whole values, on every rank; and compares messages with
// the bytes of their values.
func summed(m *model.Model, p *portable.Plan, made []Checkpoint, rows, degree int64) error {
	values := map[string]int64{"M": rows}
	number := func(q poly.Poly) int64 {
		b, err := q.Bind(values)
		n, ok := b.Int()
		if err != nil || !ok {
			panic(fmt.Sprint(q, err)) // Plan has bound it
		}
		return n
	}
	dim := func(v string, axis int) int64 {
		x, _ := m.Value(v)
		return number(x.Type.Shape[axis])
	}
	operations, messages := map[string]int64{}, map[string][]int64{}
	for _, k := range p.Tasks {
		op, _ := Origin(made, k.ID)
		operations[op] += number(k.Work.Operations)
		if k.Body == level.Collective {
			messages[op] = append(messages[op], number(k.Work.Message))
		}
	}
	for _, op := range m.Ops {
		x, y := op.Inputs[0], op.Outputs[0]
		if op.Kind != model.Linear {
			each, _ := model.Elementwise(op.Kind)
			once := each * dim(x, 0) * dim(x, 1)
			if got := operations[op.ID]; got != once && got != once*degree {
				return fmt.Errorf("op %s: %d operations, of %d", op.ID, got, once)
			}
			continue
		}
		if want := 2 * dim(x, 0) * dim(x, 1) * dim(y, 1); operations[op.ID] != want {
			return fmt.Errorf("op %s: %d operations, want 2MNK = %d", op.ID, operations[op.ID], want)
		}
		v, _ := m.Value(y)
		size, _ := level.Bytes(v.Type.DType)
		for _, got := range messages[op.ID] {
			if want := dim(y, 0) * dim(y, 1) * size; got != want || len(messages[op.ID]) != 1 {
				return fmt.Errorf("op %s: messages of %d bytes, want one of MKe = %d", op.ID, messages[op.ID], want)
			}
		}
	}
	return nil
}

// withRows is a model with a value for M. What is asked of the reference is not
// to find M in M + 2.
func withRows(m *model.Model, rows int64) *model.Model {
	bound := *m
	bound.Values = slices.Clone(m.Values)
	for i := range bound.Values {
		v := &bound.Values[i]
		v.Type.Shape = slices.Clone(v.Type.Shape)
		for axis := range v.Type.Shape {
			v.Type.Shape[axis], _ = v.Type.Shape[axis].Bind(map[string]int64{"M": rows}) // Plan has done it
		}
	}
	return &bound
}

// computes runs a program on random inputs and compares it with the model.
func computes(m *model.Model, p *machine.Program) error {
	inputs := map[string]*tensor.Tensor{}
	for i, x := range p.Ports {
		if x.Direction != machine.Input || inputs[x.Value] != nil {
			continue
		}
		var err error
		if inputs[x.Value], err = tensor.Random(x.Whole, x.DType, uint64(i), 1); err != nil {
			return err
		}
	}
	memory, err := execute.Run(context.Background(), p, execute.Options{Inputs: inputs})
	if err != nil {
		return err
	}
	ids, outputs, err := memory.Outputs()
	if err != nil {
		return err
	}
	want, err := reference.Evaluate(m, inputs)
	if err != nil {
		return err
	}
	if len(ids) != len(m.Outputs) {
		return fmt.Errorf("%d outputs, want %d", len(ids), len(m.Outputs))
	}
	for _, id := range ids {
		c, err := want.CompareDrawn(id, outputs[id], 8)
		if err != nil {
			return err
		}
		if !c.Within() {
			return fmt.Errorf("output %s: %+v", id, c)
		}
	}
	return nil
}
