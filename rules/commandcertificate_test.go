package rules

import (
	"os"
	"slices"
	"strings"
	"testing"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/symbol"
)

// ordered is a legal program on four queues. W2 knows of F0 by way of two other
// queues, Y lies where X lay, and both ends of the rendezvous order what is
// around them.
const ordered = `{"schema": "plancheck.concrete-plan/1", "program": {
	"devices": [{"id": "d"}],
	"queues": [{"id": "q0", "device": "d"}, {"id": "q1", "device": "d"}, {"id": "q2", "device": "d"}, {"id": "q3", "device": "d"}],
	"memory_regions": [{"id": "m", "device": "d", "capacity_bytes": 100}],
	"buffers": [{"id": "X", "memory_region": "m", "offset_bytes": 0, "size_bytes": 20},
	            {"id": "Y", "memory_region": "m", "offset_bytes": 10, "size_bytes": 20}],
	"tokens": [{"id": "t"}],
	"channels": [{"id": "c", "depth": 0}],
	"commands": [
		{"id": "F0", "kind": "launch", "queue": "q0", "writes": ["X"]},
		{"id": "S0", "kind": "send", "queue": "q0", "channel": "c"},
		{"id": "R1", "kind": "recv", "queue": "q1", "channel": "c"},
		{"id": "F1", "kind": "launch", "queue": "q1", "reads": ["X"], "signals": ["t"]},
		{"id": "W2", "kind": "launch", "queue": "q2", "waits": ["t"], "reads": ["X"], "writes": ["Y"]},
		{"id": "U2", "kind": "launch", "queue": "q2", "reads": ["Y"]},
		{"id": "V3", "kind": "launch", "queue": "q3", "after": ["U2"], "writes": ["Y"]}]}}`

// sharing is a legal program of two groups with both ranks in common. Rank 0 has
// one queue for both, rank 1 orders them by way of a third queue.
const sharing = `{"schema": "plancheck.concrete-plan/1", "program": {
	"devices": [{"id": "d0", "rank": 0}, {"id": "d1", "rank": 1}],
	"queues": [{"id": "q0", "device": "d0"}, {"id": "q1", "device": "d1"}, {"id": "r1", "device": "d1"}, {"id": "s1", "device": "d1"}],
	"groups": [{"id": "g", "ranks": [0, 1]}, {"id": "h", "ranks": [1, 0]}],
	"tokens": [{"id": "t"}],
	"commands": [
		{"id": "A0", "kind": "collective", "queue": "q0", "group": "g"},
		{"id": "B0", "kind": "collective", "queue": "q0", "group": "h"},
		{"id": "A1", "kind": "collective", "queue": "q1", "group": "g"},
		{"id": "S1", "kind": "launch", "queue": "s1", "after": ["A1"], "signals": ["t"]},
		{"id": "T1", "kind": "wait", "queue": "r1", "waits": ["t"]},
		{"id": "B1", "kind": "collective", "queue": "r1", "group": "h"}],
	"target_extension": {"queue": {"communicators": [
		{"id": "m", "group": "g", "queues": ["q0", "q1"]}, {"id": "n", "group": "h", "queues": ["q0", "r1"]}]}}}}`

// A wrong certificate about a program is a violation: the rules do not trust the
// exporter.
func TestWrongCommandCertificates(t *testing.T) {
	dead, err := os.ReadFile("../testdata/cases/commands/c26.json")
	if err != nil {
		t.Fatal(err)
	}
	inPlace := strings.NewReplacer(`"reads": ["X"], "writes": ["Y"]}`, `"reads": ["X"], "writes": ["Y"], "in_place": [{"read": "X", "write": "Y"}]}`,
		`"offset_bytes": 10`, `"offset_bytes": 0`).Replace(ordered)
	// loose has a declared dependency that nothing brings about.
	loose := strings.NewReplacer(`{"id": "S", "kind": "signal", "queue": "q0", "signals": ["t"], "after": ["A"]},`, ``,
		`{"id": "W", "kind": "wait", "queue": "q1", "waits": ["t"], "after": ["S"]},`, ``).Replace(launched)
	type change func(*symbol.Table, *facts.Facts)
	set := func(relation string, row, col int, value any) change {
		return func(syms *symbol.Table, f *facts.Facts) {
			table := f.Table(relation)
			table.Cols[col] = slices.Clone(table.Cols[col])
			switch v := value.(type) {
			case int:
				table.Cols[col][row] = syms.Int(int64(v))
			case string:
				table.Cols[col][row] = syms.String(v)
			}
		}
	}
	without := func(relation string, row int) change {
		return func(_ *symbol.Table, f *facts.Facts) { drop(f.Table(relation), row) }
	}
	none := func(relation string) change {
		return func(_ *symbol.Table, f *facts.Facts) {
			table := f.Table(relation)
			*table = datalog.Table{Name: table.Name, Cols: make([][]symbol.Value, len(table.Cols)), Distinct: true}
		}
	}
	for _, c := range []struct {
		name   string
		data   string
		change change
		told   string // how a violation begins that has to be among those found; empty for none at all
	}{
		{"right", inPlace, func(*symbol.Table, *facts.Facts) {}, ""},
		{"right collectives", sharing, func(*symbol.Table, *facts.Facts) {}, ""},
		{"right issue orders", twoQueues, func(*symbol.Table, *facts.Facts) {}, ""},
		{"a rank that does not grow", inPlace, set("command_rank", 3, 1, 0), `command_rank_wrong("F1", "R1"`},
		{"two ranks in a meeting", inPlace, set("command_rank", 1, 1, 2), `meeting_rank_differs("S0", "R1")`},
		{"no rank", inPlace, without("command_rank", 0), `command_rank_missing("F0")`},
		{"no cycle", string(dead), none("wait_cycle"), `wait_cycle_missing(`},
		{"a cycle that is none", inPlace, func(syms *symbol.Table, f *facts.Facts) {
			add(f.Table("wait_cycle"), 0, syms.String("F0"), syms.String("S0"), syms.String("is behind"))
		}, `wait_cycle_broken(0, "F0", "S0")`},
		{"a cycle of one meeting", inPlace, func(syms *symbol.Table, f *facts.Facts) {
			cycle, why := f.Table("wait_cycle"), syms.String("completes only together with")
			add(cycle, 0, syms.String("S0"), syms.String("R1"), why)
			add(cycle, 1, syms.String("R1"), syms.String("S0"), why)
		}, `wait_cycle_broken(0, "S0", "R1")`},
		{"a cycle with a jump", string(dead), set("wait_cycle", 1, 2, "f1"), `wait_cycle_broken(1, "v1", "f1")`},
		{"a cycle gone round twice", string(dead), func(syms *symbol.Table, f *facts.Facts) {
			cycle := f.Table("wait_cycle")
			for i := range cycle.N {
				row := cycle.Row(i)
				add(cycle, syms.Int(int64(cycle.N)), row[1], row[2], row[3])
			}
		}, `wait_cycle_broken(4, "s0", "v1")`},
		{"a clock that knows of what is not before", inPlace, set("clock_direct", 0, 1, "V3"), `clock_wrong(`},
		{"a clock by way of no wait", inPlace, set("clock_direct", 0, 3, "V3"), `clock_wrong(`},
		{"a clock by way of one that knows nothing", inPlace, set("clock_passed", 0, 4, "F0"), `clock_wrong(`},
		{"no clocks", inPlace, none("clock_direct"), `order_missing(`},
		{"no orders", inPlace, none("ordered_by"), `order_missing("F0", "F1")`},
		{"an order by another entry", inPlace, set("ordered_by", 0, 2, "V3"), `order_missing(`},
		{"a read that is not listed", inPlace, without("read_epoch", 0), `access_unlisted("X", "F1")`},
		{"a write that is not listed", inPlace, without("write_epoch", 2), `access_unlisted("Y", "V3")`},
		{"two writes of one number", inPlace, set("write_epoch", 2, 1, 0), `epoch_wrong("Y", 0)`},
		{"a number behind none", inPlace, set("read_epoch", 0, 1, 3), `epoch_wrong("X", 3)`},
		{"accesses the other way round", inPlace, func(syms *symbol.Table, f *facts.Facts) {
			set("write_epoch", 1, 2, "V3")(syms, f)
			set("write_epoch", 2, 2, "W2")(syms, f)
		}, `access_order_wrong("Y", "V3", "U2")`},
		{"a declared dependency without an order", launched, none("ordered_by"), `order_missing("A", "B")`},
		{"a rank that does not grow along a declared dependency", loose, set("command_rank", 1, 1, 0), `command_rank_wrong("B", "A"`},
		{"a clock by way of a declared dependency", loose, func(syms *symbol.Table, f *facts.Facts) {
			add(f.Table("clock_direct"), syms.String("B"), syms.String("A"), syms.String("B"), syms.String("A"))
		}, `clock_wrong("B", "A")`},
		{"segments with a gap", ordered, set("segment", 1, 2, 12), `segment_wrong("m", 1)`},
		{"a segment without bytes", ordered, set("segment", 1, 3, 10), `segment_wrong("m", 1)`},
		{"a buffer without its first segment", ordered, without("segment_use", 0), `buffer_segments_wrong("X")`},
		{"a buffer without its last segment", ordered, without("segment_use", 3), `buffer_segments_wrong("Y")`},
		{"a turn behind none", ordered, set("segment_use", 2, 2, 2), `turn_wrong("m", 1, 2)`},
		{"two buffers at once", ordered, set("segment_use", 2, 2, 0), `turn_wrong("m", 1, 0)`},
		{"turns the other way round", ordered, func(syms *symbol.Table, f *facts.Facts) {
			set("segment_use", 1, 3, "Y")(syms, f)
			set("segment_use", 2, 3, "X")(syms, f)
		}, `turn_wrong("m", 1, 1)`},
		{"a collective without a turn", sharing, without("shared_turn", 1), `shared_turn_missing("h", "g", 0, "B0")`},
		{"two collectives of one turn", sharing, set("shared_turn", 1, 3, 0), `shared_turn_wrong("g", "h", 0, 0)`},
		{"a turn behind no collective", sharing, set("shared_turn", 1, 3, 2), `shared_turn_wrong("g", "h", 0, 2)`},
		{"collectives the other way round", sharing, func(syms *symbol.Table, f *facts.Facts) {
			set("shared_turn", 0, 4, "B0")(syms, f)
			set("shared_turn", 1, 4, "A0")(syms, f)
		}, `shared_turn_wrong("g", "h", 0, 1)`},
		{"an order of collectives that is not told", sharing, none("ordered_by"), `order_missing("A1", "T1")`},
		{"an issue order that a queue does not follow", twoQueues, without("order_followed", 1), `order_followed_wrong(1, "q1")`},
		{"an issue order followed in another order", twoQueues, set("queue_place", 1, 2, 3), `order_followed_wrong(0, "q0")`},
		{"an issue order followed though it is faulty", strings.Replace(twoQueues, `"A1", "F1"`, `"A1"`, 1), func(syms *symbol.Table, f *facts.Facts) {
			add(f.Table("order_followed"), 1, syms.String("q1"))
		}, `order_followed_wrong(1, "q1")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := violations(t, builtin(t), []byte(c.data), c.change)
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
