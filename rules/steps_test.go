package rules

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// told shows the steps of findings, each with the pointers of its places.
func toldSteps(findings []diag.Diagnostic) []string {
	var all []string
	for _, f := range findings {
		for _, s := range f.Steps {
			line := s.Text
			for _, p := range s.At {
				line += " " + strings.TrimPrefix(p.Pointer, "/program")
			}
			all = append(all, line)
		}
	}
	return all
}

// Every way in which a command waits for another one is told with what the user
// wrote of it.
func TestWaitCyclesAreTold(t *testing.T) {
	file := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	program := func(rest string) string {
		return `{"schema": "plancheck.concrete-plan/1", "program": {
			"devices": [{"id": "d", "rank": 0}, {"id": "e", "rank": 1}],
			"queues": [{"id": "p", "device": "d"}, {"id": "q", "device": "e"}], ` + rest + `}}`
	}
	for _, c := range []struct {
		name, data string
		message    string
		want       []string
	}{
		{"four queues", file("../examples/deadlock.json"), "6 commands on 4 queues wait for each other", []string{
			"S2 on comm0 waits for a place in channel act of depth 1, which R1 makes free /commands/5/channel /commands/13/channel /channels/0",
			"R1 on comm1 waits for token y-free, which G0 signals /commands/13/waits/0 /commands/12/signals/0",
			"G0 on compute1 is behind W1 /commands/12/queue /commands/10/queue",
			"W1 on compute1 meets W0 at barrier warm /commands/10/barrier /commands/7/barrier",
			"W0 on compute0 is behind F3 /commands/7/queue /commands/6/queue",
			"F3 on compute0 depends on S2 /commands/6/after/0"}},
		{"messages", file("../testdata/cases/commands/c48.json"), "6 commands on 3 queues wait for each other", []string{
			"k1 on src waits for a place in channel skip of depth 1, which h0 makes free /commands/3/channel /commands/12/channel /channels/1",
			"h0 on join is behind j /commands/12/queue /commands/11/queue",
			"j on join waits for a message on channel out, which o sends /commands/11/channel /commands/10/channel /channels/2",
			"o on win is behind i2 /commands/10/queue /commands/8/queue",
			"i2 on win waits for a message on channel long, which l2 sends /commands/8/channel /commands/4/channel /channels/0",
			"l2 on src is behind k1 /commands/4/queue /commands/3/queue"}},
		{"both ends of a rendezvous", file("../testdata/cases/commands/c26.json"), "4 commands on 2 queues wait for each other", []string{
			"s0 on r0 meets v1 on channel a of depth 0 /commands/1/channel /commands/6/channel /channels/0",
			"v1 on r1 is behind s1 /commands/6/queue /commands/5/queue",
			"s1 on r1 meets v0 on channel b of depth 0 /commands/5/channel /commands/2/channel /channels/1",
			"v0 on r0 is behind s0 /commands/2/queue /commands/1/queue"}},
		{"collectives", program(`"groups": [{"id": "a", "ranks": [0, 1]}, {"id": "b", "ranks": [0, 1]}], "commands": [
			{"id": "a0", "kind": "collective", "queue": "p", "group": "a"}, {"id": "b0", "kind": "collective", "queue": "p", "group": "b"},
			{"id": "b1", "kind": "collective", "queue": "q", "group": "b"}, {"id": "a1", "kind": "collective", "queue": "q", "group": "a"}]`),
			"4 commands on 2 queues wait for each other", []string{
				"a0 on p meets a1 in group a /commands/0/group /commands/3/group",
				"a1 on q is behind b1 /commands/3/queue /commands/2/queue",
				"b1 on q meets b0 in group b /commands/2/group /commands/1/group",
				"b0 on p is behind a0 /commands/1/queue /commands/0/queue"}},
		{"dependencies alone", file("../testdata/cases/commands/c45.json"), "3 commands depend on each other", []string{
			"m on q0 depends on k /commands/0/after/0",
			"k on q1 depends on j /commands/1/after/0",
			"j on q2 depends on m /commands/2/after/0"}},
		// The wait for u is for a signal that has come.
		{"the token that matters", program(`"tokens": [{"id": "u", "consuming": true}, {"id": "t", "consuming": true}], "commands": [
			{"id": "x", "kind": "signal", "queue": "p", "signals": ["u"]},
			{"id": "w", "kind": "wait", "queue": "p", "waits": ["u", "t"]}, {"id": "s", "kind": "signal", "queue": "p", "signals": ["t", "u"]},
			{"id": "y", "kind": "wait", "queue": "p", "waits": ["u"]}]`),
			"w waits for token t, but s, which signals it, can only come behind w", []string{
				"w on p waits for token t, which s signals /commands/1/waits/1 /commands/2/signals/0",
				"s on p is behind w /commands/2/queue /commands/1/queue"}},
		// Between two commands are two tokens: one is told.
		{"two tokens", program(`"tokens": [{"id": "t"}, {"id": "u"}, {"id": "v"}], "commands": [
			{"id": "w", "kind": "wait", "queue": "p", "waits": ["t", "u"], "signals": ["v"]},
			{"id": "s", "kind": "wait", "queue": "q", "waits": ["v"], "signals": ["t", "u"]}]`),
			"2 commands on 2 queues wait for each other", []string{
				"w on p waits for token t, which s signals /commands/0/waits/0 /commands/1/signals/0",
				"s on q waits for token v, which w signals /commands/1/waits/0 /commands/0/signals/0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := judge(t, builtin(t), plan(t, "plan.json", []byte(c.data)), Options{})
			if len(v.Findings) != 1 || v.Findings[0].Message != c.message {
				t.Errorf("findings: %+v", tell(v.Findings))
			}
			if diff := cmp.Diff(c.want, toldSteps(v.Findings)); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

// A command without a queue is told without one.
func TestCommandsOfACycleMayHaveNoQueue(t *testing.T) {
	v := judge(t, builtin(t), plan(t, "plan.json", []byte(`{"schema": "plancheck.concrete-plan/1", "program": {
		"tokens": [{"id": "t"}], "channels": [{"id": "c", "depth": 1}], "commands": [
		{"id": "r", "kind": "recv", "channel": "c", "signals": ["t"]}, {"id": "s", "kind": "send", "channel": "c", "waits": ["t"]}]}}`)), Options{})
	want := []told{
		{"command-missing-queue", "/program/commands/0", "r is on no queue"},
		{"schedule-deadlock", "/program/commands/0", "2 commands on 0 queues wait for each other"},
		{"command-missing-queue", "/program/commands/1", "s is on no queue"},
	}
	if diff := cmp.Diff(want, tell(v.Findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	steps := []string{
		"r waits for a message on channel c, which s sends /commands/0/channel /commands/1/channel /channels/0",
		"s waits for token t, which r signals /commands/1/waits/0 /commands/0/signals/0"}
	if diff := cmp.Diff(steps, toldSteps(v.Findings)); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// Of a cycle whose proof would be too large the steps that are left out are
// counted.
func TestStepsLeftOutAreCounted(t *testing.T) {
	const commands = 20_000
	var b strings.Builder
	b.WriteString(`{"schema": "plancheck.concrete-plan/1", "program": {"devices": [{"id": "d"}], "queues": [{"id": "q", "device": "d", "ordered": false}], "commands": [`)
	for i := range commands {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `{"id": "c%d", "kind": "launch", "queue": "q", "after": ["c%d"]}`, i, (i+1)%commands)
	}
	b.WriteString(`]}}`)
	// Not by judge: the evaluator that checks proofs is made for small ones.
	v, err := builtin(t).Judge(context.Background(), plan(t, "plan.json", []byte(b.String())), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Findings) != 1 || v.Findings[0].Message != "20000 commands depend on each other" {
		t.Fatalf("findings: %+v", tell(v.Findings))
	}
	f := v.Findings[0]
	if len(f.Steps) < 1000 || f.StepsLeftOut == 0 || len(f.Steps)+f.StepsLeftOut != commands {
		t.Errorf("%d steps, %d left out", len(f.Steps), f.StepsLeftOut)
	}
}

// Steps may be rows of any relation, also of facts; without words they are the
// row itself.
func TestStepsOfAnyRelation(t *testing.T) {
	s, diags := Load([]string{write(t, "mine.dl", strings.Replace(legal, `cause(Op)`, `steps("op")`, 1))})
	if len(diags) > 0 {
		t.Fatal(shown(diags))
	}
	p := plan(t, "plan.json", []byte(`{"schema": "plancheck.concrete-plan/1", "graph": {"ops": [{"id": "a b", "work_cycles": 101}]}}`))
	v := judge(t, s, p, Options{})
	if diff := cmp.Diff([]string{`op "a b" has 1 lane and 101 cycles of work /graph/ops/0`}, toldSteps(v.Findings)); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if got := (telling{relation: "r", say: func(*diag.Proof) string { return "" }}); got.places(&diag.Proof{Args: []symbol.Value{}}) != nil {
		t.Error("a row that no rule derives has no places")
	}
}
