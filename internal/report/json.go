package report

import (
	"io"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/rules"
)

// JSONSchema names the format of json reports. The number grows when a field
// changes its meaning or goes away; new fields may come without notice.
const JSONSchema = "plancheck.report/1"

func jsonFormat() Format {
	return Format{
		Name:  "json",
		About: "everything, proofs whole, for programs",
		Write: writeJSON,
	}
}

// writeJSON writes the whole run. Findings, files and facts stand on one line
// each, so that reports can be searched and compared line by line. Nothing in
// it depends on line ends or byte offsets of a document.
func writeJSON(w io.Writer, run *Run, _ Options) error {
	out := newJSONWriter(w)
	out.open("", '{')
	out.value("schema", JSONSchema)
	out.value("tool", jsonTool{"plancheck", run.Version})
	out.value("exit_code", run.Exit)
	out.value("partial", run.Partial)
	out.open("rule_files", '[')
	for _, f := range run.RuleFiles {
		out.value("", jsonRuleFile{f.Name, f.Digest, f.Builtin, f.Rules})
	}
	out.close(']')
	out.value("rule_files_left_out", list(run.LeftOut))
	out.findings("rule_diagnostics", run.RuleDiags, nil)
	out.open("documents", '[')
	for _, d := range run.Documents {
		out.document(d)
	}
	out.close(']')
	out.close('}')
	return out.finish()
}

func (out *jsonWriter) document(d Document) {
	out.open("", '{')
	out.value("name", d.Name)
	out.value("judged", d.Verdict != nil)
	out.findings("input_errors", d.Errors, nil)
	if v := d.Verdict; v != nil {
		out.value("counts", countsOf(v))
		out.value("unread_sections", list(v.Unread))
		if d.Costs != nil {
			out.open("costs", '[')
			for _, c := range d.Costs {
				out.value("", costOf(c))
			}
			out.close(']')
		}
		out.findings("findings", v.Findings, v.Symbols)
	}
	out.close('}')
}

func (out *jsonWriter) findings(name string, ds []diag.Diagnostic, syms *symbol.Table) {
	out.open(name, '[')
	for _, d := range ds {
		out.value("", jsonFinding{
			Code:        d.Code,
			Severity:    d.Severity.String(),
			Message:     d.Message,
			Position:    positionOf(d.Pos),
			Help:        d.Help,
			Group:       d.Group,
			Fingerprint: d.Fingerprint,
			Proof:       proofOf(d.Proof, syms),
		})
	}
	out.close(']')
}

// list is never null in a report.
func list(items []string) []string {
	if items == nil {
		return []string{}
	}
	return items
}

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonRuleFile struct {
	Name    string `json:"name"`
	Digest  string `json:"digest"`
	Builtin bool   `json:"builtin"`
	Rules   int    `json:"rules"`
}

type jsonCounts struct {
	Errors     int `json:"errors"`
	Warnings   int `json:"warnings"`
	Notes      int `json:"notes"`
	Ops        int `json:"ops"`
	Facts      int `json:"facts"`
	Rules      int `json:"rules"`
	Invariants int `json:"invariants"`
	Holes      int `json:"holes_left_out"`
}

func countsOf(v *rules.Verdict) jsonCounts {
	return jsonCounts{
		Errors:     Count(v.Findings, diag.Error),
		Warnings:   Count(v.Findings, diag.Warning),
		Notes:      Count(v.Findings, diag.Note),
		Ops:        v.Ops,
		Facts:      v.Facts,
		Rules:      v.Rules,
		Invariants: v.Invariants,
		Holes:      v.Holes,
	}
}

type jsonCost struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Value *int64 `json:"value"` // null when it is not known
}

func costOf(c rules.Cost) jsonCost {
	if !c.Known {
		return jsonCost{c.Name, c.Unit, nil}
	}
	return jsonCost{c.Name, c.Unit, &c.Value}
}

type jsonFinding struct {
	Code        string        `json:"code"`
	Severity    string        `json:"severity"`
	Message     string        `json:"message"`
	Position    *jsonPosition `json:"position,omitempty"`
	Help        string        `json:"help,omitempty"`
	Group       string        `json:"group,omitempty"`
	Fingerprint string        `json:"fingerprint,omitempty"`
	Proof       *jsonProof    `json:"proof,omitempty"`
}

type jsonPosition struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Pointer string `json:"pointer,omitempty"`
}

func positionOf(p diag.Position) *jsonPosition {
	if p == (diag.Position{}) {
		return nil
	}
	return &jsonPosition{p.File, p.Line, p.Column, p.Pointer}
}
