package cli

import (
	"context"
	"fmt"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/rules"
)

// readOf reads a document that must be of a schema, which is not that of plans, or
// says why it cannot.
func readOf(ctx context.Context, env Env, name, schema string) (*facts.Document, []diag.Diagnostic) {
	src, diags := readDocumentSource(ctx, env, name)
	if diags != nil {
		return nil, diags
	}
	if is := ir.DeclaredSchema(src); is != schema && levelName(is) != "" {
		return nil, wrongLevel(name, is, schema)
	}
	l, _ := levels.Of(schema)
	b, diags := l.Decode(src)
	if b == nil {
		return nil, diags
	}
	return facts.OfLevel(b, src), nil
}

// readLevel is readOf, with what the document says.
func readLevel[T level.Body](ctx context.Context, env Env, name, schema string) (body T, d *facts.Document, diags []diag.Diagnostic) {
	if d, diags = readOf(ctx, env, name, schema); d != nil {
		body = d.Body().(T)
	}
	return body, d, diags
}

// readOptional reads a document of one level into what to points at, where a name
// is given.
func readOptional[T level.Body](ctx context.Context, env Env, name string, to *T, schema string) (diags []diag.Diagnostic) {
	if name != "" {
		*to, _, diags = readLevel[T](ctx, env, name, schema)
	}
	return diags
}

// wrongLevel says that a document is of another level than it should be.
func wrongLevel(name, is, due string) []diag.Diagnostic {
	return []diag.Diagnostic{{
		Code: "schema-name-mismatch", Severity: diag.Error, Pos: diag.Position{File: name},
		Message: fmt.Sprintf("this is a document of %s, where one of %s is due", levelName(is), levelName(due)),
	}}
}

// levelName is the name of the level of a schema; "" for one that is not known.
func levelName(schema string) string {
	if schema == ir.PlanSchema {
		return "ConcretePlanIR"
	}
	l, _ := levels.Of(schema)
	return l.Name
}

// judgeBeside asks the built-in rules about a document beside its parent, prints
// what they find to standard error, and says whether there is no error in it.
func judgeBeside(ctx context.Context, env Env, d, parent *facts.Document) (legal bool, err error) {
	set, diags := rules.LoadFor(d.Schema, nil)
	if set == nil {
		return false, complain(env, diags)
	}
	verdict, err := set.JudgeDocument(ctx, d, rules.Options{Parent: parent, Limits: defaultLimits()})
	if err != nil {
		return false, fmt.Errorf("judging %s: %w", d.Source.Name, err)
	}
	if len(verdict.Findings) > 0 {
		err = tellBroken(env, d.Source.Name, set, verdict, false)
	}
	return report.Count(verdict.Findings, diag.Error) == 0, err
}
