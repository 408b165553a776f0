// Package rules holds the rule files, loads them and judges documents by them.
// Nothing else decides whether a plan is legal.
package rules

import (
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// File is a loaded rule file.
type File struct {
	Name    string // a path, or builtin:pipeline
	Digest  string // sha256:... of its bytes
	Builtin bool
	Rules   int // clauses with a body
}

// Invariant is a relation whose every row is a violation, as its Decl says.
// Several may share a code: they are ways to break one obligation.
type Invariant struct {
	Relation string
	Cols     []string // variables of the Decl
	Code     string
	Severity diag.Severity
	Doc      string
	Message  string   // with {Variable} where values go
	Help     string   // likewise; may be empty
	At       []string // relation and variables of the fact whose place is shown; may be empty
	Cause    []string // variables that name the cause; rows that agree on them are one story
	Hole     bool     // reports something not yet decided
	Pos      diag.Position
}

// Options say how to judge.
type Options struct {
	Partial bool // leave out invariants that report holes
	Limits  datalog.Limits
}

// Verdict is what the rules say about one document.
type Verdict struct {
	Document string // file name
	Findings []diag.Diagnostic
	Symbols  *symbol.Table // for the values in proofs

	Ops        int
	Facts      int // rows exported for the rules that were asked
	Rules      int // rules evaluated
	Invariants int // invariants asked
	Holes      int // rows of invariants that Partial left out
	// Unread are the sections of the document that no evaluated rule read.
	Unread []string
}
