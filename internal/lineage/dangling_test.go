package lineage

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/diag"
)

// relu is a model with one op, and tasks, a portable plan and a plan of it as
// people write them; parents are left out, so that they can be spoilt.
var relu = [levelCount]string{
	modelLevel: `{"schema": "plancheck.model/1",
 "values": [{"id": "x", "type": {"shape": [4], "dtype": "f32"}, "role": "input"},
            {"id": "y", "type": {"shape": [4], "dtype": "f32"}, "role": "output"}],
 "ops": [{"id": "act", "kind": "model.relu", "inputs": ["x"], "outputs": ["y"]}],
 "inputs": ["x"], "outputs": ["y"]}`,
	taskLevel: `{"schema": "plancheck.tasks/1", "strategy": {}, "mesh": [{"id": "tp", "size": 1}],
 "values": [
  {"id": "X", "source": "x", "shape": [4], "dtype": "f32", "role": "input", "owners": [0], "local": [4], "lineage": {"kind": "preserved", "transform": "t", "sources": ["x"]}},
  {"id": "Y", "source": "y", "shape": [4], "dtype": "f32", "role": "output", "owners": [0], "local": [4], "lineage": {"kind": "preserved", "transform": "t", "sources": ["y"]}}],
 "tasks": [
  {"id": "Act", "body": "compute", "op": "model.relu", "ranks": [0], "inputs": ["X"], "outputs": ["Y"], "lineage": {"kind": "preserved", "transform": "t", "sources": ["act"]}}]}`,
	portableLevel: `{"schema": "plancheck.portable-plan/1", "objectives": [],
 "buffers": [
  {"id": "y0", "rank": 0, "shape": [4], "dtype": "f32", "size_bytes": 16, "role": "output", "storage_class": "transient", "producer": "do", "lineage": {"kind": "lowered", "transform": "t", "sources": ["Y"]}}],
 "tasks": [
  {"id": "do", "body": "compute", "op": "model.relu", "logical_ranks": [0], "outputs": ["y0"], "workload": {}, "lineage": {"kind": "lowered", "transform": "t", "sources": ["Act"]}}]}`,
	planLevel: `{"schema": "plancheck.concrete-plan/1", "program": {
 "devices": [{"id": "d", "rank": 0}], "queues": [{"id": "q", "device": "d"}],
 "memory_regions": [{"id": "m", "device": "d", "capacity_bytes": 64}],
 "buffers": [{"id": "y0", "memory_region": "m", "offset_bytes": 0, "size_bytes": 16, "lineage": {"kind": "lowered", "transform": "t", "sources": ["y0"]}}],
 "commands": [{"id": "c", "kind": "launch", "queue": "q", "op": "relu", "writes": ["y0"], "lineage": {"kind": "lowered", "transform": "t", "sources": ["do"]}},
              {"id": "e", "kind": "signal", "queue": "q"}]}}`,
	machineLevel: `{"schema": "plancheck.machine/1", "target_plugin": "virtual", "target_abi": "1", "emitter_revision": "1", "program_format": "1",
 "arenas": [{"id": "m", "size_bytes": 64}], "entry_points": [],
 "sections": [{"id": "q", "kind": "code", "source_queue": "q", "instructions": [
  {"id": "i", "opcode": {"dialect": "machine", "name": "call"}, "function": "relu", "source_command": "c",
   "operands": [{"access": "write", "source_buffer": "y0", "arena": "m", "offset_bytes": 0, "size_bytes": 16}],
   "lineage": {"kind": "lowered", "transform": "t", "sources": ["c"]}}]}]}`,
	timelineLevel: `{"schema": "plancheck.timeline/1", "evaluation_evidence": "e", "simulator_revision": "1", "makespan_ps": 7,
 "intervals": [{"id": "c", "start_ps": 0, "end_ps": 7}]}`,
}

// Lineage that hand-edited documents break is told, and ends somewhere.
func TestSpoiltLineage(t *testing.T) {
	for _, c := range []struct {
		name     string
		level    int
		old, new string
		ask      string
		want     []string // the summary of the trail
	}{
		{"sound", modelLevel, "", "", "act", []string{"model 2", "tasks 2", "portable 2", "plan 2", "machine 2", "timeline 1", "note: not given: binding, set of observations"}},
		{"a task of no op", taskLevel, `"sources": ["act"]`, `"sources": ["other"]`, "c", []string{"model 1", "tasks 2", "portable 2", "plan 2", "machine 2", "timeline 1", "note: not given: binding, set of observations", "note: tasks.json:6: task Act names other, which the given model does not have"}},
		{"a task of itself", taskLevel, `"sources": ["act"]`, `"sources": ["Act"]`, "c", []string{"model 1", "tasks 2", "portable 2", "plan 2", "machine 2", "timeline 1", "note: not given: binding, set of observations", "note: tasks.json:6: task Act names Act, which the given model does not have"}},
		{"a task of no op, from above", taskLevel, `"sources": ["act"]`, `"sources": ["other"]`, "act", []string{"model 2", "tasks 1", "portable 1", "plan 1", "machine 1", "note: not given: binding, set of observations", "note: not of this trail: tasks.json:6: task Act names other, which the given model does not have"}},
		{"a command of itself", planLevel, `"sources": ["do"]`, `"sources": ["c"]`, "c", []string{"model 1", "tasks 1", "portable 1", "plan 2", "machine 2", "timeline 1", "note: not given: binding, set of observations", "note: plan.json:5: command c names c, which the given portable plan does not have"}},
		{"a command and a buffer of each other", planLevel, `"sources": ["do"]`, `"sources": ["y0"]`, "c", []string{"model 2", "tasks 2", "portable 2", "plan 2", "machine 2", "timeline 1", "note: not given: binding, set of observations"}},
		{"an instruction of no command", machineLevel, `"source_command": "c"`, `"source_command": "C"`, "c", []string{"model 2", "tasks 2", "portable 2", "plan 2", "machine 1", "timeline 1", "note: not given: binding, set of observations", "note: not of this trail: machine.json:4: instruction i names C, which the given concrete plan does not have"}},
		{"an instruction with a source that is not there", machineLevel, `"sources": ["c"]`, `"sources": ["c", "C"]`, "c", []string{"model 2", "tasks 2", "portable 2", "plan 2", "machine 2", "timeline 1", "note: not given: binding, set of observations", "note: machine.json:4: instruction i names C, which the given concrete plan does not have"}},
		{"an operand of no buffer", machineLevel, `"source_buffer": "y0"`, `"source_buffer": "y1"`, "c", []string{"model 2", "tasks 2", "portable 2", "plan 2", "machine 1", "timeline 1", "note: not given: binding, set of observations", "note: not of this trail: machine.json:5: operand i names y1, which the given concrete plan does not have"}},
		{"an interval of no command", timelineLevel, `"id": "c"`, `"id": "C"`, "c", []string{"model 2", "tasks 2", "portable 2", "plan 2", "machine 2", "note: not given: binding, set of observations", "note: not of this trail: timeline.json:2: interval C names C, which the given concrete plan does not have"}},
		{"an interval of no command, from below", timelineLevel, `"id": "c"`, `"id": "C"`, "C", []string{"timeline 1", "note: not given: binding, set of observations", "note: timeline.json:2: interval C names C, which the given concrete plan does not have"}},
		{"no lineage, from below", planLevel, `, "lineage": {"kind": "lowered", "transform": "t", "sources": ["do"]}`, "", "c", []string{"model 1", "tasks 1", "portable 1", "plan 2", "machine 2", "timeline 1", "note: not given: binding, set of observations", "note: plan.json:5: nothing says what command c was made from: the trail ends here"}},
		{"no lineage", planLevel, `, "lineage": {"kind": "lowered", "transform": "t", "sources": ["do"]}`, "", "act", []string{"model 2", "tasks 2", "portable 2", "plan 1", "machine 1", "note: not given: binding, set of observations"}},
	} {
		var documents []*facts.Document
		for l, text := range relu {
			if l == c.level {
				if !strings.Contains(text, c.old) {
					t.Fatal(c.name)
				}
				text = strings.Replace(text, c.old, c.new, 1)
			}
			if text != "" {
				documents = append(documents, reread(t, Levels()[l].Name+".json", []byte(text)))
			}
		}
		if diff := cmp.Diff(c.want, summary(trailOf(t, opened(t, documents...), c.ask, ""))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// The documents that break rules can be followed too, each alone and beside its
// parent: every entity has a trail, in which it is marked.
func TestBrokenDocuments(t *testing.T) {
	read := func(name string) *facts.Document {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil
		}
		d, _ := facts.Decode(diag.NewSource(name, data))
		return d
	}
	followed := 0
	err := filepath.WalkDir("../../rules/testdata", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".bad.json") {
			return err
		}
		d := read(name)
		if d == nil {
			return nil
		}
		sets := [][]*facts.Document{{d}}
		if parent := read(strings.TrimSuffix(name, ".bad.json") + ".parent.json"); parent != nil {
			sets = append(sets, []*facts.Document{parent, d})
		}
		for _, documents := range sets {
			x, _ := Open(documents)
			if x == nil {
				continue // the parent is another one
			}
			for _, e := range x.entities {
				trail := x.Trail([]Match{{e}})
				if !strings.Contains("\n"+trail.Text(false), "\n> ") {
					t.Errorf("%s: %s %s is not marked", name, e.kind, e.id)
				}
				trail.JSON(e.id)
				followed++
			}
		}
		return nil
	})
	if err != nil || followed < 1000 {
		t.Errorf("%d entities, %v", followed, err)
	}
}
