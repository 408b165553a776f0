package datalog

import (
	"slices"
	"strings"

	"plancheck/internal/diag"
)

// stratify orders the relations so that each comes after those it depends on.
// Relations that depend on each other share a stratum; a negation or an
// aggregation between them has no meaning and is an error that shows the cycle.
func (c *compiler) stratify() {
	t := &tarjan{c: c, index: map[*predicate]int{}, low: map[*predicate]int{}, on: map[*predicate]bool{}}
	for _, p := range c.preds {
		if t.index[p] == 0 {
			t.visit(p)
		}
	}
	for i, comp := range c.strata {
		for _, p := range comp {
			p.stratum = i
		}
	}
	for _, r := range c.rules {
		for _, p := range r.body {
			if p.pred == nil || p.pred.stratum != r.pred.stratum || p.kind != negative && r.agg == nil {
				continue
			}
			how := "negates"
			if r.agg != nil {
				how = "aggregates"
			}
			path := c.path(p.pred, r.pred)
			c.report(diag.Error, r.src.unit, r.src.pos, "rule-not-stratifiable",
				"%s %s %s, which depends on %s itself: %s", r.pred.name, how, p.pred.name, r.pred.name,
				strings.Join(append([]string{r.pred.name}, path...), " <- "))
		}
	}
}

// path lists the relations from one to another along premises, both included.
func (c *compiler) path(from, to *predicate) []string {
	prev := map[*predicate]*predicate{from: from}
	for queue := []*predicate{from}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if p == to {
			var names []string
			for ; p != from; p = prev[p] {
				names = append(names, p.name)
			}
			names = append(names, from.name)
			slices.Reverse(names)
			return names
		}
		for _, q := range dependencies(p) {
			if prev[q] == nil {
				prev[q] = p
				queue = append(queue, q)
			}
		}
	}
	return nil
}

// dependencies lists the relations in the bodies of a relation's rules.
func dependencies(p *predicate) []*predicate {
	var ds []*predicate
	for _, r := range p.rules {
		for _, q := range r.body {
			if q.pred != nil && !slices.Contains(ds, q.pred) {
				ds = append(ds, q.pred)
			}
		}
	}
	return ds
}

// tarjan finds strongly connected components; it emits a component after all
// that it depends on.
type tarjan struct {
	c     *compiler
	n     int
	index map[*predicate]int
	low   map[*predicate]int
	on    map[*predicate]bool
	stack []*predicate
}

func (t *tarjan) visit(p *predicate) {
	t.n++
	t.index[p], t.low[p] = t.n, t.n
	t.stack = append(t.stack, p)
	t.on[p] = true
	for _, q := range dependencies(p) {
		if t.index[q] == 0 {
			t.visit(q)
			t.low[p] = min(t.low[p], t.low[q])
		} else if t.on[q] {
			t.low[p] = min(t.low[p], t.index[q])
		}
	}
	if t.low[p] != t.index[p] {
		return
	}
	i := slices.Index(t.stack, p)
	comp := slices.Clone(t.stack[i:])
	t.stack = t.stack[:i]
	for _, q := range comp {
		t.on[q] = false
	}
	t.c.strata = append(t.c.strata, comp)
}
