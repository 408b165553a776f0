package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"plancheck/internal/datalog"
	"plancheck/internal/plandiff"
	"plancheck/ir"
	"plancheck/rules"
)

type diffFlags struct {
	rules    []string
	format   string
	output   *string
	exitCode bool
	all      bool
}

func diffFormats() []string { return []string{"text", "json"} }

func diffVerb() verb {
	return verb{
		name:  "diff",
		usage: "BEFORE AFTER",
		short: "compare two plans by stable ids: what moved, and what that costs",
		long: `Compares two plans entity by entity, by their ids: stages of ops, cores of lanes,
ranges, places, records, graph, target and options; the program with its devices,
queues, memory, commands, deployment and target extension; and what the difference
does to the costs that the rules derive and to the memory of the fullest core.
Neither the order of entries nor the formatting counts, but that of the commands
of a queue does. A plan may have holes or break rules; costs of such a plan are
told as far as they are known, and a plan that is only a program has none.`,
		exits: `0  done
1  with --exit-code: the plans differ
2  a plan, a rule file or the command line is bad`,
		examples: []string{
			"plancheck diff plan.json better.json",
			"plancheck diff --exit-code --format json a.json b.json",
		},
		args: func() values { return values{files: []string{"json"}} },
		prepare: func(fs *pflag.FlagSet) runner {
			var f diffFlags
			addRulesFlag(fs, &f.rules)
			fs.StringVar(&f.format, "format", "text", "write `FORMAT`: text or json")
			fs.BoolVar(&f.exitCode, "exit-code", false, "exit with 1 when the plans differ")
			fs.BoolVar(&f.all, "all", false, "shorten no list of text")
			f.output = addFileFlag(fs)
			completeWords(fs, "format", diffFormats()...)
			return f.run
		},
	}
}

func (f *diffFlags) run(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) != 2 {
		return 0, errors.New("diff: name two plans")
	}
	if err := onlyOneStdin(args); err != nil {
		return 0, fmt.Errorf("diff: %w", err)
	}
	if err := oneOf("format", f.format, diffFormats()...); err != nil {
		return 0, fmt.Errorf("diff: %w", err)
	}
	if *f.output != stdoutName {
		if err := checkPath("output", *f.output, append(args, f.rules...)); err != nil {
			return 0, fmt.Errorf("diff: %w", err)
		}
	}
	set, err := loadRules(env, f.rules)
	if set == nil {
		return exitBad, err
	}
	var plans [2]*ir.Plan
	var costs [2][]rules.Cost
	for i, name := range args {
		plan, diags := readPlan(ctx, env, name)
		if plan == nil {
			return exitBad, complain(env, diags)
		}
		plans[i] = plan
		if costs[i], err = set.Costs(ctx, plan, datalog.Limits{}); err != nil {
			fmt.Fprintf(env.Stderr, "%s: the costs are not known: %v\n", oneLine(name), err)
		}
	}
	d := plandiff.Compare(plans[0], plans[1], [2]string{args[0], args[1]})
	d.AddCosts(costs[0], costs[1])
	var out bytes.Buffer
	if f.format == "json" {
		err = d.WriteJSON(&out)
	} else {
		err = d.WriteText(&out, plandiff.TextOptions{All: f.all})
	}
	if err == nil {
		err = writeBytes(env, *f.output, out.Bytes())
	}
	if err != nil {
		return 0, fmt.Errorf("diff: %w", err)
	}
	if f.exitCode && !d.Equal() {
		return exitViolations, nil
	}
	return exitOK, nil
}
