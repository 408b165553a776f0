package rules

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/ir"
)

// builtin is the embedded set.
func builtin(t *testing.T) *Set {
	t.Helper()
	s, diags := Load(nil)
	for _, d := range diags {
		t.Errorf("%s:%d: %s: %s", d.Pos.File, d.Pos.Line, d.Code, d.Message)
	}
	if s == nil {
		t.FailNow()
	}
	return s
}

// everything is all embedded rules.
func everything(t *testing.T) *Set {
	t.Helper()
	s, diags := Load(Everything())
	for _, d := range diags {
		t.Errorf("%s:%d: %s: %s", d.Pos.File, d.Pos.Line, d.Code, d.Message)
	}
	if s == nil {
		t.FailNow()
	}
	return s
}

// plan decodes a plan that has to be well formed.
func plan(t *testing.T, name string, data []byte) *ir.Plan {
	t.Helper()
	p, diags := ir.DecodePlan(diag.NewSource(name, data))
	for _, d := range diags {
		t.Fatalf("%s:%d:%d: %s: %s", name, d.Pos.Line, d.Pos.Column, d.Code, d.Message)
	}
	return p
}

// judge judges a plan, and has every proof checked by the naive evaluator.
func judge(t *testing.T, s *Set, p *ir.Plan, o Options) *Verdict {
	t.Helper()
	v, err := s.Judge(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	checkProofs(t, s, facts.OfPlan(p), o.Parent, v.Findings)
	return v
}

// told is what a test compares of a finding.
type told struct{ Code, Pointer, Message string }

func tell(findings []diag.Diagnostic) []told {
	var all []told
	for _, f := range findings {
		all = append(all, told{f.Code, f.Pos.Pointer, f.Message})
	}
	return all
}

// unbreakable are the invariants that no document can break, because they
// check the exporter's work; certificate_test.go breaks them.
var unbreakable = map[string]bool{
	"rank_does_not_grow": true, "rank_missing": true, "cycle_missing": true, "cycle_broken": true,
	"range_unordered": true, "range_order_wrong": true, "furthest_wrong": true,
	"command_rank_wrong": true, "meeting_rank_differs": true, "command_rank_missing": true,
	"order_followed_wrong": true, "shared_turn_missing": true, "shared_turn_wrong": true,
	"wait_cycle_missing": true, "wait_cycle_broken": true, "clock_wrong": true, "track_wrong": true,
	"access_unlisted": true, "epoch_wrong": true, "access_order_wrong": true,
	"bytes_not_taken": true, "bytes_wrong": true, "bytes_given_twice": true, "turn_wrong": true,
	// Too many searches do not fit in an example.
	"order_unsearched":   true,
	"clock_ticks_differ": true, "clock_tick_missing": true, "link_turn_missing": true, "link_turn_wrong": true,
	"hold_wrong": true, "hold_too_short": true,
	"product_wrong": true, "product_missing": true, "monomial_product_wrong": true, "monomial_product_missing": true,
}

// undecided are the invariants whose bad plan has a hole too, which is not
// what it is about: they are judged as partial plans.
var undecided = map[string]bool{"resident_weights_exceed_every_core": true, "repack_lost_stage": true}

// Each invariant has a plan that breaks it, and nothing else, and the same
// plan mended.
func TestExamples(t *testing.T) {
	all := everything(t)
	sets := map[string]*Set{} // by rule file: builtin, and that file
	file := map[string]string{}
	for _, inv := range all.Invariants() {
		file[inv.Relation] = inv.Pos.File
		if sets[inv.Pos.File] == nil {
			sets[inv.Pos.File], _ = Load([]string{Builtin, inv.Pos.File})
		}
	}
	shown := map[string]bool{}
	for _, e := range examples {
		shown[e.relation] = true
		t.Run(e.relation, func(t *testing.T) {
			s := sets[file[e.relation]]
			mustBeWritten(t, all, e)
			x := Examples(e.relation)
			if x.Bad == nil || x.Good == nil {
				t.Fatal("no plans")
			}
			o := Options{Partial: undecided[e.relation]}
			if x.Parent != nil {
				o.Parent = facts.OfPlan(plan(t, "parent.json", x.Parent))
			}
			v := judge(t, s, plan(t, "bad.json", x.Bad), o)
			if diff := cmp.Diff([]told{{e.code, e.pointer, e.message}}, tell(v.Findings)); diff != "" {
				t.Errorf("the bad plan (-want +got):\n%s", diff)
			}
			for _, f := range v.Findings {
				checkFinding(t, f, e.relation)
			}
			v = judge(t, s, plan(t, "good.json", x.Good), Options{Parent: o.Parent})
			if diff := cmp.Diff([]told(nil), tell(v.Findings)); diff != "" {
				t.Errorf("the good plan (-want +got):\n%s", diff)
			}
		})
	}
	for _, e := range machineExamples { // machine_test.go goes over them
		shown[e.relation] = true
	}
	for _, e := range timelineExamples { // in timeline_test.go
		shown[e.relation] = true
	}
	for _, file := range evidenceExamples { // in evidence_test.go
		for _, e := range file.examples {
			shown[e.relation] = true
		}
	}
	for _, e := range slices.Concat(levelExamples, portableExamples, derivedExamples) { // level_test.go and derivedexamples_test.go go over them
		shown[e.relation] = true
	}
	for _, inv := range all.Invariants() {
		if shown[inv.Relation] == unbreakable[inv.Relation] {
			t.Errorf("%s: has example %v, can be broken %v", inv.Relation, shown[inv.Relation], !unbreakable[inv.Relation])
		}
	}
}

// mustBeWritten stops where a rule is still as internal/newrule made it.
func mustBeWritten(t *testing.T, s *Set, e example) {
	t.Helper()
	for _, inv := range s.Invariants() {
		if text := inv.Doc + inv.Message + inv.Help + e.message; inv.Relation == e.relation && strings.Contains(text, "rite the rule") {
			t.Fatalf("%s:%d: write the rule %s: its declaration, the plan that breaks it (testdata/pipeline/%[3]s.bad.json), "+
				"the same plan mended (%[3]s.good.json), and its line in examples_table_test.go; docs/new-rule.md tells how",
				inv.Pos.File, inv.Pos.Line, inv.Relation)
		}
	}
}

func checkFinding(t *testing.T, f diag.Diagnostic, relation string) {
	t.Helper()
	if f.Proof == nil || f.Proof.Pred != relation {
		t.Fatalf("the proof is not of %s: %+v", relation, f.Proof)
	}
	if f.Pos.File != "bad.json" || f.Pos.Line == 0 || f.Snippet == "" || f.Fingerprint == "" || f.Help == "" {
		t.Errorf("incomplete: %+v", f)
	}
	each(f.Proof, func(p *diag.Proof) {
		file := "bad.json"
		if strings.HasPrefix(p.Pred, "parent_") {
			file = "parent.json"
		}
		if p.Kind == diag.Fact && (p.Pos.File != file || p.Pos.Line == 0) {
			t.Errorf("fact %s has no place: %+v", p.Pred, p.Pos)
		}
	})
}

// Every invariant says what must be true, what is wrong, what to do and where.
func TestInvariantsAreDocumented(t *testing.T) {
	s := everything(t)
	if n := len(s.Invariants()); n < 60 {
		t.Errorf("only %d invariants", n)
	}
	for _, inv := range s.Invariants() {
		if inv.Doc == "" || inv.Message == "" || inv.Help == "" || inv.At == nil {
			t.Errorf("%s lacks doc, message, help or at", inv.Relation)
		}
		if e := s.Explain(inv.Code); len(e) == 0 || len(e[0].Clauses) == 0 {
			t.Errorf("%s cannot be explained: %+v", inv.Code, e)
		}
	}
	if e := s.Explain("no-such-code"); e != nil {
		t.Errorf("no-such-code is explained: %+v", e)
	}
}
