package datalog

import (
	"fmt"
)

// checkVariables refuses variables without a value and variables used once.
func (s *scope) checkVariables() {
	r := s.r
	bound := bindable(r)
	// Unbound variables of a negated atom ask whether there is no row at all;
	// they may not be shared with anything else.
	local := make([]int, len(r.vars))
	for i, p := range r.body {
		if p.kind == negative {
			for _, a := range p.args {
				a.each(func(v int) {
					if !bound[v] && local[v] == 0 {
						local[v] = i + 1
					} else if !bound[v] && local[v] != i+1 {
						local[v] = -1
					}
				})
			}
		}
	}
	unsafe := map[int]bool{}
	need := func(e *expr, known []bool) {
		e.each(func(v int) {
			if !known[v] {
				unsafe[v] = true
			}
		})
	}
	for _, p := range r.body {
		if p.kind == negative {
			for _, a := range p.args {
				a.each(func(v int) {
					if !bound[v] && local[v] < 0 {
						unsafe[v] = true
					}
				})
			}
			continue
		}
		for _, a := range p.args {
			need(a, bound)
			if a.kind == wildcard && p.kind != positive && p.kind != member {
				s.fail(r.premisePos(p.src), "rule-unsafe", "a wildcard cannot be compared")
			}
		}
	}
	if r.agg != nil {
		for _, v := range r.agg.group {
			need(&expr{kind: variable, v: v}, bound)
		}
		after := make([]bool, len(r.vars))
		for _, v := range r.agg.group {
			after[v] = true
		}
		for _, red := range r.agg.reducers {
			if red.arg != nil {
				need(red.arg, bound)
			}
			after[red.v] = true
		}
		bound = after
	}
	for _, l := range r.lets {
		need(l.expr, bound)
		bound[l.v] = true
	}
	for _, h := range r.head {
		need(h, bound)
	}
	// In an aggregation every named variable tells rows apart, so one use is a use.
	counted := bindable(r)
	for _, name := range s.first {
		v := s.byVar[name]
		switch {
		case unsafe[v]:
			s.fail(s.src.pos, "rule-unsafe", "%s", s.unsafeMessage(v, name))
		case s.uses[name] == 1 && (r.agg == nil || !counted[v]):
			s.fail(s.src.pos, "rule-unused-variable", "the variable %s occurs only once: write _ if its value does not matter", name)
		}
	}
	for v, name := range r.vars {
		if name == "" && unsafe[v] && !s.bad {
			s.fail(s.src.pos, "rule-unsafe", "a function application has an argument without a value")
		}
	}
}

func (s *scope) unsafeMessage(v int, name string) string {
	if s.r.agg != nil && bindable(s.r)[v] {
		return fmt.Sprintf("%s varies within a group: put it into fn:group_by or reduce it", name)
	}
	return fmt.Sprintf("nothing gives %s a value: let it occur in a premise that is neither negated nor a comparison", name)
}

// bindable says which variables the body gives values to, in any order of
// its premises.
func bindable(r *rule) []bool {
	b := make([]bool, len(r.vars))
	for changed := true; changed; {
		changed = false
		bind := func(e *expr) {
			if e.kind == variable && !b[e.v] {
				b[e.v] = true
				changed = true
			}
		}
		for _, p := range r.body {
			switch p.kind {
			case positive:
				for _, a := range p.args {
					bind(a)
				}
			case equality:
				if p.args[0].bound(b) {
					bind(p.args[1])
				}
				if p.args[1].bound(b) {
					bind(p.args[0])
				}
			case member:
				if p.op == ":list:member" && p.args[1].bound(b) {
					bind(p.args[0])
				}
				if p.op == ":match_cons" && p.args[0].bound(b) {
					bind(p.args[1])
					bind(p.args[2])
				}
			}
		}
	}
	return b
}
