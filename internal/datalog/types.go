package datalog

import (
	"slices"
	"strings"

	"github.com/google/mangle/analysis"
	"github.com/google/mangle/ast"
	"github.com/google/mangle/parse"

	"plancheck/internal/diag"
)

// checkTypes asks Mangle whether every rule keeps to the bounds of the Decls,
// and finds the rule that does not.
func (c *compiler) checkTypes() {
	if c.mangle(nil) == nil {
		return
	}
	// Mangle's error has no place, so the rules are asked one by one, each
	// beside the Decls of what it uses.
	found := false
	for _, u := range c.units {
		for i := range u.rules {
			r := &u.rules[i]
			if err := c.mangle(r); err != nil {
				found = true
				c.report(diag.Error, u, r.pos, "rule-type", "%s", typeMessage(err))
			}
		}
	}
	if !found {
		// The conflict shows only when undeclared relations get their types
		// from each other.
		u := c.units[len(c.units)-1]
		c.report(diag.Error, u, diag.Position{File: u.Source.Name, Line: 1, Column: 1}, "rule-type",
			"%s (declare the bounds of all relations to see where)", typeMessage(c.mangle(nil)))
	}
}

// mangle runs Mangle's analysis on all rules, or on one rule alone.
func (c *compiler) mangle(only *sourceRule) error {
	var unit parse.SourceUnit
	unit.Decls = []ast.Decl{{DeclaredAtom: ast.NewAtom("Package"), Descr: []ast.Atom{ast.NewAtom("name", ast.String(""))}}}
	declared := map[string]bool{}
	for _, u := range c.units {
		for _, d := range u.decls {
			unit.Decls = append(unit.Decls, d.Decl)
			declared[d.DeclaredAtom.Predicate.Symbol] = true
		}
	}
	for _, p := range c.preds {
		if !declared[p.name] && only != nil && p.name != only.Head.Predicate.Symbol {
			unit.Decls = append(unit.Decls, ast.NewSyntheticDeclFromSym(ast.PredicateSym{Symbol: p.name, Arity: p.arity}))
		}
	}
	for _, p := range c.preds {
		for _, r := range slices.Concat(p.facts, p.rules) {
			if only == nil || r.src == only {
				unit.Clauses = append(unit.Clauses, forMangle(r))
			}
		}
	}
	_, err := analysis.AnalyzeAndCheckBounds([]parse.SourceUnit{unit}, nil, analysis.ErrorForBoundsMismatch)
	return err
}

// forMangle orders the premises so that each has its variables bound by those
// before it, as Mangle's checks expect, and leaves out negated atoms with
// local variables, which Mangle does not know.
func forMangle(r *rule) ast.Clause {
	cl := r.src.Clause
	if len(cl.Premises) == 0 {
		return cl
	}
	var out []ast.Term
	bound := map[ast.Variable]bool{}
	rest := slices.Clone(cl.Premises)
	for len(rest) > 0 {
		n := len(rest)
		rest = slices.DeleteFunc(rest, func(t ast.Term) bool {
			if !ready(t, bound) {
				return false
			}
			out = append(out, t)
			ast.AddVars(t, bound)
			return true
		})
		if len(rest) == n {
			break // only negations with local variables are left
		}
	}
	cl.Premises = out
	return cl
}

// ready says whether Mangle would accept a premise after others have bound
// the given variables.
func ready(t ast.Term, bound map[ast.Variable]bool) bool {
	all := func(ts ...ast.BaseTerm) bool {
		vars := map[ast.Variable]bool{}
		for _, t := range ts {
			ast.AddVars(t, vars)
		}
		delete(vars, ast.Variable{Symbol: "_"})
		for v := range vars {
			if !bound[v] {
				return false
			}
		}
		return true
	}
	switch t := t.(type) {
	case ast.Atom:
		switch name := t.Predicate.Symbol; {
		case name == ":list:member":
			return all(t.Args[1])
		case name == ":match_cons":
			return all(t.Args[0])
		case strings.HasPrefix(name, ":"):
			return all(t.Args...)
		}
		vars := true
		for _, a := range t.Args {
			if _, ok := a.(ast.ApplyFn); ok {
				vars = vars && all(a)
			}
		}
		return vars
	case ast.NegAtom:
		return all(t.Atom.Args...)
	case ast.Eq:
		return all(t.Left) || all(t.Right)
	case ast.Ineq:
		return all(t.Left, t.Right)
	}
	return true
}

// typeMessage shortens Mangle's report to its first line.
func typeMessage(err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return line
}
