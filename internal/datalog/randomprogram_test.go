package datalog_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/google/mangle/ast"

	"plancheck/internal/datalog"
	"plancheck/internal/datalog/datalogtest"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// column is the type of a column of a random relation.
type column int

const (
	number column = iota
	text
	name
	numbers // a list of numbers
	anything
)

var bounds = [...]string{"/number", "/string", "/name", ".List</number>", "/any"}

// relation is a relation of a random program. Relations of level 0 are given;
// the rules of a level use relations of this level and of those below.
type relation struct {
	name  string
	cols  []column
	level int
}

// random is a random program with its tables.
type random struct {
	decls   []string
	clauses []ast.Clause
	given   []givenRows
	goals   []string
	layout  int // index of layouts
}

// layouts are ways to write the way from one premise to the next.
var layouts = [...]string{", ", ",\n    ", " ,\r\n\t# q(X) :- p(X).\r\n\t"}

// givenRows are the rows of a given relation.
type givenRows struct {
	relation *relation
	rows     []datalogtest.Row
	distinct bool
}

// source is the text of the program.
func (p *random) source() *diag.Source {
	var b strings.Builder
	for _, d := range p.decls {
		b.WriteString(d + "\n")
	}
	for _, c := range p.clauses {
		b.WriteString(clauseText(c, layouts[p.layout]) + "\n")
	}
	return diag.NewSource("random.dl", []byte(b.String()))
}

// tables interns the given rows.
func (p *random) tables(syms *symbol.Table) []*datalog.Table {
	var out []*datalog.Table
	for _, g := range p.given {
		t := &datalog.Table{Name: g.relation.name, N: len(g.rows), Distinct: g.distinct, Cols: make([][]symbol.Value, len(g.relation.cols))}
		for _, row := range g.rows {
			for c, v := range row {
				t.Cols[c] = append(t.Cols[c], datalogtest.ToSymbol(syms, v))
			}
		}
		out = append(out, t)
	}
	return out
}

func (p *random) String() string {
	var b strings.Builder
	b.Write(p.source().Text())
	for _, g := range p.given {
		fmt.Fprintf(&b, "given %s (distinct: %v):", g.relation.name, g.distinct)
		for _, row := range g.rows {
			b.WriteString(" " + datalogtest.FormatAtom("", row))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "goals: %s\n", strings.Join(p.goals, " "))
	return b.String()
}

// generator makes random programs. The same seed makes the same program.
type generator struct {
	*rand.Rand
	relations []*relation
	most      int  // rows of a given relation
	large     bool // numbers past 31 bits occur, and products do not
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

// generate makes the program of a seed.
func generate(seed, attempt uint64) *random {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, attempt))}
	g.large = g.chance(20)
	g.most = 9
	if g.chance(10) {
		g.most = 40
	}
	p := &random{layout: g.IntN(len(layouts))}
	for i := range 1 + g.IntN(3) {
		r := g.relation(fmt.Sprintf("g%d", i), 0)
		p.decls = append(p.decls, declText(r, true))
		p.given = append(p.given, g.givenRows(r))
	}
	for level := range 1 + g.IntN(3) {
		group := []*relation{}
		for i := range 1 + g.IntN(2) {
			group = append(group, g.relation(fmt.Sprintf("d%d%c", level+1, 'a'+i), level+1))
		}
		for _, r := range group {
			g.rules(p, r)
		}
	}
	for _, r := range g.relations {
		if r.level > 0 && g.chance(70) {
			p.goals = append(p.goals, r.name)
		}
	}
	if last := g.relations[len(g.relations)-1].name; !slices.Contains(p.goals, last) {
		p.goals = append(p.goals, last)
	}
	g.Shuffle(len(p.clauses), func(i, j int) { p.clauses[i], p.clauses[j] = p.clauses[j], p.clauses[i] })
	return p
}

func (g *generator) relation(name string, level int) *relation {
	r := &relation{name: name, level: level}
	for range pick(g, []int{0, 1, 1, 1, 2, 2, 2, 2, 3, 3}) {
		r.cols = append(r.cols, pick(g, []column{number, number, number, number, number, text, text, 2, numbers, numbers, anything}))
	}
	g.relations = append(g.relations, r)
	return r
}

// rules adds facts and rules of a relation to p; now and then there are none.
func (g *generator) rules(p *random, r *relation) {
	mixed := slices.Contains(r.cols, anything) // which no inference would find
	declared := mixed || g.chance(70)
	if g.chance(25) {
		for range 1 + g.IntN(3) {
			p.clauses = append(p.clauses, ast.NewClause(g.factHead(r), nil))
		}
	}
	n := 1 + g.IntN(3)
	if declared && g.chance(3) {
		n = 0
	}
	for range n {
		c := g.rule(r)
		p.clauses = append(p.clauses, c)
		if g.chance(3) {
			p.clauses = append(p.clauses, c)
		}
	}
	if declared {
		p.decls = append(p.decls, declText(r, mixed || g.chance(80)))
	}
}

func (g *generator) factHead(r *relation) ast.Atom {
	a := ast.Atom{Predicate: ast.PredicateSym{Symbol: r.name, Arity: len(r.cols)}}
	for _, c := range r.cols {
		a.Args = append(a.Args, constant(g.value(c)))
	}
	return a
}

func (g *generator) givenRows(r *relation) givenRows {
	out := givenRows{relation: r}
	if g.chance(8) {
		return out // nothing fills it
	}
	seen := map[string]bool{}
	out.distinct = true
	for range 1 + g.IntN(g.most) {
		row := make(datalogtest.Row, len(r.cols))
		for c := range row {
			row[c] = g.value(r.cols[c])
		}
		out.rows = append(out.rows, row)
		if len(r.cols) == 0 {
			break
		}
		if g.chance(10) {
			out.rows = append(out.rows, row)
		}
	}
	for _, row := range out.rows {
		key := datalogtest.FormatAtom("", row)
		out.distinct = out.distinct && !seen[key]
		seen[key] = true
	}
	out.distinct = out.distinct && g.chance(80)
	return out
}

// value returns a random constant of a type, from few.
func (g *generator) value(c column) datalogtest.Value {
	switch c {
	case number:
		if g.large && g.chance(15) {
			return pick(g, []int64{1<<31 - 1, 1 << 31, 1<<31 + 1, -1 << 31, 1<<53 + 1, -1 << 40})
		}
		return int64(g.IntN(max(7, g.most-20)) - 2)
	case text:
		return pick(g, []string{"a", "b", "ab", "ba", "", "/a", "1", "é\"\\\n"})
	case name:
		return datalogtest.Name(pick(g, []string{"/a", "/b", "/a/b", "/ab", "/true"}))
	case numbers:
		var list []datalogtest.Value
		for range g.IntN(4) {
			list = append(list, g.value(number))
		}
		return datalogtest.List(list...)
	}
	if g.chance(5) {
		return datalogtest.List(g.value(anything), g.value(text))
	}
	return g.value(column(g.IntN(4)))
}

// constant is the term of a value.
func constant(v datalogtest.Value) ast.BaseTerm {
	switch v := v.(type) {
	case int64:
		return ast.Number(v)
	case string:
		return ast.String(v)
	case datalogtest.Name:
		c, err := ast.Name(string(v))
		if err != nil {
			panic(err)
		}
		return c
	case datalogtest.Cons:
		rest := constant(v.Tail).(ast.ApplyFn)
		return apply("fn:list", append([]ast.BaseTerm{constant(v.Head)}, rest.Args...)...)
	}
	return apply("fn:list")
}

func apply(name string, args ...ast.BaseTerm) ast.ApplyFn {
	return ast.ApplyFn{Function: ast.FunctionSym{Symbol: name, Arity: len(args)}, Args: args}
}

func declText(r *relation, bounded bool) string {
	var cols, types []string
	for i, c := range r.cols {
		cols = append(cols, fmt.Sprintf("C%d", i))
		types = append(types, bounds[c])
	}
	d := fmt.Sprintf("Decl %s(%s)", r.name, strings.Join(cols, ", "))
	if bounded || len(types) == 0 {
		d += " bound [" + strings.Join(types, ", ") + "]"
	}
	return d + "."
}

var infix = map[string]string{":lt": "<", ":le": "<=", ":gt": ">", ":ge": ">="}

// clauseText writes a clause as a person would, with comma between premises.
func clauseText(c ast.Clause, comma string) string {
	text := atomText(c.Head)
	for i, p := range c.Premises {
		text += [...]string{" :- ", comma}[min(i, 1)] + premiseText(p)
	}
	if c.Transform != nil {
		text += " |> "
		for i, s := range c.Transform.Statements {
			if i > 0 {
				text += ", "
			}
			if s.Var == nil {
				text += "do " + termText(s.Fn)
			} else {
				text += "let " + s.Var.Symbol + " = " + termText(s.Fn)
			}
		}
	}
	if last := text[len(text)-1]; last != ')' && last != ']' && last != '"' {
		text += " " // a name may hold a full stop
	}
	return text + "."
}

func premiseText(p ast.Term) string {
	switch p := p.(type) {
	case ast.Atom:
		if op := infix[p.Predicate.Symbol]; op != "" {
			return termText(p.Args[0]) + " " + op + " " + termText(p.Args[1])
		}
		return atomText(p)
	case ast.NegAtom:
		return "!" + atomText(p.Atom)
	case ast.Eq:
		return termText(p.Left) + " = " + termText(p.Right)
	case ast.Ineq:
		return termText(p.Left) + " != " + termText(p.Right)
	}
	return p.String()
}

func atomText(a ast.Atom) string { return a.Predicate.Symbol + "(" + termsText(a.Args) + ")" }

func termsText(ts []ast.BaseTerm) string {
	parts := make([]string, len(ts))
	for i, t := range ts {
		parts[i] = termText(t)
	}
	return strings.Join(parts, ", ")
}

func termText(t ast.BaseTerm) string {
	if f, ok := t.(ast.ApplyFn); ok {
		if f.Function.Symbol == "fn:list" {
			return "[" + termsText(f.Args) + "]"
		}
		return f.Function.Symbol + "(" + termsText(f.Args) + ")"
	}
	return t.String()
}
