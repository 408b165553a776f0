package derive

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/evidence"
	"plancheck/internal/example"
	"plancheck/internal/poly"
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/model"
	"plancheck/ir/task"
)

// onChip binds a built-in model, cut along its inner size, on the small chip.
func onChip(t testing.TB, name string, size example.ModelSize, degree, stages, rows int64) *scheduling {
	t.Helper()
	m := built(t, name, size)
	cuts := []string{task.Column, task.Row}
	if name == "row-parallel" {
		cuts = cuts[1:]
	}
	s := scheduledOn(t, m, strategy(m, degree, cuts), rows, evidence.Chip(), evidence.ChipDeployment())
	s.Stages = stages
	return s
}

func TestScheduleChip(t *testing.T) {
	for _, name := range []string{"row-parallel", "mlp"} {
		for _, degree := range []int64{1, 2, 4} {
			for _, stages := range []int64{1, 2} {
				if name == "row-parallel" && degree < stages {
					continue // an op, and no second stage for it
				}
				t.Run(fmt.Sprintf("%s on %d ranks in %d stages", name, degree, stages), func(t *testing.T) {
					s := onChip(t, name, example.ModelSize{Hidden: 64, FFN: 128, DType: "bf16"}, degree, stages, 16)
					p := s.scheduled(t)
					for _, above := range []level.Body{s.Portable, s.binding, s.Target, s.Deployment} {
						if found := judgedPlan(t, again(t, p), facts.OfLevel(above, nil)); found != nil {
							t.Errorf("beside the %s: %v", above.Head().Schema, found)
						}
					}
					if stagesUsed(p) != stages {
						t.Errorf("ops are in %d stages, not in %d", stagesUsed(p), stages)
					}
					if used := int64(len(seats(p))); used != degree*stagesUsed(p) {
						t.Errorf("%d ranks in %d stages are on %d cores", degree, stagesUsed(p), used)
					}
					second, err := Schedule(s.Scheduling).Make(context.Background(), facts.OfLevel(s.binding, nil))
					if err != nil || !bytes.Equal(ir.Encode(p), facts.Encode(second)) {
						t.Error("it is another plan the second time", err)
					}
				})
			}
		}
	}
}

// Layers that do not fit one core together fit cores of their own: memory is asked of
// a core for what one task needs.
func TestChipLayersOnCores(t *testing.T) {
	m := layers(1, 1024, 1536, "bf16") // two weights of 3 MiB, and cores of 4 MiB
	s := scheduledOn(t, m, task.Strategy{TensorParallel: 1}, 16, evidence.Chip(), evidence.ChipDeployment())
	s.Stages = 2
	bound, err := Bind(Binding{Target: s.Target, Deployment: s.Deployment, Evidence: evidence.NoRecords(s.Deployment),
		Policy: evidence.DefaultPolicy("measurements")}).Apply(context.Background(), read(t, s.Portable))
	if err != nil {
		t.Fatal(err)
	}
	if needs := s.binding.Requires.Bytes; needs != 3<<20+16*(1024+1536)*2 {
		t.Errorf("a core needs %d bytes", needs)
	}
	if d, err := Schedule(s.Scheduling).Apply(context.Background(), bound); err != nil || stagesUsed(d.Plan()) != 2 {
		t.Error(err)
	}
}

// seats are the logical cores that something is on.
func seats(p *ir.Plan) map[int64]bool {
	all := map[int64]bool{}
	for _, in := range p.Assignment.Instances {
		for _, core := range in.Cores {
			all[core] = true
		}
	}
	return all
}

// stagesUsed is how many stages have an op.
func stagesUsed(p *ir.Plan) int64 {
	all := map[int64]bool{}
	for _, in := range p.Assignment.Instances {
		all[in.Stage] = true
	}
	return int64(len(all))
}

// Ops of launches are named by function and size, so that each has the latency of
// its own work, and not that of other work of its unit.
func TestChipLatencies(t *testing.T) {
	m := layers(2, 64, 128, "bf16")
	m.Ops[4].Kind = model.ReLU // on what is as large as what the GELU before it is on
	for i := range m.Ops {
		m.Ops[i].Name = strings.TrimPrefix(m.Ops[i].ID, "make ")
	}
	for i := range m.Values { // the second sum is smaller than the first one
		switch v := &m.Values[i]; v.Name {
		case "down1", "y1":
			v.Type.Shape[1] = poly.Int(16)
		}
	}
	s := scheduledOn(t, m, strategy(m, 2, []string{task.Column, task.Row, task.Column, task.Row}), 16, evidence.Chip(), evidence.ChipDeployment())
	p := s.scheduled(t)
	type launch struct {
		Op     string
		Cycles int64
	}
	got := map[string]launch{} // by name
	for _, c := range p.Program.Commands {
		for _, u := range p.Program.Extension.Spatial.Units {
			for _, o := range u.Operations {
				if o.Op == c.Op && u.ID == c.Queue && strings.HasSuffix(c.Name, "@1") {
					got[c.Name] = launch{c.Op, o.Latency}
				}
			}
		}
	}
	want := map[string]launch{
		"h0@1": {"model.linear 16x64,64x64 bf16", 192}, "a0@1": {"model.gelu 16x64 bf16", 128},
		"y0@1": {"model.linear 16x64,64x64 bf16", 192}, "y0.all-reduce@1": {"sum 2x16x64 bf16", 96},
		"h1@1": {"model.linear 16x64,64x64 bf16", 192}, "a1@1": {"model.relu 16x64 bf16", 64},
		"y1@1": {"model.linear 16x64,64x16 bf16", 72}, "y1.all-reduce@1": {"sum 2x16x16 bf16", 24},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Commands and buffers have the names of what they are for.
func TestChipNames(t *testing.T) {
	s := onChip(t, "mlp", example.ModelSize{Hidden: 8, FFN: 8, DType: "bf16"}, 2, 2, 4)
	p := s.scheduled(t)
	var got []string
	for _, c := range p.Program.Commands {
		if strings.Contains(c.Name, "down") || c.Kind == ir.KindTransfer {
			got = append(got, c.Name)
		}
	}
	for _, b := range p.Program.Buffers {
		if strings.Contains(b.Name, " on ") {
			got = append(got, b.Name)
		}
	}
	slices.Sort(got)
	want := []string{
		"a@0 on core5", "a@0>core5", "a@1 on core6", "a@1>core6", // between stages
		"down.all-reduce 0>1", "down.all-reduce 1>0", "down.all-reduce@0", "down.all-reduce@1", "down@0", "down@1",
		"y.terms@0 on core6", "y.terms@1 on core5",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
