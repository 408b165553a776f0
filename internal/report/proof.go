package report

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// How much of a proof text shows unless everything is asked for. The json
// report has all of it.
const (
	groupRows  = 6   // rows of an aggregate
	proofLines = 32  // lines of one proof; a longer one is unfolded less deeply
	proofDepth = 12  // rules below the broken one on the way to a fact
	atomCells  = 120 // longest atom

	alignCells = 64 // places are aligned behind atoms that are shorter than this
	maxIndent  = 80 // deeper proofs are not indented further
)

// proofLine is one line of a proof before its columns are aligned.
type proofLine struct {
	indent  int
	lead    string // "because ", "and ", "- "
	text    string
	place   string // "by rules/pipeline.dl:31", "plan.json:120:9", "as above"
	pointer string
}

// proofText turns a proof into lines, unfolding the rules down to a depth.
type proofText struct {
	syms   *symbol.Table
	whole  bool
	depth  int
	lines  []proofLine
	shown  map[string]bool // atoms that stand in lines
	folded bool            // something was not unfolded
}

// writeProof writes a proof as a list of reasons, facts with their place in
// the document and rules with theirs, and the rule that was broken.
func writeProof(w *bufio.Writer, p painter, proof *diag.Proof, syms *symbol.Table, whole bool) {
	t := fittingText(proof, syms, whole)
	alignLines(w, p, t.lines, alignCells)
	if t.folded {
		fmt.Fprintf(w, "      %s\n", p.paint(faint, "... stands for more of the proof; --all shows it"))
	}
	writeRule(w, p, proof, "")
}

// writeRule names the rule that was broken.
func writeRule(w *bufio.Writer, p painter, proof *diag.Proof, more string) {
	if proof.Rule != nil {
		fmt.Fprintf(w, "  %s %s at %s%s\n", p.paint(green, "rule:"), printable(proof.Pred), rulePlace(proof.Rule.Pos), p.paint(faint, more))
	}
}

// fittingText unfolds a proof as deeply as its lines are few enough. What is
// near the finding says more about it than what is deep.
func fittingText(proof *diag.Proof, syms *symbol.Table, whole bool) *proofText {
	for depth := proofDepth; ; depth-- {
		t := &proofText{syms: syms, whole: whole, depth: depth, shown: map[string]bool{}}
		t.root(proof)
		if whole || depth == 0 || !t.full() {
			return t
		}
	}
}

// full says that there are too many lines, so that further ones are in vain.
func (t *proofText) full() bool { return !t.whole && t.depth > 0 && len(t.lines) > proofLines }

// root writes the reasons of the finding itself: its message has said what the
// proven fact would say.
func (t *proofText) root(p *diag.Proof) {
	switch p.Kind {
	case diag.ByRule:
		for i, premise := range p.Premises {
			t.reason(i, premise, 0)
		}
	case diag.ByAggregate:
		t.add(proofLine{indent: 2, lead: "because ", text: aggregateTitle(p)})
		t.rows(10, p, 0)
	default:
		t.reason(0, p, 0)
	}
}

// reason writes a premise of the violated rule. Atoms start in one column.
func (t *proofText) reason(i int, p *diag.Proof, depth int) {
	if i == 0 {
		t.node(2, "because ", p, depth)
	} else {
		t.node(6, "and ", p, depth)
	}
}

// node writes a proof and, below it, what it rests on.
func (t *proofText) node(indent int, lead string, p *diag.Proof, depth int) {
	if t.full() {
		return
	}
	line := proofLine{indent: indent, lead: lead}
	switch p.Kind {
	case diag.Fact:
		line.text = t.atom(p)
		if p.Pos.Pointer != "" {
			line.place, line.pointer = place(p.Pos), printable(p.Pos.Pointer)
		} else {
			line.place = rulePlace(p.Pos)
		}
	case diag.Absent:
		line.text = "no such fact: " + t.atom(p)
		line.place = rulePlace(p.Pos)
	case diag.Holds:
		line.text = cut(printable(p.Text))
		line.place = rulePlace(p.Pos)
	case diag.Seen:
		line.text, line.place = t.atom(p), "as above"
		if !t.shown[line.text] {
			line.place = cutMark // above, but folded
			t.folded = true
		}
	case diag.LeftOut:
		line.text, line.place = t.atom(p), "left out, the proof would be too large"
	case diag.ByRule, diag.ByAggregate:
		line.text = t.atom(p)
		if p.Rule != nil {
			line.place = "by " + rulePlace(p.Rule.Pos)
		}
		if !t.whole && depth == t.depth {
			line.place += " " + cutMark
			t.folded = true
			t.add(line)
			return
		}
		t.add(line)
		t.below(indent+len(lead)+2, p, depth+1)
		return
	}
	t.add(line)
}

// below writes what a rule was applied to.
func (t *proofText) below(indent int, p *diag.Proof, depth int) {
	if p.Kind == diag.ByAggregate {
		t.add(proofLine{indent: indent, text: aggregateTitle(p)})
		t.rows(indent, p, depth)
		return
	}
	for _, premise := range p.Premises {
		t.node(indent, "", premise, depth)
	}
}

// rows writes the rows of a group.
func (t *proofText) rows(indent int, p *diag.Proof, depth int) {
	for i, row := range p.Rows {
		if !t.whole && i == groupRows && len(p.Rows) > groupRows+1 {
			t.add(proofLine{indent: indent, text: fmt.Sprintf("... and %s more", Thousands(len(p.Rows)-i+p.Omitted))})
			return
		}
		lead := "- "
		for _, premise := range row.Premises {
			t.node(indent, lead, premise, depth)
			lead = "  "
		}
	}
	if p.Omitted > 0 {
		t.add(proofLine{indent: indent, text: fmt.Sprintf("... and %s more, left out because the proof would be too large", Thousands(p.Omitted))})
	}
}

func (t *proofText) add(l proofLine) {
	l.indent = min(l.indent, maxIndent)
	t.shown[l.text] = true
	t.lines = append(t.lines, l)
}

// atom writes a fact; what may be anything in it is an underscore.
func (t *proofText) atom(p *diag.Proof) string {
	args := make([]string, len(p.Args))
	for i, v := range p.Args {
		if p.Open != nil && p.Open[i] {
			args[i] = "_"
		} else {
			args[i] = t.syms.Format(v)
		}
	}
	return cut(printable(p.Pred + "(" + strings.Join(args, ", ") + ")"))
}

// reducers finds the functions of an aggregation in the text of its rule.
var reducers = regexp.MustCompile(`\blet\s+\w+\s*=\s*fn:(\w+)`)

// aggregateTitle names what was computed and over how many rows.
func aggregateTitle(p *diag.Proof) string {
	var names []string
	if p.Rule != nil {
		if i := strings.LastIndex(p.Rule.Clause, "|>"); i >= 0 {
			for _, m := range reducers.FindAllStringSubmatch(p.Rule.Clause[i:], -1) {
				names = append(names, m[1])
			}
		}
	}
	rows := counted(len(p.Rows)+p.Omitted, "row") + ":"
	if len(names) == 0 {
		return "a group of " + rows
	}
	return strings.Join(names, " and ") + " over " + rows
}

// cut shortens a text that is too long for a line.
func cut(s string) string {
	if utf8.RuneCountInString(s) <= atomCells {
		return s
	}
	n := 0
	for i := range s {
		if n == atomCells-3 {
			return s[:i] + "..."
		}
		n++
	}
	return s
}

// alignLines writes lines with their places below each other, behind texts that
// are not longer than the limit.
func alignLines(w *bufio.Writer, p painter, lines []proofLine, limit int) {
	atoms, places := 0, 0
	for _, l := range lines {
		if n := l.width(); l.place != "" && n <= limit {
			atoms = max(atoms, n)
		}
		if l.pointer != "" {
			places = max(places, cells(l.place))
		}
	}
	for _, l := range lines {
		fmt.Fprintf(w, "%s%s%s", strings.Repeat(" ", l.indent), p.paint(cyan, l.lead), l.text)
		if l.place != "" {
			fmt.Fprintf(w, "%s   %s", strings.Repeat(" ", max(0, atoms-l.width())), p.paint(faint, l.place))
		}
		if l.pointer != "" {
			fmt.Fprintf(w, "%s   %s", strings.Repeat(" ", places-cells(l.place)), p.paint(faint, l.pointer))
		}
		fmt.Fprintln(w)
	}
}

func (l proofLine) width() int { return l.indent + cells(l.lead) + cells(l.text) }
