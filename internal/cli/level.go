package cli

import (
	"context"
	"fmt"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/rules"
)

// readLevel reads a document that must be of one level, or says why it cannot.
func readLevel[T level.Body](ctx context.Context, env Env, name, schema string) (body T, d *facts.Document, diags []diag.Diagnostic) {
	src, diags := readDocumentSource(ctx, env, name)
	if diags != nil {
		return body, nil, diags
	}
	l, _ := levels.Of(schema)
	other := ""
	if is, ok := levels.Declared(src); ok && is.Schema != schema {
		other = is.Name
	} else if !ok && ir.DeclaredSchema(src) == ir.PlanSchema {
		other = "ConcretePlanIR"
	}
	if other != "" {
		return body, nil, []diag.Diagnostic{{
			Code: "schema-name-mismatch", Severity: diag.Error, Pos: diag.Position{File: name},
			Message: fmt.Sprintf("this is a document of %s, where one of %s is due", other, l.Name),
		}}
	}
	b, diags := l.Decode(src)
	if b == nil {
		return body, nil, diags
	}
	return b.(T), facts.OfLevel(b, src), nil
}

// judgeBeside asks the built-in rules about a document beside its parent, prints
// what they find to standard error, and says whether there is no error in it.
func judgeBeside(ctx context.Context, env Env, d, parent *facts.Document) (legal bool, err error) {
	set, diags := rules.LoadFor(d.Schema, nil)
	if set == nil {
		return false, complain(env, diags)
	}
	verdict, err := set.JudgeDocument(ctx, d, rules.Options{Parent: parent, Limits: datalog.Limits{Facts: defaultMaxFacts, Bytes: defaultMaxMemory}})
	if err != nil {
		return false, fmt.Errorf("judging %s: %w", d.Source.Name, err)
	}
	if len(verdict.Findings) > 0 {
		err = tellBroken(env, d.Source.Name, set, verdict, false)
	}
	return report.Count(verdict.Findings, diag.Error) == 0, err
}
