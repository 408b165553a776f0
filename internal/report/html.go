package report

import (
	"bufio"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"plancheck/internal/diag"
	"plancheck/rules"
)

// How much one page holds. What is beyond is counted on the page; the json
// report has all of it.
const (
	htmlStories = 200 // of a document
	htmlAlso    = 50  // further findings of a story
	htmlErrors  = 100 // errors of the input
)

//go:embed html/page.html html/chart.html html/page.css html/page.js
var htmlFiles embed.FS

func htmlFormat() Format {
	return Format{
		Name:  "html",
		About: "one page with a chart and proofs that unfold, for browsers",
		Chart: true,
		Write: writeHTML,
	}
}

// writeHTML writes a page that needs nothing else: style and script are in it,
// and it forbids itself to load anything. Everything that a user wrote goes
// through html/template, which escapes it for the place where it stands.
func writeHTML(w io.Writer, run *Run, _ Options) error {
	t, err := template.New("page.html").Funcs(template.FuncMap{"Thousands": Thousands[int64]}).ParseFS(htmlFiles, "html/page.html", "html/chart.html")
	if err != nil {
		return err
	}
	style, err := htmlFiles.ReadFile("html/page.css")
	if err != nil {
		return err
	}
	script, err := htmlFiles.ReadFile("html/page.js")
	if err != nil {
		return err
	}
	page := newHTMLPage(run)
	page.Style, page.Script = template.CSS(style), template.JS(script)
	out := bufio.NewWriter(w)
	if err := t.Execute(out, page); err != nil {
		return err
	}
	return out.Flush()
}

// htmlPage is what the template shows. All strings in it are printable.
type htmlPage struct {
	Style     template.CSS
	Script    template.JS
	Version   string
	Title     string
	State     string // legal, warned, broken or refused
	Headline  string
	Partial   bool
	RuleFiles []htmlRuleFile
	LeftOut   string
	Problems  []htmlFinding // with the rule files
	Documents []htmlDocument
}

type htmlRuleFile struct {
	Name, Digest, Rules string
	Builtin             bool
}

type htmlDocument struct {
	ID, Name, State, Headline string
	Checked                   string // what was checked
	Costs                     string
	Unread                    string
	Errors                    []htmlFinding
	MoreErrors                int
	Chart                     *htmlChart
	Stories                   []htmlStory
	MoreStories               int
}

// htmlFinding is what and where.
type htmlFinding struct {
	Severity, Code, Message string
	Place, Pointer          string
	Snippet                 *htmlSnippet
	Help                    string
}

// htmlSnippet is a line of a file; At is the character that is meant.
type htmlSnippet struct {
	Line              int
	Before, At, After string
}

// htmlStory is findings with one cause.
type htmlStory struct {
	htmlFinding
	ID       string
	Number   int
	Count    int
	Stages   []htmlStop // where its ops are, stage by stage
	Where    string     // the same in words where there is less to show
	Doc      string     // what must hold
	Steps    []htmlStep
	StepsEnd string // what the last step does not say
	Reasons  []htmlReason
	Whole    bool // the proof is on the page as a whole
	Rule     *htmlRule
	Also     []htmlFinding
	MoreAlso int
}

// htmlStep is a step of a finding, or what stands for several.
type htmlStep struct {
	Number       int
	Text, Places string
}

type htmlRule struct {
	Place, Clause, Bindings string
}

func newHTMLPage(run *Run) htmlPage {
	page := htmlPage{Version: printable(run.Version), Partial: run.Partial, LeftOut: printable(strings.Join(run.LeftOut, ", "))}
	for _, f := range run.RuleFiles {
		page.RuleFiles = append(page.RuleFiles, htmlRuleFile{printable(f.Name), printable(f.Digest), counted(f.Rules, "rule"), f.Builtin})
	}
	for _, d := range run.RuleDiags {
		page.Problems = append(page.Problems, newHTMLFinding(d))
	}
	count := map[string]int{}
	for i, d := range run.Documents {
		doc := newHTMLDocument(run, i, d)
		count[doc.State]++
		page.Documents = append(page.Documents, doc)
	}
	switch n := len(run.Documents); {
	case Count(run.RuleDiags, diag.Error) > 0:
		page.State, page.Headline = "refused", "No plan was judged: rules, suppressions or baseline have errors"
	case n == 0:
		page.State, page.Headline = "refused", "Nothing was checked"
	case n == 1:
		page.State, page.Headline = page.Documents[0].State, page.Documents[0].Headline
	case count["refused"] > 0:
		page.State, page.Headline = "refused", fmt.Sprintf("%s of %s could not be judged", Thousands(count["refused"]), counted(n, "plan"))
	case count["broken"] > 0:
		page.State, page.Headline = "broken", fmt.Sprintf("%s of %s break rules", Thousands(count["broken"]), counted(n, "plan"))
	default:
		page.State, page.Headline = "legal", counted(n, "plan")+", no violations"
		if known, suppressed := run.withheld(); known+suppressed > 0 {
			page.State, page.Headline = "warned", counted(n, "plan")+", no other violations"
		}
	}
	page.Title = page.Headline + " - plancheck"
	if len(page.Documents) == 1 {
		page.Title = page.Documents[0].Name + ": " + page.Title
	}
	return page
}

func newHTMLDocument(run *Run, i int, d Document) htmlDocument {
	doc := htmlDocument{ID: fmt.Sprintf("plan-%d", i+1), Name: FileName(d.Name)}
	v := d.Verdict
	if v == nil {
		doc.State = "refused"
		doc.Headline = "Not judged: " + counted(Count(d.Errors, diag.Error), "error") + " in the input"
		for k, e := range d.Errors {
			if k == htmlErrors {
				doc.MoreErrors = len(d.Errors) - k
				break
			}
			doc.Errors = append(doc.Errors, newHTMLFinding(e))
		}
		return doc
	}
	all := stories(v.Findings)
	doc.State, doc.Headline = verdictOf(v, len(all))
	if withheld := d.Withheld(); len(withheld) > 0 {
		if len(v.Findings) == 0 { // it may break rules
			doc.State, doc.Headline = "warned", "No other violations"
		}
		doc.Headline += ", " + strings.Join(withheld, ", ")
	}
	doc.Checked = summaryChecked(v)
	doc.Unread = printable(strings.Join(v.Unread, ", "))
	if len(d.Costs) > 0 {
		doc.Costs = costLine(d.Costs)
	}
	atlas := newAtlas(d, all)
	for k, story := range all {
		if k == htmlStories {
			doc.MoreStories = len(all) - k
			break
		}
		doc.Stories = append(doc.Stories, newHTMLStory(run, d, doc.ID, k, story, atlas))
	}
	doc.Chart = newHTMLChart(d, doc.ID, atlas, len(doc.Stories))
	return doc
}

// verdictOf says in a few words what came out.
func verdictOf(v *rules.Verdict, stories int) (state, headline string) {
	errors, warnings := Count(v.Findings, diag.Error), Count(v.Findings, diag.Warning)
	switch {
	case errors > 0:
		state, headline = "broken", "Not legal: "+counted(errors, "error")
		if warnings > 0 {
			headline += " and " + counted(warnings, "warning")
		}
	case warnings > 0:
		state, headline = "warned", "Legal, with "+counted(warnings, "warning")
	case len(v.Findings) > 0:
		state, headline = "legal", "Legal, with "+counted(len(v.Findings), "note")
	case v.Holes > 0:
		state, headline = "legal", "Legal so far: no violations, "+counted(v.Holes, "hole")+" left out"
	default:
		state, headline = "legal", "Legal: no violations"
	}
	if stories > 0 && stories < len(v.Findings) {
		if stories == 1 {
			return state, headline + ", from one cause"
		}
		headline += ", from " + Thousands(stories) + " causes"
	}
	return state, headline
}

func summaryChecked(v *rules.Verdict) string {
	var parts []string
	if v.Ops > 0 || v.Commands == 0 && !v.Opless {
		parts = append(parts, counted(v.Ops, "op"))
	}
	if v.Commands > 0 {
		parts = append(parts, counted(v.Commands, "command")+" on "+counted(v.Queues, "queue"), counted(v.Buffers, "buffer"))
	}
	return strings.Join(append(parts, counted(v.Facts, "fact"), counted(v.Rules, "rule"), counted(v.Invariants, "invariant")), ", ")
}

func newHTMLFinding(d diag.Diagnostic) htmlFinding {
	return htmlFinding{
		Severity: d.Severity.String(), Code: printable(d.Code), Message: printable(d.Message),
		Place: place(d.Pos), Pointer: printable(d.Pos.Pointer), Help: printable(d.Help), Snippet: newHTMLSnippet(d),
	}
}

func newHTMLSnippet(d diag.Diagnostic) *htmlSnippet {
	if d.Snippet == "" || d.Pos.Line == 0 {
		return nil
	}
	text, before := snippet(d.Snippet, d.Pos.Column-d.SnippetSkip)
	s := &htmlSnippet{Line: d.Pos.Line}
	for i, r := range text {
		if before <= 0 {
			n := len(string(r))
			s.Before, s.At, s.After = text[:i], text[i:i+n], text[i+n:]
			return s
		}
		before -= runeCells(r)
	}
	s.Before = text
	return s
}

func newHTMLStory(run *Run, d Document, doc string, k int, story []diag.Diagnostic, a *atlas) htmlStory {
	first := story[0]
	s := htmlStory{htmlFinding: newHTMLFinding(first), ID: fmt.Sprintf("%s-finding-%d", doc, k+1), Number: k + 1, Count: len(story)}
	s.Stages, s.Where = a.stops(k)
	t := tell(first, false)
	for _, step := range t.lines {
		s.Steps = append(s.Steps, htmlStep{step.number, step.text, step.places})
	}
	s.StepsEnd = t.after
	if first.Proof != nil {
		p := htmlProof{syms: d.Verdict.Symbols, words: run.Sentences}
		s.Reasons = p.root(first.Proof)
		s.Whole = !p.cut
		if r := first.Proof.Rule; r != nil {
			s.Rule = &htmlRule{rulePlace(r.Pos), printable(r.Clause), p.bindings(first.Proof)}
		}
		for _, inv := range run.Invariants {
			if inv.Relation == first.Proof.Pred {
				s.Doc = printable(inv.Doc)
			}
		}
	}
	for i, f := range story[1:] {
		if i == htmlAlso {
			s.MoreAlso = len(story) - 1 - i
			break
		}
		also := newHTMLFinding(f)
		also.Snippet = nil
		s.Also = append(s.Also, also)
	}
	return s
}
