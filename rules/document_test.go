package rules

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/datalog/datalogtest"
	"plancheck/internal/diag"
)

// document decodes a document of any level that has to be well formed.
func document(t *testing.T, name string, data []byte) *facts.Document {
	t.Helper()
	d, diags := facts.Decode(diag.NewSource(name, data))
	for _, d := range diags {
		t.Fatalf("%s:%d:%d: %s: %s", name, d.Pos.Line, d.Pos.Column, d.Code, d.Message)
	}
	return d
}

// rulesOf are the built-in rules for documents of a schema.
func rulesOf(t *testing.T, schema string) *Set {
	t.Helper()
	if s, ok := sets.Load(schema); ok {
		return s.(*Set)
	}
	s, diags := LoadFor(schema, nil)
	if s == nil || len(diags) > 0 {
		t.Fatal(shown(diags))
	}
	sets.Store(schema, s)
	return s
}

var sets sync.Map // by schema

// judgeBeside judges a document beside a parent, and has every proof checked by
// the naive evaluator.
func judgeBeside(t *testing.T, s *Set, d, parent *facts.Document) []diag.Diagnostic {
	t.Helper()
	v, err := s.JudgeDocument(context.Background(), d, Options{Parent: parent})
	if err != nil {
		t.Fatal(err)
	}
	checkProofs(t, s, d, parent, v.Findings)
	return v.Findings
}

func checkProofs(t *testing.T, s *Set, d, parent *facts.Document, findings []diag.Diagnostic) {
	t.Helper()
	if len(findings) == 0 {
		return
	}
	reads, _ := s.program.Reads(s.goals())
	d = d.Beside(parent)
	f, err := facts.ExportChild(d, parent, among(reads))
	if err != nil {
		t.Fatal(err)
	}
	var sources []*diag.Source
	for _, r := range s.program.Relations() {
		if src := r.Unit.Source; !slices.Contains(sources, src) {
			sources = append(sources, src)
		}
	}
	checker, err := datalogtest.NewChecker(sources, d.Symbols, f.Tables, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range findings {
		if err := checker.Check(d.Proof); err != nil {
			t.Errorf("the proof of %q is wrong: %v", d.Message, err)
		}
	}
}

// checkExample holds that the bad document of an invariant breaks it and nothing
// else, and that the same one mended is good, both beside their parent, where they
// have one, and the good one without it too.
func checkExample(t *testing.T, e example) {
	t.Helper()
	x := Examples(e.relation)
	if x.Bad == nil || x.Good == nil {
		t.Fatal("a document is missing")
	}
	var parent *facts.Document
	if x.Parent != nil {
		parent = document(t, "parent.json", x.Parent)
	}
	bad := document(t, "bad.json", x.Bad)
	s := rulesOf(t, bad.Schema)
	got := judgeBeside(t, s, bad, parent)
	if diff := cmp.Diff([]told{{e.code, e.pointer, e.message}}, tell(got)); diff != "" {
		t.Errorf("the bad document (-want +got):\n%s", diff)
	}
	for _, f := range got {
		if f.Proof == nil || f.Proof.Pred != e.relation || f.Pos.File != "bad.json" || f.Pos.Line == 0 || f.Snippet == "" || f.Help == "" {
			t.Errorf("incomplete: %+v", f)
		}
	}
	for _, beside := range []*facts.Document{parent, nil} {
		got := judgeBeside(t, s, document(t, "good.json", x.Good), beside)
		if diff := cmp.Diff([]told(nil), tell(got)); diff != "" {
			t.Errorf("the good document, beside its parent %v (-want +got):\n%s", beside != nil, diff)
		}
	}
}

// checkParent holds that the parent of an example, where it has one, is good.
func checkParent(t *testing.T, e example) {
	t.Helper()
	if data := Examples(e.relation).Parent; data != nil {
		parent := document(t, "parent.json", data)
		if got := judgeBeside(t, rulesOf(t, parent.Schema), parent, nil); got != nil {
			t.Errorf("the parent: %v", tell(got))
		}
	}
}
