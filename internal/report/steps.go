package report

import (
	"bufio"
	"fmt"
	"strings"

	"plancheck/internal/diag"
)

// stepsShown is how many steps of a finding are shown unless everything is asked
// for: of a longer story the beginning and the end. The json report has all.
const stepsShown = 16

// stepCells is how long a step may be for places to be aligned behind it.
const stepCells = 100

// told is a finding's steps as a format for people shows them.
type told struct {
	lines []toldStep
	after string // what the last line does not say
}

// toldStep is one step, or what stands for several.
type toldStep struct {
	number int    // from 1 on; 0 where it stands for several
	text   string // a sentence
	places string // plan.json:25:52, 34:52
}

// tell shows the steps of a finding; whole shortens nothing.
func tell(d diag.Diagnostic, whole bool) told {
	n := len(d.Steps)
	first, last := n, n // steps from first to before last are folded
	if !whole && n > stepsShown+1 {
		first = stepsShown / 2
		last = n - (stepsShown - first)
	}
	var t told
	for i, s := range d.Steps {
		switch {
		case i == first && first < last:
			t.lines = append(t.lines, toldStep{text: fmt.Sprintf("%s %s more steps", cutMark, Thousands(last-first))})
		case i < first || i >= last:
			t.lines = append(t.lines, toldStep{i + 1, printable(s.Text), places(s.At)})
		}
	}
	if d.StepsLeftOut > 0 {
		t.after = fmt.Sprintf("%s and %s, left out because the proof would be too large", cutMark, counted(d.StepsLeftOut, "more step"))
	}
	return t
}

// places names several places, the file once for all that are in it.
func places(at []diag.Position) string {
	var b strings.Builder
	for i, p := range at {
		if i > 0 {
			b.WriteString(", ")
		}
		if i > 0 && p.File == at[i-1].File && p.Line > 0 {
			fmt.Fprintf(&b, "%d:%d", p.Line, p.Column)
		} else {
			b.WriteString(place(p))
		}
	}
	return b.String()
}

// writeSteps writes the steps of a finding, one a line, with their places.
func writeSteps(w *bufio.Writer, p painter, d diag.Diagnostic, whole bool) {
	t := tell(d, whole)
	digits := len(fmt.Sprint(len(d.Steps)))
	var lines []proofLine
	for _, s := range t.lines {
		line := proofLine{indent: 4, lead: fmt.Sprintf("%*d  ", digits, s.number), text: s.text, place: s.places}
		if s.number == 0 {
			line.lead = strings.Repeat(" ", digits+2)
		}
		lines = append(lines, line)
	}
	alignLines(w, p, lines, stepCells)
	if t.after != "" {
		fmt.Fprintf(w, "    %s\n", p.paint(faint, t.after))
	}
}
