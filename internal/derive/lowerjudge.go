package derive

import (
	"context"
	"fmt"
	"slices"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/ir/machine"
	"plancheck/rules"
)

// LowerJudged lowers a plan that the built-in rules find legal, and judges what
// comes out beside the plan and beside each of what it is lowered with. For a plan
// with errors it returns the verdict and no program. That a lowered program breaks
// a rule is a mistake of ours, and an error.
func LowerJudged(ctx context.Context, plan *facts.Document, with Lowering) (*machine.Program, *rules.Verdict, error) {
	verdict, err := judged(ctx, plan, nil)
	if err != nil {
		return nil, nil, err
	}
	if slices.ContainsFunc(verdict.Findings, isError) {
		return nil, verdict, nil
	}
	program, err := Lower(plan.Plan(), with)
	if err != nil {
		return nil, nil, err
	}
	for _, beside := range append([]*facts.Document{plan}, with.documents()...) {
		if verdict, err = judged(ctx, facts.OfLevel(program, nil), beside); err != nil {
			return nil, nil, err
		}
		if i := slices.IndexFunc(verdict.Findings, isError); i >= 0 {
			f := verdict.Findings[i]
			return nil, nil, fmt.Errorf("the lowered program breaks a rule beside %s, which is an error of plancheck: %s: %s", beside.Schema, f.Code, f.Message)
		}
	}
	return program, nil, nil
}

func isError(d diag.Diagnostic) bool { return d.Severity == diag.Error }

// judged judges a document by the built-in rules of its level.
func judged(ctx context.Context, d, parent *facts.Document) (*rules.Verdict, error) {
	set, err := rulesOf(d.Schema)
	if err != nil {
		return nil, err
	}
	return set.JudgeDocument(ctx, d, rules.Options{Parent: parent})
}

// LowerPass is the pass that turns a plan into a machine program, as Lower does.
func LowerPass(with Lowering) Pass {
	return Pass{Name: "lower", From: ir.PlanSchema, To: machine.Schema, Beside: with.documents(), Make: func(_ context.Context, parent *facts.Document) (*facts.Document, error) {
		plan := parent.Plan()
		if plan == nil {
			return nil, refuse("schema-name-mismatch", "only a plan is lowered")
		}
		program, err := Lower(plan, with)
		if err != nil {
			return nil, &Refused{Code: "not-lowered", Message: err.Error()}
		}
		return facts.OfLevel(program, nil), nil
	}}
}
