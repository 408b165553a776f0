package derive

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/evidence"
	"plancheck/internal/example"
	"plancheck/ir"
	target "plancheck/ir/evidence"
	"plancheck/ir/model"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/rules"
)

// scheduling is a model at all levels down to the binding, and what it was bound
// to.
type scheduling struct {
	model   *model.Model
	tasks   *task.Distributed
	binding *target.Binding
	Scheduling
}

// scheduledOn binds a model, whose M is rows, on a target.
func scheduledOn(t testing.TB, m *model.Model, s task.Strategy, rows int64, on *target.Target, d *target.Deployment) *scheduling {
	t.Helper()
	tasks := distributed(t, m, s)
	o := PlanOptions{}
	if rows > 0 {
		o.Bindings = []portable.Binding{{Symbol: "M", Value: rows}}
	}
	p := planned(t, tasks, o)
	known := evidence.NoRecords(d)
	b, err := evidence.Bind(evidence.Input{Plan: p, Target: on, Deployment: d, Evidence: known, Policy: evidence.DefaultPolicy("measurements")})
	if err != nil {
		t.Fatal(err)
	}
	return &scheduling{m, tasks, b, Scheduling{Portable: p, Target: on, Deployment: d}}
}

func onA100(t testing.TB, m *model.Model, s task.Strategy, rows int64) *scheduling {
	t.Helper()
	return scheduledOn(t, m, s, rows, evidence.A100(), evidence.A100Deployment())
}

// plan schedules and judges, with warnings.
func (s *scheduling) scheduled(t testing.TB) *ir.Plan {
	t.Helper()
	d, err := Schedule(s.Scheduling).Apply(context.Background(), read(t, s.binding))
	if err != nil {
		t.Fatal(err)
	}
	if found := judgedPlan(t, d, nil); found != nil {
		t.Fatal(found)
	}
	return d.Plan()
}

// judgedPlan lists what all rules find, warnings too.
func judgedPlan(t testing.TB, d, parent *facts.Document) []string {
	t.Helper()
	set, err := rulesOf(ir.PlanSchema)
	if err != nil {
		t.Fatal(err)
	}
	v, err := set.JudgeDocument(context.Background(), d, rules.Options{Parent: parent})
	if err != nil {
		t.Fatal(err)
	}
	return found(v.Findings)
}

func found(findings []diag.Diagnostic) (all []string) {
	for _, f := range findings {
		all = append(all, f.Code+": "+f.Message)
	}
	return all
}

// names are what people call the buffers and tasks of the portable plan, and the
// commands that were made of these.
func (s *scheduling) names(p *ir.Plan) map[string]string {
	name := map[string]string{}
	for _, b := range s.Portable.Buffers {
		name[b.ID] = b.Name
	}
	for _, k := range s.Portable.Tasks {
		name[k.ID] = k.Name
	}
	for _, c := range p.Program.Commands {
		queue := p.Text(c.Queue)
		name[p.Text(c.ID)] = name[p.Text(c.Lineage.Sources[0])] + "|" + queue[:strings.Index(queue, ".")]
	}
	return name
}

// lines are the buffers and commands of a plan as people would write them.
func (s *scheduling) lines(p *ir.Plan) (all []string) {
	name := s.names(p)
	called := func(ids []ir.ID) string {
		var all []string
		for _, id := range ids {
			all = append(all, name[p.Text(id)])
		}
		return strings.Join(all, ",")
	}
	for _, b := range p.Program.Buffers {
		all = append(all, fmt.Sprintf("%s %s %d+%d given %t kept %t", name[p.Text(b.ID)], p.Text(b.Region), b.Offset, b.Size, b.Initialised, b.Kept))
	}
	for _, c := range p.Program.Commands {
		all = append(all, fmt.Sprintf("%s: %s %s by %s on %s, %s -> %s, after %s, %d waits, %d signals",
			name[p.Text(c.ID)], c.Kind, c.Op, p.Text(c.Implementation), p.Text(c.Queue), called(c.Reads), called(c.Writes), called(c.After), len(c.Waits), len(c.Signals)))
	}
	return all
}

// A row-parallel product of the size of a public fixture: each of two ranks has
// x[4,8], w[8,8] and results of [4,8], of two bytes each, which lie at 0, 64, 192
// and 256.
func TestScheduleFixture(t *testing.T) {
	m := built(t, "row-parallel", example.ModelSize{Hidden: 8, FFN: 16, DType: "f16"})
	s := onA100(t, m, strategy(m, 2, []string{"row"}), 4)
	p := s.scheduled(t)
	want := []string{
		"x@0 gpu0.hbm 0+64 given true kept true",
		"x@1 gpu1.hbm 0+64 given true kept true",
		"w@0 gpu0.hbm 64+128 given true kept true",
		"w@1 gpu1.hbm 64+128 given true kept true",
		"y.terms@0 gpu0.hbm 192+64 given false kept false",
		"y.terms@1 gpu1.hbm 192+64 given false kept false",
		"y@0 gpu0.hbm 256+64 given false kept true",
		"y@1 gpu1.hbm 256+64 given false kept true",
		"down@0|gpu0: launch model.linear by cublas.gemm on gpu0.matrix, x@0,w@0 -> y.terms@0, after , 0 waits, 1 signals",
		"down@1|gpu1: launch model.linear by cublas.gemm on gpu1.matrix, x@1,w@1 -> y.terms@1, after , 0 waits, 1 signals",
		"down.all-reduce|gpu0: collective all-reduce by nccl.collective on gpu0.network, y.terms@0 -> y@0, after down@0|gpu0, 1 waits, 0 signals",
		"down.all-reduce|gpu1: collective all-reduce by nccl.collective on gpu1.network, y.terms@1 -> y@1, after down@1|gpu1, 1 waits, 0 signals",
	}
	if diff := cmp.Diff(want, s.lines(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c := p.Program.Commands[2]; c.Bytes != 64 {
		t.Errorf("the all-reduce moves %d bytes", c.Bytes)
	}
}

// The product of GPT-3's second linear layer on eight GPUs, in its real size.
func TestScheduleRowParallelOnA100(t *testing.T) {
	m := built(t, "row-parallel", example.DefaultModelSize())
	s := onA100(t, m, strategy(m, 8, []string{"row"}), 2048)
	p := s.scheduled(t)
	if n := len(p.Program.Commands); n != 16 {
		t.Errorf("%d commands", n)
	}
	var sizes []int64
	for _, b := range p.Program.Buffers {
		if p.Text(b.Region) == "gpu3.hbm" {
			sizes = append(sizes, b.Offset, b.Size)
		}
	}
	if diff := cmp.Diff([]int64{0, 25165824, 25165824, 150994944, 176160768, 50331648, 226492416, 50331648}, sizes); diff != "" {
		t.Error(diff)
	}
	if id := p.Program.Identity; id.ABI != "cuda-12" || id.Planner != schedulerRevision || slices.ContainsFunc(id.Fields(), func(f ir.Stated) bool { return f.Text == "" }) {
		t.Errorf("%+v", id)
	}
}

// Every degree and cut that can be distributed is scheduled, and the rules find
// nothing.
func TestScheduleMLP(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 16, FFN: 32, DType: "bf16"})
	for _, degree := range []int64{1, 2, 4, 8} {
		for _, cuts := range [][]string{{"", ""}, {"column", "row"}} {
			s := onA100(t, m, strategy(m, degree, cuts), 6)
			p := s.scheduled(t)
			want := 3 * degree
			if degree > 1 {
				want += degree
			}
			if n := int64(len(p.Program.Commands)); n != want {
				t.Errorf("degree %d, cuts %v: %d commands, want %d", degree, cuts, n, want)
			}
		}
	}
}
