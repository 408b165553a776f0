package simulate

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// plan decodes a plan whose program has devices d0 and d1 of ranks 0 and 1, a
// region of each, queues q0 and q1, and the queues e and f, which are not ordered.
func plan(t testing.TB, more, commands string) *ir.Plan {
	t.Helper()
	if more != "" {
		more += ","
	}
	text := fmt.Sprintf(`{"schema": "plancheck.concrete-plan/1", "program": {
		"devices": [{"id": "d0", "rank": 0}, {"id": "d1", "rank": 1}],
		"queues": [{"id": "q0", "device": "d0"}, {"id": "q1", "device": "d1"}, {"id": "e", "device": "d0", "ordered": false}, {"id": "f", "device": "d1", "ordered": false}],
		"memory_regions": [{"id": "m0", "device": "d0", "capacity_bytes": 100}, {"id": "m1", "device": "d1", "capacity_bytes": 100}],
		%s "commands": [%s]}}`, more, commands)
	p, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(text)))
	for _, d := range diags {
		t.Fatalf("%d:%d: %s", d.Pos.Line, d.Pos.Column, d.Message)
	}
	return p
}

// told says in words what the intervals and the critical path are.
func told(p *ir.Plan, r *Result) (intervals, path []string) {
	name := func(c int32) string { return p.Text(p.Program.Commands[c].ID) }
	for i, x := range r.Intervals {
		s := fmt.Sprintf("%s %d-%d", name(int32(i)), x.Start, x.End)
		if x.Ready < x.Start {
			s += fmt.Sprintf(" ready %d", x.Ready)
		}
		if x.Slack > 0 {
			s += fmt.Sprintf(" slack %d", x.Slack)
		}
		intervals = append(intervals, s)
	}
	for _, s := range r.Path {
		path = append(path, name(s.Command)+" "+s.Edge.String())
	}
	return intervals, path
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, more, commands string
		durations            []int64
		intervals, path      string // separated by commas
	}{
		{name: "nothing"},
		{
			name:      "the worked derivation, in nanoseconds",
			commands:  `{"id": "c0", "kind": "launch", "queue": "q0"}, {"id": "c1", "kind": "launch", "queue": "q0", "after": ["c0"]}`,
			durations: []int64{310_000, 132_000},
			intervals: "c0 0-310000, c1 310000-442000", path: "c0 start, c1 dependency",
		},
		{
			name:      "queues run beside each other",
			commands:  `{"id": "a", "kind": "launch", "queue": "q0"}, {"id": "b", "kind": "launch", "queue": "q1"}, {"id": "c", "kind": "launch", "queue": "q0"}`,
			durations: []int64{5, 7, 3},
			intervals: "a 0-5, b 0-7 slack 1, c 5-8", path: "a start, c queue",
		},
		{
			name: "a token",
			more: `"tokens": [{"id": "t"}]`,
			commands: `{"id": "a", "kind": "launch", "queue": "q0", "signals": ["t"]}, {"id": "w", "kind": "wait", "queue": "q1", "waits": ["t"]},
				{"id": "b", "kind": "launch", "queue": "q1"}`,
			durations: []int64{5, 0, 3},
			intervals: "a 0-5, w 5-5, b 5-8", path: "a start, w token, b queue",
		},
		{
			name: "tokens that are used up: the second wait is for the second signal",
			more: `"tokens": [{"id": "t", "consuming": true}]`,
			commands: `{"id": "a", "kind": "launch", "queue": "q0", "signals": ["t"]}, {"id": "b", "kind": "launch", "queue": "q0", "signals": ["t"]},
				{"id": "v", "kind": "launch", "queue": "q1", "waits": ["t"]}, {"id": "w", "kind": "launch", "queue": "q1", "waits": ["t"]}`,
			durations: []int64{5, 5, 1, 1},
			intervals: "a 0-5, b 5-10, v 5-6 slack 4, w 10-11", path: "a start, b queue, w token",
		},
		{
			name: "a channel with one place: the second send waits for the first receive",
			more: `"channels": [{"id": "c", "depth": 1}]`,
			commands: `{"id": "s0", "kind": "send", "queue": "q0", "channel": "c"}, {"id": "s1", "kind": "send", "queue": "q0", "channel": "c"},
				{"id": "f", "kind": "launch", "queue": "q1"}, {"id": "r0", "kind": "recv", "queue": "q1", "channel": "c"}, {"id": "r1", "kind": "recv", "queue": "q1", "channel": "c"}`,
			durations: []int64{1, 1, 10, 1, 1},
			intervals: "s0 0-1 slack 9, s1 11-12, f 0-10, r0 10-11, r1 12-13", path: "f start, r0 queue, s1 space, r1 message",
		},
		{
			name: "a rendezvous begins when both are there and takes as long as the longer end",
			more: `"channels": [{"id": "c", "depth": 0}]`,
			commands: `{"id": "f", "kind": "launch", "queue": "q0"}, {"id": "s", "kind": "send", "queue": "q0", "channel": "c"},
				{"id": "r", "kind": "recv", "queue": "q1", "channel": "c"}, {"id": "g", "kind": "launch", "queue": "q1"}`,
			durations: []int64{4, 2, 3, 1},
			intervals: "f 0-4, s 4-7, r 4-7, g 7-8", path: "f start, r queue, g queue",
		},
		{
			name: "collectives and barriers complete together",
			more: `"groups": [{"id": "g", "ranks": [0, 1]}], "barriers": [{"id": "b", "queues": ["q0", "q1"]}]`,
			commands: `{"id": "f", "kind": "launch", "queue": "q0"}, {"id": "k0", "kind": "collective", "queue": "q0", "group": "g"}, {"id": "b0", "kind": "barrier", "queue": "q0", "barrier": "b"},
				{"id": "k1", "kind": "collective", "queue": "q1", "group": "g"}, {"id": "h", "kind": "launch", "queue": "q1"}, {"id": "b1", "kind": "barrier", "queue": "q1", "barrier": "b"},
				{"id": "z", "kind": "launch", "queue": "q0"}`,
			durations: []int64{4, 2, 0, 2, 5, 0, 1},
			intervals: "f 0-4, k0 4-6, b0 11-11, k1 4-6, h 6-11, b1 11-11, z 11-12", path: "f start, k1 queue, h queue, b0 queue, z queue",
		},
		{
			name: "a queue without order runs one command at a time, first what was ready first",
			commands: `{"id": "a", "kind": "launch", "queue": "e", "after": ["f"]}, {"id": "b", "kind": "launch", "queue": "e"}, {"id": "c", "kind": "launch", "queue": "e"},
				{"id": "f", "kind": "launch", "queue": "q0"}`,
			durations: []int64{1, 3, 4, 2},
			intervals: "a 7-8 ready 2, b 0-3, c 3-7 ready 0, f 0-2 slack 5", path: "b start, c resource, a resource",
		},
		{
			name: "a rendezvous needs both its resources at once",
			more: `"channels": [{"id": "c", "depth": 0}]`,
			commands: `{"id": "f", "kind": "launch", "queue": "q1"}, {"id": "s", "kind": "send", "queue": "e", "channel": "c"}, {"id": "x", "kind": "launch", "queue": "e"},
				{"id": "r", "kind": "recv", "queue": "q1", "channel": "c"}, {"id": "y", "kind": "launch", "queue": "e", "after": ["f"]}`,
			durations: []int64{4, 2, 3, 2, 1},
			intervals: "f 0-4, s 4-6, x 0-3 slack 1, r 4-6, y 6-7 ready 4", path: "f start, s queue, y resource",
		},
		{
			name: "what waits for both its resources lets others pass while one of them is occupied",
			more: `"channels": [{"id": "c", "depth": 0}]`,
			commands: `{"id": "x", "kind": "launch", "queue": "e"}, {"id": "s", "kind": "send", "queue": "e", "channel": "c"}, {"id": "y", "kind": "launch", "queue": "e"},
				{"id": "l", "kind": "launch", "queue": "f"}, {"id": "r", "kind": "recv", "queue": "f", "channel": "c"}`,
			durations: []int64{3, 2, 2, 10, 2},
			intervals: "x 0-3 slack 5, s 10-12 ready 0, y 3-5 ready 0 slack 5, l 0-10, r 10-12 ready 0", path: "l start, r resource",
		},
		{
			name: "both ends of a rendezvous on one engine run together",
			more: `"channels": [{"id": "c", "depth": 0}]`,
			commands: `{"id": "s", "kind": "send", "queue": "e", "channel": "c"}, {"id": "r", "kind": "recv", "queue": "e", "channel": "c"},
				{"id": "x", "kind": "launch", "queue": "e"}`,
			durations: []int64{4, 2, 3},
			intervals: "s 0-4, r 0-4, x 4-7 ready 0", path: "r start, x resource",
		},
		{
			name: "of several that end last the smallest id binds, and of several edges the first",
			more: `"tokens": [{"id": "t"}]`,
			commands: `{"id": "z", "kind": "launch", "queue": "q0"}, {"id": "y", "kind": "launch", "queue": "q1", "signals": ["t"]},
				{"id": "x", "kind": "launch", "queue": "q1", "after": ["z", "y"], "waits": ["t"]}, {"id": "w", "kind": "launch", "queue": "q0", "after": ["y"]}`,
			durations: []int64{4, 4, 1, 1},
			intervals: "z 0-4, y 0-4, x 4-5, w 4-5", path: "y start, w dependency",
		},
		{
			name: "a buffer is read when something was written",
			more: `"buffers": [{"id": "x", "memory_region": "m0", "offset_bytes": 0, "size_bytes": 8}]`,
			commands: `{"id": "w", "kind": "launch", "queue": "q0", "writes": ["x"]},
				{"id": "r", "kind": "launch", "queue": "e", "reads": ["x"]}`,
			durations: []int64{4, 2},
			intervals: "w 0-4, r 4-6", path: "w start, r buffer",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plan(t, c.more, c.commands)
			r, err := Run(Input{Plan: p, Durations: c.durations})
			if err != nil {
				t.Fatal(err)
			}
			intervals, path := told(p, r)
			if diff := cmp.Diff(c.intervals, strings.Join(intervals, ", ")); diff != "" {
				t.Errorf("intervals (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.path, strings.Join(path, ", ")); diff != "" {
				t.Errorf("critical path (-want +got):\n%s", diff)
			}
		})
	}
}

// Of commands that are ready at once that of the smallest priority begins first.
func TestPriorities(t *testing.T) {
	p := plan(t, "", `{"id": "a", "kind": "launch", "queue": "e"}, {"id": "b", "kind": "launch", "queue": "e"}, {"id": "c", "kind": "launch", "queue": "e"}`)
	r, err := Run(Input{Plan: p, Durations: []int64{1, 2, 3}, Priorities: []int64{2, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	intervals, _ := told(p, r)
	if diff := cmp.Diff([]string{"a 5-6 ready 0", "b 0-2", "c 2-5 ready 0"}, intervals); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDeadlocks(t *testing.T) {
	for _, c := range []struct{ name, more, commands, want string }{
		{"a cycle", `"tokens": [{"id": "t"}, {"id": "u"}]`,
			`{"id": "a", "kind": "wait", "queue": "q0", "waits": ["u"]}, {"id": "b", "kind": "signal", "queue": "q0", "signals": ["t"]},
			 {"id": "c", "kind": "wait", "queue": "q1", "waits": ["t"]}, {"id": "d", "kind": "signal", "queue": "q1", "signals": ["u"]}`,
			"4 commands never begin: a waits for a token of d, d is behind c, c waits for a token of b, b is behind a"},
		{"behind a cycle", "",
			`{"id": "z", "kind": "launch", "queue": "q1", "after": ["b"]}, {"id": "a", "kind": "launch", "queue": "q0", "after": ["b"]}, {"id": "b", "kind": "launch", "queue": "q0"}`,
			"3 commands never begin: a depends on b, b is behind a"},
		{"itself", "", `{"id": "a", "kind": "launch", "queue": "q0", "after": ["a"]}`, "1 command never begins: a depends on a"},
		{"a rendezvous with itself", `"channels": [{"id": "c", "depth": 0}]`,
			`{"id": "s", "kind": "send", "queue": "q0", "channel": "c"}, {"id": "r", "kind": "recv", "queue": "q0", "channel": "c"}`,
			"2 commands never begin: s completes only together with r, r is behind s"},
		{"a full channel", `"channels": [{"id": "c", "depth": 1}]`,
			`{"id": "s0", "kind": "send", "queue": "q0", "channel": "c"}, {"id": "s1", "kind": "send", "queue": "q0", "channel": "c"},
			 {"id": "r0", "kind": "recv", "queue": "q0", "channel": "c"}, {"id": "r1", "kind": "recv", "queue": "q0", "channel": "c"}`,
			"3 commands never begin: s1 waits for a place from r0, r0 is behind s1"},
		{"no signal", `"tokens": [{"id": "t"}]`, `{"id": "w", "kind": "wait", "queue": "q0", "waits": ["t"]}, {"id": "a", "kind": "launch", "queue": "q0"}`,
			"2 commands never begin: w waits for token t, which nothing signals"},
		{"no message", `"channels": [{"id": "c", "depth": 1}]`, `{"id": "r", "kind": "recv", "queue": "q0", "channel": "c"}`,
			"1 command never begins: r receives on channel c what nothing sends"},
		{"nobody receives", `"channels": [{"id": "c", "depth": 0}]`, `{"id": "s", "kind": "send", "queue": "q0", "channel": "c"}`,
			"1 command never begins: s sends on channel c, which stays full"},
		{"a rank is missing", `"groups": [{"id": "g", "ranks": [0, 1]}]`, `{"id": "k", "kind": "collective", "queue": "q0", "group": "g"}`,
			"1 command never begins: k meets nobody of rank 1 in group g"},
		{"a rank of no group", `"groups": [{"id": "g", "ranks": [0]}]`, `{"id": "k", "kind": "collective", "queue": "q1", "group": "g"}`,
			"1 command never begins: k has no rank of group g"},
		{"a queue is missing", `"barriers": [{"id": "b", "queues": ["q0", "q1"]}]`, `{"id": "k", "kind": "barrier", "queue": "q0", "barrier": "b"}`,
			"1 command never begins: k meets nobody of queue q1 at barrier b"},
		{"a queue of no barrier", `"barriers": [{"id": "b", "queues": ["q0"]}]`, `{"id": "k", "kind": "barrier", "queue": "q1", "barrier": "b"}`,
			"1 command never begins: k arrives at barrier b, which does not have its queue"},
		{"no queue", "", `{"id": "a", "kind": "launch"}`, "1 command never begins: a is on no queue"},
		{"no channel", "", `{"id": "a", "kind": "send", "queue": "q0"}`, "1 command never begins: a names no channel"},
		{"no group", "", `{"id": "a", "kind": "collective", "queue": "q0"}`, "1 command never begins: a names no group"},
		{"no barrier", "", `{"id": "a", "kind": "barrier", "queue": "q0"}`, "1 command never begins: a names no barrier"},
		{"nothing written", `"buffers": [{"id": "x", "memory_region": "m0", "offset_bytes": 0, "size_bytes": 8}]`,
			`{"id": "a", "kind": "launch", "queue": "q0", "reads": ["x"]}`, "1 command never begins: a reads buffer x, which nothing writes"},
		{"written behind", `"buffers": [{"id": "x", "memory_region": "m0", "offset_bytes": 0, "size_bytes": 8}]`,
			`{"id": "a", "kind": "launch", "queue": "q0", "reads": ["x"]}, {"id": "b", "kind": "launch", "queue": "q0", "writes": ["x"]}`,
			"2 commands never begin: a reads what is written by b, b is behind a"},
		{"freed", `"buffers": [{"id": "x", "memory_region": "m0", "offset_bytes": 0, "size_bytes": 8, "initialised": true, "freed_by": "a"}]`,
			`{"id": "a", "kind": "launch", "queue": "q0"}, {"id": "b", "kind": "launch", "queue": "q0", "reads": ["x"]}`,
			"1 command never begins: b uses buffer x, which was freed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plan(t, c.more, c.commands)
			_, err := Run(Input{Plan: p, Durations: make([]int64, len(p.Program.Commands))})
			var dead *Deadlock
			if !errors.As(err, &dead) {
				t.Fatalf("%v is no deadlock", err)
			}
			if diff := cmp.Diff(c.want, dead.Error()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestBadInputs(t *testing.T) {
	one := plan(t, "", `{"id": "a", "kind": "launch", "queue": "q0"}`)
	two := plan(t, "", `{"id": "a", "kind": "launch", "queue": "q0"}, {"id": "b", "kind": "launch", "queue": "q0"}`)
	for _, c := range []struct {
		in   Input
		want string
	}{
		{Input{Plan: &ir.Plan{Symbols: one.Symbols}}, "the plan has no program"},
		{Input{Plan: one}, "there are 1 commands, but 0 durations and 0 priorities"},
		{Input{Plan: one, Durations: []int64{1}, Priorities: []int64{1, 2}}, "there are 1 commands, but 1 durations and 2 priorities"},
		{Input{Plan: one, Durations: []int64{-1}}, "command a takes -1 ps"},
		{Input{Plan: two, Durations: []int64{1 << 62, 1 << 62}}, "command b begins at 4611686018427387904 ps and takes 4611686018427387904: its end is beyond 64 bits"},
	} {
		if _, err := Run(c.in); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Memory is counted while it lives, and bytes that are written in place once.
func TestPeaks(t *testing.T) {
	p := plan(t, `"buffers": [
		{"id": "w", "memory_region": "m0", "offset_bytes": 0, "size_bytes": 10, "initialised": true},
		{"id": "x", "memory_region": "m0", "offset_bytes": 10, "size_bytes": 20},
		{"id": "y", "memory_region": "m0", "offset_bytes": 10, "size_bytes": 20, "freed_by": "d"},
		{"id": "z", "memory_region": "m0", "offset_bytes": 30, "size_bytes": 5, "kept": true},
		{"id": "unused", "memory_region": "m1", "offset_bytes": 0, "size_bytes": 50, "initialised": true},
		{"id": "u", "memory_region": "m1", "offset_bytes": 50, "size_bytes": 1, "initialised": true, "kept": true}]`,
		`{"id": "a", "kind": "launch", "queue": "q0", "reads": ["w"], "writes": ["x"]},
		 {"id": "b", "kind": "launch", "queue": "q0", "reads": ["x"], "writes": ["y"], "in_place": [{"read": "x", "write": "y"}]},
		 {"id": "c", "kind": "launch", "queue": "q0", "reads": ["y"]}, {"id": "d", "kind": "launch", "queue": "q0"},
		 {"id": "e", "kind": "launch", "queue": "q0", "writes": ["z"]}`)
	r, err := Run(Input{Plan: p, Durations: []int64{1, 1, 1, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{30, 1}, r.Peaks); diff != "" {
		t.Errorf("peaks (-want +got):\n%s", diff)
	}
	var events []string
	for _, e := range r.Events {
		if e.Kind == Allocated || e.Kind == Freed {
			events = append(events, fmt.Sprintf("%d %s %s by %s", e.Time, e.Kind, p.Text(e.What), p.Text(p.Program.Commands[e.Command].ID)))
		}
	}
	want := []string{"0 alloc x by a", "1 free w by a", "1 alloc y by b", "2 free x by b", "4 free y by d", "4 alloc z by e"}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestEvents(t *testing.T) {
	p := plan(t, `"tokens": [{"id": "t"}]`,
		`{"id": "a", "kind": "launch", "queue": "q0", "signals": ["t"]}, {"id": "b", "kind": "launch", "queue": "q1", "waits": ["t"]}`)
	r, err := Run(Input{Plan: p, Durations: []int64{2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	a, b, token := int32(0), int32(1), p.Program.Tokens[0].ID
	want := []Event{{0, Ready, a, ir.NoID}, {0, Started, a, ir.NoID}, {2, Ended, a, ir.NoID}, {2, Signalled, a, token},
		{2, Ready, b, ir.NoID}, {2, Started, b, ir.NoID}, {2, Waited, b, token}, {5, Ended, b, ir.NoID}}
	if diff := cmp.Diff(want, r.Events); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Resource{{2, []int32{a}}, {3, []int32{b}}, {0, nil}, {0, nil}}, r.Resources); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}
