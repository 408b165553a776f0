package datalog

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"plancheck/internal/symbol"
)

// Explain says which decisions make a relation have some row: literals that
// hold, such that under any decisions by which they hold too the relation has
// this row, or where the row has the value of an aggregate perhaps another one.
// db is what the program derives under the decisions, and holds says what they
// are.
//
// Where nothing is known of facts that the row depends on, whole is true: then all
// decisions that can be seen are the explanation.
func (m *May) Explain(ctx context.Context, db *Database, relation string, row []symbol.Value, holds func(Lit) bool) (lits []Lit, whole bool, err error) {
	e := &explainer{May: m, now: db, holds: holds, has: map[Lit]bool{}, present: map[provenRow]bool{}, absent: map[provenRow]bool{}, pinned: map[string]bool{}}
	defer context.AfterFunc(ctx, func() { m.db.halt.Store(true) })()
	p := m.program.byName[relation]
	if p == nil {
		return nil, false, fmt.Errorf("there is no relation %s", relation)
	}
	i := db.relation(p).find(row)
	if i < 0 {
		return nil, false, fmt.Errorf("%s does not hold", db.syms.FormatAtom(relation, row))
	}
	err = e.isThere(p, i, true)
	var failed *RuleError
	if errors.As(err, &failed) {
		return nil, true, nil // arithmetic fails for some row that may be
	}
	term, _ := m.simple(e.lits)
	return term, e.whole, err
}

// explainer gathers one explanation. Everything that it has explained together
// holds under all decisions that have its literals: what is there, by a proof
// that is well-founded; what is absent, because each way to derive it needs
// something that is absent in turn, or is stopped by a literal.
type explainer struct {
	*May
	now   *Database
	holds func(Lit) bool

	lits    []Lit
	has     map[Lit]bool
	whole   bool
	present map[provenRow]bool // rows of now
	absent  map[provenRow]bool // rows of what may be, by predicates of the program
	pinned  map[string]bool    // patterns
}

func (e *explainer) add(l Lit) {
	if !e.has[l] {
		e.has[l] = true
		e.lits = append(e.lits, l)
	}
}

// isThere explains a row that holds. At the top, another row of the relation
// would do as well.
func (e *explainer) isThere(p *predicate, i int, top bool) error {
	if e.whole || !e.open[p] || e.present[provenRow{p, i}] {
		return nil
	}
	if e.db.halt.Load() {
		return errHalted
	}
	e.present[provenRow{p, i}] = true
	rel := e.now.relation(p)
	row := rel.row(i)
	switch {
	case p.given && e.decided[p] == nil:
		e.whole = true
		return nil
	case p.given:
		return e.decidedRow(p, row)
	case i < len(rel.stated):
		return nil
	}
	round := 0
	for round < len(rel.rounds) && rel.rounds[round] <= i {
		round++
	}
	pr := &prover{Database: e.now}
	for _, r := range p.rules {
		var found bool
		var err error
		if r.agg != nil {
			found, err = e.byAggregate(pr, r, row, nil)
		} else {
			found, err = e.byRule(pr, r, row, round, top)
		}
		if err != nil || found {
			return err
		}
	}
	return fmt.Errorf("no rule derives %s", e.now.syms.FormatAtom(p.name, row))
}

// decidedRow explains a row of facts that holds by the shortest of its terms
// that do.
func (e *explainer) decidedRow(p *predicate, row []symbol.Value) error {
	i := e.db.relation(e.clone[p]).find(row)
	if i < 0 {
		return fmt.Errorf("%s should not be possible", e.now.syms.FormatAtom(p.name, row))
	}
	var best Term
	least := -1
	for _, t := range e.decided[p].When[i] {
		if !e.true(t) {
			continue
		}
		if n := e.news(t); least < 0 || n < least {
			best, least = t, n
		}
	}
	if least < 0 {
		return fmt.Errorf("%s holds although nothing makes it", e.now.syms.FormatAtom(p.name, row))
	}
	for _, l := range best {
		e.add(l)
	}
	return nil
}

func (e *explainer) true(t Term) bool {
	return !slices.ContainsFunc(t, func(l Lit) bool { return !e.holds(l) })
}

// news counts the literals that the explanation does not have yet.
func (e *explainer) news(t Term) int {
	n := 0
	for _, l := range t {
		if !e.has[l] {
			n++
		}
	}
	return n
}

func (e *explainer) byRule(pr *prover, r *rule, row []symbol.Value, round int, top bool) (bool, error) {
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
	regs, rows := slices.Clone(m.regs), map[*premise]int{}
	for i, s := range m.steps {
		if s.op == opMatch {
			rows[s.prem] = m.at[i]
		}
	}
	return true, e.premises(r, regs, rows, top)
}

// premises explains those of a rule that hold now. What is compared with the
// value of an aggregate need not be explained to the last row.
func (e *explainer) premises(r *rule, regs []symbol.Value, rows map[*premise]int, top bool) error {
	loose := map[int]bool{} // variables whose values may be others
	for _, p := range r.body {
		switch {
		case p.pred == nil || !e.open[p.pred]:
		case p.kind == negative:
			if err := e.noneIsThere(p, patternOf(r, p, regs)); err != nil {
				return err
			}
		default:
			done, err := e.loosely(r, p, regs, rows[p], top, loose)
			if err == nil && !done {
				err = e.isThere(p.pred, rows[p], false)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// noneIsThere explains that no row of a relation fits a pattern.
func (e *explainer) noneIsThere(p *premise, x pattern) error {
	if e.whole || !e.open[p.pred] {
		return nil
	}
	if e.vague[p.pred] {
		return e.pin(p.pred, x)
	}
	for _, row := range e.db.relation(e.clone[p.pred]).matching(p, x) {
		if err := e.isAbsent(p.pred, row); err != nil {
			return err
		}
	}
	return nil
}

// isAbsent explains why a row that may be, by its number, does not hold.
func (e *explainer) isAbsent(p *predicate, i int) error {
	if e.whole || e.absent[provenRow{p, i}] {
		return nil
	}
	if e.db.halt.Load() {
		return errHalted
	}
	e.absent[provenRow{p, i}] = true
	if d := e.decided[p]; d != nil {
		for _, t := range d.When[i] {
			if _, possible := e.simple(t); !possible {
				continue
			}
			stop := Lit(0)
			for _, l := range t {
				if !e.holds(l) && (stop == 0 || e.has[-l] && !e.has[stop]) {
					stop = -l
				}
			}
			if stop == 0 {
				return fmt.Errorf("a row of %s does not hold although a term of it does", p.name)
			}
			e.add(stop)
		}
		return nil
	}
	row := e.db.relation(e.clone[p]).row(i)
	for _, r := range p.rules {
		if e.rules[r] == nil {
			if err := e.pinRule(r, exactly(row)); err != nil {
				return err
			}
			continue
		}
		list, err := e.byHead(r, row)
		if err != nil {
			return err
		}
		for _, in := range list {
			if err := e.stopped(r, in); err != nil {
				return err
			}
		}
	}
	return nil
}

// obstacle is why an instance does not hold: a premise whose row is absent, or
// one that negates a row that is there.
type obstacle struct {
	pred  *predicate
	row   int
	there bool
	cost  int
}

// obstacleOf returns the cheapest to explain; none when the instance holds now.
func (e *explainer) obstacleOf(r *rule, in instance) (best obstacle, found bool) {
	offer := func(o obstacle) {
		if !found || o.cost < best.cost {
			best, found = o, true
		}
	}
	simple := e.rules[r]
	for _, p := range simple.body {
		pred := e.origin[p.pred]
		if p.kind != positive || !e.open[pred] {
			continue
		}
		row := in.rows[p]
		if e.now.relation(pred).find(e.values(simple, p, in.regs, row)) >= 0 {
			continue
		}
		cost := 4
		switch {
		case e.absent[provenRow{pred, row}]:
			cost = 0
		case e.decided[pred] != nil && e.stoppedAlready(e.decided[pred].When[row]):
			cost = 1
		case e.decided[pred] != nil:
			cost = 2
		}
		offer(obstacle{pred, row, false, cost})
	}
	for _, p := range r.body {
		if p.kind != negative || !e.open[p.pred] {
			continue
		}
		for _, row := range e.now.relation(p.pred).matching(p, patternOf(r, p, in.regs)) {
			cost := 3
			if e.present[provenRow{p.pred, row}] {
				cost = 0
			}
			offer(obstacle{p.pred, row, true, cost})
		}
	}
	return best, found
}

// stoppedAlready says whether literals of the explanation stop all terms.
func (e *explainer) stoppedAlready(when []Term) bool {
	for _, t := range when {
		if !slices.ContainsFunc(t, func(l Lit) bool { return e.has[-l] }) {
			return false
		}
	}
	return true
}

// stopped explains why an instance does not hold.
func (e *explainer) stopped(r *rule, in instance) error {
	o, found := e.obstacleOf(r, in)
	switch {
	case !found:
		return fmt.Errorf("a rule of %s holds, and what it derives does not", r.pred.name)
	case o.there:
		return e.isThere(o.pred, o.row, false)
	}
	return e.isAbsent(o.pred, o.row)
}
