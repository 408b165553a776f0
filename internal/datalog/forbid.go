package datalog

import (
	"cmp"
	"context"
	"slices"
)

// How large the clauses of Forbid may become; what is larger is left out.
const (
	mostTerms   = 64  // of one row
	longestTerm = 200 // literals
)

// formula says when a row that may be holds: when one of its terms does.
type formula struct {
	terms []Term
	// known: the terms are all there are. Otherwise there may be others.
	known bool
	done  bool
}

// Forbid returns clauses that hold under all decisions by which a relation has no
// rows: its siblings, for all rows that it may have, as far as they are not too
// large, and no more than most of them. A clause holds when one of its literals
// does.
func (m *May) Forbid(ctx context.Context, relation string, most int) ([][]Lit, error) {
	defer context.AfterFunc(ctx, func() { m.db.halt.Store(true) })()
	p := m.program.byName[relation]
	if p == nil {
		return nil, nil
	}
	var clauses [][]Lit
	for _, r := range p.rules {
		simple := m.rules[r]
		if simple == nil {
			continue
		}
		tried := 0
		err := m.eachInstance(r, func(in instance) bool {
			f := m.conjunction(r, in)
			tried++
			for _, t := range f.terms {
				clause := make([]Lit, len(t))
				for i, l := range t {
					clause[i] = -l
				}
				clauses = append(clauses, clause)
			}
			return len(clauses) < most && tried < 10*most && !m.db.halt.Load()
		})
		if err != nil {
			return nil, err
		}
	}
	return clauses, nil
}

// eachInstance calls use for the instances of a rule until it returns false.
func (m *May) eachInstance(r *rule, use func(instance) bool) error {
	if r.agg != nil {
		return nil
	}
	x := m.matcher(m.rules[r], "", func([]bool) {})
	x.m.emit = func() error {
		if !use(x.instance()) {
			return errFound
		}
		return nil
	}
	if _, err := x.m.run(0); err != errFound {
		return err
	}
	return nil
}

// conjunction says when all premises of an instance hold. All terms that it
// returns are right; where they become too many or too long, none is returned.
func (m *May) conjunction(r *rule, in instance) *formula {
	f := &formula{terms: []Term{{}}, known: true}
	simple := m.rules[r]
	for _, p := range simple.body {
		pred := m.origin[p.pred]
		if p.kind == positive && m.open[pred] {
			g := m.formula(pred, in.rows[p])
			terms, fits := m.product(f.terms, g.terms)
			if !fits {
				return &formula{}
			}
			f.terms, f.known = terms, f.known && g.known
		}
	}
	for _, p := range r.body {
		if p.kind != negative || !m.open[p.pred] {
			continue
		}
		if m.vague[p.pred] {
			return &formula{}
		}
		for _, row := range m.db.relation(m.clone[p.pred]).matching(p, patternOf(r, p, in.regs)) {
			g := m.formula(p.pred, row)
			if !g.known {
				return &formula{} // the row might hold otherwise
			}
			for _, t := range g.terms {
				var opposites []Term
				for _, l := range t {
					opposites = append(opposites, Term{-l})
				}
				terms, fits := m.product(f.terms, opposites)
				if !fits {
					return &formula{}
				}
				f.terms = terms
			}
		}
	}
	return f
}

// formula says when a row that may be holds.
func (m *May) formula(p *predicate, row int) *formula {
	if !m.open[p] {
		return &formula{terms: []Term{{}}, known: true}
	}
	at := provenRow{p, row}
	if f := m.known[at]; f != nil {
		if !f.done { // it depends on itself
			return &formula{}
		}
		return f
	}
	f := &formula{known: !m.vague[p]}
	m.known[at] = f
	if d := m.decided[p]; d != nil {
		for _, t := range d.When[row] {
			if t, possible := m.simple(t); possible {
				f.terms = append(f.terms, t)
			}
		}
		f.done = true
		return f
	}
	rel := m.db.relation(m.clone[p])
	if row < len(rel.stated) {
		f.terms, f.done = []Term{{}}, true
		return f
	}
	for _, r := range p.rules {
		if m.rules[r] == nil || r.agg != nil {
			f.known = false
			continue
		}
		list, err := m.byHead(r, rel.row(row))
		if err != nil {
			f.known = false
			continue
		}
		for _, in := range list {
			g := m.conjunction(r, in)
			f.known = f.known && g.known
			f.terms = distinctTerms(append(f.terms, g.terms...))
		}
	}
	if len(f.terms) > mostTerms {
		f.terms, f.known = f.terms[:mostTerms], false
	}
	f.done = true
	return f
}

// product is what holds when a term of each list does. It says whether that is
// not too large.
func (m *May) product(a, b []Term) (terms []Term, fits bool) {
	for _, s := range a {
		for _, t := range b {
			both, possible := m.simple(append(slices.Clone(s), t...))
			if !possible {
				continue
			}
			if terms = append(terms, both); len(terms) > mostTerms || len(both) > longestTerm {
				return nil, false
			}
		}
	}
	return distinctTerms(terms), true
}

// simple is a term without what follows from the rest of it, sorted; it says
// whether it can hold at all.
func (m *May) simple(t Term) (Term, bool) {
	t = slices.Clone(t)
	slices.SortFunc(t, func(a, b Lit) int { return cmp.Or(cmp.Compare(max(a, -a), max(b, -b)), cmp.Compare(a, b)) })
	t = slices.Compact(t)
	for i, a := range t {
		for _, b := range t[:i] {
			if a == -b || a > 0 && b > 0 && m.never(a, b) {
				return t, false
			}
		}
	}
	var kept Term
	for _, l := range t {
		if l < 0 && slices.ContainsFunc(t, func(x Lit) bool { return x > 0 && m.never(-l, x) }) {
			continue
		}
		kept = append(kept, l)
	}
	return kept, true
}

func distinctTerms(terms []Term) []Term {
	var kept []Term
	for _, t := range terms {
		if !slices.ContainsFunc(kept, func(k Term) bool { return slices.Equal(k, t) }) {
			kept = append(kept, t)
		}
	}
	return kept
}
