package passes

import (
	"context"
	"fmt"
	"time"

	"plancheck/encode"
	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
)

// Why is a conflict in the plan's words.
type Why struct {
	// Conflict has what cannot all hold, a path of edges as one.
	Conflict []Conflicting
	// Sums are the weights and the room on which the conflict rests; none for a
	// conflict that is about something else, or too many to tell.
	Sums []string
	// Minimal: without any one part the others can hold. Else time ran out.
	Minimal bool
	// Cheapest is the relaxation with the least interval, and then the fewest
	// forwards, of those that were tried; "" when none of them helps.
	Cheapest string
}

// Conflicting is a statement of a conflict. The diagnostic is at its first part,
// and its help says what becomes of the plan when a part is given up.
type Conflicting struct {
	diag.Diagnostic
	Parts []encode.StatementPart
}

// conflictCode is the code of what is in a conflict.
const conflictCode = "conflict"

// relaxSteps is the budget of all relaxations together.
const relaxSteps = 1_000_000

// longestExplanation is how long a conflict is looked for and made small at most,
// where the search has a limit too.
const longestExplanation = 20 * time.Second

// explanation is the time for an explanation: what a search has, anew, but no
// more than is bearable.
func explanation(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, min(timeout, longestExplanation))
}

// whyNot looks for a conflict in an infeasible plan. It is nil when none was
// found in time.
func whyNot(ctx context.Context, m *encode.Model, o schedule.Options) (*Why, error) {
	m = m.Undecided()
	steps := int64(relaxSteps)
	if o.Steps > 0 {
		steps = min(steps, o.Steps)
	}
	w, err := schedule.WhyNot(ctx, m.Problem, schedule.WhyOptions{Prices: m.Prices(), Steps: steps})
	switch {
	case err != nil:
		return nil, err
	case w.Status == schedule.Feasible && o.Judge != nil:
		return nil, nil // what the judge wants is no constraint of the problem
	case w.Status == schedule.Feasible:
		return nil, fmt.Errorf("%w: a plan without a schedule has no conflict", errPhase)
	case w.Status != schedule.Infeasible:
		return nil, nil
	}
	why := &Why{Minimal: w.Minimal}
	for _, s := range m.Statements(w.Core) {
		c := Conflicting{Parts: s.Parts, Diagnostic: diag.Diagnostic{
			Code: conflictCode, Severity: diag.Error, Message: s.Text, Group: conflictCode,
			Pos: s.Parts[0].Pos, Snippet: s.Parts[0].Snippet, SnippetSkip: s.Parts[0].SnippetSkip,
			Help: help(m, &w, s.Of),
		}}
		why.Conflict = append(why.Conflict, c)
	}
	for _, x := range w.Excesses {
		why.Sums = append(why.Sums, m.ExcessText(x))
	}
	if i := w.Cheapest(); i >= 0 {
		why.Cheapest = relaxedText(m, w.Core[i], w.Relaxations[i])
	}
	return why, nil
}

// help says what becomes of the plan when one of these constraints is given up.
func help(m *encode.Model, w *schedule.Why, of []int) string {
	best, untried := -1, false
	for _, i := range of {
		r := w.Relaxations[i]
		if r.Status == schedule.StatusUnknown {
			untried = true
		}
		if r.Status == schedule.Feasible && (best < 0 || r.CheaperThan(w.Relaxations[best])) {
			best = i
		}
	}
	switch {
	case best >= 0:
		return relaxedText(m, w.Core[best], w.Relaxations[best])
	case untried:
		return "it was not tried in time whether that is enough"
	}
	return "that is not enough, something else conflicts too"
}

func relaxedText(m *encode.Model, c schedule.Constraint, r schedule.Relaxation) string {
	text := fmt.Sprintf("%s: interval %d", m.GivenUp(c, r), r.Cost.Interval)
	if r.Cost.Forwards > 0 {
		text += ", " + diag.Counted(r.Cost.Forwards, "forward")
	}
	return text
}
