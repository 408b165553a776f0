package datalog_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"plancheck/internal/datalog"
	"plancheck/internal/datalog/datalogtest"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// FuzzCompile feeds the rule compiler any text. It must not panic, whatever it
// says must have a place in the text, and what it accepts must evaluate, under
// limits, to rows that have proofs.
func FuzzCompile(f *testing.F) {
	for _, c := range datalogtest.Worked() {
		f.Add([]byte(c.Program))
	}
	for seed := range uint64(40) {
		f.Add(generate(seed, 0).source().Text())
	}
	for _, text := range []string{
		"", "#", "\xef\xbb\xbfp(1).", "p(1).\r\n", "\xff", "p(\"\xff\").", "p(`a\nb`).", "p('\\u{10ffff}').", "p(\"\\x00\").",
		"Decl p(X) descr [doc(\"a\"), at(\"b\", X)] bound [/any] bound [.List</number>].",
		"Package a!\nUse b.c!\np(1).", "p([1 : 2, {/a : b\"c\"}], .Pair<1, 2>).", "p(1) :- p(1) |> do fn:group_by() |> let X = fn:count().",
		"p(" + strings.Repeat("[", 100) + strings.Repeat("]", 100) + ").",
		"q(X) :- p(X), r(X), s(X), t(X), p(Y), r(Z), Y != Z, !p(Y), !r(_). p(1). r(2). s(3). t(4).",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		src := diag.NewSource("fuzz.dl", text)
		placed := func(ds []diag.Diagnostic) bool {
			failed := false
			for _, d := range ds {
				failed = failed || d.Severity == diag.Error
				if d.Pos.File != "fuzz.dl" || d.Pos.Line < 1 || d.Pos.Column < 1 || d.Code == "" || d.Message == "" || d.Snippet != src.Line(d.Pos.Line) {
					t.Errorf("incomplete: %+v", d)
				}
			}
			return !failed
		}
		unit, ds := datalog.Parse(src)
		if !placed(ds) {
			return
		}
		program, ds := datalog.Compile([]*datalog.Unit{unit}, nil)
		if ok := placed(ds); ok != (program != nil) {
			t.Fatalf("compiled: %v, with\n%s", program != nil, diagText(ds))
		}
		if program != nil {
			prove(t, program)
		}
	})
}

// prove evaluates all relations and proves their first rows.
func prove(t *testing.T, program *datalog.Program) {
	var goals []string
	for _, r := range program.Relations() {
		goals = append(goals, r.Name)
	}
	syms := symbol.NewTable()
	limits := datalog.Limits{Facts: 500, Bytes: 1 << 24, Time: time.Second}
	db, err := program.Eval(context.Background(), syms, nil, goals, limits)
	if err != nil {
		if re := (*datalog.RuleError)(nil); !errors.As(err, &re) || re.Pos.Line < 1 {
			t.Errorf("error without a place: %v", err)
		}
		return
	}
	for _, g := range goals {
		for _, row := range db.Rows(g)[:min(3, db.Len(g))] {
			if _, err := db.Prove(g, row); err != nil {
				t.Errorf("%s has no proof: %v", syms.FormatAtom(g, row), err)
			}
		}
	}
}
