package cli

import (
	"fmt"
	"io"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/passes"
	"plancheck/internal/report"
	"plancheck/internal/search/schedule"
)

// tellFound says what was found, and how good it is.
func tellFound(w io.Writer, name string, out *passes.Outcome) {
	r := &out.Result
	fmt.Fprintf(w, "%s: a complete plan, passed by %s\n", report.FileName(name), diag.Counted(out.Rules, "invariant"))
	interval := report.Thousands(r.Cost.Interval) + " cycles"
	why := boundReason(out)
	if r.Bound >= r.Cost.Interval {
		fmt.Fprintf(w, "  interval  %s, the least: %s\n", interval, why)
	} else {
		fmt.Fprintf(w, "  interval  %s, at least %s%s: %s\n", interval, report.Thousands(r.Bound), gap(r.Bound, r.Cost.Interval), why)
	}
	if r.Status != schedule.Optimal && out.Ended != "" {
		fmt.Fprintf(w, "  search    ended: %s\n", out.Ended)
	}
	if r.Cost.Forwards > 0 {
		text := report.Thousands(int64(r.Cost.Forwards)) + " added"
		switch {
		case r.Fewest >= r.Cost.Forwards:
			text += ", the fewest with this interval"
		case r.Fewest > 0:
			text += fmt.Sprintf(", at least %d with this interval", r.Fewest)
		}
		fmt.Fprintf(w, "  forwards  %s\n", text)
	}
	switch t := r.Cost.Traffic; {
	case t == schedule.Unknown && out.Traffic() != schedule.Unknown:
		fmt.Fprintf(w, "  traffic   %s byte hops; the placement was not searched\n", report.Thousands(out.Traffic()))
	case t == schedule.Unknown:
		fmt.Fprintln(w, "  traffic   not known: the plan does not state the size of every value, or how far cores are apart")
	case r.LeastTraffic >= t:
		fmt.Fprintf(w, "  traffic   %s byte hops, the least for this packing\n", report.Thousands(t))
	case r.LeastTraffic <= 0:
		fmt.Fprintf(w, "  traffic   %s byte hops\n", report.Thousands(t))
	default:
		fmt.Fprintf(w, "  traffic   %s byte hops, at least %s for this packing\n", report.Thousands(t), report.Thousands(r.LeastTraffic))
	}
	tellRules(w, out)
}

// tellRules says what rules of the user have done to the search.
func tellRules(w io.Writer, out *passes.Outcome) {
	if out.Obeyed == 0 {
		return
	}
	text := diag.Counted(out.Result.Rounds, "round") + " with the rules"
	switch more := out.Result.Cost.Interval - out.Without; {
	case out.Without == schedule.Unknown:
	case more == 0:
		text += ", at no price: the interval is the least without your rules, too"
	case out.Result.Bound < out.Result.Cost.Interval:
		text += ", at most " + report.Thousands(more) + " cycles more than without your rules"
	default:
		text += ", " + report.Thousands(more) + " cycles more than without your rules"
	}
	fmt.Fprintf(w, "  rules     %s\n", text)
}

// tellConflict says which rules of the user no plan obeys together.
func tellConflict(w io.Writer, name string, out *passes.Outcome) {
	fmt.Fprintf(w, "%s: infeasible: without your rules there are plans, but none obeys %s\n", report.FileName(name),
		map[bool]string{true: "this one:", false: "all of these:"}[len(out.Conflict) == 1])
	for _, c := range out.Conflict {
		inv := &c.Invariant
		fmt.Fprintf(w, "  %s: %s: %s\n", fmt.Sprintf("%s:%d", report.FileName(inv.Pos.File), inv.Pos.Line), inv.Code, report.Printable(inv.Doc))
		if c.Example != "" {
			fmt.Fprintf(w, "    for example a plan was refused because %s\n", report.Printable(c.Example))
		}
	}
}

// boundReason says why no interval is below the bound.
func boundReason(out *passes.Outcome) string {
	r := &out.Result
	switch s := r.Sum; {
	case s != nil:
		return sumText(out, s)
	case r.Bound == 0 && r.Cost.Interval == 0:
		return "nothing takes any time"
	}
	return bounded(r.BoundBy)
}

// sumText puts a sum in the plan's words.
func sumText(out *passes.Outcome, s *schedule.Sum) string {
	ops := opNames(out, s.Ops)
	switch {
	case s.Share:
		return fmt.Sprintf("a share of op %s takes %s cycles", ops, report.Thousands(s.Total))
	case len(s.Carried) > 0:
		n := 0
		for _, c := range s.Carried {
			n += c.Stages
		}
		return fmt.Sprintf("%s with %s take %s cycles on at most %s", opsText(s.Ops, ops), diag.Counted(n, "forward"), report.Thousands(s.Total), diag.Counted(s.Cores, "core"))
	default:
		return fmt.Sprintf("%s take %s cycles on at most %s", opsText(s.Ops, ops), report.Thousands(s.Total), diag.Counted(s.Cores, "core"))
	}
}

func opsText(ops []int, names string) string {
	if len(ops) == 1 {
		return "op " + names
	}
	return fmt.Sprintf("%d ops (%s)", len(ops), names)
}

// opNames lists a few ops by their ids.
func opNames(out *passes.Outcome, ops []int) string {
	var names []string
	for i, o := range ops {
		if i == 3 && len(ops) > 4 {
			names = append(names, "...")
			break
		}
		names = append(names, report.Printable(out.Model.OpName(o)))
	}
	return strings.Join(names, ", ")
}

// bounded says why no interval is below what a part of the search proved.
func bounded(part string) string {
	switch part {
	case "stages":
		return "no partition into stages is faster, however its lanes are packed"
	case "packing":
		return "the stages are decided, and no packing of their lanes is faster"
	case "sat":
		return "no schedule at all is faster, by exhaustive search"
	case "pins":
		return "the lanes that are pinned to one core take that long"
	case "pool":
		return "all lanes take that long on these cores, even without stages"
	case "":
		return "nothing was proven"
	}
	return "by " + part
}

// refuted says why there is no schedule, as a part of the search showed.
func refuted(part string) string {
	switch part {
	case "ranges":
		return "the sizes of ranges leave a stage without cores"
	case "stages":
		return "no partition into stages keeps to the rules and to what the plan decides"
	case "packing":
		return "the stages are decided, and no packing of their lanes keeps to the rules"
	case "sat":
		return "no schedule keeps to the rules and to what the plan decides, by exhaustive search"
	}
	return "shown by " + part
}
