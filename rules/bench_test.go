package rules

import (
	"context"
	"testing"

	"plancheck/facts"
	"plancheck/internal/bench"
	"plancheck/internal/datalog"
)

// BenchmarkProve proves the skips of a plan of 100,000 ops with 1,000 of them,
// one after the other: ns/op is the time of one proof. The first one, which
// builds the indexes that proofs need, is reported apart.
func BenchmarkProve(b *testing.B) {
	s, diags := Load([]string{"builtin:pipeline"})
	if s == nil {
		b.Fatal(diags)
	}
	p := bench.Plan(100_000)
	last := p.Graph.Ops[len(p.Graph.Ops)-1].ID
	for i := range 1000 {
		p.Graph.Edges[100*i].From, p.Graph.Edges[100*i].To = p.Graph.Ops[i].ID, last
	}
	goals := []string{"edge_skips_stage"}
	reads, _ := s.program.Reads(goals)
	exported, err := facts.Export(p, among(reads))
	if err != nil {
		b.Fatal(err)
	}
	db, err := s.program.Eval(context.Background(), p.Symbols, exported.Tables, goals, datalog.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	rows := db.Rows(goals[0])
	if len(rows) < 1000 {
		b.Fatalf("%d violations", len(rows))
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			db, err := s.program.Eval(context.Background(), p.Symbols, exported.Tables, goals, datalog.Limits{})
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if _, err := db.Prove(goals[0], rows[0]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("next", func(b *testing.B) {
		i := 0
		for b.Loop() {
			if _, err := db.Prove(goals[0], rows[i%len(rows)]); err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
}

// BenchmarkLoad is most of what a start of the program takes.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if s, diags := Load(nil); s == nil {
			b.Fatal(diags)
		}
	}
}

// BenchmarkUserRules runs rules of the kind that users add on a plan of 50,000
// ops and 100,000 edges: three joins, a negation, an aggregation, a recursion.
func BenchmarkUserRules(b *testing.B) {
	for _, c := range []struct{ name, rule string }{
		{"three joins", `Decl three(A, D) bound [/string, /string].
three(A, D) :- edge(A, B), edge(B, C), edge(C, D).
Decl threes(N) bound [/number].
threes(N) :- three(_, _) |> do fn:group_by(), let N = fn:count().
Decl many(N) descr [violation("many", "warning"), message("{N}")] bound [/number].
many(N) :- threes(N), 100000000 < N.`},
		{"negation", `Decl direct(A, C) bound [/string, /string].
direct(A, C) :- edge(A, B), edge(B, C), !edge(A, C).
Decl directs(N) bound [/number].
directs(N) :- direct(_, _) |> do fn:group_by(), let N = fn:count().
Decl many(N) descr [violation("many", "warning"), message("{N}")] bound [/number].
many(N) :- directs(N), 100000000 < N.`},
		{"aggregation", `Decl fan(A, N) bound [/string, /number].
fan(A, N) :- edge(A, B), op(B, _, _) |> do fn:group_by(A), let N = fn:count().
Decl wide(A, N) descr [violation("wide", "warning"), message("{A} {N}")] bound [/string, /number].
wide(A, N) :- fan(A, N), 1000 < N.`},
		{"recursion", `Decl reach(A) bound [/string].
reach(A) :- dynamic_input(V), input_consumer(V, A).
reach(B) :- reach(A), edge(A, B).
Decl cut(A) descr [violation("cut", "warning"), message("{A}")] bound [/string].
cut(A) :- op(A, _, _), !reach(A).`},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, diags := Load([]string{write(b, "mine.dl", c.rule)})
			if s == nil {
				b.Fatal(shown(diags))
			}
			p := bench.Plan(50_000)
			for b.Loop() {
				v, err := s.Judge(context.Background(), p, Options{})
				if err != nil {
					b.Fatal(err)
				}
				if len(v.Findings) > 0 {
					b.Fatalf("%d findings", len(v.Findings))
				}
			}
		})
	}
}
