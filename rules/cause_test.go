package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chain is a legal plan: four ops in three stages, the first of two lanes.
const chain = `{
  "schema": "plancheck.concrete-plan/1",
  "target": {"topology": {"mesh": [2, 2]},
             "cores": [{"id": 0, "at": [0, 0], "capacity_bytes": 100}, {"id": 1, "at": [0, 1], "capacity_bytes": 100},
                       {"id": 2, "at": [1, 0], "capacity_bytes": 100}, {"id": 3, "at": [1, 1], "capacity_bytes": 100}]},
  "graph": {"inputs": [{"id": "tokens", "dynamic": true, "consumers": ["a"]}],
            "weights": [{"id": "w", "size_bytes": 60}, {"id": "v", "size_bytes": 30}],
            "values": [],
            "ops": [{"id": "a", "lanes": 2, "work_cycles": 9, "weights": ["w"]}, {"id": "b", "work_cycles": 9, "weights": ["v"]},
                    {"id": "c", "work_cycles": 9, "weights": ["v"]}, {"id": "d", "work_cycles": 9}],
            "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}, {"from": "c", "to": "d"}]},
  "stages": [{"index": 0, "cores": {"first": 0, "count": 2}},
             {"index": 1, "cores": {"first": 2, "count": 1}},
             {"index": 2, "cores": {"first": 3, "count": 1}}],
  "assignment": {"instances": [{"op": "a", "stage": 0, "cores": [0, 1]},
                               {"op": "b", "stage": 1, "cores": [2]},
                               {"op": "c", "stage": 1, "cores": [2]},
                               {"op": "d", "stage": 2, "cores": [3]}],
                 "placement": [0, 1, 2, 3]}
}`

// edited replaces texts of chain, two by two; each has to be there once.
func edited(t *testing.T, edits []string) []byte {
	t.Helper()
	text := chain
	for i := 0; i < len(edits); i += 2 {
		if strings.Count(text, edits[i]) != 1 {
			t.Fatalf("%q is there %d times", edits[i], strings.Count(text, edits[i]))
		}
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	return []byte(text)
}

const placeOfB = `{"op": "b", "stage": 1, "cores": [2]}`

const placeOfD = `{"op": "d", "stage": 2, "cores": [3]}`

const nonempty = `"options": {"nonempty_stages": true}, "target"`

// One cause makes one finding, and what is legal is left alone.
func TestOneCauseOneFinding(t *testing.T) {
	s := builtin(t)
	for _, c := range []struct {
		name  string
		edits []string
		want  []string // messages
	}{
		{"as it is", nil, nil},
		{"an op that is nowhere has no edge findings", []string{placeOfB + `,`, ``},
			[]string{"op b is in no stage and on no core"}},
		{"an op without a stage has no edge findings", []string{placeOfB, `{"op": "b", "cores": [2]}`},
			[]string{"op b has no stage for lane 0"}},
		{"an op in an unknown stage has no edge or range findings", []string{placeOfB, `{"op": "b", "stage": 9, "cores": [2]}`},
			[]string{"op b is in stage 9, which the plan does not have"}},
		{"an op in two stages has no edge or range findings", []string{
			`{"op": "a", "stage": 0, "cores": [0, 1]}`, `{"op": "a", "stage": 2, "lanes": [0], "cores": [0]}, {"op": "a", "stage": 0, "lanes": [1], "cores": [1]}`},
			[]string{"op a has lanes in stages 0 and 2"}},
		{"a core that does not exist is in no range", []string{placeOfB, `{"op": "b", "stage": 1, "cores": [4]}`},
			[]string{"lane 0 of op b is on core 4, but the plan has 4 logical cores, counted from 0"}},
		{"a stage without a range owns whatever is missing", []string{`"cores": {"first": 2, "count": 1}`, `"cores": null`},
			[]string{"stage 1 has no range of cores"}},
		{"an empty stage is legal where nothing is demanded", []string{placeOfD, `{"op": "d", "stage": 1, "cores": [2]}`,
			`"target"`, `"options": {"nonempty_stages": false, "forward": true}, "target"`}, nil},
		{"an empty stage where that is forbidden", []string{placeOfD, `{"op": "d", "stage": 1, "cores": [2]}`, `"target"`, nonempty},
			[]string{"stage 2 has no op but forwards, and the plan demands that no stage is empty"}},
		{"an op without a stage may come to the empty one", []string{placeOfD, `{"op": "d", "cores": [3]}`, `"target"`, nonempty},
			[]string{"op d has no stage for lane 0"}},
		{"an op in an unknown stage is meant for the empty one", []string{placeOfD, `{"op": "d", "stage": 3, "cores": [3]}`, `"target"`, nonempty},
			[]string{"op d is in stage 3, which the plan does not have"}},
		{"a forward does not fill a stage", []string{`{"id": "d", "work_cycles": 9}`, `{"id": "d", "kind": "forward", "work_cycles": 9}`, `"target"`, nonempty},
			[]string{"stage 2 has no op but forwards, and the plan demands that no stage is empty"}},
		{"a forward without a stage cannot fill one", []string{`{"id": "d", "work_cycles": 9}`, `{"id": "d", "forwards": "c", "work_cycles": 9}`,
			placeOfD, `{"op": "d", "cores": [3]}`, `"target"`, nonempty},
			[]string{"op d has no stage for lane 0", "stage 2 has no op but forwards, and the plan demands that no stage is empty"}},
		{"a stage of no cores is not outside of its range too", []string{
			`"cores": {"first": 2, "count": 1}`, `"cores": {"first": 2, "count": 0}`, `"first": 0, "count": 2`, `"first": 0, "count": 3`},
			[]string{"stage 1 has no cores"}},
		{"a range that reaches too far leaves no gap", []string{`"first": 3, "count": 1`, `"first": 3, "count": 9223372036854775807`},
			[]string{"stage 2 has 9223372036854775807 cores from core 3 on, but the plan has 4 logical cores, counted from 0"}},
		{"a range far away", []string{`"first": 3, "count": 1`, `"first": 9223372036854775807, "count": 9223372036854775807`},
			[]string{"no stage owns logical core 3",
				"stage 2 has 9223372036854775807 cores from core 9223372036854775807 on, but the plan has 4 logical cores, counted from 0"}},
		{"a gap at the start and one at the end", []string{
			`{"op": "a", "stage": 0, "cores": [0, 1]}`, `{"op": "a", "stage": 0, "cores": [1, 1]}`, `"first": 0, "count": 2`, `"first": 1, "count": 1`,
			`"capacity_bytes": 100}, {"id": 1, "at": [0, 1], "capacity_bytes": 100}`, `"capacity_bytes": 100}, {"id": 1, "at": [0, 1], "capacity_bytes": 120}`,
			`{"op": "d", "stage": 2, "cores": [3]}`, `{"op": "d", "stage": 1, "cores": [2]}`, `"first": 3, "count": 1`, `"first": 2, "count": 1`},
			[]string{"no stage owns logical core 0", "no stage owns logical core 3", "stages 1 and 2 both own logical core 2"}},
		{"three stages overlap", []string{`"first": 3, "count": 1`, `"first": 1, "count": 3`, `{"first": 2, "count": 1}`, `{"first": 0, "count": 4}`},
			[]string{"stages 0 and 1 both own logical cores 0 to 1", "stages 1 and 2 both own logical cores 1 to 3"}},
		{"many edges skip for one cause", []string{`{"from": "c", "to": "d"}`, `{"from": "a", "to": "d"}, {"from": "c", "to": "d"}, {"from": "a", "to": "d", "value": "a0"}`, `"values": []`, `"values": [{"id": "a0", "from": "a"}]`},
			[]string{"edge a -> d skips from stage 0 to stage 2"}},
		{"a number that all state but the list of cores", []string{`"mesh": [2, 2]}`, `"mesh": [3, 2]}, "core_count": 6`},
			[]string{"the mesh is 3 x 2, but the target lists 4 cores"}},
		{"a mesh whose size is no integer", []string{`"mesh": [2, 2]`, `"mesh": [9223372036854775807, 9223372036854775807]`},
			[]string{"the mesh is 9223372036854775807 x 9223372036854775807, but the target lists 4 cores"}},
		{"logical_cores below what everything else says", []string{`"graph": {`, `"logical_cores": 2, "graph": {`},
			[]string{"the plan has 2 logical cores, but the target lists 4 cores"}},
		{"logical_cores above what everything else says", []string{`"graph": {`, `"logical_cores": 6, "graph": {`},
			[]string{"the plan has 6 logical cores, but the target lists 4 cores"}},
		{"a core list too short for all the rest", []string{`,
                       {"id": 2, "at": [1, 0], "capacity_bytes": 100}, {"id": 3, "at": [1, 1], "capacity_bytes": 100}]`, `]`, `"graph": {`, `"logical_cores": 4, "graph": {`},
			[]string{"the mesh is 2 x 2, but the target lists 2 cores"}},
		{"a placement of another length than all the rest", []string{`"placement": [0, 1, 2, 3]`, `"placement": [0, 1, 2, 3, 4]`},
			[]string{"the placement has 5 places, but the plan has 4 logical cores"}},
		{"a mesh of another shape", []string{`"mesh": [2, 2]`, `"mesh": [2, 1]`},
			[]string{"the mesh is 2 x 1, but the target lists 4 cores"}},
		{"a core need not say where it is", []string{`"id": 1, "at": [0, 1], `, `"id": 1, `}, nil},
		{"a physical core that does not exist, twice", []string{`"placement": [0, 1, 2, 3]`, `"placement": [0, 9, 2, 9]`},
			[]string{"logical cores 1 and 3 should be on physical core 9, which the target does not have"}},
		{"a lane listed in two stages", []string{placeOfB, placeOfB + `, {"op": "b", "stage": 2, "cores": [3]}`},
			[]string{"lane 0 of op b is listed more than once"}},
		{"a lane listed in two stages, and another one elsewhere", []string{
			`{"op": "a", "stage": 0, "cores": [0, 1]}`, `{"op": "a", "stage": 0, "cores": [0, 1]}, {"op": "a", "stage": 1, "lanes": [1], "cores": [2]}, {"op": "a", "stage": 2, "lanes": [2], "cores": [3]}`,
			`"lanes": 2`, `"lanes": 3`},
			[]string{"lane 1 of op a is listed more than once", "op a has lanes in stages 0 and 2"}},
		{"a part listed in two stages", []string{
			placeOfB, `{"op": "b", "stage": 1, "part": 0, "cores": [2]}, {"op": "b", "stage": 1, "part": 1, "cores": [2]}, {"op": "b", "stage": 2, "part": 1, "cores": [3]}`,
			`"placement"`, `"splits": [{"op": "b", "parts": 2}], "placement"`},
			[]string{"lane 0 of op b is listed more than once"}},
		{"a lane number that is wrong, with the weights listed", []string{`{"op": "a", "stage": 0, "cores": [0, 1]}`, `{"op": "a", "stage": 0, "lanes": [0, 5], "cores": [0, 1]}`,
			`"placement"`, `"residency": [{"weight": "w", "cores": [0, 1]}, {"weight": "v", "cores": [2]}], "placement"`},
			[]string{"an instance names lane 5 of op a, which has 2 lanes, counted from 0"}},
		{"a core number that is wrong, with the weights listed", []string{placeOfB, `{"op": "b", "stage": 1, "cores": [7]}`,
			`"placement"`, `"residency": [{"weight": "w", "cores": [0, 1]}, {"weight": "v", "cores": [2]}], "placement"`},
			[]string{"lane 0 of op b is on core 7, but the plan has 4 logical cores, counted from 0"}},
		{"a core of another stage, with the weights listed", []string{placeOfB, `{"op": "b", "stage": 1, "cores": [3]}`,
			`"placement"`, `"residency": [{"weight": "w", "cores": [0, 1]}, {"weight": "v", "cores": [2]}], "placement"`},
			[]string{"lane 0 of op b is in stage 1 but on core 3, which the stage does not own"}},
		{"a wrong core in the list of weights", []string{
			`"placement"`, `"residency": [{"weight": "w", "cores": [0, 9]}, {"weight": "v", "cores": [2]}], "placement"`},
			[]string{"lane 1 of weight w is listed on core 9, but the plan has 4 logical cores, counted from 0"}},
		{"a replica that begins late", []string{`{"id": "b", "work_cycles": 9`, `{"id": "b", "windows": 4, "work_cycles": 9`,
			`"placement"`, `"replicas": [{"op": "b", "index": 0, "first": 1, "count": 2}, {"op": "b", "index": 1, "first": 2, "count": 2}], "placement"`},
			[]string{"the first replica of op b begins with window 1"}},
		{"a replica with a gap before it", []string{`{"id": "b", "work_cycles": 9`, `{"id": "b", "windows": 4, "work_cycles": 9`,
			`"placement"`, `"replicas": [{"op": "b", "index": 0, "first": 0, "count": 2}, {"op": "b", "index": 1, "first": 3, "count": 2}], "placement"`},
			[]string{"replica 1 of op b begins with window 3, but replica 0 has 2 windows from 0 on"}},
		{"more parts than the op can have", []string{`{"id": "b", "work_cycles": 9`, `{"id": "b", "max_parts": 2, "work_cycles": 9`,
			placeOfB, `{"op": "b", "stage": 1, "part": 0, "cores": [2]}, {"op": "b", "stage": 1, "part": 1, "cores": [2]}`,
			`"placement"`, `"splits": [{"op": "b", "parts": 3}], "placement"`},
			[]string{"op b is split into 3 parts, but a lane of it can be split into 2 at most"}},
		{"a part number that is wrong", []string{placeOfB, `{"op": "b", "stage": 1, "part": 0, "cores": [2]}, {"op": "b", "stage": 1, "part": 5, "cores": [2]}`,
			`"placement"`, `"splits": [{"op": "b", "parts": 2}], "placement"`},
			[]string{"an instance names part 5 of lane 0 of op b, whose lanes are split into 2 parts, counted from 0"}},
		{"a transfer of three wrong stages for one op", []string{`"stages": [`, `"transfers": [{"id": "t", "from": "b", "to": "c", "stage": 0, "from_stage": 0, "to_stage": 1}], "stages": [`},
			[]string{"transfer t says it leaves stage 0, but b is in stage 1"}},
		{"a weight that no op uses on any lane", []string{`{"id": "v"`, `{"id": "x", "size_bytes": 1}, {"id": "v"`, `"placement"`, `"residency": [{"weight": "w", "cores": [0, 1]},
			{"weight": "v", "cores": [2]}, {"weight": "x", "lanes": [7, 8], "cores": [2, 3]}], "placement"`},
			[]string{"weight x is listed as resident, but no op uses it"}},
		{"a transfer along no edge, in no stage of its ends", []string{`"stages": [`, `"transfers": [{"id": "t", "from": "a", "to": "d", "stage": 1, "from_stage": 1, "to_stage": 1}], "stages": [`},
			[]string{"transfer t goes from a to d, but d does not read a"}},
		{"replicas of the largest numbers", []string{`"placement"`, `"replicas": [{"op": "b", "index": 9223372036854775807, "first": 9223372036854775807, "count": 9223372036854775807}], "placement"`},
			[]string{"op b has a replica 9223372036854775807, but no replica 9223372036854775806", "op b has replicas, but does not say how many windows they share"}},
		{"a slice larger than any integer sum", []string{`"size_bytes": 60`, `"size_bytes": 9223372036854775807`,
			`"cores": [0, 1]}`, `"cores": [0, 1]}, {"op": "e", "stage": 0, "cores": [0]}`,
			`{"id": "d", "work_cycles": 9}`, `{"id": "d", "work_cycles": 9}, {"id": "e", "work_cycles": 9, "weights": ["w"]}`},
			[]string{"9223372036854775807 bytes of weights are resident on core 0, but physical core 0 holds 100",
				"9223372036854775807 bytes of weights are resident on core 1, but physical core 1 holds 100"}},
		{"two slices larger than any number together", []string{`"size_bytes": 60`, `"size_bytes": 5000000000000000000`, `"cores": [0, 1]}`, `"cores": [0, 0]}`},
			[]string{"more than 9223372036854775807 bytes of weights are resident on core 0, which no physical core can hold"}},
		{"2000 slices of almost 2^63 bytes", []string{`"size_bytes": 60`, `"size_bytes": 9223372036854775807`, `"lanes": 2`, `"lanes": 2000`,
			`"cores": [0, 1]}`, `"cores": [` + strings.Repeat("0, ", 1999) + `0]}`},
			[]string{"more than 9223372036854775807 bytes of weights are resident on core 0, which no physical core can hold"}},
		{"an op of slices as large as can be", []string{`"size_bytes": 60`, `"size_bytes": 4611686018427387904`, `"weights": ["w"]`, `"weights": ["w", "w2"]`,
			`{"id": "v"`, `{"id": "w2", "size_bytes": 4611686018427387903}, {"id": "v"`,
			`"capacity_bytes": 100}, {"id": 1, "at": [0, 1], "capacity_bytes": 100}`, `"capacity_bytes": 9223372036854775806}, {"id": 1, "at": [0, 1], "capacity_bytes": 9223372036854775807}`},
			[]string{"9223372036854775807 bytes of weights are resident on core 0, but physical core 0 holds 9223372036854775806"}},
		{"a whole slice holds its parts", []string{`"weights": ["v"]},
                    {"id": "c"`, `"weights": ["v"]},
                    {"id": "e", "work_cycles": 9, "weights": ["v"]},
                    {"id": "c"`, `"size_bytes": 30`, `"size_bytes": 100`,
			placeOfB, placeOfB + `, {"op": "e", "stage": 1, "part": 0, "cores": [2]}, {"op": "e", "stage": 1, "part": 1, "cores": [2]}`,
			`"placement"`, `"splits": [{"op": "e", "parts": 2}], "placement"`}, nil},
		{"a listed slice holds its parts", []string{`"size_bytes": 30`, `"size_bytes": 100`, `"placement"`, `"residency": [{"weight": "w", "cores": [0, 1]},
			{"weight": "v", "cores": [2]}, {"weight": "v", "cores": [2], "part": 1, "parts": 2}], "placement"`}, nil},
		{"a shared slice is counted once, others are not", []string{`"weights": ["v"]},
                    {"id": "c"`, `"weights": ["v", "w"]},
                    {"id": "c"`, `"size_bytes": 30`, `"size_bytes": 41`},
			[]string{"101 bytes of weights are resident on core 2, but physical core 2 holds 100"}},
		{"cores of unknown capacity hold anything", []string{`"at": [1, 0], "capacity_bytes": 100`, `"at": [1, 0]`, `"size_bytes": 30`, `"size_bytes": 3000`}, nil},
		{"a forward of an input and one of a named value", []string{
			`"values": []`, `"values": [{"id": "a0", "from": "a"}, {"id": "a1", "from": "a"}]`, `{"from": "a", "to": "b"}`, `{"from": "a", "to": "b", "value": "a0"}`,
			`{"id": "d", "work_cycles": 9}`, `{"id": "d", "work_cycles": 9},
				{"id": "f", "kind": "forward", "work_cycles": 1, "forwards": "tokens"}, {"id": "f2", "kind": "forward", "work_cycles": 1, "forwards": "tokens"},
				{"id": "g", "kind": "forward", "work_cycles": 1, "forwards": "a1"}`,
			`"consumers": ["a"]`, `"consumers": ["a", "f"]`,
			`{"from": "c", "to": "d"}`, `{"from": "c", "to": "d"}, {"from": "f", "to": "f2"}, {"from": "a", "to": "g", "value": "a1"}`,
			placeOfB, placeOfB + `, {"op": "f", "stage": 0, "cores": [0]}, {"op": "f2", "stage": 1, "cores": [2]}, {"op": "g", "stage": 1, "cores": [2]}`}, nil},
		{"a forward that is handed another value of the op", []string{
			`"values": []`, `"values": [{"id": "a0", "from": "a"}, {"id": "a1", "from": "a"}]`, `{"from": "a", "to": "b"}`, `{"from": "a", "to": "b", "value": "a0"}`,
			`{"id": "d", "work_cycles": 9}`, `{"id": "d", "work_cycles": 9}, {"id": "g", "kind": "forward", "work_cycles": 1, "forwards": "a1"}`,
			`{"from": "c", "to": "d"}`, `{"from": "c", "to": "d"}, {"from": "a", "to": "g", "value": "a0"}`,
			placeOfB, placeOfB + `, {"op": "g", "stage": 1, "cores": [2]}`},
			[]string{"op g forwards a1, but nothing that carries a1 feeds it"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := judge(t, s, plan(t, "plan.json", edited(t, c.edits)), Options{})
			var got []string
			for _, f := range v.Findings {
				got = append(got, f.Message)
			}
			if diff := cmp.Diff(c.want, got, cmp.Transformer("set", func(list []string) map[string]int {
				set := map[string]int{}
				for _, m := range list {
					set[m]++
				}
				return set
			})); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
