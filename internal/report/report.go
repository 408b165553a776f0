package report

import (
	"io"

	"plancheck/internal/chart"
	"plancheck/internal/diag"
	"plancheck/internal/triage"
	"plancheck/rules"
)

// Run is everything that one invocation found, and all that a report may show.
type Run struct {
	Version string // of plancheck
	Exit    int    // the exit code of the invocation
	Partial bool   // holes were left out

	Parent       string // name of the plan that all were compared with, if any
	ParentUnread bool   // no rule compares with it

	RuleFiles []rules.File
	LeftOut   []string // built-in rule files that were not asked, in order
	// Invariants are what documents were asked, in the order of the rule files.
	Invariants []rules.Invariant
	// Sentences put facts in words.
	Sentences rules.Sentences
	// RuleDiags are what is wrong with the files that say how to judge: rules,
	// suppressions, the baseline. With an error among them no document was
	// judged.
	RuleDiags []diag.Diagnostic

	Documents []Document // in the order of the command line, those of a folder by name
	Skipped   []Skipped  // files that are no plans

	Baseline string         // name of the file that says which findings are known, if any
	Recorded bool           // that file was written by this run
	Gone     []triage.Entry // of the baseline, that did not occur
}

// Skipped are files that were found and not judged.
type Skipped struct {
	Folder string // where they were found; empty for files of the command line
	Why    string // "no plan"
	Files  []string
}

// Document is one document of a run: judged, or refused with errors.
type Document struct {
	Name string
	// Errors say why the document was not judged: it could not be read or
	// decoded, or a rule could not be evaluated on it.
	Errors  []diag.Diagnostic
	Verdict *rules.Verdict // nil when there are errors; without the findings below
	Costs   []rules.Cost   // what the plan costs, when asked for
	// Alone says that rules compare the document with its parent, of another level,
	// and none was given.
	Alone bool
	// Chart is the plan as it is drawn, for formats that want it; else nil.
	Chart *chart.Chart

	Known      []diag.Diagnostic   // findings that are in the baseline
	Suppressed []triage.Suppressed // findings that a suppression accepts
}

// Withheld says in words how many findings of the document are not shown, such
// as "3 in the baseline" and "2 suppressed".
func (d Document) Withheld() []string {
	var parts []string
	if n := len(d.Known); n > 0 {
		parts = append(parts, Thousands(n)+" in the baseline")
	}
	if n := len(d.Suppressed); n > 0 {
		parts = append(parts, Thousands(n)+" suppressed")
	}
	return parts
}

// withheld counts the findings of all documents that are not shown.
func (run *Run) withheld() (known, suppressed int) {
	for _, d := range run.Documents {
		known += len(d.Known)
		suppressed += len(d.Suppressed)
	}
	return known, suppressed
}

// Count returns how many findings have the given severity.
func Count(findings []diag.Diagnostic, s diag.Severity) int {
	n := 0
	for _, f := range findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Options say how a format for people shows a run. Formats for programs
// ignore them.
type Options struct {
	Color bool // use ANSI colours
	All   bool // shorten nothing
	Quiet bool // findings and errors only: no summary, no notes
}

// Format is a way to write a run.
type Format struct {
	Name  string
	About string // one line for the help text
	// Chart says that Document.Chart is wanted.
	Chart bool
	Write func(w io.Writer, run *Run, opts Options) error
}

// Formats lists the formats, the default first.
func Formats() []Format {
	return []Format{textFormat(), jsonFormat(), sarifFormat(), githubFormat(), junitFormat(), htmlFormat()}
}
