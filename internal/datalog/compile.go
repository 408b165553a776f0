package datalog

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/google/mangle/ast"

	"plancheck/internal/diag"
)

// Program is a compiled set of units.
type Program struct {
	units  []*Unit
	preds  []*predicate // in order of declaration or first rule
	byName map[string]*predicate
	rules  []*rule
	strata [][]*predicate // in order of evaluation
	consts []literal

	chunk, maxPending int // see defaultChunk and defaultPending
}

// compiler collects the diagnostics of a compilation: all of them.
type compiler struct {
	*Program
	diags     []diag.Diagnostic
	literals  map[string]int
	elsewhere func(name string) string
}

func (c *compiler) report(sev diag.Severity, u *Unit, pos diag.Position, code, format string, args ...any) {
	d := ruleError(u.Source, pos, code, format, args...)
	d.Severity = sev
	c.diags = append(c.diags, d)
}

// Compile checks the units together. Relations named in
// given are filled from outside. A Program is returned unless a diagnostic is
// an error; warnings may come with it.
func Compile(units []*Unit, given map[string]bool) (*Program, []diag.Diagnostic) {
	return CompileKnowing(units, given, func(string) string { return "" })
}

// CompileKnowing is Compile with a word about relations that are not there:
// elsewhere says where the caller would find one, or "".
func CompileKnowing(units []*Unit, given map[string]bool, elsewhere func(name string) string) (*Program, []diag.Diagnostic) {
	c := &compiler{
		elsewhere: elsewhere,
		Program:   &Program{units: units, byName: map[string]*predicate{}, chunk: defaultChunk, maxPending: defaultPending},
		literals:  map[string]int{},
	}
	c.declare(given)
	for _, u := range units {
		for i := range u.rules {
			c.clause(&u.rules[i])
		}
	}
	if !c.failed() {
		c.stratify()
	}
	if !c.failed() {
		c.checkTypes()
	}
	if !c.failed() {
		c.warnUnfilled()
	}
	diag.Sort(c.diags)
	if c.failed() {
		return nil, c.diags
	}
	return c.Program, c.diags
}

func (c *compiler) failed() bool {
	return slices.ContainsFunc(c.diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// maxColumns is how many columns a relation may have: a set of them is a word.
const maxColumns = 64

// declare makes a predicate of every Decl and of every undeclared head.
func (c *compiler) declare(given map[string]bool) {
	add := func(u *Unit, pos diag.Position, name string, cols []string, descr []ast.Atom) *predicate {
		p := &predicate{name: name, arity: len(cols), given: given[name]}
		p.Relation = Relation{Name: name, Cols: cols, Descr: descr, Unit: u, Pos: pos}
		c.preds = append(c.preds, p)
		c.byName[name] = p
		return p
	}
	for _, u := range c.units {
		for _, d := range u.decls {
			name := d.DeclaredAtom.Predicate.Symbol
			if strings.HasPrefix(name, ":") {
				c.report(diag.Error, u, d.pos, "rule-redeclared", "%s is built in", name)
				continue
			}
			if old := c.byName[name]; old != nil {
				c.report(diag.Error, u, d.pos, "rule-redeclared", "%s is declared before, at %s:%d", name, old.Pos.File, old.Pos.Line)
				continue
			}
			if d.Constraints != nil {
				c.report(diag.Error, u, d.pos, "rule-unsupported", "inclusion constraints are not supported: state them as a violation")
			}
			if i := slices.IndexFunc(d.Descr, changesMeaning); i >= 0 {
				c.report(diag.Error, u, d.pos, "rule-unsupported", "%s(..) in descr is not supported", d.Descr[i].Predicate.Symbol)
			}
			if len(d.Bounds) > 1 {
				c.report(diag.Error, u, d.pos, "rule-unsupported", "a Decl may have one bound only")
			}
			var cols []string
			seen := map[string]bool{}
			for _, a := range d.DeclaredAtom.Args {
				v, ok := a.(ast.Variable)
				if !ok || v.Symbol == "_" || seen[v.Symbol] {
					c.report(diag.Error, u, d.pos, "rule-syntax", "the columns of a Decl are different variables, not %v", a)
					continue
				}
				seen[v.Symbol] = true
				cols = append(cols, v.Symbol)
			}
			if len(cols) > maxColumns {
				c.report(diag.Error, u, d.pos, "rule-unsupported", "%s has %d columns, and %d are allowed", name, len(cols), maxColumns)
			}
			if len(cols) == len(d.DeclaredAtom.Args) {
				add(u, d.pos, name, cols, d.Descr)
			}
			for _, b := range d.Bounds {
				if len(b.Bounds) != len(d.DeclaredAtom.Args) {
					c.report(diag.Error, u, d.pos, "rule-type", "%s has %s and %s", name, diag.Counted(len(d.DeclaredAtom.Args), "column"), diag.Counted(len(b.Bounds), "bound"))
				}
			}
		}
	}
	for _, u := range c.units {
		for i := range u.rules {
			r := &u.rules[i]
			name := r.Head.Predicate.Symbol
			if c.byName[name] != nil || strings.HasPrefix(name, ":") || strings.HasPrefix(name, "fn:") {
				continue
			}
			if len(r.Head.Args) > maxColumns {
				c.report(diag.Error, u, r.pos, "rule-unsupported", "%s has %d columns, and %d are allowed", name, len(r.Head.Args), maxColumns)
				continue
			}
			cols := make([]string, len(r.Head.Args))
			for i, a := range r.Head.Args {
				cols[i] = fmt.Sprint("X", i+1)
				if v, ok := a.(ast.Variable); ok && v.Symbol != "_" {
					cols[i] = v.Symbol
				}
			}
			add(u, r.pos, name, cols, nil)
		}
	}
}

// changesMeaning says whether a word in descr is one of Mangle's that would
// change what the rules derive.
func changesMeaning(a ast.Atom) bool {
	return slices.Contains([]string{"external", "mode", "reflects", "fundep", "merge", "deferred"}, a.Predicate.Symbol)
}

// names yields the names of all relations in order of declaration.
func (p *Program) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, q := range p.preds {
			if !yield(q.name) {
				return
			}
		}
	}
}

func (c *compiler) warnUnfilled() {
	for _, r := range c.rules {
		for _, p := range r.body {
			if p.pred != nil && !p.pred.given && !p.pred.Derived {
				c.report(diag.Warning, r.src.unit, r.premisePos(p.src), "rule-never-filled",
					"no rule and no document fills %s, declared at %s:%d", p.pred.name, p.pred.Pos.File, p.pred.Pos.Line)
			}
		}
	}
}
