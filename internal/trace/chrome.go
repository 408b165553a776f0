package trace

import (
	"fmt"
	"strings"

	"plancheck/internal/strictjson"
	"plancheck/ir"
	"plancheck/ir/timeline"
)

// Chrome writes the JSON object format of Chrome's trace viewer: complete events
// ("X"), names of processes and threads ("M"), and flows ("s", "f") along the
// critical path. Its unit is the microsecond; fractions keep every picosecond.
func Chrome(plan *ir.Plan, b *timeline.Bundle) []byte {
	w := &chrome{}
	w.buf = append(w.buf, `{"displayTimeUnit": "ns", "traceEvents": [`...)
	tid := 0
	type place struct{ pid, tid int }
	path := make([]*slice, len(b.Path)+1) // by step
	places := make([]place, len(b.Path)+1)
	for i, p := range processes(plan, b) {
		pid := i + 1
		w.event(`"name": "process_name", "ph": "M", "pid": %d, "args": {"name": %s}`, pid, quote(p.device))
		for _, t := range p.tracks {
			tid++
			w.event(`"name": "thread_name", "ph": "M", "pid": %d, "tid": %d, "args": {"name": %s}`, pid, tid, quote(t.name))
			w.event(`"name": "thread_sort_index", "ph": "M", "pid": %d, "tid": %d, "args": {"sort_index": %d}`, pid, tid, tid)
			for _, s := range t.slices {
				w.event(`"name": %s, "cat": %s, "ph": "X", "ts": %s, "dur": %s, "pid": %d, "tid": %d, "args": {%s}`,
					quote(s.name), quote(s.command.Kind), microseconds(s.start), microseconds(s.end-s.start), pid, tid, s.arguments())
				if s.step > 0 {
					path[s.step], places[s.step] = s, place{pid, tid}
				}
			}
		}
	}
	for step := 1; step < len(b.Path); step++ {
		from, to := path[step], path[step+1]
		if from == nil || to == nil || from.start == to.start {
			continue
		}
		flow := func(phase string, time int64, at place) {
			w.event(`"name": "critical path", "cat": "critical", %s, "id": %d, "ts": %s, "pid": %d, "tid": %d`, phase, step, microseconds(time), at.pid, at.tid)
		}
		flow(`"ph": "s"`, from.start, places[step])
		flow(`"ph": "f", "bp": "e"`, to.start, places[step+1])
	}
	return append(w.buf, "\n]}\n"...)
}

type chrome struct {
	buf  []byte
	some bool
}

// event writes an event, given its fields.
func (w *chrome) event(format string, args ...any) {
	if w.some {
		w.buf = append(w.buf, ',')
	}
	w.some = true
	w.buf = append(w.buf, "\n {"...)
	w.buf = fmt.Appendf(w.buf, format, args...)
	w.buf = append(w.buf, '}')
}

// arguments are what is said of a slice besides when it is.
func (s *slice) arguments() string {
	args := []string{}
	if s.name != s.id {
		args = append(args, `"command": `+quote(s.id))
	}
	if s.op != "" {
		args = append(args, `"op": `+quote(s.op))
	}
	if s.command.Stage != ir.None {
		args = append(args, fmt.Sprintf(`"stage": %d`, s.command.Stage))
	}
	if s.command.Microbatch != ir.None {
		args = append(args, fmt.Sprintf(`"microbatch": %d`, s.command.Microbatch))
	}
	if s.hop != noHop {
		args = append(args, fmt.Sprintf(`"hop": %d`, s.hop))
	} else {
		args = append(args, fmt.Sprintf(`"slack_ps": %d`, s.slack))
	}
	if s.step > 0 {
		args = append(args, `"critical": `+quote(s.edge))
	}
	return strings.Join(args, ", ")
}

func quote(s string) string { return string(strictjson.AppendString(nil, s)) }

func microseconds(ps int64) string { return timeline.In(timeline.Microsecond, ps) }
