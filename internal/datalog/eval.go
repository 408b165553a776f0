package datalog

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
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
	db := &Database{program: p, syms: syms, rels: map[*predicate]*relation{}, limits: limits, began: time.Now(), proofs: map[*rule]*proofPlan{}}
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
	stop := context.AfterFunc(ctx, func() { db.halt.Store(true) })
	defer stop()
	needed := p.needed(goals)
	for _, comp := range p.strata {
		comp = slices.DeleteFunc(slices.Clone(comp), func(q *predicate) bool { return !needed[q] })
		if err := db.stratum(ctx, comp); err != nil {
			return nil, err
		}
	}
	db.halt.Store(false)
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
			grew = grew || rel.n > rel.vis
			rel.vis = rel.n
			rel.rounds = append(rel.rounds, rel.n)
		}
		return grew
	}
	for _, r := range start {
		if err := db.derive(ctx, &job{rule: r, forced: -1}); err != nil {
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
		db.derived++
	}
	return nil
}

// job is a rule to evaluate, with its plan once it has one. forced is the
// premise that takes the rows of the last round, or -1.
type job struct {
	rule   *rule
	forced int
	steps  []*step
	last   int // rows of the forced relation seen before
	m      *machine
}

// derive evaluates a rule and adds what is new to its relation.
func (db *Database) derive(ctx context.Context, j *job) error {
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

// chunk is how many rows of the outermost scan one worker takes at a time.
const chunk = 1 << 14

// maxPending bounds the rows that a worker holds back; a chunk that makes more
// is evaluated again, straight into the relation.
const maxPending = 1 << 20

var errTooMany = errors.New("more rows than a worker may hold back")

// collect evaluates a rule without aggregation.
func (db *Database) collect(ctx context.Context, j *job) error {
	ranged := outermost(j.steps)
	if ranged < 0 || j.steps[ranged].hi-j.steps[ranged].from() < 2*chunk || runtime.GOMAXPROCS(0) == 1 {
		if j.m == nil {
			j.m = db.machine(j.rule, j.steps)
		}
		return db.direct(ctx, j, j.m)
	}
	s := j.steps[ranged]
	type part struct {
		lo, hi int
		rows   []symbol.Value
		n      int
		err    error
		done   chan struct{}
	}
	var parts []*part
	for lo := s.from(); lo < s.hi; lo += chunk {
		parts = append(parts, &part{lo: lo, hi: min(lo+chunk, s.hi), done: make(chan struct{})})
	}
	// Workers stay a bounded number of chunks ahead of the merge.
	tokens := make(chan struct{}, 4*runtime.GOMAXPROCS(0))
	var next atomic.Int64
	var quit atomic.Bool
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		m := db.machine(j.rule, j.steps)
		m.ranged = ranged
		wg.Go(func() {
			for {
				tokens <- struct{}{}
				i := int(next.Add(1)) - 1
				if i >= len(parts) {
					return
				}
				p := parts[i]
				if !quit.Load() {
					m.lo, m.hi = p.lo, p.hi
					p.rows, p.n, p.err = db.buffered(m)
				}
				close(p.done)
			}
		})
	}
	var failed error
	for _, p := range parts {
		<-p.done
		<-tokens
		if failed == nil && p.err != nil && !errors.Is(p.err, errTooMany) {
			failed = p.err
		}
		if failed != nil {
			quit.Store(true)
			continue
		}
		if p.err != nil {
			m := db.machine(j.rule, j.steps)
			m.ranged, m.lo, m.hi = ranged, p.lo, p.hi
			failed = db.direct(ctx, j, m)
			continue
		}
		failed = db.merge(ctx, j.rule, p.rows, p.n)
		p.rows = nil
	}
	wg.Wait()
	return failed
}

// from is the first row that a scan looks at.
func (s *step) from() int {
	if s.delta {
		return s.lo
	}
	return 0
}

// outermost finds the step whose rows may be shared out among workers: a scan
// with only filters and assignments before it.
func outermost(steps []*step) int {
	for i, s := range steps {
		switch {
		case s.op == opMatch && s.by == byScan:
			return i
		case s.op == opMatch || s.op == opMember || s.op == opCons:
			return -1
		}
	}
	return -1
}

// buffered runs a machine and holds its rows back.
func (db *Database) buffered(m *machine) (rows []symbol.Value, n int, err error) {
	arity := len(m.rule.head)
	row := make([]symbol.Value, arity)
	m.emit = func() error {
		if err := m.result(row); err != nil {
			return err
		}
		if n > 0 && slices.Equal(rows[len(rows)-arity:], row) {
			return nil
		}
		if n++; n > maxPending {
			return errTooMany
		}
		rows = append(rows, row...)
		return nil
	}
	_, err = m.run(0)
	return rows, n, err
}

func (db *Database) merge(ctx context.Context, r *rule, rows []symbol.Value, n int) error {
	rel := db.relation(r.pred)
	arity := len(r.head)
	for i := range n {
		if rel.insert(rows[i*arity : (i+1)*arity]) {
			if err := db.grown(ctx, r, rel); err != nil {
				return err
			}
		}
	}
	return nil
}

// direct runs a machine straight into the relation. The rules do not see the
// new rows before the round ends.
func (db *Database) direct(ctx context.Context, j *job, m *machine) error {
	rel := db.relation(j.rule.pred)
	row := make([]symbol.Value, len(j.rule.head))
	m.emit = func() error {
		if err := m.result(row); err != nil {
			return err
		}
		if rel.insert(row) {
			return db.grown(ctx, j.rule, rel)
		}
		return nil
	}
	_, err := m.run(0)
	return err
}

// result evaluates what follows the body: lets, and the head.
func (m *machine) result(row []symbol.Value) error {
	for _, l := range m.rule.lets {
		v, err := m.eval(l.expr)
		if err != nil {
			return m.blame(len(m.steps), err)
		}
		m.regs[l.v] = v
	}
	for i, h := range m.rule.head {
		v, err := m.eval(h)
		if err != nil {
			return m.blame(len(m.steps), err)
		}
		row[i] = v
	}
	return nil
}

// grown counts a new row and holds the evaluation to its limits.
func (db *Database) grown(ctx context.Context, r *rule, rel *relation) error {
	db.derived++
	if db.limits.Facts > 0 && db.derived > db.limits.Facts {
		return r.error("rule-limit", "the rules derive more than %d facts; this rule was growing (%d rows)", db.limits.Facts, rel.n)
	}
	if db.derived&0xfff == 0 {
		if db.halt.Load() {
			return db.timedOut(ctx, r)
		}
		return db.holding(r, 0)
	}
	return nil
}

// holding checks the limit on memory; extra is what a rule holds beside its rows.
func (db *Database) holding(r *rule, extra int64) error {
	if db.limits.Bytes > 0 && db.bytes()+extra > db.limits.Bytes {
		return r.error("rule-limit", "the rules need more than %d MB of memory; this rule was growing (%d rows)", db.limits.Bytes>>20, db.relation(r.pred).n)
	}
	return nil
}

func (db *Database) bytes() int64 {
	n := db.syms.Bytes()
	for _, rel := range db.rels {
		n += rel.bytes()
	}
	return n
}

// timedOut tells a time limit from an interruption by the caller.
func (db *Database) timedOut(ctx context.Context, r *rule) error {
	if db.limits.Time > 0 && time.Since(db.began) >= db.limits.Time {
		return r.error("rule-limit", "the rules take longer than %v; this rule was being evaluated (%d rows)", db.limits.Time, db.relation(r.pred).n)
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return errHalted
}
