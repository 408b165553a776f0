package ir

import (
	"crypto/sha256"
	"encoding/hex"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
)

// LogicalScheduleSchema names the document of a LogicalSchedule.
const LogicalScheduleSchema = "plancheck.logical-schedule/1"

// LogicalSchedule is a list schedule of a graph over logical cores, made before
// any stage is decided: in which order ops come, and when each is predicted to
// run. It knows no stages; the partition is the first to decide them, and times
// predicted here never become dependencies.
//
// Numbers of cores and lanes that do not exist, and tasks that overlap, are no
// errors of the document.
type LogicalSchedule struct {
	Source *diag.Source // nil where it was built

	// GraphDigest is the revision of the graph that was scheduled; "" when absent.
	GraphDigest string
	Cores       []string // the kind of each logical core, from core 0 on; "" where it has none
	Tasks       []Task
	Length      int64 // cycles from the first start to the last finish, as predicted

	GraphDigestAt, CoresAt, LengthAt uint32
}

// Task is one lane of an op in a logical schedule.
type Task struct {
	Op            string // the id of the op
	Lane, Core    int64
	Start, Finish int64 // cycles since the start of the schedule
	At            uint32
}

// stageless reports fields about stages, wherever they stand.
func stageless[T any](s *strictjson.Shape[*decoder, T]) *strictjson.Shape[*decoder, T] {
	return s.Refuse("logical-schedule-has-stage", "a logical schedule knows no stages: the partition is the first to decide them", "stage", "stages")
}

var logicalShape = stageless(strictjson.NewShape("a logical schedule",
	required("schema", func(d *decoder, s *LogicalSchedule) { d.schema(LogicalScheduleSchema, "this is no logical schedule") }),
	optional("graph_digest", func(d *decoder, s *LogicalSchedule) { s.GraphDigestAt = d.Offset(); s.GraphDigest = d.text() }),
	required("cores", func(d *decoder, s *LogicalSchedule) {
		s.CoresAt = d.Offset()
		l := d.List("a list of kinds of cores")
		if !l.Ok() {
			return
		}
		s.Cores = []string{}
		for l.Next() {
			s.Cores = append(s.Cores, d.text())
		}
	}),
	required("tasks", func(d *decoder, s *LogicalSchedule) {
		s.Tasks = entries(d, taskShape, func(at uint32) Task { return Task{At: at} })
	}),
	required("length", func(d *decoder, s *LogicalSchedule) { s.LengthAt = d.Offset(); s.Length = d.number(0) }),
).Hint("schema", schemaHint(LogicalScheduleSchema)))

var taskShape = stageless(strictjson.NewShape("a task",
	required("op", func(d *decoder, t *Task) { t.Op = d.name(anOpID) }),
	required("lane", func(d *decoder, t *Task) { t.Lane = d.number(0) }),
	required("core", func(d *decoder, t *Task) { t.Core = d.number(0) }),
	required("start", func(d *decoder, t *Task) { t.Start = d.number(0) }),
	required("finish", func(d *decoder, t *Task) { t.Finish = d.number(0) }),
))

// DecodeLogicalSchedule reads a logical schedule strictly. It returns either the
// schedule or every error of the document, sorted, each with its place. A field
// named stage or stages is the error logical-schedule-has-stage.
func DecodeLogicalSchedule(src *diag.Source) (*LogicalSchedule, []diag.Diagnostic) {
	s, d := readLogicalSchedule(src)
	if d.Failed() {
		return nil, d.Diagnostics()
	}
	return s, nil
}

// ValidateLogicalSchedule checks a schedule that was built rather than read for
// everything that DecodeLogicalSchedule would object to in its document. The
// diagnostics have pointers into that document and no lines.
func ValidateLogicalSchedule(s *LogicalSchedule) []diag.Diagnostic {
	name := ""
	if s.Source != nil {
		name = s.Source.Name
	}
	_, d := readLogicalSchedule(diag.NewSource(name, EncodeLogicalSchedule(s)))
	return d.DiagnosticsByPointer()
}

func readLogicalSchedule(src *diag.Source) (*LogicalSchedule, *decoder) {
	d := newDecoder(strictjson.NewReader(src), src)
	s := &LogicalSchedule{Source: src}
	logicalShape.Read(d.Reader, d, s)
	d.End()
	return s, d
}

// LogicalScheduleJSONSchema describes the documents that DecodeLogicalSchedule
// reads: all that it accepts, and nothing else.
func LogicalScheduleJSONSchema() *strictjson.Schema {
	return strictjson.Describe(func(r *strictjson.Reader) {
		logicalShape.Read(r, newDecoder(r, nil), &LogicalSchedule{})
	})
}

// EncodeLogicalSchedule writes a schedule as a document: UTF-8, one task a line,
// the same bytes for the same schedule. Decoding it gives the schedule back.
func EncodeLogicalSchedule(s *LogicalSchedule) []byte {
	w := &writer{}
	w.logicalSchedule(s)
	return append(w.buf, '\n')
}

// LogicalScheduleDigest returns the content digest of a schedule: "sha256:" and
// 64 hexadecimal digits. It is the SHA-256 of
// "ir:plancheck.logical-schedule/1", a line feed, and the schedule's canonical
// JSON; see PlanDigest.
func LogicalScheduleDigest(s *LogicalSchedule) string {
	h := sha256.New()
	spill := func(b []byte) { h.Write(b) } // a hash never fails
	w := &writer{canonical: true, spill: spill}
	w.buf = append(w.buf, "ir:"+LogicalScheduleSchema+"\n"...)
	w.logicalSchedule(s)
	spill(w.buf)
	return digestPrefix + hex.EncodeToString(h.Sum(nil))
}

func (w *writer) logicalSchedule(s *LogicalSchedule) {
	w.object(
		section{key: "schema", there: true, write: func() { w.text(LogicalScheduleSchema) }},
		section{key: "graph_digest", there: s.GraphDigest != "", write: func() { w.text(s.GraphDigest) }},
		section{key: "cores", there: true, tall: true, write: func() { row(w, s.Cores, w.text) }},
		section{key: "tasks", there: true, tall: true, write: func() { lines(w, s.Tasks, w.task) }},
		section{key: "length", there: true, tall: true, write: func() { w.integer(s.Length) }},
	)
}

func (w *writer) task(t *Task) {
	w.entity(func() {
		w.field("op")
		w.text(t.Op)
		for _, f := range []struct {
			key   string
			value int64
		}{{"lane", t.Lane}, {"core", t.Core}, {"start", t.Start}, {"finish", t.Finish}} {
			w.field(f.key)
			w.integer(f.value)
		}
	})
}
