package encode_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

func TestDiagnostics(t *testing.T) {
	instanceOfA := `{"op": "a", "stage": 0, "lanes": [1], "cores": [0]}`
	for _, c := range []struct {
		name  string
		edits []string
		o     encode.Options
		want  []string
	}{
		{"no stages", []string{`"stages": [{"index": 0},
{"index": 1, "cores": {"first": 1, "count": 1}},
{"index": 2}],
`, ``}, encode.Options{}, []string{"1  stages-unknown: nothing says how many stages there shall be"}},
		{"too many stages", nil, encode.Options{Stages: 1 << 40}, []string{"1  number-too-large: there shall be 1099511627776 stages, but no more than 120 are possible"}},
		{"fewer than no stages", nil, encode.Options{Stages: -1}, []string{"1  number-too-large: there shall be -1 stages, but no more than 120 are possible"}},
		{"a gap between stages", []string{`"index": 2`, `"index": 3`}, encode.Options{},
			[]string{"15 /stages/2 stage-index-gap: stage 3 is listed, but with 3 stages the last one is stage 2"}},
		{"cores that the target does not have", nil, encode.Options{Cores: 4},
			[]string{"1  core-count-disagrees: 4 logical cores are asked for, but the target lists 3 cores"}},
		{"too many cores", []string{`"target"`, `"logical_cores": 9223372036854775807, "target"`}, encode.Options{}, []string{
			"2 /logical_cores core-count-disagrees: 9223372036854775807 logical cores are asked for, but the target lists 3 cores",
			"2 /logical_cores number-too-large: there shall be 9223372036854775807 logical cores, but no more than 65536 are possible"}},
		{"too many lanes", []string{`"lanes": 2`, `"lanes": 9223372036854775807`}, encode.Options{},
			[]string{"8 /graph/ops/0 number-too-large: op a has 9223372036854775807 lanes, and all ops together more than 67108864"}},
		{"too many parts", []string{`"placement"`, `"splits": [{"op": "a", "parts": 9223372036854775807}], "placement"`}, encode.Options{},
			[]string{"19 /assignment/splits/0 number-too-large: op a has 2 lanes of 9223372036854775807 parts, more than 67108864"}},
		{"a stage that does not exist", nil, encode.Options{Stages: 1},
			[]string{"18 /assignment/instances/1 instance-without-core-or-stage: op b is in stage 1, but there shall be 1 stage, counted from 0"}},
		{"lanes in two stages", []string{instanceOfA, instanceOfA + `, {"op": "a", "stage": 2, "lanes": [0]}`}, encode.Options{},
			[]string{"17 /assignment/instances/1 lane-stage-disagree: op a is in stage 2 here and in stage 0 on line 17"}},
		{"a lane that does not exist", []string{`"lanes": [1]`, `"lanes": [2]`}, encode.Options{},
			[]string{"17 /assignment/instances/0 instance-without-core-or-stage: an instance names lane 2 of op a, which has 2 lanes, counted from 0"}},
		{"a core that does not exist", []string{`"cores": [0]`, `"cores": [3]`}, encode.Options{},
			[]string{"17 /assignment/instances/0 instance-without-core-or-stage: lane 1 of op a is on core 3, but there shall be 3 logical cores, counted from 0"}},
		{"a long range", []string{`"count": 1}`, `"count": 9223372036854775807}`}, encode.Options{},
			[]string{"14 /stages/1 stage-range-out-of-bounds: stage 1 has 9223372036854775807 cores from core 1 on, but there shall be 3 logical cores, counted from 0"}},
		{"a lane twice", []string{instanceOfA, instanceOfA + `, ` + instanceOfA}, encode.Options{},
			[]string{"17 /assignment/instances/1 instance-without-core-or-stage: lane 1 of op a has a core already"}},
		{"a part of a whole", []string{`"stage": 0, "lanes"`, `"stage": 0, "part": 0, "lanes"`}, encode.Options{},
			[]string{"17 /assignment/instances/0 instance-without-core-or-stage: an instance names part 0 of op a, which is not split"}},
		{"a whole in parts", []string{`"placement"`, `"splits": [{"op": "a", "parts": 2}], "placement"`}, encode.Options{},
			[]string{"17 /assignment/instances/0 instance-without-core-or-stage: an instance lists lane 1 of op a as a whole, but its lanes are split into 2 parts"}},
		{"a part that does not exist", []string{`"placement"`, `"splits": [{"op": "a", "parts": 2}], "placement"`, `"stage": 0, "lanes"`, `"stage": 0, "part": 2, "lanes"`}, encode.Options{},
			[]string{"17 /assignment/instances/0 instance-without-core-or-stage: an instance names part 2 of op a, whose lanes are split into 2 parts, counted from 0"}},
		{"a short placement", []string{`[null, 6, null]`, `[null, 6]`}, encode.Options{},
			[]string{"19 /assignment/placement core-count-disagrees: the placement has 2 places, but there shall be 3 logical cores"}},
		{"strange places", []string{`[null, 6, null]`, `[1, 6, 6]`}, encode.Options{}, []string{
			"19 /assignment/placement/0 placement-not-permutation: logical core 0 should be on physical core 1, which the target does not have",
			"19 /assignment/placement/2 placement-not-permutation: physical core 6 is the place of logical core 2 and of another one before it"}},
		{"work of forwards that nobody knows", []string{`, "bytes_per_cycle": 4`, ``, `{"op": "b", "stage": 1}`, `{"op": "b", "stage": 0}`}, encode.Options{Forward: true, ForwardCycles: ir.None}, []string{
			"8 /graph/ops/0 forward-work-unknown: nothing says how many cycles a forward of op a takes, nor one of 2 other values"}},
		{"a cycle", []string{`{"from": "a", "to": "b", "size_bytes": 8}`, `{"from": "c", "to": "b", "size_bytes": 8}`}, encode.Options{},
			[]string{"9 /graph/ops/1 dag-cycle: the graph has a cycle through op b, or through ops whose results it needs"}},
		{"too much work", []string{`"work_cycles": 7`, `"work_cycles": 9223372036854775807`}, encode.Options{},
			[]string{"5 /graph number-too-large: the cycles of all shares are more than 9223372036854775807"}},
		{"too large weights", []string{`30}`, `9223372036854775807}`}, encode.Options{},
			[]string{"5 /graph number-too-large: the weights of all lanes have more than 9223372036854775807 bytes"}},
		{"too much traffic", []string{`"size_bytes": 2}`, `"size_bytes": 9223372036854775807}`}, encode.Options{},
			[]string{"5 /graph number-too-large: the traffic may be more than 9223372036854775807"}},
	} {
		m, ds := encode.New(read(t, c.edits...), c.o)
		if diff := cmp.Diff(c.want, placed(ds)); diff != "" || m != nil {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestHopeless(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []string
		o     encode.Options
		want  []string
	}{
		{"more stages than cores", nil, encode.Options{Stages: 4}, []string{"2 /target more-stages-than-cores: 4 stages need a core each, but there are 3 logical cores"}},
		{"more stages than ops", []string{`"target"`, `"options": {"nonempty_stages": true}, "target"`, `7}`, `7, "kind": "forward"}`}, encode.Options{},
			[]string{"2 /options more-stages-than-ops: no stage may be empty, but there are 3 stages and only 2 ops, not counting forwards"}},
		{"an empty range", []string{`"count": 1}`, `"count": 0}`}, encode.Options{},
			[]string{"14 /stages/1 ranges-do-not-tile: stage 1 is to have no cores, and needs one at least"}},
		{"a late first range", []string{`"index": 0}`, `"index": 0, "cores": {"first": 1, "count": 1}}`}, encode.Options{},
			[]string{"13 /stages/0 ranges-do-not-tile: stage 0 is to begin with core 1, but no stage comes before it"}},
		{"an early range", []string{`"first": 1`, `"first": 0`}, encode.Options{},
			[]string{"14 /stages/1 ranges-do-not-tile: stage 1 is to begin with core 0, but the stages before it end with core 0 at the earliest"}},
		{"a late range", []string{`"index": 0}`, `"index": 0, "cores": {"first": 0, "count": 1}}`, `"first": 1`, `"first": 2`}, encode.Options{},
			[]string{"14 /stages/1 ranges-do-not-tile: stage 1 is to begin with core 2, but the stages before it end with core 0 at the latest"}},
		{"a short last range", []string{`,
{"index": 2}`, ``}, encode.Options{},
			[]string{"14 /stages/1 ranges-do-not-tile: stage 1 would end with core 1 at the latest, but there are 3 logical cores, counted from 0"}},
		{"no core is left", []string{`"count": 1}`, `"count": 2}`}, encode.Options{},
			[]string{"15 /stages/2 ranges-do-not-tile: stage 2 would end with core 3 at the earliest, but there are 3 logical cores, counted from 0"}},
		{"a large lane", []string{`30}`, `60}`}, encode.Options{},
			[]string{"9 /graph/ops/1 lane-exceeds-every-core: a lane of op b has 110 bytes of weights (w 50 + u 60), but no core holds more than 100"}},
		{"a large part", []string{`"work_cycles": 9, "weights": ["w"]`, `"work_cycles": 9`, `30}`, `160}`, `"placement"`, `"splits": [{"op": "b", "parts": 2}], "placement"`}, encode.Options{},
			[]string{"9 /graph/ops/1 lane-exceeds-every-core: a lane of op b in 2 parts has 105 bytes of weights a part at the most (w 25 + u 80), but no core holds more than 100"}},
		{"large parts, however many", []string{`"work_cycles": 9, "weights": ["w"]`, `"work_cycles": 9`, `30}`, `160}`, `"work_cycles": 8`, `"work_cycles": 8, "max_parts": 2`}, encode.Options{},
			[]string{"9 /graph/ops/1 lane-exceeds-every-core: a lane of op b in 2 parts, the most that are allowed, has 105 bytes of weights a part at the most (w 25 + u 80), but no core holds more than 100"}},
		{"a large lane that is on a core", []string{`30}`, `60}`, `"work_cycles": 8`, `"work_cycles": 8, "max_parts": 2`, `"stage": 1}`, `"stage": 1, "cores": [1]}`}, encode.Options{},
			[]string{"9 /graph/ops/1 lane-exceeds-every-core: a lane of op b has 110 bytes of weights (w 50 + u 60), but no core holds more than 100"}},
		{"large weights", []string{`100`, `80`, `80,`, `80,`, `80}`, `20}`, `60`, `20`}, encode.Options{},
			[]string{"2 /target weights-exceed-all-cores: the weights have 130 bytes in 3 slices, each counted once, but all 3 cores together hold 120"}},
		{"lanes on a small core", []string{`"cores": [0]`, `"cores": [1]`, `"stage": 1}`, `"stage": 1, "cores": [1]}`}, encode.Options{},
			[]string{"3 /target/cores/1 pinned-weights-exceed-core: the lanes that are pinned to logical core 1 have 130 bytes of weights (w 50 + w 50 + u 30), but physical core 6, where it is placed, holds 80"}},
		{"lanes that fit no core together", []string{`"stage": 1}`, `"stage": 1, "cores": [0]}`}, encode.Options{},
			[]string{"2 /target pinned-weights-exceed-core: the lanes that are pinned to logical core 0 have 130 bytes of weights (w 50 + w 50 + u 30), but no core holds more than 100"}},
		{"too many large slices", []string{`"lanes": 2`, `"lanes": 3`, `50}`, `70}`}, encode.Options{},
			[]string{"2 /target slices-exceed-all-cores: 3 slices of weights have 70 bytes or more, but all 3 cores together have room for 2 of that size"}},
	} {
		m, ds := encode.New(read(t, c.edits...), c.o)
		if len(ds) > 0 {
			t.Errorf("%s: %v", c.name, placed(ds))
			continue
		}
		if diff := cmp.Diff(c.want, placed(m.Hopeless)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// A plan that was built has no lines.
func TestDiagnosticsOfABuiltPlan(t *testing.T) {
	symbols := symbol.NewTable()
	a := symbols.String("a")
	p := &ir.Plan{
		Symbols: symbols, LogicalCores: ir.None,
		Graph:  ir.Graph{Ops: []ir.Op{{ID: a, Lanes: 2, Work: math.MaxInt64, MaxParts: ir.None, Windows: ir.None, ForwardCycles: ir.None}}},
		Stages: []ir.Stage{{Index: 0, First: ir.None, Count: ir.None}, {Index: 1, First: ir.None, Count: ir.None}},
		Assignment: ir.Assignment{Instances: []ir.Instance{
			{Op: a, Stage: 0, Part: ir.None, Lanes: []int64{0}}, {Op: a, Stage: 1, Part: ir.None, Lanes: []int64{1}},
		}},
	}
	_, ds := encode.New(p, encode.Options{})
	if diff := cmp.Diff([]string{"0  lane-stage-disagree: op a is in stage 1 here and in stage 0"}, placed(ds)); diff != "" {
		t.Error(diff)
	}
}
