package passes_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plancheck/encode"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/passes"
	"plancheck/internal/search/schedule"
	"plancheck/internal/search/schedule/scheduletest"
	"plancheck/ir"
	"plancheck/rules"
)

// mostTried bounds the solutions that brute force looks at.
const mostTried = 6_000

// leastOfAccepted is the least cost of all legal solutions whose plans have no
// error, by trying all; known is false where there are too many.
func leastOfAccepted(t *testing.T, set *rules.Set, m *encode.Model) (cost schedule.Cost, found, known bool) {
	t.Helper()
	type candidate struct {
		s    *schedule.Solution
		cost schedule.Cost
	}
	var legal []candidate
	tried := 0
	for s := range scheduletest.All(m.Problem) {
		if tried++; tried > mostTried {
			return schedule.Cost{}, false, false
		}
		if c, err := m.Problem.Cost(s); err == nil {
			legal = append(legal, candidate{s, c})
		}
	}
	slices.SortStableFunc(legal, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cost.Interval, b.cost.Interval), cmp.Compare(a.cost.Forwards, b.cost.Forwards))
	})
	if len(legal) > 4000 {
		legal = legal[:4000]
	}
	var goals []string
	for _, inv := range set.Invariants() {
		if inv.Severity == diag.Error {
			goals = append(goals, inv.Relation)
		}
	}
	for i, c := range legal {
		plan := encode.Transfers(m.Place(m.Pack(m.Partition(c.s), c.s), c.s))
		db, err := set.Derive(context.Background(), plan, goals, datalog.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(goals, func(g string) bool { return db.Len(g) > 0 }) {
			return c.cost, true, true
		}
		if i == 3999 {
			return schedule.Cost{}, false, false
		}
	}
	return schedule.Cost{}, false, true
}

// Rules that the scheduler has never seen hold in every plan that it makes, and
// there is no better plan in which they hold.
func TestObeysRules(t *testing.T) {
	files, err := filepath.Glob("testdata/obey/*.dl")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	n := 25
	if testing.Short() {
		n = 4
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".dl"), func(t *testing.T) {
			user, diags := rules.Load([]string{file, rules.Builtin})
			if user == nil {
				t.Fatal(diags)
			}
			obeys(t, user, nil, n)
		})
	}
}

// Where the search does not see to a kind of constraints, the built-in rules do,
// like any others, and what is found is as good.
func TestBuiltInRulesAreObeyedLikeOthers(t *testing.T) {
	set := builtin(t)
	n := 25
	if testing.Short() {
		n = 4
	}
	for name, off := range map[string][]schedule.Kind{
		"edges go forward": {schedule.Follow}, "edges and inputs skip no stage": {schedule.Near},
		"cores are in the stage's range": {schedule.InRange}, "weights fit": {schedule.Capacity},
		"stages are not empty": {schedule.Filled},
		"all of them":          {schedule.Follow, schedule.Near, schedule.InRange, schedule.Capacity, schedule.Filled},
	} {
		t.Run(name, func(t *testing.T) { obeys(t, set, off, n) })
	}
}

// obeys compares what is found for random plans with brute force.
func obeys(t *testing.T, set *rules.Set, off []schedule.Kind, n int) {
	rounds, feasible, infeasible, refused := 0, 0, 0, 0
	var slowest, total time.Duration
	most := 0
	for seed := 0; n > 0 && seed < 400; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 21))
		plan, o := smallPlan(r)
		m, diags := encode.New(plan, o)
		if m == nil {
			t.Fatal(diags)
		}
		if m.Hopeless != nil {
			continue
		}
		cost, found, known := leastOfAccepted(t, set, m)
		if !known {
			continue
		}
		n--
		began := time.Now()
		out, err := passes.Run(context.Background(), plan, passes.Options{Encode: o, Rules: set, Search: schedule.Options{LeaveOut: off}})
		took := time.Since(began)
		slowest, total = max(slowest, took), total+took
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, ir.Encode(plan))
		}
		if out.Result.Rounds > 0 {
			refused++
		}
		rounds, most = rounds+out.Result.Rounds, max(most, out.Result.Rounds)
		switch {
		case !found:
			infeasible++
			if out.Status != schedule.Infeasible {
				t.Errorf("seed %d: %v, and no plan passes the rules\n%s", seed, out.Status, ir.Encode(plan))
			}
		case out.Status != schedule.Optimal || out.Result.Cost.Interval != cost.Interval || out.Result.Cost.Forwards != cost.Forwards:
			t.Errorf("seed %d: %v %v, want %v\n%s", seed, out.Status, out.Result.Cost, cost, ir.Encode(plan))
		default:
			feasible++
		}
	}
	t.Logf("%d feasible, %d infeasible; %d had rounds, %d in all, at most %d; %v in all, at most %v", feasible, infeasible, refused, rounds, most, total.Round(time.Millisecond), slowest.Round(time.Millisecond))
	if n > 0 || refused == 0 && !testing.Short() {
		t.Errorf("%d plans too few, and %d had rounds", n, refused)
	}
}

// Rules that cannot hold together are told, and no others: without any of them
// there are plans.
func TestConflictOfRulesIsMinimal(t *testing.T) {
	plan := readPlan(t, "../../testdata/plans/encoder.json")
	files := []string{"testdata/obey/neighbours.dl", "../../examples/keep-core.dl", "../../examples/spread-lanes.dl", "testdata/obey/pinned_by_name.dl"}
	run := func(files ...string) *passes.Outcome {
		set, diags := rules.Load(append(files, rules.Builtin))
		if set == nil {
			t.Fatal(diags)
		}
		free := encode.Free{Stage: true, Core: true, Placement: true}
		out, err := passes.Run(context.Background(), plan, passes.Options{Encode: encode.Options{ForwardCycles: ir.None, Free: free}, Rules: set})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	out := run(files...)
	var codes []string
	for _, c := range out.Conflict {
		codes = append(codes, c.Invariant.Code)
		if c.Example == "" {
			t.Errorf("%s has no example", c.Invariant.Code)
		}
	}
	slices.Sort(codes)
	if out.Status != schedule.Infeasible || !slices.Equal(codes, []string{"core-shared", "lanes-stacked"}) {
		t.Fatalf("%v, conflict of %v", out.Status, codes)
	}
	for i := range files {
		rest := slices.Delete(slices.Clone(files), i, i+1)
		if out := run(rest...); (out.Plan != nil) != (i == 1 || i == 2) {
			t.Errorf("without %s: %v", files[i], out.Status)
		}
	}
	if out := run(files[1]); out.Without != 900 || out.Result.Cost.Interval != 1400 || out.Obeyed != 1 {
		t.Errorf("interval %d, %d without %d rules", out.Result.Cost.Interval, out.Without, out.Obeyed)
	}
}

func readPlan(t *testing.T, path string) *ir.Plan {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	plan, diags := ir.DecodePlan(diag.NewSource(path, text))
	if plan == nil {
		t.Fatal(diags)
	}
	return plan
}

// A plan that breaks rules of the user is mended so that it does not, if there is
// any plan that does not; and what is listed beside the best obeys them, too.
func TestRepairAndExploreObeyRules(t *testing.T) {
	mended, hopeless, listed := 0, 0, 0
	seeds := 20
	if testing.Short() {
		seeds = 6
	}
	for _, name := range []string{"core_of_its_own", "two_in_a_stage", "stage_work_at_most", "recursion", "corner", "exactly_two"} {
		set, diags := rules.Load([]string{"testdata/obey/" + name + ".dl", rules.Builtin})
		if set == nil {
			t.Fatal(diags)
		}
		for seed := range seeds {
			r := rand.New(rand.NewPCG(uint64(seed), 23))
			plan, o := smallPlan(r)
			m, diags := encode.New(plan, o)
			if m == nil {
				t.Fatal(diags)
			}
			if m.Hopeless != nil || len(plan.Stages) > 2 {
				continue
			}
			_, found, known := leastOfAccepted(t, set, m)
			free, err := passes.Run(context.Background(), plan, passes.Options{Encode: o, Rules: builtin(t)})
			if err != nil {
				t.Fatal(err)
			}
			if !known || free.Plan == nil || free.Result.Cost.Forwards > 0 {
				continue
			}
			text := ir.Encode(free.Plan)
			complete, diags := ir.DecodePlan(diag.NewSource("plan.json", text))
			if complete == nil {
				t.Fatal(diags)
			}
			got, err := passes.Repair(context.Background(), complete, passes.RepairOptions{Encode: o, Rules: set})
			if err != nil {
				t.Fatalf("%s, seed %d: %v\n%s", name, seed, err, text)
			}
			switch {
			case found && got.Plan == nil:
				t.Errorf("%s, seed %d: %v, and there is a plan\n%s", name, seed, got.Status, text)
			case found && len(got.Before) > 0:
				mended++
			case !found && got.Plan != nil:
				t.Errorf("%s, seed %d: mended, and no plan obeys\n%s", name, seed, text)
			case !found:
				hopeless++
			}
			if !found {
				continue
			}
			x := passes.Exploring{Options: passes.Options{Encode: o, Rules: set}, Count: 3, Within: passes.Percent{Num: 50, Den: 1}}
			list, err := passes.Explore(context.Background(), plan, x)
			if err != nil || len(list.Rows) == 0 {
				t.Fatalf("%s, seed %d: %v, %d rows", name, seed, err, len(list.Rows))
			}
			for _, row := range list.Rows {
				v, err := set.Judge(context.Background(), row.Plan, rules.Options{})
				if err != nil || slices.ContainsFunc(v.Findings, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
					t.Errorf("%s, seed %d: a row breaks rules (%v)", name, seed, err)
				}
			}
			listed += len(list.Rows)
		}
	}
	t.Logf("%d mended, %d hopeless, %d listed", mended, hopeless, listed)
	if mended == 0 || hopeless == 0 || listed == 0 {
		t.Error("too little was tried")
	}
}
