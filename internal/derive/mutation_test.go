package derive

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/example"
	"plancheck/internal/poly"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/model"
	"plancheck/ir/task"
	"plancheck/rules"
)

// codes are those of the findings about a document beside its parent.
func codes(t *testing.T, child, parent level.Body) []string {
	t.Helper()
	found, err := judged(context.Background(), read(t, child), read(t, parent))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range errorsOf(found) {
		all = append(all, f.Code)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// What is done to the distribution of a feed-forward part is found, by the rule
// that is about it, and as one cause.
func TestMutations(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"})
	fresh := func() *task.Distributed { return distributed(t, m, task.Strategy{TensorParallel: 4}) }
	value := func(d *task.Distributed, name string) *task.Value {
		for i := range d.Values {
			if d.Values[i].Name == name {
				return &d.Values[i]
			}
		}
		t.Fatalf("no value %s", name)
		return nil
	}
	named := func(d *task.Distributed, name string) *task.Task {
		for i := range d.Tasks {
			if d.Tasks[i].Name == name {
				return &d.Tasks[i]
			}
		}
		t.Fatalf("no task %s", name)
		return nil
	}
	for _, c := range []struct {
		name   string
		change func(d *task.Distributed)
		want   []string
	}{
		{"nothing", func(*task.Distributed) {}, nil},
		{"an owner of a shard is missing", func(d *task.Distributed) { value(d, "w_up").Owners = []int64{0, 1, 3} }, []string{"owner-set-wrong"}},
		{"an owner of a whole is missing", func(d *task.Distributed) { value(d, "x").Owners = []int64{0, 1, 3} }, []string{"cross-rank-use-without-communication"}},
		{"an owner of the result is missing", func(d *task.Distributed) { value(d, "y").Owners = []int64{0, 1, 3} }, []string{"ownership-invalid"}},
		{"an owner that there is not", func(d *task.Distributed) { value(d, "x").Owners = []int64{0, 1, 2, 3, 4} }, []string{"rank-unknown"}},
		{"a rank does not compute", func(d *task.Distributed) { named(d, "act").Ranks = []int64{0, 1, 2} }, []string{"ownership-invalid"}},
		{"a rank does not take part in the reduction", func(d *task.Distributed) { named(d, "down.all-reduce").Ranks = []int64{0, 1, 2} }, []string{"collective-group-not-mesh-slice"}},
		{"the reduction is dropped", func(d *task.Distributed) {
			d.Tasks = d.Tasks[:3]
			d.Outputs = []string{value(d, "y.terms").ID}
		}, []string{"dataflow-missing-definition", "partial-consumed-unreduced"}},
		{"terms are called the result", func(d *task.Distributed) {
			d.Tasks = d.Tasks[:3]
			d.Tasks[2].Outputs = []string{value(d, "y").ID}
			d.Values = slices.DeleteFunc(d.Values, func(v task.Value) bool { return v.Name == "y.terms" })
		}, []string{"partial-sum-wrong"}},
		{"the reduction is by max", func(d *task.Distributed) { named(d, "down.all-reduce").Reduction = "max" }, []string{"reduction-kind-wrong"}},
		{"the terms are of a max", func(d *task.Distributed) {
			value(d, "y.terms").Reduction = "max"
			named(d, "down.all-reduce").Reduction = "max"
		}, []string{"reduction-kind-wrong"}},
		{"the reduction is done twice", func(d *task.Distributed) {
			again := *named(d, "down.all-reduce")
			v := *value(d, "y")
			again.ID, v.ID = "again", "twice"
			again.Inputs, again.Outputs = []string{value(d, "y").ID}, []string{"twice"}
			d.Values, d.Tasks, d.Outputs = append(d.Values, v), append(d.Tasks, again), []string{"twice"}
		}, []string{"partial-reduced-twice"}},
		{"a shard of the wrong size", func(d *task.Distributed) { value(d, "w_up").Local[1] = poly.Int(5) }, []string{"shard-does-not-tile"}},
		{"a value of the wrong size", func(d *task.Distributed) {
			value(d, "x").Shape, value(d, "x").Local = []poly.Poly{poly.Int(7), poly.Int(8)}, []poly.Poly{poly.Int(7), poly.Int(8)}
		}, []string{"result-shape-changed"}},
		{"a value of another type", func(d *task.Distributed) { value(d, "h").DType = "bf16" }, []string{"result-shape-changed"}},
		{"fewer bytes in the message", func(d *task.Distributed) { named(d, "down.all-reduce").MessageBytes = poly.Int(64) }, []string{"message-volume-not-conserved"}},
		{"no bytes in the message", func(d *task.Distributed) { named(d, "down.all-reduce").MessageBytes = poly.Poly{} }, []string{"message-volume-not-conserved"}},
		{"the work of the whole on each rank", func(d *task.Distributed) {
			down := named(d, "down")
			down.Operations, _ = down.Operations.Mul(poly.Int(4))
		}, []string{"flops-not-conserved"}},
		{"no work", func(d *task.Distributed) { named(d, "act").Operations = poly.Poly{} }, []string{"flops-not-conserved"}},
		{"another activation", func(d *task.Distributed) { named(d, "act").Op = "model.relu" }, []string{"operation-changed"}},
		{"the activation is left out", func(d *task.Distributed) {
			named(d, "down").Inputs[0] = value(d, "h").ID
			d.Tasks = slices.DeleteFunc(d.Tasks, func(t task.Task) bool { return t.Name == "act" })
			d.Values = slices.DeleteFunc(d.Values, func(v task.Value) bool { return v.Name == "a" })
		}, []string{"lineage-unconsumed", "operation-changed"}},
		{"another mesh", func(d *task.Distributed) { d.Mesh[0].Size = 2 }, []string{"world-size-mismatch"}},
		{"no strategy", func(d *task.Distributed) { d.Strategy.TensorParallel = 1 }, []string{"world-size-mismatch"}},
		{"a cut that is forgotten", func(d *task.Distributed) {
			h := value(d, "h")
			h.Sharding, h.Local[1] = nil, h.Shape[1]
		}, []string{"reshard-incomplete"}},
		{"terms that come from nowhere", func(d *task.Distributed) {
			value(d, "y.terms").Role = "input"
			d.Tasks = slices.DeleteFunc(d.Tasks, func(t task.Task) bool { return t.Name == "down" })
		}, []string{"lineage-unconsumed", "result-role-changed"}},
		{"lineage of another value", func(d *task.Distributed) { value(d, "h").Lineage.Sources = value(d, "a").Lineage.Sources }, []string{"lineage-source-differs"}},
		{"tasks in the wrong order", func(d *task.Distributed) { slices.Reverse(d.Tasks) }, []string{"dataflow-use-before-definition"}},
		{"another model", func(d *task.Distributed) { d.Parents[0].Digest = "sha256:0" }, []string{"parent-digest-wrong"}},
		{"no model", func(d *task.Distributed) { d.Parents = nil }, []string{"parent-digest-missing"}},
		{"no lineage", func(d *task.Distributed) { value(d, "h").Lineage = nil }, []string{"lineage-missing"}},
		{"lineage of what is not there", func(d *task.Distributed) { named(d, "act").Lineage.Sources = []string{"gone"} }, []string{"lineage-dangling"}},
		{"another strategy", func(d *task.Distributed) { d.Strategy.Linear[0].Cut = task.Row }, []string{"strategy-not-followed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := fresh()
			c.change(d)
			d.Digest = ""
			if diff := cmp.Diff(c.want, codes(t, d, m)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	d := fresh()
	value(d, "x").Name = "another"
	if diff := cmp.Diff([]string{"digest-mismatch"}, codes(t, d, m)); diff != "" {
		t.Errorf("a digest of something else (-want +got):\n%s", diff)
	}
	other := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 32, DType: "f32"})
	if got := codes(t, fresh(), other); !slices.Contains(got, "parent-digest-wrong") {
		t.Errorf("beside another model: %v", got)
	}
}

// Whatever single decision of a distribution is changed, a rule finds it.
func TestRandomMutations(t *testing.T) {
	set, err := rulesOf(task.Schema)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		degree := rapid.SampledFrom([]int64{2, 3, 4}).Draw(t, "degree")
		m := drawChain(t, degree)
		d, err := distribute(m, task.Strategy{TensorParallel: degree})
		if err != nil {
			return // the degree does not divide
		}
		kind := mutate(t, d)
		kinds[kind]++
		d.Digest = ""
		verdict, err := set.JudgeDocument(context.Background(), facts.OfLevel(d, nil), rules.Options{Parent: facts.OfLevel(m, nil)})
		if err != nil || len(verdict.Findings) == 0 {
			t.Fatalf("%s: %v, nothing is found:\n%s", kind, err, levels.Encode(d))
		}
	})
	if len(kinds) < 8 {
		t.Errorf("only these mutations: %v", kinds)
	}
}

// mutate changes one decision, and says of which kind.
func mutate(t *rapid.T, d *task.Distributed) string {
	v := &d.Values[rapid.IntRange(0, len(d.Values)-1).Draw(t, "value")]
	k := &d.Tasks[rapid.IntRange(0, len(d.Tasks)-1).Draw(t, "task")]
	without := func(ranks []int64) []int64 {
		i := rapid.IntRange(0, len(ranks)-1).Draw(t, "rank")
		return slices.Delete(slices.Clone(ranks), i, i+1)
	}
	one := poly.Int(1)
	switch rapid.IntRange(0, 11).Draw(t, "kind") {
	case 0:
		v.Owners = without(v.Owners)
		return "owner"
	case 1:
		k.Ranks = without(k.Ranks)
		return "rank"
	case 2:
		k.Operations, _ = k.Operations.Add(one)
		if k.Body == level.Collective {
			k.Operations = poly.Poly{}
			k.MessageBytes, _ = k.MessageBytes.Add(one)
		}
		return "work"
	case 3:
		axis := rapid.IntRange(0, 1).Draw(t, "axis")
		v.Local[axis], _ = v.Local[axis].Add(one)
		return "shard"
	case 4:
		axis := rapid.IntRange(0, 1).Draw(t, "axis")
		v.Shape = slices.Clone(v.Shape) // it is the model's
		v.Shape[axis], _ = v.Shape[axis].Add(one)
		return "shape"
	case 5:
		if v.Sharding == nil {
			v.Sharding = []task.Cut{{Dimension: 1, Mesh: tensorAxis}}
		} else {
			v.Sharding = nil
		}
		return "cut"
	case 6:
		if v.Partial == nil {
			v.Partial, v.Reduction = []string{tensorAxis}, task.Sum
		} else {
			v.Partial, v.Reduction = nil, ""
		}
		return "partial"
	case 7:
		if k.Op = model.ReLU; k.Lineage.Kind == level.Generated {
			k.Op = "reduce-scatter"
		} else if len(k.Inputs) == 1 {
			k.Op = model.Linear
		}
		return "op"
	case 8:
		k.Inputs[0] = k.Outputs[0]
		return "operand"
	case 9:
		d.Tasks = slices.DeleteFunc(d.Tasks, func(x task.Task) bool { return x.ID == k.ID })
		return "task"
	case 10:
		v.Lineage = nil
		return "lineage"
	}
	v.Source = ""
	if v.Partial == nil { // who knows what these are of
		v.Source = "gone"
	}
	return "source"
}
