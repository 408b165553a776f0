package report

import (
	"io"

	"plancheck/internal/chart"
	"plancheck/internal/diag"
	"plancheck/rules"
)

// Run is everything that one invocation found, and all that a report may show.
type Run struct {
	Version string // of plancheck
	Exit    int    // the exit code of the invocation
	Partial bool   // holes were left out

	RuleFiles []rules.File
	LeftOut   []string // built-in rule files that were not asked, in order
	// Invariants are what documents were asked, in the order of the rule files.
	Invariants []rules.Explanation
	// Sentences put facts in words.
	Sentences rules.Sentences
	// RuleDiags are what is wrong with the rule files. With an error among them
	// no document was judged.
	RuleDiags []diag.Diagnostic

	Documents []Document // in the order of the command line
}

// Document is one document of a run: judged, or refused with errors.
type Document struct {
	Name string
	// Errors say why the document was not judged: it could not be read or
	// decoded, or a rule could not be evaluated on it.
	Errors  []diag.Diagnostic
	Verdict *rules.Verdict // nil when there are errors
	Costs   []rules.Cost   // what the plan costs, when asked for
	// Chart is the plan as it is drawn, for formats that want it; else nil.
	Chart *chart.Chart
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
