package ir

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
)

func decode(t *testing.T, data string) (*Plan, []diag.Diagnostic) {
	t.Helper()
	plan, ds := DecodePlan(diag.NewSource("plan.json", []byte(data)))
	if (plan == nil) != (len(ds) > 0) {
		t.Fatalf("a plan and diagnostics, or neither: %v %v", plan, brief(ds))
	}
	return plan, ds
}

func mustDecode(t *testing.T, data string) *Plan {
	t.Helper()
	plan, ds := decode(t, data)
	if ds != nil {
		t.Fatalf("%s\n%s", strings.Join(brief(ds), "\n"), data)
	}
	return plan
}

// everything has every field of the schema, but those of deployed.
const everything = `{"schema": "plancheck.concrete-plan/1",
 "name": "tiny", "digest": "d", "logical_cores": 2, "options": {"nonempty_stages": true, "forward": true},
 "target": {"topology": {"mesh": [1, 2]}, "core_count": 2, "bytes_per_cycle": 32,
  "cores": [{"id": 0, "at": [0, 0], "capacity_bytes": 4096, "kind": "pim"}, {"id": 7}]},
 "graph": {"digest": "rev1",
  "inputs": [{"id": "tokens", "dynamic": true, "size_bytes": 512, "forward_cycles": 5, "consumers": ["embed", "mlp"]},
             {"id": "table", "dynamic": false, "consumers": []}],
  "weights": [{"id": "w0", "size_bytes": 1024}, {"id": "embed", "size_bytes": 0}],
  "values": [{"id": "v", "from": "embed", "size_bytes": 3, "forward_cycles": 0}, {"id": "u", "from": "mlp"}],
  "ops": [{"id": "embed", "kind": "gather", "lanes": 2, "work_cycles": 800, "work_on": [{"kind": "pim", "cycles": 90}, {"kind": "host", "cycles": 0}], "weights": ["w0", "embed"], "max_parts": 4, "windows": 9},
          {"id": "mlp", "work_cycles": 0, "weights": []},
          {"id": "fwd", "kind": "forward", "work_cycles": 1, "work_on": [], "forwards": "v", "forward_cycles": 6}],
  "edges": [{"from": "embed", "to": "mlp", "value": "v", "size_bytes": 256}, {"from": "mlp", "to": "fwd"}]},
 "stages": [{"index": 0, "cores": {"first": 0, "count": 1}}, {"index": 1, "cores": null}, {"index": 2}],
 "assignment": {"graph_digest": "rev0",
  "instances": [{"op": "embed", "stage": 0, "part": 1, "lanes": [0, 1], "cores": [0, null]},
                {"op": "mlp", "stage": null, "cores": null}, {"op": "fwd"}],
  "splits": [{"op": "embed", "parts": 2}],
  "residency": [{"weight": "w0", "lanes": [0], "cores": [1], "part": 0, "parts": 2}, {"weight": "embed", "cores": [0]}],
  "replicas": [{"op": "embed", "index": 0, "first": 0, "count": 4}, {"op": "embed", "index": 1, "first": 4, "count": 5}],
  "placement": [1, null]},
 "transfers": [{"id": "t", "from": "embed", "to": "mlp", "stage": 0, "from_stage": 0, "to_stage": 1}, {"id": "t2", "from": "mlp", "to": "fwd"}],
 "sync": [{"id": "t", "op": "mlp", "stage": 1}, {"id": "s", "op": "mlp"}],
 "program": {
  "devices": [{"id": "gpu0", "rank": 0}, {"id": "host"}],
  "queues": [{"id": "q0", "device": "gpu0", "kind": "compute"}, {"id": "q1", "device": "host", "ordered": false}],
  "memory_regions": [{"id": "hbm", "device": "gpu0", "capacity_bytes": 4096, "reserved_bytes": 64, "alignment_bytes": 16}, {"id": "ram", "device": "host", "capacity_bytes": 0}],
  "buffers": [{"id": "x", "memory_region": "hbm", "offset_bytes": 64, "size_bytes": 32, "alignment_bytes": 8, "initialised": true, "kept": true, "freed_by": "m"},
              {"id": "y", "memory_region": "hbm", "offset_bytes": 64, "size_bytes": 32}],
  "tokens": [{"id": "t", "consuming": true}, {"id": "u"}],
  "channels": [{"id": "c", "depth": 2, "memory_region": "hbm", "slot_bytes": 8}, {"id": "d", "depth": 0}],
  "groups": [{"id": "g", "ranks": [0]}],
  "barriers": [{"id": "b", "queues": ["q0", "q1"]}],
  "commands": [{"id": "m", "kind": "launch", "queue": "q0", "op": "mlp", "after": ["r"], "reads": ["x"], "writes": ["y"], "in_place": [{"read": "x", "write": "y"}],
                "waits": ["t"], "signals": ["u"], "bytes": 7, "stage": 1, "microbatch": 3},
               {"id": "r", "kind": "recv", "channel": "c"},
               {"id": "a", "kind": "collective", "group": "g"},
               {"id": "n", "kind": "barrier", "barrier": "b", "after": []}]}}
`

func TestEveryFieldIsRead(t *testing.T) {
	p := mustDecode(t, everything)
	id := p.Symbols.String
	want := &Plan{
		Symbols: p.Symbols, Name: "tiny", Digest: "d", LogicalCores: 2, Options: Options{Nonempty: true, Forward: true},
		Target: &Target{Mesh: []int64{1, 2}, CoreCount: 2, BytesPerCycle: 32, Cores: []Core{
			{ID: 0, Row: 0, Col: 0, Capacity: 4096, Kind: "pim"},
			{ID: 7, Row: None, Col: None, Capacity: None}}},
		Graph: Graph{
			Digest: "rev1",
			Inputs: []Input{
				{ID: id("tokens"), Dynamic: true, Size: 512, ForwardCycles: 5, Consumers: []ID{id("embed"), id("mlp")}},
				{ID: id("table"), Size: None, ForwardCycles: None, Consumers: []ID{}}},
			Weights: []Weight{{ID: id("w0"), Size: 1024}, {ID: id("embed")}},
			Values:  []Value{{ID: id("v"), From: id("embed"), Size: 3}, {ID: id("u"), From: id("mlp"), Size: None, ForwardCycles: None}},
			Ops: []Op{
				{ID: id("embed"), Kind: "gather", Lanes: 2, Work: 800, WorkOn: []KindWork{{Kind: "pim", Cycles: 90}, {Kind: "host"}},
					Weights: []ID{id("w0"), id("embed")}, MaxParts: 4, Windows: 9, ForwardCycles: None},
				{ID: id("mlp"), Lanes: 1, Weights: []ID{}, MaxParts: None, Windows: None, ForwardCycles: None},
				{ID: id("fwd"), Kind: KindForward, Lanes: 1, Work: 1, WorkOn: []KindWork{}, MaxParts: None, Windows: None, Forwards: id("v"), ForwardCycles: 6}},
			Edges: []Edge{{From: id("embed"), To: id("mlp"), Value: id("v"), Size: 256}, {From: id("mlp"), To: id("fwd"), Size: None}},
		},
		Stages: []Stage{{Index: 0, First: 0, Count: 1}, {Index: 1, First: None, Count: None}, {Index: 2, First: None, Count: None}},
		Assignment: Assignment{
			GraphDigest: "rev0",
			Instances: []Instance{
				{Op: id("embed"), Stage: 0, Part: 1, Lanes: []int64{0, 1}, Cores: []int64{0, None}},
				{Op: id("mlp"), Stage: None, Part: None},
				{Op: id("fwd"), Stage: None, Part: None}},
			Splits: []Split{{Op: id("embed"), Parts: 2}},
			Residency: []Resident{
				{Weight: id("w0"), Lanes: []int64{0}, Cores: []int64{1}, Part: 0, Parts: 2},
				{Weight: id("embed"), Cores: []int64{0}, Part: None, Parts: None}},
			Replicas:  []Replica{{Op: id("embed"), Index: 0, First: 0, Count: 4}, {Op: id("embed"), Index: 1, First: 4, Count: 5}},
			Placement: []int64{1, None},
		},
		Transfers: []Transfer{
			{ID: id("t"), From: id("embed"), To: id("mlp"), Stage: 0, FromStage: 0, ToStage: 1},
			{ID: id("t2"), From: id("mlp"), To: id("fwd"), Stage: None, FromStage: None, ToStage: None}},
		Syncs: []Sync{{ID: id("t"), Op: id("mlp"), Stage: 1}, {ID: id("s"), Op: id("mlp"), Stage: None}},
		Program: &Program{
			Devices: []Device{{ID: id("gpu0")}, {ID: id("host"), Rank: None}},
			Queues:  []Queue{{ID: id("q0"), Device: id("gpu0"), Kind: "compute"}, {ID: id("q1"), Device: id("host"), Unordered: true}},
			Regions: []Region{
				{ID: id("hbm"), Device: id("gpu0"), Capacity: 4096, Reserved: 64, Alignment: 16},
				{ID: id("ram"), Device: id("host"), Alignment: 1}},
			Buffers: []Buffer{
				{ID: id("x"), Region: id("hbm"), Offset: 64, Size: 32, Alignment: 8, Initialised: true, Kept: true, FreedBy: id("m")},
				{ID: id("y"), Region: id("hbm"), Offset: 64, Size: 32, Alignment: 1}},
			Tokens:   []Token{{ID: id("t"), Consuming: true}, {ID: id("u")}},
			Channels: []Channel{{ID: id("c"), Depth: 2, Region: id("hbm"), Slot: 8}, {ID: id("d"), Slot: None}},
			Groups:   []Group{{ID: id("g"), Ranks: []int64{0}}},
			Barriers: []Barrier{{ID: id("b"), Queues: []ID{id("q0"), id("q1")}}},
			Commands: []Command{
				{ID: id("m"), Kind: KindLaunch, Queue: id("q0"), Op: "mlp", After: []ID{id("r")}, Reads: []ID{id("x")}, Writes: []ID{id("y")},
					InPlace: []InPlace{{Read: id("x"), Write: id("y")}}, Waits: []ID{id("t")}, Signals: []ID{id("u")}, Bytes: 7, Stage: 1, Microbatch: 3},
				{ID: id("r"), Kind: KindRecv, Channel: id("c"), Bytes: None, Stage: None, Microbatch: None},
				{ID: id("a"), Kind: KindCollective, Group: id("g"), Bytes: None, Stage: None, Microbatch: None},
				{ID: id("n"), Kind: KindBarrier, Barrier: id("b"), After: []ID{}, Bytes: None, Stage: None, Microbatch: None}},
		},
	}
	if diff := cmp.Diff(view(want), view(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPlacesInTheFile holds that every At is the offset of the value that was read.
func TestPlacesInTheFile(t *testing.T) {
	p := mustDecode(t, everything)
	for _, c := range []struct {
		name  string
		at    uint32
		value string // what stands there
	}{
		{"digest", p.DigestAt, `"d"`},
		{"logical cores", p.LogicalCoresAt, `2,`},
		{"options", p.Options.At, `{"nonempty_stages"`},
		{"bytes per cycle", p.Target.BytesPerCycleAt, "32,\n"},
		{"work on a kind", p.Graph.Ops[0].WorkOn[1].At, `{"kind": "host"`},
		{"target", p.Target.At, `{"topology"`},
		{"mesh", p.Target.MeshAt, `[1, 2]}`},
		{"core count", p.Target.CoreCountAt, `2, "bytes_per_cycle"`},
		{"core", p.Target.Cores[1].At, `{"id": 7}`},
		{"graph", p.Graph.At, `{"digest": "rev1"`},
		{"graph digest", p.Graph.DigestAt, `"rev1"`},
		{"input", p.Graph.Inputs[0].At, `{"id": "tokens"`},
		{"consumer", p.Graph.Inputs[0].ConsumersAt[1], `"mlp"]`},
		{"weight", p.Graph.Weights[1].At, `{"id": "embed", "size_bytes": 0}`},
		{"value", p.Graph.Values[0].At, `{"id": "v"`},
		{"op", p.Graph.Ops[2].At, `{"id": "fwd"`},
		{"edge", p.Graph.Edges[1].At, `{"from": "mlp"`},
		{"stage", p.Stages[2].At, `{"index": 2}`},
		{"assignment", p.Assignment.At, `{"graph_digest"`},
		{"assignment's graph digest", p.Assignment.GraphDigestAt, `"rev0"`},
		{"instance", p.Assignment.Instances[2].At, `{"op": "fwd"}`},
		{"split", p.Assignment.Splits[0].At, `{"op": "embed", "parts"`},
		{"resident", p.Assignment.Residency[1].At, `{"weight": "embed"`},
		{"replica", p.Assignment.Replicas[1].At, `{"op": "embed", "index": 1`},
		{"placement", p.Assignment.PlacementAt, `[1, null]}`},
		{"place", p.Assignment.PlacementsAt[1], `null]}`},
		{"transfer", p.Transfers[1].At, `{"id": "t2"`},
		{"sync", p.Syncs[1].At, `{"id": "s"`},
		{"program", p.Program.At, "{\n  \"devices\""},
		{"device", p.Program.Devices[1].At, `{"id": "host"}`},
		{"queue", p.Program.Queues[1].At, `{"id": "q1"`},
		{"memory region", p.Program.Regions[1].At, `{"id": "ram"`},
		{"buffer", p.Program.Buffers[1].At, `{"id": "y"`},
		{"token", p.Program.Tokens[1].At, `{"id": "u"}`},
		{"channel", p.Program.Channels[1].At, `{"id": "d"`},
		{"group", p.Program.Groups[0].At, `{"id": "g"`},
		{"barrier", p.Program.Barriers[0].At, `{"id": "b"`},
		{"command", p.Program.Commands[2].At, `{"id": "a"`},
	} {
		if got := everything[c.at:]; !strings.HasPrefix(got, c.value) {
			t.Errorf("%s is at %.20q, want %q", c.name, got, c.value)
		}
	}
	distances := `{"schema": "plancheck.concrete-plan/1", "graph": {"ops": []}, "target": {"topology": {"distances": [[0]]}, "cores": [{"id": 0}]}}`
	p = mustDecode(t, distances)
	if got := distances[p.Target.DistancesAt:]; !strings.HasPrefix(got, "[[0]]") {
		t.Errorf("distances are at %.20q", got)
	}
}

func TestAbsentAndEmptyListsDiffer(t *testing.T) {
	p := mustDecode(t, `{"schema": "plancheck.concrete-plan/1", "stages": [], "graph": {"ops": [{"id": "a", "work_cycles": 1}], "edges": []},
		"assignment": {"instances": [{"op": "a", "lanes": [], "cores": []}, {"op": "a"}]}}`)
	a := &p.Assignment
	for _, c := range []struct {
		name       string
		isNil, nil bool
	}{
		{"stages", p.Stages == nil, false},
		{"edges", p.Graph.Edges == nil, false},
		{"inputs", p.Graph.Inputs == nil, true},
		{"transfers", p.Transfers == nil, true},
		{"target", p.Target == nil, true},
		{"placement", a.Placement == nil, true},
		{"residency", a.Residency == nil, true},
		{"given lanes", a.Instances[0].Lanes == nil, false},
		{"given cores", a.Instances[0].Cores == nil, false},
		{"absent lanes", a.Instances[1].Lanes == nil, true},
		{"absent cores", a.Instances[1].Cores == nil, true},
	} {
		if c.isNil != c.nil {
			t.Errorf("%s: nil is %v", c.name, c.isNil)
		}
	}
}

func TestIntegersAreExact(t *testing.T) {
	p := mustDecode(t, `{"schema": "plancheck.concrete-plan/1", "logical_cores": 9223372036854775807,
		"target": {"cores": [{"id": 9223372036854775807, "capacity_bytes": 9223372036854775806}, {"id": 9007199254740993}]},
		"graph": {"ops": [{"id": "a", "work_cycles": 9223372036854775807, "lanes": 4611686018427387904}]},
		"stages": [{"index": 9223372036854775807, "cores": {"first": 9223372036854775807, "count": 9007199254740993}}]}`)
	got := []int64{p.LogicalCores, p.Target.Cores[0].ID, p.Target.Cores[0].Capacity, p.Target.Cores[1].ID,
		p.Graph.Ops[0].Work, p.Graph.Ops[0].Lanes, p.Stages[0].Index, p.Stages[0].First, p.Stages[0].Count}
	want := []int64{math.MaxInt64, math.MaxInt64, math.MaxInt64 - 1, 1<<53 + 1,
		math.MaxInt64, 1 << 62, math.MaxInt64, math.MaxInt64, 1<<53 + 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIdsAreComparedByteForByte(t *testing.T) {
	// The two spellings of é, composed and decomposed, are two ids; an escape
	// and what it stands for are one.
	document := `{"schema": "plancheck.concrete-plan/1", "graph": {
		"ops": [{"id": "COMPOSED", "work_cycles": 1}, {"id": "DECOMPOSED", "work_cycles": 1}, {"id": "A", "work_cycles": 1},
		        {"id": "a", "work_cycles": 1}, {"id": "a ", "work_cycles": 1}, {"id": "\u0000", "work_cycles": 1}],
		"edges": [{"from": "\u00e9", "to": "e\u0301"}, {"from": "\u0061", "to": "\u0000"}]}}`
	p := mustDecode(t, strings.NewReplacer("DECOMPOSED", "e\u0301", "COMPOSED", "\u00e9").Replace(document))
	ops, edges := p.Graph.Ops, p.Graph.Edges
	want := []ID{ops[0].ID, ops[1].ID, ops[3].ID, ops[5].ID}
	if diff := cmp.Diff(want, []ID{edges[0].From, edges[0].To, edges[1].From, edges[1].To}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPlansHaveTheirOwnSymbols(t *testing.T) {
	a := mustDecode(t, everything)
	b := mustDecode(t, strings.ReplaceAll(everything, `"embed"`, `"lookup"`))
	if a.Symbols == b.Symbols {
		t.Error("two plans share a table")
	}
	if got, want := a.Text(a.Graph.Ops[0].ID), "embed"; got != want {
		t.Errorf("id %q, want %q", got, want)
	}
	if got, want := b.Text(b.Graph.Ops[0].ID), "lookup"; got != want {
		t.Errorf("id %q, want %q", got, want)
	}
}

func TestListsDoNotRunIntoEachOther(t *testing.T) {
	p := mustDecode(t, everything)
	p.Assignment.Instances[0].Lanes = append(p.Assignment.Instances[0].Lanes, 99)
	p.Graph.Ops[0].Weights = append(p.Graph.Ops[0].Weights, NoID)
	if got := p.Assignment.Instances[0].Cores; !cmp.Equal(got, []int64{0, None}) {
		t.Errorf("cores became %v", got)
	}
	if got := p.Graph.Inputs[0].Consumers; p.Text(got[0]) != "embed" {
		t.Errorf("consumers became %v", got)
	}
}
