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
					t.Log(string(ir.Encode(p)))
					if found := judgedPlan(t, facts.OfPlan(p), facts.OfLevel(s.Portable, nil)); found != nil {
						t.Error(found)
					}
					again, err := Schedule(s.Scheduling).Make(context.Background(), facts.OfLevel(s.binding, nil))
					if err != nil || !bytes.Equal(ir.Encode(p), Encode(again)) {
						t.Error("it is another plan the second time", err)
					}
				})
			}
		}
	}
}
