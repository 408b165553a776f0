package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/rules"
)

// storiesShown is how many stories of a document are shown.
const storiesShown = 100

// storyLines is how many findings of a story are shown besides the first.
const storyLines = 5

func textFormat() Format {
	return Format{
		Name:  "text",
		About: "findings with snippet and proof, for people",
		Write: writeText,
	}
}

// writeText writes the findings of all documents, each document closed by its
// summary line. What else there is to say goes to WriteProblems and WriteNotes.
func writeText(w io.Writer, run *Run, opts Options) error {
	out := bufio.NewWriter(w)
	p := painter(opts.Color)
	for _, d := range run.Documents {
		if d.Verdict == nil {
			continue
		}
		all := stories(d.Verdict.Findings)
		for i, story := range all {
			if !opts.All && i == storiesShown && len(all) > storiesShown+1 {
				fmt.Fprintf(out, "%s\n\n", p.paint(faint, fmt.Sprintf("... and %s more stories; --all shows them", Thousands(len(all)-i))))
				break
			}
			writeStory(out, p, story, d.Verdict.Symbols, opts.All)
			fmt.Fprintln(out)
		}
		if len(d.Costs) > 0 {
			fmt.Fprintf(out, "%s: %s\n", FileName(d.Name), costLine(d.Costs))
		}
		if !opts.Quiet {
			fmt.Fprintf(out, "%s: %s\n", FileName(d.Name), summary(p, d))
		}
	}
	return out.Flush()
}

// stories joins findings that have one cause, each story at the place of its
// first finding.
func stories(findings []diag.Diagnostic) [][]diag.Diagnostic {
	var all [][]diag.Diagnostic
	for i, k := range storyOf(findings) {
		if k == len(all) {
			all = append(all, nil)
		}
		all[k] = append(all[k], findings[i])
	}
	return all
}

// storyOf numbers the stories from 0 and returns that of each finding.
func storyOf(findings []diag.Diagnostic) []int {
	type cause struct{ code, group string }
	number := make([]int, len(findings))
	at := map[cause]int{}
	n := 0
	for i, f := range findings {
		c := cause{f.Code, f.Group}
		k, seen := at[c]
		if !seen || f.Group == "" {
			k = n
			at[c] = k
			n++
		}
		number[i] = k
	}
	return number
}

func writeStory(w *bufio.Writer, p painter, story []diag.Diagnostic, syms *symbol.Table, whole bool) {
	writeFinding(w, p, story[0], syms, whole)
	rest := story[1:]
	if whole {
		for _, f := range rest {
			fmt.Fprintln(w)
			writeFinding(w, p, f, syms, whole)
		}
		return
	}
	for i, f := range rest {
		if i == storyLines && len(rest) > storyLines+1 {
			fmt.Fprintf(w, "  %s\n", p.paint(faint, fmt.Sprintf("... and %s more; --all shows them", Thousands(len(rest)-i))))
			return
		}
		fmt.Fprintf(w, "  also %s: %s\n", place(f.Pos), printable(f.Message))
	}
}

func writeFinding(w *bufio.Writer, p painter, f diag.Diagnostic, syms *symbol.Table, whole bool) {
	writeHeader(w, p, f)
	writeSteps(w, p, f, whole)
	switch {
	case f.Proof == nil:
	case whole || len(f.Steps) == 0:
		writeProof(w, p, f.Proof, syms, whole)
	default: // the steps say it better
		writeRule(w, p, f.Proof, "; --all shows the proof")
	}
	if f.Help != "" {
		fmt.Fprintf(w, "  %s %s\n", p.paint(green, "help:"), printable(f.Help))
	}
}

// writeHeader writes what and where: the first line and the snippet.
func writeHeader(w *bufio.Writer, p painter, f diag.Diagnostic) {
	if at := place(f.Pos); at != "" {
		fmt.Fprintf(w, "%s: ", p.paint(bold, at))
	}
	kind := f.Severity.String()
	if f.Code != "" {
		kind += "[" + printable(f.Code) + "]"
	}
	fmt.Fprintf(w, "%s: %s\n", p.paint(severityColor(f.Severity), kind), p.paint(bold, printable(f.Message)))
	if f.Snippet == "" || f.Pos.Line == 0 {
		return
	}
	text, before := snippet(f.Snippet, f.Pos.Column-f.SnippetSkip)
	number := fmt.Sprint(f.Pos.Line)
	bar := p.paint(faint, "|")
	fmt.Fprintf(w, "    %s %s %s\n", p.paint(faint, number), bar, text)
	fmt.Fprintf(w, "    %s %s %s%s\n", strings.Repeat(" ", len(number)), bar,
		strings.Repeat(" ", before), p.paint(severityColor(f.Severity), "^"))
}

// summary says what was checked and with what result.
func summary(p painter, d Document) string {
	v := d.Verdict
	var checked []string
	switch {
	case v.Commands > 0:
		checked = append(checked, counted(v.Commands, "command")+" on "+counted(v.Queues, "queue"))
	case v.Ops == 0 && !v.Opless:
		checked = append(checked, "0 ops")
	}
	checked = append(checked, counted(v.Facts, "fact"), counted(v.Rules, "rule"))
	what := strings.Join(checked, ", ")
	if v.Holes > 0 {
		what += ", " + counted(v.Holes, "hole") + " left out"
	}
	errors, warnings := Count(v.Findings, diag.Error), Count(v.Findings, diag.Warning)
	var result []string
	if errors > 0 {
		result = append(result, p.paint(red, counted(errors, "error")))
	}
	if warnings > 0 {
		result = append(result, p.paint(yellow, counted(warnings, "warning")))
	}
	if n := Count(v.Findings, diag.Note); n > 0 {
		result = append(result, p.paint(cyan, counted(n, "note")))
	}
	withheld := d.Withheld()
	if len(result) == 0 {
		none := "no violations"
		if len(withheld) > 0 {
			none = "no other violations"
		}
		return strings.Join(append([]string{what, p.paint(green, none)}, withheld...), ", ")
	}
	result = append(result, withheld...)
	return strings.Join(result, ", ") + " (" + what + ")"
}

func costLine(costs []rules.Cost) string {
	var parts []string
	for _, c := range costs {
		value := "unknown"
		if c.Known {
			value = Thousands(c.Value) + " " + c.Unit
		}
		parts = append(parts, strings.TrimSpace(c.Name+" "+value))
	}
	return printable(strings.Join(parts, ", "))
}
