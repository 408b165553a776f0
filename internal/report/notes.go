package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"plancheck/internal/diag"
)

// WriteProblems writes for people why rules or documents could not be used,
// and the warnings about rules. It belongs on standard error.
func WriteProblems(w io.Writer, run *Run, opts Options) error {
	out := bufio.NewWriter(w)
	p := painter(opts.Color)
	for _, d := range run.RuleDiags {
		if d.Severity == diag.Error || !opts.Quiet {
			writeFinding(out, p, d, nil, opts.All)
		}
	}
	for _, d := range run.Documents {
		for _, e := range d.Errors {
			writeFinding(out, p, e, nil, opts.All)
		}
		if n := Count(d.Errors, diag.Error); n > 0 && !opts.Quiet {
			fmt.Fprintf(out, "%s: %s, not judged\n", fileName(d.Name), p.paint(red, counted(n, "error")))
		}
	}
	return out.Flush()
}

// WriteNotes writes for people what a verdict does not cover: built-in rules
// that were not asked and sections that no rule read. It belongs on standard
// error.
func WriteNotes(w io.Writer, run *Run, opts Options) error {
	if opts.Quiet {
		return nil
	}
	out := bufio.NewWriter(w)
	note := painter(opts.Color).paint(cyan, "note:")
	judged := false
	for _, d := range run.Documents {
		if d.Verdict == nil {
			continue
		}
		judged = true
		if len(d.Verdict.Unread) > 0 {
			fmt.Fprintf(out, "%s %s: no rule read %s\n", note, fileName(d.Name), printable(strings.Join(d.Verdict.Unread, ", ")))
		}
	}
	if judged && len(run.LeftOut) > 0 {
		fmt.Fprintf(out, "%s built-in rules not asked: %s\n", note, printable(strings.Join(run.LeftOut, ", ")))
	}
	return out.Flush()
}
