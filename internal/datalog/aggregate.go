package datalog

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"strings"

	"plancheck/internal/symbol"
)

// The rows of an aggregation are the different ways in which the body holds:
// assignments of its variables and of the wildcards in its positive atoms.

// grouping gathers the rows of an aggregation.
type grouping struct {
	m       *machine
	agg     *aggregate
	named   []int            // variables of the body
	seen    *relation        // assignments so far, when the body may repeat one
	keys    *relation        // one row a group
	sums    [][]sum          // of each reducer: one accumulator a group
	rows    [][]symbol.Value // assignments, kept when a reducer collects
	groups  []int            // group of each kept assignment
	key     []symbol.Value
	row     []symbol.Value
	current int // group that finish is at
}

// sum is the state of a reducer for one group. Totals are kept in 128 bits, so
// that only a result out of range is an overflow, whatever the order of rows.
type sum struct {
	hi, lo uint64
	best   symbol.Value
	n      int64
}

func (db *Database) grouping(m *machine) *grouping {
	r := m.rule
	g := &grouping{m: m, agg: r.agg, named: bodyVars(r), keys: newRelation(&predicate{arity: len(r.agg.group)})}
	g.sums = make([][]sum, len(r.agg.reducers))
	g.key = make([]symbol.Value, len(r.agg.group))
	g.row = make([]symbol.Value, len(g.named))
	if mayRepeat(db, r) {
		g.seen = newRelation(&predicate{arity: len(g.named)})
	}
	return g
}

// bodyVars lists the named variables of a body in order of appearance.
func bodyVars(r *rule) []int {
	bound := bindable(r)
	var vs []int
	for v, name := range r.vars {
		if name != "" && bound[v] {
			vs = append(vs, v)
		}
	}
	return vs
}

// mayRepeat says whether a body can yield one assignment twice.
func mayRepeat(db *Database, r *rule) bool {
	for _, p := range r.body {
		switch p.kind {
		case member:
			return true
		case positive:
			if !db.relation(p.pred).distinct {
				return true
			}
		}
	}
	return false
}

// add takes the assignment in the machine's registers. It returns the group's
// number, and false when the assignment was there before.
func (g *grouping) add() (id int, fresh bool, err error) {
	m := g.m
	for i, v := range g.named {
		g.row[i] = m.regs[v]
	}
	if g.seen != nil && !g.seen.insert(g.row) {
		return 0, false, nil
	}
	for i, v := range g.agg.group {
		g.key[i] = m.regs[v]
	}
	id = g.keys.n
	if !g.keys.insert(g.key) {
		id = g.keys.find(g.key)
	} else {
		for i := range g.sums {
			g.sums[i] = append(g.sums[i], sum{})
		}
	}
	collects := false
	for i, red := range g.agg.reducers {
		s := &g.sums[i][id]
		s.n++
		if red.arg == nil {
			continue
		}
		v, err := m.eval(red.arg)
		if err != nil {
			return 0, false, m.blame(len(m.steps), err)
		}
		switch red.fn {
		case "fn:collect", "fn:collect_distinct":
			collects = true
		case "fn:pick_any":
			if s.n == 1 || m.syms.Compare(v, s.best) < 0 {
				s.best = v
			}
		default:
			n, ok := m.syms.Number(v)
			if !ok {
				return 0, false, m.blame(len(m.steps), fmt.Errorf("%s of %s, which is not a number", red.fn, m.syms.Format(v)))
			}
			switch {
			case red.fn == "fn:sum":
				var carry uint64
				s.lo, carry = bits.Add64(s.lo, uint64(n), 0)
				s.hi, _ = bits.Add64(s.hi, uint64(n>>63), carry)
			case s.n == 1,
				red.fn == "fn:min" && m.syms.Compare(v, s.best) < 0,
				red.fn == "fn:max" && m.syms.Compare(v, s.best) > 0:
				s.best = v
			}
		}
	}
	if collects {
		g.rows = append(g.rows, slices.Clone(g.row))
		g.groups = append(g.groups, id)
	}
	return id, true, nil
}

// finish calls emit for every group, with the group's variables and the
// results in the machine's registers.
func (g *grouping) finish(emit func() error) error {
	m := g.m
	lists, err := g.lists()
	if err != nil {
		return err
	}
	m.final = true
	defer func() { m.final = false }()
	// In an order that depends on nothing but the groups.
	order := make([]int, g.keys.n)
	for id := range order {
		order[id] = id
	}
	slices.SortFunc(order, func(a, b int) int {
		for _, col := range g.keys.cols {
			if col[a] != col[b] {
				return cmp.Compare(col[a], col[b])
			}
		}
		return 0
	})
	for _, id := range order {
		g.current = id
		for i, v := range g.agg.group {
			m.regs[v] = g.keys.cols[i][id]
		}
		for i, red := range g.agg.reducers {
			s := g.sums[i][id]
			switch red.fn {
			case "fn:count":
				m.regs[red.v] = m.syms.Int(s.n)
			case "fn:sum":
				if int64(s.hi) != int64(s.lo)>>63 {
					return m.rule.error("rule-evaluation", "fn:sum %v%s", errOverflow, g.groupText(id))
				}
				m.regs[red.v] = m.syms.Int(int64(s.lo))
			case "fn:collect", "fn:collect_distinct":
				m.regs[red.v] = m.syms.List(lists[i][id])
			default:
				m.regs[red.v] = s.best
			}
		}
		if err := emit(); err != nil {
			return err
		}
	}
	return nil
}

// lists builds the results of the reducers that collect: the values in the
// order of their rows, or sorted and each once.
func (g *grouping) lists() ([][][]symbol.Value, error) {
	if len(g.rows) == 0 {
		return nil, nil
	}
	m := g.m
	order := make([]int, len(g.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return m.syms.CompareRows(g.rows[a], g.rows[b]) })
	lists := make([][][]symbol.Value, len(g.agg.reducers))
	for i, red := range g.agg.reducers {
		if red.fn != "fn:collect" && red.fn != "fn:collect_distinct" {
			continue
		}
		lists[i] = make([][]symbol.Value, g.keys.n)
		for _, k := range order {
			for c, v := range g.named {
				m.regs[v] = g.rows[k][c]
			}
			v, err := m.eval(red.arg)
			if err != nil {
				return nil, m.blame(len(m.steps), err)
			}
			id := g.groups[k]
			lists[i][id] = append(lists[i][id], v)
		}
		if red.fn == "fn:collect_distinct" {
			for id, l := range lists[i] {
				slices.SortFunc(l, m.syms.Compare)
				lists[i][id] = slices.Compact(l)
			}
		}
	}
	return lists, nil
}

// groupText shows the key of a group, for an error message.
func (g *grouping) groupText(id int) string {
	text := ""
	for i, v := range g.agg.group {
		sep := ", "
		if i == 0 {
			sep = ", for "
		}
		text += fmt.Sprintf("%s%s = %s", sep, g.m.rule.vars[v], g.m.syms.Format(g.keys.cols[i][id]))
	}
	return text
}

// aggregate evaluates a rule with group_by.
func (db *Database) aggregate(ctx context.Context, j *job) error {
	g, err := db.gather(j)
	if err != nil {
		return err
	}
	rel := db.relation(j.rule.pred)
	row := make([]symbol.Value, len(j.rule.head))
	return g.finish(func() error {
		if err := g.m.result(row); err != nil {
			return err
		}
		if rel.insert(row) {
			return db.grown(ctx, j.rule, rel)
		}
		return nil
	})
}

// gather runs the body, on all cores where that cannot be seen.
func (db *Database) gather(j *job) (*grouping, error) {
	ranged := outermost(j.steps)
	workers := runtime.GOMAXPROCS(0)
	if ranged < 0 || j.steps[ranged].hi < 2*db.program.chunk || j.rule.makesValues(false) || mayRepeat(db, j.rule) || j.rule.collects() {
		workers = 1
	}
	groupings := make([]*grouping, workers)
	errs := make([]error, workers)
	parallel(workers, func(i int) {
		m := db.machine(j.rule, j.steps)
		if workers > 1 {
			n := j.steps[ranged].hi
			m.ranged, m.lo, m.hi = ranged, n*i/workers, n*(i+1)/workers
		}
		g := db.grouping(m)
		groupings[i] = g
		gathered := 0
		m.emit = func() error {
			if gathered++; gathered&0xffff == 0 {
				if err := db.holdBytes(j.rule, g.bytes()); err != nil {
					return err
				}
			}
			_, _, err := g.add()
			return err
		}
		_, errs[i] = m.run(0)
	})
	for i, err := range errs {
		if err != nil {
			return nil, err
		}
		if i > 0 {
			groupings[0].absorb(groupings[i])
		}
	}
	return groupings[0], nil
}

// collects says whether a reducer keeps all rows.
func (r *rule) collects() bool {
	return slices.ContainsFunc(r.agg.reducers, func(red reducer) bool {
		return strings.HasPrefix(red.fn, "fn:collect") || red.arg != nil && red.arg.kind == apply
	})
}

// absorb takes over the groups of another grouping of the same rule.
func (g *grouping) absorb(h *grouping) {
	for id := range h.keys.n {
		key := h.keys.row(id)
		to := g.keys.find(key)
		if to < 0 {
			to = g.keys.n
			g.keys.insert(key)
			for i := range g.sums {
				g.sums[i] = append(g.sums[i], h.sums[i][id])
			}
			continue
		}
		for i, red := range g.agg.reducers {
			a, b := &g.sums[i][to], h.sums[i][id]
			var carry uint64
			a.lo, carry = bits.Add64(a.lo, b.lo, 0)
			a.hi, _ = bits.Add64(a.hi, b.hi, carry)
			a.n += b.n
			if order := g.m.syms.Compare(b.best, a.best); red.fn == "fn:max" && order > 0 || red.fn != "fn:max" && order < 0 {
				a.best = b.best
			}
		}
	}
}

func (g *grouping) bytes() int64 {
	n := g.keys.bytes() + int64(g.keys.n*len(g.sums))*32
	if g.seen != nil {
		n += g.seen.bytes()
	}
	return n + int64(len(g.rows)*(32+4*len(g.named)))
}
