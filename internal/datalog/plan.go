package datalog

import (
	"math"

	"plancheck/internal/symbol"
)

// A rule is evaluated by a list of steps over registers: one register a
// variable, and behind them one a constant. Each step finds values for more
// registers or drops the row.

type opcode uint8

const (
	opMatch  opcode = iota // rows of a relation
	opAbsent               // no such row
	opCompare
	opAssign
	opTest
	opMember // elements of a list
	opCons   // head and tail of a list
)

// finding is how the rows of an atom are found.
type finding uint8

const (
	byScan  finding = iota // all rows
	byIndex                // the rows that an index finds
	bySet                  // the one row, all of whose columns are known, in a finished derived relation
)

// step is one operation of a plan.
type step struct {
	op   opcode
	by   finding
	prem *premise
	rel  *relation
	cols [][]symbol.Value // snapshot of rel.cols, so that rel may grow meanwhile
	ix   *index
	ixOf colSet

	key    []int     // registers of the index's columns, or of all columns for bySet
	checks []colReg  // columns that must equal a register
	same   []colPair // columns that must equal each other
	binds  []colReg  // columns that give a register its value
	// once: no later step binds a register that the result shows, so one
	// match is enough.
	once bool
	// delta: scan only the rows of the last round.
	delta  bool
	lo, hi int

	args []*expr // of comparisons, assignments and tests
	dst  int     // register that opAssign, opMember or opCons fills, -1 when it only compares
	dst2 int
}

type colReg struct{ col, reg int }
type colPair struct{ a, b int }

// planner orders the premises of a rule for given relation sizes.
type planner struct {
	r      *rule
	db     *Database
	bound  []bool // registers with values before the first step
	forced int    // premise to begin with, or -1
	shown  []bool // registers that the result shows; nil means all
}

// plan returns the steps of the cheapest order found.
func (pl *planner) plan() []*step {
	s := &ordering{planner: pl, bestCost: math.Inf(1)}
	bound := append([]bool(nil), pl.bound...)
	done := make([]bool, len(pl.r.body))
	atoms := 0
	for _, p := range pl.r.body {
		if p.kind == positive {
			atoms++
		}
	}
	s.greedy = atoms > 6
	s.extend(bound, done, nil, 1, 0, atoms)
	return pl.steps(s.best)
}

// ordering searches the orders of the positive atoms; everything else is put
// where its variables first have values.
type ordering struct {
	*planner
	greedy   bool
	best     []int
	bestCost float64
}

func (s *ordering) extend(bound, done []bool, order []int, rows, cost float64, atoms int) {
	if cost >= s.bestCost {
		return
	}
	order, rows, cost = s.fill(bound, done, order, rows, cost, atoms == 0)
	if atoms == 0 {
		if cost < s.bestCost || s.best == nil {
			s.best, s.bestCost = append([]int(nil), order...), cost
		}
		return
	}
	type choice struct {
		i         int
		out, cost float64
	}
	var choices []choice
	for i, p := range s.r.body {
		if p.kind != positive || done[i] {
			continue
		}
		if s.forced >= 0 && !done[s.forced] && i != s.forced {
			continue
		}
		fan, build := s.fanout(p, bound, i == s.forced)
		choices = append(choices, choice{i, rows * fan, rows*(1+fan) + build})
	}
	if s.greedy {
		best := 0
		for j, c := range choices {
			if c.cost+2*c.out < choices[best].cost+2*choices[best].out {
				best = j
			}
		}
		choices = choices[best : best+1]
	}
	for _, c := range choices {
		b := append([]bool(nil), bound...)
		d := append([]bool(nil), done...)
		d[c.i] = true
		for _, a := range s.r.body[c.i].args {
			if a.kind == variable {
				b[a.v] = true
			}
		}
		s.extend(b, d, append(order[:len(order):len(order)], c.i), c.out, cost+c.cost, atoms-1)
	}
}

// fill places every premise that is not a positive atom as soon as it can be
// decided. What may fail (arithmetic) waits for the end, unless an atom that is
// not placed yet could use its result as a key.
func (s *ordering) fill(bound, done []bool, order []int, rows, cost float64, last bool) ([]int, float64, float64) {
	for changed := true; changed; {
		changed = false
		for i, p := range s.r.body {
			if done[i] || p.kind == positive || !s.decidable(p, bound) {
				continue
			}
			if p.kind == equality && !last && (p.args[0].fallible() || p.args[1].fallible()) && !s.wanted(p, bound, done) {
				continue
			}
			done[i] = true
			changed = true
			order = append(order[:len(order):len(order)], i)
			switch p.kind {
			case negative:
				fan, build := s.fanout(p, bound, false)
				cost += rows*(1+fan) + build
				rows *= 0.5
			case comparison:
				cost += rows
				rows *= 0.5
			case equality:
				cost += rows
				if p.args[0].bound(bound) && p.args[1].bound(bound) {
					rows *= 0.1
				}
			case test:
				cost += rows
				rows *= 0.3
			case member:
				cost += 4 * rows
				rows *= 4
			}
			if p.kind == equality || p.kind == member {
				for _, a := range p.args {
					if a.kind == variable {
						bound[a.v] = true
					}
				}
			}
		}
	}
	return order, rows, cost
}

func (s *ordering) decidable(p *premise, bound []bool) bool {
	switch p.kind {
	case negative:
		for _, a := range p.args {
			if a.kind == variable && !bound[a.v] && s.elsewhere(p, a.v) {
				return false
			}
		}
		return true
	case equality:
		return p.args[0].bound(bound) && (p.args[1].kind == variable || p.args[1].bound(bound)) ||
			p.args[1].bound(bound) && p.args[0].kind == variable
	case member:
		if p.op == ":list:member" {
			return p.args[1].bound(bound)
		}
		return p.args[0].bound(bound)
	}
	for _, a := range p.args {
		if !a.bound(bound) {
			return false
		}
	}
	return true
}

// elsewhere says whether a variable of a negated atom occurs in another premise.
func (s *ordering) elsewhere(p *premise, v int) bool {
	if s.planner.bound[v] {
		return true
	}
	for _, q := range s.r.body {
		if q == p {
			continue
		}
		for _, a := range q.args {
			found := false
			a.each(func(w int) { found = found || w == v })
			if found {
				return true
			}
		}
	}
	return false
}

// wanted says whether an atom still to be placed has the variable that an
// equality would bind.
func (s *ordering) wanted(p *premise, bound, done []bool) bool {
	for _, side := range p.args {
		if side.kind != variable || bound[side.v] {
			continue
		}
		for i, q := range s.r.body {
			if done[i] || q == p {
				continue
			}
			for _, a := range q.args {
				if a.kind == variable && a.v == side.v {
					return true
				}
			}
		}
	}
	return false
}

// fanout estimates how many rows of an atom match one row so far, and what it
// costs to build the index for it.
func (s *ordering) fanout(p *premise, bound []bool, delta bool) (fan, build float64) {
	rel := s.db.relation(p.pred)
	n := float64(max(rel.vis, 1))
	if delta {
		n = min(n, 1000)
	}
	if !rel.frozen && !delta {
		n = max(n, 1000) // it will grow
	}
	fan = n
	any, all := false, true
	for c, a := range p.args {
		if !a.bound(bound) {
			all = false
			continue
		}
		any = true
		if rel.vis > 0 {
			fan /= float64(rel.distinctIn(c))
		} else {
			fan /= 10
		}
	}
	if !any || delta {
		return fan, 0
	}
	if all {
		fan = min(fan, 1)
		if rel.set != nil && rel.frozen {
			return fan, 0
		}
	}
	cols := s.indexOn(rel, p, bound)
	if rel.indexes[cols] == nil {
		build = 2 * n
	}
	return max(fan, 1/n), build
}

// indexOn chooses the columns of the index for an atom: the most telling one
// where few rows share its values, else all that are bound.
func (pl *planner) indexOn(rel *relation, p *premise, bound []bool) colSet {
	var all, best colSet
	most := 0
	for c, a := range p.args {
		if a.bound(bound) {
			all |= 1 << uint(c)
			if d := rel.distinctIn(c); d > most {
				most, best = d, 1<<uint(c)
			}
		}
	}
	if rel.frozen && rel.vis <= 8*most {
		return best
	}
	return all
}

// steps turns an order of premises into operations.
func (pl *planner) steps(order []int) []*step {
	bound := append([]bool(nil), pl.bound...)
	var out []*step
	for _, i := range order {
		out = append(out, pl.step(pl.r.body[i], bound, i == pl.forced))
	}
	if pl.shown == nil {
		return out
	}
	for i := len(out) - 1; i >= 0; i-- {
		for _, b := range out[i].fills() {
			if pl.shown[b] {
				return out
			}
		}
		out[i].once = true
	}
	return out
}

// fills lists the registers that a step gives values to.
func (s *step) fills() []int {
	var regs []int
	for _, b := range s.binds {
		regs = append(regs, b.reg)
	}
	switch s.op {
	case opAssign, opMember, opCons:
		if s.dst >= 0 {
			regs = append(regs, s.dst)
		}
		if s.op == opCons && s.dst2 >= 0 {
			regs = append(regs, s.dst2)
		}
	}
	return regs
}

func (pl *planner) step(p *premise, bound []bool, delta bool) *step {
	s := &step{prem: p, args: p.args, dst: -1, dst2: -1, delta: delta}
	switch p.kind {
	case positive, negative:
		pl.atomStep(s, p, bound)
	case comparison:
		s.op = opCompare
	case test:
		s.op = opTest
	case equality:
		s.op = opAssign
		left, right := p.args[0], p.args[1]
		switch {
		case left.bound(bound) && right.bound(bound):
			s.op = opCompare
		case right.bound(bound):
			s.dst, s.args = left.v, []*expr{right}
		default:
			s.dst, s.args = right.v, []*expr{left}
		}
	case member:
		s.op = opMember
		targets := p.args[:1]
		if p.op == ":match_cons" {
			s.op = opCons
			targets = p.args[1:]
		}
		if t := targets[0]; t.kind == variable && !bound[t.v] {
			s.dst = t.v
		}
		if s.op == opCons {
			if t := targets[1]; t.kind == variable && !bound[t.v] && t.v != s.dst {
				s.dst2 = t.v
			}
		}
	}
	for _, v := range s.fills() {
		bound[v] = true
	}
	return s
}

// atomStep decides how the rows of an atom are found.
func (pl *planner) atomStep(s *step, p *premise, bound []bool) {
	s.rel = pl.db.relation(p.pred)
	all := true
	firstAt := map[int]int{} // column where an unbound variable occurs first
	any := false
	for c, a := range p.args {
		switch {
		case a.kind == wildcard:
			all = false
		case a.bound(bound):
			any = true
			s.checks = append(s.checks, colReg{c, regOf(pl.r, a)})
		default:
			all = false
			if first, ok := firstAt[a.v]; ok {
				s.same = append(s.same, colPair{first, c})
			} else {
				firstAt[a.v] = c
				if p.kind == positive {
					s.binds = append(s.binds, colReg{c, a.v})
				}
			}
		}
	}
	if p.kind == negative {
		s.op = opAbsent
	}
	switch {
	case s.delta || !any:
		s.by = byScan
	case all && s.rel.set != nil && s.rel.frozen:
		s.by = bySet
		for _, c := range s.checks {
			s.key = append(s.key, c.reg)
		}
		s.checks = nil
	default:
		s.by = byIndex
		s.ixOf = pl.indexOn(s.rel, p, bound)
		var rest []colReg
		for _, c := range s.checks {
			if s.ixOf.has(c.col) {
				s.key = append(s.key, c.reg)
			} else {
				rest = append(rest, c)
			}
		}
		s.checks = rest
	}
}

// regOf is the register of a variable or constant.
func regOf(r *rule, e *expr) int {
	if e.kind == constant {
		return len(r.vars) + e.c
	}
	return e.v
}
