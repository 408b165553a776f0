package simulate

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// chipPlan decodes a plan for devices d0 and d1 with queues q0 and q1, and e on d0
// and f on d1, which are not ordered. Units u and v of d0 and w of d1 take 2 cycles,
// and links l and m lead from d0 to d1 and arrive a cycle later. A cycle is a
// picosecond.
func chipPlan(t *testing.T, more, commands, slots, routes string) *ir.Plan {
	t.Helper()
	text := fmt.Sprintf(`{"schema": "plancheck.concrete-plan/1", "program": {
		"devices": [{"id": "d0", "rank": 0}, {"id": "d1", "rank": 1}],
		"queues": [{"id": "q0", "device": "d0"}, {"id": "q1", "device": "d1"}, {"id": "e", "device": "d0", "ordered": false}, {"id": "f", "device": "d1", "ordered": false}],
		"channels": [{"id": "c", "depth": 0}], "groups": [{"id": "g", "ranks": [0, 1]}],
		"commands": [%s], "target_extension": {"spatial": {
		"clock_domains": [{"id": "k", "frequency_hz": 1000000000000}, {"id": "third", "frequency_hz": 3}],
		"units": [{"id": "u", "device": "d0", "clock_domain": "k", "latency_cycles": 2}, {"id": "v", "device": "d0", "clock_domain": "k", "latency_cycles": 2},
			{"id": "w", "device": "d1", "clock_domain": "k", "latency_cycles": 2}, {"id": "x", "device": "d0", "clock_domain": "none", "latency_cycles": 2},
			{"id": "y", "device": "d0", "clock_domain": "third", "operations": [{"op": "o", "latency_cycles": 9223372036854775807}]}],
		"links": [{"id": "l", "source_device": "d0", "destination_device": "d1", "clock_domain": "k", "latency_cycles": 1},
			{"id": "m", "source_device": "d0", "destination_device": "d1", "clock_domain": "k", "latency_cycles": 1}],
		"slots": [%s], "routes": [%s]%s}}}}`, commands, slots, routes, more)
	p, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(text)))
	for _, d := range diags {
		t.Fatalf("%d:%d: %s", d.Pos.Line, d.Pos.Column, d.Message)
	}
	return p
}

// carried says in words who has links and slots.
func carried(p *ir.Plan, r *Result) string {
	var all []string
	for _, c := range r.Carriers {
		s := p.Text(c.ID)
		if c.Slot >= 0 {
			s += fmt.Sprintf("/%d", c.Slot)
		}
		for _, u := range c.Uses {
			s += fmt.Sprintf(" %s %d-%d", p.Text(p.Program.Commands[u.Command].ID), u.Start, u.End)
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

func TestChips(t *testing.T) {
	const flow = `, "flow": {"backpressure": "none"}`
	route := func(command, hops string) string {
		return fmt.Sprintf(`{"command": %q, "source_device": "d0", "destination_device": "d1", "hops": [%s]}`, command, hops)
	}
	slot := func(command, unit string, cycle int) string {
		return fmt.Sprintf(`{"command": %q, "unit": %q, "cycle": %d, "slot": 0}`, command, unit, cycle)
	}
	list := func(all ...string) string { return strings.Join(all, ", ") }
	for _, c := range []struct {
		name, commands, slots, routes string
		durations                     []int64 // nil for those of the plan
		intervals, path, carried      string
	}{
		{
			name:      "a command begins when its cycle comes, on a queue without order while another one runs",
			commands:  `{"id": "a", "kind": "launch", "queue": "e"}, {"id": "b", "kind": "launch", "queue": "e"}`,
			slots:     list(slot("a", "u", 3), slot("b", "v", 4)),
			intervals: "a 3-5 slack 1, b 4-6", path: "b slot", carried: "u/0 a 3-4, v/0 b 4-5",
		},
		{
			name:      "a slot keeps the order of its commands",
			commands:  `{"id": "a", "kind": "launch", "queue": "e"}, {"id": "b", "kind": "launch", "queue": "e"}`,
			slots:     list(slot("a", "u", 3), slot("b", "u", 4)),
			intervals: "a 3-5, b 4-6", path: "a slot, b unit", carried: "u/0 a 3-4 b 4-5",
		},
		{
			name:      "what comes in the last moment binds rather than the cycle",
			commands:  `{"id": "a", "kind": "launch", "queue": "e"}, {"id": "b", "kind": "launch", "queue": "e", "after": ["a"]}`,
			slots:     list(slot("a", "u", 0), slot("b", "u", 2)),
			intervals: "a 0-2, b 2-4", path: "a start, b dependency", carried: "u/0 a 0-1 b 2-3",
		},
		{
			name: "what is late finds its slot taken, and takes the next one",
			commands: `{"id": "k", "kind": "launch", "queue": "e"}, {"id": "a", "kind": "launch", "queue": "e", "after": ["k"]},
				{"id": "b", "kind": "launch", "queue": "e"}`,
			slots:     list(slot("k", "v", 0), slot("a", "u", 2), slot("b", "u", 3)),
			durations: []int64{3, 2, 2},
			intervals: "k 0-3, a 3-5, b 4-6 ready 3", path: "k start, a dependency, b unit", carried: "u/0 a 3-4 b 4-5, v/0 k 0-1",
		},
		{
			name: "a late payload has the link, and another one departs behind it",
			commands: `{"id": "k", "kind": "launch", "queue": "e"}, {"id": "s", "kind": "transfer", "queue": "e", "after": ["k"]},
				{"id": "t", "kind": "transfer", "queue": "e"}`,
			slots:     list(slot("k", "v", 0), slot("s", "u", 2), slot("t", "u", 6)),
			routes:    list(route("s", `{"link": "l", "depart_cycle": 4, "cycles": 4}`), route("t", `{"link": "l", "depart_cycle": 8, "cycles": 4}`)),
			durations: []int64{4, 7, 7},
			intervals: "k 0-4, s 4-11, t 8-15 ready 6", path: "k start, s dependency, t link",
			carried: "l s 6-10 t 10-14, u/0 s 4-5 t 8-9, v/0 k 0-1",
		},
		{
			name:      "the plan has a payload wait for the link behind its issue",
			commands:  `{"id": "s", "kind": "transfer", "queue": "e"}, {"id": "t", "kind": "transfer", "queue": "e"}`,
			slots:     list(slot("s", "u", 0), slot("t", "u", 2)),
			routes:    list(route("s", `{"link": "l", "depart_cycle": 1, "cycles": 4}`), route("t", `{"link": "l", "depart_cycle": 5, "cycles": 4}`)),
			intervals: "s 0-6, t 2-10", path: "s start, t link", carried: "l s 1-5 t 5-9, u/0 s 0-1 t 2-3",
		},
		{
			name:     "a link is left to what began before",
			commands: `{"id": "s", "kind": "transfer", "queue": "e"}, {"id": "t", "kind": "transfer", "queue": "e"}`,
			slots:    list(slot("s", "u", 0), slot("t", "u", 1)),
			routes:   list(route("s", `{"link": "l", "depart_cycle": 7, "cycles": 2}`), route("t", `{"link": "l", "depart_cycle": 3, "cycles": 3}`)),
			// t may come one cycle later, no more, for s is the last.
			intervals: "s 0-10, t 1-7 slack 1", path: "s start", carried: "l t 3-6 s 7-9, u/0 s 0-1 t 1-2",
		},
		{
			name:     "hops shift together",
			commands: `{"id": "k", "kind": "launch", "queue": "q0"}, {"id": "s", "kind": "transfer", "queue": "q0"}`,
			slots:    list(slot("k", "u", 0), slot("s", "u", 2)),
			routes:   route("s", `{"link": "l", "depart_cycle": 4, "cycles": 1}, {"link": "m", "depart_cycle": 8, "cycles": 2}`),
			// It arrives with the cycle of m's latency.
			durations: []int64{5, 9}, intervals: "k 0-5, s 5-14", path: "k start, s queue", carried: "l s 7-8, m s 11-13, u/0 k 0-1 s 5-6",
		},
		{
			name:      "the parts of a collective begin apart and complete together",
			commands:  `{"id": "k0", "kind": "collective", "queue": "q0", "group": "g"}, {"id": "k1", "kind": "collective", "queue": "q1", "group": "g"}, {"id": "z", "kind": "launch", "queue": "q0"}`,
			slots:     list(slot("k0", "u", 0), slot("k1", "w", 4), slot("z", "u", 6)),
			intervals: "k0 0-6 slack 4, k1 4-6, z 6-8", path: "k1 slot, z queue", carried: "u/0 k0 0-1 z 6-7, w/0 k1 4-5",
		},
		{
			name:      "a receive waits for the message of a rendezvous, not for the end of its send",
			commands:  `{"id": "s", "kind": "send", "queue": "q0", "channel": "c"}, {"id": "r", "kind": "recv", "queue": "q1", "channel": "c"}`,
			slots:     list(slot("s", "u", 0), slot("r", "w", 4)),
			routes:    route("s", `{"link": "l", "depart_cycle": 2, "cycles": 1}`),
			intervals: "s 0-6, r 4-6", path: "s start, r message", carried: "l s 2-3, u/0 s 0-1, w/0 r 4-5",
		},
		{
			name:      "what has a route and no slot begins with its first hop",
			commands:  `{"id": "s", "kind": "transfer", "queue": "q0"}`,
			routes:    route("s", `{"link": "l", "depart_cycle": 5, "cycles": 2}`),
			intervals: "s 5-8", path: "s slot", carried: "l s 5-7",
		},
		{
			name:      "two slots, and a unit without a clock, are no cycle",
			commands:  `{"id": "a", "kind": "launch", "queue": "e"}, {"id": "b", "kind": "launch", "queue": "e"}`,
			slots:     list(slot("a", "u", 3), slot("a", "u", 4), slot("b", "x", 5)),
			durations: []int64{1, 1},
			intervals: "a 0-1, b 1-2 ready 0", path: "a start, b resource",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := chipPlan(t, flow, c.commands, c.slots, c.routes)
			durations := c.durations
			if durations == nil {
				costs, err := FromPlan(p)
				if err != nil {
					t.Fatal(err)
				}
				durations = costs.Durations
			}
			r, err := Run(Input{Plan: p, Durations: durations})
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
			if diff := cmp.Diff(c.carried, carried(p, r)); diff != "" {
				t.Errorf("links and slots (-want +got):\n%s", diff)
			}
		})
	}
}

// The example of docs/spatial-extension.md, in time and with a kernel that takes a
// cycle longer.
func TestExampleOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/spatial-extension.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```json\n")
	text, _, _ = strings.Cut(text, "```")
	p, diags := ir.DecodePlan(diag.NewSource("page.json", []byte(text)))
	if p == nil {
		t.Fatal(diags)
	}
	file, err := os.ReadFile("../../examples/simulate/chip.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, string(file)); diff != "" {
		t.Errorf("examples/simulate/chip.json is not the example (-page +file):\n%s", diff)
	}
	costs, err := FromPlan(p)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{8000, 17334, 4000}, costs.Durations); diff != "" {
		t.Errorf("durations (-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		late            int64
		intervals, path string
		carried         string
	}{
		{0, "F0 0-8000 slack 666, T0 8000-25334 slack 666, F1 26000-30000", "F1 slot",
			"east T0 10667-21334, mxm0/0 F0 0-1000, mem0/0 T0 8000-9000, vxm1/0 F1 26000-27000"},
		{1000, "F0 0-9000, T0 9000-26334, F1 26334-30334", "F0 start, T0 queue, F1 dependency",
			"east T0 11667-22334, mxm0/0 F0 0-1000, mem0/0 T0 9000-10000, vxm1/0 F1 26334-27334"},
	} {
		r, err := Run(Input{Plan: p, Durations: []int64{8000 + c.late, 17334, 4000}})
		if err != nil {
			t.Fatal(err)
		}
		intervals, path := told(p, r)
		got := []string{strings.Join(intervals, ", "), strings.Join(path, ", "), carried(p, r)}
		if diff := cmp.Diff([]string{c.intervals, c.path, c.carried}, got); diff != "" {
			t.Errorf("%d ps late (-want +got):\n%s", c.late, diff)
		}
	}
}

func TestInstants(t *testing.T) {
	for _, c := range []struct {
		hertz  int64
		cycles []int64
		want   int64
		ok     bool
	}{
		{1, []int64{0}, 0, true},
		{1, []int64{3, 4}, 7_000_000_000_000, true},
		{3, []int64{1}, 333_333_333_334, true},
		{3, []int64{2}, 666_666_666_667, true},
		{3, []int64{3}, 1_000_000_000_000, true},
		{750_000_000, []int64{8, 8, 2, 1}, 25_334, true},
		{3_000_000_000_000, []int64{1}, 1, true}, // a third of a picosecond
		{1_000_000_000_000, []int64{math.MaxInt64}, math.MaxInt64, true},
		{1_000_000_000_000, []int64{math.MaxInt64, 1}, 0, false},
		{999_999_999_999, []int64{math.MaxInt64}, 0, false},
		{1, []int64{math.MaxInt64}, 0, false},
	} {
		if got, ok := instant(c.hertz, c.cycles...); ok != c.ok || ok && got != c.want {
			t.Errorf("%v cycles of %d hertz are over at %d, %v, want %d, %v", c.cycles, c.hertz, got, ok, c.want, c.ok)
		}
	}
}

func TestDurationsThatPlansDoNotTell(t *testing.T) {
	for _, c := range []struct{ name, commands, slots, routes, want string }{
		{"no slot", `{"id": "a", "kind": "launch", "queue": "q0"}`, "", "", "command a: no unit issues it at a cycle, so that the plan does not say how long it takes"},
		{"an op that the unit does not do", `{"id": "a", "kind": "launch", "queue": "q0", "op": "p"}`, `{"command": "a", "unit": "y", "cycle": 0, "slot": 0}`, "",
			"command a: neither its unit nor its route says how long it takes"},
		{"two routes", `{"id": "a", "kind": "transfer", "queue": "q0"}`, `{"command": "a", "unit": "u", "cycle": 0, "slot": 0}`,
			`{"command": "a", "source_device": "d0", "destination_device": "d1", "hops": []}, {"command": "a", "source_device": "d0", "destination_device": "d1", "hops": []}`,
			"command a: neither its unit nor its route says how long it takes"},
		{"a route that ends too early", `{"id": "a", "kind": "transfer", "queue": "q0"}`, `{"command": "a", "unit": "u", "cycle": 9, "slot": 0}`,
			`{"command": "a", "source_device": "d0", "destination_device": "d1", "hops": [{"link": "l", "depart_cycle": 0, "cycles": 1}]}`,
			"command a: by its route its data arrives before it is issued"},
		{"a latency without end", `{"id": "a", "kind": "launch", "queue": "q0", "op": "o"}`, `{"command": "a", "unit": "y", "cycle": 0, "slot": 0}`, "",
			"command a has a time beyond 64 bits by the spatial extension"},
		{"a cycle without end", `{"id": "a", "kind": "launch", "queue": "q0", "op": "o"}`, `{"command": "a", "unit": "u", "cycle": 9223372036854775807, "slot": 0}`, "",
			"command a has a time beyond 64 bits by the spatial extension"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := FromPlan(chipPlan(t, "", c.commands, c.slots, c.routes))
			if err == nil || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	costs, err := FromPlan(chipPlan(t, "", `{"id": "a", "kind": "host_call", "queue": "q0"}, {"id": "b", "kind": "signal", "queue": "q0"}`, "", ""))
	if err != nil || costs.Durations[0] != 0 || costs.of(0) == "" || costs.of(1) != "" {
		t.Errorf("%+v, %v", costs, err)
	}
}

// A chip stops like any other program.
func TestDeadlockOfAChip(t *testing.T) {
	p := chipPlan(t, "", `{"id": "k0", "kind": "collective", "queue": "q0", "group": "g"}, {"id": "k1", "kind": "collective", "queue": "q1", "group": "g", "after": ["k0"]}`,
		`{"command": "k0", "unit": "u", "cycle": 2, "slot": 0}`, "")
	_, err := Run(Input{Plan: p, Durations: []int64{1, 1}})
	var dead *Deadlock
	if !errors.As(err, &dead) {
		t.Fatalf("%v is no deadlock", err)
	}
	if diff := cmp.Diff("2 commands never complete: k0 completes only together with k1, k1 depends on k0", dead.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A late command whose links would be taken beyond all numbers is an error.
func TestTimesOfALateChip(t *testing.T) {
	p := chipPlan(t, "", `{"id": "a", "kind": "launch", "queue": "q0"}, {"id": "b", "kind": "transfer", "queue": "q0"}`,
		`{"command": "a", "unit": "u", "cycle": 0, "slot": 0}, {"command": "b", "unit": "u", "cycle": 0, "slot": 0}`,
		`{"command": "b", "source_device": "d0", "destination_device": "d1", "hops": [{"link": "l", "depart_cycle": 4611686018427387904, "cycles": 1}]}`)
	_, err := Run(Input{Plan: p, Durations: []int64{1 << 62, 1}})
	if want := "command b has a time beyond 64 bits by the spatial extension"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
