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
// queues, Y lies where X lay, nobody uses Z, and both ends of the rendezvous order what is
// around them.
const ordered = `{"schema": "plancheck.concrete-plan/1", "program": {
	"devices": [{"id": "d"}],
	"queues": [{"id": "q0", "device": "d"}, {"id": "q1", "device": "d"}, {"id": "q2", "device": "d"}, {"id": "q3", "device": "d"}],
	"memory_regions": [{"id": "m", "device": "d", "capacity_bytes": 100}],
	"buffers": [{"id": "X", "memory_region": "m", "offset_bytes": 0, "size_bytes": 20},
	            {"id": "Y", "memory_region": "m", "offset_bytes": 10, "size_bytes": 20},
	            {"id": "Z", "memory_region": "m", "offset_bytes": 10, "size_bytes": 20}],
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
		{"a clock by way of a later command", inPlace, set("clock_passed", 0, 3, "R1"), `clock_wrong("W2", "S0")`},
		{"no clocks", inPlace, none("clock_direct"), `order_unsearched("F0", 1)`},
		{"no orders", inPlace, none("ordered_by"), `order_unsearched("F0", 3)`},
		{"an order by another entry", inPlace, set("ordered_by", 0, 2, "V3"), `order_unsearched("F0", 1)`},
		{"an order before the first", inPlace, set("ordered_by", 2, 2, "F1"), `order_unsearched("W2", 1)`},
		{"orders that a search finds", inPlace, func(syms *symbol.Table, f *facts.Facts) {
			none("ordered_by")(syms, f)
			add(f.Table("order_search"), syms.String("F0"), 3)
			add(f.Table("order_search"), syms.String("W2"), 5)
		}, ""},
		{"a search that ends too soon", inPlace, func(syms *symbol.Table, f *facts.Facts) {
			none("ordered_by")(syms, f)
			add(f.Table("order_search"), syms.String("F0"), 2)
			add(f.Table("order_search"), syms.String("W2"), 5)
		}, `order_unsearched("F0", 1)`},
		{"no place on a track", inPlace, without("track_place", 0), `track_wrong("F0")`},
		{"two commands at one place", inPlace, set("track_place", 3, 2, 0), `track_wrong("F1")`},
		{"a place behind none", inPlace, set("track_place", 3, 2, 5), `track_wrong("F1")`},
		{"a place behind one that it does not wait for", inPlace, func(syms *symbol.Table, f *facts.Facts) {
			set("track_place", 6, 1, 0)(syms, f)
			set("track_place", 6, 2, 2)(syms, f)
		}, `track_wrong("V3")`},
		{"a read that is not listed", inPlace, without("read_epoch", 0), `access_unlisted("X", "F1")`},
		{"a write that is not listed", inPlace, without("write_epoch", 2), `access_unlisted("Y", "V3")`},
		{"two writes of one number", inPlace, set("write_epoch", 2, 1, 0), `epoch_wrong("Y", 0)`},
		{"a number behind none", inPlace, set("read_epoch", 0, 1, 3), `epoch_wrong("X", 3)`},
		{"accesses the other way round", inPlace, func(syms *symbol.Table, f *facts.Facts) {
			set("write_epoch", 1, 2, "V3")(syms, f)
			set("write_epoch", 2, 2, "W2")(syms, f)
		}, `access_order_wrong("Y", "V3", "U2")`},
		{"a declared dependency without an order", launched, none("ordered_by"), `order_unsearched("A", 1)`},
		{"a rank that does not grow along a declared dependency", loose, set("command_rank", 1, 1, 0), `command_rank_wrong("B", "A"`},
		{"a clock by way of a declared dependency", loose, func(syms *symbol.Table, f *facts.Facts) {
			add(f.Table("clock_direct"), syms.String("B"), syms.String("A"), syms.String("B"), syms.String("A"))
		}, `clock_wrong("B", "A")`},
		{"a buffer without its first bytes", ordered, without("takes_bytes", 0), `bytes_not_taken("Y", 10)`},
		{"a buffer without its last bytes", ordered, without("takes_fresh_bytes", 1), `bytes_not_taken("Y", 20)`},
		{"a first buffer without its last bytes", ordered, set("takes_fresh_bytes", 0, 3, 10), `bytes_not_taken("X", 10)`},
		{"no bytes", ordered, set("takes_bytes", 0, 3, 10), `bytes_wrong("Y", 10)`},
		{"no bytes of a region", ordered, set("takes_fresh_bytes", 1, 3, 20), `bytes_wrong("Y", 20)`},
		{"bytes behind those of the one before", ordered, set("takes_bytes", 0, 3, 25), `bytes_wrong("Y", 10)`},
		{"bytes ahead of those of the one before", ordered, func(syms *symbol.Table, f *facts.Facts) {
			set("takes_bytes", 0, 0, "X")(syms, f)
			set("takes_bytes", 0, 1, "Y")(syms, f)
			set("takes_bytes", 0, 2, 5)(syms, f)
		}, `bytes_wrong("X", 5)`},
		{"bytes of a buffer that nobody uses", ordered, set("takes_bytes", 0, 1, "Z"), `bytes_wrong("Y", 10)`},
		{"bytes of another region", ordered, set("takes_fresh_bytes", 0, 1, "X"), `bytes_wrong("X", 0)`},
		{"two that are the first", ordered, set("takes_fresh_bytes", 1, 2, 15), `bytes_given_twice("Y", 1)`},
		{"two that are the first, by one number", ordered, set("takes_fresh_bytes", 1, 4, 0), `bytes_given_twice("X", 0)`},
		{"a first with a number behind none", ordered, set("takes_fresh_bytes", 1, 4, 2), `bytes_given_twice("Y", 2)`},
		{"two ranges of one number", ordered, func(syms *symbol.Table, f *facts.Facts) {
			add(f.Table("takes_bytes"), syms.String("Y"), syms.String("X"), 12, 20, 0)
		}, `bytes_given_twice("Y", 0)`},
		{"two ends of one number", ordered, func(syms *symbol.Table, f *facts.Facts) {
			add(f.Table("takes_bytes"), syms.String("Y"), syms.String("X"), 10, 15, 0)
		}, `bytes_given_twice("Y", 0)`},
		{"ranges that overlap", ordered, func(syms *symbol.Table, f *facts.Facts) {
			add(f.Table("takes_bytes"), syms.String("Y"), syms.String("X"), 12, 20, 1)
		}, `bytes_given_twice("Y", 1)`},
		{"two that take the same", ordered, func(syms *symbol.Table, f *facts.Facts) {
			add(f.Table("takes_bytes"), syms.String("Z"), syms.String("X"), 10, 20, 0)
		}, `bytes_given_twice("Y", 0)`},
		{"a range with a number behind none", ordered, set("takes_bytes", 0, 4, 1), `bytes_given_twice("Y", 1)`},
		{"no turn", ordered, without("buffer_turn", 1), `turn_wrong("Y", "X")`},
		{"no turn of the one before", ordered, without("buffer_turn", 0), `turn_wrong("Y", "X")`},
		{"turns that do not grow", ordered, set("buffer_turn", 1, 1, 0), `turn_wrong("Y", "X")`},
		{"turns the other way round", ordered, func(syms *symbol.Table, f *facts.Facts) {
			set("takes_bytes", 0, 0, "X")(syms, f)
			set("takes_bytes", 0, 1, "Y")(syms, f)
			set("takes_fresh_bytes", 0, 3, 10)(syms, f)
			set("takes_fresh_bytes", 1, 2, 10)(syms, f)
			set("buffer_turn", 0, 1, 1)(syms, f)
			set("buffer_turn", 1, 1, 0)(syms, f)
		}, `turn_wrong("X", "Y")`},
		{"a collective without a turn", sharing, without("shared_turn", 1), `shared_turn_missing("h", "g", 0, "B0")`},
		{"two collectives of one turn", sharing, set("shared_turn", 1, 3, 0), `shared_turn_wrong("g", "h", 0, 0)`},
		{"a turn behind no collective", sharing, set("shared_turn", 1, 3, 2), `shared_turn_wrong("g", "h", 0, 2)`},
		{"collectives the other way round", sharing, func(syms *symbol.Table, f *facts.Facts) {
			set("shared_turn", 0, 4, "B0")(syms, f)
			set("shared_turn", 1, 4, "A0")(syms, f)
		}, `shared_turn_wrong("g", "h", 0, 1)`},
		{"an order of collectives that is not told", sharing, none("ordered_by"), `order_unsearched("A1", 1)`},
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
