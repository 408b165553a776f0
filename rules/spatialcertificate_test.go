package rules

import (
	"slices"
	"strings"
	"testing"

	"plancheck/facts"
	"plancheck/internal/symbol"
)

// timed is a legal program: W1 passes on when T0 has arrived, and M1 with its
// mate M0 when W1 has passed on; L1 and S0 use the same link.
const timed = `{"schema": "plancheck.concrete-plan/1", "program": {
	"devices": [{"id": "c0"}, {"id": "c1"}],
	"queues": [{"id": "x0", "device": "c0", "ordered": false}, {"id": "y0", "device": "c0"}, {"id": "m1", "device": "c1"}, {"id": "n1", "device": "c1"}],
	"memory_regions": [{"id": "s0", "device": "c0", "capacity_bytes": 8}, {"id": "s1", "device": "c1", "capacity_bytes": 8}],
	"buffers": [{"id": "u", "memory_region": "s0", "offset_bytes": 0, "size_bytes": 8, "initialised": true},
	            {"id": "v", "memory_region": "s1", "offset_bytes": 0, "size_bytes": 4}, {"id": "w", "memory_region": "s1", "offset_bytes": 4, "size_bytes": 4}],
	"tokens": [{"id": "t"}],
	"barriers": [{"id": "b", "queues": ["m1", "n1"]}],
	"commands": [
		{"id": "T0", "kind": "transfer", "queue": "x0", "reads": ["u"], "writes": ["v"], "signals": ["t"]},
		{"id": "T1", "kind": "transfer", "queue": "x0", "reads": ["u"], "writes": ["w"]},
		{"id": "W1", "kind": "wait", "queue": "m1", "waits": ["t"]},
		{"id": "A1", "kind": "launch", "queue": "n1"},
		{"id": "M0", "kind": "barrier", "queue": "m1", "barrier": "b"},
		{"id": "M1", "kind": "barrier", "queue": "n1", "barrier": "b"},
		{"id": "B1", "kind": "launch", "queue": "n1", "reads": ["v"]}],
	"target_extension": {"spatial": {
		"clock_domains": [{"id": "core", "frequency_hz": 900}, {"id": "mesh", "frequency_hz": 600}],
		"units": [{"id": "mem", "device": "c0", "clock_domain": "core", "latency_cycles": 1}, {"id": "vxm", "device": "c1", "clock_domain": "core", "latency_cycles": 2}],
		"links": [{"id": "east", "source_device": "c0", "destination_device": "c1", "clock_domain": "mesh"}],
		"slots": [{"command": "T0", "unit": "mem", "cycle": 0, "slot": 0}, {"command": "T1", "unit": "mem", "cycle": 1, "slot": 0},
		          {"command": "A1", "unit": "vxm", "cycle": 0, "slot": 0}, {"command": "B1", "unit": "vxm", "cycle": 8, "slot": 0}],
		"routes": [{"command": "T0", "source_device": "c0", "destination_device": "c1", "hops": [{"link": "east", "depart_cycle": 1, "cycles": 4}]},
		           {"command": "T1", "source_device": "c0", "destination_device": "c1", "hops": [{"link": "east", "depart_cycle": 5, "cycles": 4}]}],
		"flow": {"backpressure": "none"}}}}}`

// A wrong certificate about times and links is a violation, and no wrong verdict.
func TestWrongSpatialCertificates(t *testing.T) {
	type change func(*symbol.Table, *facts.Facts)
	number := func(relation string, row, col, value int) change {
		return func(syms *symbol.Table, f *facts.Facts) {
			table := f.Table(relation)
			table.Cols[col] = slices.Clone(table.Cols[col])
			table.Cols[col][row] = syms.Int(int64(value))
		}
	}
	text := func(relation string, row, col int, value string) change {
		return func(syms *symbol.Table, f *facts.Facts) {
			table := f.Table(relation)
			table.Cols[col] = slices.Clone(table.Cols[col])
			table.Cols[col][row] = syms.String(value)
		}
	}
	without := func(relation string, row int) change {
		return func(_ *symbol.Table, f *facts.Facts) { drop(f.Table(relation), row) }
	}
	for _, c := range []struct {
		name   string
		change change
		told   string // how a violation begins that has to be among those found; empty for none at all
	}{
		{"right", func(*symbol.Table, *facts.Facts) {}, ""},
		{"ticks of another second", number("clock_tick", 1, 1, 4), `clock_ticks_differ("core", 1800, 2400)`},
		{"cycles without ticks", func(syms *symbol.Table, f *facts.Facts) {
			number("clock_tick", 0, 1, 0)(syms, f)
			number("clock_tick", 1, 1, 0)(syms, f)
		}, `clock_tick_missing("core")`},
		{"a clock without ticks", without("clock_tick", 1), `clock_tick_missing("mesh")`},
		{"a hop without a turn", without("link_turn", 1), `link_turn_missing("T1", 0)`},
		{"a turn behind none", number("link_turn", 1, 1, 2), `link_turn_wrong("east", 2)`},
		{"two turns of one number", number("link_turn", 1, 1, 0), `link_turn_wrong("east", 0)`},
		{"turns the other way round", func(syms *symbol.Table, f *facts.Facts) {
			text("link_turn", 0, 2, "T1")(syms, f)
			text("link_turn", 1, 2, "T0")(syms, f)
		}, `link_turn_wrong("east", 1)`},
		{"held by nothing that is waited for", text("held_by", 0, 1, "T1"), `hold_wrong("W1", "T1")`},
		{"held by one that is over before", text("held_by", 1, 1, "A1"), `hold_too_short("M0", 15)`},
		{"not held", without("held_by", 1), `hold_too_short("M0", 15)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := violations(t, builtin(t), []byte(timed), c.change)
			if c.told == "" {
				if len(got) > 0 {
					t.Errorf("found %v", got)
				}
				return
			}
			if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, c.told) }) {
				t.Errorf("found %v, want %s", got, c.told)
			}
		})
	}
}
