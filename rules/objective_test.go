package rules

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/datalog"
)

// costs derives the objectives and writes them shortly.
func costs(t *testing.T, s *Set, data []byte) []string {
	t.Helper()
	all, err := s.Costs(context.Background(), plan(t, "plan.json", data), datalog.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range all {
		if !c.Known {
			out = append(out, c.Name+" not known")
			continue
		}
		out = append(out, fmt.Sprintf("%s %d %s", c.Name, c.Value, c.Unit))
	}
	return out
}

func TestCosts(t *testing.T) {
	s := builtin(t)
	sized := []string{`{"from": "a", "to": "b"}`, `{"from": "a", "to": "b", "size_bytes": 11}`, `{"from": "c", "to": "d"}`, `{"from": "c", "to": "d", "size_bytes": 7}`}
	whole := append([]string{`{"from": "b", "to": "c"}`, `{"from": "b", "to": "c", "size_bytes": 5}`}, sized...)
	empty := []string{`{"from": "a", "to": "b"}`, `{"from": "a", "to": "b", "size_bytes": 0}`, `{"from": "c", "to": "d"}`, `{"from": "c", "to": "d", "size_bytes": 0}`}
	weightless := append([]string{`{"from": "b", "to": "c"}`, `{"from": "b", "to": "c", "size_bytes": 0}`}, empty...)
	fastB := []string{`{"id": 2, "at"`, `{"id": 2, "kind": "fast", "at"`,
		`{"id": "b", "work_cycles": 9`, `{"id": "b", "work_on": [{"kind": "fast", "cycles": 4}, {"kind": "slow", "cycles": 99}], "work_cycles": 9`}
	for _, c := range []struct {
		name  string
		edits []string
		want  []string
	}{
		// Lanes of a: 5 cycles on cores 0 and 1; b and c: 18 on core 2; d: 9.
		// The slices of a, 6 and 5 bytes, go from (0,0) and (0,1) to (1,0): 6 x 1 + 5 x 2.
		// c to d: 7 bytes from (1,0) to (1,1).
		{"whole", whole, []string{"interval 18 cycles", "forwards 0 ops", "traffic 23 byte hops"}},
		{"an edge of unknown size", sized, []string{"interval 18 cycles", "forwards 0 ops", "traffic not known"}},
		{"a second value of unknown size", append([]string{`"values": []`, `"values": [{"id": "m", "from": "a"}, {"id": "n", "from": "a"}]`,
			`{"from": "b", "to": "c"}`, `{"from": "b", "to": "c", "size_bytes": 5}`, `{"from": "c", "to": "d"}`, `{"from": "c", "to": "d", "size_bytes": 7}`},
			`{"from": "a", "to": "b"}`, `{"from": "a", "to": "b", "value": "m", "size_bytes": 11}, {"from": "a", "to": "b", "value": "n"}`),
			[]string{"interval 18 cycles", "forwards 0 ops", "traffic not known"}},
		{"not placed, with work on kinds that the target does not have", append([]string{`[0, 1, 2, 3]`, `[0, 1, null, 3]`,
			`{"id": "b", "work_cycles": 9,`, `{"id": "b", "work_cycles": 9, "work_on": [{"kind": "big", "cycles": 3}],`}, whole...),
			[]string{"interval 18 cycles", "forwards 0 ops", "traffic not known"}},
		{"a hole", append([]string{`{"op": "d", "stage": 2, "cores": [3]}`, `{"op": "d", "stage": 2}`}, whole...), []string{"interval not known", "forwards 0 ops", "traffic not known"}},
		{"a lane without an instance", append([]string{`"cores": [0, 1]`, `"cores": [0]`}, whole...), []string{"interval not known", "forwards 0 ops", "traffic not known"}},
		// Two readers of one value on one core receive it once; readers on two cores once each.
		{"readers", append([]string{`{"from": "b", "to": "c"}`, `{"from": "a", "to": "c", "size_bytes": 11}, {"from": "a", "to": "d", "size_bytes": 11}`}, sized...),
			[]string{"interval 18 cycles", "forwards 0 ops", fmt.Sprintf("traffic %d byte hops", 23+6*2+5*1)}},
		{"a table of distances", append([]string{`"mesh": [2, 2]`, `"distances": [[0, 1, 9, 9], [1, 0, 4, 9], [9, 9, 0, 3], [9, 9, 9, 0]]`}, whole...),
			[]string{"interval 18 cycles", "forwards 0 ops", fmt.Sprintf("traffic %d byte hops", 6*9+5*4+7*3)}},
		{"not placed", append([]string{`[0, 1, 2, 3]`, `[0, 1, null, 3]`}, whole...), []string{"interval 18 cycles", "forwards 0 ops", "traffic not known"}},
		// b in three parts: 3 cycles each; its value of 10 bytes is 4, 3 and 3, made on cores 2, 2 and 3.
		{"parts", append([]string{placeOfB, `{"op": "b", "stage": 1, "part": 0, "cores": [2]}, {"op": "b", "stage": 1, "part": 2, "cores": [3]}, {"op": "b", "stage": 1, "part": 1, "cores": [2]}`,
			`"placement"`, `"splits": [{"op": "b", "parts": 3}], "placement"`, `{"from": "b", "to": "c"}`, `{"from": "b", "to": "c", "size_bytes": 10}`}, empty...),
			[]string{"interval 15 cycles", "forwards 0 ops", "traffic 3 byte hops"}},
		{"forwards", append([]string{`{"id": "c", "work_cycles": 9`, `{"id": "c", "kind": "forward", "work_cycles": 9`, `{"id": "d", "work_cycles": 9}`, `{"id": "d", "work_cycles": 9, "forwards": "a"}`}, weightless...),
			[]string{"interval 18 cycles", "forwards 2 ops", "traffic 0 byte hops"}},
		// b takes 4 cycles on the core of kind fast, where core 2 is placed, beside c with 9.
		{"work by the kind of core", slices.Concat(fastB, weightless), []string{"interval 13 cycles", "forwards 0 ops", "traffic 0 byte hops"}},
		{"a kind that is placed elsewhere", slices.Concat([]string{`[0, 1, 2, 3]`, `[0, 1, 3, 2]`}, fastB, weightless),
			[]string{"interval 18 cycles", "forwards 0 ops", "traffic 0 byte hops"}},
		// Parts of b take 2 cycles on core 2 and 3 on core 3, beside c and d.
		{"parts by the kind of core", slices.Concat(fastB, []string{placeOfB, `{"op": "b", "stage": 1, "part": 0, "cores": [2]}, {"op": "b", "stage": 1, "part": 2, "cores": [3]}, {"op": "b", "stage": 1, "part": 1, "cores": [2]}`,
			`"placement"`, `"splits": [{"op": "b", "parts": 3}], "placement"`}, weightless),
			[]string{"interval 13 cycles", "forwards 0 ops", "traffic 0 byte hops"}},
		{"a kind that is not placed", slices.Concat([]string{`[0, 1, 2, 3]`, `[0, 1, null, 3]`}, fastB, weightless),
			[]string{"interval not known", "forwards 0 ops", "traffic not known"}},
		{"kinds without a placement", slices.Concat([]string{`],
                 "placement": [0, 1, 2, 3]}`, `]}`}, fastB, weightless), []string{"interval not known", "forwards 0 ops", "traffic not known"}},
		{"another core is not placed", slices.Concat([]string{`[0, 1, 2, 3]`, `[0, null, 2, 3]`}, fastB, weightless),
			[]string{"interval 13 cycles", "forwards 0 ops", "traffic not known"}},
		{"an empty stage", append([]string{`{"op": "d", "stage": 2, "cores": [3]}`, `{"op": "d", "stage": 1, "cores": [2]}`}, weightless...),
			[]string{"interval 27 cycles", "forwards 0 ops", "traffic 0 byte hops"}},
	} {
		if diff := cmp.Diff(c.want, costs(t, s, edited(t, c.edits))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestCostsOfNothing(t *testing.T) {
	empty := []byte(`{"schema": "plancheck.concrete-plan/1", "graph": {"ops": []}}`)
	if diff := cmp.Diff([]string{"interval not known", "forwards 0 ops", "traffic 0 byte hops"}, costs(t, builtin(t), empty)); diff != "" {
		t.Error(diff)
	}
}

func TestCostErrors(t *testing.T) {
	for _, c := range []struct{ rule, want string }{
		{`Decl many(N) descr [objective("many", "ops")] bound [/number]. many(Lanes) :- op(_, Lanes, _).`, "objective many has 2 values, among them 1 and 2"},
		{`Decl name(N) descr [objective("name", "ops")] bound [/string]. name(Op) :- op(Op, 2, _).`, `objective name is "a", which is not a number`},
	} {
		s, diags := Load([]string{write(t, "mine.dl", c.rule)})
		if s == nil {
			t.Fatal(shown(diags))
		}
		if _, err := s.Costs(context.Background(), plan(t, "plan.json", []byte(chain)), datalog.Limits{}); err == nil || err.Error() != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
}
