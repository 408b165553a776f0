package datalog

import (
	"fmt"

	"plancheck/internal/symbol"
)

// pin explains that the rows of a relation that fit a pattern are those that
// there are now: by all that they could be derived from. It is for relations of
// which not all rows that may be are known, because they are fed by the value of
// an aggregate.
func (e *explainer) pin(p *predicate, x pattern) error {
	if e.whole || !e.open[p] {
		return nil
	}
	at := fmt.Sprint(p.name, x)
	if e.pinned[at] {
		return nil
	}
	e.pinned[at] = true
	switch {
	case p.given && e.decided[p] == nil:
		e.whole = true
		return nil
	case e.vague[p]:
		for _, r := range p.rules {
			if err := e.pinRule(r, x); err != nil {
				return err
			}
		}
		return nil
	}
	may := e.db.relation(e.clone[p])
	for _, row := range may.matching(nil, x) {
		err := error(nil)
		if now := e.now.relation(p).find(may.row(row)); now >= 0 {
			err = e.isThere(p, now, false)
		} else {
			err = e.isAbsent(p, row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pinRule explains all that a rule could derive in a pattern.
func (e *explainer) pinRule(r *rule, x pattern) error {
	values := map[int]symbol.Value{}
	body := bindable(r)
	for i, h := range r.head {
		switch {
		case !x.known[i]:
		case h.kind == constant && e.now.consts[h.c] != x.values[i]:
			return nil // it derives nothing there
		case h.kind == variable && body[h.v]:
			values[h.v] = x.values[i]
		}
	}
	for _, p := range r.body {
		if p.pred == nil || !e.open[p.pred] {
			continue
		}
		y := pattern{make([]symbol.Value, len(p.args)), make([]bool, len(p.args))}
		for c, a := range p.args {
			switch a.kind {
			case constant:
				y.values[c], y.known[c] = e.now.consts[a.c], true
			case variable:
				y.values[c], y.known[c] = values[a.v], false
				if _, bound := values[a.v]; bound {
					y.known[c] = true
				}
			}
		}
		if err := e.pin(p.pred, y); err != nil {
			return err
		}
	}
	return nil
}

// exactly is the pattern that one row fits.
func exactly(row []symbol.Value) pattern {
	x := pattern{values: row, known: make([]bool, len(row))}
	for i := range x.known {
		x.known[i] = true
	}
	return x
}
