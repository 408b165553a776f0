package datalog

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"plancheck/internal/diag"
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
			rel.settle()
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
	began := time.Now()
	defer func() { db.spent[j.rule] += time.Since(began) }()
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
	if ranged < 0 || j.steps[ranged].hi-j.steps[ranged].from() < 2*chunk || j.rule.makesValues() {
		if j.m == nil {
			j.m = db.machine(j.rule, j.steps)
		}
		return db.direct(ctx, j.rule, j.m)
	}
	rel := db.relation(j.rule.pred)
	if j.forced < 0 && len(rel.cols) > 0 {
		rel.enlarge(db.distinctRows(j.rule))
	}
	s := j.steps[ranged]
	workers := runtime.GOMAXPROCS(0)
	machines := make([]*machine, workers)
	for i := range machines {
		machines[i] = db.machine(j.rule, j.steps)
		machines[i].ranged = ranged
	}
	wave := make([]pending, 8*workers)
	for lo := s.from(); lo < s.hi; lo += chunk * len(wave) {
		n := min(len(wave), (s.hi-lo+chunk-1)/chunk)
		free := make(chan *machine, workers)
		for _, m := range machines {
			free <- m
		}
		parallel(n, func(i int) {
			m := <-free
			m.lo = lo + i*chunk
			m.hi = min(m.lo+chunk, s.hi)
			wave[i] = db.buffered(m, rel.build != nil && !rel.build.plain)
			free <- m
		})
		if err := db.merge(ctx, j, ranged, lo, wave[:n]); err != nil {
			return err
		}
	}
	return nil
}

// distinctRows says whether a rule, the only one of its relation, cannot derive
// a row twice: its head shows all columns of all rows that it joins, and those
// are different.
func (db *Database) distinctRows(r *rule) bool {
	if len(r.pred.rules) > 1 || len(r.pred.facts) > 0 || mayRepeat(db, r) {
		return false
	}
	shown := make([]bool, len(r.vars))
	for _, h := range r.head {
		if h.kind == variable {
			shown[h.v] = true
		}
	}
	for _, p := range r.body {
		for _, a := range p.args {
			if p.kind == positive && (a.kind == wildcard || a.kind == variable && !shown[a.v]) {
				return false
			}
		}
	}
	return true
}

// makesValues says whether a rule may make constants that are in no document.
// Such rules run on one core, so that constants are interned in the same order
// every time.
func (r *rule) makesValues() bool {
	for _, p := range r.body {
		if p.kind == equality && (p.args[0].kind == apply || p.args[1].kind == apply) ||
			p.kind == member && p.op == ":match_cons" {
			return true
		}
	}
	return len(r.lets) > 0 || slices.ContainsFunc(r.head, func(e *expr) bool { return e.kind == apply })
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

// pending are the rows that one chunk of the outermost scan makes.
type pending struct {
	rows   []symbol.Value
	n      int
	sorted *sortedRows
	err    error
}

// buffered runs a machine and holds its rows back.
func (db *Database) buffered(m *machine, sorted bool) pending {
	var out pending
	arity := len(m.rule.head)
	row := make([]symbol.Value, arity)
	m.emit = func() error {
		if err := m.result(row); err != nil {
			return err
		}
		if out.n > 0 && slices.Equal(out.rows[len(out.rows)-arity:], row) {
			return nil
		}
		if out.n++; out.n > maxPending {
			return errTooMany
		}
		out.rows = append(out.rows, row...)
		return nil
	}
	_, out.err = m.run(0)
	if sorted && out.err == nil && out.n > 0 {
		out.sorted = spread(out.rows, out.n, arity)
		out.rows = nil
	}
	return out
}

// merge adds what the chunks of a wave have made, in their order.
func (db *Database) merge(ctx context.Context, j *job, ranged, lo int, wave []pending) error {
	rel := db.relation(j.rule.pred)
	arity := len(j.rule.head)
	if rel.build != nil && rel.build.plain && !slices.ContainsFunc(wave, func(p pending) bool { return p.err != nil }) {
		s := j.steps[ranged]
		done := min(lo+chunk*len(wave), s.hi)
		added := rel.build.appendAll(wave, done-s.from(), s.hi-s.from())
		rel.n += added
		db.derived += added
		return db.hold(ctx, j.rule, rel)
	}
	var batches []*sortedRows
	for i := range wave {
		p := &wave[i]
		if errors.Is(p.err, errTooMany) {
			m := db.machine(j.rule, j.steps)
			m.ranged, m.lo = ranged, lo+i*chunk
			m.hi = min(m.lo+chunk, j.steps[ranged].hi)
			p.err = db.direct(ctx, j.rule, m)
		} else if p.err == nil && p.sorted != nil {
			batches = append(batches, p.sorted)
		} else if p.err == nil {
			for k := range p.n {
				if rel.insert(p.rows[k*arity : (k+1)*arity]) {
					if p.err = db.grown(ctx, j.rule, rel); p.err != nil {
						break
					}
				}
			}
		}
		if p.err != nil {
			return p.err
		}
	}
	if len(batches) > 0 {
		added := rel.build.addAll(batches)
		rel.n += added
		db.derived += added
		return db.hold(ctx, j.rule, rel)
	}
	return nil
}

// direct runs a machine straight into the relation. The rules do not see the
// new rows before the round ends.
func (db *Database) direct(ctx context.Context, r *rule, m *machine) error {
	rel := db.relation(r.pred)
	row := make([]symbol.Value, len(r.head))
	m.emit = func() error {
		if err := m.result(row); err != nil {
			return err
		}
		if rel.insert(row) {
			return db.grown(ctx, r, rel)
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
	if db.derived&0xfff == 0 || db.limits.Facts > 0 && db.derived > db.limits.Facts ||
		db.limits.Bytes > 0 && db.syms.Bytes() > db.limits.Bytes {
		return db.hold(ctx, r, rel)
	}
	return nil
}

// hold checks the limits.
func (db *Database) hold(ctx context.Context, r *rule, rel *relation) error {
	if db.limits.Facts > 0 && db.derived > db.limits.Facts {
		return r.error("rule-limit", "the rules derive more than %d facts; this rule was growing (%s)", db.limits.Facts, diag.Counted(rel.n, "row"))
	}
	if db.halt.Load() {
		return db.timedOut(ctx, r)
	}
	return db.holdBytes(r, 0)
}

// holdBytes checks the limit on memory; extra is what a rule holds beside its rows.
func (db *Database) holdBytes(r *rule, extra int64) error {
	if db.limits.Bytes > 0 && db.bytes()+extra > db.limits.Bytes {
		return r.error("rule-limit", "the rules need more than %d MB of memory; this rule was growing (%s)", db.limits.Bytes>>20, diag.Counted(db.relation(r.pred).n, "row"))
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
		return r.error("rule-limit", "the rules take longer than %v; this rule was being evaluated (%s)", db.limits.Time, diag.Counted(db.relation(r.pred).n, "row"))
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return errHalted
}
