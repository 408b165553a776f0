package ir

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := random{t, symbol.NewTable()}.plan()
		if ds := Validate(p); ds != nil {
			t.Fatalf("%s\n%s", strings.Join(brief(ds), "\n"), Encode(p))
		}
		data := Encode(p)
		q, ds := DecodePlan(diag.NewSource("", data))
		if ds != nil {
			t.Fatalf("%s\n%s", strings.Join(brief(ds), "\n"), data)
		}
		if diff := cmp.Diff(view(p), view(q)); diff != "" {
			t.Fatalf("%s(-written +read):\n%s", data, diff)
		}
		if again := Encode(q); !bytes.Equal(data, again) {
			t.Fatalf("written differently:\n%s\n%s", data, again)
		}
		if PlanDigest(p) != PlanDigest(q) || GraphDigest(p) != GraphDigest(q) {
			t.Fatalf("another digest:\n%s", data)
		}
	})
}

// TestFormattingDoesNotMatter writes the members of objects in random order
// and with random white space.
func TestFormattingDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := random{t, symbol.NewTable()}.plan()
		decoder := json.NewDecoder(bytes.NewReader(Encode(p)))
		decoder.UseNumber()
		var tree any
		if err := decoder.Decode(&tree); err != nil {
			t.Fatal(err)
		}
		shuffled := shuffle(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), tree)
		q, ds := DecodePlan(diag.NewSource("", []byte(shuffled)))
		if ds != nil {
			t.Fatalf("%s\n%s", strings.Join(brief(ds), "\n"), shuffled)
		}
		if diff := cmp.Diff(view(p), view(q)); diff != "" {
			t.Fatalf("%s\n(-written +shuffled):\n%s", shuffled, diff)
		}
		if PlanDigest(p) != PlanDigest(q) || GraphDigest(p) != GraphDigest(q) {
			t.Fatalf("another digest:\n%s", shuffled)
		}
	})
}

func shuffle(r *rand.Rand, value any) string {
	blank := func() string { return []string{"", " ", "\r\n", "\t"}[r.IntN(4)] }
	switch v := value.(type) {
	case map[string]any:
		var members []string
		for key, inner := range v {
			members = append(members, blank()+`"`+key+`"`+blank()+":"+shuffle(r, inner))
		}
		sort.Strings(members)
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		return blank() + "{" + strings.Join(members, ",") + blank() + "}" + blank()
	case []any:
		var entries []string
		for _, inner := range v {
			entries = append(entries, shuffle(r, inner))
		}
		return blank() + "[" + strings.Join(entries, ",") + blank() + "]" + blank()
	}
	text, _ := json.Marshal(value)
	return blank() + string(text) + blank()
}

func TestEncodedPlanReadsWell(t *testing.T) {
	const want = `{"schema": "plancheck.concrete-plan/1", "name": "tiny", "digest": "d", "logical_cores": 2, "options": {"nonempty_stages": true, "forward": true},
 "target": {"topology": {"mesh": [1, 2]}, "core_count": 2, "bytes_per_cycle": 32,
  "cores": [
   {"id": 0, "at": [0, 0], "capacity_bytes": 4096, "kind": "pim"},
   {"id": 7}
  ]
 },
 "graph": {"digest": "rev1",
  "inputs": [
   {"id": "tokens", "dynamic": true, "size_bytes": 512, "forward_cycles": 5, "consumers": ["embed", "mlp"]},
   {"id": "table", "dynamic": false, "consumers": []}
  ],
  "weights": [
   {"id": "w0", "size_bytes": 1024},
   {"id": "embed", "size_bytes": 0}
  ],
  "values": [
   {"id": "v", "from": "embed", "size_bytes": 3, "forward_cycles": 0},
   {"id": "u", "from": "mlp"}
  ],
  "ops": [
   {"id": "embed", "kind": "gather", "lanes": 2, "work_cycles": 800, "work_on": [{"kind": "pim", "cycles": 90}, {"kind": "host", "cycles": 0}], "weights": ["w0", "embed"], "max_parts": 4, "windows": 9},
   {"id": "mlp", "lanes": 1, "work_cycles": 0, "weights": []},
   {"id": "fwd", "kind": "forward", "lanes": 1, "work_cycles": 1, "work_on": [], "forwards": "v", "forward_cycles": 6}
  ],
  "edges": [
   {"from": "embed", "to": "mlp", "value": "v", "size_bytes": 256},
   {"from": "mlp", "to": "fwd"}
  ]
 },
 "stages": [
  {"index": 0, "cores": {"first": 0, "count": 1}},
  {"index": 1},
  {"index": 2}
 ],
 "assignment": {"graph_digest": "rev0",
  "instances": [
   {"op": "embed", "stage": 0, "part": 1, "lanes": [0, 1], "cores": [0, null]},
   {"op": "mlp"},
   {"op": "fwd"}
  ],
  "splits": [
   {"op": "embed", "parts": 2}
  ],
  "residency": [
   {"weight": "w0", "lanes": [0], "cores": [1], "part": 0, "parts": 2},
   {"weight": "embed", "cores": [0]}
  ],
  "replicas": [
   {"op": "embed", "index": 0, "first": 0, "count": 4},
   {"op": "embed", "index": 1, "first": 4, "count": 5}
  ],
  "placement": [1, null]
 },
 "transfers": [
  {"id": "t", "from": "embed", "to": "mlp", "stage": 0, "from_stage": 0, "to_stage": 1},
  {"id": "t2", "from": "mlp", "to": "fwd"}
 ],
 "sync": [
  {"id": "t", "op": "mlp", "stage": 1},
  {"id": "s", "op": "mlp"}
 ],
 "program": {
  "devices": [
   {"id": "gpu0", "rank": 0},
   {"id": "host"}
  ],
  "queues": [
   {"id": "q0", "device": "gpu0", "kind": "compute"},
   {"id": "q1", "device": "host", "ordered": false}
  ],
  "memory_regions": [
   {"id": "hbm", "device": "gpu0", "capacity_bytes": 4096, "reserved_bytes": 64, "alignment_bytes": 16},
   {"id": "ram", "device": "host", "capacity_bytes": 0}
  ],
  "buffers": [
   {"id": "x", "memory_region": "hbm", "offset_bytes": 64, "size_bytes": 32, "alignment_bytes": 8, "initialised": true, "kept": true, "freed_by": "m"},
   {"id": "y", "memory_region": "hbm", "offset_bytes": 64, "size_bytes": 32}
  ],
  "tokens": [
   {"id": "t", "consuming": true},
   {"id": "u"}
  ],
  "channels": [
   {"id": "c", "depth": 2, "memory_region": "hbm", "slot_bytes": 8},
   {"id": "d", "depth": 0}
  ],
  "groups": [
   {"id": "g", "ranks": [0]}
  ],
  "barriers": [
   {"id": "b", "queues": ["q0", "q1"]}
  ],
  "commands": [
   {"id": "m", "kind": "launch", "queue": "q0", "op": "mlp", "after": ["r"], "reads": ["x"], "writes": ["y"], "in_place": [{"read": "x", "write": "y"}], "waits": ["t"], "signals": ["u"], "bytes": 7, "stage": 1, "microbatch": 3},
   {"id": "r", "kind": "recv", "channel": "c"},
   {"id": "a", "kind": "collective", "group": "g"},
   {"id": "n", "kind": "barrier", "after": [], "barrier": "b"}
  ]
 }
}
`
	if diff := cmp.Diff(want, string(Encode(mustDecode(t, everything)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	small := mustDecode(t, `{"schema": "plancheck.concrete-plan/1", "graph": {"ops": []}, "stages": [],
		"target": {"topology": {"distances": [[0]]}, "cores": [{"id": 0}]}}`)
	const wantSmall = `{"schema": "plancheck.concrete-plan/1",
 "target": {"topology": {
   "distances": [
    [0]
   ]
  },
  "cores": [
   {"id": 0}
  ]
 },
 "graph": {
  "ops": []
 },
 "stages": []
}
`
	if diff := cmp.Diff(wantSmall, string(Encode(small))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzDecodePlan holds that no document makes the reader panic, that every
// error has a place, and that every plan is written and read back the same.
func FuzzDecodePlan(f *testing.F) {
	for _, whole := range wholes() {
		f.Add([]byte(whole))
	}
	files, err := filepath.Glob(filepath.Join(casesDir, "*"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, ds := DecodePlan(diag.NewSource("plan.json", data))
		if (p == nil) != (len(ds) > 0) {
			t.Fatalf("plan %v with %d diagnostics", p, len(ds))
		}
		for _, d := range ds {
			if d.Pos.Line < 1 || d.Pos.Column < 1 || d.Code == "" || d.Message == "" || d.Severity != diag.Error {
				t.Fatalf("bad diagnostic %+v", d)
			}
		}
		if p == nil {
			return
		}
		if !json.Valid(data[p.Source.Start:]) {
			t.Fatalf("a plan was read from what is no JSON")
		}
		written := Encode(p)
		q, ds := DecodePlan(diag.NewSource("plan.json", written))
		if ds != nil {
			t.Fatalf("%s\n%s", strings.Join(brief(ds), "\n"), written)
		}
		if diff := cmp.Diff(view(p), view(q)); diff != "" {
			t.Fatalf("(-read +read again):\n%s", diff)
		}
		if PlanDigest(p) != PlanDigest(q) {
			t.Fatal("another digest")
		}
	})
}
