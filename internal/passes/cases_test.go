package passes_test

import (
	"context"
	"os"
	"slices"
	"testing"

	"plancheck/encode"
	"plancheck/internal/bench/solvecases"
	"plancheck/internal/diag"
	"plancheck/internal/passes"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
	"plancheck/rules"
)

func builtin(t testing.TB) *rules.Set {
	t.Helper()
	set, diags := rules.Load(nil)
	if set == nil {
		t.Fatal(diags)
	}
	return set
}

// Every case has its known answer, by the clock and by steps; and a complete
// plan is completed into itself.
func TestCases(t *testing.T) {
	set := builtin(t)
	for _, c := range solvecases.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			plan, err := c.Read("../../testdata/cases/solve")
			if err != nil {
				t.Fatal(err)
			}
			for _, steps := range []int64{0, 10_000_000} {
				o := passes.Options{Encode: encode.Options{ForwardCycles: ir.None}, Rules: set, Search: schedule.Options{Steps: steps}}
				out, err := passes.Run(context.Background(), plan, o)
				if err != nil {
					t.Fatal(err)
				}
				if out.Refused != nil {
					t.Fatalf("refused: %v", out.Refused)
				}
				if !c.Feasible {
					if out.Status != schedule.Infeasible || out.Plan != nil {
						t.Errorf("%v, want infeasible: %s", out.Status, c.Why)
					}
					continue
				}
				if out.Status != schedule.Optimal || out.Result.Cost.Interval != c.Interval || out.Result.Cost.Forwards != c.Forwards {
					t.Fatalf("%v %v, want interval %d, forwards %d: %s", out.Status, out.Result.Cost, c.Interval, c.Forwards, c.Why)
				}
				if c.Counts != nil {
					var counts []int
					for _, s := range out.Plan.Stages {
						counts = append(counts, int(s.Count))
					}
					if !slices.Equal(counts, c.Counts) {
						t.Errorf("ranges of %v cores, want %v: %s", counts, c.Counts, c.Why)
					}
				}
				if c.Places != nil {
					var places []int
					for _, p := range out.Plan.Assignment.Placement {
						places = append(places, int(p))
					}
					if !slices.Equal(places, c.Places) {
						t.Errorf("places %v, want %v: %s", places, c.Places, c.Why)
					}
				}
				again, err := passes.Run(context.Background(), out.Plan, o)
				if err != nil || again.Plan == nil {
					t.Fatalf("completed again: %v, %+v", err, again)
				}
				if got, want := string(ir.Encode(again.Plan)), string(ir.Encode(out.Plan)); got != want {
					t.Errorf("completed again it is another plan:\n%s\nwas\n%s", got, want)
				}
			}
		})
	}
}

// The list schedule of the ten-task example of the HEFT paper (Topcuoglu, Hariri
// and Wu, 2002) has the length that Predict Earliest Finish Time gives it.
func TestLogicalScheduleOfTenTasks(t *testing.T) {
	text, err := os.ReadFile("../../testdata/plans/heft.json")
	if err != nil {
		t.Fatal(err)
	}
	plan, diags := ir.DecodePlan(diag.NewSource("heft.json", text))
	if plan == nil {
		t.Fatal(diags)
	}
	var list *ir.LogicalSchedule
	_, err = passes.Run(context.Background(), plan, passes.Options{
		Encode: encode.Options{ForwardCycles: ir.None}, Rules: builtin(t),
		Checkpoint: func(phase string, document []byte) error {
			if phase == "logical" {
				list, diags = ir.DecodeLogicalSchedule(diag.NewSource(phase, document))
			}
			return nil
		},
	})
	if err != nil || list == nil {
		t.Fatal(err, diags)
	}
	if list.Length != 85 {
		t.Errorf("length %d, want 85", list.Length)
	}
}

// Halves of a lane fit the largest core and no other; in three parts it fits.
func TestLanesAreSplitFurther(t *testing.T) {
	const text = `{"schema": "plancheck.concrete-plan/1",
  "target": {"cores": [{"id": 0, "capacity_bytes": 5}, {"id": 1, "capacity_bytes": 3}, {"id": 2, "capacity_bytes": 3}]},
  "graph": {"weights": [{"id": "w", "size_bytes": 10}],
            "ops": [{"id": "a", "work_cycles": 8, "weights": ["w"], "max_parts": 4}]},
  "stages": [{"index": 0}]}`
	plan, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(text)))
	if plan == nil {
		t.Fatal(diags)
	}
	out, err := passes.Run(context.Background(), plan, passes.Options{Encode: encode.Options{ForwardCycles: ir.None}, Rules: builtin(t)})
	if err != nil || out.Plan == nil {
		t.Fatal(out, err)
	}
	if splits := out.Plan.Assignment.Splits; len(splits) != 1 || splits[0].Parts != 3 || out.Result.Cost.Interval != 3 {
		t.Errorf("%v, interval %d; want 3 parts, 3 cycles", splits, out.Result.Cost.Interval)
	}
}
