package diag

import "plancheck/internal/symbol"

// Proof is the tree of rule applications behind one fact. Leaves are facts of
// the document, absent facts and comparisons that hold.
type Proof struct {
	Kind ProofKind
	// Pred and Args are the proven (or absent) atom. In an absent atom an
	// argument may be open: Open[i] is true where the rule has a wildcard or a
	// variable that nothing else binds.
	Pred string
	Args []symbol.Value
	Open []bool
	// Rule is the rule that was applied, for ByRule and ByAggregate.
	Rule *RuleRef
	// Bindings are the values of the rule's variables, in order of appearance.
	// For ByAggregate they hold only the group's and the results' variables.
	Bindings []Binding
	// Premises follow the rule's body, one each, for ByRule.
	Premises []*Proof
	// Rows are the group's rows for ByAggregate: each is a proof of kind
	// ByRule without a Pred whose Premises follow the body and whose Bindings
	// are the row's variables. All rows of the group are there, in order.
	Rows []*Proof
	// Omitted is how many more rows the group has, where all would make the
	// proof too large.
	Omitted int
	// Text is the premise with its values filled in, for Holds: "0 + 1 < 3".
	Text string
	// Row is the row number of a Fact in the table it was given in, and -1 for
	// a fact that a rule file states.
	Row int
	// Pos is the place of a Fact in its document, and of the rule or the
	// premise in its rule file for the other kinds.
	Pos Position
}

// ProofKind says what carries a node of a proof.
type ProofKind uint8

// The kinds of proof nodes.
const (
	Fact        ProofKind = iota // a fact of the document, or one stated in a rule file
	ByRule                       // a rule and proofs of its premises
	ByAggregate                  // a rule that groups rows, and all rows of the group
	Absent                       // no such fact exists
	Holds                        // a comparison or another built-in predicate holds
	Seen                         // proven elsewhere in the same tree: Pred and Args say where
	LeftOut                      // holds, but its proof would make this one too large
)

func (k ProofKind) String() string {
	return [...]string{"fact", "rule", "aggregate", "absent", "holds", "seen", "left-out"}[k]
}

// RuleRef names a rule by its place; rules have no other names.
type RuleRef struct {
	Pos    Position
	Clause string // source text, white space folded
}

// Binding is the value of a variable in a rule application.
type Binding struct {
	Var   string
	Value symbol.Value
}
