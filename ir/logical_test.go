package ir

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson/strictjsontest"
)

const wholeSchedule = `{"schema": "plancheck.logical-schedule/1", "graph_digest": "rev1",
 "cores": ["", "vector"],
 "tasks": [
  {"op": "embed", "lane": 0, "core": 1, "start": 0, "finish": 300},
  {"op": "é\n", "lane": 1, "core": 0, "start": 300, "finish": 9223372036854775807}
 ],
 "length": 9223372036854775807
}
`

func decodeSchedule(t rapid.TB, data []byte) (*LogicalSchedule, []diag.Diagnostic) {
	t.Helper()
	s, ds := DecodeLogicalSchedule(diag.NewSource("schedule.json", data))
	if (s == nil) != (len(ds) > 0) {
		t.Fatalf("a schedule and diagnostics, or neither: %v %v", s, brief(ds))
	}
	return s, ds
}

func TestLogicalSchedule(t *testing.T) {
	got, ds := decodeSchedule(t, []byte(wholeSchedule))
	if ds != nil {
		t.Fatal(brief(ds))
	}
	offset := func(text string) uint32 { return uint32(strings.Index(wholeSchedule, text)) }
	want := &LogicalSchedule{
		Source: got.Source, GraphDigest: "rev1", Cores: []string{"", "vector"}, Length: 1<<63 - 1,
		Tasks: []Task{
			{Op: "embed", Core: 1, Finish: 300, At: offset(`{"op": "embed"`)},
			{Op: "é\n", Lane: 1, Start: 300, Finish: 1<<63 - 1, At: offset(`{"op": "é`)}},
		GraphDigestAt: offset(`"rev1"`), CoresAt: offset(`["", "vector"]`), LengthAt: offset("9223372036854775807\n}"),
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(diag.Source{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wholeSchedule, string(EncodeLogicalSchedule(got))); diff != "" {
		t.Errorf("(-read +written):\n%s", diff)
	}
	const digest = "sha256:d7eae0c202b88693324010bc3aeb2ee0106836508decad7e33081905e27dc952"
	if d := LogicalScheduleDigest(got); d != digest {
		t.Errorf("digest %s, want %s: a change of it is a change of the schema", d, digest)
	}
}

func TestErrorsOfLogicalSchedules(t *testing.T) {
	for _, c := range []struct {
		name, data string
		want       []string
	}{
		{"a plan", `{"schema": "plancheck.concrete-plan/1", "cores": [], "tasks": [], "length": 0}`, []string{
			`1:12 /schema schema-name-mismatch: "schema" must be "plancheck.logical-schedule/1", found "plancheck.concrete-plan/1" (this is no logical schedule)`}},
		{"stages at every level", `{"schema": "plancheck.logical-schedule/1", "stages": [{"x": 1}], "cores": ["a"], "stage": 1,
"tasks": [{"op": "a", "lane": 0, "stage": null, "core": 0, "start": 0, "finish": 0, "stages": []}], "length": 0}`, []string{
			`1:44 /stages logical-schedule-has-stage: a logical schedule has no field "stages" (a logical schedule knows no stages: the partition is the first to decide them)`,
			`1:82 /stage logical-schedule-has-stage: a logical schedule has no field "stage" (a logical schedule knows no stages: the partition is the first to decide them)`,
			`2:34 /tasks/0/stage logical-schedule-has-stage: a task has no field "stage" (a logical schedule knows no stages: the partition is the first to decide them)`,
			`2:85 /tasks/0/stages logical-schedule-has-stage: a task has no field "stages" (a logical schedule knows no stages: the partition is the first to decide them)`}},
		{"everything else", `{"schema": "plancheck.logical-schedule/1", "cores": [null, 1], "stagez": 1,
"tasks": [{"op": "", "lane": -1, "core": 0.5, "start": "0"}]}`, []string{
			`1:1  missing-field: a logical schedule must have the field "length"`,
			`1:54 /cores/0 wrong-type: an entry of "cores" must be a string, found null`,
			`1:60 /cores/1 wrong-type: an entry of "cores" must be a string, found a number`,
			`1:64 /stagez unknown-field: a logical schedule has no field "stagez" (its fields are schema, graph_digest, cores, tasks, length)`,
			`2:11 /tasks/0 missing-field: a task must have the field "finish"`,
			`2:18 /tasks/0/op id-empty: "op" must not be empty`,
			`2:30 /tasks/0/lane integer-out-of-range: "lane" must be at least 0, found -1`,
			`2:42 /tasks/0/core not-an-integer: "core" must be an integer, found 0.5 (write whole numbers without fraction and exponent)`,
			`2:56 /tasks/0/start wrong-type: "start" must be an integer, found a string`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ds := decodeSchedule(t, []byte(c.data))
			if diff := cmp.Diff(c.want, brief(ds)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	built := &LogicalSchedule{Tasks: []Task{{Op: "a", Start: -2}}}
	want := []string{`0:0 /tasks/0/start integer-out-of-range: "start" must be at least 0, found -2`}
	if diff := cmp.Diff(want, brief(ValidateLogicalSchedule(built))); diff != "" {
		t.Errorf("a built one (-want +got):\n%s", diff)
	}
}

// What is written is read back, and the schema agrees with the decoder.
func TestLogicalSchedulesAreReadBack(t *testing.T) {
	schema := strictjsontest.Compile(t, LogicalScheduleJSONSchema())
	rapid.Check(t, func(rt *rapid.T) {
		r := random{T: rt}
		s := &LogicalSchedule{GraphDigest: r.text("digest"), Cores: []string{}, Tasks: []Task{}, Length: r.number("length", 0)}
		for range r.int("cores", 0, 3) {
			s.Cores = append(s.Cores, r.text("kind"))
		}
		for range r.int("tasks", 0, 3) {
			s.Tasks = append(s.Tasks, Task{Op: "o" + r.text("op"), Lane: r.number("lane", 0), Core: r.number("core", 0),
				Start: r.number("start", 0), Finish: r.number("finish", 0)})
		}
		data := EncodeLogicalSchedule(s)
		got, ds := decodeSchedule(rt, data)
		if ds != nil {
			rt.Fatal(brief(ds))
		}
		ignore := cmpopts.IgnoreFields(LogicalSchedule{}, "Source", "GraphDigestAt", "CoresAt", "LengthAt")
		if diff := cmp.Diff(s, got, ignore, cmpopts.IgnoreFields(Task{}, "At")); diff != "" {
			rt.Fatalf("(-written +read):\n%s", diff)
		}
		if LogicalScheduleDigest(s) != LogicalScheduleDigest(got) {
			rt.Fatal("another digest")
		}
		var document any
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		if err := dec.Decode(&document); err != nil {
			rt.Fatal(err)
		}
		for range r.int("mutations", 0, 2) {
			document = strictjsontest.Mutate(rt, document)
		}
		mutated, err := json.Marshal(document)
		if err != nil {
			rt.Fatal(err)
		}
		_, ds = DecodeLogicalSchedule(diag.NewSource("schedule.json", mutated))
		if err := schema.Validate(document); misshapen(ds) != (err != nil) {
			rt.Fatalf("decoder: %v, schema: %v\n%s", brief(ds), err, mutated)
		}
	})
}

// The page shows a schedule as it is written.
func TestLogicalSchedulePage(t *testing.T) {
	page, err := os.ReadFile("../docs/logical-schedule.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```json\n")
	shown, _, _ := strings.Cut(rest, "```")
	s, ds := decodeSchedule(t, []byte(shown))
	if ds != nil {
		t.Fatal(brief(ds))
	}
	if diff := cmp.Diff(shown, string(EncodeLogicalSchedule(s))); diff != "" {
		t.Errorf("(-page +written):\n%s", diff)
	}
	for _, p := range LogicalScheduleJSONSchema().Properties {
		if !strings.Contains(string(page), "| `"+p.Name+"` | ") {
			t.Errorf("the page does not tell of %s", p.Name)
		}
	}
}
