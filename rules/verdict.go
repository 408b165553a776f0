package rules

import (
	"github.com/google/mangle/ast"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// File is a loaded rule file.
type File struct {
	Name    string // a path, or builtin:pipeline
	Digest  string // sha256:... of its bytes
	Builtin bool   // has the bytes of a built-in file
	Rules   int    // clauses with a body
}

// Invariant is a relation whose every row is a violation, as its Decl says.
// Several may share a code: they are ways to break one obligation.
type Invariant struct {
	Relation string
	Cols     []string // variables of the Decl
	Code     string
	Severity diag.Severity
	Doc      string
	Message  string // with {Variable} where values go
	Help     string // likewise; may be empty
	At       *Place // the fact whose place is shown; nil for the first in the proof
	// Cause are the variables that name the cause: rows that agree on them are
	// one story. Nil means each row is its own, empty that all are one.
	Cause []string
	// Steps is the relation whose rows in the proof tell a finding step by step;
	// empty for findings that one sentence tells.
	Steps string
	Hole  bool // reports something not yet decided
	Pos   diag.Position
	// Clauses are the source texts of its rules, white space folded.
	Clauses []string

	message, help []segment // Message and Help, parsed
}

// Place chooses a fact: the first of a relation whose leading columns agree.
type Place struct {
	Relation string
	Cols     []PlaceColumn
}

// PlaceColumn is what a column of the fact must be: a variable of the
// invariant, a constant, or anything.
type PlaceColumn struct {
	Var      string
	Constant *ast.Constant
	Any      bool
}

// Objective is a relation whose only row holds a cost.
type Objective struct {
	Relation string
	Name     string // interval
	Unit     string // cycles
	Doc      string
}

// Options say how to judge.
type Options struct {
	// Parent is the document that rules compare with, such as the plan of the
	// phase before or that of the level above; nil for none. It may have another
	// table of symbols.
	Parent  *facts.Document
	Partial bool // leave out invariants that report holes
	Profile bool // fill in Verdict.Profile
	Limits  datalog.Limits
}

// Verdict is what the rules say about one document.
type Verdict struct {
	Document string // file name
	Findings []diag.Diagnostic
	Symbols  *symbol.Table // for the values in proofs

	Ops        int  // of the graph or the model; else tasks or instructions
	Opless     bool // documents of its kind have nothing of that sort
	Commands   int  // of the program, as are
	Queues     int
	Buffers    int
	Facts      int // rows exported for the rules that were asked
	Rules      int // rules evaluated
	Invariants int // invariants asked
	Holes      int // rows of invariants that Partial left out
	// Unread are the sections of the document that no evaluated rule read.
	Unread []string
	// Profile is what each rule took, the slowest first.
	Profile []datalog.RuleCost
}

// Cost is the value of an objective for one document.
type Cost struct {
	Objective
	Value int64
	Known bool // the rules derive a value
}
