package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Programs as people have met them: each has these findings and no others.
func TestCommandCases(t *testing.T) {
	want := map[string][]told{
		"c26": {{"schedule-deadlock", "/program/commands/1", `4 commands on 2 queues wait for each other`}},
		"c27": nil,
		"c29": {{"schedule-deadlock", "/program/commands/0", `4 commands on 2 queues wait for each other`}},
		"c31": {{"schedule-deadlock", "/program/commands/1", `4 commands on 2 queues wait for each other`}},
		"c34": {{"collective-bytes-disagree", "/program/commands/1/bytes", `c0 has 4096 bytes in group G, but c1, which meets it, has 4094`}},
		"c35": {{"buffer-overlap", "/program/buffers/1", `buffers X and Y share bytes, and n may use Y before r1 is done with X`}},
		"c37": {{"buffer-overlap", "/program/commands/1", `buffers A and B share bytes, and t7 uses both of them, which are not the same bytes in place`}},
		"c38": nil,
		"c40": {{"data-race", "/program/commands/2", `w and r both use buffer T, one of them writes it, and nothing orders them`}},
		"c41": {{"token-multiple-signal", "/program/commands/3/signals/0", `token e is signalled by sa and by sb`}},
		"c45": {{"dag-cycle", "/program/commands/0/after/0", `3 commands depend on each other`}},
		"c46": {{"buffer-misaligned", "/program/buffers/1", `buffer bad begins at byte 4100, which is no multiple of 16`}},
		"c48": {{"schedule-deadlock", "/program/commands/3", `6 commands on 3 queues wait for each other`}},
	}
	files, err := filepath.Glob("../testdata/cases/commands/*.json")
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d files for %d cases: %v", len(files), len(want), err)
	}
	s := builtin(t)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			v := judge(t, s, plan(t, file, data), Options{})
			if diff := cmp.Diff(want[name], tell(v.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// rowParallel is one rank's half of a matmul of 4 x 8 and 8 x 8 in half
// precision, cut over two ranks: X, the shard of W, the partial result and the
// reduced one, and the all_reduce of 64 bytes.
const rowParallel = `{"schema": "plancheck.concrete-plan/1", "program": {
	"devices": [{"id": "d0", "rank": 0}, {"id": "d1", "rank": 1}],
	"queues": [{"id": "q0", "device": "d0"}, {"id": "q1", "device": "d1"}],
	"memory_regions": [{"id": "m0", "device": "d0", "capacity_bytes": 1024, "alignment_bytes": 16}],
	"groups": [{"id": "tp", "ranks": [0, 1]}],
	"buffers": [{"id": "X", "memory_region": "m0", "offset_bytes": 0, "size_bytes": 64, "initialised": true},
	            {"id": "W", "memory_region": "m0", "offset_bytes": 64, "size_bytes": 128, "initialised": true},
	            {"id": "P", "memory_region": "m0", "offset_bytes": 192, "size_bytes": 64},
	            {"id": "Y", "memory_region": "m0", "offset_bytes": 256, "size_bytes": 64, "kept": true}],
	"commands": [
		{"id": "mm0", "kind": "launch", "queue": "q0", "op": "matmul", "reads": ["X", "W"], "writes": ["P"]},
		{"id": "ar0", "kind": "collective", "queue": "q0", "op": "all_reduce", "group": "tp", "after": ["mm0"], "reads": ["P"], "writes": ["Y"], "bytes": 64},
		{"id": "ar1", "kind": "collective", "queue": "q1", "op": "all_reduce", "group": "tp", "bytes": 64}]}}`

// What is legal as it is, and what is wrong after a change.
func TestRowParallelProgram(t *testing.T) {
	s := builtin(t)
	const mm0 = `{"id": "mm0", "kind": "launch", "queue": "q0", "op": "matmul", "reads": ["X", "W"], "writes": ["P"]},
		`
	for _, c := range []struct {
		name  string
		edits []string
		want  []told
	}{
		{"as it is", nil, nil},
		{"a buffer beyond the end", []string{`"offset_bytes": 256`, `"offset_bytes": 1008`}, []told{
			{"buffer-out-of-bounds", "/program/buffers/3", "buffer Y has 64 bytes from byte 1008 on, but region m0 has 1024"}}},
		{"a command before what it depends on", []string{mm0, ``, `"bytes": 64}]`, `"bytes": 64}, ` + strings.TrimSuffix(strings.TrimSpace(mm0), ",") + `]`, `"queue": "q0", "op": "matmul"`, `"queue": "q2", "op": "matmul"`,
			`{"id": "q1", "device": "d1"}`, `{"id": "q1", "device": "d1"}, {"id": "q2", "device": "d0"}`}, []told{
			{"dag-not-topological", "/program/commands/0/after/0", "ar0 depends on mm0, which is listed behind it"}}},
		{"bytes that are still to be read", []string{`"offset_bytes": 192`, `"offset_bytes": 160`}, []told{
			{"buffer-overlap", "/program/commands/0", "buffers W and P share bytes, and mm0 uses both of them, which are not the same bytes in place"}}},
		{"a weight over what was kept", []string{`"offset_bytes": 256`, `"offset_bytes": 0`, `"kept": true`, `"initialised": true`}, []told{
			{"buffer-overlap", "/program/buffers/3", "buffer Y shares bytes with buffer X, whose life has not ended"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := rowParallel
			for i := 0; i < len(c.edits); i += 2 {
				if strings.Count(text, c.edits[i]) != 1 {
					t.Fatalf("%q is there %d times", c.edits[i], strings.Count(text, c.edits[i]))
				}
				text = strings.Replace(text, c.edits[i], c.edits[i+1], 1)
			}
			v := judge(t, s, plan(t, "plan.json", []byte(text)), Options{})
			if diff := cmp.Diff(c.want, tell(v.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
