package cli

import (
	"cmp"
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
// how busy queues, links, units and memory are.
func tellSimulated(w io.Writer, name string, plan *ir.Plan, b *timeline.Bundle, all bool) error {
	var out strings.Builder
	u := unitOf(b.Makespan)
	fmt.Fprintf(&out, "%s: makespan %s %s, %s\n\n", report.FileName(name), u.of(b.Makespan), u.name, several(len(b.Intervals), "command"))
	t := &table{out: &out}
	tellPath(t, u, plan, b, all)
	tellResources(t, u, b)
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

// tellPath lists the critical path, and without all only both of its ends.
func tellPath(t *table, u unit, plan *ir.Plan, b *timeline.Bundle, all bool) {
	t.title(fmt.Sprintf("Critical path (%s)", u.name))
	intervals := map[string]*timeline.Interval{}
	for i := range b.Intervals {
		intervals[b.Intervals[i].Command] = &b.Intervals[i]
	}
	labels := plan.CommandLabels()
	does := map[string]string{} // by command
	for _, c := range plan.Program.Commands {
		does[plan.Text(c.ID)] = cmp.Or(c.Op, c.Kind)
	}
	for i, s := range b.Path {
		if left := len(b.Path) - 2*pathShown; !all && left > 1 && i >= pathShown && i < pathShown+left {
			if i == pathShown {
				t.row(fmt.Sprintf("... %s more; --all shows them", report.Thousands(left)))
			}
			continue
		}
		if i == 0 {
			t.row("command", "does", "by", "start", "end", "takes")
		}
		x := intervals[s.Command]
		t.row(report.FileName(cmp.Or(labels[s.Command], s.Command)), report.FileName(does[s.Command]), s.Edge, u.of(x.Start), u.of(x.End), u.of(x.End-x.Start))
	}
}

// tellResources lists queues, and on a spatial target links and units.
func tellResources(t *table, u unit, b *timeline.Bundle) {
	t.title("Queues")
	for i, r := range b.Resources {
		if i == 0 {
			t.row("queue", "commands", "busy ("+u.name+")", "busy (%)")
		}
		t.row(report.FileName(r.ID), report.Thousands(len(r.Commands)), u.of(r.Busy), percent(r.Busy, b.Makespan))
	}
	t.title("Links")
	for i, l := range b.Links {
		if i == 0 {
			t.row("link", "payloads", "busy ("+u.name+")", "busy (%)")
		}
		busy := int64(0)
		for _, p := range l.Payloads {
			busy += p.End - p.Start
		}
		t.row(report.FileName(l.ID), report.Thousands(len(l.Payloads)), u.of(busy), percent(busy, b.Makespan))
	}
	t.title("Units")
	for i, x := range b.Units {
		if i == 0 {
			t.row("unit", "commands", "first ("+u.name+")", "last ("+u.name+")")
		}
		first, last := x.Issues[0].Start, x.Issues[0].Start
		for _, s := range x.Issues {
			first, last = min(first, s.Start), max(last, s.Start)
		}
		t.row(report.FileName(x.ID), report.Thousands(len(x.Issues)), u.of(first), u.of(last))
	}
}

// unit is what times are shown in.
type unit struct {
	name string
	ps   int64 // that it has
}

// unitOf returns the unit in which a makespan is read best: milliseconds from
// 10 microseconds on, microseconds from 10 nanoseconds on, else picoseconds.
func unitOf(makespan int64) unit {
	for _, u := range []unit{{"ms", timeline.Millisecond}, {"us", timeline.Microsecond}} {
		if makespan >= u.ps/100 {
			return u
		}
	}
	return unit{"ps", 1}
}

func (u unit) of(ps int64) string { return timeline.In(u.ps, ps) }

// percent writes a share of a whole, rounded to a tenth; "-" of nothing.
func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(whole))
}
