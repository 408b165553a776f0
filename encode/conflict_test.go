package encode_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// told writes statements on lines, with the places of their parts.
func told(list []encode.Statement) []string {
	var lines []string
	for _, s := range list {
		var at []string
		for _, p := range s.Parts {
			if p.Pos.Line > 0 && !strings.ContainsAny(p.Snippet[p.Pos.Column-1:p.Pos.Column], "{\"6") {
				at = append(at, "nothing begins at")
			}
			at = append(at, fmt.Sprintf("%d:%d %s", p.Pos.Line, p.Pos.Column, p.Pos.Pointer))
		}
		lines = append(lines, fmt.Sprintf("%s %d (%s)", s.Text, s.Of, strings.Join(at, ", ")))
	}
	return lines
}

func model(t *testing.T, p *ir.Plan, o encode.Options) *encode.Model {
	t.Helper()
	m, ds := encode.New(p, o)
	if m == nil {
		t.Fatal(placed(ds))
	}
	return m
}

// Every kind of constraint is told in the plan's words, at its place.
func TestStatements(t *testing.T) {
	m := model(t, read(t), encode.Options{ForwardCycles: ir.None, NonEmpty: true})
	core := []schedule.Constraint{
		{Kind: schedule.Capacity, Of: 0},
		{Kind: schedule.Filled, Of: schedule.Free},
		{Kind: schedule.Placed, Of: 1},
		{Kind: schedule.RangeGiven, Of: 1},
		{Kind: schedule.StagePinned, Of: 1},
		{Kind: schedule.StagePinned, Of: 0},
		{Kind: schedule.CorePinned, Of: 0, Share: 1},
	}
	for i := range m.Problem.Reads {
		core = append(core, schedule.Constraint{Kind: schedule.Reading, Of: i})
	}
	want := []string{
		"edge a -> b: op b is in the stage of op a or in the next one [7] (11:11 /graph/edges/0)",
		"edge a -> c: op c is in the stage of op a or in the next one [8] (11:54 /graph/edges/1)",
		"edge b -> c: op c is in the stage of op b or in the next one [9] (12:1 /graph/edges/2)",
		"edge b -> c: op c is in the stage of op b or in the next one [10] (12:41 /graph/edges/3)",
		"op a reads the dynamic input x, so it is in stage 0 [11] (5:83 /graph/inputs/0/consumers/0)",
		"op c reads the dynamic input x, so it is in stage 0 [12] (5:88 /graph/inputs/0/consumers/1)",
		"lane 1 of op a is pinned to core 0 [6] (17:1 /assignment/instances/0)",
		"op a is pinned to stage 0 [5] (17:1 /assignment/instances/0)",
		"op b is pinned to stage 1 [4] (18:1 /assignment/instances/1)",
		"stage 1 has core 1 only [3] (14:1 /stages/1)",
		"logical core 1 is placed on physical core 6 [2] (19:21 /assignment/placement/1)",
		"physical core 5: no more than 100 bytes of weights on a core [0] (3:11 /target/cores/0)",
		"no stage may be empty [1] (0:0 )",
	}
	if diff := cmp.Diff(want, told(m.Statements(core))); diff != "" {
		t.Error(diff)
	}
	slices.Reverse(core)
	for i, s := range m.Statements(core) {
		text, _, _ := strings.Cut(want[i], " [")
		if s.Text != text {
			t.Errorf("told in another order: %q, want %q", s.Text, text)
		}
	}
	given := []string{}
	for _, c := range core {
		given = append(given, m.GivenUp(c, schedule.Relaxation{}))
	}
	slices.Sort(given)
	if diff := cmp.Diff([]string{
		"any cores for stage 1",
		"edge a -> b over several stages, behind forwards",
		"edge a -> c over several stages, behind forwards",
		"edge b -> c over several stages, behind forwards",
		"edge b -> c over several stages, behind forwards",
		"empty stages allowed",
		"enough room for weights on physical core 5",
		"input x forwarded to op a",
		"input x forwarded to op c",
		"lane 1 of op a on any core",
		"logical core 1 on any physical core",
		"op a in any stage",
		"op b in any stage",
	}, given); diff != "" {
		t.Error(diff)
	}
}

// graph is a plan of these edges, "a b" is one from a to b, with an input that
// some ops read.
func graph(t *testing.T, forward bool, readers []string, edges ...string) *encode.Model {
	t.Helper()
	seen := map[string]bool{}
	var ops, list []string
	for _, e := range edges {
		ends := strings.Fields(e)
		for _, op := range ends {
			if !seen[op] {
				seen[op] = true
				ops = append(ops, fmt.Sprintf(`{"id": %q, "work_cycles": 1, "forward_cycles": 1}`, op))
			}
		}
		list = append(list, fmt.Sprintf(`{"from": %q, "to": %q}`, ends[0], ends[1]))
	}
	input := ""
	if readers != nil {
		input = fmt.Sprintf(`"inputs": [{"id": "x", "dynamic": true, "forward_cycles": 1, "consumers": ["%s"]}],`, strings.Join(readers, `", "`))
	}
	text := fmt.Sprintf(`{"schema": "plancheck.concrete-plan/1", "options": {"forward": %t}, "graph": {%s "ops": [%s], "edges": [%s]}, "stages": [{"index": 0}, {"index": 1}, {"index": 2}]}`,
		forward, input, strings.Join(ops, ", "), strings.Join(list, ", "))
	p, ds := ir.DecodePlan(diag.NewSource("plan.json", []byte(text)))
	if len(ds) > 0 {
		t.Fatal(placed(ds))
	}
	return model(t, p, encode.Options{ForwardCycles: ir.None})
}

// Edges are told as paths, up to where others meet them.
func TestPaths(t *testing.T) {
	for _, c := range []struct {
		name    string
		forward bool
		readers []string
		edges   []string
		want    []string
	}{
		{"a path, from its end", false, nil, []string{"c d", "b c", "a b"},
			[]string{"path a -> b -> c -> d: each op is in the stage of the one before it or in the next one [2 1 0]"}},
		{"a skip", false, nil, []string{"a b", "b c", "a c"}, []string{
			"path a -> b -> c: each op is in the stage of the one before it or in the next one [0 1]",
			"edge a -> c: op c is in the stage of op a or in the next one [2]"}},
		{"a fork", false, nil, []string{"a b", "b c", "b d", "d e"}, []string{
			"edge a -> b: op b is in the stage of op a or in the next one [0]",
			"edge b -> c: op c is in the stage of op b or in the next one [1]",
			"path b -> d -> e: each op is in the stage of the one before it or in the next one [2 3]"}},
		{"with forwards", true, nil, []string{"a b", "b c"},
			[]string{"path a -> b -> c: no op is in an earlier stage than the one before it [0 1]"}},
		{"a long path", false, nil, []string{"a0 a1", "a1 a2", "a2 a3", "a3 a4", "a4 a5", "a5 a6", "a6 a7", "a7 a8", "a8 a9", "a9 b0", "b0 b1", "b1 b2", "b2 b3"},
			[]string{"path a0 -> a1 -> a2 -> a3 -> (6 more) -> b0 -> b1 -> b2 -> b3: each op is in the stage of the one before it or in the next one [0 1 2 3 4 5 6 7 8 9 10 11 12]"}},
		{"many paths", false, nil, []string{"a b", "c d", "e f", "g h", "i j", "k l", "m n"},
			[]string{"edges a -> b, c -> d, e -> f, g -> h, i -> j, k -> l, m -> n: in each, the reader is in the stage of the op that it reads or in the next one [0 1 2 3 4 5 6]"}},
		{"many readers", false, []string{"a", "b", "c", "d"}, []string{"a b", "c d"}, []string{
			"edge a -> b: op b is in the stage of op a or in the next one [0]",
			"edge c -> d: op d is in the stage of op c or in the next one [1]",
			"ops a, b, c, d read the dynamic input x, so they are in stage 0 [2 3 4 5]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := graph(t, c.forward, c.readers, c.edges...)
			var core []schedule.Constraint
			for i := range m.Problem.Reads {
				core = append(core, schedule.Constraint{Kind: schedule.Reading, Of: i})
			}
			var got []string
			for _, s := range m.Statements(core) {
				got = append(got, fmt.Sprintf("%s %d", s.Text, s.Of))
				if len(s.Parts) != len(s.Of) {
					t.Errorf("%q has %d parts of %d constraints", s.Text, len(s.Parts), len(s.Of))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Every constraint of the conflict of a random plan is in one statement, at a
// place that names what it is about.
func TestStatementsOfRandomPlans(t *testing.T) {
	conflicts := 0
	for seed := range tries() {
		r := rand.New(rand.NewPCG(uint64(seed), 31))
		plan, o := drawPlan(r)
		m, _ := encode.New(plan, o)
		if m == nil || len(m.Hopeless) > 0 {
			continue
		}
		all := phases(m, drawSolution(r, m.Problem))
		holes, free := erase(r, all[len(all)-1])
		text := ir.Encode(holes)
		holes, ds := ir.DecodePlan(diag.NewSource("plan.json", text))
		if len(ds) > 0 {
			continue // a schedule that is not legal may make a plan that is none
		}
		m, _ = encode.New(holes, encode.Options{Free: free, Forward: o.Forward, ForwardCycles: o.ForwardCycles, NonEmpty: r.IntN(2) == 0})
		if m == nil || len(m.Hopeless) > 0 {
			continue
		}
		w, err := schedule.WhyNot(context.Background(), m.Problem, schedule.WhyOptions{Prices: m.Prices()})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if w.Status != schedule.Infeasible {
			continue
		}
		conflicts++
		seen := make([]bool, len(w.Core))
		for _, s := range m.Statements(w.Core) {
			for n, i := range s.Of {
				if seen[i] {
					t.Errorf("seed %d: %v is told twice", seed, w.Core[i])
				}
				seen[i] = true
				if at := s.Parts[n]; !strings.Contains(at.Snippet, about(m, w.Core[i])) {
					t.Errorf("seed %d: %q is said to be at %q", seed, at.Text, at.Snippet)
				}
			}
		}
		if slices.Contains(seen, false) {
			t.Errorf("seed %d: not all of %v is told", seed, w.Core)
		}
	}
	if conflicts < tries()/10 {
		t.Errorf("only %d of %d plans have a conflict", conflicts, tries())
	}
}

// about is a text that stands on the line of a constraint.
func about(m *encode.Model, c schedule.Constraint) string {
	switch c.Kind {
	case schedule.Reading:
		return fmt.Sprintf("%q", m.OpName(m.Problem.Reads[c.Of].To))
	case schedule.StagePinned:
		return fmt.Sprintf(`"op": %q, "stage": %d`, m.OpName(c.Of), m.Problem.Ops[c.Of].Lo)
	case schedule.CorePinned:
		return fmt.Sprintf(`"op": %q`, m.OpName(c.Of))
	case schedule.RangeGiven:
		return fmt.Sprintf(`"index": %d, "cores": {"first": %d, "count": %d}`, c.Of, m.Problem.Ranges[c.Of].First, m.Problem.Ranges[c.Of].Count)
	case schedule.Placed:
		return "placement"
	case schedule.Capacity:
		return `"capacity_bytes": `
	}
	return ""
}
