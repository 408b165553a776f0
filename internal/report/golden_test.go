package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/chart"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/internal/triage"
	"plancheck/rules"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// checkGolden compares with testdata/name, or writes it with -update.
func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

// triaged is a run with a baseline, suppressions and a folder: one document has
// news, one has none, and a folder holds files that are no plans. Nothing is
// compared with the parent that the command line names.
func (m maker) triaged(news, clean *rules.Verdict) *Run {
	accepted := triage.Suppressed{Diagnostic: m.absent(), By: triage.Suppression{
		Code: "instance-without-core-or-stage", Reason: "b5 is placed by hand",
		Pos: diag.Position{File: "accepted.json", Line: 4, Column: 5, Pointer: "/suppressions/0"}}}
	many := Skipped{Folder: "plans", Why: "no plan"}
	for i := range 14 {
		many.Files = append(many.Files, fmt.Sprintf("plans/%02d.json", i))
	}
	return &Run{
		Version: "1.2.3", Exit: 1, Parent: "before.json", ParentUnread: true, RuleFiles: ruleFiles,
		RuleDiags: []diag.Diagnostic{{Code: "suppression-unused", Severity: diag.Warning, Message: "matches no finding",
			Pos: diag.Position{File: "accepted.json", Line: 9, Column: 5}, Help: "remove it"}},
		Documents: []Document{
			{Name: "plan.json", Verdict: news, Known: []diag.Diagnostic{m.skip(1, ""), m.skip(2, "")}, Suppressed: []triage.Suppressed{accepted}},
			{Name: "clean.json", Verdict: clean, Known: []diag.Diagnostic{m.skip(3, "")}},
		},
		Skipped:  []Skipped{many, {Why: "no plan", Files: []string{"config.json"}}},
		Baseline: "known.json",
		Gone:     []triage.Entry{{Fingerprint: "f00d", Code: "edge-skips-stage", Message: "edge a -> b skips from stage 0 to stage 3", Count: 1}},
	}
}

var ruleFiles = []rules.File{
	{Name: "rules/pipeline.dl", Digest: "sha256:2c26", Rules: 37},
	{Name: "builtin:objective", Digest: "sha256:fcde", Builtin: true, Rules: 1},
}

// asked are invariants as a rule file declares them; two share a code.
var asked = []rules.Invariant{
	{Relation: "op_without_stage", Code: "instance-without-core-or-stage", Severity: diag.Error,
		Doc: "Every op of the graph runs somewhere.", Message: "{Op} has no stage", Pos: inRules(8), Hole: true,
		Clauses: []string{"op_without_stage(Op) :- op(Op, _, _), !op_stage(Op, _)."}},
	{Relation: "edge_skips_stage", Code: "edge-skips-stage", Severity: diag.Error,
		Doc:     "An edge stays in its stage or advances by one.",
		Message: "edge {From} -> {To} skips from stage {S} to stage {T}", Help: "forward *{From}*, or move {To}", Pos: inRules(34),
		Clauses: []string{"edge_skips_stage(From, To, S, T) :- edge(From, To), op_stage(From, S), op_stage(To, T), fn:plus(S, 1) < T."}},
	{Relation: "resident_weights_exceed_core", Code: "resident-weights-exceed-core", Severity: diag.Warning,
		Doc: "Resident weights fit their core.", Message: "core {C} holds too much", Pos: inRules(66),
		Clauses: []string{"resident_weights_exceed_core(C, T, B) :- core_load(C, T, _), limit(C, B), B < T."}},
	{Relation: "input_skips_stage", Code: "edge-skips-stage", Severity: diag.Error,
		Doc: "An input is read in stage 0.", Message: "input {In} skips", Pos: inRules(99),
		Clauses: []string{"input_skips_stage(In) :- input(In)."}},
}

// words put some of the facts in words.
var words = rules.Sentences{
	"edge":     {Cols: []string{"From", "To"}, Template: "edge {From} -> {To} is in the plan"},
	"op_stage": {Cols: []string{"Op", "Stage"}, Template: "op {Op} is in stage {Stage}"},
	"op":       {Cols: []string{"Op", "Lanes", "Work"}, Template: "op {Op} has {Lanes lanes}"},
}

// drawn is the chart of the plan that the findings of a story are about.
func drawn() *chart.Chart {
	c := &chart.Chart{MaxCycles: 1000, Ops: 12}
	for s := range int64(4) {
		c.Stages = append(c.Stages, chart.Stage{Index: s, Last: s, Listed: true, First: 3 * s, Count: 3, Ops: 3, Cycles: 1000 - 100*s, Cells: []chart.Cell{
			{First: 3 * s, Last: 3 * s, Owned: true, Physical: 11 - 3*s, Shares: 2, Cycles: 1000 - 100*s},
			{First: 3*s + 1, Last: 3*s + 2, Owned: true, Physical: chart.None, Shares: 4, Cycles: 12},
		}})
	}
	c.Stages[3].Cells = append(c.Stages[3].Cells,
		chart.Cell{First: 1, Last: 1, Physical: chart.None, Shares: 1, Cycles: 1},
		chart.Cell{First: chart.None, Last: chart.None, Owned: true, Physical: chart.None, Shares: 1, Cycles: 1})
	c.Stages = append(c.Stages, chart.Stage{Index: chart.None, Last: chart.None, First: chart.None, Ops: 1, Cells: []chart.Cell{
		{First: chart.None, Last: chart.None, Owned: true, Physical: chart.None, Shares: 1}}})
	for i := range 9 {
		c.Guilty = append(c.Guilty, chart.Guilt{Finding: i, Places: []chart.Place{
			{Op: "conv1", Stage: 0, Core: 2}, {Op: fmt.Sprintf("add%d", i), Stage: 3, Core: 9}, {Stage: chart.None, Core: 5}}})
	}
	c.Guilty = append(c.Guilty, chart.Guilt{Finding: 9, Places: []chart.Place{{Op: "b5", Stage: chart.None, Core: chart.None}}})
	return c
}

// hostile is what a plan's author may call an op to do harm in each format.
const hostile = "</script><script>alert('1')</script><b id=\"x\">&amp;%0A::error::]]>\x00\x1b[31m\r\n\u2028\ufffe`${x}`{{.}}|*_[x](0)"

// odd is a finding of which everything that a user writes is hostile.
func (m maker) odd() diag.Diagnostic {
	r := &diag.RuleRef{Pos: diag.Position{File: "my rules/<a>,b:c%.dl", Line: 3, Column: 1}, Clause: "p(X) :- op(X, _, _), X != \"" + hostile + "\"."}
	fact := m.fact(2, "/graph/ops/"+hostile, "op", hostile, 1, 2)
	fact.Pos.File = "plans/a b,c:d%é\"<script>.json"
	return diag.Diagnostic{Code: "odd", Severity: diag.Error, Message: "op " + hostile + " is odd", Help: "rename " + hostile,
		Pos: fact.Pos, Snippet: "{\"id\": \"" + hostile + "\"}", Group: hostile, Fingerprint: "0dd",
		Proof: m.by(r, []*diag.Proof{fact, holds(3, hostile+" != \"\"")}, "p", hostile)}
}

// runs are values and the goldens that they fill.
func runs() map[string]*Run {
	m := maker{symbol.NewTable()}
	verdict := func(ds ...diag.Diagnostic) *rules.Verdict {
		return &rules.Verdict{Document: "plan.json", Findings: ds, Symbols: m.syms, Ops: 12, Facts: 1204, Rules: 38, Invariants: 20}
	}
	edge := `      {"from": "conv1", "to": "add7"},`
	story := func(n int) []diag.Diagnostic {
		var ds []diag.Diagnostic
		for i := range n {
			ds = append(ds, m.skip(i, edge))
		}
		return ds
	}
	one := func(v *rules.Verdict) *Run {
		return &Run{Version: "1.2.3", RuleFiles: ruleFiles, Documents: []Document{{Name: "plan.json", Verdict: v}}, Exit: 1}
	}
	empty := verdict()
	empty.Ops, empty.Facts, empty.Rules = 0, 1, 1
	partial := verdict()
	partial.Holes, partial.Unread = 1, []string{"/sync", "/transfers"}
	stories := one(verdict(append(story(9), m.absent())...))
	stories.Invariants, stories.Sentences = asked, words
	stories.Documents[0].Chart = drawn()
	odd := one(verdict(m.odd()))
	odd.Documents[0].Name = odd.Documents[0].Verdict.Findings[0].Pos.File
	warned := one(verdict(m.weights(2)))
	warned.Exit, warned.Invariants = 0, asked
	odd.Documents[0].Chart = &chart.Chart{MaxCycles: 5, Ops: 1,
		Stages: []chart.Stage{{Listed: true, First: 0, Count: 1, Ops: 1, Cycles: 5, Cells: []chart.Cell{{Owned: true, Physical: 0, Shares: 1, Cycles: 5}}}},
		Guilty: []chart.Guilt{{Places: []chart.Place{{Op: hostile}}}}}
	program := func(d diag.Diagnostic) *Run {
		v := verdict(d)
		v.Ops, v.Commands, v.Queues, v.Buffers = 0, 120, 2, 1
		return one(v)
	}
	many := one(verdict())
	for i := range 12 {
		f := m.skip(i, edge)
		f.Group = ""
		many.Documents[0].Verdict.Findings = append(many.Documents[0].Verdict.Findings, f)
	}
	return map[string]*Run{
		"none":     {Version: "1.2.3", RuleFiles: ruleFiles, Invariants: asked},
		"odd":      odd,
		"warnings": warned,
		"many":     many,
		"clean": {Version: "1.2.3", RuleFiles: ruleFiles, Invariants: asked, LeftOut: []string{"builtin:placement"},
			Documents: []Document{{Name: "plan.json", Verdict: verdict(), Costs: []rules.Cost{
				{Objective: rules.Objective{Name: "interval", Unit: "cycles"}, Value: 1500, Known: true},
				{Objective: rules.Objective{Name: "forwards", Unit: "ops"}, Known: true},
				{Objective: rules.Objective{Name: "traffic", Unit: "byte hops"}}}}}},
		"empty":   {Version: "1.2.3", RuleFiles: ruleFiles, Documents: []Document{{Name: "-", Verdict: empty}}},
		"partial": {Version: "1.2.3", Partial: true, RuleFiles: ruleFiles, Invariants: asked, Documents: []Document{{Name: "plan.json", Verdict: partial}}},
		"nothing": {Version: "1.2.3", Exit: 2, RuleDiags: []diag.Diagnostic{
			{Code: "rule-syntax", Severity: diag.Error, Message: "expected ')'", Snippet: "p(X :- q(X).",
				Pos: diag.Position{File: "mine.dl", Line: 3, Column: 5}, Help: "close the atom"},
			{Code: "never-filled", Severity: diag.Warning, Message: "nothing fills q", Snippet: "p(X :- q(X).",
				Pos: diag.Position{File: "mine.dl", Line: 3, Column: 8}}}},
		"refused": {Version: "1.2.3", Exit: 2, RuleFiles: ruleFiles, Invariants: asked, Documents: []Document{
			{Name: "gone.json", Errors: []diag.Diagnostic{{Code: "unreadable", Severity: diag.Error,
				Message: "no such file", Pos: diag.Position{File: "gone.json"}}}},
			{Name: "-", Errors: []diag.Diagnostic{
				{Code: "wrong-type", Severity: diag.Error, Message: "expected an object, found a number",
					Snippet: `{"graph": 12}`, Pos: diag.Position{File: "-", Line: 1, Column: 11, Pointer: "/graph"}},
				{Code: "unknown-field", Severity: diag.Error, Message: `unknown field "a"`,
					Snippet: `{"a": 12}`, Pos: diag.Position{File: "-", Line: 2, Column: 1, Pointer: "/a"}}}}}},
		"triaged":  m.triaged(verdict(m.skip(0, edge)), verdict()),
		"skip":     one(verdict(m.skip(0, edge))),
		"story":    stories,
		"oneline":  one(verdict(m.oneline())),
		"deep":     one(verdict(m.deep())),
		"wide":     one(verdict(m.wide())),
		"weights":  one(verdict(m.absent(), m.weights(3))),
		"long":     one(verdict(m.weights(19))),
		"toolarge": one(verdict(m.tooLarge())),
		"cycle":    program(m.cycle(4, 0)),
		"steps":    program(m.cycle(120, 7)),
	}
}

func TestFormats(t *testing.T) {
	for name, run := range runs() {
		for _, f := range Formats() {
			if name == "wide" && f.Name == "json" {
				continue // the whole of it does not fit anywhere
			}
			var out bytes.Buffer
			if err := f.Write(&out, run, Options{}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkGolden(t, name+"."+f.Name, withoutAssets(t, out.Bytes()))
			if f.Name == "json" && !json.Valid(out.Bytes()) {
				t.Errorf("%s: not JSON", name)
			}
		}
		var problems bytes.Buffer
		if err := WriteProblems(&problems, run, Options{}); err != nil {
			t.Fatal(err)
		}
		if err := WriteNotes(&problems, run, Options{}); err != nil {
			t.Fatal(err)
		}
		checkGolden(t, name+".stderr", problems.Bytes())
	}
}

// withoutAssets takes the style and the script out of a page, which are the
// same in each.
func withoutAssets(t *testing.T, page []byte) []byte {
	t.Helper()
	for _, name := range []string{"html/page.css", "html/page.js"} {
		asset, err := htmlFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		page = bytes.ReplaceAll(page, asset, []byte("/* "+name+" */\n"))
	}
	return page
}

func TestTextOptions(t *testing.T) {
	for _, test := range []struct {
		golden, run string
		opts        Options
	}{
		{"story.all", "story", Options{All: true}},
		{"steps.all", "steps", Options{All: true}},
		{"long.all", "long", Options{All: true}},
		{"skip.color", "skip", Options{Color: true}},
		{"clean.quiet", "clean", Options{Quiet: true}},
		{"triaged.quiet", "triaged", Options{Quiet: true}},
		{"story.quiet", "story", Options{Quiet: true}},
	} {
		var out bytes.Buffer
		if err := writeText(&out, runs()[test.run], test.opts); err != nil {
			t.Fatal(err)
		}
		checkGolden(t, test.golden, out.Bytes())
	}
}

// Constants that differ look different in JSON.
func TestValues(t *testing.T) {
	m := maker{symbol.NewTable()}
	for _, test := range []struct {
		value any
		want  string
	}{
		{0, `0`},
		{int64(math.MaxInt64), `9223372036854775807`},
		{int64(math.MinInt64), `-9223372036854775808`},
		{"12", `"12"`},
		{"a<b>\x1b\u202e", `"a<b>\u001b\u202e"`},
		{"\x7f\u009b\U000e0001", `"\u007f\u009b\udb40\udc01"`},
		{"算子 é", `"算子 é"`},
		{"\xff\x00", `{"bytes":"ff00"}`},
		{name("/a"), `{"name":"/a"}`},
		{"/a", `"/a"`},
		{[]any{}, `[]`},
		{[]any{1, "x", []any{name("/a")}}, `[1,"x",[{"name":"/a"}]]`},
	} {
		var out bytes.Buffer
		w := newJSONWriter(&out)
		w.value("", valueOf(m.values(test.value)[0], m.syms))
		if err := w.finish(); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(out.String(), "\n"); got != test.want {
			t.Errorf("%v: %s, want %s", test.value, got, test.want)
		}
	}
}
