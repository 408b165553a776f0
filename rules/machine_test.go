package rules

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/datalog/datalogtest"
	"plancheck/internal/diag"
	"plancheck/ir/machine"
)

// machineDocument decodes a document that has to be well formed.
func machineDocument(t *testing.T, name string, data []byte) *facts.Document {
	t.Helper()
	d, diags := facts.Decode(diag.NewSource(name, data))
	for _, d := range diags {
		t.Fatalf("%s:%d:%d: %s: %s", name, d.Pos.Line, d.Pos.Column, d.Code, d.Message)
	}
	return d
}

// judgeMachine judges a program beside a parent, and has every proof checked by
// the naive evaluator.
func judgeMachine(t *testing.T, s *Set, d, parent *facts.Document) []diag.Diagnostic {
	t.Helper()
	d = d.Beside(parent)
	v, err := s.JudgeDocument(context.Background(), d, Options{Parent: parent})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Findings) == 0 {
		return nil
	}
	reads, _ := s.program.Reads(s.goals())
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
	for _, d := range v.Findings {
		if err := checker.Check(d.Proof); err != nil {
			t.Errorf("the proof of %q is wrong: %v", d.Message, err)
		}
	}
	return v.Findings
}

func machineSet(t *testing.T) *Set {
	t.Helper()
	s, diags := LoadFor(machine.Schema, nil)
	if s == nil || len(diags) > 0 {
		t.Fatal(shown(diags))
	}
	return s
}

// judgeParent judges a plan; a target has nothing to judge here.
func judgeParent(t *testing.T, parent *facts.Document) []diag.Diagnostic {
	t.Helper()
	if parent.Plan() == nil {
		return nil
	}
	return judgeMachine(t, builtin(t), parent, nil)
}

// Each invariant of machine programs has a document that breaks it, and nothing
// else, and the same one mended, which is also legal without its parent.
func TestMachineExamples(t *testing.T) {
	s := machineSet(t)
	of := map[string]bool{}
	for _, e := range machineExamples {
		of[e.relation] = true
		t.Run(e.relation, func(t *testing.T) {
			x := Examples(e.relation)
			if x.Bad == nil || x.Good == nil {
				t.Fatal("no documents")
			}
			var parent *facts.Document
			if x.Parent != nil {
				parent = machineDocument(t, "parent.json", x.Parent)
				if got := judgeParent(t, parent); got != nil {
					t.Errorf("the parent: %v", tell(got))
				}
			}
			got := judgeMachine(t, s, machineDocument(t, "bad.json", x.Bad), parent)
			if diff := cmp.Diff([]told{{e.code, e.pointer, e.message}}, tell(got)); diff != "" {
				t.Errorf("the bad document (-want +got):\n%s", diff)
			}
			for _, f := range got {
				if f.Proof == nil || f.Proof.Pred != e.relation || f.Pos.File != "bad.json" || f.Pos.Line == 0 || f.Snippet == "" || f.Help == "" {
					t.Errorf("incomplete: %+v", f)
				}
			}
			for _, beside := range []*facts.Document{parent, nil} {
				got := judgeMachine(t, s, machineDocument(t, "good.json", x.Good), beside)
				if diff := cmp.Diff([]told(nil), tell(got)); diff != "" {
					t.Errorf("the good document, beside its parent %v (-want +got):\n%s", beside != nil, diff)
				}
			}
		})
	}
	for _, inv := range s.Invariants() {
		if !of[inv.Relation] && !ofEveryLevel[inv.Relation] {
			t.Errorf("%s has no example", inv.Relation)
		}
	}
}
