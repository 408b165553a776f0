package datalog_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/mangle/ast"

	"plancheck/internal/datalog"
	"plancheck/internal/datalog/datalogtest"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

var oneSeed = flag.Int("seed", -1, "run only the random program of this seed")

// TestRandomPrograms compares the engine with the naive evaluator, and checks
// the proofs of some of what it derives.
func TestRandomPrograms(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1000
	}
	if *oneSeed >= 0 {
		p, _ := drawn(t, uint64(*oneSeed))
		t.Logf("program:\n%s", p)
		reportMismatch(t, uint64(*oneSeed), p)
		return
	}
	shards := runtime.GOMAXPROCS(0)
	var mu sync.Mutex
	seen := map[string]int{}
	t.Run("shard", func(t *testing.T) {
		for shard := range shards {
			t.Run(fmt.Sprint(shard), func(t *testing.T) {
				t.Parallel()
				for seed := shard; seed < n; seed += shards {
					p, ch := drawn(t, uint64(seed))
					if mismatch(p) != "" {
						reportMismatch(t, uint64(seed), p)
						return
					}
					mu.Lock()
					for _, f := range covered(p, ch.Model) {
						seen[f]++
					}
					mu.Unlock()
				}
			})
		}
	})
	if t.Failed() {
		return
	}
	for _, f := range features {
		t.Logf("%6d programs have rows by %s", seen[f.name], f.name)
		if seen[f.name] < n/200 {
			t.Errorf("only %d of %d programs have rows by %s", seen[f.name], n, f.name)
		}
	}
}

// drawn generates the program of a seed; programs too large for the naive
// evaluator, or with numbers too large, are drawn again.
func drawn(t *testing.T, seed uint64) (*random, *datalogtest.Checker) {
	for attempt := range uint64(20) {
		p := generate(seed, attempt)
		syms := symbol.NewTable()
		ch, err := datalogtest.NewChecker([]*diag.Source{p.source()}, syms, p.tables(syms), 600)
		switch {
		case err == nil:
			return p, ch
		case errors.Is(err, datalogtest.ErrTooLarge) || strings.Contains(err.Error(), "overflow"):
		default:
			t.Fatalf("seed %d: the generator or the naive evaluator is wrong: %v\n%s", seed, err, p)
		}
	}
	t.Fatalf("seed %d: every program is too large", seed)
	return nil, nil
}

// mismatch says how engine and naive evaluator differ on a program; the first
// line is the kind of difference.
func mismatch(p *random) (diff string) {
	defer func() {
		if r := recover(); r != nil {
			diff = fmt.Sprintf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	syms := symbol.NewTable()
	tables := p.tables(syms)
	srcs := []*diag.Source{p.source()}
	ch, err := datalogtest.NewChecker(srcs, syms, tables, 600)
	if err != nil {
		return "naive\n" + err.Error()
	}
	given := map[string]bool{}
	for _, t := range tables {
		given[t.Name] = true
	}
	db, diff := evaluate(srcs, syms, tables, given, p.goals)
	if diff != "" {
		return diff
	}
	choose := rand.New(rand.NewPCG(1, uint64(len(srcs[0].Text()))))
	for _, goal := range p.goals {
		want, got := ch.Model.Rows(goal), db.Rows(goal)
		var wantText, gotText []string
		for _, row := range want {
			wantText = append(wantText, datalogtest.FormatAtom(goal, row))
		}
		for _, row := range got {
			gotText = append(gotText, datalogtest.FormatAtom(goal, datalogtest.FromSymbols(syms, row)))
		}
		if diff := cmp.Diff(wantText, gotText); diff != "" {
			return fmt.Sprintf("rows of %s\n-naive +engine:\n%s", goal, diff)
		}
		if db.Len(goal) != len(want) {
			return fmt.Sprintf("length of %s\n%d, not %d", goal, db.Len(goal), len(want))
		}
		for i, row := range got {
			if len(got) > 4 && choose.IntN(len(got)) >= 4 {
				continue
			}
			proof, err := db.Prove(goal, row)
			if err != nil {
				return fmt.Sprintf("no proof\n%s: %v", gotText[i], err)
			}
			if err := ch.Check(proof); err != nil {
				return fmt.Sprintf("proof\n%s: %v\n%s", gotText[i], err, proofText(syms, proof, ""))
			}
		}
	}
	return ""
}

// evaluate runs the engine, or says at which step it fails.
func evaluate(srcs []*diag.Source, syms *symbol.Table, tables []*datalog.Table, given map[string]bool, goals []string) (db *datalog.Database, diff string) {
	defer func() {
		if r := recover(); r != nil {
			diff = fmt.Sprintf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	var units []*datalog.Unit
	for _, src := range srcs {
		unit, ds := datalog.Parse(src)
		if len(ds) > 0 {
			return nil, "parse error " + ds[0].Code + "\n" + diagText(ds)
		}
		units = append(units, unit)
	}
	program, ds := datalog.Compile(units, given)
	for _, d := range ds {
		if d.Severity == diag.Error {
			return nil, "compile error " + d.Code + ": " + d.Message + "\n" + diagText(ds)
		}
	}
	if program == nil {
		return nil, "no program\n" + diagText(ds)
	}
	if n := len(srcs[0].Text()) % 4; n > 0 { // by several workers, in small pieces
		program.Cut(n)
	}
	db, err := program.Eval(context.Background(), syms, tables, goals, datalog.Limits{})
	if err != nil {
		return nil, "evaluation error\n" + err.Error()
	}
	return db, ""
}

func diagText(ds []diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range ds {
		fmt.Fprintf(&b, "%s:%d:%d: %s[%s]: %s\n    %s\n", d.Pos.File, d.Pos.Line, d.Pos.Column, d.Severity, d.Code, d.Message, d.Snippet)
	}
	return b.String()
}

func proofText(syms *symbol.Table, p *diag.Proof, indent string) string {
	text := fmt.Sprintf("%s%s %s row %d %d:%d %s", indent, p.Kind, syms.FormatAtom(p.Pred, p.Args), p.Row, p.Pos.Line, p.Pos.Column, p.Text)
	if p.Rule != nil {
		text += fmt.Sprintf(" by %d:%d %s", p.Rule.Pos.Line, p.Rule.Pos.Column, p.Rule.Clause)
	}
	for _, b := range p.Bindings {
		text += fmt.Sprintf(" %s=%s", b.Var, syms.Format(b.Value))
	}
	text += "\n"
	for _, q := range slices.Concat(p.Premises, p.Rows) {
		text += proofText(syms, q, indent+"  ")
	}
	return text
}

// reportMismatch fails where engine and naive evaluator differ.
func reportMismatch(t *testing.T, seed uint64, p *random) {
	t.Helper()
	p, diff := shrink(p)
	if diff != "" {
		t.Errorf("seed %d: %s\n%s", seed, diff, p)
	}
}

// shrink drops parts of a program while it differs in the same kind of way.
func shrink(p *random) (*random, string) {
	diff := mismatch(p)
	kind, _, _ := strings.Cut(diff, "\n")
	for again := diff != ""; again; {
		again = false
		for _, smaller := range smaller(p) {
			if d := mismatch(smaller); strings.HasPrefix(d, kind+"\n") {
				p, diff, again = smaller, d, true
				break
			}
		}
	}
	return p, diff
}

// smaller lists programs with one thing less.
func smaller(p *random) []*random {
	var out []*random
	add := func(change func(q *random)) {
		q := *p
		q.clauses, q.decls, q.given, q.goals = slices.Clone(p.clauses), slices.Clone(p.decls), slices.Clone(p.given), slices.Clone(p.goals)
		change(&q)
		out = append(out, &q)
	}
	for i := range p.clauses {
		add(func(q *random) { q.clauses = slices.Delete(q.clauses, i, i+1) })
	}
	for i := range p.decls {
		add(func(q *random) { q.decls = slices.Delete(q.decls, i, i+1) })
	}
	for i, g := range p.given {
		add(func(q *random) {
			q.given = slices.Delete(q.given, i, i+1)
			q.decls = slices.DeleteFunc(q.decls, func(d string) bool { return strings.HasPrefix(d, "Decl "+g.relation.name+"(") })
		})
		for j := range g.rows {
			add(func(q *random) { q.given[i].rows = slices.Delete(slices.Clone(g.rows), j, j+1) })
		}
	}
	for i := range p.goals {
		if len(p.goals) > 1 {
			add(func(q *random) { q.goals = slices.Delete(q.goals, i, i+1) })
		}
	}
	for i, c := range p.clauses {
		for j := range c.Premises {
			if len(c.Premises) > 1 {
				add(func(q *random) {
					q.clauses[i].Premises = slices.Delete(slices.Clone(c.Premises), j, j+1)
				})
			}
		}
		if c.Transform != nil && len(c.Transform.Statements) > 1 {
			for j := range c.Transform.Statements {
				add(func(q *random) {
					q.clauses[i].Transform = &ast.Transform{Statements: slices.Delete(slices.Clone(c.Transform.Statements), j, j+1)}
				})
			}
		}
	}
	return out
}
