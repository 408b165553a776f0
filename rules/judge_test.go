package rules

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

func TestVerdict(t *testing.T) {
	s := builtin(t)
	p := plan(t, "plan.json", edited(t, []string{placeOfB, `{"op": "b", "cores": [2]}`,
		`"placement"`, `"replicas": [], "placement"`, "  \"assignment\"", "  \"sync\": [{\"id\": \"s\", \"op\": \"b\", \"stage\": 1}],\n  \"assignment\""}))
	v := judge(t, s, p, Options{})
	if diff := cmp.Diff(&Verdict{Document: "plan.json", Symbols: p.Symbols, Ops: 4, Facts: v.Facts, Rules: v.Rules, Invariants: len(s.Invariants())},
		v, cmpopts.IgnoreFields(Verdict{}, "Findings"), cmp.Comparer(func(a, b *symbol.Table) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
	if len(v.Findings) != 1 || v.Facts < 30 || v.Rules < 100 {
		t.Errorf("%d findings, %d facts, %d rules", len(v.Findings), v.Facts, v.Rules)
	}

	v = judge(t, s, p, Options{Partial: true})
	holes := 0
	for _, inv := range s.Invariants() {
		if inv.Hole {
			holes++
		}
	}
	if len(v.Findings) != 0 || v.Holes != 1 || v.Invariants != len(s.Invariants())-holes || holes < 5 {
		t.Errorf("partial: %d findings, %d holes, %d invariants", len(v.Findings), v.Holes, v.Invariants)
	}

	mine, diags := Load([]string{write(t, "mine.dl", legal)})
	if diags != nil {
		t.Fatal(shown(diags))
	}
	v = judge(t, mine, p, Options{})
	want := []string{"/target/topology", "/target/cores", "/graph/inputs", "/graph/weights", "/graph/edges", "/stages", "/assignment/instances", "/assignment/placement", "/sync"}
	if diff := cmp.Diff(want, v.Unread); diff != "" {
		t.Errorf("unread sections (-want +got):\n%s", diff)
	}
	if v.Rules != 1 || v.Invariants != 1 || v.Facts != 4 {
		t.Errorf("%d rules, %d invariants, %d facts", v.Rules, v.Invariants, v.Facts)
	}
}

// The place of a finding is the fact that at(..) names, also when no rule
// reads it; without at(..), or when there is no such fact, the first fact of
// the proof; and the file where there is none.
func TestPlaces(t *testing.T) {
	p := plan(t, "plan.json", []byte(chain))
	for _, c := range []struct{ name, rule, want string }{
		{"named by at", `at("edge", "b", Op)`, "/graph/edges/1"},
		{"any", `at("stage_range", _, 3)`, "/stages/2/cores"},
		{"a name", `at("given", /placement)`, "/assignment/placement"},
		{"first of all", `at("stage")`, "/stages/0"},
		{"no such fact", `at("edge", Op, "a")`, "/graph/ops/2"},
		{"no at", `doc("nothing")`, "/graph/ops/2"},
	} {
		rule := `Decl found(Op) descr [violation("found", "error"), message("{Op}"), ` + c.rule + `] bound [/string].
			found(Op) :- op(Op, _, _), Op = "c".`
		s, diags := Load([]string{write(t, "mine.dl", rule)})
		if s == nil {
			t.Fatal(shown(diags))
		}
		v := judge(t, s, p, Options{})
		if diff := cmp.Diff([]told{{"found", c.want, "c"}}, tell(v.Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	s, diags := Load([]string{write(t, "mine.dl", `Decl found(N) descr [violation("found", "error"), message("{N}")] bound [/number]. found(1).`)})
	if s == nil {
		t.Fatal(shown(diags))
	}
	if got := judge(t, s, p, Options{}).Findings; len(got) != 1 || got[0].Pos != (diag.Position{File: "plan.json"}) {
		t.Errorf("without a fact: %+v", got)
	}
}

// The form of a document changes places, and nothing else.
func TestFormDoesNotMatter(t *testing.T) {
	s := builtin(t)
	text := edited(t, []string{`{"from": "c", "to": "d"}`, `{"from": "c", "to": "d"}, {"from": "a", "to": "d"}, {"from": "a", "to": "d"}`,
		`"placement": [0, 1, 2, 3]`, `"placement": [0, 1, 1, 0]`})
	forms := map[string][]byte{
		"as it is": text,
		"CRLF":     bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")),
		"BOM":      append([]byte("\xef\xbb\xbf"), text...),
		"one line": bytes.ReplaceAll(text, []byte("\n"), nil),
	}
	want := judge(t, s, plan(t, "plan.json", text), Options{}).Findings
	if len(want) != 4 {
		t.Fatalf("%d findings", len(want))
	}
	for name, form := range forms {
		got := judge(t, s, plan(t, "plan.json", form), Options{}).Findings
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(diag.Diagnostic{}, "Proof", "Snippet", "SnippetSkip"), cmpopts.IgnoreFields(diag.Position{}, "Line", "Column")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		lines := name != "one line"
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(diag.Diagnostic{}, "Proof")); (diff == "") != lines {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	seen := map[string]bool{}
	for _, f := range want {
		if seen[f.Fingerprint] || len(f.Fingerprint) != 32 {
			t.Errorf("fingerprint %q of %s", f.Fingerprint, f.Message)
		}
		seen[f.Fingerprint] = true
	}
}

func TestGroups(t *testing.T) {
	s := builtin(t)
	v := judge(t, s, plan(t, "plan.json", edited(t, []string{
		`{"id": "d", "work_cycles": 9}`, `{"id": "d", "work_cycles": 9}, {"id": "e", "work_cycles": 9}`,
		placeOfB, placeOfB + `, {"op": "e", "stage": 2, "cores": [3]}`,
		`{"from": "c", "to": "d"}`, `{"from": "c", "to": "d"}, {"from": "a", "to": "d"}, {"from": "a", "to": "e"}, {"from": "d", "to": "b"}`})), Options{})
	var got []string
	for _, f := range v.Findings {
		got = append(got, f.Code+" "+f.Group)
	}
	want := []string{`dag-cycle `, `edge-skips-stage edge_skips_stage("a")`, `edge-skips-stage edge_skips_stage("a")`, `edge-goes-backward edge_goes_backward("d")`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestJudgeErrors(t *testing.T) {
	s := builtin(t)
	huge := plan(t, "plan.json", edited(t, []string{`"lanes": 2`, `"lanes": 1000000000000`}))
	var tooMany *facts.Error
	if _, err := s.Judge(context.Background(), huge, Options{}); !errors.As(err, &tooMany) || tooMany.Pos.Line != 9 || !strings.Contains(tooMany.Snippet, "1000000000000") {
		t.Errorf("a huge plan: %v", err)
	}

	runaway, diags := Load([]string{write(t, "mine.dl", `Decl n(X) descr [violation("grows", "error"), message("{X}")] bound [/number].
n(Work) :- op(_, _, Work).
n(Y) :- n(X), Y = fn:plus(X, 1).`)})
	if runaway == nil {
		t.Fatal(shown(diags))
	}
	var rule *datalog.RuleError
	_, err := runaway.Judge(context.Background(), plan(t, "plan.json", []byte(chain)), Options{Limits: datalog.Limits{Facts: 1000}})
	if !errors.As(err, &rule) || rule.Pos.Line != 3 {
		t.Errorf("a rule without end: %v", err)
	}

	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err = runaway.Judge(ctx, plan(t, "plan.json", []byte(chain)), Options{})
	if !errors.As(err, &rule) || rule.Pos.Line != 3 || !strings.Contains(rule.Message, "time ran out") {
		t.Errorf("out of time: %v", err)
	}
	gone, end := context.WithCancel(context.Background())
	end()
	if _, err := runaway.Judge(gone, plan(t, "plan.json", []byte(chain)), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// A plan that was built and not read is judged too; its findings have no places.
func TestPlanWithoutSource(t *testing.T) {
	p := &ir.Plan{Symbols: symbol.NewTable(), LogicalCores: ir.None}
	p.Graph.Ops = []ir.Op{{ID: p.Symbols.String("a"), Lanes: 1, MaxParts: ir.None, Windows: ir.None, ForwardCycles: ir.None}}
	v := judge(t, builtin(t), p, Options{})
	if diff := cmp.Diff([]told{{"instance-without-core-or-stage", "", "op a is in no stage and on no core"}}, tell(v.Findings)); diff != "" {
		t.Error(diff)
	}
	if v.Findings[0].Pos != (diag.Position{}) || v.Document != "" {
		t.Errorf("%+v", v.Findings[0].Pos)
	}
}

// Ranges are compared with their neighbours only: neither the derived rows nor
// the findings are more than a few for each stage.
func TestManyRanges(t *testing.T) {
	s := builtin(t)
	const n = 2000
	for _, c := range []struct {
		name     string
		stage    func(i int64) ir.Stage
		findings int
	}{
		{"two cores each", func(i int64) ir.Stage { return ir.Stage{Index: i, First: 2 * i, Count: 2} }, 0},
		{"a gap behind each", func(i int64) ir.Stage { return ir.Stage{Index: i, First: 2 * i, Count: 1} }, n},
		{"all alike", func(i int64) ir.Stage { return ir.Stage{Index: i, First: 0, Count: 2 * n} }, n - 1},
		{"all within the first", func(i int64) ir.Stage { return ir.Stage{Index: i, First: i, Count: max(1, 2*n*(1-i))} }, n - 1},
	} {
		p := &ir.Plan{Symbols: symbol.NewTable(), LogicalCores: 2 * n}
		for i := range int64(n) {
			p.Stages = append(p.Stages, c.stage(i))
		}
		v, err := s.Judge(context.Background(), p, Options{Limits: datalog.Limits{Facts: 12 * n}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(v.Findings) != c.findings {
			t.Errorf("%s: %d findings, want %d", c.name, len(v.Findings), c.findings)
		}
	}
}
