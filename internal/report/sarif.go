package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/rules"
)

// sarifResults is how many results one file holds: GitHub refuses files with
// more than 25,000 results in a run (docs.github.com, "SARIF support for code
// scanning", limits).
const sarifResults = 25_000

const sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

func sarifFormat() Format {
	return Format{
		Name:  "sarif",
		About: "SARIF 2.1.0, for code scanning and editors",
		Write: writeSARIF,
	}
}

// writeSARIF writes SARIF 2.1.0 (OASIS), with the properties that GitHub code
// scanning shows and in the way that it shows them:
//
//   - every result has a physical location with a line: GitHub drops results
//     without one, so what is about a whole file stands at its first line;
//   - errors of the input are results too, since GitHub shows nothing else.
//     invocations[0].executionSuccessful is false then, and a notification
//     names each document that was not judged;
//   - each finding is a result of its own, with its own fingerprint, because
//     alerts are opened and closed one by one; a story is a property.
func writeSARIF(w io.Writer, run *Run, _ Options) error {
	results, leftOut := sarifAll(run)
	rs := sarifRulesOf(run, results)
	out := newJSONWriter(w)
	out.open("", '{')
	out.value("$schema", sarifSchema)
	out.value("version", "2.1.0")
	out.open("runs", '[')
	out.open("", '{')
	out.open("tool", '{')
	out.open("driver", '{')
	out.value("name", "plancheck")
	if run.Version != "" {
		out.value("semanticVersion", run.Version)
	}
	out.open("rules", '[')
	for _, r := range rs.list {
		out.value("", r)
	}
	out.close(']')
	out.close('}')
	out.close('}')
	out.open("invocations", '[')
	out.value("", sarifInvocationOf(run, leftOut))
	out.close(']')
	// Columns count characters, see diag.Position.
	out.value("columnKind", "unicodeCodePoints")
	out.value("originalUriBaseIds", map[string]sarifBase{srcRoot: {sarifText{"The folder that plancheck was started in: the root of the repository."}}})
	out.open("results", '[')
	for _, r := range results {
		out.value("", r.result(rs.index[r.d.Code]))
	}
	out.close(']')
	if known, suppressed := run.withheld(); known+suppressed > 0 {
		// Not as results with suppressions: GitHub would show those as alerts.
		out.value("properties", sarifWithheld{known, suppressed})
	}
	out.close('}')
	out.close(']')
	out.close('}')
	return out.finish()
}

// sarifSource is a diagnostic that becomes a result.
type sarifSource struct {
	d    diag.Diagnostic
	syms *symbol.Table
}

// sarifAll lists what becomes a result, and how many had to be left out: the
// gravest stay.
func sarifAll(run *Run) (all []sarifSource, leftOut int) {
	add := func(ds []diag.Diagnostic, syms *symbol.Table) {
		for _, d := range ds {
			all = append(all, sarifSource{d, syms})
		}
	}
	add(run.RuleDiags, nil)
	for _, d := range run.Documents {
		add(d.Errors, nil)
		if d.Verdict != nil {
			add(d.Verdict.Findings, d.Verdict.Symbols)
		}
	}
	if leftOut = len(all) - sarifResults; leftOut <= 0 {
		return all, 0
	}
	slices.SortStableFunc(all, func(a, b sarifSource) int { return int(b.d.Severity) - int(a.d.Severity) })
	return all[:sarifResults], leftOut
}

func (s sarifSource) result(rule int) sarifResult {
	r := sarifResult{
		RuleID:              s.d.Code,
		RuleIndex:           rule,
		Level:               s.d.Severity.String(),
		Message:             sarifText{sarifMessage(s.d)},
		Locations:           []sarifLocation{{PhysicalLocation: sarifPlaceOf(s.d.Pos)}},
		PartialFingerprints: sarifFingerprints(s.d),
		CodeFlows:           sarifFlow(s.d, s.syms),
	}
	if s.d.Pos.Pointer != "" || s.d.Group != "" {
		r.Properties = &sarifResultProperties{printable(s.d.Pos.Pointer), printable(s.d.Group)}
	}
	return r
}

// sarifMessage is plain text. GitHub shows its first sentence where there is
// little room.
func sarifMessage(d diag.Diagnostic) string {
	if d.Help == "" {
		return plainText(d.Message)
	}
	return plainText(d.Message + ". To mend it: " + d.Help)
}

// plainText keeps what a user wrote from being read as an embedded link,
// [text](target), the only markup of plain messages (SARIF 2.1.0, 3.11.6).
func plainText(s string) string { return strings.ReplaceAll(printable(s), "](", "] (") }

// sarifFingerprints: GitHub compares primaryLocationLineHash alone, whose
// usual value changes with the line's text; ours does not. Errors of the input
// have no fingerprint of their own.
func sarifFingerprints(d diag.Diagnostic) map[string]string {
	f := d.Fingerprint
	if f == "" {
		f = digestOf(d.Code, d.Pos.Pointer, d.Message)
	}
	return map[string]string{"plancheck/v1": f, "primaryLocationLineHash": f + ":1"}
}

func sarifInvocationOf(run *Run, leftOut int) sarifInvocation {
	inv := sarifInvocation{ExecutionSuccessful: true, ExitCode: run.Exit}
	if n := Count(run.RuleDiags, diag.Error); n > 0 {
		inv.ExecutionSuccessful = false
		inv.Configuration = append(inv.Configuration,
			sarifNotification{"error", sarifText{"No document was judged: rules, suppressions or baseline have " + counted(n, "error") + "."}})
	}
	for _, d := range run.Documents {
		if d.Verdict == nil {
			inv.ExecutionSuccessful = false
			inv.Execution = append(inv.Execution,
				sarifNotification{"error", sarifText{plainText(fmt.Sprintf("%s was not judged: it has %s.", FileName(d.Name), counted(len(d.Errors), "error")))}})
		}
	}
	if leftOut > 0 {
		inv.Execution = append(inv.Execution,
			sarifNotification{"warning", sarifText{counted(leftOut, "result") + " left out: more than " + Thousands(sarifResults) + " are not accepted."}})
	}
	return inv
}

// sarifRules are the rules of a file: what was asked, then the codes of other
// diagnostics.
type sarifRules struct {
	list  []sarifRule
	index map[string]int
}

func sarifRulesOf(run *Run, results []sarifSource) sarifRules {
	rs := sarifRules{index: map[string]int{}}
	add := func(r sarifRule) {
		rs.index[r.ID] = len(rs.list)
		rs.list = append(rs.list, r)
	}
	for _, c := range codes(run.Invariants) {
		add(sarifRuleOf(c))
	}
	var others []diag.Diagnostic
	for _, s := range results {
		others = append(others, s.d)
	}
	slices.SortStableFunc(others, func(a, b diag.Diagnostic) int { return strings.Compare(a.Code, b.Code) })
	for _, d := range others {
		if _, known := rs.index[d.Code]; !known {
			add(sarifRuleFor(d))
		}
	}
	return rs
}

// codes groups invariants by their code, in order of the first of each.
func codes(invariants []rules.Invariant) [][]rules.Invariant {
	var all [][]rules.Invariant
	at := map[string]int{}
	for _, inv := range invariants {
		i, seen := at[inv.Code]
		if !seen {
			i = len(all)
			at[inv.Code] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], inv)
	}
	return all
}

// sarifTexts is the most characters that GitHub shows of a description.
const sarifTexts = 1024

func sarifRuleOf(ways []rules.Invariant) sarifRule {
	first := ways[0]
	level := first.Severity
	var docs, text, markdown []string
	for _, w := range ways {
		level = max(level, w.Severity)
		if doc := printable(w.Doc); doc != "" && !slices.Contains(docs, doc) {
			docs = append(docs, doc)
		}
		text = append(text, strings.TrimSpace(fmt.Sprintf("%s Reported as: %s. %s", printable(w.Doc), printable(w.Message), printable(w.Help))))
		markdown = append(markdown, ruleMarkdown(w))
	}
	short := first.Code
	if len(docs) > 0 {
		short = docs[0]
	}
	r := newSARIFRule(first.Code, level, "plan")
	r.ShortDescription = sarifText{cutTo(short, sarifTexts)}
	r.FullDescription = sarifText{cutTo(strings.Join(append(docs, short)[:max(1, len(docs))], " "), sarifTexts)}
	r.Help = sarifHelp{strings.Join(text, "\n\n"), strings.Join(markdown, "\n\n")}
	return r
}

// ruleMarkdown shows a way to break an obligation: what must be true, what is
// reported, what to do, and the rules themselves.
func ruleMarkdown(w rules.Invariant) string {
	var b strings.Builder
	if w.Doc != "" {
		fmt.Fprintf(&b, "%s\n\n", markdownText(w.Doc))
	}
	fmt.Fprintf(&b, "Reported as: %s\n\n", markdownText(w.Message))
	if w.Help != "" {
		fmt.Fprintf(&b, "To mend it: %s\n\n", markdownText(w.Help))
	}
	b.WriteString("The rule, at " + markdownText(rulePlace(w.Pos)) + ":\n\n")
	for _, c := range w.Clauses {
		b.WriteString("    " + printable(c) + "\n") // indented: code that nothing in it can end
	}
	return strings.TrimRight(b.String(), "\n")
}

// sarifRuleFor describes a code that no rule file declares: an error of the
// input or of a rule file.
func sarifRuleFor(d diag.Diagnostic) sarifRule {
	text := "The input cannot be judged: " + strings.ReplaceAll(d.Code, "-", " ") + "."
	tag := "input"
	switch {
	case d.Proof != nil || d.Fingerprint != "":
		text, tag = "The plan is not legal: "+strings.ReplaceAll(d.Code, "-", " ")+".", "plan"
	case d.Severity < diag.Error:
		text = "To be looked at: " + strings.ReplaceAll(d.Code, "-", " ") + "."
	}
	r := newSARIFRule(d.Code, d.Severity, tag)
	r.ShortDescription, r.FullDescription = sarifText{text}, sarifText{text}
	r.Help = sarifHelp{text, text}
	return r
}

// newSARIFRule gives what GitHub sorts and filters by. A violation is proven,
// hence the precision.
func newSARIFRule(code string, level diag.Severity, tag string) sarifRule {
	severity := [...]string{"recommendation", "warning", "error"}[level]
	return sarifRule{
		ID: code, Name: camel(code),
		Default:    sarifDefault{level.String()},
		Properties: sarifRuleProperties{[]string{tag, "pipeline"}, "very-high", severity},
	}
}

// camel turns edge-skips-stage into EdgeSkipsStage.
func camel(code string) string {
	var b strings.Builder
	for _, word := range strings.Split(code, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}
