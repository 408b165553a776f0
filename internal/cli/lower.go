package cli

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"plancheck/internal/derive"
	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/levels"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/rules"
)

func lowerVerb() verb {
	return verb{
		name:  "lower",
		usage: "PLAN [--portable DOC [--tasks DOC]]",
		short: "write the machine program of a plan's commands",
		long: `Turns the commands of a plan into what its queues issue, a document of MachineIR,
and writes that. The plan must be legal. The portable plan that it was made from
gives the program the shapes and types of tensors and what calls do; the tasks
that those were made from, where the inputs and outputs of the model lie.`,
		exits: "0  done\n1  the plan breaks a rule\n2  a document or the command line is bad, or something is missing",
		examples: []string{
			"plancheck lower plan.json --portable portable.json --tasks tasks.json -o machine.json",
		},
		args: func() values { return values{files: []string{"json"}} },
		prepare: func(fs *pflag.FlagSet) runner {
			var f lowerFlags
			fs.StringVar(&f.portable, "portable", "", "take shapes, types and functions from this portable plan, a `DOC`")
			fs.StringVar(&f.tasks, "tasks", "", "with --portable, take shards of the model's values from this distributed model, a `DOC`")
			fs.StringVar(&f.target, "target", "", "lower for the ABI of this target profile, a `DOC`")
			for _, flag := range []string{"portable", "tasks", "target"} {
				completeFiles(fs, flag, "json")
			}
			f.path = addFileFlag(fs)
			return f.run
		},
	}
}

type lowerFlags struct {
	portable, tasks, target string
	path                    *string
}

func (f *lowerFlags) run(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) != 1 {
		return 0, fmt.Errorf("lower: name one plan")
	}
	if f.tasks != "" && f.portable == "" {
		return 0, fmt.Errorf("lower: --tasks needs --portable")
	}
	if err := onlyOneStdin([]string{args[0], f.portable, f.tasks, f.target}); err != nil {
		return 0, fmt.Errorf("lower: %w", err)
	}
	if err := checkPath("output", *f.path, []string{args[0], f.portable, f.tasks, f.target}); err != nil {
		return 0, fmt.Errorf("lower: %w", err)
	}
	doc, diags := readDocument(ctx, env, args[0])
	if doc != nil && doc.Plan() == nil {
		diags = wrongLevel(args[0], doc.Schema, ir.PlanSchema)
	}
	var with derive.Lowering
	diags = append(diags, readOptional(ctx, env, f.portable, &with.Portable, portable.Schema)...)
	diags = append(diags, readOptional(ctx, env, f.tasks, &with.Tasks, task.Schema)...)
	diags = append(diags, readOptional(ctx, env, f.target, &with.Target, evidence.TargetSchema)...)
	if diags != nil {
		return exitBad, complain(env, diags)
	}
	program, wrong, err := derive.LowerJudged(ctx, doc, with)
	if err != nil {
		return exitBad, complain(env, []diag.Diagnostic{{Code: "not-lowered", Severity: diag.Error, Message: err.Error(), Pos: diag.Position{File: args[0]}}})
	}
	if wrong != nil {
		return exitViolations, tellVerdict(env, args[0], wrong)
	}
	return exitOK, writeBytes(env, *f.path, levels.Encode(program))
}

// tellVerdict writes the findings about a document, with their proofs, to standard
// error.
func tellVerdict(env Env, name string, v *rules.Verdict) error {
	text, err := findFormat("text")
	if err != nil {
		return err
	}
	run := &report.Run{Version: Version, Documents: []report.Document{{Name: name, Verdict: v}}}
	return text.Write(env.Stderr, run, report.Options{Color: env.colorFor("auto", env.Stderr)})
}
