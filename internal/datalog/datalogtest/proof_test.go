package datalogtest

import (
	"strings"
	"testing"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// proofProgram has one clause a line.
const proofProgram = `reach(X, Y) :- edge(X, Y).
reach(X, Z) :- reach(X, Y), edge(Y, Z).
lonely(X) :- node(X), !reach(X, _), X != 9.
node(5).
heavy(X, S) :- edge(X, Y), node(Y) |> do fn:group_by(X), let S = fn:sum(Y).
node(2). node(3).
loop(X) :- loop(X).
loop(X) :- node(X), X < fn:plus(2, 1).
next(X, Y) :- node(X) |> let Y = fn:plus(X, 1).
twice(X, Y) :- reach(X, Y), reach(X, Y).
`

// proofs returns a checker and correct proofs by name.
func proofs(t *testing.T) (*Checker, map[string]*diag.Proof) {
	t.Helper()
	lines := strings.Split(proofProgram, "\n")
	at := func(line, column int) diag.Position {
		return diag.Position{File: "p.dl", Line: line, Column: column}
	}
	syms := symbol.NewTable()
	tables := []*datalog.Table{{Name: "edge", N: 3, Cols: [][]symbol.Value{{1, 2, 1}, {2, 3, 3}}}}
	ch, err := NewChecker([]*diag.Source{diag.NewSource("p.dl", []byte(proofProgram))}, syms, tables, 0)
	if err != nil {
		t.Fatal(err)
	}
	vals := func(vs ...symbol.Value) []symbol.Value { return vs }
	edge := func(row int, vs ...symbol.Value) *diag.Proof {
		return &diag.Proof{Kind: diag.Fact, Pred: "edge", Args: vs, Row: row}
	}
	node := func(line, column int, v symbol.Value) *diag.Proof {
		return &diag.Proof{Kind: diag.Fact, Pred: "node", Args: vals(v), Row: -1, Pos: at(line, column)}
	}
	rule := func(line int, pred string, args []symbol.Value, bindings []diag.Binding, premises ...*diag.Proof) *diag.Proof {
		return &diag.Proof{Kind: diag.ByRule, Pred: pred, Args: args, Bindings: bindings, Premises: premises,
			Pos: at(line, 1), Rule: &diag.RuleRef{Pos: at(line, 1), Clause: lines[line-1]}}
	}
	reach12 := func() *diag.Proof {
		return rule(1, "reach", vals(1, 2), []diag.Binding{{Var: "X", Value: 1}, {Var: "Y", Value: 2}}, edge(0, 1, 2))
	}
	row := func(x, y symbol.Value, tableRow, column int) *diag.Proof {
		p := rule(5, "", nil, []diag.Binding{{Var: "X", Value: x}, {Var: "Y", Value: y}}, edge(tableRow, x, y), node(6, column, y))
		p.Rule = nil
		return p
	}
	heavy := rule(5, "heavy", vals(1, 5), []diag.Binding{{Var: "X", Value: 1}, {Var: "S", Value: 5}})
	heavy.Kind = diag.ByAggregate
	heavy.Rows = []*diag.Proof{row(1, 2, 0, 1), row(1, 3, 2, 10)}
	return ch, map[string]*diag.Proof{
		"fact": edge(1, 2, 3),
		"rule": rule(2, "reach", vals(1, 3), []diag.Binding{{Var: "X", Value: 1}, {Var: "Y", Value: 2}, {Var: "Z", Value: 3}}, reach12(), edge(1, 2, 3)),
		"absent": rule(3, "lonely", vals(5), []diag.Binding{{Var: "X", Value: 5}}, node(4, 1, 5),
			&diag.Proof{Kind: diag.Absent, Pred: "reach", Args: vals(5, 0), Open: []bool{false, true}, Pos: at(3, 23)},
			&diag.Proof{Kind: diag.Holds, Text: "5 != 9", Pos: at(3, 37)}),
		"aggregate": heavy,
		"seen": rule(7, "loop", vals(2), []diag.Binding{{Var: "X", Value: 2}},
			rule(8, "loop", vals(2), []diag.Binding{{Var: "X", Value: 2}}, node(6, 1, 2),
				&diag.Proof{Kind: diag.Holds, Text: "2 < 2 + 1", Pos: at(8, 21)})),
		"twice": rule(10, "twice", vals(1, 2), []diag.Binding{{Var: "X", Value: 1}, {Var: "Y", Value: 2}}, reach12(), reach12()),
		"let":   rule(9, "next", vals(2, 3), []diag.Binding{{Var: "X", Value: 2}, {Var: "Y", Value: 3}}, node(6, 1, 2)),
	}
}

func TestCheckProofAccepts(t *testing.T) {
	ch, ps := proofs(t)
	for name, p := range ps {
		if err := ch.Check(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheckProofRefuses spoils correct proofs in one place each.
func TestCheckProofRefuses(t *testing.T) {
	for _, c := range []struct {
		proof, want string
		spoil       func(p *diag.Proof)
	}{
		{"fact", "not row 0", func(p *diag.Proof) { p.Row = 0 }},
		{"fact", "not row 3", func(p *diag.Proof) { p.Row = 3 }},
		{"fact", "not row 1", func(p *diag.Proof) { p.Pred = "node" }},
		{"fact", "not stated", func(p *diag.Proof) { p.Row = -1 }},
		{"fact", "kind holds", func(p *diag.Proof) { p.Kind = diag.Holds }},
		{"rule", "no rule", func(p *diag.Proof) { p.Rule = nil }},
		{"rule", "its rule at", func(p *diag.Proof) { p.Pos.Column++ }},
		{"rule", "no rule at", func(p *diag.Proof) { p.Pos.Column++; p.Rule.Pos.Column++ }},
		{"rule", "rule \"reach(X, Y)", func(p *diag.Proof) { p.Rule.Clause = "reach(X, Y) :- edge(X, Y)." }},
		{"rule", "the rule derives", func(p *diag.Proof) { p.Args[1] = 2 }},
		{"rule", "the rule derives", func(p *diag.Proof) { p.Pred = "loop" }},
		{"rule", "premise 1: reach(1, 2) does not match", func(p *diag.Proof) { p.Bindings[1].Value = 3 }},
		{"rule", "no binding of Y", func(p *diag.Proof) { p.Bindings = append(p.Bindings[:1], p.Bindings[2]) }},
		{"rule", "binding of W", func(p *diag.Proof) { p.Bindings = append(p.Bindings, diag.Binding{Var: "W"}) }},
		{"rule", "binding of X", func(p *diag.Proof) { p.Bindings = append(p.Bindings, p.Bindings[0]) }},
		{"rule", "1 premises for a body of 2", func(p *diag.Proof) { p.Premises = p.Premises[:1] }},
		{"rule", "premise 2: edge(2, 3): not row 0", func(p *diag.Proof) { p.Premises[1].Row = 0 }},
		{"rule", "does not match", func(p *diag.Proof) { p.Premises[0], p.Premises[1] = p.Premises[1], p.Premises[0] }},
		{"rule", "rests on itself", func(p *diag.Proof) {
			p.Premises[0] = &diag.Proof{Kind: diag.Seen, Pred: "reach", Args: []symbol.Value{1, 2}}
		}},
		{"rule", "an aggregate", func(p *diag.Proof) { p.Rows = p.Premises }},
		{"absent", "open is false", func(p *diag.Proof) { p.Premises[1].Open[1] = false }},
		{"absent", "open is true", func(p *diag.Proof) { p.Premises[1].Open[0] = true }},
		{"absent", "argument 1 of", func(p *diag.Proof) { p.Premises[1].Args[0] = 6 }},
		{"absent", "is shown as fact", func(p *diag.Proof) { p.Premises[1].Kind = diag.Fact }},
		{"absent", "is at", func(p *diag.Proof) { p.Premises[1].Pos.Line++ }},
		{"absent", "does not hold", func(p *diag.Proof) {
			p.Args[0], p.Bindings[0].Value, p.Premises[1].Args[0] = 2, 2, 2
			p.Premises[0].Args[0], p.Premises[0].Pos = 2, diag.Position{File: "p.dl", Line: 6, Column: 1}
		}},
		{"absent", "is shown as holds \"\"", func(p *diag.Proof) { p.Premises[2].Text = "" }},
		{"absent", "is shown as absent", func(p *diag.Proof) { p.Premises[2].Kind = diag.Absent }},
		{"aggregate", "a rule is shown", func(p *diag.Proof) { p.Premises = p.Rows }},
		{"aggregate", "an aggregate is shown", func(p *diag.Proof) { p.Kind = diag.ByRule }},
		{"aggregate", "has 2 rows, not 1", func(p *diag.Proof) { p.Rows = p.Rows[:1] }},
		{"aggregate", "row 1: is 1, 3, not 1, 2", func(p *diag.Proof) { p.Rows[0], p.Rows[1] = p.Rows[1], p.Rows[0] }},
		{"aggregate", "row 2: is 1, 2, not 1, 3", func(p *diag.Proof) { p.Rows[1] = p.Rows[0] }},
		{"aggregate", "row 1: is shown as rule heavy()", func(p *diag.Proof) { p.Rows[0].Pred = "heavy" }},
		{"aggregate", "row 2: premise 2: node(3): not stated", func(p *diag.Proof) { p.Rows[1].Premises[1].Pos.Line = 4 }},
		{"aggregate", "S is 5, not 4", func(p *diag.Proof) { p.Bindings[1].Value, p.Args[1] = 4, 4 }},
		{"aggregate", "the rule derives heavy(1, 5)", func(p *diag.Proof) { p.Args[1] = 4 }},
		{"aggregate", "no such group", func(p *diag.Proof) { p.Bindings[0].Value, p.Args[0] = 7, 7 }},
		{"seen", "rests on itself", func(p *diag.Proof) {
			p.Premises[0] = &diag.Proof{Kind: diag.Seen, Pred: "loop", Args: p.Args}
		}},
		{"seen", "rests on itself", func(p *diag.Proof) {
			q := *p
			q.Premises = []*diag.Proof{{Kind: diag.Seen, Pred: "loop", Args: p.Args}}
			p.Premises = []*diag.Proof{&q}
		}},
		{"seen", "has nodes below it", func(p *diag.Proof) { p.Premises[0].Kind = diag.Seen }},
		{"seen", "does not hold", func(p *diag.Proof) {
			p.Args[0], p.Bindings[0].Value = 3, 3
			q := p.Premises[0]
			q.Args[0], q.Bindings[0].Value = 3, 3
			q.Premises[0].Args[0], q.Premises[0].Pos.Column = 3, 10
		}},
		{"let", "Y is not fn:plus", func(p *diag.Proof) { p.Bindings[1].Value, p.Args[1] = 4, 4 }},
		{"let", "no binding of Y", func(p *diag.Proof) { p.Bindings = p.Bindings[:1] }},
	} {
		ch, ps := proofs(t)
		p := ps[c.proof]
		c.spoil(p)
		if err := ch.Check(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("spoiled %s: got %v, want %s", c.proof, err, c.want)
		}
	}
}

// TestSeenElsewhere lets a fact be proven after it is seen, and before.
func TestSeenElsewhere(t *testing.T) {
	ch, ps := proofs(t)
	for _, seenFirst := range []bool{false, true} {
		p := ps["twice"]
		p.Premises[1] = &diag.Proof{Kind: diag.Seen, Pred: "reach", Args: []symbol.Value{1, 2}}
		if seenFirst {
			p.Premises[0], p.Premises[1] = p.Premises[1], p.Premises[0]
		}
		if err := ch.Check(p); err != nil {
			t.Errorf("seen first: %v: %v", seenFirst, err)
		}
	}
}
