package datalog

import (
	"cmp"
	"slices"

	"plancheck/internal/symbol"
)

// bound is what a rule asks of the value of an aggregate: to be at least, or at
// most, a number.
type bound struct {
	up    bool
	limit int64
}

// groupRow is a row of a group, as far as it may be.
type groupRow struct {
	ways  []instance // in which it may hold
	value int64      // that it gives the reducer
	there bool
}

// byAggregate explains a row that an aggregation derives: by all rows that its
// group may have, those that are there and those that are not. Where only a
// bound is asked for, fewer do.
func (e *explainer) byAggregate(pr *prover, r *rule, row []symbol.Value, asked *bound) (bool, error) {
	key, err := e.groupOf(pr, r, row)
	if err != nil || key == nil {
		return false, err
	}
	if e.rules[r] == nil {
		return true, e.pinRule(r, exactly(row))
	}
	members, numbers, err := e.groupRows(r, key)
	if err != nil {
		return false, err
	}
	need := members
	if asked != nil && numbers {
		need = enough(members, r.agg.reducers[0].fn, *asked)
	}
	for _, x := range need {
		if err := e.groupRow(r, x); err != nil {
			return false, err
		}
	}
	return true, nil
}

// groupOf returns the key of the group that gives a row; nil if none does.
func (e *explainer) groupOf(pr *prover, r *rule, row []symbol.Value) ([]symbol.Value, error) {
	m := pr.match(r, row)
	if m == nil {
		return nil, nil
	}
	g := pr.grouping(m)
	m.emit = func() error {
		_, _, err := g.add()
		return err
	}
	if _, err := m.run(0); err != nil {
		return nil, unlessFailed(err)
	}
	var key []symbol.Value
	head := make([]symbol.Value, len(row))
	err := g.finish(func() error {
		if key == nil && m.result(head) == nil && slices.Equal(head, row) {
			key = append([]symbol.Value{}, g.keys.row(g.current)...)
		}
		return nil
	})
	return key, unlessFailed(err)
}

// groupRows lists the rows that a group may have, and says whether the first
// reducer knows a number of each, none of them negative.
func (e *explainer) groupRows(r *rule, key []symbol.Value) (list []*groupRow, numbers bool, err error) {
	ways, err := e.byGroup(r, key)
	if err != nil {
		return nil, false, err
	}
	named := bodyVars(r)
	ids := newRelation(&predicate{arity: len(named)})
	m := e.db.machine(e.rules[r], nil)
	numbers = true
	assignment := make([]symbol.Value, len(named))
	for _, in := range ways {
		for i, v := range named {
			assignment[i] = in.regs[v]
		}
		at := ids.n
		if ids.insert(assignment) {
			x := &groupRow{value: 1}
			if arg := r.agg.reducers[0:]; len(arg) > 0 && arg[0].arg != nil {
				copy(m.regs, in.regs)
				v, err := m.number(arg[0].arg)
				numbers = numbers && err == nil && v >= 0
				x.value = v
			}
			list = append(list, x)
		} else {
			at = ids.find(assignment)
		}
		x := list[at]
		x.ways = append(x.ways, in)
		if _, stopped := e.obstacleOf(r, in); !stopped {
			x.there = true
		}
	}
	return list, numbers, nil
}

// groupRow explains that a row of a group is there, or is not.
func (e *explainer) groupRow(r *rule, x *groupRow) error {
	for _, in := range x.ways {
		if !x.there {
			if err := e.stopped(r, in); err != nil {
				return err
			}
			continue
		}
		if _, stopped := e.obstacleOf(r, in); stopped {
			continue
		}
		return e.holdsNow(r, in)
	}
	return nil
}

// holdsNow explains an instance of which all premises hold.
func (e *explainer) holdsNow(r *rule, in instance) error {
	simple := e.rules[r]
	for _, p := range simple.body {
		pred := e.origin[p.pred]
		if p.kind != positive || !e.open[pred] {
			continue
		}
		at := e.now.relation(pred).find(e.values(simple, p, in.regs, in.rows[p]))
		if err := e.isThere(pred, at, false); err != nil {
			return err
		}
	}
	for _, p := range r.body {
		if p.kind == negative && e.open[p.pred] {
			if err := e.noneIsThere(p, patternOf(r, p, in.regs)); err != nil {
				return err
			}
		}
	}
	return nil
}

// enough are members that keep the value of a reducer within a bound, whatever
// the others do. Values are not negative.
func enough(members []*groupRow, fn string, asked bound) []*groupRow {
	var there, missing []*groupRow
	for _, x := range members {
		if x.there {
			there = append(there, x)
		} else {
			missing = append(missing, x)
		}
	}
	// The largest first.
	slices.SortStableFunc(there, func(a, b *groupRow) int { return cmp.Compare(b.value, a.value) })
	slices.SortStableFunc(missing, func(a, b *groupRow) int { return cmp.Compare(b.value, a.value) })
	switch fn {
	case "fn:max", "fn:min":
		if (fn == "fn:max") == asked.up {
			// One row beyond the bound is enough.
			if fn == "fn:max" {
				return there[:1]
			}
			return there[len(there)-1:]
		}
		need := there[:1] // for there to be a group
		for _, x := range missing {
			if asked.up && x.value < asked.limit || !asked.up && x.value > asked.limit {
				need = append(need[:len(need):len(need)], x)
			}
		}
		// Rows that are there are all within the bound: they may go.
		return need
	}
	if asked.up {
		sum := int64(0)
		for i, x := range there {
			if sum += x.value; sum >= asked.limit {
				return there[:i+1]
			}
		}
		return there
	}
	sum := int64(0)
	for _, x := range there {
		sum += x.value
	}
	need := there[:min(1, len(there))] // for there to be a group
	for i := len(missing) - 1; i >= 0; i-- {
		if x := missing[i]; x.value <= asked.limit-sum {
			sum += x.value
			continue
		}
		need = append(need[:len(need):len(need)], missing[i])
	}
	return need
}

// loosely explains a premise that reads an aggregate whose value the rule only
// compares, by as much as the comparisons need. It says whether it did.
func (e *explainer) loosely(r *rule, p *premise, regs []symbol.Value, row int, top bool, loose map[int]bool) (bool, error) {
	v, asked, fits := e.asks(r, p, regs, top, loose)
	if !fits {
		return false, nil
	}
	rule := p.pred.rules[0]
	found, err := e.byAggregate(&prover{Database: e.now}, rule, e.now.relation(p.pred).row(row), &asked)
	if found {
		loose[v] = true
	}
	return found, err
}

// asks returns the variable of an aggregate's value, and what the rule asks of
// it, where it is an order and nothing else.
func (e *explainer) asks(r *rule, p *premise, regs []symbol.Value, top bool, loose map[int]bool) (v int, asked bound, fits bool) {
	at, ok := valueColumn(p.pred)
	if !ok || p.args[at].kind != variable {
		return 0, bound{}, false
	}
	v = p.args[at].v
	if r.agg != nil {
		return 0, bound{}, false
	}
	uses := 0
	count := func(w int) {
		if w == v {
			uses++
		}
	}
	for _, a := range p.args {
		a.each(count)
	}
	if !top {
		for _, h := range r.head {
			h.each(count)
		}
		for _, l := range r.lets {
			l.expr.each(count)
		}
	}
	if uses != 1 {
		return 0, bound{}, false
	}
	m := e.now.machine(r, nil)
	copy(m.regs, regs)
	seen := false
	for _, q := range r.body {
		n := uses
		for _, a := range q.args {
			a.each(count)
		}
		if q == p || uses == n {
			uses = n
			continue
		}
		b, ok := m.order(q, v, loose)
		if !ok || seen && b.up != asked.up {
			return 0, bound{}, false
		}
		switch {
		case !seen:
			asked = b
		case b.up:
			asked.limit = max(asked.limit, b.limit)
		default:
			asked.limit = min(asked.limit, b.limit)
		}
		seen, uses = true, n
	}
	return v, asked, seen
}

// valueColumn is the column that holds the value of an aggregate, of a relation
// that one rule with one reducer derives, and that shows its whole group.
func valueColumn(p *predicate) (int, bool) {
	if len(p.rules) != 1 || len(p.facts) > 0 || p.rules[0].agg == nil {
		return 0, false
	}
	r := p.rules[0]
	if len(r.agg.reducers) != 1 || len(r.lets) > 0 {
		return 0, false
	}
	switch r.agg.reducers[0].fn {
	case "fn:count", "fn:sum", "fn:max", "fn:min":
	default:
		return 0, false
	}
	at, shown := -1, map[int]bool{}
	for c, h := range r.head {
		switch {
		case h.kind == variable && h.v == r.agg.reducers[0].v && at < 0:
			at = c
		case h.kind == variable && h.v != r.agg.reducers[0].v:
			shown[h.v] = true
		case h.kind != constant:
			return 0, false
		}
	}
	return at, at >= 0 && len(shown) == len(r.agg.group)
}

// order reads a comparison of a variable with a term whose value is fixed.
func (m *machine) order(p *premise, v int, loose map[int]bool) (bound, bool) {
	if p.kind != comparison {
		return bound{}, false
	}
	left, right, op := p.args[0], p.args[1], p.op
	if right.kind == variable && right.v == v {
		left, right = right, left
		if swapped, order := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}[op]; order {
			op = swapped
		}
	}
	fixed := true
	right.each(func(w int) { fixed = fixed && w != v && !loose[w] })
	if left.kind != variable || left.v != v || !fixed {
		return bound{}, false
	}
	n, err := m.number(right)
	if err != nil {
		return bound{}, false
	}
	if op == "!=" {
		// It is enough that the value stays on its side.
		op = "<"
		if now, err := m.number(left); err != nil {
			return bound{}, false
		} else if now > n {
			op = ">"
		}
	}
	switch op {
	case "<":
		n, err = subExact(n, 1)
	case ">":
		n, err = addExact(n, 1)
	}
	return bound{up: op == ">" || op == ">=", limit: n}, err == nil
}
