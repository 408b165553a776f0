package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Corners that random programs led to.
func TestCommandCorners(t *testing.T) {
	s := builtin(t)
	type found struct{ Code, Pointer string }
	for _, c := range []struct {
		name, program string
		want          []found
	}{
		{"a size near the end of all numbers", `
			"devices": [{"id": "d"}], "queues": [{"id": "q", "device": "d"}],
			"memory_regions": [{"id": "m", "device": "d", "capacity_bytes": 1000}],
			"buffers": [{"id": "b", "memory_region": "m", "offset_bytes": 104, "size_bytes": 9223372036854775807}],
			"commands": [{"id": "f", "kind": "launch", "queue": "q"}]`, []found{
			{"buffer-out-of-bounds", "/program/buffers/0"}}},

		{"written in place over what nothing has written", `
			"devices": [{"id": "d"}], "queues": [{"id": "q", "device": "d"}],
			"memory_regions": [{"id": "m", "device": "d", "capacity_bytes": 8}],
			"buffers": [{"id": "y", "memory_region": "m", "offset_bytes": 0, "size_bytes": 8},
			            {"id": "x", "memory_region": "m", "offset_bytes": 0, "size_bytes": 8}],
			"commands": [{"id": "f", "kind": "launch", "queue": "q", "reads": ["x"], "writes": ["y"], "in_place": [{"read": "x", "write": "y"}]}]`, []found{
			{"buffer-read-before-write", "/program/commands/0/reads/0"}}},

		{"what would read a message that is not sent", `
			"devices": [{"id": "d"}], "queues": [{"id": "q0", "device": "d"}, {"id": "q1", "device": "d"}],
			"memory_regions": [{"id": "m", "device": "d", "capacity_bytes": 8}],
			"buffers": [{"id": "x", "memory_region": "m", "offset_bytes": 0, "size_bytes": 8},
			            {"id": "y", "memory_region": "m", "offset_bytes": 0, "size_bytes": 8, "freed_by": "f"}],
			"channels": [{"id": "c", "depth": 1}],
			"commands": [{"id": "w", "kind": "launch", "queue": "q0", "writes": ["x"]},
			             {"id": "r", "kind": "recv", "queue": "q1", "channel": "c"},
			             {"id": "u", "kind": "launch", "queue": "q1", "reads": ["x"]},
			             {"id": "v", "kind": "launch", "queue": "q1", "writes": ["y"]},
			             {"id": "f", "kind": "launch", "queue": "q0"}]`, []found{
			{"p2p-unmatched", "/program/commands/1/channel"}}},

		{"a cycle from its first command on, which waits while another one meets it", `
			"devices": [{"id": "d0", "rank": 0}, {"id": "d1", "rank": 1}],
			"queues": [{"id": "q0", "device": "d0"}, {"id": "q1", "device": "d1"}],
			"tokens": [{"id": "t"}], "groups": [{"id": "g", "ranks": [0, 1]}],
			"commands": [{"id": "a", "kind": "collective", "queue": "q0", "group": "g", "waits": ["t"]},
			             {"id": "b", "kind": "collective", "queue": "q1", "group": "g", "signals": ["t"]}]`, []found{
			{"schedule-deadlock", "/program/commands/0"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := judge(t, s, plan(t, "plan.json", []byte(`{"schema": "plancheck.concrete-plan/1", "program": {`+c.program+`}}`)), Options{})
			var got []found
			for _, f := range v.Findings {
				got = append(got, found{f.Code, f.Pos.Pointer})
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
