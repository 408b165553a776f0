package house

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/rules"
)

// sample is a rule file of docs/rule-language.md and what is said behind it.
type sample struct {
	rules, said string
	wrong       bool
}

func ruleExamples(t *testing.T) []sample {
	t.Helper()
	pair := regexp.MustCompile("(?s)```prolog( wrong)?\n(.*?)```\n\n```text\n(.*?)```\n")
	page := readFile(t, "docs/rule-language.md")
	var all []sample
	for _, m := range pair.FindAllStringSubmatch(page, -1) {
		all = append(all, sample{m[2], m[3], m[1] != ""})
	}
	if n := strings.Count(page, "```prolog"); n != len(all) || n < 15 {
		t.Fatalf("%d of %d examples have an answer", len(all), n)
	}
	return all
}

// TestRuleLanguagePage runs every example of the page beside the built-in rules.
func TestRuleLanguagePage(t *testing.T) {
	for _, e := range ruleExamples(t) {
		path := filepath.Join(t.TempDir(), "mine.dl")
		if err := os.WriteFile(path, []byte(e.rules), 0o644); err != nil {
			t.Fatal(err)
		}
		set, diags := rules.Load([]string{rules.Builtin, path})
		diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Code == rules.IdleFile })
		var got string
		switch {
		case e.wrong:
			for _, d := range diags {
				got += fmt.Sprintf("%d:%d %s\n", d.Pos.Line, d.Pos.Column, d.Message)
			}
			if set != nil {
				t.Errorf("%s\nis accepted", e.rules)
			}
		case set == nil || len(diags) > 0:
			t.Errorf("%s\n%v", e.rules, diags)
			continue
		default:
			got = answer(t, set, path, e.said)
		}
		if diff := cmp.Diff(e.said, got); diff != "" {
			t.Errorf("%s(-page +real):\n%s", e.rules, diff)
		}
	}
}

// answer is what a file finds, or the rows of the relations that the page
// shows.
func answer(t *testing.T, set *rules.Set, path, said string) string {
	t.Helper()
	text := readFile(t, "testdata/plans/encoder.json")
	p, diags := ir.DecodePlan(diag.NewSource("encoder.json", []byte(text)))
	if p == nil {
		t.Fatal(diags)
	}
	var b strings.Builder
	if strings.Contains(said, "]: ") {
		verdict, err := set.Judge(context.Background(), p, rules.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range verdict.Findings {
			fmt.Fprintf(&b, "%s[%s]: %s\n", f.Severity, f.Code, f.Message)
		}
		return b.String()
	}
	var goals []string
	for _, r := range set.Program().Relations() {
		if r.Pos.File == path && strings.Contains("\n"+said, "\n"+r.Name+"(") {
			goals = append(goals, r.Name)
		}
	}
	db, err := set.Derive(context.Background(), p, goals, datalog.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(&b)
	for _, name := range goals {
		for _, row := range db.Rows(name) {
			facts.TextRow(out, name, row, p.Symbols)
		}
	}
	out.Flush()
	return b.String()
}
