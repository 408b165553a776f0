package datalog_test

import (
	"slices"
	"strings"

	"github.com/google/mangle/ast"

	"plancheck/internal/datalog/datalogtest"
)

// feature is a corner of the language. A program covers it when a clause that
// has it stands for a relation with rows.
type feature struct {
	name string
	in   func(p *random, c ast.Clause) bool
}

var features = []feature{
	{"negation", inPremise(func(t ast.Term) bool { _, ok := t.(ast.NegAtom); return ok })},
	{"negated wildcard", inPremise(func(t ast.Term) bool { n, ok := t.(ast.NegAtom); return ok && has(n.Atom.Args, "_") })},
	{"negated variable of its own", inPremise(func(t ast.Term) bool {
		n, ok := t.(ast.NegAtom)
		return ok && slices.ContainsFunc(n.Atom.Args, func(t ast.BaseTerm) bool { return strings.HasPrefix(t.String(), "L") })
	})},
	{"repeated variable", inPremise(func(t ast.Term) bool {
		a, ok := t.(ast.Atom)
		return ok && slices.ContainsFunc(a.Args, func(t ast.BaseTerm) bool {
			v, ok := t.(ast.Variable)
			return ok && v.Symbol != "_" && occurrences(a, v.Symbol) > 1
		})
	})},
	{"function in an atom", inPremise(func(t ast.Term) bool {
		a, ok := t.(ast.Atom)
		return ok && !a.Predicate.IsBuiltin() && slices.ContainsFunc(a.Args, isApply)
	})},
	{"function in a negation", inPremise(func(t ast.Term) bool {
		n, ok := t.(ast.NegAtom)
		return ok && slices.ContainsFunc(n.Atom.Args, isApply)
	})},
	{"comparison", inPremise(named(":lt", ":le", ":gt", ":ge"))},
	{"equality", inPremise(func(t ast.Term) bool { _, ok := t.(ast.Eq); return ok })},
	{"inequality", inPremise(func(t ast.Term) bool { _, ok := t.(ast.Ineq); return ok })},
	{":string predicate", inPremise(named(":string:starts_with", ":string:ends_with", ":string:contains"))},
	{":match_prefix", inPremise(named(":match_prefix"))},
	{":list:member", inPremise(named(":list:member"))},
	{":match_cons", inPremise(named(":match_cons"))},
	{":filter", inPremise(named(":filter"))},
	{"premise without columns", inPremise(func(t ast.Term) bool { a, ok := t.(ast.Atom); return ok && len(a.Args) == 0 })},
	{"aggregate", inTransformText("fn:group_by")},
	{"group of everything", inTransformText("fn:group_by()")},
	{"count", inTransformText("fn:count")},
	{"sum", inTransformText("fn:sum")},
	{"min", inTransformText("fn:min")},
	{"max", inTransformText("fn:max")},
	{"collect", inTransformText("fn:collect(")},
	{"collect_distinct", inTransformText("fn:collect_distinct")},
	{"let", func(_ *random, c ast.Clause) bool { return c.Transform != nil && c.Transform.Statements[0].Var != nil }},
	{"function in a head", func(_ *random, c ast.Clause) bool {
		return c.Premises != nil && slices.ContainsFunc(c.Head.Args, isApply)
	}},
	{"head without columns", func(_ *random, c ast.Clause) bool { return c.Premises != nil && len(c.Head.Args) == 0 }},
	{"linear recursion", func(_ *random, c ast.Clause) bool { return calls(c, c.Head.Predicate.Symbol) == 1 }},
	{"nonlinear recursion", func(_ *random, c ast.Clause) bool { return calls(c, c.Head.Predicate.Symbol) > 1 }},
	{"mutual recursion", func(p *random, c ast.Clause) bool {
		return slices.ContainsFunc(p.clauses, func(d ast.Clause) bool {
			return d.Head.Predicate != c.Head.Predicate && calls(c, d.Head.Predicate.Symbol) > 0 && calls(d, c.Head.Predicate.Symbol) > 0
		})
	}},
	{"fact and rule", func(p *random, c ast.Clause) bool {
		return c.Premises != nil && slices.ContainsFunc(p.clauses, func(d ast.Clause) bool {
			return d.Premises == nil && d.Head.Predicate == c.Head.Predicate
		})
	}},
	{"several rules", func(p *random, c ast.Clause) bool {
		return len(slices.DeleteFunc(slices.Clone(p.clauses), func(d ast.Clause) bool { return d.Head.Predicate != c.Head.Predicate })) > 1
	}},
	{"empty given relation", reads(func(g givenRows) bool { return len(g.rows) == 0 })},
	{"given rows not distinct", reads(func(g givenRows) bool { return !g.distinct && len(g.rows) > 1 })},
}

// covered names the features of a program.
func covered(p *random, m *datalogtest.Model) []string {
	var out []string
	for _, f := range features {
		if slices.ContainsFunc(p.clauses, func(c ast.Clause) bool { return len(m.Rows(c.Head.Predicate.Symbol)) > 0 && f.in(p, c) }) {
			out = append(out, f.name)
		}
	}
	return out
}

func inPremise(is func(ast.Term) bool) func(*random, ast.Clause) bool {
	return func(_ *random, c ast.Clause) bool { return slices.ContainsFunc(c.Premises, is) }
}

func inTransformText(text string) func(*random, ast.Clause) bool {
	return func(_ *random, c ast.Clause) bool {
		return c.Transform != nil && strings.Contains(c.Transform.String(), text)
	}
}

// reads says whether a rule has a premise that is a given relation of a kind.
func reads(is func(givenRows) bool) func(*random, ast.Clause) bool {
	return func(p *random, c ast.Clause) bool {
		return slices.ContainsFunc(p.given, func(g givenRows) bool {
			return is(g) && slices.ContainsFunc(c.Premises, func(t ast.Term) bool {
				return strings.HasPrefix(strings.TrimPrefix(t.String(), "!"), g.relation.name+"(")
			})
		})
	}
}

func named(names ...string) func(ast.Term) bool {
	return func(t ast.Term) bool { a, ok := t.(ast.Atom); return ok && slices.Contains(names, a.Predicate.Symbol) }
}

func has(args []ast.BaseTerm, v string) bool {
	return slices.ContainsFunc(args, func(t ast.BaseTerm) bool { return t.Equals(variable(v)) })
}

func isApply(t ast.BaseTerm) bool { _, ok := t.(ast.ApplyFn); return ok }

func occurrences(t ast.Term, v string) int {
	n := 0
	visitTerm(t, func(w string) {
		if v == w {
			n++
		}
	})
	return n
}

// calls counts the premises of a relation in a clause.
func calls(c ast.Clause, relation string) int {
	n := 0
	for _, t := range c.Premises {
		if a, ok := t.(ast.Atom); ok && a.Predicate.Symbol == relation {
			n++
		}
	}
	return n
}
