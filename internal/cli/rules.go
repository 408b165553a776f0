package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/google/mangle/ast"
	"github.com/spf13/pflag"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/rules"
)

func rulesVerb() verb {
	return verb{
		name:  "rules",
		usage: "[--rules F]...",
		short: "list rule files, codes and relations",
		long: `Lists the rule files with their digests, the codes that they may report, the
costs that they derive, and the relations that a rule file may read: the facts
of a plan, and what other rules derive.`,
		exits:    "0  done\n2  a rule file or the command line is bad",
		examples: []string{"plancheck rules --rules builtin --rules mine.dl"},
		prepare: func(fs *pflag.FlagSet) runner {
			var files []string
			addRulesFlag(fs, &files)
			return func(_ context.Context, env Env, args []string) (int, error) {
				if len(args) > 0 {
					return 0, errors.New("rules: takes no arguments; rule files are given with --rules")
				}
				set, err := loadRules(env, files)
				if set == nil {
					return exitBad, err
				}
				return exitOK, writeRules(env.Stdout, set)
			}
		},
	}
}

func writeRules(w io.Writer, set *rules.Set) error {
	var text strings.Builder
	out := bufio.NewWriter(&text)
	t := table{out: out}
	t.title("Rule files")
	for _, f := range set.Files() {
		t.row(f.Name, diag.Counted(f.Rules, "rule"), f.Digest)
	}
	t.title("Codes")
	seen := map[string]bool{}
	for _, inv := range set.Invariants() {
		if !seen[inv.Code] { // the first of several rules says what it is about
			seen[inv.Code] = true
			t.row(inv.Code, inv.Severity.String(), inv.Doc)
		}
	}
	t.title("Costs")
	for _, o := range set.Objectives() {
		t.row(o.Name, o.Unit, o.Doc)
	}
	t.title("Facts of a plan")
	for _, r := range facts.Relations() {
		cols := make([]string, len(r.Cols))
		for i, c := range r.Cols {
			cols[i] = c.Name
		}
		t.row(signature(r.Name, cols), r.Section, r.Doc)
	}
	t.title("Derived by the rules")
	for _, r := range set.Program().Relations() {
		if doc, helper := helperDoc(r); helper {
			t.row(signature(r.Name, r.Cols), fmt.Sprintf("%s:%d", r.Pos.File, r.Pos.Line), doc)
		}
	}
	t.flush()
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, report.Printable(text.String()))
	return err
}

// helperDoc returns the doc of a relation that other rules may read: derived,
// and neither a violation nor a cost.
func helperDoc(r datalog.Relation) (doc string, helper bool) {
	for _, atom := range r.Descr {
		switch atom.Predicate.Symbol {
		case "violation", "objective":
			return "", false
		case "doc":
			if c, ok := atom.Args[0].(ast.Constant); ok {
				doc, _ = c.StringValue()
			}
		}
	}
	return doc, r.Derived
}

func signature(name string, cols []string) string {
	return name + "(" + strings.Join(cols, ", ") + ")"
}

// table writes titled lists with aligned columns; a title without rows is left
// out.
type table struct {
	out     io.Writer
	heading string
	rows    *tabwriter.Writer
	begun   bool
}

func (t *table) title(s string) {
	t.flush()
	t.heading = s
}

func (t *table) row(cells ...string) {
	if t.rows == nil {
		if t.begun {
			fmt.Fprintln(t.out)
		}
		fmt.Fprintf(t.out, "%s:\n", t.heading)
		t.begun = true
		t.rows = tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	}
	fmt.Fprintf(t.rows, "  %s\n", strings.Join(cells, "\t"))
}

func (t *table) flush() {
	if t.rows != nil {
		t.rows.Flush()
		t.rows = nil
	}
}
