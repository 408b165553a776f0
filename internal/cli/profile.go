package cli

import (
	"fmt"
	"io"
	"time"

	"plancheck/internal/diag"
	"plancheck/rules"
)

// profiledRules is how many rules --profile lists.
const profiledRules = 15

// writeProfile lists the rules of a verdict that took longest. Times differ
// from run to run, so they are no part of a report.
func writeProfile(w io.Writer, document string, v *rules.Verdict) {
	var total time.Duration
	for _, c := range v.Profile {
		total += c.Time
	}
	fmt.Fprintf(w, "%s: %v in %s\n%12s %12s  %s\n", document, total.Round(time.Microsecond), diag.Counted(len(v.Profile), "rule"), "time", "rows", "rule")
	for i, c := range v.Profile {
		if i == profiledRules {
			fmt.Fprintf(w, "%12s %12s  and %d more\n", "", "", len(v.Profile)-i)
			break
		}
		fmt.Fprintf(w, "%12v %12d  %s:%d  %s\n", c.Time.Round(time.Microsecond), c.Rows, c.Rule.Pos.File, c.Rule.Pos.Line, c.Relation)
	}
}
