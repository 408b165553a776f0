package derive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/ir/levels"
	"plancheck/rules"
)

// Pass makes a document of one level from one of another.
type Pass struct {
	Name string // as lineage and messages name it
	From string // the schema of what it is made from
	To   string // the schema of what it makes
	// Make makes the document. It must not change what it is given, and must make
	// the same of the same. What it cannot make it refuses with a *Refused.
	Make func(ctx context.Context, parent *facts.Document) (*facts.Document, error)
	// Beside are more documents that the made one is judged beside, one after the
	// other, as the parent is.
	Beside []*facts.Document
}

// Refused is an input that a pass makes nothing of, and why.
type Refused struct {
	Code    string // such as tp-not-divisible
	Message string
}

func (r *Refused) Error() string { return r.Message + " [" + r.Code + "]" }

func refuse(code, format string, args ...any) error {
	return &Refused{code, fmt.Sprintf(format, args...)}
}

// Illegal is an input that breaks rules of its level.
type Illegal struct {
	Pass     string
	Findings []diag.Diagnostic
}

func (i *Illegal) Error() string {
	return fmt.Sprintf("%s: what it is to begin with is not legal: %s", i.Pass, told(i.Findings))
}

// Fault is a mistake of a pass: what it made breaks rules, or is not what it
// made before. Nothing that it made is given out.
type Fault struct {
	Pass, Code string
	Message    string
	Findings   []diag.Diagnostic
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s: %s [%s]: this is a fault of plancheck, report it with the document", f.Pass, f.Message, f.Code)
}

func told(findings []diag.Diagnostic) string {
	var all []string
	for _, f := range findings {
		all = append(all, fmt.Sprintf("%s [%s]", f.Message, f.Code))
	}
	return strings.Join(all, "; ")
}

// Apply makes the document of a pass and commits it: only where the rules of its
// level and of the transition hold. The error is a *Refused or an *Illegal, which
// are about the input; a *Fault; or that of ctx.
func (p Pass) Apply(ctx context.Context, parent *facts.Document) (*facts.Document, error) {
	if parent.Schema != p.From {
		return nil, refuse("schema-name-mismatch", "%s begins with a document of schema %s, and this is one of %s", p.Name, p.From, parent.Schema)
	}
	wrong, err := judge(ctx, parent, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: judging what it begins with: %w", p.Name, err)
	}
	if wrong != nil {
		return nil, &Illegal{p.Name, wrong}
	}
	before := Encode(parent)
	made, err := p.Make(ctx, parent)
	if illegal := (*Illegal)(nil); errors.As(err, &illegal) {
		return nil, illegal
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	text := Encode(made)
	if !bytes.Equal(before, Encode(parent)) {
		return nil, &Fault{Pass: p.Name, Code: "pass-mutated-input", Message: "it changed what it was given"}
	}
	again, err := p.Make(ctx, parent)
	if err != nil || !bytes.Equal(text, Encode(again)) {
		return nil, &Fault{Pass: p.Name, Code: "pass-nondeterministic", Message: "it made another document the second time"}
	}
	return p.commit(ctx, text, parent)
}

// commit reads what was made as if a stranger had written it, and judges it.
func (p Pass) commit(ctx context.Context, text []byte, parent *facts.Document) (*facts.Document, error) {
	child, diags := facts.Decode(diag.NewSource(p.Name, text))
	if child == nil {
		return nil, &Fault{p.Name, "pass-output-malformed", "what it made is malformed: " + told(diags), diags}
	}
	if child.Schema != p.To {
		return nil, &Fault{Pass: p.Name, Code: "schema-name-mismatch", Message: "it made a document of schema " + child.Schema}
	}
	for _, beside := range append([]*facts.Document{parent}, p.Beside...) {
		wrong, err := judge(ctx, child, beside)
		if err != nil {
			return nil, fmt.Errorf("%s: judging what it made: %w", p.Name, err)
		}
		if wrong != nil {
			return nil, &Fault{p.Name, wrong[0].Code, "what it made breaks rules: " + told(wrong), wrong}
		}
	}
	return child, nil
}

// judge returns the errors that the built-in rules of a document's level, and of
// the transition from its parent, find; nil where they hold.
func judge(ctx context.Context, d, parent *facts.Document) ([]diag.Diagnostic, error) {
	set, diags := rules.LoadFor(d.Schema, nil)
	if set == nil {
		return nil, fmt.Errorf("the rules of %s: %s", d.Schema, told(diags))
	}
	verdict, err := set.JudgeDocument(ctx, d, rules.Options{Parent: parent})
	if err != nil {
		return nil, err
	}
	wrong := slices.DeleteFunc(slices.Clone(verdict.Findings), func(f diag.Diagnostic) bool { return f.Severity != diag.Error })
	if len(wrong) == 0 {
		return nil, nil
	}
	return wrong, nil
}

// Encode writes a document of any level.
func Encode(d *facts.Document) []byte {
	if b := d.Body(); b != nil {
		return levels.Encode(b)
	}
	return ir.Encode(d.Plan())
}
