package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

func writeExploreText(w io.Writer, x *Exploration, opts Options) error {
	out := bufio.NewWriter(w)
	if !opts.Quiet {
		fmt.Fprintf(out, "%s: %s\n\n", FileName(x.Name), exploreHeadline(x))
	}
	writeTable(out, exploreTable(x), painter(opts.Color))
	if !opts.Quiet {
		for _, note := range exploreNotes(x) {
			fmt.Fprintln(out, note)
		}
	}
	return out.Flush()
}

// exploreHeadline says what is listed.
func exploreHeadline(x *Exploration) string {
	text := counted(len(x.Schedules), "schedule")
	if x.Pareto {
		text += " on the front of " + Thousands(x.Found)
	}
	text += fmt.Sprintf(" with an interval of at most %s", counted(x.Limit, "cycle"))
	if len(x.Schedules) > 0 {
		text += fmt.Sprintf(", %s %% above the best", x.Within)
	}
	return text + fmt.Sprintf("; each passed %s", counted(x.Invariants, "invariant"))
}

// exploreTable are the rows of the table, its head first.
func exploreTable(x *Exploration) [][]string {
	head := []string{"", ""}
	for _, m := range Measures() {
		head = append(head, m.Short)
	}
	head = append(head, "over best", "moved")
	if x.Current != nil {
		head = append(head, "from now")
	}
	rows := [][]string{head}
	add := func(name string, s *Schedule, current bool) {
		row := []string{name, ""}
		if s.Front {
			row[1] = "*"
		}
		for _, c := range s.Costs {
			row = append(row, known(c))
		}
		row = append(row, overBest(x, s), Thousands(len(s.FromBest)))
		switch {
		case current:
			row = append(row, "")
		case x.Current != nil:
			row = append(row, Thousands(len(s.FromCurrent)))
		}
		rows = append(rows, row)
	}
	for i := range x.Schedules {
		add(fmt.Sprint(x.Schedules[i].Number), &x.Schedules[i], false)
	}
	if x.Current != nil {
		add("now", x.Current, true)
	}
	return rows
}

// known writes a cost.
func known(cost int64) string {
	if cost == NotKnown {
		return "?"
	}
	return Thousands(cost)
}

// overBest is how far the interval is above the best, in percent.
func overBest(x *Exploration, s *Schedule) string {
	if len(x.Schedules) == 0 || s.Costs[0] == NotKnown {
		return "?"
	}
	best := x.Schedules[0].Costs[0]
	if best == 0 || s.Costs[0] == best {
		return "0 %"
	}
	return fmt.Sprintf("%+.2f %%", float64(s.Costs[0]-best)/float64(best)*100)
}

// writeTable writes rows with their columns right-aligned.
func writeTable(out *bufio.Writer, rows [][]string, p painter) {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for r, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString(" ")
			}
			if i > 2 {
				line.WriteString(" ")
			}
			line.WriteString(strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell)) + cell)
		}
		text := strings.TrimRight(line.String(), " ")
		switch {
		case r == 0:
			text = p.paint(faint, text)
		case r == 1:
			text = p.paint(bold, text)
		}
		fmt.Fprintln(out, text)
	}
}

// exploreNotes explain the table, and say whether it has all.
func exploreNotes(x *Exploration) []string {
	notes := []string{""}
	if len(x.Schedules) > 1 {
		notes = append(notes, "*  on the front: no other row is as good in everything and better in something")
		moved := "moved: ops in another stage than in row 1"
		if x.Current != nil {
			moved += "; from now: than in the plan as it is (now)"
		}
		notes = append(notes, moved)
	}
	if c := x.Current; c != nil && c.Errors > 0 {
		notes = append(notes, "the plan as it is (now) is not legal: "+counted(c.Errors, "error"))
	}
	return append(notes, exploreEnd(x))
}

// exploreEnd says whether there may be more.
func exploreEnd(x *Exploration) string {
	text := "these are all"
	if x.Pareto {
		text = "this is the front of all"
	}
	if !x.All {
		text = "there may be more: " + printable(x.Ended)
	} else if x.Distance > 1 {
		text += fmt.Sprintf(", as far as they are %s apart", counted(x.Distance, "op"))
	}
	if x.Bound < x.Limit && len(x.Schedules) > 0 && x.Bound < x.Schedules[0].Costs[0] {
		text += fmt.Sprintf("; the best interval is at least %s", Thousands(x.Bound))
	}
	if x.Broken > 0 {
		text += fmt.Sprintf("; %s left out, because rules are broken that the search does not know", counted(x.Broken, "schedule"))
	}
	if x.Unpacked > 0 {
		text += fmt.Sprintf("; for %s of stages no cores were found", counted(x.Unpacked, "choice"))
	}
	return text
}
