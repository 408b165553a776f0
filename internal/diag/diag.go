// Package diag holds what plancheck says about a document: diagnostics with a
// place in a file, and the proofs behind them. It knows no plans and no rules.
package diag

import (
	"cmp"
	"slices"
)

// Severity ranks a diagnostic.
type Severity uint8

// The severities, the gravest last.
const (
	Note Severity = iota
	Warning
	Error
)

func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// Position is a place in a file. Line and Column count from 1; Column counts
// characters, not bytes. Pointer is the JSON pointer of the value there and is
// empty for files that are not JSON, and for the whole document.
// A Position without a Line names a file as a whole.
type Position struct {
	File    string
	Line    int
	Column  int
	Pointer string
}

// Diagnostic is one thing said about a document. Every diagnostic of a run is
// kept: none hides another.
type Diagnostic struct {
	Code     string // kebab-case, stable: edge-skips-stage
	Severity Severity
	Message  string
	Pos      Position
	// Snippet is the line at Pos without its line end, and SnippetSkip is 0. Of
	// a long line it is the part near Pos, and SnippetSkip counts the
	// characters of the line before it. It is empty when there is none to show.
	Snippet     string
	SnippetSkip int
	Help        string
	// Group joins diagnostics of one code that have one cause: those with the
	// same non-empty Group are one story.
	Group string
	// Fingerprint names the finding independently of positions and formatting;
	// empty for input errors.
	Fingerprint string
	// Steps tell the finding where one sentence is not enough: a cycle, step by
	// step. They are part of the proof. StepsLeftOut counts those that are not
	// there, because the proof would be too large.
	Steps        []Step
	StepsLeftOut int
	Proof        *Proof
}

// Step is one step of a finding.
type Step struct {
	Text string
	// At are the places of the facts that the step rests on, without repeats,
	// those of what it is about first; none for a document that is no file.
	At []Position
}

// Sort orders diagnostics by file, line, column, code and message.
func Sort(ds []Diagnostic) {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Message, b.Message))
	})
}
