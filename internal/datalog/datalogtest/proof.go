package datalogtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/mangle/ast"
	"github.com/google/mangle/parse"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// Checker re-checks proofs against rule files and tables. What is absent and
// which rows a group has, it takes from its own evaluation of the program.
type Checker struct {
	Model   *Model
	clauses []Clause
	tables  map[string]*datalog.Table
	syms    *symbol.Table
	groups  map[diag.Position]grouping
}

// grouping is what groupsOf says of a clause.
type grouping struct {
	groups []*group
	vars   []string
}

// NewChecker evaluates the program naively, to at most max rows (0 for any number).
func NewChecker(srcs []*diag.Source, syms *symbol.Table, tables []*datalog.Table, max int) (*Checker, error) {
	clauses, err := ParseClauses(srcs...)
	if err != nil {
		return nil, err
	}
	ch := &Checker{clauses: clauses, tables: map[string]*datalog.Table{}, syms: syms, groups: map[diag.Position]grouping{}}
	given := map[string][]Row{}
	for _, t := range tables {
		ch.tables[t.Name] = t
		for i := range t.N {
			given[t.Name] = append(given[t.Name], FromSymbols(syms, t.Row(i)))
		}
	}
	ch.Model, err = Eval(clauses, given, max)
	return ch, err
}

// CheckProof says what is wrong with a proof, if anything.
func CheckProof(p *diag.Proof, srcs []*diag.Source, syms *symbol.Table, tables []*datalog.Table) error {
	ch, err := NewChecker(srcs, syms, tables, 0)
	if err != nil {
		return err
	}
	return ch.Check(p)
}

// Check says what is wrong with a proof of a fact, if anything.
func (ch *Checker) Check(p *diag.Proof) error {
	if err := ch.fact(p); err != nil {
		return err
	}
	return ch.grounded(p)
}

func (ch *Checker) atom(p *diag.Proof) string {
	return FormatAtom(p.Pred, FromSymbols(ch.syms, p.Args))
}

// fact checks a node that proves an atom, and the nodes below it.
func (ch *Checker) fact(p *diag.Proof) error {
	var err error
	switch p.Kind {
	case diag.Fact:
		err = ch.stated(p)
	case diag.ByRule:
		err = ch.rule(p)
	case diag.ByAggregate:
		err = ch.aggregate(p)
	case diag.Seen:
		if len(p.Premises)+len(p.Rows) > 0 {
			err = fmt.Errorf("a seen node has nodes below it")
		}
	default:
		err = fmt.Errorf("a node of kind %s proves no fact", p.Kind)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", ch.atom(p), err)
	}
	return nil
}

// stated checks a fact of a table or of a rule file.
func (ch *Checker) stated(p *diag.Proof) error {
	if p.Row >= 0 {
		t := ch.tables[p.Pred]
		if t == nil || p.Row >= t.N || !slices.Equal(t.Row(p.Row), p.Args) {
			return fmt.Errorf("not row %d of a table", p.Row)
		}
		return nil
	}
	for _, c := range ch.clauses {
		if c.Clause.Premises == nil && c.Head.Predicate.Symbol == p.Pred && c.Pos == p.Pos {
			row, err := (*env)(nil).head(c.Head)
			if err == nil && slices.Equal(row, FromSymbols(ch.syms, p.Args)) {
				return nil
			}
		}
	}
	return fmt.Errorf("not stated at %v", p.Pos)
}

// clause finds the clause that a node refers to.
func (ch *Checker) clause(p *diag.Proof) (Clause, error) {
	if p.Rule == nil {
		return Clause{}, fmt.Errorf("no rule")
	}
	if p.Pos != p.Rule.Pos {
		return Clause{}, fmt.Errorf("the node is at %v and its rule at %v", p.Pos, p.Rule.Pos)
	}
	for _, c := range ch.clauses {
		if c.Pos != p.Rule.Pos {
			continue
		}
		text, err := parse.Clause(p.Rule.Clause)
		if err != nil {
			return Clause{}, fmt.Errorf("rule %q: %w", p.Rule.Clause, err)
		}
		if text.String() != c.Clause.String() {
			return Clause{}, fmt.Errorf("rule %q is %s", p.Rule.Clause, c.Clause)
		}
		return c, nil
	}
	return Clause{}, fmt.Errorf("no rule at %v", p.Rule.Pos)
}

// bindings reads the variables of a node, which must be these.
func (ch *Checker) bindings(p *diag.Proof, want []string) (*env, error) {
	var e *env
	for _, b := range p.Bindings {
		if _, twice := e.get(b.Var); twice || !slices.Contains(want, b.Var) {
			return nil, fmt.Errorf("binding of %s is too much", b.Var)
		}
		e = e.with(b.Var, FromSymbol(ch.syms, b.Value))
	}
	for _, v := range want {
		if _, ok := e.get(v); !ok {
			return nil, fmt.Errorf("no binding of %s", v)
		}
	}
	return e, nil
}

// lets lists the variables that a transform defines.
func lets(t *ast.Transform) []string {
	var out []string
	if t != nil {
		for _, s := range t.Statements {
			if s.Var != nil {
				out = append(out, s.Var.Symbol)
			}
		}
	}
	return out
}

// headIs checks that the head under e is the atom of the node.
func (ch *Checker) headIs(p *diag.Proof, head ast.Atom, e *env) error {
	row, err := e.head(head)
	if err != nil {
		return err
	}
	if head.Predicate.Symbol != p.Pred || !slices.Equal(row, FromSymbols(ch.syms, p.Args)) {
		return fmt.Errorf("the rule derives %s", FormatAtom(head.Predicate.Symbol, row))
	}
	return nil
}

func (ch *Checker) rule(p *diag.Proof) error {
	c, err := ch.clause(p)
	if err != nil {
		return err
	}
	if groups(c.Clause) || len(p.Rows) > 0 {
		return fmt.Errorf("an aggregate is shown as a rule")
	}
	e, err := ch.bindings(p, append(rowVars(c.Clause.Premises), lets(c.Transform)...))
	if err != nil {
		return err
	}
	if c.Transform != nil {
		for _, let := range c.Transform.Statements {
			got, _ := e.get(let.Var.Symbol)
			if want, err := e.eval(let.Fn); err != nil || got != want {
				return fmt.Errorf("%s is not %s: %v", let.Var.Symbol, let.Fn, err)
			}
		}
	}
	if err := ch.headIs(p, c.Head, e); err != nil {
		return err
	}
	return ch.body(p, c, e)
}

// body checks the premises of a rule application.
func (ch *Checker) body(p *diag.Proof, c Clause, e *env) error {
	if len(p.Premises) != len(c.Clause.Premises) {
		return fmt.Errorf("%d premises for a body of %d", len(p.Premises), len(c.Clause.Premises))
	}
	for i, q := range p.Premises {
		if err := ch.premise(q, c.Clause.Premises[i], c.Premises[i], e); err != nil {
			return fmt.Errorf("premise %d: %w", i+1, err)
		}
	}
	return nil
}

func (ch *Checker) premise(q *diag.Proof, t ast.Term, at diag.Position, e *env) error {
	atom, isAtom := t.(ast.Atom)
	if isAtom && !atom.Predicate.IsBuiltin() {
		if q.Pred != atom.Predicate.Symbol || len(q.Args) != len(atom.Args) {
			return fmt.Errorf("%s does not match %s", ch.atom(q), t)
		}
		ok, err := holds(func(emit func(*env) error) error {
			return unifyAll(atom.Args, FromSymbols(ch.syms, q.Args), e, emit)
		})
		if err != nil || !ok {
			return fmt.Errorf("%s does not match %s: %v", ch.atom(q), t, err)
		}
		return ch.fact(q)
	}
	if q.Pos != at {
		return fmt.Errorf("%s is at %v, not %v", t, at, q.Pos)
	}
	ok, err := holds(func(emit func(*env) error) error { return ch.Model.premise(t, e, emit) })
	if err != nil || !ok {
		return fmt.Errorf("%s does not hold: %v", t, err)
	}
	if neg, ok := t.(ast.NegAtom); ok && !neg.Atom.Predicate.IsBuiltin() {
		return ch.absent(q, neg.Atom, e)
	}
	if q.Kind != diag.Holds || q.Text == "" {
		return fmt.Errorf("%s is shown as %s %q", t, q.Kind, q.Text)
	}
	return nil
}

func holds(search func(func(*env) error) error) (bool, error) {
	ok := false
	err := search(func(*env) error { ok = true; return nil })
	return ok, err
}

// absent checks that a node shows the atom that was looked for.
func (ch *Checker) absent(q *diag.Proof, a ast.Atom, e *env) error {
	if q.Kind != diag.Absent || q.Pred != a.Predicate.Symbol || len(q.Args) != len(a.Args) || len(q.Open) != len(a.Args) {
		return fmt.Errorf("!%s is shown as %s %s", a, q.Kind, ch.atom(q))
	}
	for i, arg := range a.Args {
		if q.Open[i] != !e.bound(arg) {
			return fmt.Errorf("argument %d of !%s: open is %v", i+1, a, q.Open[i])
		}
		if q.Open[i] {
			continue
		}
		if v, err := e.eval(arg); err != nil || v != FromSymbol(ch.syms, q.Args[i]) {
			return fmt.Errorf("argument %d of !%s is %s", i+1, a, ch.syms.Format(q.Args[i]))
		}
	}
	return nil
}

func (ch *Checker) aggregate(p *diag.Proof) error {
	c, err := ch.clause(p)
	if err != nil {
		return err
	}
	if !groups(c.Clause) || len(p.Premises) > 0 {
		return fmt.Errorf("a rule is shown as an aggregate")
	}
	var key []string
	for _, v := range c.Transform.Statements[0].Fn.Args {
		key = append(key, v.(ast.Variable).Symbol)
	}
	e, err := ch.bindings(p, append(slices.Clone(key), lets(c.Transform)...))
	if err != nil {
		return err
	}
	gs, err := ch.groupsOf(c)
	if err != nil {
		return err
	}
	vars := gs.vars
	i := slices.IndexFunc(gs.groups, func(g *group) bool {
		return !slices.ContainsFunc(key, func(v string) bool {
			a, _ := e.get(v)
			b, _ := g.key.get(v)
			return a != b
		})
	})
	if i < 0 {
		return fmt.Errorf("no such group")
	}
	g := gs.groups[i]
	if len(p.Rows) != len(g.rows) {
		return fmt.Errorf("the group has %d rows, not %d", len(g.rows), len(p.Rows))
	}
	for i, q := range p.Rows {
		row, err := ch.row(q, c, vars)
		if err == nil && !slices.Equal(row, g.rows[i]) {
			err = fmt.Errorf("is %s, not %s", formatRow(row), formatRow(g.rows[i]))
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	results, err := g.results(c.Clause, vars)
	if err != nil {
		return err
	}
	for _, v := range lets(c.Transform) {
		got, _ := e.get(v)
		if want, _ := results.get(v); got != want {
			return fmt.Errorf("%s is %s, not %s", v, Format(want), Format(got))
		}
	}
	return ch.headIs(p, c.Head, e)
}

func (ch *Checker) groupsOf(c Clause) (grouping, error) {
	gs, ok := ch.groups[c.Pos]
	if ok {
		return gs, nil
	}
	var err error
	gs.groups, gs.vars, err = ch.Model.groupsOf(c.Clause)
	ch.groups[c.Pos] = gs
	return gs, err
}

// row checks one row of a group and returns the values of its variables.
func (ch *Checker) row(q *diag.Proof, c Clause, vars []string) (Row, error) {
	if q.Kind != diag.ByRule || q.Pred != "" || len(q.Args) > 0 {
		return nil, fmt.Errorf("is shown as %s %s", q.Kind, ch.atom(q))
	}
	e, err := ch.bindings(q, slices.DeleteFunc(slices.Clone(vars), func(v string) bool { return strings.HasPrefix(v, hidden) }))
	if err != nil {
		return nil, err
	}
	if err := ch.body(q, c, e); err != nil {
		return nil, err
	}
	for i, t := range named(c.Clause.Premises) {
		a, ok := t.(ast.Atom)
		for k, arg := range a.Args {
			if v, isVar := arg.(ast.Variable); ok && isVar && v.Symbol != "_" && strings.HasPrefix(v.Symbol, hidden) {
				e = e.with(v.Symbol, FromSymbol(ch.syms, q.Premises[i].Args[k]))
			}
		}
	}
	return e.head(atomOf(vars))
}

// grounded checks that every seen fact is proven in the tree without itself.
func (ch *Checker) grounded(root *diag.Proof) error {
	proven := map[string]bool{}        // atoms
	done := map[*diag.Proof]bool{}     // nodes all of whose facts are proven
	var visit func(p *diag.Proof) bool // reports whether p is done
	grown := true
	visit = func(p *diag.Proof) bool {
		if done[p] {
			return true
		}
		ok := p.Kind != diag.Seen || proven[ch.atom(p)]
		for _, q := range slices.Concat(p.Premises, p.Rows) {
			ok = visit(q) && ok
		}
		if ok {
			done[p], grown = true, true
			if p.Pred != "" && p.Kind != diag.Seen {
				proven[ch.atom(p)] = true
			}
		}
		return ok
	}
	for grown {
		grown = false
		if visit(root) {
			return nil
		}
	}
	return fmt.Errorf("%s: rests on itself, or on a fact that is not proven in the tree", ch.atom(root))
}
