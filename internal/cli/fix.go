package cli

import (
	"context"
	"fmt"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/jsonedit"
	"plancheck/ir"
	"plancheck/rules"
)

// fix mends a plan that breaks rules and writes it over its file. It returns the
// plan that is in the file then, and what the rules say of it. A plan that cannot
// be mended stays as it is, and why is told on standard error.
func (j *judging) fix(ctx context.Context, plan *ir.Plan, verdict *rules.Verdict) (*ir.Plan, *rules.Verdict, error) {
	f, name := j.flags, plan.Source.Name
	mend := mendFlags{forward: f.forward, forwardCycles: ir.None, timeout: f.timeout}
	if mend.timeout == 0 {
		mend.timeout = defaultSolveTimeout
	}
	out, err := mend.mend(ctx, plan, j.set(facts.OfPlan(plan)))
	if err != nil {
		return nil, nil, err
	}
	exit, err := tellMended(ctx, j.env, name, j.set(facts.OfPlan(plan)), out, f.quiet, true)
	if err != nil || exit != exitOK || len(out.Edits) == 0 {
		return plan, verdict, err
	}
	text := jsonedit.Apply(plan.Source.Text(), out.Edits)
	if err := writeBytes(j.env, name, text); err != nil {
		return nil, nil, fmt.Errorf("--fix: %w", err)
	}
	mended, diags := ir.DecodePlan(diag.NewSource(name, text))
	if mended == nil { // it was read before it was written
		return nil, nil, fmt.Errorf("--fix: %s", diags[0].Message)
	}
	limits := datalog.Limits{Facts: f.maxFacts, Bytes: int64(f.maxMemory)}
	verdict, err = j.set(facts.OfPlan(mended)).Judge(context.WithoutCancel(ctx), mended, rules.Options{Profile: f.profile, Limits: limits})
	return mended, verdict, err
}
