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
	fmt.Fprintf(&out, "%s: makespan %s %s, %s\n\n", report.FileName(name), u.of(b.Makespan), u.name, commands(len(b.Intervals)))
	t := &table{out: &out}
	t.title(fmt.Sprintf("Critical path (%s)", u.name))
	intervals := map[string]*timeline.Interval{}
	for i := range b.Intervals {
		intervals[b.Intervals[i].Command] = &b.Intervals[i]
	}
	labels := plan.CommandLabels()
	does := map[string]string{} // by command
	for _, c := range plan.Program.Commands {
		does[plan.Text(c.ID)] = c.Kind
		if c.Op != "" {
			does[plan.Text(c.ID)] = c.Op
		}
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
	t.title("Queues")
	for i, r := range b.Resources {
		if i == 0 {
			t.row("queue", "commands", fmt.Sprintf("busy (%s)", u.name), "busy (%)")
		}
		t.row(report.FileName(r.ID), report.Thousands(len(r.Commands)), u.of(r.Busy), percent(r.Busy, b.Makespan))
	}
	for i, l := range b.Links {
		if i == 0 {
			t.title("Links")
			t.row("link", "payloads", fmt.Sprintf("busy (%s)", u.name), "busy (%)")
		}
		busy := int64(0)
		for _, p := range l.Payloads {
			busy += p.End - p.Start
		}
		t.row(report.FileName(l.ID), report.Thousands(len(l.Payloads)), u.of(busy), percent(busy, b.Makespan))
	}
	for i, x := range b.Units {
		if i == 0 {
			t.title("Units")
			t.row("unit", "commands", "first ("+u.name+")", "last ("+u.name+")")
		}
		first, last := x.Issues[0].Start, x.Issues[0].Start
		for _, s := range x.Issues {
			first, last = min(first, s.Start), max(last, s.Start)
		}
		t.row(report.FileName(x.ID), report.Thousands(len(x.Issues)), u.of(first), u.of(last))
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

func commands(n int) string {
	if n == 1 {
		return "1 command"
	}
	return report.Thousands(n) + " commands"
}

// unit is what times are shown in.
type unit struct {
	name string
	ps   int64 // that it has
}

// unitOf returns the unit in which a makespan is read best: milliseconds from
// 10 microseconds on, microseconds from 10 nanoseconds on, else picoseconds.
func unitOf(makespan int64) unit {
	for _, u := range []unit{{"ms", 1_000_000_000}, {"us", 1_000_000}} {
		if makespan >= u.ps/100 {
			return u
		}
	}
	return unit{"ps", 1}
}

// of writes picoseconds from 0 in the unit, exactly.
func (u unit) of(ps int64) string {
	whole, part := ps/u.ps, ps%u.ps
	if part == 0 {
		return fmt.Sprint(whole)
	}
	digits := len(fmt.Sprint(u.ps)) - 1
	return fmt.Sprintf("%d.%s", whole, strings.TrimRight(fmt.Sprintf("%0*d", digits, part), "0"))
}

// percent writes a share of a whole, rounded to a tenth; "-" of nothing.
func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(whole))
}
