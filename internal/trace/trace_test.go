package trace

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/ir/timeline"
)

// story is a plan and a timeline of it: c0 and c1 in a row on g0, and n, which
// takes no time, on the queue of g1 that the path goes through.
func story(t *testing.T) (*ir.Plan, *timeline.Bundle) {
	t.Helper()
	p, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(`{"schema": "plancheck.concrete-plan/1", "program": {
		"devices": [{"id": "g0"}, {"id": "g1"}],
		"queues": [{"id": "q0", "device": "g0"}, {"id": "idle", "device": "g0"}, {"id": "q1", "device": "g1"}],
		"commands": [{"id": "c0", "kind": "launch", "queue": "q0", "op": "linear", "stage": 0, "microbatch": 3},
			{"id": "n", "name": "nop", "kind": "launch", "queue": "q1", "after": ["c0"]},
			{"id": "c1", "kind": "launch", "queue": "q0", "op": "\"odd\"", "after": ["n"]},
			{"id": "undrawn", "kind": "launch", "queue": "q1"}]}}`)))
	if p == nil {
		t.Fatal(diags[0].Message)
	}
	return p, &timeline.Bundle{
		Makespan:  442_000_001,
		Intervals: []timeline.Interval{{Command: "c0", End: 310_000_001}, {Command: "n", Start: 310_000_001, End: 310_000_001}, {Command: "c1", Start: 310_000_001, End: 442_000_001, Slack: 4}},
		Path:      []timeline.Step{{Command: "c0", Edge: "start"}, {Command: "n", Edge: "dependency"}, {Command: "c1", Edge: "dependency"}},
	}
}

func TestChrome(t *testing.T) {
	got := Chrome(story(t))
	want := `{"displayTimeUnit": "ns", "traceEvents": [
 {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "g0"}},
 {"name": "thread_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "q0"}},
 {"name": "thread_sort_index", "ph": "M", "pid": 1, "tid": 1, "args": {"sort_index": 1}},
 {"name": "c0", "cat": "launch", "ph": "X", "ts": 0, "dur": 310.000001, "pid": 1, "tid": 1, "args": {"op": "linear", "stage": 0, "microbatch": 3, "slack_ps": 0, "critical": "start"}},
 {"name": "c1", "cat": "launch", "ph": "X", "ts": 310.000001, "dur": 132, "pid": 1, "tid": 1, "args": {"op": "\"odd\"", "slack_ps": 4, "critical": "dependency"}},
 {"name": "thread_name", "ph": "M", "pid": 1, "tid": 2, "args": {"name": "idle"}},
 {"name": "thread_sort_index", "ph": "M", "pid": 1, "tid": 2, "args": {"sort_index": 2}},
 {"name": "process_name", "ph": "M", "pid": 2, "args": {"name": "g1"}},
 {"name": "thread_name", "ph": "M", "pid": 2, "tid": 3, "args": {"name": "q1"}},
 {"name": "thread_sort_index", "ph": "M", "pid": 2, "tid": 3, "args": {"sort_index": 3}},
 {"name": "nop", "cat": "launch", "ph": "X", "ts": 310.000001, "dur": 0, "pid": 2, "tid": 3, "args": {"command": "n", "slack_ps": 0, "critical": "dependency"}},
 {"name": "critical path", "cat": "critical", "ph": "s", "id": 1, "ts": 0, "pid": 1, "tid": 1},
 {"name": "critical path", "cat": "critical", "ph": "f", "bp": "e", "id": 1, "ts": 310.000001, "pid": 2, "tid": 3}
]}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var trace struct{ TraceEvents []map[string]any }
	if err := json.Unmarshal(got, &trace); err != nil || len(trace.TraceEvents) != 13 {
		t.Errorf("%d events, %v", len(trace.TraceEvents), err)
	}
}

// read is a protobuf message by the numbers of its fields: numbers, or bytes.
type read map[protowire.Number][]any

func parse(t *testing.T, b []byte) read {
	t.Helper()
	m := read{}
	for len(b) > 0 {
		field, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		b = b[n:]
		var v any
		switch typ {
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			var x uint64
			x, n = protowire.ConsumeFixed64(b)
			v = fmt.Sprint("fixed ", x)
		case protowire.BytesType:
			v, n = protowire.ConsumeBytes(b)
		default:
			t.Fatalf("field %d has type %d", field, typ)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		m[field] = append(m[field], v)
		b = b[n:]
	}
	return m
}

// text returns the texts of a field.
func (m read) text(field protowire.Number) string {
	s := ""
	for _, v := range m[field] {
		s += string(v.([]byte))
	}
	return s
}

// The packets have the fields of Perfetto's trace format by their public numbers:
// see packages/trace.proto of it.
func TestPerfetto(t *testing.T) {
	trace := parse(t, Perfetto(story(t)))
	if len(trace) != 1 {
		t.Fatalf("the trace has fields beside its packets: %v", trace)
	}
	var got []string
	for _, v := range trace[1] { // Trace.packet
		packet := parse(t, v.([]byte))
		if diff := cmp.Diff([]any{uint64(1)}, packet[10]); diff != "" { // trusted_packet_sequence_id
			t.Errorf("sequence: %s", diff)
		}
		switch {
		case packet[60] != nil: // track_descriptor
			d := parse(t, packet[60][0].([]byte))
			s := fmt.Sprintf("track %d", d[1][0]) // uuid
			if d[3] != nil {                      // process
				p := parse(t, d[3][0].([]byte))
				s += fmt.Sprintf(" is process %d %s", p[1][0], p.text(6)) // pid, process_name
			} else {
				s += fmt.Sprintf(" is %s of %d", d.text(2), d[5][0]) // name, parent_uuid
			}
			got = append(got, s)
		case packet[11] != nil: // track_event
			e := parse(t, packet[11][0].([]byte))
			s := fmt.Sprintf("at %d track %d type %d", packet[8][0], e[11][0], e[9][0]) // timestamp, track_uuid, type
			if e[23] != nil {
				s += fmt.Sprintf(" %s of %s", e.text(23), e.text(22)) // name, categories
			}
			for _, v := range e[4] { // debug_annotations
				a := parse(t, v.([]byte))
				s += " " + a.text(10) + "=" // name
				if a[4] != nil {
					s += fmt.Sprint(a[4][0]) // int_value
				} else {
					s += a.text(6) // string_value
				}
			}
			for _, v := range e[47] { // flow_ids
				s += fmt.Sprint(" to ", v)
			}
			for _, v := range e[48] { // terminating_flow_ids
				s += fmt.Sprint(" from ", v)
			}
			got = append(got, s)
		default:
			t.Errorf("a packet of nothing: %v", packet)
		}
	}
	want := []string{
		"track 1 is process 1 g0", "track 2 is q0 of 1", "track 3 is idle of 1", "track 4 is process 2 g1", "track 5 is q1 of 4",
		"at 0 track 2 type 1 c0 of launch start_ps=0 end_ps=310000001 slack_ps=0 op=linear stage=0 microbatch=3 critical=start to fixed 1",
		"at 310000 track 2 type 2",
		"at 310000 track 2 type 1 c1 of launch start_ps=310000001 end_ps=442000001 slack_ps=4 op=\"odd\" critical=dependency",
		"at 310000 track 5 type 1 nop of launch start_ps=310000001 end_ps=310000001 slack_ps=0 command=n critical=dependency from fixed 1",
		"at 310000 track 5 type 2",
		"at 442000 track 2 type 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A plan without a program has an empty trace.
func TestEmpty(t *testing.T) {
	p, b := &ir.Plan{}, &timeline.Bundle{}
	if got := string(Chrome(p, b)); got != "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n]}\n" {
		t.Errorf("%q", got)
	}
	if got := Perfetto(p, b); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// Commands of a queue that overlap are on tracks of their own, and links are tracks
// of the device from which they lead.
func TestLinks(t *testing.T) {
	p, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(`{"schema": "plancheck.concrete-plan/1", "program": {
		"devices": [{"id": "c0"}, {"id": "c1"}], "queues": [{"id": "e", "device": "c0", "ordered": false}],
		"commands": [{"id": "a", "kind": "launch", "queue": "e"}, {"id": "b", "kind": "transfer", "queue": "e"}, {"id": "c", "kind": "launch", "queue": "e"}],
		"target_extension": {"spatial": {
			"links": [{"id": "west", "source_device": "c1", "destination_device": "c0", "clock_domain": "k"}, {"id": "east", "source_device": "c0", "destination_device": "c1", "clock_domain": "k"}]}}}}`)))
	if p == nil {
		t.Fatal(diags[0].Message)
	}
	b := &timeline.Bundle{
		Intervals: []timeline.Interval{{Command: "a", End: 3_000_000}, {Command: "b", Start: 1_000_000, End: 9_000_000}, {Command: "c", Start: 3_000_000, End: 4_000_000}},
		Links:     []timeline.Link{{ID: "east", Payloads: []timeline.Payload{{Command: "b", Hop: 1, Start: 5_000_000, End: 7_000_000}}}},
		Path:      []timeline.Step{{Command: "b", Edge: "slot"}},
	}
	want := `{"displayTimeUnit": "ns", "traceEvents": [
 {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "c0"}},
 {"name": "thread_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "e"}},
 {"name": "thread_sort_index", "ph": "M", "pid": 1, "tid": 1, "args": {"sort_index": 1}},
 {"name": "a", "cat": "launch", "ph": "X", "ts": 0, "dur": 3, "pid": 1, "tid": 1, "args": {"slack_ps": 0}},
 {"name": "c", "cat": "launch", "ph": "X", "ts": 3, "dur": 1, "pid": 1, "tid": 1, "args": {"slack_ps": 0}},
 {"name": "thread_name", "ph": "M", "pid": 1, "tid": 2, "args": {"name": "e"}},
 {"name": "thread_sort_index", "ph": "M", "pid": 1, "tid": 2, "args": {"sort_index": 2}},
 {"name": "b", "cat": "transfer", "ph": "X", "ts": 1, "dur": 8, "pid": 1, "tid": 2, "args": {"slack_ps": 0, "critical": "slot"}},
 {"name": "thread_name", "ph": "M", "pid": 1, "tid": 3, "args": {"name": "link east"}},
 {"name": "thread_sort_index", "ph": "M", "pid": 1, "tid": 3, "args": {"sort_index": 3}},
 {"name": "b", "cat": "transfer", "ph": "X", "ts": 5, "dur": 2, "pid": 1, "tid": 3, "args": {"hop": 1}},
 {"name": "process_name", "ph": "M", "pid": 2, "args": {"name": "c1"}}
]}
`
	if diff := cmp.Diff(want, string(Chrome(p, b))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
