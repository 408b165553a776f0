package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"plancheck/facts"
	"plancheck/internal/diag"
)

func factsVerb() verb {
	return verb{
		name:  "facts",
		usage: "PLAN [RELATION]...",
		short: "print the facts that a plan is turned into",
		long: `Prints what the rules see of a plan: its facts, in the rule language. All
relations are printed, or those that are named, or with --rules those that the
rule files read. "plancheck rules" lists the relations.`,
		exits: "0  done\n2  the plan, a rule file or the command line is bad",
		examples: []string{
			"plancheck facts plan.json edge instance",
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
				want, exit, err := wantedRelations(env, files, args[1:])
				if exit != exitOK || err != nil {
					return exit, err
				}
				return printFacts(ctx, env, args[0], want)
			}
		},
	}
}

// wantedRelations says which relations to print: those that are named, and
// those that the rule files read; without both, all.
func wantedRelations(env Env, files, names []string) (want func(string) bool, exit int, err error) {
	known := relationNames()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, exitBad, fmt.Errorf("facts: no relation %q%s", name, didYouMean(name, known))
		}
	}
	if files != nil {
		set, err := loadRules(env, files)
		if set == nil {
			return nil, exitBad, err
		}
		names = append(names, set.Reads()...)
	}
	all := files == nil && len(names) == 0
	return func(name string) bool { return all || slices.Contains(names, name) }, exitOK, nil
}

func printFacts(ctx context.Context, env Env, name string, want func(string) bool) (int, error) {
	plan, diags := readPlan(ctx, env, name)
	if err := complain(env, diags); err != nil {
		return 0, err
	}
	if plan == nil {
		return exitBad, nil
	}
	exported, err := facts.Export(plan, want)
	if err != nil {
		return exitBad, complain(env, []diag.Diagnostic{evaluationError(name, err)})
	}
	return exitOK, facts.Text(env.Stdout, exported, plan.Symbols)
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
