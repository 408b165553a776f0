package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"plancheck/internal/chart"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/rules"
)

func pageOf(t *testing.T, run *Run) string {
	t.Helper()
	var out bytes.Buffer
	if err := writeHTML(&out, run, Options{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// tags are what a page consists of; a tag that is not among them came from a user.
var tags = regexp.MustCompile(`</?([A-Za-z!][A-Za-z0-9]*)`)

// Whatever a plan says is text, in every part of a page.
func TestPageEscapes(t *testing.T) {
	page := pageOf(t, runs()["odd"])
	for _, bad := range []string{"<script>alert", "</script><", `<b id="x">`, "alert('1')</"} {
		if strings.Contains(page, bad) {
			t.Errorf("%s stands in the page", bad)
		}
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	if n := strings.Count(page, "alert"); n < 9 {
		t.Errorf("the hostile id stands in only %d places", n)
	}
	if strings.ContainsAny(page, "\x00\x1b\u2028\ufffe") {
		t.Error("control characters stand in the page")
	}
}

// A page loads nothing, and forbids it.
func TestPageStandsAlone(t *testing.T) {
	for name, run := range runs() {
		page := pageOf(t, run)
		for _, bad := range []string{" src=", "url(", "@import", "<link", "<iframe", "<img", "fetch(", "http:", "https:"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: %q stands in the page", name, bad)
			}
		}
		if !strings.Contains(page, `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"`) {
			t.Errorf("%s: the page does not forbid to load anything", name)
		}
		open := map[string]int{}
		for _, m := range tags.FindAllStringSubmatch(page[strings.Index(page, "<body>"):strings.Index(page, "<script>")], -1) {
			open[m[1]] += map[bool]int{true: 1, false: -1}[m[0][1] != '/']
		}
		delete(open, "br")
		for tag, n := range open {
			if n != 0 && tag != "body" {
				t.Errorf("%s: %d <%s> are not closed", name, n, tag)
			}
		}
	}
}

// A page about very many findings stays small, and counts what it leaves out.
func TestPageIsBounded(t *testing.T) {
	m := maker{symbol.NewTable()}
	v := &rules.Verdict{Symbols: m.syms}
	c := &chart.Chart{MaxCycles: 1}
	for i := range 100 {
		f := m.weights(40)
		f.Group = "one"
		v.Findings = append(v.Findings, f)
		c.Guilty = append(c.Guilty, chart.Guilt{Finding: i, Places: []chart.Place{{Op: "a", Stage: 0, Core: int64(i % 3)}}})
	}
	deep := m.deep().Proof
	for i := range 300 {
		v.Findings = append(v.Findings, diag.Diagnostic{Code: "c", Severity: diag.Error, Message: fmt.Sprint("m", i), Proof: deep})
	}
	c.Stages = []chart.Stage{{Listed: true, Count: 3, Cells: []chart.Cell{{First: 0, Last: 2, Owned: true, Cycles: 1}}}}
	page := pageOf(t, &Run{Documents: []Document{{Name: "p.json", Verdict: v, Chart: c}}})
	if len(page) > 12<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	for _, want := range []string{"and 101 more causes", "and 49 more; the json report has all", "and 28 more rows"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
