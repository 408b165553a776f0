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
	if run.Parent != "" {
		out.value("parent", run.Parent)
	}
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
	if len(run.Skipped) > 0 {
		out.open("skipped", '[')
		for _, s := range run.Skipped {
			out.value("", jsonSkipped{s.Folder, s.Why, s.Files})
		}
		out.close(']')
	}
	if run.Baseline != "" {
		out.value("baseline", baselineOf(run))
	}
	out.close('}')
	return out.finish()
}

func (out *jsonWriter) document(d Document) {
	out.open("", '{')
	out.value("name", d.Name)
	out.value("judged", d.Verdict != nil)
	out.findings("input_errors", d.Errors, nil)
	if v := d.Verdict; v != nil {
		out.value("counts", countsOf(d))
		out.value("unread_sections", list(v.Unread))
		if d.Costs != nil {
			out.open("costs", '[')
			for _, c := range d.Costs {
				out.value("", costOf(c))
			}
			out.close(']')
		}
		out.findings("findings", v.Findings, v.Symbols)
		if len(d.Known) > 0 {
			out.findings("known", d.Known, v.Symbols)
		}
		if len(d.Suppressed) > 0 {
			out.open("suppressed", '[')
			for _, s := range d.Suppressed {
				f := findingOf(s.Diagnostic, v.Symbols)
				f.Suppression = &jsonSuppression{positionOf(s.By.Pos), s.By.Reason}
				out.value("", f)
			}
			out.close(']')
		}
	}
	out.close('}')
}

func (out *jsonWriter) findings(name string, ds []diag.Diagnostic, syms *symbol.Table) {
	out.open(name, '[')
	for _, d := range ds {
		out.value("", findingOf(d, syms))
	}
	out.close(']')
}

func findingOf(d diag.Diagnostic, syms *symbol.Table) jsonFinding {
	return jsonFinding{
		Code:        d.Code,
		Severity:    d.Severity.String(),
		Message:     d.Message,
		Position:    positionOf(d.Pos),
		Help:        d.Help,
		Group:       d.Group,
		Fingerprint: d.Fingerprint,
		Steps:       stepsOf(d.Steps),
		StepsLeft:   d.StepsLeftOut,
		Proof:       proofOf(d.Proof, syms),
	}
}

func stepsOf(steps []diag.Step) []jsonStep {
	var all []jsonStep
	for _, s := range steps {
		j := jsonStep{Text: s.Text, Positions: []*jsonPosition{}}
		for _, p := range s.At {
			j.Positions = append(j.Positions, positionOf(p))
		}
		all = append(all, j)
	}
	return all
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
	Known      int `json:"known"`
	Suppressed int `json:"suppressed"`
	Ops        int `json:"ops"`
	Commands   int `json:"commands"`
	Queues     int `json:"queues"`
	Buffers    int `json:"buffers"`
	Facts      int `json:"facts"`
	Rules      int `json:"rules"`
	Invariants int `json:"invariants"`
	Holes      int `json:"holes_left_out"`
}

func countsOf(d Document) jsonCounts {
	v := d.Verdict
	return jsonCounts{
		Errors:     Count(v.Findings, diag.Error),
		Warnings:   Count(v.Findings, diag.Warning),
		Notes:      Count(v.Findings, diag.Note),
		Known:      len(d.Known),
		Suppressed: len(d.Suppressed),
		Ops:        v.Ops,
		Commands:   v.Commands,
		Queues:     v.Queues,
		Buffers:    v.Buffers,
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
	Steps       []jsonStep    `json:"steps,omitempty"`
	StepsLeft   int           `json:"steps_left_out,omitempty"`
	Proof       *jsonProof    `json:"proof,omitempty"`
	// Suppression is there for suppressed findings.
	Suppression *jsonSuppression `json:"suppression,omitempty"`
}

// jsonStep is one step of a finding that one sentence does not tell.
type jsonStep struct {
	Text      string          `json:"text"`
	Positions []*jsonPosition `json:"positions"`
}

type jsonSuppression struct {
	Position *jsonPosition `json:"position"`
	Reason   string        `json:"reason"`
}

type jsonSkipped struct {
	Folder string   `json:"folder,omitempty"`
	Why    string   `json:"why"`
	Files  []string `json:"files"`
}

type jsonBaseline struct {
	File     string     `json:"file"`
	Recorded bool       `json:"recorded"`
	Gone     []jsonGone `json:"gone"`
}

// jsonGone is an entry of the baseline that did not occur, or less often.
type jsonGone struct {
	Code        string `json:"code"`
	Message     string `json:"message"`
	Fingerprint string `json:"fingerprint"`
	Count       int64  `json:"count"`
}

func baselineOf(run *Run) jsonBaseline {
	b := jsonBaseline{File: run.Baseline, Recorded: run.Recorded, Gone: []jsonGone{}}
	for _, e := range run.Gone {
		b.Gone = append(b.Gone, jsonGone{e.Code, e.Message, e.Fingerprint, e.Count})
	}
	return b
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
