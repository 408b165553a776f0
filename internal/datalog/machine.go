package datalog

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"plancheck/internal/symbol"
)

// machine runs the steps of a plan. Several machines may run the same steps at
// once, each with registers of its own.
type machine struct {
	rule  *rule
	syms  *symbol.Table
	steps []*step
	regs  []symbol.Value   // variables, then the program's constants
	keys  [][]symbol.Value // of each step
	at    []int            // row that each step matched last
	final bool             // groups are complete: only they and the results have values
	// shared: other machines use the table of symbols meanwhile, so that nothing
	// may be interned.
	shared bool

	// lo and hi bound the rows of the first step that scans.
	ranged int // number of that step, or -1
	lo, hi int

	emit    func() error
	visited int
	halt    *atomic.Bool
	// pending is an error of a filter; it counts only if the row passes all
	// other premises.
	pending error
}

// errHalted ends machines when time is out or another machine failed.
var errHalted = errors.New("halted")

func (db *Database) machine(r *rule, steps []*step) *machine {
	m := &machine{rule: r, syms: db.syms, steps: steps, ranged: -1, halt: &db.halt}
	m.regs = make([]symbol.Value, len(r.vars)+len(db.consts))
	copy(m.regs[len(r.vars):], db.consts)
	m.at = make([]int, len(steps))
	m.keys = make([][]symbol.Value, len(steps))
	for i, s := range steps {
		m.keys[i] = make([]symbol.Value, len(s.key))
	}
	return m
}

// run executes the steps from number i on and reports whether any row came
// through.
func (m *machine) run(i int) (found bool, err error) {
	if i == len(m.steps) {
		if m.pending != nil {
			return false, m.pending
		}
		return true, m.emit()
	}
	s := m.steps[i]
	switch s.op {
	case opMatch:
		return m.match(i, s)
	case opAbsent:
		there, err := m.exists(i, s)
		if err != nil || there {
			return false, err
		}
		return m.run(i + 1)
	case opCompare, opTest:
		ok, err := m.holds(s)
		if errors.Is(err, errInterns) {
			return false, err
		}
		if err != nil {
			if m.pending != nil {
				return m.run(i + 1)
			}
			m.pending = m.blame(i, err)
			found, err := m.run(i + 1)
			m.pending = nil
			return found, err
		}
		if !ok {
			return false, nil
		}
		return m.run(i + 1)
	case opAssign:
		v, err := m.eval(s.args[0])
		if errors.Is(err, errInterns) {
			return false, err
		}
		if err != nil {
			return false, m.blame(i, err)
		}
		m.regs[s.dst] = v
		return m.run(i + 1)
	case opMember:
		return m.member(i, s)
	}
	return m.cons(i, s)
}

// visit counts rows looked at and notices when to stop.
func (m *machine) visit() error {
	if m.visited++; m.visited&1023 == 0 && m.halt.Load() {
		return errHalted
	}
	return nil
}

func (m *machine) match(i int, s *step) (found bool, err error) {
	switch s.by {
	case byScan:
		lo, hi := 0, s.hi
		if s.delta {
			lo = s.lo
		}
		if m.ranged == i {
			lo, hi = m.lo, m.hi
		}
		for row := lo; row < hi; row++ {
			if err := m.visit(); err != nil {
				return found, err
			}
			if !m.fits(s, row) {
				continue
			}
			m.at[i] = row
			ok, err := m.run(i + 1)
			found = found || ok
			if err != nil || ok && s.once {
				return found, err
			}
		}
	case byIndex:
		cur := s.ix.seek(s.cols, m.key(i, s))
		for row := cur.next(); row >= 0; row = cur.next() {
			if err := m.visit(); err != nil {
				return found, err
			}
			if !m.fits(s, row) {
				continue
			}
			m.at[i] = row
			ok, err := m.run(i + 1)
			found = found || ok
			if err != nil || ok && s.once {
				return found, err
			}
		}
	case bySet:
		if row := s.rel.find(m.key(i, s)); row >= 0 {
			m.at[i] = row
			return m.run(i + 1)
		}
	}
	return found, nil
}

// exists says whether an atom has a matching row.
func (m *machine) exists(i int, s *step) (bool, error) {
	switch s.by {
	case byScan:
		for row := range s.hi {
			if err := m.visit(); err != nil {
				return false, err
			}
			if m.fits(s, row) {
				return true, nil
			}
		}
	case byIndex:
		cur := s.ix.seek(s.cols, m.key(i, s))
		for row := cur.next(); row >= 0; row = cur.next() {
			if m.fits(s, row) {
				return true, nil
			}
		}
	case bySet:
		return s.rel.find(m.key(i, s)) >= 0, nil
	}
	return false, nil
}

func (m *machine) key(i int, s *step) []symbol.Value {
	key := m.keys[i]
	for k, reg := range s.key {
		key[k] = m.regs[reg]
	}
	return key
}

// fits checks a row against what is known and takes over the rest.
func (m *machine) fits(s *step, row int) bool {
	for _, c := range s.checks {
		if s.cols[c.col][row] != m.regs[c.reg] {
			return false
		}
	}
	for _, p := range s.same {
		if s.cols[p.a][row] != s.cols[p.b][row] {
			return false
		}
	}
	for _, b := range s.binds {
		m.regs[b.reg] = s.cols[b.col][row]
	}
	return true
}

func (m *machine) eval(e *expr) (symbol.Value, error) {
	switch e.kind {
	case variable:
		return m.regs[e.v], nil
	case constant:
		return m.regs[len(m.rule.vars)+e.c], nil
	}
	if m.shared && !e.interns() {
		n, err := m.number(e)
		if err != nil {
			return 0, err
		}
		if n < 0 || n > maxPlain {
			return 0, errInterns
		}
		return m.syms.Int(n), nil
	}
	var buf [4]symbol.Value
	args := buf[:0]
	for _, a := range e.args {
		v, err := m.eval(a)
		if err != nil {
			return 0, err
		}
		args = append(args, v)
	}
	v, err := e.fn.eval(m.syms, args)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", showApply(m.syms, e.fn, args), err)
	}
	return v, nil
}

// maxPlain is the largest number, from 0 on, that is a value by itself.
const maxPlain = 1<<31 - 1

// holds decides a comparison or a test.
func (m *machine) holds(s *step) (bool, error) {
	if s.op == opTest {
		args := make([]symbol.Value, len(s.args))
		for i, a := range s.args {
			v, err := m.eval(a)
			if err != nil {
				return false, err
			}
			args[i] = v
		}
		return tests[s.prem.op].eval(m.syms, args)
	}
	if s.prem.op == "=" || s.prem.op == "!=" {
		a, err := m.eval(s.args[0])
		if err != nil {
			return false, err
		}
		b, err := m.eval(s.args[1])
		return (a == b) == (s.prem.op == "="), err
	}
	a, err := m.number(s.args[0])
	if err != nil {
		return false, err
	}
	b, err := m.number(s.args[1])
	if err != nil {
		return false, err
	}
	switch s.prem.op {
	case "<":
		return a < b, nil
	case "<=":
		return a <= b, nil
	case ">":
		return a > b, nil
	}
	return a >= b, nil
}

// number evaluates an integer term. Sums and differences of two terms, which
// comparisons are full of, are not interned on the way.
func (m *machine) number(e *expr) (int64, error) {
	if e.kind == apply && len(e.args) == 2 && (e.fn.infix == "+" || e.fn.infix == "-") {
		a, err := m.number(e.args[0])
		if err != nil {
			return 0, err
		}
		b, err := m.number(e.args[1])
		if err != nil {
			return 0, err
		}
		step := addExact
		if e.fn.infix == "-" {
			step = subExact
		}
		n, err := step(a, b)
		if err != nil && m.shared { // to tell of it takes constants
			return 0, errInterns
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", showApply(m.syms, e.fn, []symbol.Value{m.syms.Int(a), m.syms.Int(b)}), err)
		}
		return n, err
	}
	v, err := m.eval(e)
	if err != nil {
		return 0, err
	}
	n, ok := m.syms.Number(v)
	if !ok {
		return 0, fmt.Errorf("%s is not a number", m.syms.Format(v))
	}
	return n, nil
}

// member tries every element of a list.
func (m *machine) member(i int, s *step) (found bool, err error) {
	list, err := m.eval(s.args[1])
	if err != nil {
		return false, m.blame(i, err)
	}
	want := symbol.Value(0)
	open := s.args[0].kind == wildcard
	if s.dst < 0 && !open {
		if want, err = m.eval(s.args[0]); err != nil {
			return false, m.blame(i, err)
		}
	}
	for _, e := range m.syms.Elems(list) {
		if s.dst >= 0 {
			m.regs[s.dst] = e
		} else if !open && e != want {
			continue
		}
		ok, err := m.run(i + 1)
		found = found || ok
		if err != nil || ok && s.once {
			return found, err
		}
	}
	return found, nil
}

// cons takes a list apart.
func (m *machine) cons(i int, s *step) (bool, error) {
	list, err := m.eval(s.args[0])
	if err != nil {
		return false, m.blame(i, err)
	}
	elems := m.syms.Elems(list)
	if len(elems) == 0 {
		return false, nil
	}
	parts := [2]symbol.Value{elems[0], m.syms.List(elems[1:])}
	for k, dst := range [2]int{s.dst, s.dst2} {
		switch a := s.args[1+k]; {
		case a.kind == wildcard:
		case dst >= 0:
			m.regs[dst] = parts[k]
		default:
			v, err := m.eval(a)
			if err != nil {
				return false, m.blame(i, err)
			}
			if v != parts[k] {
				return false, nil
			}
		}
	}
	return m.run(i + 1)
}

// blame turns a failure in step i into an error that names the rule and the row.
func (m *machine) blame(i int, err error) error {
	return m.rule.error("rule-evaluation", "%v%s", err, m.row(i))
}

// row shows the variables that have values in step i, for an error message.
func (m *machine) row(i int) string {
	var parts []string
	known := make([]bool, len(m.rule.vars))
	if m.final {
		for _, v := range m.rule.agg.group {
			known[v] = true
		}
		i = 0
	}
	for _, s := range m.steps[:i] {
		for _, v := range s.fills() {
			known[v] = true
		}
	}
	for v, name := range m.rule.vars {
		if name != "" && name != anonymous && known[v] {
			parts = append(parts, fmt.Sprintf("%s = %s", name, m.syms.Format(m.regs[v])))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ", for " + strings.Join(parts, ", ")
}

func (r *rule) error(code, format string, args ...any) error {
	return &RuleError{ruleError(r.src.unit.Source, r.src.pos, code, "%s: %s", r.pred.name, fmt.Sprintf(format, args...))}
}

// showApply writes a function application as people do: 1 + 2.
func showApply(t *symbol.Table, f *function, args []symbol.Value) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = t.Format(a)
		if f.infix != "" && i > 0 && strings.HasPrefix(parts[i], "-") {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	if f.infix != "" && len(parts) > 1 {
		return strings.Join(parts, " "+f.infix+" ")
	}
	return f.name + "(" + strings.Join(parts, ", ") + ")"
}
