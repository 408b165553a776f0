package cli

import (
	"bufio"
	"fmt"
	"io"

	"plancheck/internal/diag"
	"plancheck/internal/passes"
	"plancheck/internal/report"
)

// partsShown is how many edges of a path are shown with their places.
const partsShown = 8

// tellWhy shows a conflict: what cannot all hold, where the plan says it, what
// giving it up would cost, and the sums behind it; and last how the search found
// out.
func tellWhy(w io.Writer, name string, out *passes.Outcome, opts report.Options) error {
	why := out.Why
	text := bufio.NewWriter(w)
	for i := range why.Conflict {
		c := &why.Conflict[i]
		d := c.Diagnostic
		d.Snippet, d.Help = "", "" // a conflict is short
		if err := report.WriteDiagnostics(text, []diag.Diagnostic{d}, opts); err != nil {
			return err
		}
		for n, p := range c.Parts {
			if n == partsShown && len(c.Parts) > partsShown+1 {
				fmt.Fprintf(text, "    and %d more\n", len(c.Parts)-n)
				break
			}
			what := ""
			if len(c.Parts) > 1 {
				what = report.Printable(p.Text) + "  "
			}
			if p.Pos.Line > 0 {
				fmt.Fprintf(text, "    %s%d:%d  %s\n", what, p.Pos.Line, p.Pos.Column, report.Printable(p.Pos.Pointer))
			} else if what != "" {
				fmt.Fprintf(text, "    %s\n", what)
			}
		}
		fmt.Fprintf(text, "    given up: %s\n", report.Printable(c.Help))
	}
	for _, sum := range why.Sums {
		fmt.Fprintf(text, "%s: sum: %s\n", report.FileName(name), report.Printable(sum))
	}
	what := "these cannot all hold; without any one of them, or of their parts, the others can"
	switch {
	case !why.Minimal:
		what = "these cannot all hold; it was not shown in time that all of them are needed, so fewer may be enough"
	case len(why.Conflict) == 1 && len(why.Conflict[0].Parts) == 1:
		what = "this cannot hold"
	}
	fmt.Fprintf(text, "%s: %s\n", report.FileName(name), what)
	if why.Cheapest != "" {
		fmt.Fprintf(text, "%s: cheapest way out that was found: %s\n", report.FileName(name), report.Printable(why.Cheapest))
	}
	fmt.Fprintf(text, "%s: infeasible: %s\n", report.FileName(name), refuted(out.Result.BoundBy))
	return text.Flush()
}
