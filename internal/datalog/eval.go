package datalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"plancheck/internal/symbol"
)

// Database holds the result of an evaluation and proves its rows.
type Database struct {
	program *Program
	syms    *symbol.Table
	consts  []symbol.Value
	rels    map[*predicate]*relation
	limits  Limits
	began   time.Time
	derived int // rows
	halt    atomic.Bool
	proofs  map[*rule]*proofPlan
	spent   map[*rule]time.Duration
}

func (db *Database) relation(p *predicate) *relation {
	r := db.rels[p]
	if r == nil {
		r = newRelation(p)
		db.rels[p] = r
	}
	return r
}

// Eval derives the goals from the tables. Numbers and strings are those of
// syms. Errors are *RuleError where a rule is at fault.
func (p *Program) Eval(ctx context.Context, syms *symbol.Table, tables []*Table, goals []string, limits Limits) (*Database, error) {
	db := &Database{program: p, syms: syms, rels: map[*predicate]*relation{}, limits: limits, began: time.Now(), proofs: map[*rule]*proofPlan{}, spent: map[*rule]time.Duration{}}
	for _, c := range p.consts {
		db.consts = append(db.consts, c.intern(syms))
	}
	for _, t := range tables {
		pred := p.byName[t.Name]
		if pred == nil {
			continue
		}
		if len(t.Cols) != pred.arity {
			return nil, fmt.Errorf("table %s has %d columns, its relation %d", t.Name, len(t.Cols), pred.arity)
		}
		db.rels[pred] = fromTable(pred, t)
	}
	if limits.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limits.Time)
		defer cancel()
	}
	defer context.AfterFunc(ctx, func() { db.halt.Store(true) })()
	needed := p.needed(goals)
	for _, comp := range p.strata {
		comp = slices.DeleteFunc(slices.Clone(comp), func(q *predicate) bool { return !needed[q] })
		if err := db.stratum(ctx, comp); err != nil {
			return nil, err
		}
	}
	return db, nil
}

// needed finds the relations that the goals depend on.
func (p *Program) needed(goals []string) map[*predicate]bool {
	need := map[*predicate]bool{}
	var visit func(q *predicate)
	visit = func(q *predicate) {
		if q == nil || need[q] {
			return
		}
		need[q] = true
		for _, d := range dependencies(q) {
			visit(d)
		}
	}
	for _, g := range goals {
		visit(p.byName[g])
	}
	return need
}

// stratum derives relations that depend on each other, round by round: the
// first round takes the rules that need none of them, each later one joins
// the rows that the round before has added.
func (db *Database) stratum(ctx context.Context, comp []*predicate) error {
	var start, again []*rule
	in := map[*predicate]bool{}
	for _, p := range comp {
		in[p] = true
	}
	for _, p := range comp {
		for _, f := range p.facts {
			if err := db.state(f); err != nil {
				return err
			}
		}
		for _, r := range p.rules {
			if slices.ContainsFunc(r.body, func(q *premise) bool { return in[q.pred] }) {
				again = append(again, r)
			} else {
				start = append(start, r)
			}
		}
	}
	endRound := func() bool {
		grew := false
		for _, p := range comp {
			rel := db.relation(p)
			rel.settle()
			grew = grew || rel.n > rel.vis
			rel.vis = rel.n
			rel.rounds = append(rel.rounds, rel.n)
		}
		return grew
	}
	for _, r := range start {
		if err := db.derive(ctx, &job{rule: r, forced: -1, alone: len(again) == 0}); err != nil {
			return err
		}
	}
	grew := endRound()
	var jobs []*job
	for _, r := range again {
		for i, p := range r.body {
			if p.kind == positive && in[p.pred] {
				jobs = append(jobs, &job{rule: r, forced: i})
			}
		}
	}
	for grew && len(jobs) > 0 {
		for _, j := range jobs {
			if err := db.derive(ctx, j); err != nil {
				return err
			}
		}
		grew = endRound()
	}
	for _, p := range comp {
		rel := db.relation(p)
		rel.frozen = true
	}
	return nil
}

// state adds a fact that a rule file states.
func (db *Database) state(f *rule) error {
	m := db.machine(f, nil)
	row := make([]symbol.Value, len(f.head))
	for i, h := range f.head {
		v, err := m.eval(h)
		if err != nil {
			return m.blame(0, err)
		}
		row[i] = v
	}
	rel := db.relation(f.pred)
	if rel.insert(row) {
		rel.stated = append(rel.stated, f)
		db.derived++
	}
	return nil
}

// job is a rule to evaluate, with its plan once it has one. forced is the
// premise that takes the rows of the last round, or -1.
type job struct {
	rule   *rule
	forced int
	alone  bool // no rule of the stratum reads what it derives
	steps  []*step
	last   int // rows of the forced relation seen before
	m      *machine
}

// derive evaluates a rule and adds what is new to its relation.
func (db *Database) derive(ctx context.Context, j *job) error {
	began := time.Now()
	defer func() { db.spent[j.rule] += time.Since(began) }()
	if slices.ContainsFunc(j.rule.body, func(q *premise) bool { return q.kind == positive && db.relation(q.pred).vis == 0 }) {
		return nil // without indexes for the other premises
	}
	if j.forced >= 0 {
		rel := db.relation(j.rule.body[j.forced].pred)
		lo := 0
		if n := len(rel.rounds); n > 1 {
			lo = rel.rounds[n-2]
		}
		if lo == rel.vis {
			return nil
		}
		j.last = lo
	}
	if j.steps == nil {
		j.steps = db.planRule(j.rule, j.forced)
	}
	db.prepare(j.steps, j.last)
	var err error
	if j.rule.agg != nil {
		err = db.aggregate(ctx, j)
	} else {
		err = db.collect(ctx, j)
	}
	if errors.Is(err, errHalted) {
		return db.timedOut(ctx, j.rule)
	}
	return err
}

func (db *Database) planRule(r *rule, forced int) []*step {
	pl := &planner{r: r, db: db, bound: make([]bool, len(r.vars)), forced: forced}
	if r.agg == nil {
		pl.shown = make([]bool, len(r.vars))
		show := func(v int) { pl.shown[v] = true }
		for _, h := range r.head {
			h.each(show)
		}
		for _, l := range r.lets {
			l.expr.each(show)
		}
	}
	return pl.plan()
}

// prepare takes the relations as they are now.
func (db *Database) prepare(steps []*step, last int) {
	for _, s := range steps {
		if s.rel == nil {
			continue
		}
		if s.by == byIndex {
			s.ix = s.rel.index(s.ixOf)
		}
		s.cols = append(s.cols[:0], s.rel.cols...)
		s.lo, s.hi = last, s.rel.vis
	}
}
