package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/ir"
)

// twoQueues is a legal program whose list of commands is in another order than
// its queues: as listed, W0 would wait for a signal behind it on its queue.
const twoQueues = `{"schema": "plancheck.concrete-plan/1", "program": {
	"devices": [{"id": "d0", "rank": 0}, {"id": "d1", "rank": 1}],
	"queues": [{"id": "q0", "device": "d0"}, {"id": "q1", "device": "d1"}, {"id": "free", "device": "d1", "ordered": false}],
	"groups": [{"id": "g", "ranks": [0, 1]}],
	"tokens": [{"id": "t"}],
	"commands": [
		{"id": "W0", "kind": "wait", "queue": "q0", "waits": ["t"]},
		{"id": "A0", "kind": "collective", "queue": "q0", "op": "all_reduce", "group": "g"},
		{"id": "S0", "kind": "signal", "queue": "q0", "signals": ["t"]},
		{"id": "A1", "kind": "collective", "queue": "q1", "op": "all_reduce", "group": "g"},
		{"id": "F1", "kind": "launch", "queue": "q1", "after": ["A1"]},
		{"id": "F2", "kind": "launch", "queue": "free", "after": ["F1"]}],
	"target_extension": {"queue": {
		"orders": [{"queue": "q0", "commands": ["S0", "W0", "A0"]}, {"queue": "q1", "commands": ["A1", "F1"]}],
		"communicators": [{"id": "m", "group": "g", "queues": ["q0", "q1"]}]}}}}`

// One fault makes one finding, whatever follows from it.
func TestQueueExtension(t *testing.T) {
	s := builtin(t)
	const deps = `"queue": "q1", "op": "all_reduce"`
	for _, c := range []struct {
		name  string
		edits []string
		want  []told
	}{
		{"as it is", nil, nil},
		{"the same without orders", []string{`"orders": [{"queue": "q0", "commands": ["S0", "W0", "A0"]}, {"queue": "q1", "commands": ["A1", "F1"]}],`, ``}, []told{
			{"token-wait-before-signal", "/program/commands/0/waits/0", "W0 waits for token t, but S0, which signals it, can only come behind W0"}}},
		{"an order of a wait before its signal", []string{`"S0", "W0", "A0"`, `"A0", "W0", "S0"`}, []told{
			{"token-wait-before-signal", "/program/commands/0/waits/0", "W0 waits for token t, but S0, which signals it, can only come behind W0"}}},
		{"a dependency by way of another queue", []string{`"kind": "signal", "queue": "q0"`, `"kind": "signal", "queue": "q0", "after": ["F2"]`, deps, deps + `, "after": ["A0"]`}, []told{
			{"schedule-deadlock", "/program/commands/1", `2 commands on 2 queues wait for each other`}}},
		{"an order against a dependency", []string{`"A1", "F1"`, `"F1", "A1"`}, []told{
			{"queue-order-violates-dependency", "/program/target_extension/queue/orders/1/commands/0", "the issue order of queue q1 has F1 before A1, which it depends on"}}},
		{"an order against dependencies by way of another queue", []string{`"queue": "free", "after": ["F1"]`, `"queue": "free"`, `"queue": "q1", "after": ["A1"]`, `"queue": "q1"`,
			`"kind": "wait", "queue": "q0"`, `"kind": "wait", "queue": "q0", "after": ["F2"]`, `"queue": "free"`, `"queue": "free", "after": ["A0"]`}, []told{
			{"queue-order-violates-dependency", "/program/target_extension/queue/orders/0/commands/1", "the issue order of queue q0 has W0 before A0, which it depends on"}}},
		{"orders of two queues against each other", []string{`"kind": "wait", "queue": "q0", "waits": ["t"]`, `"kind": "launch", "queue": "q0"`,
			`"queue": "free"`, `"queue": "free", "waits": ["t"]`, `"kind": "signal", "queue": "q0"`, `"kind": "signal", "queue": "q0", "after": ["F1"]`,
			`"queue": "q1", "after": ["A1"]`, `"queue": "q1"`, deps, deps + `, "after": ["W0"]`}, []told{
			{"schedule-deadlock", "/program/commands/0", `4 commands on 2 queues wait for each other`}}},
		{"dependencies against each other", []string{`"queue": "q1", "after": ["A1"]`, `"queue": "q1", "after": ["F2"]`}, []told{
			{"dag-cycle", "/program/commands/4/after/0", `2 commands depend on each other`}}},

		// A faulty order is followed by nobody, and the list of this one is legal.
		{"a faulty order", []string{`"A1", "F1"`, `"F1"`}, []told{
			{"queue-order-coverage", "/program/commands/3/queue", "the issue order of queue q1 does not list A1"}}},
		{"an entry that is another one", []string{`"A1", "F1"`, `"A1", "A1"`}, []told{
			{"queue-duplicate-command", "/program/target_extension/queue/orders/1/commands/1", "the issue order of queue q1 lists A1 again, at place 1 (from 0 on)"}}},
		{"an entry of another queue", []string{`"A1", "F1"`, `"A1", "F2"`}, []told{
			{"queue-order-mismatch", "/program/target_extension/queue/orders/1/commands/1", "the issue order of queue q1 lists F2, which is on queue free"}}},
		{"an entry on no queue", []string{`"kind": "launch", "queue": "q1"`, `"kind": "launch"`}, []told{
			{"command-missing-queue", "/program/commands/4", "F1 is on no queue"}}},
		{"an order of another queue", []string{`{"queue": "q1", "commands"`, `{"queue": "free", "commands"`}, []told{
			{"queue-unordered-in-order", "/program/target_extension/queue/orders/1", "queue free is not ordered, but has an issue order"}}},
		{"an order that is there twice", []string{`{"queue": "q1", "commands": ["A1", "F1"]}`, `{"queue": "q1", "commands": ["A1", "F1"]}, {"queue": "q1", "commands": ["F1", "A1"]}`}, []told{
			{"queue-order-mismatch", "/program/target_extension/queue/orders/2", "queue q1 has issue order 1 (from 0 on) already"}}},
		{"no order", []string{`, {"queue": "q1", "commands": ["A1", "F1"]}`, ``}, []told{
			{"queue-order-coverage", "/program/queues/1", "queue q1 has no issue order, and others have"}}},
		{"a queue without commands has none", []string{`{"id": "free", `, `{"id": "spare", "device": "d0"}, {"id": "free", `}, nil},

		{"a communicator with another queue", []string{`"queues": ["q0", "q1"]`, `"queues": ["q0", "free"]`}, []told{
			{"communicator-queue-mismatch", "/program/commands/3/queue", "A1 of group g is on queue q1, which is not one of communicator m"}}},
		{"a communicator without a rank", []string{`"queues": ["q0", "q1"]`, `"queues": ["q1"]`}, []told{
			{"communicator-rank-missing", "/program/target_extension/queue/communicators/0", "communicator m has no queue of rank 0 of group g"}}},
		{"a communicator with several queues of a rank", []string{`"queues": ["q0", "q1"]`, `"queues": ["q0", "q1", "free"]`}, nil},
		{"a rank that no device has", []string{`"ranks": [0, 1]`, `"ranks": [0, 1, 2]`}, []told{
			{"rank-unplaced", "/program/groups/0/ranks/2", "group g has rank 2, which no device has"}}},
		{"a queue on an engine that nobody has", []string{`{"id": "q1", "device": "d1"}`, `{"id": "q1", "device": "d1", "engine": "e"}`}, []told{
			{"queue-engine-unknown", "/program/queues/1/engine", "queue q1 is on engine e, which the target extension does not list"}}},
		{"an engine for all kinds", []string{`{"id": "q1", "device": "d1"}`, `{"id": "q1", "device": "d1", "engine": "e"}`,
			`"communicators"`, `"engines": [{"id": "e", "device": "d1"}], "communicators"`}, nil},
		{"a queue of no kind on an engine for one", []string{`{"id": "q1", "device": "d1"}`, `{"id": "q1", "device": "d1", "engine": "e"}`,
			`"communicators"`, `"engines": [{"id": "e", "device": "d1", "kinds": ["compute"]}], "communicators"`}, []told{
			{"queue-engine-kind", "/program/commands/3/queue", "A1 is a collective, but its queue q1 is on engine e, which does not take commands of this kind"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := twoQueues
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

// A program with issue orders is the one whose list of commands is in the order
// of the issue orders.
func TestIssueOrdersAreTheOrderOfCommands(t *testing.T) {
	s := builtin(t)
	same := strings.Fields("queue_place queue_next command_waits command_signals channel_send channel_recv collective_entry barrier_entry command_rank")
	told := func(t *rapid.T, p *ir.Plan) (rows, codes []string) {
		f, err := facts.Export(p, func(name string) bool { return slices.Contains(same, name) })
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range f.Tables {
			for i := range table.N {
				rows = append(rows, p.Symbols.FormatAtom(table.Name, table.Row(i)))
			}
		}
		v, err := s.Judge(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range v.Findings {
			code := f.Code
			if code == "token-wait-before-signal" { // of several smallest cycles the list of commands says which is shown
				code = "schedule-deadlock"
			}
			codes = append(codes, code)
		}
		slices.Sort(rows)
		slices.Sort(codes)
		return rows, slices.Compact(codes)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := randomProgram(t)
		if p.Program.Extension == nil {
			return
		}
		listed := *p.Program
		listed.Extension, listed.Commands = nil, nil
		for _, o := range p.Program.Extension.Queue.Orders {
			for _, id := range o.Commands {
				i := slices.IndexFunc(p.Program.Commands, func(c ir.Command) bool { return c.ID == id })
				listed.Commands = append(listed.Commands, p.Program.Commands[i])
			}
		}
		rows, codes := told(t, p)
		wantRows, wantCodes := told(t, &ir.Plan{Symbols: p.Symbols, LogicalCores: ir.None, Program: &listed})
		if diff := cmp.Diff(wantRows, rows); diff != "" {
			t.Fatalf("facts (-listed +ordered):\n%s", diff)
		}
		if diff := cmp.Diff(wantCodes, codes); diff != "" {
			t.Fatalf("codes (-listed +ordered):\n%s", diff)
		}
	})
}
