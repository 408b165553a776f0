package chart_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/chart"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/example"
	"plancheck/ir"
	"plancheck/rules"
)

func decode(t *testing.T, text string) *ir.Plan {
	t.Helper()
	p, ds := ir.DecodePlan(diag.NewSource("plan.json", []byte(text)))
	for _, d := range ds {
		t.Fatalf("%d:%d: %s", d.Pos.Line, d.Pos.Column, d.Message)
	}
	return p
}

const plan = `{"schema": "plancheck.concrete-plan/1",
 "target": {"cores": [{"id": 0}, {"id": 7}, {"id": 2}]},
 "graph": {"inputs": [{"id": "in", "dynamic": true, "consumers": ["a", "c"]}],
   "ops": [{"id": "a", "lanes": 2, "work_cycles": 9}, {"id": "b", "work_cycles": 4, "max_parts": 3}, {"id": "c", "work_cycles": 1}, {"id": "d", "work_cycles": 8}],
   "edges": [{"from": "a", "to": "b"}, {"from": "a", "to": "c"}]},
 "stages": [{"index": 0, "cores": {"first": 0, "count": 2}}, {"index": 1, "cores": {"first": 2, "count": 1}}],
 "assignment": {"instances": [{"op": "a", "stage": 0, "cores": [0, 1]}, {"op": "b", "stage": 1, "cores": [2], "part": 0}, {"op": "b", "stage": 1, "cores": [0], "part": 1}, {"op": "b", "stage": 1, "cores": [2], "part": 2},
    {"op": "c", "stage": 3, "cores": [1]}, {"op": "d"}],
   "splits": [{"op": "b", "parts": 3}],
   "placement": [0, 7, null]}}`

// at is a finding at a pointer, with facts at others.
func at(pointer string, facts ...string) diag.Diagnostic {
	d := diag.Diagnostic{Pos: diag.Position{Line: 1, Pointer: pointer}, Proof: &diag.Proof{Kind: diag.ByRule}}
	for _, f := range facts {
		row := &diag.Proof{Kind: diag.ByRule, Premises: []*diag.Proof{{Kind: diag.Fact, Pos: diag.Position{Line: 1, Pointer: f}}}}
		d.Proof.Premises = append(d.Proof.Premises, &diag.Proof{Kind: diag.ByAggregate, Rows: []*diag.Proof{row}})
	}
	return d
}

func TestOf(t *testing.T) {
	const none = chart.None
	got := chart.Of(decode(t, plan), nil)
	want := &chart.Chart{MaxCycles: 5, Ops: 4, Stages: []chart.Stage{
		{Index: 0, Last: 0, Listed: true, First: 0, Count: 2, Ops: 1, Cycles: 5, Cells: []chart.Cell{
			{First: 0, Last: 0, Owned: true, Physical: 0, Shares: 1, Cycles: 5},
			{First: 1, Last: 1, Owned: true, Physical: 7, Shares: 1, Cycles: 5}}},
		{Index: 1, Last: 1, Listed: true, First: 2, Count: 1, Ops: 1, Cycles: 4, Cells: []chart.Cell{
			{First: 2, Last: 2, Owned: true, Physical: none, Shares: 2, Cycles: 4},
			{First: 0, Last: 0, Physical: 0, Shares: 1, Cycles: 2}}},
		{Index: 3, Last: 3, First: none, Ops: 1, Cycles: 1, Cells: []chart.Cell{
			{First: 1, Last: 1, Owned: true, Physical: 7, Shares: 1, Cycles: 1}}},
		{Index: none, Last: none, First: none, Ops: 1, Cells: []chart.Cell{
			{First: none, Last: none, Owned: true, Physical: none, Shares: 1, Cycles: 8}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A core works as long as its kind needs, which its place tells.
func TestWorkByKind(t *testing.T) {
	text := strings.NewReplacer(`{"id": 7}`, `{"id": 7, "kind": "fast"}`,
		`"work_cycles": 9`, `"work_cycles": 9, "work_on": [{"kind": "slow", "cycles": 99}, {"kind": "fast", "cycles": 3}]`).Replace(plan)
	var got []int64
	for _, c := range chart.Of(decode(t, text), nil).Stages[0].Cells {
		got = append(got, c.Cycles)
	}
	if diff := cmp.Diff([]int64{5, 2}, got); diff != "" {
		t.Error(diff)
	}
}

func TestGuilty(t *testing.T) {
	const none = chart.None
	a0, a1 := chart.Place{Op: "a", Stage: 0, Core: 0}, chart.Place{Op: "a", Stage: 0, Core: 1}
	c := chart.Place{Op: "c", Stage: 3, Core: 1}
	for _, test := range []struct {
		name    string
		finding diag.Diagnostic
		want    []chart.Place
	}{
		{"an instance", at("/assignment/instances/0"), []chart.Place{a0, a1}},
		{"one lane of it", at("/assignment/instances/0/cores/1"), []chart.Place{a1}},
		{"a lane that is not there", at("/assignment/instances/0/cores/7"), []chart.Place{a0, a1}},
		{"an edge and the stages of its ends", at("/graph/edges/1", "/assignment/instances/0/stage", "/stages/0", "/assignment/instances/4/stage"), []chart.Place{a0, a1, c}},
		{"an edge alone", at("/graph/edges/1"), []chart.Place{a0, a1, c}},
		{"the consumer of an input", at("/graph/inputs/0/consumers/1"), []chart.Place{c}},
		{"an op with holes", at("/graph/ops/3"), []chart.Place{{Op: "d", Stage: none, Core: none}}},
		{"a stage", at("/stages/1/cores"), []chart.Place{{Stage: 1, Core: none}}},
		{"a place", at("/assignment/placement/2"), []chart.Place{{Stage: none, Core: 2}}},
		{"a physical core and what is placed on it", at("/target/cores/1/capacity_bytes"), []chart.Place{{Stage: none, Core: 1}}},
		{"nothing that is drawn", at("/graph/weights/0"), nil},
		{"beyond the ends of lists", at("/assignment/instances/99", "/stages/7", "/graph/ops/-1", "/assignment/placement/x", "/target/cores/3"), nil},
		{"the whole document", at(""), nil},
	} {
		var want []chart.Guilt
		if test.want != nil {
			want = []chart.Guilt{{Finding: 1, Places: test.want}}
		}
		got := chart.Of(decode(t, plan), []diag.Diagnostic{{}, test.finding}).Guilty
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// The longest bar is the interval that the rules derive.
func TestMaxCyclesIsTheInterval(t *testing.T) {
	set, ds := rules.Load(nil)
	if set == nil {
		t.Fatal(ds)
	}
	for _, name := range example.Names() {
		p, err := example.Build(name, example.Complete)
		if err != nil {
			t.Fatal(err)
		}
		costs, err := set.Costs(context.Background(), p, datalog.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range costs {
			if got := chart.Of(p, nil).MaxCycles; c.Name == "interval" && (!c.Known || got != c.Value) {
				t.Errorf("%s: the longest bar is %d cycles, the interval %d", name, got, c.Value)
			}
		}
	}
}

// Drawings stay small however large the plan, and lose no load.
func TestLargePlans(t *testing.T) {
	for _, size := range []struct{ stages, cores int }{{3, 5000}, {64, 7}, {65, 1}, {1000, 3}} {
		var ops, stages, instances []string
		for s := range size.stages {
			ops = append(ops, fmt.Sprintf(`{"id": "o%d", "work_cycles": %d}`, s, s+1))
			stages = append(stages, fmt.Sprintf(`{"index": %d, "cores": {"first": %d, "count": %d}}`, s, s*size.cores, size.cores))
			instances = append(instances, fmt.Sprintf(`{"op": "o%d", "stage": %d, "cores": [%d]}`, s, s, (s+1)*size.cores-1))
		}
		c := chart.Of(decode(t, fmt.Sprintf(`{"schema": "plancheck.concrete-plan/1", "graph": {"ops": [%s]}, "stages": [%s], "assignment": {"instances": [%s]}}`,
			strings.Join(ops, ","), strings.Join(stages, ","), strings.Join(instances, ","))), nil)
		cells, shares := 0, 0
		for _, s := range c.Stages {
			cells += len(s.Cells)
			for _, cell := range s.Cells {
				shares += cell.Shares
			}
		}
		if len(c.Stages) > 64 || cells > 400 || shares != size.stages || c.MaxCycles != int64(size.stages) {
			t.Errorf("%v: %d stages, %d cells, %d shares, longest bar %d", size, len(c.Stages), cells, shares, c.MaxCycles)
		}
	}
}

// Numbers at the ends of the integers neither wrap nor take forever.
func TestExtremeNumbers(t *testing.T) {
	c := chart.Of(decode(t, fmt.Sprintf(`{"schema": "plancheck.concrete-plan/1",
	 "graph": {"ops": [{"id": "a", "lanes": 3, "work_cycles": %[1]d}, {"id": "b", "work_cycles": %[1]d}]},
	 "stages": [{"index": %[1]d, "cores": {"first": %[1]d, "count": %[1]d}}, {"index": 0, "cores": {"first": 0, "count": %[1]d}}, {"index": 1, "cores": {"first": 5, "count": 0}}],
	 "assignment": {"splits": [{"op": "a", "parts": %[1]d}],
	  "instances": [{"op": "b", "stage": 0, "cores": [%[2]d]}, {"op": "b", "stage": 0, "cores": [%[2]d]}, {"op": "a", "stage": 1, "lanes": [0], "part": 1, "cores": [%[1]d]}]}}`,
		math.MaxInt64, math.MaxInt64-1)), nil)
	if c.MaxCycles != math.MaxInt64 || len(c.Stages) != 3 {
		t.Errorf("%d stages, longest bar %d", len(c.Stages), c.MaxCycles)
	}
	if n := len(c.Stages[0].Cells); n > 400 {
		t.Errorf("%d cells", n)
	}
}

func TestNothingToDraw(t *testing.T) {
	if diff := cmp.Diff(&chart.Chart{}, chart.Of(decode(t, `{"schema": "plancheck.concrete-plan/1", "graph": {"ops": []}}`), nil)); diff != "" {
		t.Error(diff)
	}
}
