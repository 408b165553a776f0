package encode_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
	"plancheck/rules"
)

func builtin(t testing.TB) *rules.Set {
	t.Helper()
	s, diags := rules.Load(nil)
	if s == nil {
		t.Fatal(diags)
	}
	return s
}

// violations judges a plan and writes what is wrong, without warnings.
func violations(t testing.TB, s *rules.Set, p *ir.Plan, partial bool) string {
	t.Helper()
	v, err := s.Judge(context.Background(), p, rules.Options{Partial: partial})
	if err != nil {
		t.Fatalf("%v in\n%s", err, ir.Encode(p))
	}
	return messages(v.Findings)
}

func messages(ds []diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range ds {
		if d.Severity == diag.Error {
			fmt.Fprintf(&b, "%s: %s\n", d.Code, d.Message)
		}
	}
	return b.String()
}

// derived is a cost as the rules derive it. Forwards that the graph had are not
// counted.
func derived(t testing.TB, s *rules.Set, p *ir.Plan, had int) schedule.Cost {
	t.Helper()
	costs, err := s.Costs(context.Background(), p, datalog.Limits{})
	if err != nil {
		t.Fatalf("%v in\n%s", err, ir.Encode(p))
	}
	var values []int64
	for _, c := range costs {
		if !c.Known {
			c.Value = schedule.Unknown
		}
		values = append(values, c.Value)
	}
	return schedule.Cost{Interval: values[0], Forwards: int(values[1]) - had, Traffic: values[2]}
}

// deliveries are the bytes that go between logical cores as the rules derive
// them.
func deliveries(t testing.TB, s *rules.Set, p *ir.Plan, cores int) [][]int64 {
	t.Helper()
	db, err := s.Derive(context.Background(), p, []string{"delivery"}, datalog.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	flow := make([][]int64, cores)
	for i := range flow {
		flow[i] = make([]int64, cores)
	}
	for _, row := range db.Rows("delivery") {
		var n [3]int64
		for i := range n {
			n[i], _ = p.Symbols.Number(row[3+i])
		}
		flow[n[0]][n[1]] += n[2]
	}
	return flow
}

func isLegal(p *schedule.Problem, s *schedule.Solution) bool {
	_, err := p.Cost(s)
	return err == nil
}

func had(p *ir.Plan) int {
	n := 0
	for _, op := range p.Graph.Ops {
		if op.Kind == ir.KindForward {
			n++
		}
	}
	return n
}

// phases decodes a solution and returns the plan after each phase.
func phases(m *encode.Model, s *schedule.Solution) []*ir.Plan {
	partition := m.Partition(s)
	packed := m.Pack(partition, s)
	placed := m.Place(packed, s)
	return []*ir.Plan{partition, packed, placed, encode.Transfers(placed)}
}

// tries is how many random plans a test looks at.
func tries() int {
	if testing.Short() {
		return 300
	}
	return 3000
}

// On random plans with random schedules, legal and illegal, the rules and
// schedule.Cost agree on what is legal and on what it costs.
func TestRulesAgreeWithCost(t *testing.T) {
	set := builtin(t)
	count := map[string]int{}
	for seed := range tries() {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		plan, o := drawPlan(r)
		before := ir.Encode(plan)
		m, diags := encode.New(plan, o)
		if len(diags) > 0 {
			t.Fatalf("seed %d: %s in\n%s", seed, messages(diags), before)
		}
		if len(m.Hopeless) > 0 {
			count["hopeless"]++
			for _, d := range m.Hopeless {
				count[d.Code]++
			}
			if m.Problem.Check() == nil {
				if s := drawSolution(r, m.Problem); isLegal(m.Problem, s) {
					t.Fatalf("seed %d: a schedule exists, in spite of\n%sof\n%s", seed, messages(m.Hopeless), before)
				}
			}
			continue
		}
		if err := m.Problem.Check(); err != nil {
			t.Fatalf("seed %d: %v in\n%s", seed, err, before)
		}
		s := drawSolution(r, m.Problem)
		if r.IntN(3) == 0 {
			spoil(r, m.Problem, s)
		}
		cost, err := m.Problem.Cost(s)
		if err != nil && !errors.Is(err, schedule.ErrSolution) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		all := phases(m, s)
		last := all[len(all)-1]
		if ds := ir.Validate(last); len(ds) > 0 {
			t.Fatalf("seed %d: %s in\n%s", seed, messages(ds), ir.Encode(last))
		}
		if got := violations(t, set, last, false); (got == "") != (err == nil) {
			t.Fatalf("seed %d: schedule.Cost says %v, and the rules say\n%sof\n%s", seed, err, got, ir.Encode(last))
		}
		if string(before) != string(ir.Encode(plan)) {
			t.Fatalf("seed %d: decoding has changed the plan", seed)
		}
		if err != nil {
			count["illegal"]++
			continue
		}
		count["legal"]++
		if len(s.Forwards) > 0 {
			count["with forwards"]++
		}
		if cost.Traffic > 0 {
			count["with traffic"]++
		}
		if len(last.Assignment.Splits) > len(plan.Assignment.Splits) {
			count["with splits"]++
		}
		for i, p := range all[:3] {
			if got := violations(t, set, p, true); got != "" {
				t.Fatalf("seed %d: after phase %d the rules say\n%sof\n%s", seed, i, got, ir.Encode(p))
			}
		}
		if diff := cmp.Diff(cost, derived(t, set, last, had(plan))); diff != "" {
			t.Fatalf("seed %d: costs (-schedule +rules):\n%s\nof\n%s", seed, diff, ir.Encode(last))
		}
		if flow, known := m.Problem.Flow(s); known {
			if diff := cmp.Diff(flow, deliveries(t, set, last, m.Problem.Cores)); diff != "" {
				t.Fatalf("seed %d: flows (-schedule +rules):\n%s\nof\n%s", seed, diff, ir.Encode(last))
			}
		}
	}
	t.Log(count)
	for _, what := range []string{"hopeless", "illegal", "legal", "with forwards", "with traffic", "with splits"} {
		if count[what] < tries()/100 {
			t.Errorf("only %d of %d plans are %s", count[what], tries(), what)
		}
	}
}
