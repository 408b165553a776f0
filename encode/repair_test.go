package encode_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/jsonedit"
	"plancheck/internal/passes"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
	"plancheck/rules"
)

// drawLegal makes a plan that breaks no rule; nil if none was met.
func drawLegal(t *testing.T, set *rules.Set, r *rand.Rand) (*ir.Plan, encode.Options) {
	plan, o := drawPlan(r)
	m, diags := encode.New(plan, o)
	if len(diags) > 0 || len(m.Hopeless) > 0 || m.Problem.Check() != nil {
		return nil, o
	}
	for range 20 {
		s := drawSolution(r, m.Problem)
		if !isLegal(m.Problem, s) {
			continue
		}
		all := phases(m, s)
		legal := all[len(all)-1]
		if got := violations(t, set, legal, false); got != "" {
			t.Fatalf("a plan that should be legal: %s", got)
		}
		return legal, o
	}
	return nil, o
}

// break1 changes one decision of a plan, or one record, and says whether it was a
// decision.
func break1(r *rand.Rand, p *ir.Plan) (decision bool) {
	a := &p.Assignment
	number := func(most int) int64 { return int64(r.IntN(most + 2)) }
	switch r.IntN(7) {
	case 0:
		if len(a.Instances) > 0 {
			op, stage := a.Instances[r.IntN(len(a.Instances))].Op, number(len(p.Stages))
			for i := range a.Instances {
				if a.Instances[i].Op == op {
					a.Instances[i].Stage = stage
				}
			}
			return true
		}
	case 1:
		if len(a.Instances) > 0 {
			in := &a.Instances[r.IntN(len(a.Instances))]
			if len(in.Cores) > 0 {
				in.Cores[r.IntN(len(in.Cores))] = number(6)
				return true
			}
		}
	case 2:
		s := &p.Stages[r.IntN(len(p.Stages))]
		s.First, s.Count = number(5), number(3)
		return true
	case 3:
		if len(a.Placement) > 0 {
			a.Placement[r.IntN(len(a.Placement))] = 10 + number(len(a.Placement))
			return true
		}
	case 4:
		if len(p.Transfers) > 0 {
			tr := &p.Transfers[r.IntN(len(p.Transfers))]
			*[]*int64{&tr.Stage, &tr.FromStage, &tr.ToStage}[r.IntN(3)] = number(3)
		}
	case 5:
		if len(p.Syncs) > 0 {
			p.Syncs[r.IntN(len(p.Syncs))].Stage = number(3)
		}
	case 6:
		if len(a.Residency) > 0 {
			res := &a.Residency[r.IntN(len(a.Residency))]
			res.Cores[r.IntN(len(res.Cores))] = number(6)
		}
	}
	return false
}

// A legal plan in which k decisions are changed is made legal with k changes at
// most; the text is edited and not written anew, and says what the plan says.
func TestRepairBrokenPlans(t *testing.T) {
	set := builtin(t)
	count := map[string]int{}
	for seed := range tries() / 3 {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		legal, o := drawLegal(t, set, r)
		if legal == nil {
			continue
		}
		k := 0
		for range 1 + r.IntN(4) {
			if break1(r, legal) {
				k++
			}
		}
		text := ir.Encode(legal)
		if seed%2 == 1 { // in another formatting
			var lines bytes.Buffer
			if err := json.Indent(&lines, text, "", []string{"  ", "\t", ""}[seed/2%3]); err != nil {
				t.Fatal(err)
			}
			text = lines.Bytes()
		}
		broken, diags := ir.DecodePlan(diag.NewSource("plan.json", text))
		if diags != nil {
			t.Fatalf("seed %d: %s", seed, messages(diags))
		}
		if broken.Target == nil && broken.LogicalCores == ir.None {
			continue // ranges say how many cores there are
		}
		out, err := passes.Repair(context.Background(), broken, passes.RepairOptions{Encode: o, Rules: set})
		if err != nil {
			t.Fatalf("seed %d: %v in\n%s", seed, err, text)
		}
		checkMended(t, set, seed, broken, out)
		if out.Status != schedule.Optimal || out.Counted() > k || out.Fewest != out.Counted() {
			t.Fatalf("seed %d: %d changes of at least %d, %s, for %d that were made, in\n%s\n%v", seed, out.Counted(), out.Fewest, out.Status, k, text, out.Changes)
		}
		switch {
		case len(out.Before) == 0:
			count["legal"]++
		case out.Counted() == 0:
			count["records only"]++
		default:
			count["changed"]++
		}
		for _, c := range out.Changes {
			count[string(c.Kind)]++
		}
	}
	t.Log(count)
	for _, what := range []string{"legal", "records only", "changed", "stage", "core", "range", "place", "record"} {
		if count[what] < tries()/100 {
			t.Errorf("only %d plans of %d: %s", count[what], tries()/3, what)
		}
	}
}

// checkMended reads what a repair wrote.
func checkMended(t *testing.T, set *rules.Set, seed int, broken *ir.Plan, out *passes.Mended) {
	t.Helper()
	if out.Plan == nil {
		t.Fatalf("seed %d: no plan (%s) of\n%s", seed, out.Status, ir.Encode(broken))
	}
	if out.Rewritten {
		t.Fatalf("seed %d: written anew: %s", seed, broken.Source.Text())
	}
	mended := jsonedit.Apply(broken.Source.Text(), out.Edits)
	plan, diags := ir.DecodePlan(diag.NewSource("mended.json", mended))
	if diags != nil {
		t.Fatalf("seed %d: %s in\n%s", seed, messages(diags), mended)
	}
	if diff := cmp.Diff(string(ir.Encode(out.Plan)), string(ir.Encode(plan))); diff != "" {
		t.Fatalf("seed %d: the text says another thing (-plan +text):\n%s", seed, diff)
	}
	if got := violations(t, set, plan, false); got != "" {
		t.Fatalf("seed %d: %s in\n%s\nof\n%s", seed, got, mended, broken.Source.Text())
	}
}

// Whatever numbers a plan has, it is made legal, or it is said why that cannot
// be.
func TestRepairAnyNumbers(t *testing.T) {
	set := builtin(t)
	count := map[string]int{}
	for seed := range tries() / 10 {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		plan, o := drawLegal(t, set, r)
		if plan == nil {
			continue
		}
		for range 1 + r.IntN(2) {
			mess(r, plan)
		}
		broken, diags := ir.DecodePlan(diag.NewSource("plan.json", ir.Encode(plan)))
		if diags != nil {
			continue
		}
		out, err := passes.Repair(context.Background(), broken, passes.RepairOptions{Encode: o, Rules: set})
		var large *facts.Error
		if errors.As(err, &large) {
			continue // more facts than rules are asked about
		}
		if err != nil {
			t.Fatalf("seed %d: %v in\n%s", seed, err, ir.Encode(plan))
		}
		switch {
		case out.Plan != nil:
			checkMended(t, set, seed, broken, out)
			count["mended"]++
		case out.Refused != nil:
			count["refused"]++
			for _, d := range out.Refused {
				count[d.Code]++
			}
		case out.Left != nil:
			count["left"]++
			for _, d := range out.Left.Findings {
				count["left "+d.Code]++
			}
		case out.Status == schedule.Infeasible:
			count["infeasible"]++
		default:
			t.Fatalf("seed %d: %+v", seed, out)
		}
	}
	t.Log(count)
	for _, what := range []string{"mended", "refused"} {
		if count[what] == 0 {
			t.Errorf("no plan of %d: %s", tries()/10, what)
		}
	}
}

// A plan whose schedule needs forwards that the graph does not have is made legal
// with as many changes at most.
func TestRepairAddsForwards(t *testing.T) {
	set := builtin(t)
	forwarded := 0
	for seed := range tries() / 3 {
		r := rand.New(rand.NewPCG(uint64(seed), 13))
		plan, o := drawPlan(r)
		o.Forward = true
		m, diags := encode.New(plan, o)
		if len(diags) > 0 || len(m.Hopeless) > 0 || m.Problem.Check() != nil {
			continue
		}
		s := drawSolution(r, m.Problem)
		if !isLegal(m.Problem, s) || len(s.Forwards) == 0 {
			continue
		}
		all := phases(m, s)
		whole := all[len(all)-1]
		p := *plan
		p.Stages, p.Assignment = whole.Stages, whole.Assignment
		p.Assignment.Instances = p.Assignment.Instances[:len(whole.Assignment.Instances)-len(s.Forwards)]
		broken, diags := ir.DecodePlan(diag.NewSource("plan.json", ir.Encode(&p)))
		if diags != nil {
			t.Fatalf("seed %d: %s", seed, messages(diags))
		}
		out, err := passes.Repair(context.Background(), broken, passes.RepairOptions{Encode: o, Rules: set})
		if err != nil {
			t.Fatalf("seed %d: %v in\n%s", seed, err, ir.Encode(&p))
		}
		checkMended(t, set, seed, broken, out)
		if out.Status != schedule.Optimal || out.Counted() > len(s.Forwards) || out.Fewest != out.Counted() {
			t.Fatalf("seed %d: %d changes of at least %d, %s, and %d forwards would do, in\n%s", seed, out.Counted(), out.Fewest, out.Status, len(s.Forwards), ir.Encode(&p))
		}
		if out.Result.Changes.Forwards > 0 {
			forwarded++
		}
	}
	if forwarded < tries()/100 {
		t.Errorf("only %d of %d plans got forwards", forwarded, tries()/3)
	}
}
