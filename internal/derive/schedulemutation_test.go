package derive

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/example"
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/rules"
)

// What is done to the plan of a feed-forward part is found beside the document
// that it was made from, as one cause.
func TestScheduleMutations(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "bf16"})
	s := onA100(t, m, strategy(m, 2, []string{"column", "row"}), rows)
	made := s.scheduled(t)
	set, err := rulesOf(ir.PlanSchema)
	if err != nil {
		t.Fatal(err)
	}
	names := s.names(made)
	command := func(p *ir.Plan, name string) *ir.Command {
		i := slices.IndexFunc(p.Program.Commands, func(c ir.Command) bool { return names[p.Text(c.ID)] == name })
		return &p.Program.Commands[i]
	}
	buffer := func(p *ir.Plan, name string) *ir.Buffer {
		i := slices.IndexFunc(p.Program.Buffers, func(b ir.Buffer) bool { return names[p.Text(b.ID)] == name })
		return &p.Program.Buffers[i]
	}
	dropped := func(p *ir.Plan, name string) {
		gone := command(p, name).ID
		signals := command(p, name).Signals
		p.Program.Commands = slices.DeleteFunc(p.Program.Commands, func(c ir.Command) bool { return c.ID == gone })
		for i := range p.Program.Commands {
			c := &p.Program.Commands[i]
			c.After = slices.DeleteFunc(c.After, func(id ir.ID) bool { return id == gone })
			c.Waits = slices.DeleteFunc(c.Waits, func(id ir.ID) bool { return slices.Contains(signals, id) })
		}
	}
	for _, c := range []struct {
		name     string
		change   func(p *ir.Plan)
		portable []string
		binding  []string
	}{
		{"nothing", func(*ir.Plan) {}, nil, nil},
		{"a kernel that does something else", func(p *ir.Plan) { command(p, "act@0|gpu0").Op = "model.relu" }, []string{"command-operation-changed"}, nil},
		{"a kernel of another library", func(p *ir.Plan) { command(p, "act@0|gpu0").Implementation = command(p, "up@0|gpu0").Implementation }, nil, []string{"implementation-changed"}},
		{"a launch on another engine", func(p *ir.Plan) { command(p, "act@0|gpu0").Queue = command(p, "up@0|gpu0").Queue }, nil, []string{"engine-changed"}},
		{"a wait that is gone", func(p *ir.Plan) { c := command(p, "act@1|gpu1"); c.After, c.Waits = nil, nil },
			[]string{"data-race", "token-never-waited"}, []string{"data-race", "token-never-waited"}},
		{"a launch that is gone", func(p *ir.Plan) { dropped(p, "act@1|gpu1") }, []string{"task-not-covered", "token-never-waited"}, []string{"buffer-read-before-write", "token-never-waited"}},
		{"a rank that does not reduce", func(p *ir.Plan) { dropped(p, "down.all-reduce|gpu1") },
			[]string{"buffer-read-before-write", "collective-rank-missing", "token-never-waited"}, []string{"buffer-read-before-write", "collective-rank-missing", "token-never-waited"}},
		{"a launch for another task", func(p *ir.Plan) {
			command(p, "act@1|gpu1").Lineage.Sources = command(p, "act@0|gpu0").Lineage.Sources
		}, []string{"command-rank-changed", "task-not-covered"}, nil},
		{"a launch for nothing", func(p *ir.Plan) { command(p, "act@1|gpu1").Lineage.Sources = nil }, []string{"lineage-kind-invalid", "task-not-covered"}, []string{"lineage-kind-invalid"}},
		{"a buffer that is too small", func(p *ir.Plan) { buffer(p, "h@1").Size-- }, []string{"buffer-shrunk"}, nil},
		{"an output that is not kept", func(p *ir.Plan) { buffer(p, "y@1").Kept = false }, []string{"buffer-lifetime-too-short"}, nil},
		{"weights that are not given", func(p *ir.Plan) { buffer(p, "w_up@1").Initialised = false }, []string{"buffer-read-before-write"}, []string{"buffer-read-before-write"}},
		{"a value that is said to be given", func(p *ir.Plan) { buffer(p, "h@1").Initialised = true }, []string{"buffer-role-changed"}, nil},
		{"a read too many", func(p *ir.Plan) {
			c := command(p, "act@1|gpu1")
			c.Reads = append(c.Reads, buffer(p, "x@1").ID)
		}, []string{"command-access-changed"}, nil},
		{"another read", func(p *ir.Plan) { command(p, "down@1|gpu1").Reads[1] = buffer(p, "x@1").ID }, []string{"command-access-changed"}, nil},
		{"a device that was bound to another rank", func(p *ir.Plan) {
			p.Program.Devices[0].Target, p.Program.Devices[1].Target = p.Program.Devices[1].Target, p.Program.Devices[0].Target
		}, nil, []string{"device-changed"}},
		{"an ABI of last year", func(p *ir.Plan) {
			p.Program.Identity.ABI, p.Program.Deployment.ABI = "cuda-11", "cuda-11"
			p.Program.Deployment.Libraries, p.Program.Deployment.Compatible = nil, nil
			for i := range p.Program.Implementations {
				p.Program.Implementations[i].ABI = "cuda-11"
			}
		}, nil, []string{"implementation-abi-mismatch"}},
		{"another portable plan", func(p *ir.Plan) { p.Parents[0].Digest = "sha256:0" }, []string{"parent-digest-wrong"}, []string{"parent-digest-wrong"}},
		{"no binding", func(p *ir.Plan) { p.Parents = slices.Delete(p.Parents, 1, 2) }, nil, []string{"parent-digest-missing"}},
	} {
		p := copied(t, made)
		p.Digest = ""
		c.change(p)
		for _, beside := range []struct {
			parent level.Body
			want   []string
		}{{s.Portable, c.portable}, {s.binding, c.binding}} {
			v, err := set.JudgeDocument(context.Background(), facts.OfPlan(copied(t, p)), rules.Options{Parent: read(t, beside.parent)})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range v.Findings {
				got = append(got, f.Code)
			}
			slices.Sort(got)
			if diff := cmp.Diff(beside.want, slices.Compact(got)); diff != "" {
				t.Errorf("%s, beside the %s (-want +got):\n%s", c.name, beside.parent.Head().Schema, diff)
			}
		}
	}
}
