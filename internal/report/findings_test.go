package report

import (
	"bytes"
	"fmt"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// maker builds findings as rules would.
type maker struct{ syms *symbol.Table }

func (m maker) values(args ...any) []symbol.Value {
	var vs []symbol.Value
	for _, a := range args {
		switch a := a.(type) {
		case int:
			vs = append(vs, m.syms.Int(int64(a)))
		case int64:
			vs = append(vs, m.syms.Int(a))
		case string:
			vs = append(vs, m.syms.String(a))
		case name:
			vs = append(vs, m.syms.Name(string(a)))
		case []any:
			vs = append(vs, m.syms.List(m.values(a...)))
		default:
			panic(fmt.Sprintf("no constant: %v", a))
		}
	}
	return vs
}

type name string

func (m maker) fact(line int, pointer, pred string, args ...any) *diag.Proof {
	return &diag.Proof{Kind: diag.Fact, Pred: pred, Args: m.values(args...),
		Pos: diag.Position{File: "plan.json", Line: line, Column: 7, Pointer: pointer}}
}

func (m maker) stated(line int, pred string, args ...any) *diag.Proof {
	return &diag.Proof{Kind: diag.Fact, Row: -1, Pred: pred, Args: m.values(args...), Pos: inRules(line)}
}

func inRules(line int) diag.Position {
	return diag.Position{File: "rules/pipeline.dl", Line: line, Column: 1}
}

func rule(line int, clause string) *diag.RuleRef {
	return &diag.RuleRef{Pos: inRules(line), Clause: clause}
}

func (m maker) by(r *diag.RuleRef, premises []*diag.Proof, pred string, args ...any) *diag.Proof {
	return &diag.Proof{Kind: diag.ByRule, Pred: pred, Args: m.values(args...), Rule: r, Premises: premises, Pos: r.Pos}
}

func (m maker) row(premises ...*diag.Proof) *diag.Proof {
	return &diag.Proof{Kind: diag.ByRule, Premises: premises}
}

func holds(line int, text string) *diag.Proof {
	return &diag.Proof{Kind: diag.Holds, Text: text, Pos: inRules(line)}
}

func seen(p *diag.Proof) *diag.Proof { return &diag.Proof{Kind: diag.Seen, Pred: p.Pred, Args: p.Args} }

// skip is a finding of a story: the result of conv1 is read too late.
func (m maker) skip(i int, snippet string) diag.Diagnostic {
	to := fmt.Sprintf("add%d", i)
	r := rule(41, `edge_skips_stage(From, To, S, T) :- edge(From, To), op_stage(From, S), op_stage(To, T), fn:plus(S, 1) < T.`)
	byInstance := rule(31, `op_stage(Op, S) :- instance(Op, _, S, _).`)
	proof := m.by(r, []*diag.Proof{
		m.fact(214+i, fmt.Sprintf("/graph/edges/%d", 3+i), "edge", "conv1", to),
		m.by(byInstance, []*diag.Proof{m.fact(120, "/assignment/instances/12", "instance", "conv1", 0, 0, 2)}, "op_stage", "conv1", 0),
		m.by(byInstance, []*diag.Proof{m.fact(121+i, fmt.Sprintf("/assignment/instances/%d", 13+i), "instance", to, 0, 3, 9)}, "op_stage", to, 3),
		holds(41, "0 + 1 < 3"),
	}, "edge_skips_stage", "conv1", to, 0, 3)
	for k, v := range m.values("conv1", to, 0, 3) {
		proof.Bindings = append(proof.Bindings, diag.Binding{Var: []string{"From", "To", "S", "T"}[k], Value: v})
	}
	return diag.Diagnostic{
		Code: "edge-skips-stage", Severity: diag.Error,
		Message: "edge conv1 -> " + to + " skips from stage 0 to stage 3",
		Pos:     diag.Position{File: "plan.json", Line: 214 + i, Column: 7, Pointer: fmt.Sprintf("/graph/edges/%d", 3+i)},
		Snippet: snippet, Group: "edge-skips-stage conv1", Fingerprint: fmt.Sprintf("f00d%d", i),
		Help:  "forward the result of conv1 through each stage between, or move " + to + " to an earlier stage",
		Proof: proof,
	}
}

func (m maker) absent() diag.Diagnostic {
	r := rule(12, `op_without_stage(Op) :- op(Op, _, _), !op_stage(Op, _).`)
	return diag.Diagnostic{
		Code: "instance-without-core-or-stage", Severity: diag.Error, Message: "b5 has no stage",
		Pos:     diag.Position{File: "plan.json", Line: 9, Column: 3, Pointer: "/graph/ops/5"},
		Snippet: "\t\t" + `{"id": "b5"}`,
		Proof: m.by(r, []*diag.Proof{
			m.fact(9, "/graph/ops/5", "op", "b5", 1, 700),
			{Kind: diag.Absent, Pred: "op_stage", Args: m.values("b5", 0), Open: []bool{false, true}, Pos: inRules(12)},
		}, "op_without_stage", "b5"),
	}
}

// oneline is a finding in a document that stands on one long line.
func (m maker) oneline() diag.Diagnostic {
	src := diag.NewSource("plan.json", []byte(`{"x":`+strings.Repeat(" ", 100_000)+`"here", `+strings.Repeat("\"behind\", ", 10_000)))
	at := bytes.Index(src.Text(), []byte(`"here"`))
	d := diag.Diagnostic{Code: "code", Message: "message", Pos: src.Position(at)}
	d.Snippet, d.SnippetSkip = src.Excerpt(at)
	return d
}

// weights is a finding with an aggregate of n rows, a fact of the rule file, a
// fact that was proven before, and constants of every kind.
func (m maker) weights(n int) diag.Diagnostic {
	resident := rule(60, `resident(W, L, C) :- resident_listed(W, L, C).`)
	load := rule(64, `core_load(C, T, N) :- resident(W, _, C), weight(W, B) |> do fn:group_by(C), let T = fn:sum(B), let N = fn:count().`)
	sum := &diag.Proof{Kind: diag.ByAggregate, Pred: "core_load", Args: m.values(3, int64(9007199254740993), n), Rule: load, Pos: load.Pos,
		Bindings: []diag.Binding{{Var: "C", Value: m.syms.Int(3)}, {Var: "T", Value: m.syms.Int(9007199254740993)}}}
	for i := range n {
		w := fmt.Sprintf("w%d", i)
		sum.Rows = append(sum.Rows, m.row(
			m.by(resident, []*diag.Proof{m.fact(300+i, fmt.Sprintf("/assignment/residency/%d", i), "resident_listed", w, 0, 3)}, "resident", w, 0, 3),
			m.fact(20+i, fmt.Sprintf("/graph/weights/%d", i), "weight", w, 512)))
	}
	r := rule(70, `resident_weights_exceed_core(C, T, B) :- core_load(C, T, _), limit(C, B), B < T.`)
	kinds := m.stated(5, "limit", name("/sram"), []any{1, "two", []any{name("/x")}}, int64(-5))
	return diag.Diagnostic{
		Code: "resident-weights-exceed-core", Severity: diag.Warning, Message: "core 3 holds too much",
		Pos: diag.Position{File: "plan.json", Line: 2, Column: 1},
		Proof: m.by(r, []*diag.Proof{sum, kinds, seen(kinds), holds(70, "100 < 9007199254740993")},
			"resident_weights_exceed_core", 3, int64(9007199254740993), 100),
	}
}

// tooLarge is a finding whose proof would be too large: most rows of its group
// are only counted, and one fact is not proven.
func (m maker) tooLarge() diag.Diagnostic {
	d := m.weights(2)
	d.Severity = diag.Error
	sum := d.Proof.Premises[0]
	sum.Omitted = 998
	first := sum.Rows[0].Premises[0]
	sum.Rows[0].Premises[0] = &diag.Proof{Kind: diag.LeftOut, Pred: first.Pred, Args: first.Args}
	return d
}

// deep is a finding whose proof goes over 60 rules to a fact, and comes back
// to one of them.
func (m maker) deep() diag.Diagnostic {
	r := rule(80, `reaches(X, Z) :- reaches(X, Y), edge(Y, Z).`)
	p := m.fact(1, "/graph/edges/0", "edge", "n0", "n1")
	var middle *diag.Proof
	for i := range 60 {
		p = m.by(r, []*diag.Proof{p, m.fact(i+2, fmt.Sprintf("/graph/edges/%d", i+1), "edge", fmt.Sprintf("n%d", i+1), fmt.Sprintf("n%d", i+2))},
			"reaches", "n0", fmt.Sprintf("n%d", i+2))
		if i == 30 {
			middle = p
		}
	}
	broken := rule(90, `too_far(X, Z) :- reaches(X, Z), far(X, Z).`)
	return diag.Diagnostic{
		Code: "too-far", Severity: diag.Error, Message: "n0 reaches n61",
		Pos:   diag.Position{File: "plan.json"},
		Proof: m.by(broken, []*diag.Proof{p, seen(middle)}, "too_far", "n0", "n61"),
	}
}

// wide is a finding whose proof has six to the twelfth leaves.
func (m maker) wide() diag.Diagnostic {
	r := rule(95, `w(T) :- w(U), U < T.`)
	p := m.fact(1, "/graph/ops/0", "op", "a", 1, 2)
	for i := range 12 {
		p = m.by(r, []*diag.Proof{p, p, p, p, p, p}, "w", i)
	}
	return diag.Diagnostic{Code: "wide", Severity: diag.Error, Message: "wide", Proof: p}
}

// cycle is a finding that is told in n steps; the second one has a hostile name
// in it, the last one no place, and left more are left out.
func (m maker) cycle(n, left int) diag.Diagnostic {
	r := rule(50, `schedule_deadlock(First, N) :- wait_cycle(0, First), cycle_size(N).`)
	d := diag.Diagnostic{
		Code: "schedule-deadlock", Severity: diag.Error, Message: fmt.Sprintf("%d commands on 2 queues wait for each other", n+left),
		Pos: diag.Position{File: "plan.json", Line: 10, Column: 4, Pointer: "/program/commands/0"}, Fingerprint: "dead",
		Snippet: `   {"id": "c0", "queue": "q0"},`, Help: "take one of these waits away", StepsLeftOut: left,
		Proof: m.by(r, []*diag.Proof{m.fact(10, "/program/commands/0", "wait_cycle", 0, "c0")}, "schedule_deadlock", "c0", n+left),
	}
	for i := range n {
		step := diag.Step{Text: fmt.Sprintf("c%d on q%d waits for a message on channel c, which c%d sends", i, i%2, i+1), At: []diag.Position{
			{File: "plan.json", Line: 10 + i, Column: 40, Pointer: fmt.Sprintf("/program/commands/%d/channel", i)},
			{File: "plan.json", Line: 11 + i, Column: 40, Pointer: fmt.Sprintf("/program/commands/%d/channel", i+1)}}}
		switch i {
		case 1:
			step.Text = hostile + " is behind c2"
			step.At[1].File = "parent.json"
		case n - 1:
			step.At = nil
		}
		d.Steps = append(d.Steps, step)
	}
	return d
}
