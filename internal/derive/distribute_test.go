package derive

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/example"
	"plancheck/internal/poly"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/model"
	"plancheck/ir/task"
)

// read encodes a document and reads it, as from a file.
func read(t testing.TB, b level.Body) *facts.Document {
	t.Helper()
	d, diags := facts.Decode(diag.NewSource("document.json", levels.Encode(b)))
	for _, d := range diags {
		t.Fatalf("%d:%d: %s: %s", d.Pos.Line, d.Pos.Column, d.Code, d.Message)
	}
	return d
}

func built(t testing.TB, name string, size example.ModelSize) *model.Model {
	t.Helper()
	m, err := example.BuildModel(name, size)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func distributed(t testing.TB, m *model.Model, s task.Strategy) *task.Distributed {
	t.Helper()
	d, err := Distribute(s).Apply(context.Background(), read(t, m))
	if err != nil {
		t.Fatal(err)
	}
	return d.Body().(*task.Distributed)
}

// line is a value or a task as people would write it.
func lines(d *task.Distributed) []string {
	name := map[string]string{}
	var all []string
	for _, v := range d.Values {
		name[v.ID] = v.Name
		s := fmt.Sprintf("%s: %v%s", v.Name, v.Local, v.DType)
		for _, c := range v.Sharding {
			s += fmt.Sprintf(" cut %d by %s", c.Dimension, c.Mesh)
		}
		if v.Partial != nil {
			s += fmt.Sprintf(" partial %v by %s", v.Partial, v.Reduction)
		}
		all = append(all, s)
	}
	names := func(ids []string) string {
		var all []string
		for _, id := range ids {
			all = append(all, name[id])
		}
		return strings.Join(all, ", ")
	}
	for _, t := range d.Tasks {
		s := fmt.Sprintf("%s = %s %s", names(t.Outputs), t.Op, names(t.Inputs))
		if t.Body == level.Collective {
			s += fmt.Sprintf(" by %s, %s bytes", t.Reduction, t.MessageBytes)
		} else {
			s += fmt.Sprintf(", %s operations", t.Operations)
		}
		all = append(all, s)
	}
	return all
}

// The numbers of a linear layer of GPT-3 that 8 ranks share by rows.
func TestRowParallel(t *testing.T) {
	m := built(t, "row-parallel", example.DefaultModelSize())
	d := distributed(t, m, task.Strategy{TensorParallel: 8, Linear: []task.OpCut{{Op: m.Ops[0].ID, Cut: task.Row}}})
	want := []string{
		"x: [M 6144]bf16 cut 1 by tp",
		"w: [6144 12288]bf16 cut 0 by tp",
		"y.terms: [M 12288]bf16 partial [tp] by sum",
		"y: [M 12288]bf16",
		"y.terms = model.linear x, w, 150994944*M operations",
		"y = all-reduce y.terms by sum, 24576*M bytes",
	}
	if diff := cmp.Diff(want, lines(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		what string
		poly poly.Poly
		want int64
	}{
		{"operations of a rank", d.Tasks[0].Operations, 309237645312},
		{"bytes of a message", d.Tasks[1].MessageBytes, 50331648},
	} {
		p, err := c.poly.Bind(map[string]int64{"M": 2048})
		if got, ok := p.Int(); err != nil || !ok || got != c.want {
			t.Errorf("%s: %s (%v), want %d", c.what, p, err, c.want)
		}
	}
}

// A small case with numbers for all sizes: x[4,8] and w[8,8] in half precision on
// two ranks take 512 operations, 256 a rank, and 64 bytes to add up.
func TestSmallRowParallel(t *testing.T) {
	m := built(t, "row-parallel", example.ModelSize{Hidden: 8, FFN: 8, DType: "f16"})
	m.Symbols = nil
	for _, i := range []int{0, 2} {
		m.Values[i].Type.Shape[0] = poly.Int(4)
	}
	d := distributed(t, m, strategy(m, 2, []string{"row"}))
	want := []string{
		"x: [4 4]f16 cut 1 by tp", "w: [4 8]f16 cut 0 by tp", "y.terms: [4 8]f16 partial [tp] by sum", "y: [4 8]f16",
		"y.terms = model.linear x, w, 256 operations", "y = all-reduce y.terms by sum, 64 bytes",
	}
	if diff := cmp.Diff(want, lines(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What has no name is called by its id, where people have written that.
func TestNamesFromIDs(t *testing.T) {
	m := built(t, "row-parallel", example.ModelSize{Hidden: 4, FFN: 8, DType: "f32"})
	for i := range m.Values {
		m.Values[i].Name = ""
	}
	m.Values[0].ID, m.Ops[0].Name = "in", ""
	m.Inputs[0], m.Ops[0].Inputs[0] = "in", "in"
	d := distributed(t, m, task.Strategy{TensorParallel: 2, Linear: []task.OpCut{{Op: m.Ops[0].ID, Cut: task.Row}}})
	var got []string
	for _, v := range d.Values {
		got = append(got, v.Name)
	}
	for _, x := range d.Tasks {
		got = append(got, x.Name)
	}
	// The others have derived ids, by which nobody is told anything.
	if diff := cmp.Diff([]string{"in", "", "", "", "", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	m.Ops[0].ID = "mm"
	d = distributed(t, m, task.Strategy{TensorParallel: 2, Linear: []task.OpCut{{Op: "mm", Cut: task.Row}}})
	if diff := cmp.Diff([]string{"mm", "mm.all-reduce"}, []string{d.Tasks[0].Name, d.Tasks[1].Name}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What has an order or an effect keeps it, or is refused.
func TestOrderAndEffects(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"})
	m.Ops[2].After = []string{m.Ops[0].ID}
	d := distributed(t, m, task.Strategy{TensorParallel: 2, Linear: []task.OpCut{{Op: m.Ops[0].ID, Cut: task.Row}}})
	last := d.Tasks[len(d.Tasks)-1]
	if diff := cmp.Diff([]string{d.Tasks[1].ID}, last.After); diff != "" || d.Tasks[1].Op != task.AllReduce {
		t.Errorf("behind the reduction (-want +got):\n%s", diff)
	}
	m.Ops[1].Effects = []model.Effect{{Kind: "random", Resource: "seed"}}
	_, err := Distribute(task.Strategy{TensorParallel: 2}).Apply(context.Background(), read(t, m))
	var refused *Refused
	if !errors.As(err, &refused) || refused.Code != "model-feature-unsupported" {
		t.Errorf("%v", err)
	}
}

func TestDistribute(t *testing.T) {
	small := example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"}
	for _, c := range []struct {
		name   string
		model  string
		degree int64
		cuts   []string // of the linear ops; "" is not said
		want   []string
	}{
		{"columns, and then rows", "mlp", 2, []string{"", ""}, []string{
			"x: [M 8]f32", "w_up: [8 8]f32 cut 1 by tp", "h: [M 8]f32 cut 1 by tp", "a: [M 8]f32 cut 1 by tp", "w_down: [8 8]f32 cut 0 by tp",
			"y.terms: [M 8]f32 partial [tp] by sum", "y: [M 8]f32",
			"h = model.linear x, w_up, 128*M operations", "a = model.gelu h, 64*M operations",
			"y.terms = model.linear a, w_down, 128*M operations", "y = all-reduce y.terms by sum, 32*M bytes"}},
		{"rows, and then columns", "mlp", 2, []string{"row", ""}, []string{
			"x: [M 4]f32 cut 1 by tp", "w_up: [4 16]f32 cut 0 by tp", "h.terms: [M 16]f32 partial [tp] by sum", "h: [M 16]f32", "a: [M 16]f32",
			"w_down: [16 4]f32 cut 1 by tp", "y: [M 4]f32 cut 1 by tp",
			"h.terms = model.linear x, w_up, 128*M operations", "h = all-reduce h.terms by sum, 64*M bytes",
			"a = model.gelu h, 128*M operations", "y = model.linear a, w_down, 128*M operations"}},
		{"columns by themselves", "row-parallel", 4, []string{""}, []string{
			"x: [M 16]f32", "w: [16 2]f32 cut 1 by tp", "y: [M 2]f32 cut 1 by tp", "y = model.linear x, w, 64*M operations"}},
		{"one rank cuts nothing", "mlp", 1, []string{"row", "row"}, []string{
			"x: [M 8]f32", "w_up: [8 16]f32", "h: [M 16]f32", "a: [M 16]f32", "w_down: [16 8]f32", "y: [M 8]f32",
			"h = model.linear x, w_up, 256*M operations", "a = model.gelu h, 128*M operations", "y = model.linear a, w_down, 256*M operations"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := built(t, c.model, small)
			d := distributed(t, m, strategy(m, c.degree, c.cuts))
			if diff := cmp.Diff(c.want, lines(d)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if d.Digest != levels.Digest(d) || d.Parents[0].Digest != levels.Digest(m) {
				t.Errorf("digest %s, parents %v", d.Digest, d.Parents)
			}
		})
	}
}

// strategy cuts the linear ops of a model, one after the other.
func strategy(m *model.Model, degree int64, cuts []string) task.Strategy {
	s := task.Strategy{TensorParallel: degree}
	for _, op := range m.Ops {
		if op.Kind != model.Linear {
			continue
		}
		if cuts[0] != "" {
			s.Linear = append(s.Linear, task.OpCut{Op: op.ID, Cut: cuts[0]})
		}
		cuts = cuts[1:]
	}
	return s
}

func TestRefusedStrategies(t *testing.T) {
	small := example.ModelSize{Hidden: 8, FFN: 12, DType: "f32"}
	m := built(t, "mlp", small)
	op := func(i int, cut string) task.OpCut { return task.OpCut{Op: m.Ops[i].ID, Cut: cut} }
	huge := built(t, "mlp", example.ModelSize{Hidden: 1 << 30, FFN: 1 << 30, DType: "f32"})
	for _, c := range []struct {
		name     string
		model    *model.Model
		strategy task.Strategy
		want     string
	}{
		{"a size that does not divide", m, task.Strategy{TensorParallel: 8}, "distribute: value w_up has size 12 along axis 1, which the degree 8 does not divide [tp-not-divisible]"},
		{"rows behind rows", m, task.Strategy{TensorParallel: 2, Linear: []task.OpCut{op(0, "row"), op(2, "row")}},
			"distribute: op down, cut by its row, needs value a cut along axis 1, but it is whole on every rank: resharding is not supported; cut the ops around it otherwise [reshard-unsupported]"},
		{"columns behind columns", m, task.Strategy{TensorParallel: 2, Linear: []task.OpCut{op(0, "column"), op(2, "column")}},
			"distribute: op down, cut by its column, needs value a whole on every rank, but it is cut along axis 1: resharding is not supported; cut the ops around it otherwise [reshard-unsupported]"},
		{"no degree", m, task.Strategy{}, "distribute: the degree of tensor parallelism is 0, and must be from 1 to 16384 [strategy-degree-invalid]"},
		{"an unknown op", m, task.Strategy{TensorParallel: 2, Linear: []task.OpCut{{Op: "none", Cut: "row"}}}, "distribute: the strategy cuts op none, which the model does not have [strategy-op-unknown]"},
		{"an op that is not linear", m, task.Strategy{TensorParallel: 2, Linear: []task.OpCut{op(1, "row")}}, "distribute: the strategy cuts op " + m.Ops[1].ID + ", which is not linear [strategy-op-unknown]"},
		{"an unknown cut", m, task.Strategy{TensorParallel: 2, Linear: []task.OpCut{op(0, "both")}}, "distribute: the strategy cuts op " + m.Ops[0].ID + ` by "both"; it can be row or column [strategy-cut-unknown]`},
		{"an op twice", m, task.Strategy{TensorParallel: 2, Linear: []task.OpCut{op(0, "row"), op(0, "row")}}, "distribute: the strategy cuts op " + m.Ops[0].ID + " twice [strategy-op-repeated]"},
		{"more operations than are counted", built(t, "row-parallel", example.ModelSize{Hidden: 1 << 31, FFN: 1 << 31, DType: "f32"}), task.Strategy{TensorParallel: 2},
			"distribute: what it is to begin with is not legal: the product of 4294967296*M and 2147483648 does not fit in 64 bits [integer-out-of-range]"},
		{"as many as are counted", huge, task.Strategy{TensorParallel: 2}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Distribute(c.strategy).Apply(context.Background(), read(t, c.model))
			got := ""
			if err != nil {
				got = err.Error()
			}
			var fault *Fault
			if got != c.want || errors.As(err, &fault) || (d == nil) != (c.want != "") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// An illegal model is told so before anything is made of it.
func TestIllegalModel(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"})
	m.Values[1].Type.Shape[0] = poly.Int(9)
	_, err := Distribute(task.Strategy{TensorParallel: 2}).Apply(context.Background(), read(t, m))
	var illegal *Illegal
	if !errors.As(err, &illegal) || len(illegal.Findings) != 1 || illegal.Findings[0].Code != "linear-shape-mismatch" {
		t.Errorf("%v", err)
	}
}
