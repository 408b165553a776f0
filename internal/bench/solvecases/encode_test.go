package solvecases

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/rules"
)

// TestBestAnswersAreLegalPlans: the best completion in the scheduler's own
// numbers is as good as the case says, and the rules find the plan that it
// makes legal and derive the same costs.
func TestBestAnswersAreLegalPlans(t *testing.T) {
	set, ds := rules.Load([]string{"builtin"})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			plan, err := c.Read(folder)
			if err != nil {
				t.Fatal(err)
			}
			m, ds := encode.New(plan, encode.Options{ForwardCycles: ir.None})
			if m == nil {
				t.Fatal(ds)
			}
			if len(m.Hopeless) > 0 {
				if c.Feasible {
					t.Errorf("hopeless: %v", m.Hopeless)
				}
				return
			}
			if err := m.Problem.Check(); err != nil {
				t.Fatal(err)
			}
			cost, s, ok := best(t, m.Problem, c.Traffic > 0)
			if ok != c.Feasible || cost.Interval != c.Interval || cost.Forwards != c.Forwards || c.Traffic > 0 && cost.Traffic != c.Traffic {
				t.Fatalf("best costs %+v, %v; the case says %+v\n%+v", cost, ok, c, s)
			}
			if !ok {
				return
			}
			done := m.Place(m.Pack(m.Partition(s), s), s)
			read, ds := ir.DecodePlan(diag.NewSource(c.Name+".json", ir.Encode(done)))
			if read == nil {
				t.Fatal(ds)
			}
			v, err := set.Judge(t.Context(), read, rules.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(v.Findings) > 0 {
				t.Errorf("findings: %v\n%s", v.Findings, ir.Encode(done))
			}
			costs, err := set.Costs(t.Context(), read, datalog.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int64{}
			for _, cost := range costs {
				if cost.Known {
					got[cost.Name] = cost.Value
				}
			}
			want := map[string]int64{"interval": cost.Interval, "forwards": int64(cost.Forwards)}
			if cost.Traffic >= 0 {
				want["traffic"] = cost.Traffic
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("costs: -search +rules\n%s\n%s", diff, ir.Encode(done))
			}
		})
	}
}
