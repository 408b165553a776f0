package derive

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"plancheck/facts"
	"plancheck/internal/evidence"
	"plancheck/internal/example"
	"plancheck/ir"
	"plancheck/ir/level"
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
				t.Run(fmt.Sprintf("%s on %d ranks in %d stages", name, degree, stages), func(t *testing.T) {
					s := onChip(t, name, example.ModelSize{Hidden: 64, FFN: 128, DType: "bf16"}, degree, stages, 16)
					p := s.scheduled(t)
					for _, above := range []level.Body{s.Portable, s.binding, s.Target, s.Deployment} {
						if found := judgedPlan(t, again(t, p), facts.OfLevel(above, nil)); found != nil {
							t.Errorf("beside the %s: %v", above.Head().Schema, found)
						}
					}
					if want := min(stages, int64(len(p.Graph.Ops))); stagesUsed(p) != want {
						t.Errorf("ops are in %d stages, not in %d", stagesUsed(p), want)
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
