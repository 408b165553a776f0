package passes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"plancheck/encode"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/jsonedit"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
	"plancheck/rules"
)

// RepairOptions say how a plan is to be mended.
type RepairOptions struct {
	// Encode: Forward, ForwardCycles and NonEmpty count.
	Encode encode.Options
	Search schedule.RepairOptions
	// Rules judge the plan before and after.
	Rules   *rules.Set
	Limits  datalog.Limits
	Timeout time.Duration // of the search; 0 is none
}

// Mended is what became of a plan.
type Mended struct {
	// Status is Optimal when no legal plan changes fewer decisions, Feasible when
	// that is not shown, Infeasible when no other decisions make a legal plan.
	Status schedule.Status
	// Before are the errors of the plan as it was; none for a legal plan, of which
	// nothing else is set.
	Before []diag.Diagnostic
	// Refused says what cannot be put right by other decisions.
	Refused []diag.Diagnostic
	// Why is a conflict, where no other decisions make a legal plan and it was
	// found in time.
	Why *Why
	// Left are errors of the plan that was made, which is not given out then.
	Left *rules.Verdict

	Plan    *ir.Plan
	Changes []Cure
	// Cured are findings that are gone without a change that their proofs name.
	Cured  []diag.Diagnostic
	Result schedule.RepairResult
	// Fewest is proven: every legal plan changes as many decisions or more.
	Fewest int
	// Unpriced is how many values could not be carried, because nothing says how
	// much work a forward of theirs is.
	Unpriced int
	Rules    int // how many invariants the plan was judged by

	// Edits make the mended document of the source. Rewritten says that they
	// replace it as a whole, because it could not be edited piece by piece.
	Edits     []jsonedit.Edit
	Rewritten bool

	model *encode.Model
	judge func(*schedule.Solution) ([]schedule.Clause, error) // of rules that the search does not know; else nil
}

// Cure is a change and the violations that it cures, as far as their proofs tell.
type Cure struct {
	encode.Change
	Cures []diag.Diagnostic
}

// Counted is how many decisions were changed.
func (m *Mended) Counted() int {
	n := 0
	for i := range m.Changes {
		if m.Changes[i].Counts() {
			n++
		}
	}
	return n
}

// Repair finds the legal plan that changes least of a plan: the fewest decisions,
// and among plans with as few changes a small interval, as far as the time goes.
// Holes are filled, which is no change. An error means that nothing was made.
func Repair(ctx context.Context, p *ir.Plan, o RepairOptions) (*Mended, error) {
	j := &judge{ctx: ctx, o: Options{Rules: o.Rules, Limits: o.Limits}}
	out := &Mended{}
	before, err := j.errors(o.Rules, p, nil, false)
	if err != nil {
		return nil, err
	}
	out.Rules = len(o.Rules.Invariants())
	if before == nil {
		out.Status, out.Plan = schedule.Optimal, p
		return out, nil
	}
	out.Before = before.Findings
	search := ctx
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		search, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	changes, err := out.search(search, p, o)
	if err == nil && out.Status == schedule.Infeasible && out.model != nil {
		explain, cancel := explanation(ctx, o.Timeout)
		defer cancel()
		out.Why, err = whyNot(explain, out.model, schedule.Options{Steps: o.Search.Steps, Judge: out.judge})
	}
	if err != nil || out.Plan == nil {
		return out, err
	}
	j.ctx = context.WithoutCancel(ctx)
	if out.Left, err = j.errors(o.Rules, out.Plan, nil, false); err != nil {
		return nil, err
	}
	if out.Left != nil {
		out.locate()
		out.Status, out.Plan = schedule.Infeasible, nil
		return out, nil
	}
	out.attribute(changes, before.Symbols)
	return out, out.edit(p)
}

// locate gives errors that are left the places that they had in the document.
func (out *Mended) locate() {
	was := map[string]diag.Diagnostic{}
	for _, d := range out.Before {
		was[d.Fingerprint] = d
	}
	for i, d := range out.Left.Findings {
		if old, there := was[d.Fingerprint]; there {
			out.Left.Findings[i] = old
		}
	}
}

// search looks for the fewest changes with as many stages as are listed, and with
// as many as are named, if those are more; each with the graph as it is, and,
// where forwards are allowed, with values read from forwards that are there.
func (out *Mended) search(ctx context.Context, p *ir.Plan, o RepairOptions) ([]encode.Change, error) {
	counts := []int{len(p.Stages)}
	switch n := encode.StagesNamed(p); {
	case p.Stages == nil:
		counts[0] = n
	case n > len(p.Stages):
		counts = append(counts, n)
	}
	type way struct {
		stages int
		reread bool
	}
	var ways []way
	for _, n := range counts {
		if o.Encode.Forward || p.Options.Forward {
			ways = append(ways, way{n, true})
		}
		ways = append(ways, way{n, false})
	}
	var best []encode.Change
	fewest := 0
	tried := false
	for _, way := range ways {
		one := Mended{Before: out.Before, Rules: out.Rules}
		o.Encode.Stages = way.stages
		most := 0
		if out.Plan != nil {
			most = count(best)
		}
		changes, asked, err := one.searchOne(ctx, p, o, way.reread, most)
		switch {
		case err != nil:
			return nil, err
		case !asked:
			continue
		}
		if one.Status != schedule.Infeasible && (!tried || one.Fewest < fewest || out.Status == schedule.Infeasible) {
			fewest = one.Fewest
		}
		if !tried || one.Plan != nil && (out.Plan == nil || count(changes) < count(best)) {
			*out, best = one, changes
		}
		tried = true
	}
	if out.Fewest = fewest; out.Plan != nil && fewest < count(best) {
		out.Status = schedule.Feasible
	}
	return best, nil
}

// count is how many changes are of decisions.
func count(changes []encode.Change) int {
	n := 0
	for i := range changes {
		if changes[i].Counts() {
			n++
		}
	}
	return n
}

// searchOne looks for the fewest changes with a number of stages, and with reread
// where values are read from forwards that are there; not tried is the latter when
// nothing is to be read otherwise. It ends when there are more changes than most,
// unless that is 0.
func (out *Mended) searchOne(ctx context.Context, p *ir.Plan, o RepairOptions, reread bool, most int) (changes []encode.Change, asked bool, err error) {
	r, refused := encode.NewRepairer(p, o.Encode, reread)
	switch {
	case r == nil:
		out.Status, out.Refused = schedule.Infeasible, refused
		return nil, !reread, nil
	case reread && r.Reread == 0:
		return nil, false, nil
	}
	out.Unpriced, out.model = r.Unpriced, r.Model
	if most > 0 {
		o.Search.Most = max(1, most-r.Certain())
	}
	if ob := newObeyer(ctx, o.Rules, r.Model, nil, o.Limits); ob != nil {
		o.Search.Judge, out.judge = ob.judge, ob.judge
	}
	if out.Result, err = schedule.Repair(ctx, r.Problem, &r.Wish, o.Search); err != nil {
		return nil, true, err
	}
	if out.Result.Status == schedule.Infeasible && r.Finer() {
		// Lanes in the fewest parts that fit some core may need more of these
		// cores than there are.
		o.Encode.MoreParts = r.MoreParts() + 1
		return out.searchOne(ctx, p, o, reread, most)
	}
	out.Status, out.Fewest = out.Result.Status, out.Result.Fewest+r.Certain()
	if out.Result.Solution == nil {
		return nil, true, nil
	}
	out.Plan, changes = r.Mend(out.Result.Solution)
	out.Fewest = out.Result.Fewest + count(changes) - out.Result.Changes.Total()
	return changes, true, nil
}

var errEdit = errors.New("the text was edited wrongly")

// edit makes the edits of the source, and reads what comes of them.
func (out *Mended) edit(p *ir.Plan) error {
	src := p.Source.Text()
	want := ir.Encode(out.Plan)
	edits, err := jsonedit.Edits(src, ir.Encode(p), want)
	if err == nil {
		err = reads(p.Source.Name, jsonedit.Apply(src, edits), want)
	}
	if err != nil {
		out.Rewritten = true
		edits = []jsonedit.Edit{{Start: 0, End: len(src), Text: string(want)}}
		if err := reads(p.Source.Name, want, want); err != nil {
			return fmt.Errorf("%w: %w", errPhase, err)
		}
	}
	out.Edits = edits
	return nil
}

// reads says whether a text is a document that says what another does.
func reads(name string, text, want []byte) error {
	q, diags := ir.DecodePlan(diag.NewSource(name, text))
	if diags != nil {
		return fmt.Errorf("%w: %s: %s", errEdit, diags[0].Code, diags[0].Message)
	}
	if !bytes.Equal(ir.Encode(q), want) {
		return errEdit
	}
	return nil
}
