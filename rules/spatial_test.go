package rules

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/datalog"
)

// Cases beside the examples of each rule: what a change of one legal program is
// told about, and nothing else.
func TestSpatialCases(t *testing.T) {
	const x = "/program/target_extension/spatial"
	for _, c := range []struct {
		name    string
		changes []string // old and new texts
		want    []told
	}{
		{"nothing changes", nil, nil},
		{"an order by way of a wait and a barrier", []string{`"B1", "unit": "vxm", "cycle": 8`, `"B1", "unit": "vxm", "cycle": 4`}, []told{
			{"slot-latency-violated", x + "/slots/3", "B1 is issued at cycle 4 of unit vxm, but T0, for which it waits, has completed only by cycle 8 there"}}},
		{"a tolerance", []string{`"flow": {`, `"flow": {"tolerance_cycles": 1, `}, []told{
			{"slot-latency-violated", x + "/slots/3", "B1 is issued at cycle 8 of unit vxm, but T0, for which it waits, has completed only by cycle 9 there"}}},
		{"a receive before the message of a rendezvous", []string{
			`"tokens"`, `"channels": [{"id": "c", "depth": 0}], "tokens"`,
			`{"id": "T1", "kind": "transfer", "queue": "x0", "reads": ["u"], "writes": ["w"]},`,
			`{"id": "T1", "kind": "send", "queue": "x0", "channel": "c"}, {"id": "R1", "kind": "recv", "queue": "n1", "channel": "c"},`,
			`{"command": "A1"`, `{"command": "R1", "unit": "vxm", "cycle": 13, "slot": 0}, {"command": "A1"`,
			`"cycle": 8`, `"cycle": 17`, `"A1", "unit": "vxm", "cycle": 0`, `"A1", "unit": "vxm", "cycle": 15`}, []told{
			{"slot-latency-violated", x + "/slots/2", "R1 is issued at cycle 13 of unit vxm, but T1, for which it waits, has completed only by cycle 14 there"}}},
		{"a device without units needs no slots", []string{`"queue": "n1"},` + "\n\t\t{\"id\": \"M0\"", `"queue": "h"},` + "\n\t\t{\"id\": \"M0\"",
			`{"id": "c1"}]`, `{"id": "c1"}, {"id": "host"}]`, `{"id": "n1", "device": "c1"}`, `{"id": "n1", "device": "c1"}, {"id": "h", "device": "host"}`,
			`{"command": "A1", "unit": "vxm", "cycle": 0, "slot": 0}, `, ``}, nil},
		{"while commands wait for each other nothing is said about times", []string{
			`{"id": "T0",`, `{"id": "T0", "after": ["B1"],`, `"cycle": 8`, `"cycle": 0`, `"A1", "unit": "vxm", "cycle": 0`, `"A1", "unit": "vxm", "cycle": 1`}, []told{
			{"schedule-deadlock", "/program/commands/0", `5 commands on 3 queues wait for each other`}}},
		{"a command without a slot passes on what it waits for", []string{
			`{"command": "A1", "unit": "vxm", "cycle": 0, "slot": 0}, `, ``, `"kind": "launch", "queue": "n1"}`, `"kind": "launch", "queue": "n1", "after": ["T1"]}`}, []told{
			{"slot-coverage", "/program/commands/3", "A1 has no issue slot on a unit of device c1"},
			{"slot-latency-violated", x + "/slots/2", "B1 is issued at cycle 8 of unit vxm, but T1, for which it waits, has completed only by cycle 14 there"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := timed
			for i := 0; i < len(c.changes); i += 2 {
				if !strings.Contains(text, c.changes[i]) {
					t.Fatalf("there is no %s", c.changes[i])
				}
				text = strings.Replace(text, c.changes[i], c.changes[i+1], 1)
			}
			v := judge(t, builtin(t), plan(t, "plan.json", []byte(text)), Options{})
			if diff := cmp.Diff(c.want, tell(v.Findings)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Without any unit in the program, commands have no slots, and that is said.
func TestChipWithoutUnits(t *testing.T) {
	const text = `{"schema": "plancheck.concrete-plan/1", "program": {"devices": [{"id": "c"}], "queues": [{"id": "q", "device": "c"}],
		"commands": [{"id": "a", "kind": "launch", "queue": "q"}, {"id": "b", "kind": "host_call", "queue": "q"}], "target_extension": {"spatial": {}}}}`
	v := judge(t, builtin(t), plan(t, "plan.json", []byte(text)), Options{})
	want := []told{{"slot-coverage", "/program/commands/0", "a has no issue slot on a unit of device c"}}
	if diff := cmp.Diff(want, tell(v.Findings)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A time that is no integer is an error, and no verdict.
func TestTimesThatOverflow(t *testing.T) {
	text := strings.Replace(timed, `"cycle": 8,`, `"cycle": 9223372036854775807,`, 1)
	_, err := builtin(t).Judge(t.Context(), plan(t, "plan.json", []byte(text)), Options{})
	var rule *datalog.RuleError
	if !errors.As(err, &rule) || !strings.Contains(rule.Message, "9223372036854775807") {
		t.Errorf("the error is %v", err)
	}
}
