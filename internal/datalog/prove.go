package datalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// A row is proven by matching the bodies of its relation's rules again, with
// the head's variables bound to the row. Nothing is recorded while rules are
// evaluated, so proofs cost nothing until one is asked for.

// proofPlan finds the body rows behind a head.
type proofPlan struct {
	bound []bool // variables that the head binds
	steps []*step
	m     *machine
}

var errFound = errors.New("found")

// Prove returns the proof of a row of a relation. Equal calls give equal
// proofs.
func (db *Database) Prove(relation string, row []symbol.Value) (*diag.Proof, error) {
	proof, _, err := db.ProveWithin(context.Background(), relation, row, math.MaxInt)
	return proof, err
}

// ProveWithin is Prove for proofs that may be very large. Once the tree has the
// given number of nodes, rows of groups are only counted (Proof.Omitted) and
// derived facts only stated (diag.LeftOut). It returns how many nodes it made,
// and the error of ctx when that ends first.
func (db *Database) ProveWithin(ctx context.Context, relation string, row []symbol.Value, nodes int) (*diag.Proof, int, error) {
	p := db.program.byName[relation]
	if p == nil {
		return nil, 0, fmt.Errorf("there is no relation %s", relation)
	}
	pr := &prover{Database: db, seen: map[provenRow]bool{}, left: nodes}
	defer context.AfterFunc(ctx, func() { pr.halted.Store(true) })()
	proof, err := pr.prove(p, db.relation(p).find(row))
	if errors.Is(err, errHalted) {
		err = context.Cause(ctx)
	}
	return proof, nodes - pr.left, err
}

type provenRow struct {
	p   *predicate
	row int
}

// prover builds one tree. What the tree proves already is not proven again.
type prover struct {
	*Database
	seen   map[provenRow]bool
	left   int // nodes that may still be made
	halted atomic.Bool
}

func (pr *prover) prove(p *predicate, i int) (*diag.Proof, error) {
	if i < 0 {
		return nil, fmt.Errorf("%s does not hold", p.name)
	}
	rel := pr.relation(p)
	row := rel.row(i)
	node := &diag.Proof{Pred: p.name, Args: row}
	pr.left--
	if p.given {
		node.Kind, node.Row = diag.Fact, i
		return node, nil
	}
	if i < len(rel.stated) {
		node.Kind, node.Row, node.Pos = diag.Fact, -1, rel.stated[i].pos()
		return node, nil
	}
	if pr.seen[provenRow{p, i}] {
		node.Kind = diag.Seen
		return node, nil
	}
	if pr.left < 0 {
		node.Kind = diag.LeftOut
		return node, nil
	}
	pr.seen[provenRow{p, i}] = true
	// A row of a recursive relation rests on rows of earlier rounds.
	round := 0
	for round < len(rel.rounds) && rel.rounds[round] <= i {
		round++
	}
	for _, r := range p.rules {
		var found bool
		var err error
		if r.agg != nil {
			found, err = pr.byAggregate(node, r, row)
		} else {
			found, err = pr.byRule(node, r, row, round)
		}
		if err != nil || found {
			return node, err
		}
	}
	return nil, fmt.Errorf("no rule derives %s", pr.syms.FormatAtom(p.name, row))
}

// match prepares a machine that looks for body rows behind a head row. It
// returns nil when the head cannot be this row.
func (pr *prover) match(r *rule, row []symbol.Value) *machine {
	plan := pr.proofs[r]
	if plan == nil {
		plan = &proofPlan{bound: make([]bool, len(r.vars))}
		body := bindable(r)
		for _, h := range r.head {
			if h.kind == variable && body[h.v] && (r.agg == nil || slices.Contains(r.agg.group, h.v)) {
				plan.bound[h.v] = true
			}
		}
		plan.steps = (&planner{r: r, db: pr.Database, bound: plan.bound, forced: -1}).plan()
		plan.m = pr.machine(r, plan.steps)
		pr.proofs[r] = plan
	}
	plan.m.halt = &pr.halted
	pr.prepare(plan.steps, 0)
	m := plan.m
	set := make([]bool, len(r.vars))
	for i, h := range r.head {
		switch {
		case h.kind == constant && m.regs[len(r.vars)+h.c] != row[i]:
			return nil
		case h.kind == variable && plan.bound[h.v]:
			if set[h.v] && m.regs[h.v] != row[i] {
				return nil
			}
			m.regs[h.v], set[h.v] = row[i], true
		}
	}
	return m
}

// earlier says whether the row that a step matched was derived before the
// given round, as far as it matters.
func (pr *prover) earlier(r *rule, s *step, row, round int) bool {
	if s.prem.kind != positive || s.prem.pred.stratum != r.pred.stratum || s.prem.pred.given {
		return true
	}
	rounds := pr.relation(s.prem.pred).rounds
	return round > 0 && row < rounds[round-1]
}

func (pr *prover) byRule(node *diag.Proof, r *rule, row []symbol.Value, round int) (bool, error) {
	m := pr.match(r, row)
	if m == nil {
		return false, nil
	}
	head := make([]symbol.Value, len(row))
	m.emit = func() error {
		if m.result(head) != nil || !slices.Equal(head, row) {
			return nil
		}
		for i, s := range m.steps {
			if !pr.earlier(r, s, m.at[i], round) {
				return nil
			}
		}
		return errFound
	}
	if _, err := m.run(0); !errors.Is(err, errFound) {
		return false, unlessFailed(err)
	}
	regs, at := slices.Clone(m.regs), slices.Clone(m.at)
	node.Kind = diag.ByRule
	node.Rule = ruleRef(r)
	node.Pos = r.pos()
	known := r.valued()
	for v, name := range r.vars {
		if name != "" && known[v] {
			node.Bindings = append(node.Bindings, diag.Binding{Var: name, Value: regs[v]})
		}
	}
	var err error
	node.Premises, err = pr.premises(m, regs, at)
	return true, err
}

// unlessFailed drops the errors of functions: a row for which arithmetic fails
// is not derived.
func unlessFailed(err error) error {
	var failed *RuleError
	if errors.As(err, &failed) {
		return nil
	}
	return err
}

// valued says which named variables have a value once the head has one: all but
// those that only ask whether there is no row.
func (r *rule) valued() []bool {
	known := bindable(r)
	if r.agg != nil {
		for _, red := range r.agg.reducers {
			known[red.v] = true
		}
	}
	for _, l := range r.lets {
		known[l.v] = true
	}
	for v, name := range r.vars {
		known[v] = known[v] && name != "" && name != anonymous
	}
	return known
}

func ruleRef(r *rule) *diag.RuleRef {
	return &diag.RuleRef{Pos: r.pos(), Clause: r.src.text}
}

// byAggregate gathers the group again, with all its rows.
func (pr *prover) byAggregate(node *diag.Proof, r *rule, row []symbol.Value) (bool, error) {
	m := pr.match(r, row)
	if m == nil {
		return false, nil
	}
	g := pr.grouping(m)
	type match struct {
		named, regs []symbol.Value
		at          []int
		group       int
	}
	var matches []match // as many as may be shown
	var size []int      // of each group
	m.emit = func() error {
		id, fresh, err := g.add()
		if err != nil || !fresh {
			return err
		}
		if id == len(size) {
			size = append(size, 0)
		}
		size[id]++
		if len(matches) < max(pr.left, 1) {
			matches = append(matches, match{slices.Clone(g.row), slices.Clone(m.regs), slices.Clone(m.at), id})
		}
		return err
	}
	if _, err := m.run(0); err != nil {
		return false, unlessFailed(err)
	}
	group := -1
	known := r.valued()
	head := make([]symbol.Value, len(row))
	err := g.finish(func() error {
		if group < 0 && m.result(head) == nil && slices.Equal(head, row) {
			group = g.current
			for v, name := range r.vars {
				if slices.Contains(r.agg.group, v) || known[v] && !slices.Contains(g.named, v) {
					node.Bindings = append(node.Bindings, diag.Binding{Var: name, Value: m.regs[v]})
				}
			}
		}
		return nil
	})
	if err != nil || group < 0 {
		return false, unlessFailed(err)
	}
	node.Kind = diag.ByAggregate
	node.Rule = ruleRef(r)
	node.Pos = r.pos()
	matches = slices.DeleteFunc(matches, func(x match) bool { return x.group != group })
	slices.SortFunc(matches, func(a, b match) int { return pr.syms.CompareRows(a.named, b.named) })
	node.Omitted = size[group]
	for _, x := range matches {
		if pr.left < 0 {
			break
		}
		pr.left--
		node.Omitted--
		sub := &diag.Proof{Kind: diag.ByRule, Rule: node.Rule, Pos: node.Pos}
		for i, v := range g.named {
			if r.vars[v] == anonymous {
				continue
			}
			sub.Bindings = append(sub.Bindings, diag.Binding{Var: r.vars[v], Value: x.named[i]})
		}
		if sub.Premises, err = pr.premises(m, x.regs, x.at); err != nil {
			return false, err
		}
		node.Rows = append(node.Rows, sub)
	}
	return true, nil
}

// premises proves the premises of a rule for given registers and matched rows.
func (pr *prover) premises(m *machine, regs []symbol.Value, at []int) ([]*diag.Proof, error) {
	r := m.rule
	out := make([]*diag.Proof, len(r.src.Premises))
	// In the order of the body, so that what is proven once is shown where it
	// is read first.
	for _, p := range r.body {
		if p.src < 0 {
			continue
		}
		i := slices.IndexFunc(m.steps, func(s *step) bool { return s.prem == p })
		node := &diag.Proof{Pos: r.premisePos(p.src)}
		switch p.kind {
		case positive:
			var err error
			if node, err = pr.prove(p.pred, at[i]); err != nil {
				return nil, err
			}
		case negative:
			node.Kind, node.Pred = diag.Absent, p.pred.name
			node.Args = make([]symbol.Value, len(p.args))
			node.Open = make([]bool, len(p.args))
			known := bindable(r)
			for c, a := range p.args {
				if node.Open[c] = !a.bound(known); !node.Open[c] {
					node.Args[c] = regs[regOf(r, a)]
				}
			}
		default:
			node.Kind, node.Text = diag.Holds, pr.premiseText(r, p, regs)
		}
		out[p.src] = node
	}
	return out, nil
}

// premiseText writes a comparison or a built-in with its values.
func (pr *prover) premiseText(r *rule, p *premise, regs []symbol.Value) string {
	parts := make([]string, len(p.args))
	for i, a := range p.args {
		parts[i] = pr.exprText(r, a, regs)
	}
	if p.kind == comparison || p.kind == equality {
		return parts[0] + " " + p.op + " " + parts[1]
	}
	return p.op + "(" + strings.Join(parts, ", ") + ")"
}

func (pr *prover) exprText(r *rule, e *expr, regs []symbol.Value) string {
	switch e.kind {
	case wildcard:
		return "_"
	case variable, constant:
		return pr.syms.Format(regs[regOf(r, e)])
	}
	parts := make([]string, len(e.args))
	for i, a := range e.args {
		parts[i] = pr.exprText(r, a, regs)
		if e.fn.infix != "" && (a.kind == apply && a.fn.infix != "" || i > 0 && strings.HasPrefix(parts[i], "-")) {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	if e.fn.infix != "" && len(parts) > 1 {
		return strings.Join(parts, " "+e.fn.infix+" ")
	}
	if e.fn.name == "fn:list" {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return e.fn.name + "(" + strings.Join(parts, ", ") + ")"
}
