package datalog

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/mangle/ast"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// Relation is a relation that a program declares, with or without rules.
type Relation struct {
	Name    string
	Cols    []string // variables of its Decl
	Types   []string // of the columns: number, string, name, list, any value, unknown
	Descr   []ast.Atom
	Derived bool // has rules or stated facts
	Unit    *Unit
	Pos     diag.Position // of its Decl
	Clauses []string      // source text of its rules
	// FilledBy and ReadBy are the units with rules that derive it or have it in
	// their bodies, each once.
	FilledBy, ReadBy []*Unit
}

// Relations lists all relations in order of declaration.
func (p *Program) Relations() []Relation {
	rs := make([]Relation, len(p.preds))
	for i, q := range p.preds {
		rs[i] = q.Relation
	}
	at := map[*predicate]int{}
	for i, q := range p.preds {
		at[q] = i
		for _, r := range slices.Concat(q.facts, q.rules) {
			note(&rs[i].FilledBy, r.src.unit)
		}
	}
	for _, r := range p.rules {
		for _, premise := range r.body {
			if premise.pred != nil {
				note(&rs[at[premise.pred]].ReadBy, r.src.unit)
			}
		}
	}
	return rs
}

func note(units *[]*Unit, u *Unit) {
	if !slices.Contains(*units, u) {
		*units = append(*units, u)
	}
}

// Reads returns the names of the given relations that the goals depend on,
// sorted, and the number of rules that would be evaluated for them.
func (p *Program) Reads(goals []string) (given []string, rules int) {
	for q := range p.needed(goals) {
		if q.given {
			given = append(given, q.name)
		}
		rules += len(q.rules)
	}
	slices.Sort(given)
	return given, rules
}

// Rules returns the number of rules of a unit.
func (u *Unit) Rules() int {
	n := 0
	for _, r := range u.rules {
		if len(r.Premises) > 0 {
			n++
		}
	}
	return n
}

// Describes says whether some Decl of a unit has an atom of this name in its
// descr.
func (u *Unit) Describes(name string) bool {
	for _, d := range u.decls {
		for _, atom := range d.Descr {
			if atom.Predicate.Symbol == name {
				return true
			}
		}
	}
	return false
}

// Len returns the number of rows of a relation.
func (db *Database) Len(relation string) int {
	p := db.program.byName[relation]
	if p == nil || db.rels[p] == nil {
		return 0
	}
	return db.rels[p].n
}

// Rows returns the rows of a relation, sorted, each once.
func (db *Database) Rows(relation string) [][]symbol.Value {
	p := db.program.byName[relation]
	if p == nil || db.rels[p] == nil {
		return nil
	}
	rel := db.rels[p]
	rows := make([][]symbol.Value, rel.n)
	for i := range rows {
		rows[i] = rel.row(i)
	}
	slices.SortFunc(rows, db.syms.CompareRows)
	if !rel.distinct {
		rows = slices.CompactFunc(rows, slices.Equal)
	}
	return rows
}

// RuleCost is what evaluating a rule has taken.
type RuleCost struct {
	Rule     diag.RuleRef
	Relation string
	Rows     int // of the relation, which other rules may share
	Time     time.Duration
}

// Costs lists the rules that were evaluated, the most expensive first.
func (db *Database) Costs() []RuleCost {
	var costs []RuleCost
	for _, r := range db.program.rules {
		if d, ok := db.spent[r]; ok {
			costs = append(costs, RuleCost{*ruleRef(r), r.pred.name, db.relation(r.pred).n, d})
		}
	}
	slices.SortStableFunc(costs, func(a, b RuleCost) int { return cmp.Compare(b.Time, a.Time) })
	return costs
}
