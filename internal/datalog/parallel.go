package datalog

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"plancheck/internal/symbol"
)

// defaultChunk is how many rows of the outermost scan one worker takes at a time.
const defaultChunk = 1 << 14

// defaultPending bounds the rows that a worker holds back; a chunk that makes more
// is evaluated again, straight into the relation.
const defaultPending = 1 << 20

var errTooMany = errors.New("more rows than a worker may hold back")

// errInterns is met by a worker that would make a constant, where other workers
// could make one before it. Such a chunk is evaluated again, too.
var errInterns = errors.New("a worker may make no constants")

// collect evaluates a rule without aggregation.
func (db *Database) collect(ctx context.Context, j *job) error {
	ranged := outermost(j.steps)
	if ranged < 0 || j.steps[ranged].hi-j.steps[ranged].from() < 2*db.program.chunk || j.rule.makesValues(true) {
		if j.m == nil {
			j.m = db.machine(j.rule, j.steps)
		}
		return db.direct(ctx, j.rule, j.m)
	}
	rel := db.relation(j.rule.pred)
	if j.alone && len(rel.cols) > 0 && len(rel.stated) == 0 { // stated rows stay the first
		rel.enlarge(db.distinctRows(j.rule))
	}
	s, chunk := j.steps[ranged], db.program.chunk
	workers := runtime.GOMAXPROCS(0)
	machines := make([]*machine, workers)
	for i := range machines {
		machines[i] = db.machine(j.rule, j.steps)
		machines[i].ranged, machines[i].shared = ranged, true
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
// every time. Sums and differences are mostly small numbers, which are no
// constants; saveSums says that the caller can evaluate others again.
func (r *rule) makesValues(saveSums bool) bool {
	made := func(e *expr) bool { return e.kind == apply && !saveSums || e.interns() }
	for _, p := range r.body {
		switch {
		case p.kind == comparison && slices.ContainsFunc(p.args, (*expr).interns),
			p.kind != comparison && slices.ContainsFunc(p.args, made),
			p.op == ":match_cons":
			return true
		}
	}
	return len(r.lets) > 0 || slices.ContainsFunc(r.head, func(e *expr) bool { return e.kind == apply })
}

// interns says whether a term of a comparison makes constants: all but sums and
// differences of two terms do, see machine.number.
func (e *expr) interns() bool {
	if e.kind != apply {
		return false
	}
	if len(e.args) == 2 && (e.fn.infix == "+" || e.fn.infix == "-") {
		return e.args[0].interns() || e.args[1].interns()
	}
	return true
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
		if out.n++; out.n > db.program.maxPending {
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
	rel, chunk := db.relation(j.rule.pred), db.program.chunk
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
		if errors.Is(p.err, errTooMany) || errors.Is(p.err, errInterns) {
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
