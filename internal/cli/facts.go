package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/rules"
)

func factsVerb() verb {
	return verb{
		name:  "facts",
		usage: "PLAN [RELATION]...",
		short: "print the facts that a plan is turned into, and what rules derive",
		long: `Prints what the rules see of a plan: its facts, in the rule language. All are
printed, or with --rules those that the rule files read. Relations that are
named are printed alone, with or without rows, and may also be derived by the rule files (by the
built-in ones without --rules). "plancheck rules" lists the relations.`,
		exits: "0  done\n2  the plan, a rule file or the command line is bad",
		examples: []string{
			"plancheck facts plan.json edge op_stage",
			"plancheck facts --rules mine.dl plan.json",
		},
		args: factsArgs,
		prepare: func(fs *pflag.FlagSet) runner {
			var files []string
			addRulesFlag(fs, &files)
			return func(ctx context.Context, env Env, args []string) (int, error) {
				if len(args) == 0 {
					return 0, errors.New("facts: no plan given")
				}
				want, err := wantedRelations(env, files, args[1:])
				if want == nil {
					return exitBad, err
				}
				return want.print(ctx, env, args[0])
			}
		},
	}
}

// The limits of an evaluation when no flag gives others: rows, and bytes.
const (
	defaultMaxFacts  = 20_000_000
	defaultMaxMemory = 4 << 30
)

func defaultLimits() datalog.Limits {
	return datalog.Limits{Facts: defaultMaxFacts, Bytes: defaultMaxMemory}
}

// wanted is what to print: facts, and relations that a set of rules derives.
type wanted struct {
	facts   func(name string) bool
	named   bool       // those were asked for by name
	set     *rules.Set // nil when only facts are printed
	derived []datalog.Relation
}

// wantedRelations says which relations to print: those that are named, or
// without names the facts that the rule files read, or without either all
// facts. It is nil if that cannot be said; an error not yet reported comes with
// it.
func wantedRelations(env Env, files, names []string) (*wanted, error) {
	known := relationNames()
	isFact := func(name string) bool { return slices.Contains(known, name) }
	all := &wanted{facts: func(string) bool { return true }}
	onlyFacts := !slices.ContainsFunc(names, func(name string) bool { return !isFact(name) })
	if files == nil && onlyFacts {
		if len(names) > 0 {
			all.facts, all.named = func(name string) bool { return slices.Contains(names, name) }, true
		}
		return all, nil
	}
	set, diags := rules.Load(files)
	// Rules that report nothing may well be looked at.
	diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Code == rules.IdleFile })
	if err := complain(env, diags); set == nil || err != nil {
		return nil, err
	}
	if len(names) == 0 {
		reads := set.Reads()
		return &wanted{facts: func(name string) bool { return slices.Contains(reads, name) }}, nil
	}
	w := &wanted{facts: func(name string) bool { return slices.Contains(names, name) }, named: true, set: set}
	for _, r := range set.Program().Relations() {
		if isFact(r.Name) {
			continue
		}
		known = append(known, r.Name)
		if slices.Contains(names, r.Name) {
			w.derived = append(w.derived, r)
		}
	}
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		if file := rules.Deriver(name); file != "" {
			return nil, fmt.Errorf("facts: no relation %q; %s derives it: add --rules %s", name, file, rules.Loader(file))
		}
		return nil, fmt.Errorf("facts: no relation %q%s", name, didYouMean(name, known))
	}
	return w, nil
}

// print writes the facts of a plan and what is derived from them.
func (w *wanted) print(ctx context.Context, env Env, name string) (int, error) {
	plan, diags := readPlan(ctx, env, name)
	if err := complain(env, diags); err != nil {
		return 0, err
	}
	if plan == nil {
		return exitBad, nil
	}
	exported, err := facts.Export(plan, w.facts)
	if err != nil {
		return exitBad, complain(env, []diag.Diagnostic{evaluationError(name, err)})
	}
	var db *datalog.Database
	if len(w.derived) > 0 { // before anything is written: it may fail
		if db, err = w.evaluate(ctx, plan); err != nil {
			return exitBad, complain(env, []diag.Diagnostic{evaluationError(name, err)})
		}
	}
	if err := facts.Text(env.Stdout, exported, plan.Symbols, w.named); err != nil {
		return 0, err
	}
	out := bufio.NewWriter(env.Stdout)
	for _, r := range w.derived {
		rows := db.Rows(r.Name)
		about, _ := helperDoc(r)
		if about == "" {
			about = fmt.Sprintf("derived at %s:%d", r.Pos.File, r.Pos.Line)
		}
		fmt.Fprintf(out, "# %s, %d: %s\n", r.Name, len(rows), about)
		for _, row := range rows {
			facts.TextRow(out, r.Name, row, plan.Symbols)
		}
	}
	return exitOK, out.Flush()
}

// evaluate derives the wanted relations, within the limits that check has.
func (w *wanted) evaluate(ctx context.Context, plan *ir.Plan) (*datalog.Database, error) {
	var goals []string
	for _, r := range w.derived {
		goals = append(goals, r.Name)
	}
	return w.set.Derive(ctx, plan, goals, defaultLimits())
}

func relationNames() []string {
	var names []string
	for _, r := range facts.Relations() {
		names = append(names, r.Name)
	}
	return names
}

// factsArgs are a plan and the relations of facts.
func factsArgs() values {
	v := values{files: []string{"json"}}
	for _, r := range facts.Relations() {
		v.words = append(v.words, r.Name)
	}
	return v
}
