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
	"plancheck/internal/symbol"
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
	// Gates are codes of rules by which the rules refuse what the pass was given:
	// it writes down what it found, and they say what is missing.
	Gates []string
}

// Refused is an input that a pass makes nothing of, and why.
type Refused struct {
	Code    string // such as tp-not-divisible
	Message string
	// Entity is the id of what it is about in the document that the pass begins
	// with; "" where it is about no one thing in it.
	Entity string
}

func (r *Refused) Error() string { return r.Message + " [" + r.Code + "]" }

func refuse(code, format string, args ...any) error {
	return &Refused{Code: code, Message: fmt.Sprintf(format, args...)}
}

// about is a refusal that is about an entity.
func about(entity string, refusal error) error {
	var r *Refused
	if errors.As(refusal, &r) && r.Entity == "" {
		r.Entity = entity
	}
	return refusal
}

// Illegal is an input that breaks rules: those of its level, or, by what it leads
// to, the gates of a pass.
type Illegal struct {
	Pass     string
	Findings []diag.Diagnostic // the errors
	// Symbols are what the proofs of findings are written in, by finding; nil
	// where Verdict has them.
	Symbols []*symbol.Table
	// Document breaks the rules, beside Parent where there is one.
	Document, Parent *facts.Document
	Verdict          *rules.Verdict
	// Gate says that the document is what the pass made, and not its input.
	Gate bool
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
	if parent.Schema == p.From {
		if _, err := p.legal(ctx, parent, nil); err != nil {
			return nil, err
		}
	}
	made, _, err := p.makeJudged(ctx, parent)
	return made, err
}

// legal judges what a pass begins with.
func (p Pass) legal(ctx context.Context, d, beside *facts.Document) (*rules.Verdict, error) {
	v, err := judged(ctx, d, beside)
	if err != nil {
		return nil, fmt.Errorf("%s: judging what it begins with: %w", p.Name, err)
	}
	if wrong := errorsOf(v); wrong != nil {
		return nil, &Illegal{Pass: p.Name, Findings: wrong, Document: d, Parent: beside, Verdict: v}
	}
	return v, nil
}

// makeJudged makes the document of a pass from a legal one, and returns it with
// the verdict on it beside its parent.
func (p Pass) makeJudged(ctx context.Context, parent *facts.Document) (*facts.Document, *rules.Verdict, error) {
	if parent.Schema != p.From {
		return nil, nil, refuse("schema-name-mismatch", "%s begins with a document of schema %s, and this is one of %s", p.Name, p.From, parent.Schema)
	}
	before := facts.Encode(parent)
	made, err := p.Make(ctx, parent)
	if illegal := (*Illegal)(nil); errors.As(err, &illegal) {
		return nil, nil, illegal
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	text := facts.Encode(made)
	if !bytes.Equal(before, facts.Encode(parent)) {
		return nil, nil, &Fault{Pass: p.Name, Code: "pass-mutated-input", Message: "it changed what it was given"}
	}
	again, err := p.Make(ctx, parent)
	if ctx.Err() != nil {
		return nil, nil, fmt.Errorf("%s: %w", p.Name, ctx.Err())
	}
	if err != nil || !bytes.Equal(text, facts.Encode(again)) {
		return nil, nil, &Fault{Pass: p.Name, Code: "pass-nondeterministic", Message: "it made another document the second time"}
	}
	return p.commit(ctx, text, parent)
}

// commit reads what was made as if a stranger had written it, and judges it.
func (p Pass) commit(ctx context.Context, text []byte, parent *facts.Document) (*facts.Document, *rules.Verdict, error) {
	child, diags := facts.Decode(diag.NewSource("<"+p.Name+">", text))
	if child == nil {
		return nil, nil, &Fault{p.Name, "pass-output-malformed", "what it made is malformed: " + told(diags), diags}
	}
	if child.Schema != p.To {
		return nil, nil, &Fault{Pass: p.Name, Code: "schema-name-mismatch", Message: "it made a document of schema " + child.Schema}
	}
	var first *rules.Verdict
	var wrong *Illegal
	for _, beside := range append([]*facts.Document{parent}, p.Beside...) {
		v, err := judged(ctx, child, beside)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: judging what it made: %w", p.Name, err)
		}
		if first == nil {
			first = v
		}
		found := errorsOf(v)
		if found != nil && wrong == nil {
			wrong = &Illegal{Pass: p.Name, Document: child, Parent: beside, Verdict: v, Gate: true}
		}
		for _, f := range found {
			wrong.add(f, v.Symbols)
		}
	}
	if wrong != nil {
		return nil, nil, p.wrong(wrong)
	}
	return child, first, nil
}

// add adds a finding, unless it is there: what rules find in a document alone they
// find beside each of its parents.
func (i *Illegal) add(f diag.Diagnostic, symbols *symbol.Table) {
	if !slices.ContainsFunc(i.Findings, func(other diag.Diagnostic) bool { return other.Code == f.Code && other.Message == f.Message }) {
		i.Findings, i.Symbols = append(i.Findings, f), append(i.Symbols, symbols)
	}
}

// wrong is the error of what was made and breaks rules: of the input, where all of
// them are gates.
func (p Pass) wrong(i *Illegal) error {
	own := slices.IndexFunc(i.Findings, func(f diag.Diagnostic) bool { return !slices.Contains(p.Gates, f.Code) })
	if own < 0 {
		return i
	}
	return &Fault{p.Name, i.Findings[own].Code, "what it made breaks rules: " + told(i.Findings), i.Findings}
}

// errorsOf are the errors of a verdict; nil where there are none.
func errorsOf(v *rules.Verdict) []diag.Diagnostic {
	var wrong []diag.Diagnostic
	for _, f := range v.Findings {
		if isError(f) {
			wrong = append(wrong, f)
		}
	}
	return wrong
}
