package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"plancheck/encode"
	"plancheck/internal/diag"
	"plancheck/internal/passes"
	"plancheck/internal/report"
	"plancheck/internal/search/schedule"
	"plancheck/rules"
)

// tellMended says on standard error what came of a repair, and returns the exit
// code. What the rules say of a plan that stays illegal is only told when the
// verb does not report it anyway.
func tellMended(ctx context.Context, env Env, name string, set *rules.Set, out *passes.Mended, quiet, reported bool) (int, error) {
	w := env.Stderr
	switch {
	case out.Refused != nil:
		if err := complain(env, out.Refused); err != nil {
			return 0, err
		}
		if out.Refused[0].Code != "nothing-to-complete" { // there are no decisions
			fmt.Fprintf(w, "%s: not repaired: other decisions do not help against what is told above\n", report.FileName(name))
		}
		return exitViolations, nil
	case out.Left != nil:
		if !reported {
			if err := tellBroken(env, name, set, out.Left, false); err != nil {
				return 0, err
			}
		}
		fmt.Fprintf(w, "%s: not repaired: with the fewest changes that stages, cores and places need, these errors are left\n", report.FileName(name))
		return exitViolations, nil
	case out.Status == schedule.Infeasible:
		if out.Why != nil {
			if err := tellWhy(w, name, &passes.Outcome{Why: out.Why, Result: schedule.Result{BoundBy: "sat"}}, report.Options{Color: env.colorFor("auto", w)}); err != nil {
				return 0, err
			}
		}
		fmt.Fprintf(w, "%s: not repaired: no choice of stages, cores and places is legal\n", report.FileName(name))
		writeUnpriced(w, name, out)
		return exitViolations, nil
	case out.Plan == nil:
		why := "time ran out"
		if ctx.Err() != nil {
			why = "interrupted"
		}
		fmt.Fprintf(w, "%s: unknown: %s before a legal plan was found, and it is not shown that there is none\n", report.FileName(name), why)
		return exitUnknown, nil
	}
	if !quiet {
		writeMended(w, name, out)
		writeUnpriced(w, name, out)
	}
	return exitOK, nil
}

// writeMended tells the changes, and what each cures.
func writeMended(w io.Writer, name string, out *passes.Mended) {
	if len(out.Before) == 0 {
		fmt.Fprintf(w, "%s: legal by %s, nothing to repair\n", report.FileName(name), diag.Counted(out.Rules, "invariant"))
		return
	}
	n := out.Counted()
	text := diag.Counted(n, "change")
	switch {
	case n == 0:
		text = "no decision changed"
	case out.Status == schedule.Optimal:
		text += ", the fewest there can be"
	case out.Fewest == 0:
		text += ", and fewer may be enough"
	default:
		text += fmt.Sprintf(", and at least %d are needed", out.Fewest)
	}
	fmt.Fprintf(w, "%s: %s cured: %s; passed by %s\n", report.FileName(name), diag.Counted(len(out.Before), "error"), text, diag.Counted(out.Rules, "invariant"))
	var filled []encode.Change
	for i := range out.Changes {
		c := &out.Changes[i]
		if c.Filled {
			filled = append(filled, c.Change)
			continue
		}
		sign := "~"
		if c.Kind == encode.ChangeRecord {
			sign = "."
		}
		fmt.Fprintf(w, "  %s %s\n", sign, report.Printable(c.Text))
		writeCures(w, "      cures ", c.Cures)
	}
	if len(filled) > 0 {
		fmt.Fprintf(w, "  + %s filled: %s\n", diag.Counted(len(filled), "hole"), fillings(filled))
	}
	writeCures(w, "  also cured ", out.Cured)
	cost := out.Result.Cost
	interval := report.Thousands(cost.Interval) + " cycles"
	if cost.Interval == 1 {
		interval = "1 cycle"
	}
	if out.Result.Bound >= cost.Interval && out.Status == schedule.Optimal {
		interval += ", the least with as few changes"
	}
	fmt.Fprintf(w, "  interval %s\n", interval)
	if out.Rewritten {
		fmt.Fprintf(w, "%s: note: the text is written anew as a whole\n", report.FileName(name))
	}
}

// writeUnpriced says that forwards of some values were not thought of.
func writeUnpriced(w io.Writer, name string, out *passes.Mended) {
	if out.Unpriced > 0 {
		fmt.Fprintf(w, "%s: note: %s cannot be carried by forwards: nothing says how many cycles one takes; --forward-cycles does\n",
			report.FileName(name), diag.Counted(out.Unpriced, "value"))
	}
}

// curesShown is how many violations are shown of those that a change cures.
const curesShown = 3

func writeCures(w io.Writer, lead string, cured []diag.Diagnostic) {
	for i, d := range cured {
		if i == curesShown {
			fmt.Fprintf(w, "%sand %s more\n", lead, report.Thousands(int64(len(cured)-i)))
			return
		}
		fmt.Fprintf(w, "%s%s: %s\n", lead, d.Code, report.Printable(d.Message))
		lead = strings.Repeat(" ", len(lead))
	}
}

// fillings counts filled holes by kind: 3 stages, 5 cores.
func fillings(filled []encode.Change) string {
	var kinds []encode.ChangeKind
	count := map[encode.ChangeKind]int{}
	for _, c := range filled {
		if count[c.Kind]++; count[c.Kind] == 1 {
			kinds = append(kinds, c.Kind)
		}
	}
	var parts []string
	for _, k := range kinds {
		parts = append(parts, diag.Counted(count[k], string(k)))
	}
	return strings.Join(parts, ", ")
}
