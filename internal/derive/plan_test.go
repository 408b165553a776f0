package derive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/example"
	"plancheck/internal/poly"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/model"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/rules"
)

func planned(t testing.TB, d *task.Distributed, o PlanOptions) *portable.Plan {
	t.Helper()
	p, err := Plan(o).Apply(context.Background(), read(t, d))
	if err != nil {
		t.Fatal(err)
	}
	return p.Body().(*portable.Plan)
}

// bound writes a polynomial with the values of a plan.
func bound(t testing.TB, p *portable.Plan, q poly.Poly) string {
	t.Helper()
	values := map[string]int64{}
	for _, b := range p.Bindings {
		values[b.Symbol] = b.Value
	}
	r, err := q.Bind(values)
	if err != nil {
		t.Fatal(err)
	}
	return r.String()
}

// planLines are the buffers and tasks of a plan as people would write them, those
// of some ranks only.
func planLines(t testing.TB, p *portable.Plan, ranks int64) []string {
	t.Helper()
	name := map[string]string{}
	var all []string
	for _, b := range p.Buffers {
		name[b.ID] = b.Name
		if b.Rank < ranks {
			all = append(all, fmt.Sprintf("%s: %s %s, %s bytes", b.Name, b.Role, b.Storage, bound(t, p, b.Size)))
		}
	}
	for _, k := range p.Tasks {
		name[k.ID] = k.Name
		if k.Ranks[0] >= ranks {
			continue
		}
		names := func(ids []string) string {
			var all []string
			for _, id := range ids {
				all = append(all, name[id])
			}
			return strings.Join(all[:min(2, len(all))], " ")
		}
		s := fmt.Sprintf("%s = %s %s, %s operations, reads %s, writes %s, gives %s, on %d", names(k.Outputs), k.Op, names(k.Inputs),
			bound(t, p, k.Work.Operations), bound(t, p, k.Work.Read), bound(t, p, k.Work.Write), bound(t, p, k.Work.Message), len(k.Ranks))
		if k.After != nil {
			s += ", behind " + names(k.After)
		}
		all = append(all, s)
	}
	return all
}

// The numbers of a linear layer of GPT-3 that 8 ranks share by rows, for 2048 rows.
func TestPlanRowParallel(t *testing.T) {
	m := built(t, "row-parallel", example.DefaultModelSize())
	d := distributed(t, m, strategy(m, 8, []string{"row"}))
	p := planned(t, d, PlanOptions{Bindings: []portable.Binding{{Symbol: "M", Value: 2048}}})
	name := m.Ops[0].Name
	want := []string{
		"x@0: input transient, 25165824 bytes",
		"w@0: constant persistent, 150994944 bytes",
		"y.terms@0: value transient, 50331648 bytes",
		"y@0: output transient, 50331648 bytes",
		"y.terms@0 = model.linear x@0 w@0, 309237645312 operations, reads 176160768, writes 50331648, gives 0, on 1",
		"y@0 y@1 = all-reduce y.terms@0 y.terms@1, 0 operations, reads 0, writes 0, gives 50331648, on 8, behind " + name + "@0 " + name + "@1",
	}
	if diff := cmp.Diff(want, planLines(t, p, 1)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p.Digest != levels.Digest(p) || p.Parents[0].Digest != levels.Digest(d) || len(p.Buffers) != 32 || len(p.Tasks) != 9 {
		t.Errorf("digest %s, parents %v, %d buffers, %d tasks", p.Digest, p.Parents, len(p.Buffers), len(p.Tasks))
	}
}

// The small case in numbers: buffers of 64, 128, 64 and 64 bytes, aligned to 16.
func TestPlanSmall(t *testing.T) {
	m := built(t, "row-parallel", example.ModelSize{Hidden: 8, FFN: 8, DType: "f16"})
	m.Symbols = nil
	for _, i := range []int{0, 2} {
		m.Values[i].Type.Shape[0] = poly.Int(4)
	}
	for _, c := range []struct {
		degree int64
		cut    string
		want   []string
	}{
		{1, "", []string{"x@0 64 16", "w@0 128 16", "y@0 64 16"}},
		{2, "row", []string{
			"x@0 32 16", "x@1 32 16", "w@0 64 16", "w@1 64 16", "y.terms@0 64 16", "y.terms@1 64 16", "y@0 64 16", "y@1 64 16"}},
	} {
		var got []string
		for _, b := range planned(t, distributed(t, m, strategy(m, c.degree, []string{c.cut})), PlanOptions{}).Buffers {
			got = append(got, fmt.Sprint(b.Name, " ", b.Size, " ", b.Align))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("degree %d (-want +got):\n%s", c.degree, diff)
		}
	}
}

// Without values for symbols everything stays a polynomial; orders without data
// become dependencies.
func TestPlanMLP(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"})
	m.Ops[2].After = []string{m.Ops[0].ID}
	p := planned(t, distributed(t, m, task.Strategy{TensorParallel: 2}), PlanOptions{Objectives: []portable.Objective{{Kind: "peak_memory", Weight: 2}}})
	op := func(i int) string { return m.Ops[i].Name + "@0" }
	want := []string{
		"x@0: input transient, 32*M bytes", "w_up@0: constant persistent, 256 bytes", "h@0: value transient, 32*M bytes",
		"a@0: value transient, 32*M bytes", "w_down@0: constant persistent, 256 bytes", "y.terms@0: value transient, 32*M bytes", "y@0: output transient, 32*M bytes",
		"h@0 = model.linear x@0 w_up@0, 128*M operations, reads 32*M + 256, writes 32*M, gives 0, on 1",
		"a@0 = model.gelu h@0, 64*M operations, reads 32*M, writes 32*M, gives 0, on 1, behind " + op(0),
		"y.terms@0 = model.linear a@0 w_down@0, 128*M operations, reads 32*M + 256, writes 32*M, gives 0, on 1, behind " + op(1) + " " + op(0),
		"y@0 y@1 = all-reduce y.terms@0 y.terms@1, 0 operations, reads 0, writes 0, gives 32*M, on 2, behind " + op(2) + " " + m.Ops[2].Name + "@1",
	}
	if diff := cmp.Diff(want, planLines(t, p, 1)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]portable.Objective{{Kind: "peak_memory", Weight: 2}}, p.Objectives, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".At" }, cmp.Ignore())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Names are for people: another name gives the same ids.
func TestPlanIDsSurviveRenaming(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"})
	ids := func(m *model.Model) []string {
		p := planned(t, distributed(t, m, task.Strategy{TensorParallel: 2}), PlanOptions{})
		var all []string
		for _, b := range p.Buffers {
			all = append(all, b.ID)
		}
		for _, k := range p.Tasks {
			all = append(all, k.ID)
		}
		return all
	}
	before := ids(m)
	for i := range m.Values {
		m.Values[i].Name = "v" + m.Values[i].Name
	}
	m.Name = "other"
	if diff := cmp.Diff(before, ids(m)); diff != "" {
		t.Errorf("(-before +renamed):\n%s", diff)
	}
}

func TestRefusedPlans(t *testing.T) {
	d := distributed(t, built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"}), task.Strategy{TensorParallel: 2})
	for _, c := range []struct {
		name     string
		bindings []portable.Binding
		code     string
	}{
		{"an unknown symbol", []portable.Binding{{Symbol: "L", Value: 1}}, "symbol-undeclared"},
		{"no rows", []portable.Binding{{Symbol: "M", Value: 0}}, "type-dimension-nonpositive"},
		{"two values", []portable.Binding{{Symbol: "M", Value: 1}, {Symbol: "M", Value: 1}}, "symbol-bound-twice"},
		{"more than is counted", []portable.Binding{{Symbol: "M", Value: 1 << 62}}, "integer-out-of-range"},
	} {
		p, err := Plan(PlanOptions{Bindings: c.bindings}).Apply(context.Background(), read(t, d))
		var refused *Refused
		if p != nil || !errors.As(err, &refused) || refused.Code != c.code {
			t.Errorf("%s: %v, want code %s", c.name, err, c.code)
		}
	}
}

// Whatever is distributed can be planned, and the plan conserves it: the ranks work
// as much, and buffers hold each shard once; the rules say the same.
func TestPlansConserve(t *testing.T) {
	set, err := rulesOf(portable.Schema)
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		degree := rapid.SampledFrom([]int64{1, 2, 3, 4}).Draw(t, "degree")
		d, err := distribute(drawChain(t, degree), task.Strategy{TensorParallel: degree})
		if err != nil {
			return // TestConservation is about what is refused
		}
		p, err := plan(d, PlanOptions{})
		if err != nil {
			t.Fatal(err)
		}
		made++
		operations, bytes := map[string]poly.Poly{}, map[string]poly.Poly{}
		add := func(to map[string]poly.Poly, id string, n poly.Poly) {
			sum, err := to[id].Add(n)
			if err != nil {
				t.Fatal(err)
			}
			to[id] = sum
		}
		for _, k := range p.Tasks {
			add(operations, k.Lineage.Sources[0], k.Work.Operations)
		}
		for _, b := range p.Buffers {
			add(bytes, b.Lineage.Sources[0], b.Size)
		}
		for _, k := range d.Tasks {
			if want, err := k.Operations.Mul(poly.Int(degree)); k.Body == level.Compute && (err != nil || !operations[k.ID].Equal(want)) {
				t.Fatalf("ranks do %s operations of %s, want %s (%v)", operations[k.ID], k.ID, want, err)
			}
		}
		for _, v := range d.Values {
			each, _ := level.Bytes(v.DType)
			if want, err := poly.Int(each * degree).Mul(v.Local...); err != nil || !bytes[v.ID].Equal(want) {
				t.Fatalf("buffers of %s have %s bytes, want %s (%v)", v.ID, bytes[v.ID], want, err)
			}
		}
		verdict, err := set.JudgeDocument(context.Background(), facts.OfLevel(p, nil), rules.Options{Parent: facts.OfLevel(d, nil)})
		if err != nil || len(verdict.Findings) > 0 {
			t.Fatalf("%v %+v", err, verdict)
		}
	})
	if made == 0 {
		t.Error("nothing was planned")
	}
}

// What is changed in a plan is found, in one place, beside its tasks.
func TestChangedPlans(t *testing.T) {
	m := built(t, "row-parallel", example.ModelSize{Hidden: 8, FFN: 8, DType: "f16"})
	d := distributed(t, m, strategy(m, 2, []string{"row"}))
	for _, c := range []struct {
		name   string
		change func(p *portable.Plan)
		want   []string
	}{
		{"nothing", func(*portable.Plan) {}, nil},
		{"a size", func(p *portable.Plan) { p.Buffers[0].Size = poly.Int(64) }, []string{"buffer-size-wrong"}},
		{"a shape with its size", func(p *portable.Plan) {
			p.Buffers[0].Shape, p.Buffers[0].Size = []poly.Poly{poly.Symbol("M"), poly.Int(8)}, times(t, poly.Int(16), poly.Symbol("M"))
		}, []string{"result-shape-changed"}},
		{"more work", func(p *portable.Plan) { p.Tasks[1].Work.Operations = poly.Int(1) }, []string{"work-not-conserved"}},
		{"a longer message", func(p *portable.Plan) { p.Tasks[2].Work.Message = poly.Int(1) }, []string{"work-not-conserved"}},
		{"no dependencies", func(p *portable.Plan) { p.Tasks[2].After = nil }, []string{"task-missing-data-dependency", "task-missing-data-dependency"}},
		{"another reduction", func(p *portable.Plan) { p.Tasks[2].Reduce = "max" }, []string{"collective-attributes-lost"}},
		{"another order", func(p *portable.Plan) { p.Tasks[1], p.Tasks[2] = p.Tasks[2], p.Tasks[1] }, []string{"dag-not-topological"}},
		{"another rank", func(p *portable.Plan) { p.Tasks[1].Ranks = []int64{0} }, []string{"cross-rank-use-without-communication"}},
		{"a lost output", func(p *portable.Plan) { p.Outputs = nil }, []string{"result-output-changed", "result-output-changed"}},
		{"transient weights", func(p *portable.Plan) { p.Buffers[2].Storage = "transient" }, []string{"buffer-role-storage-conflict"}},
	} {
		p := planned(t, d, PlanOptions{})
		p.Digest = ""
		c.change(p)
		verdict, err := judged(context.Background(), read(t, p), read(t, d))
		if err != nil {
			t.Fatal(err)
		}
		wrong := errorsOf(verdict)
		var got []string
		for _, f := range wrong {
			got = append(got, f.Code)
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s%s", c.name, diff, told(wrong))
		}
	}
}

func times(t testing.TB, p poly.Poly, q ...poly.Poly) poly.Poly {
	t.Helper()
	r, err := p.Mul(q...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
