package plandiff_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/internal/plandiff"
	"plancheck/ir"
	"plancheck/rules"
)

const base = `{"schema": "plancheck.concrete-plan/1",
 "target": {"core_count": 2, "topology": {"distances": [[0, 1], [1, 0]]}, "cores": [{"id": 4}, {"id": 5, "kind": "big"}]},
 "graph": {
  "inputs": [{"id": "x", "dynamic": true, "size_bytes": 4, "consumers": ["a"]}],
  "weights": [{"id": "w", "size_bytes": 10}],
  "values": [{"id": "m", "from": "a", "size_bytes": 3}],
  "ops": [{"id": "a", "lanes": 2, "work_cycles": 8, "weights": ["w"], "max_parts": 4}, {"id": "b", "work_cycles": 8, "work_on": [{"kind": "big", "cycles": 2}]}],
  "edges": [{"from": "a", "to": "b", "value": "m"}, {"from": "a", "to": "b", "value": "m"}]},
 "stages": [{"index": 0, "cores": {"first": 0, "count": 1}}, {"index": 1, "cores": {"first": 1, "count": 1}}],
 "assignment": {"instances": [
   {"op": "a", "stage": 0, "part": 0, "cores": [0, 0]}, {"op": "a", "stage": 0, "part": 1, "cores": [0, 0]}, {"op": "b", "stage": 1, "cores": [1]}],
  "splits": [{"op": "a", "parts": 2}],
  "residency": [{"weight": "w", "cores": [0, 0], "part": 0, "parts": 2}, {"weight": "w", "cores": [0, 0], "part": 1, "parts": 2}],
  "replicas": [{"op": "b", "index": 0, "first": 0, "count": 1}],
  "placement": [4, 5]},
 "transfers": [{"id": "t", "from": "a", "to": "b", "stage": 0, "from_stage": 0, "to_stage": 1}],
 "sync": [{"id": "s", "op": "b", "stage": 1}]}`

// plan reads the base plan after edits: pairs of a text and what takes its place.
func plan(t *testing.T, edits ...string) *ir.Plan {
	t.Helper()
	text := base
	for i := 0; i < len(edits); i += 2 {
		if !strings.Contains(text, edits[i]) {
			t.Fatalf("no %q", edits[i])
		}
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	p, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(text)))
	if diags != nil {
		t.Fatalf("%+v", diags)
	}
	return p
}

func TestCompare(t *testing.T) {
	change := func(id, field string, before, after any) []plandiff.Change {
		return []plandiff.Change{{ID: id, Field: field, Before: before, After: after}}
	}
	for _, c := range []struct {
		name  string
		edits []string
		want  []plandiff.Section
	}{
		{"nothing", nil, nil},
		{"a stage", []string{`"b", "stage": 1`, `"b", "stage": 0`}, []plandiff.Section{{Name: "stage", Changed: change("b", "", int64(1), int64(0))}}},
		{"lanes that disagree", []string{`"a", "stage": 0, "part": 1`, `"a", "stage": 1, "part": 1`}, []plandiff.Section{{Name: "stage", Changed: change("a", "", int64(0), "0 (lane 0 part 0 and lane 1 part 0), 1 (lane 0 part 1 and lane 1 part 1)")}}},
		{"a hole", []string{`"b", "stage": 1, "cores": [1]`, `"b", "stage": 1, "cores": [null]`}, []plandiff.Section{{Name: "core", Changed: change("b, lane 0", "", int64(1), nil)}}},
		{"a part", []string{`"part": 1, "cores": [0, 0]}, {"op": "b"`, `"part": 1, "cores": [0, 1]}, {"op": "b"`}, []plandiff.Section{{Name: "core", Changed: change("a, lane 1, part 1", "", int64(0), int64(1))}}},
		{"a range", []string{`"index": 1, "cores": {"first": 1, "count": 1}`, `"index": 1`}, []plandiff.Section{{Name: "range", Changed: []plandiff.Change{{"stage 1", "first core", int64(1), nil}, {"stage 1", "cores", int64(1), nil}}}}},
		{"a place", []string{`[4, 5]}`, `[5, null]}`}, []plandiff.Section{{Name: "place", Changed: []plandiff.Change{{"logical core 0", "", int64(4), int64(5)}, {"logical core 1", "", int64(5), nil}}}}},
		{"a split", []string{`"parts": 2}]`, `"parts": 3}]`}, []plandiff.Section{{Name: "split", Changed: change("a", "", int64(2), int64(3))}}},
		{"residency", []string{`"cores": [0, 0], "part": 0`, `"cores": [0, 1], "part": 0`}, []plandiff.Section{{Name: "residency",
			Added: []string{"w, lane 1, part 0 of 2 on core 1"}, Removed: []string{"w, lane 1, part 0 of 2 on core 0"}}}},
		{"a replica", []string{`"first": 0, "count": 1}]`, `"first": 0, "count": 2}]`}, []plandiff.Section{{Name: "replica", Changed: change("b, replica 0", "windows", int64(1), int64(2))}}},
		{"a transfer", []string{`, "to_stage": 1`, ``}, []plandiff.Section{{Name: "transfer", Changed: change("t", "to_stage", int64(1), nil)}}},
		{"a sync record", []string{`"id": "s"`, `"id": "z"`}, []plandiff.Section{{Name: "sync", Added: []string{"z"}, Removed: []string{"s"}}}},
		{"work on a kind", []string{`"cycles": 2`, `"cycles": 3`}, []plandiff.Section{{Name: "op", Changed: change("b", "work_on", []string{"big 2"}, []string{"big 3"})}}},
		{"an edge that is listed once", []string{`, {"from": "a", "to": "b", "value": "m"}`, ``}, []plandiff.Section{{Name: "edge", Removed: []string{"a -> b (m) (2)"}}}},
		{"an input", []string{`"dynamic": true`, `"dynamic": false`}, []plandiff.Section{{Name: "input", Changed: change("x", "dynamic", true, false)}}},
		{"a value", []string{`"size_bytes": 3`, `"size_bytes": 3, "forward_cycles": 1`}, []plandiff.Section{{Name: "value", Changed: change("m", "forward_cycles", nil, int64(1))}}},
		{"a weight", []string{`"size_bytes": 10`, `"size_bytes": 11`}, []plandiff.Section{{Name: "weight", Changed: change("w", "size_bytes", int64(10), int64(11))}}},
		{"distances", []string{`[1, 0]`, `[2, 0]`}, []plandiff.Section{{Name: "target", Changed: change("target", "distances", "[[0 1] [1 0]]", "[[0 1] [2 0]]")}}},
		{"a kind of core", []string{`, "kind": "big"}]`, `}]`}, []plandiff.Section{{Name: "target core", Changed: change("5", "kind", "big", nil)}}},
		{"an option", []string{`"target"`, `"options": {"nonempty_stages": true}, "target"`}, []plandiff.Section{{Name: "plan", Changed: change("plan", "nonempty_stages", false, true)}}},
	} {
		d := plandiff.Compare(plan(t), plan(t, c.edits...), [2]string{"a", "b"})
		if diff := cmp.Diff(c.want, d.Sections); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if d.Equal() != (c.want == nil) {
			t.Errorf("%s: equal: %t", c.name, d.Equal())
		}
	}
}

// A program is compared like the rest: by ids, whatever the order of the lists
// that have none; that of a queue counts.
func TestComparePrograms(t *testing.T) {
	const program = `{"schema": "plancheck.concrete-plan/1", "program": {
		"devices": [{"id": "d", "rank": 0}], "queues": [{"id": "q", "device": "d"}, {"id": "u", "device": "d", "ordered": false}],
		"memory_regions": [{"id": "m", "device": "d", "capacity_bytes": 64}], "buffers": [{"id": "x", "memory_region": "m", "offset_bytes": 0, "size_bytes": 8},
		{"id": "y", "memory_region": "m", "offset_bytes": 8, "size_bytes": 8}], "channels": [{"id": "c", "depth": 1}],
		"groups": [{"id": "g", "ranks": [0]}], "commands": [
		{"id": "a", "kind": "launch", "queue": "q", "reads": ["x", "y"]}, {"id": "b", "kind": "launch", "queue": "q"},
		{"id": "s", "kind": "launch", "queue": "u"}, {"id": "t", "kind": "launch", "queue": "u", "in_place": [{"read": "x", "write": "y"}]}]}}`
	change := func(id, field string, before, after any) plandiff.Change {
		return plandiff.Change{ID: id, Field: field, Before: before, After: after}
	}
	read := func(text string) *ir.Plan {
		p, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(text)))
		if diags != nil {
			t.Fatalf("%+v", diags)
		}
		return p
	}
	for _, c := range []struct {
		name, old, new string
		want           []plandiff.Section
	}{
		{"nothing", "", "", nil},
		{"the order of lists without one", `["x", "y"]`, `["y", "x"]`, nil},
		{"a default that is written", `"capacity_bytes": 64`, `"capacity_bytes": 64, "reserved_bytes": 0`, nil},
		{"a depth", `"depth": 1`, `"depth": 2`, []plandiff.Section{{Name: "channel", Changed: []plandiff.Change{change("c", "depth", int64(1), int64(2))}}}},
		{"a flag", `, "ordered": false`, ``, []plandiff.Section{
			{Name: "queue", Changed: []plandiff.Change{change("u", "ordered", false, true)}},
			{Name: "command", Changed: []plandiff.Change{change("t", "behind", nil, "s")}}}},
		{"ranks", `[0]`, `[0, 1]`, []plandiff.Section{{Name: "group", Changed: []plandiff.Change{change("g", "ranks", "[0]", "[0,1]")}}}},
		{"a region", `"id": "m"`, `"id": "n", "device": "d", "capacity_bytes": 1}, {"id": "m"`, []plandiff.Section{{Name: "memory region", Added: []string{"n"}}}},
		{"an order", `"id": "a", "kind": "launch", "queue": "q", "reads": ["x", "y"]}, {"id": "b"`, `"id": "b", "kind": "launch", "queue": "q"}, {"id": "a", "reads": ["x", "y"]`,
			[]plandiff.Section{{Name: "command", Changed: []plandiff.Change{change("a", "behind", nil, "b"), change("b", "behind", "a", nil)}}}},
		{"the order of a queue without one", `"id": "s", "kind": "launch", "queue": "u"}, {"id": "t", "kind": "launch", "queue": "u", "in_place": [{"read": "x", "write": "y"}]}`,
			`"id": "t", "kind": "launch", "queue": "u", "in_place": [{"read": "x", "write": "y"}]}, {"id": "s", "kind": "launch", "queue": "u"}`, nil},
		{"an extension that comes", `"commands"`, `"target_extension": {"queue": {"orders": [{"queue": "q", "commands": ["b", "a"]}]}, "spatial": {"clock_domains": [{"id": "k", "frequency_hz": 7}]}}, "commands"`,
			[]plandiff.Section{{Name: "target extension", Added: []string{"target extension"}}, {Name: "target extension queue", Added: []string{"queue"}}, {Name: "target extension queue order", Added: []string{"q"}},
				{Name: "target extension spatial", Added: []string{"spatial"}}, {Name: "target extension spatial clock domain", Added: []string{"k"}}}},
		{"in place", `[{"read": "x", "write": "y"}]`, `[]`, []plandiff.Section{{Name: "command", Changed: []plandiff.Change{change("t", "in_place", `[{"read":"x","write":"y"}]`, nil)}}}},
	} {
		after := strings.Replace(program, c.old, c.new, 1)
		if after == program && c.old != c.new {
			t.Fatalf("no %q", c.old)
		}
		d := plandiff.Compare(read(program), read(after), [2]string{"a", "b"})
		if diff := cmp.Diff(c.want, d.Sections); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	order := func(commands string) *ir.Plan {
		return read(strings.Replace(program, `"commands"`, `"target_extension": {"queue": {"orders": [{"queue": "q", "commands": [`+commands+`]}]}}, "commands"`, 1))
	}
	d := plandiff.Compare(order(`"a", "b"`), order(`"b", "a"`), [2]string{"a", "b"})
	want := []plandiff.Section{{Name: "target extension queue order", Changed: []plandiff.Change{change("q", "commands", []string{"a", "b"}, []string{"b", "a"})}}}
	if diff := cmp.Diff(want, d.Sections); diff != "" {
		t.Errorf("another issue order (-want +got):\n%s", diff)
	}
	d = plandiff.Compare(plan(t), read(program), [2]string{"a", "b"})
	if n := len(d.Sections); n < 2 || d.Sections[n-1].Name != "command" || len(d.Sections[n-1].Added) != 4 {
		t.Errorf("a program that comes: %+v", d.Sections)
	}
}

// All that a program may say is compared, and what holds where it says nothing
// stands in its place.
func TestCompareAllOfAProgram(t *testing.T) {
	const program = `{"schema": "plancheck.concrete-plan/1", "program": {"world_size": 2, "dependencies": "declare",
		"identity": {"abi_revision": "r1"},
		"deployment": {"family": "queue", "devices": ["g0"], "libraries": [{"name": "blas", "version": "1"}], "compatible": [{"library": "blas", "version": "1", "abi": "r1"}]},
		"devices": [{"id": "d", "rank": 0, "target_device": "g0"}],
		"queues": [{"id": "q", "device": "d", "ordered": false}],
		"memory_regions": [{"id": "m", "device": "d", "capacity_bytes": 64, "reserved_bytes": 8, "alignment_bytes": 2}],
		"buffers": [{"id": "x", "memory_region": "m", "offset_bytes": 0, "size_bytes": 8, "kept": true, "initialised": true, "alignment_bytes": 4}],
		"tokens": [{"id": "t", "consuming": true}],
		"implementations": [{"id": "mm", "namespace": "blas", "name": "gemm", "version": "1"}],
		"commands": [],
		"target_extension": {"queue": {"engines": [{"id": "e", "device": "d"}]},
		"spatial": {"clock_domains": [{"id": "k", "frequency_hz": 7}], "units": [{"id": "u", "device": "d", "clock_domain": "k", "width": 2}],
		"links": [{"id": "l", "source_device": "d", "destination_device": "d", "clock_domain": "k", "latency_cycles": 3}],
		"flow": {"tolerance_cycles": 5, "backpressure": "stall"}}}}}`
	read := func(text string) *ir.Plan {
		p, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(text)))
		if diags != nil {
			t.Fatalf("%+v", diags)
		}
		return p
	}
	change := func(section, id, field string, before, after any) plandiff.Section {
		return plandiff.Section{Name: section, Changed: []plandiff.Change{{ID: id, Field: field, Before: before, After: after}}}
	}
	for _, c := range []struct {
		old, new string
		want     plandiff.Section
	}{
		{`, "dependencies": "declare"`, ``, change("program", "program", "dependencies", "declare", "wait")},
		{`"world_size": 2`, `"world_size": 3`, change("program", "program", "world_size", int64(2), int64(3))},
		{`"world_size": 2, `, ``, change("program", "program", "world_size", int64(2), nil)},
		{`"abi_revision": "r1"`, `"abi_revision": "r2"`, change("identity", "identity", "abi_revision", "r1", "r2")},
		{`"identity": {"abi_revision": "r1"},`, ``, plandiff.Section{Name: "identity", Removed: []string{"identity"}}},
		{`"family": "queue"`, `"family": "spatial"`, change("deployment", "deployment", "family", "queue", "spatial")},
		{`["g0"]`, `["g0", "g1"]`, plandiff.Section{Name: "deployment device", Added: []string{"g1"}}},
		{`"name": "blas", "version": "1"`, `"name": "blas", "version": "2"`, change("deployment library", "blas", "version", "1", "2")},
		{`"abi": "r1"`, `"abi": "r2"`, change("deployment compatible", "blas 1", "abi", "r1", "r2")},
		{`, "ordered": false`, ``, change("queue", "q", "ordered", false, true)},
		{`, "reserved_bytes": 8`, ``, change("memory region", "m", "reserved_bytes", int64(8), int64(0))},
		{`, "alignment_bytes": 2`, ``, change("memory region", "m", "alignment_bytes", int64(2), int64(1))},
		{`, "alignment_bytes": 4`, ``, change("buffer", "x", "alignment_bytes", int64(4), int64(1))},
		{`, "kept": true`, ``, change("buffer", "x", "kept", true, false)},
		{`, "initialised": true`, ``, change("buffer", "x", "initialised", true, false)},
		{`, "consuming": true`, ``, change("token", "t", "consuming", true, false)},
		{`"gemm"`, `"gemm2"`, change("implementation", "mm", "name", "gemm", "gemm2")},
		{`{"id": "e", "device": "d"}`, `{"id": "e", "device": "d", "kinds": ["compute"]}`, change("target extension queue engine", "e", "kinds", nil, []string{"compute"})},
		{`, "width": 2`, ``, change("target extension spatial unit", "u", "width", int64(2), int64(1))},
		{`, "latency_cycles": 3`, ``, change("target extension spatial link", "l", "latency_cycles", int64(3), int64(0))},
		{`"tolerance_cycles": 5, `, ``, change("target extension spatial flow", "flow", "tolerance_cycles", int64(5), int64(0))},
		{`"stall"`, `"drop"`, change("target extension spatial flow", "flow", "backpressure", "stall", "drop")},
	} {
		after := strings.Replace(program, c.old, c.new, 1)
		if after == program {
			t.Fatalf("no %q", c.old)
		}
		d := plandiff.Compare(read(program), read(after), [2]string{"a", "b"})
		if diff := cmp.Diff([]plandiff.Section{c.want}, d.Sections); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.old, diff)
		}
		if d.Costs != nil {
			t.Errorf("%s: costs of a plan without a graph: %+v", c.old, d.Costs)
		}
	}
}

// Memory is that of the fullest core: slices that are listed or used, each once.
// Holes may be written or left out, and what is there twice is not there once.
func TestSameAndAlmostTheSame(t *testing.T) {
	const hole = `{"op": "b", "stage": 1, "cores": [1]}`
	for _, c := range []struct {
		name          string
		before, after []string
		want          []plandiff.Section
	}{
		{"an open core, or none", []string{`"cores": [1]`, `"cores": [null]`}, []string{`, "cores": [1]`, ``}, nil},
		{"an open instance, or none", []string{hole, `{"op": "b"}`}, []string{`, ` + hole, ``}, nil},
		{"open places, or none", []string{`"placement": [4, 5]`, `"placement": [null, null]`}, []string{`"placement": [4, 5]`, `"placement": null`}, nil},
		{"an instance that is listed twice", []string{hole, `{"op": "b", "stage": 1}`}, []string{hole, `{"op": "b", "stage": 1}, {"op": "b", "stage": 1}`},
			[]plandiff.Section{{Name: "core", Added: []string{"b, lane 0 (2)"}}}},
		{"lanes that change places", []string{`"a", "stage": 0, "part": 1`, `"a", "stage": 1, "part": 1`}, []string{`"a", "stage": 0, "part": 0`, `"a", "stage": 1, "part": 0`},
			[]plandiff.Section{{Name: "stage", Changed: []plandiff.Change{{ID: "a",
				Before: "0 (lane 0 part 0 and lane 1 part 0), 1 (lane 0 part 1 and lane 1 part 1)", After: "0 (lane 0 part 1 and lane 1 part 1), 1 (lane 0 part 0 and lane 1 part 0)"}}}}},
		{"edges of two sizes", []string{`"b", "value": "m"}]`, `"b", "value": "m", "size_bytes": 3}]`}, []string{`"b", "value": "m"},`, `"b", "value": "m", "size_bytes": 3},`}, nil},
		{"no residency, or none listed", []string{`"residency": [{"weight": "w", "cores": [0, 0], "part": 0, "parts": 2}, {"weight": "w", "cores": [0, 0], "part": 1, "parts": 2}],`, ``},
			[]string{`{"weight": "w", "cores": [0, 0], "part": 0, "parts": 2}, {"weight": "w", "cores": [0, 0], "part": 1, "parts": 2}`, ``},
			[]plandiff.Section{{Name: "residency", Added: []string{"nothing"}}}},
	} {
		d := plandiff.Compare(plan(t, c.before...), plan(t, c.after...), [2]string{"a", "b"})
		if diff := cmp.Diff(c.want, d.Sections); diff != "" || d.Equal() != (c.want == nil) {
			t.Errorf("%s: equal %t (-want +got):\n%s", c.name, d.Equal(), diff)
		}
	}
}

func TestMemory(t *testing.T) {
	number := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		name  string
		edits []string
		want  *int64
	}{
		{"parts of two lanes", nil, number(20)},
		{"one part elsewhere", []string{`"part": 1, "cores": [0, 0]}, {"op": "b"`, `"part": 1, "cores": [0, 1]}, {"op": "b"`, `"cores": [0, 0], "part": 1`, `"cores": [0, 1], "part": 1`}, number(15)},
		{"a whole slice beside its parts", []string{`"residency": [`, `"residency": [{"weight": "w", "cores": [0]}, `}, number(20)},
		{"more than a number holds", []string{`"size_bytes": 10`, `"size_bytes": 9223372036854775807`}, nil},
		{"nothing is on a core", []string{`"cores": [0, 0]}, {"op": "a"`, `"cores": [null, null]}, {"op": "a"`, `"cores": [0, 0]}, {"op": "b"`, `"cores": [null, null]}, {"op": "b"`, `"stage": 1, "cores": [1]`, `"stage": 1`}, nil},
	} {
		d := plandiff.Compare(plan(t), plan(t, c.edits...), [2]string{"a", "b"})
		want := []plandiff.Cost{{Name: "memory", Unit: "bytes on the fullest core", Before: number(20), After: c.want}}
		if diff := cmp.Diff(want, d.Costs); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// The order of entries says nothing.
func TestOrderDoesNotCount(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := plan(t)
		r.Shuffle(len(p.Graph.Ops), func(i, j int) { p.Graph.Ops[i], p.Graph.Ops[j] = p.Graph.Ops[j], p.Graph.Ops[i] })
		r.Shuffle(len(p.Stages), func(i, j int) { p.Stages[i], p.Stages[j] = p.Stages[j], p.Stages[i] })
		in := p.Assignment.Instances
		r.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
		res := p.Assignment.Residency
		r.Shuffle(len(res), func(i, j int) { res[i], res[j] = res[j], res[i] })
		if d := plandiff.Compare(plan(t), p, [2]string{"a", "b"}); !d.Equal() {
			t.Fatalf("seed %d: %+v", seed, d.Sections)
		}
	}
}

// Texts call commands and buffers by their names, and JSON by their ids.
func TestNames(t *testing.T) {
	read := func(waits string) *ir.Plan {
		p, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(`{"schema": "plancheck.concrete-plan/1", "program": {
			"devices": [{"id": "d"}], "queues": [{"id": "q", "device": "d"}], "memory_regions": [{"id": "m", "device": "d", "capacity_bytes": 64}],
			"buffers": [{"id": "x", "name": "h@0", "memory_region": "m", "offset_bytes": 0, "size_bytes": 8}],
			"commands": [{"id": "c0", "name": "up", "kind": "launch"}, {"id": "c1", "name": "up", "kind": "launch"}, {"id": "c2", "name": "down", "kind": "launch"`+waits+`}]}}`)))
		if diags != nil {
			t.Fatalf("%+v", diags)
		}
		return p
	}
	d := plandiff.Compare(read(""), read(`, "after": ["c0", "c1"], "reads": ["x"], "op": "c0"`), [2]string{"a", "b"})
	var text, doc bytes.Buffer
	if err := d.WriteText(&text, plandiff.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	const want = `a -> b
command: 3 changed
    ~ down, after: none -> [up (c0), up (c1)]
    ~ down, op: none -> c0
    ~ down, reads: none -> [h@0]
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if err := d.WriteJSON(&doc); err != nil || !strings.Contains(doc.String(), `"id": "c2"`) {
		t.Errorf("%v in %s", err, doc.String())
	}
}

func TestWriters(t *testing.T) {
	d := plandiff.Compare(plan(t), plan(t, `"b", "stage": 1`, `"b", "stage": 0`), [2]string{"a.json", "b\n.json"})
	d.AddCosts([]rules.Cost{{Objective: rules.Objective{Name: "interval", Unit: "cycles"}, Value: 2000, Known: true}, {Objective: rules.Objective{Name: "traffic", Unit: "byte hops"}}},
		[]rules.Cost{{Objective: rules.Objective{Name: "interval", Unit: "cycles"}, Value: 1500, Known: true}, {Objective: rules.Objective{Name: "traffic", Unit: "byte hops"}, Value: 7, Known: true}})
	var text, doc bytes.Buffer
	if err := d.WriteText(&text, plandiff.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	const want = `a.json -> "b\n.json"
stage: 1 changed
    ~ b: 1 -> 0
costs
    interval  2,000 -> 1,500 cycles (-25.0 %)
    traffic   not known -> 7 byte hops
    memory    20 bytes on the fullest core, the same
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if err := d.WriteJSON(&doc); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(doc.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	wantDoc := map[string]any{
		"schema": plandiff.Schema, "before": "a.json", "after": "b\n.json", "equal": false,
		"sections": []any{map[string]any{"section": "stage", "changed": []any{map[string]any{"id": "b", "before": 1.0, "after": 0.0}}}},
		"costs": []any{
			map[string]any{"name": "interval", "unit": "cycles", "before": 2000.0, "after": 1500.0},
			map[string]any{"name": "traffic", "unit": "byte hops", "before": nil, "after": 7.0},
			map[string]any{"name": "memory", "unit": "bytes on the fullest core", "before": 20.0, "after": 20.0},
		},
	}
	if diff := cmp.Diff(wantDoc, got); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}
