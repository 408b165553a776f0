package cli

import (
	"fmt"
	"io"
	"strings"

	"plancheck/internal/report"
	"plancheck/ir"
	"plancheck/ir/timeline"
)

// pathShown is how many steps of the critical path the table shows at either end.
const pathShown = 20

// tellSimulated prints what a timeline says: the makespan, the critical path, and
// how busy queues and memory are.
func tellSimulated(w io.Writer, name string, plan *ir.Plan, b *timeline.Bundle, all bool) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s commands, makespan %s ms\n\n", report.FileName(name), report.Thousands(len(b.Intervals)), milliseconds(b.Makespan))
	t := &table{out: &out}
	t.title("Critical path (ms)")
	intervals := map[string]*timeline.Interval{}
	for i := range b.Intervals {
		intervals[b.Intervals[i].Command] = &b.Intervals[i]
	}
	for i, s := range b.Path {
		if left := len(b.Path) - 2*pathShown; !all && left > 1 && i >= pathShown && i < pathShown+left {
			if i == pathShown {
				t.row(fmt.Sprintf("... %s more; --all shows them", report.Thousands(left)))
			}
			continue
		}
		if i == 0 {
			t.row("command", "by", "start", "end", "takes")
		}
		x := intervals[s.Command]
		t.row(report.FileName(s.Command), s.Edge, milliseconds(x.Start), milliseconds(x.End), milliseconds(x.End-x.Start))
	}
	t.title("Queues")
	for i, r := range b.Resources {
		if i == 0 {
			t.row("queue", "commands", "busy (ms)", "busy (%)")
		}
		t.row(report.FileName(r.ID), report.Thousands(len(r.Commands)), milliseconds(r.Busy), percent(r.Busy, b.Makespan))
	}
	t.title("Memory")
	for i, p := range b.Peaks {
		if i == 0 {
			t.row("region", "high water (bytes)", "capacity (bytes)", "used (%)")
		}
		capacity := plan.Program.Regions[i].Capacity
		t.row(report.FileName(p.Region), report.Thousands(p.Bytes), report.Thousands(capacity), percent(p.Bytes, capacity))
	}
	t.flush()
	_, err := io.WriteString(w, out.String())
	return err
}

// milliseconds writes picoseconds from 0 as milliseconds, exactly.
func milliseconds(ps int64) string {
	const perMillisecond = 1_000_000_000
	whole, part := ps/perMillisecond, ps%perMillisecond
	if part == 0 {
		return fmt.Sprint(whole)
	}
	return fmt.Sprintf("%d.%s", whole, strings.TrimRight(fmt.Sprintf("%09d", part), "0"))
}

// percent writes a share of a whole, rounded to a tenth; "-" of nothing.
func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(whole))
}
