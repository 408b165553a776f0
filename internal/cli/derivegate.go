package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plancheck/facts"
	"plancheck/internal/derive"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/ir/evidence"
)

// gateFindings are what rules have against a binding, told of what was given: at
// the op of the model, or in the document, that they are about, once for all ranks.
// The binding is not written, so that they say what it says.
func gateFindings(illegal *derive.Illegal, in *derive.Input, made []derive.Checkpoint) []diag.Diagnostic {
	b, ok := illegal.Document.Body().(*evidence.Binding)
	if !ok {
		return illegal.Findings
	}
	var all []diag.Diagnostic
	for i, f := range illegal.Findings {
		t := boundTask(f.Proof, illegal.Symbols[i], b)
		if !follows(illegal.Findings, f.Code, t) {
			f = gateFinding(f, t, b, in, made)
			if !slices.ContainsFunc(all, func(other diag.Diagnostic) bool { return other.Code == f.Code && other.Message == f.Message }) {
				all = append(all, f)
			}
		}
	}
	return all
}

// follows says whether a finding is only what comes of another one: with too few
// devices ranks are on none, and collectives are of too many; what no network joins
// has no cost.
func follows(all []diag.Diagnostic, code string, t *evidence.Bound) bool {
	has := func(code string) bool {
		return slices.ContainsFunc(all, func(f diag.Diagnostic) bool { return f.Code == code })
	}
	const tooFew, tooWide = "device-count-out-of-range", "collective-exceeds-tier"
	switch code {
	case "rank-unplaced", tooWide:
		return has(tooFew)
	case "evidence-missing":
		return t != nil && t.Body == "collective" && has(tooWide)
	}
	return false
}

// gateFinding is a finding as it is told of what was given; t is the task that it
// is about, nil for none.
func gateFinding(f diag.Diagnostic, t *evidence.Bound, b *evidence.Binding, in *derive.Input, made []derive.Checkpoint) diag.Diagnostic {
	told := diag.Diagnostic{Code: f.Code, Severity: f.Severity, Message: f.Message, Help: f.Help, Pos: diag.Position{File: in.Model.Source.Name}}
	if t != nil && f.Code != "evidence-stale" { // which is about all of the evidence
		op, name := derive.Origin(made, t.ID)
		atEntity(&told, in.Model, op)
		told.Message = strings.Replace(told.Message, t.ID, cmp.Or(name, t.ID), 1)
	}
	switch f.Code {
	case "evidence-missing":
		told.Message += attempts(t, "unavailable")
		told.Help = "measure it, let the policy ask others, or state in the target what its formulas need"
	case "evidence-ambiguous":
		told.Message += attempts(t, "invalid")
		told.Help = "keep one of these records, or say what tells them apart"
	case "evidence-out-of-domain":
		told.Message += attempts(t, "unavailable")
	case "evidence-stale":
		told.Pos.File = nameOf(in.Evidence)
	case "device-count-out-of-range":
		devices := int64(len(b.Ranks)) // as many as the deployment has, where these are too few
		told.Pos.File = nameOf(in.Deployment)
		told.Message = fmt.Sprintf("the plan has %s, but the deployment has %s", diag.Counted(int(b.Requires.Devices), "rank"), diag.Counted(int(devices), "device"))
		told.Help = fmt.Sprintf("use --degree %d at most, or a deployment with more devices", devices)
	case "memory-below-minimum", "topology-disconnected":
		told.Pos.File = nameOf(in.Deployment)
	case "collective-exceeds-tier":
		told.Pos.File = nameOf(in.Target)
	}
	return told
}

func nameOf(d *facts.Document) string {
	if d == nil || d.Source == nil {
		return ""
	}
	return d.Source.Name
}

// attempts say who was asked for a cost without success, and why they have none.
func attempts(t *evidence.Bound, status string) string {
	if t == nil {
		return ""
	}
	var all []string
	for _, a := range t.Attempts {
		if a.Status == status {
			all = append(all, fmt.Sprintf("%s: %s", asked(a), a.Reason))
		}
	}
	if all == nil {
		return ""
	}
	return ": " + strings.Join(all, "; ")
}

// asked is who was asked, and for which match where he could have been asked for
// another one.
func asked(a evidence.Attempt) string {
	if a.Match == "any" || a.Match == a.Provider {
		return a.Provider
	}
	return a.Provider + ", " + a.Match
}

// boundTask finds the task of a binding that a proof is about; nil for none.
func boundTask(p *diag.Proof, symbols *symbol.Table, b *evidence.Binding) *evidence.Bound {
	if p == nil {
		return nil
	}
	for i, v := range p.Args {
		if len(p.Open) > i && p.Open[i] || symbols.Kind(v) != symbol.String {
			continue
		}
		if at := slices.IndexFunc(b.Tasks, func(t evidence.Bound) bool { return t.ID == symbols.Text(v) }); at >= 0 {
			return &b.Tasks[at]
		}
	}
	for _, premise := range p.Premises {
		if t := boundTask(premise, symbols, b); t != nil {
			return t
		}
	}
	return nil
}
