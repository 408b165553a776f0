package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"plancheck/internal/diag"
	"plancheck/rules"
)

// problemsShown is how many problems of one document are shown.
const problemsShown = 100

// WriteProblems writes for people why rules or documents could not be used,
// and the warnings about rules. It belongs on standard error.
func WriteProblems(w io.Writer, run *Run, opts Options) error {
	out := bufio.NewWriter(w)
	p := painter(opts.Color)
	writeDiagnostics(out, p, run.RuleDiags, opts)
	for _, d := range run.Documents {
		writeDiagnostics(out, p, d.Errors, opts)
		if n := Count(d.Errors, diag.Error); n > 0 && !opts.Quiet {
			fmt.Fprintf(out, "%s: %s, not judged\n", FileName(d.Name), p.paint(red, counted(n, "error")))
		}
	}
	return out.Flush()
}

// WriteDiagnostics writes diagnostics for people, each with its snippet.
func WriteDiagnostics(w io.Writer, ds []diag.Diagnostic, opts Options) error {
	out := bufio.NewWriter(w)
	writeDiagnostics(out, painter(opts.Color), ds, opts)
	return out.Flush()
}

// writeDiagnostics writes the first of many and counts the rest.
func writeDiagnostics(w *bufio.Writer, p painter, ds []diag.Diagnostic, opts Options) {
	for i, d := range ds {
		if !opts.All && i == problemsShown && len(ds) > problemsShown+1 {
			fmt.Fprintf(w, "%s\n", p.paint(faint, fmt.Sprintf("... and %s more; --all shows them", Thousands(len(ds)-i))))
			return
		}
		if d.Severity == diag.Error || !opts.Quiet || d.Code == rules.IdleFile {
			writeFinding(w, p, d, nil, opts.All)
		}
	}
}

// namesShown is how many names a note lists.
const namesShown = 10

// listed shows the first of many names and counts the rest.
func listed(names []string, all bool) string {
	rest := ""
	if !all && len(names) > namesShown+1 {
		rest = fmt.Sprintf(" and %s more; --all lists them", Thousands(len(names)-namesShown))
		names = names[:namesShown]
	}
	return printable(strings.Join(names, ", ")) + rest
}

// WriteNotes writes for people what a verdict does not cover: built-in rules
// that were not asked, sections that no rule read and files that are no plans;
// and what the baseline has beyond the findings. It belongs on standard error.
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
			fmt.Fprintf(out, "%s %s: no rule read %s\n", note, FileName(d.Name), printable(strings.Join(d.Verdict.Unread, ", ")))
		}
		if d.Alone {
			fmt.Fprintf(out, "%s %s: judged alone; rules say more beside the document that it was made from, which --parent names\n", note, FileName(d.Name))
		}
	}
	if judged && run.ParentUnread {
		fmt.Fprintf(out, "%s %s: no rule compares with this parent; builtin:repack and builtin:transfer do\n", note, FileName(run.Parent))
	}
	if judged && len(run.LeftOut) > 0 {
		fmt.Fprintf(out, "%s built-in rules not asked: %s\n", note, printable(strings.Join(run.LeftOut, ", ")))
	}
	for _, s := range run.Skipped {
		where := ""
		if s.Folder != "" {
			where = FileName(s.Folder) + ": "
		}
		fmt.Fprintf(out, "%s %sskipped, %s: %s\n", note, where, s.Why, listed(s.Files, opts.All))
	}
	if run.Recorded {
		n, _ := run.withheld()
		fmt.Fprintf(out, "%s %s: %s recorded\n", note, FileName(run.Baseline), counted(n, "finding"))
	}
	if n := len(run.Gone); n > 0 {
		gone := make([]string, n)
		for i, e := range run.Gone {
			gone[i] = e.Code + " (" + e.Message + ")"
		}
		fmt.Fprintf(out, "%s %s: %s did not occur: %s\n", note, FileName(run.Baseline), counted(n, "finding"), listed(gone, opts.All))
	}
	return out.Flush()
}
