package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/facts"
	"plancheck/internal/diag"
	calibration "plancheck/internal/evidence"
	"plancheck/internal/report"
	"plancheck/ir/evidence"
	"plancheck/ir/levels"
	"plancheck/ir/observation"
	"plancheck/ir/timeline"
)

type calibrateFlags struct {
	evidence string
	timeline string
	binding  string
	plan     string
	heldOut  []string
	output   *string
}

func calibrateVerb() verb {
	return verb{
		name:  "calibrate",
		usage: "--evidence E --timeline T OBSERVATIONS...",
		short: "make a new revision of evidence from what was observed",
		long: `Compares how long commands took with a prediction, and writes a new revision of
the evidence that the prediction was made on: the same records, and for each group
of commands (an implementation or op, a data type, a size, a number of participants)
a factor, the median of observed over predicted. The old revision is not changed;
the new one names it as its parent.

Observations that are held out change no factor: the new revision says how far
predictions of them are off, before and after. Observations that are of another
plan, or that rules refuse, are not used.`,
		exits: `0  the new revision was written
1  the observations, or the new revision, break a rule; nothing was written
2  a file or the command line is bad, or the documents do not belong together`,
		examples: []string{
			"plancheck calibrate --evidence a100.json --timeline timeline.json run1.json -o a100-2.json",
			"plancheck calibrate --evidence a100.json --timeline timeline.json run1.json run2.json --held-out run3.json -o a100-2.json",
		},
		args: func() values { return values{files: []string{"json"}} },
		prepare: func(fs *pflag.FlagSet) runner {
			var f calibrateFlags
			fs.StringVar(&f.evidence, "evidence", "", "correct the evidence in this `FILE`")
			fs.StringVar(&f.timeline, "timeline", "", "compare with the timeline in this `FILE`")
			fs.StringVar(&f.binding, "binding", "", "the timeline's costs are those of the binding in this `FILE`")
			fs.StringVar(&f.plan, "plan", "", "the timeline's durations are those that the plan in this `FILE` states, which --binding is the binding of")
			fs.StringArrayVar(&f.heldOut, "held-out", nil, "check factors by the observations in this `FILE`; repeatable")
			f.output = addFileFlag(fs)
			for _, name := range []string{"evidence", "timeline", "binding", "plan", "held-out"} {
				completeFiles(fs, name, "json")
			}
			return f.run
		},
	}
}

func (f *calibrateFlags) validate(args []string) error {
	switch {
	case f.evidence == "" || f.timeline == "":
		return errors.New("name the evidence and the timeline, by --evidence and --timeline")
	case len(args) == 0:
		return errors.New("name at least one set of observations")
	}
	inputs := slices.Concat([]string{f.evidence, f.timeline}, args, f.heldOut)
	if f.plan != "" && f.binding == "" {
		return errors.New("--plan needs --binding")
	}
	for _, name := range []string{f.binding, f.plan} {
		if name != "" {
			inputs = append(inputs, name)
		}
	}
	if err := onlyOneStdin(inputs); err != nil {
		return err
	}
	if *f.output != stdoutName {
		return checkPath("output", *f.output, inputs)
	}
	return nil
}

func (f *calibrateFlags) run(ctx context.Context, env Env, args []string) (int, error) {
	if err := f.validate(args); err != nil {
		return 0, fmt.Errorf("calibrate: %w", err)
	}
	in, exit, err := f.read(ctx, env, args)
	if exit != exitOK || err != nil {
		return exit, err
	}
	e, err := calibration.Calibrate(*in)
	var wrong *calibration.Error
	if errors.As(err, &wrong) {
		return exitBad, complain(env, []diag.Diagnostic{{Code: wrong.Code, Severity: diag.Error, Pos: diag.Position{File: f.timeline}, Message: wrong.Error()}})
	}
	if err != nil {
		return 0, fmt.Errorf("calibrate: %w", err)
	}
	src := diag.NewSource(outputName(*f.output), levels.Encode(e))
	made, diags := facts.Decode(src)
	if made == nil {
		return exitBad, complain(env, diags)
	}
	if legal, err := judgeBeside(ctx, env, made, facts.OfLevel(in.Evidence, nil)); !legal || err != nil {
		return exitViolations, err
	}
	if err := writeBytes(env, *f.output, src.Text()); err != nil {
		return 0, fmt.Errorf("calibrate: writing the evidence: %w", err)
	}
	out := env.Stdout
	if *f.output == stdoutName {
		out = env.Stderr
	}
	return exitOK, tellCalibrated(out, f.evidence, in.Evidence, e)
}

// outputName is what findings about a document that is to be written call it.
func outputName(path string) string {
	if path == stdoutName {
		return "<stdout>"
	}
	return path
}

// read reads all documents. The rules are asked whether observations are of the
// timeline's commands; the exit code is not exitOK where they are not.
func (f *calibrateFlags) read(ctx context.Context, env Env, args []string) (*calibration.Observations, int, error) {
	in := &calibration.Observations{}
	bad := func(diags []diag.Diagnostic) (*calibration.Observations, int, error) {
		return nil, exitBad, complain(env, diags)
	}
	var diags []diag.Diagnostic
	var prediction *facts.Document
	if in.Evidence, _, diags = readLevel[*evidence.Evidence](ctx, env, f.evidence, evidence.EvidenceSchema); diags != nil {
		return bad(diags)
	}
	if in.Timeline, prediction, diags = readLevel[*timeline.Bundle](ctx, env, f.timeline, timeline.Schema); diags != nil {
		return bad(diags)
	}
	if f.binding != "" {
		if in.Binding, _, diags = readLevel[*evidence.Binding](ctx, env, f.binding, evidence.BindingSchema); diags != nil {
			return bad(diags)
		}
	}
	if f.plan != "" {
		if in.Plan, diags = readPlan(ctx, env, f.plan); in.Plan == nil {
			return bad(diags)
		}
		if in.Plan.Program == nil {
			return bad([]diag.Diagnostic{{Code: "no-program", Severity: diag.Error, Pos: diag.Position{File: f.plan}, Message: "the plan has no program: there are no commands that could have been observed"}})
		}
	}
	exit := exitOK
	for i, name := range slices.Concat(args, f.heldOut) {
		set, document, diags := readLevel[*observation.Set](ctx, env, name, observation.Schema)
		if diags != nil {
			return bad(diags)
		}
		legal, err := judgeBeside(ctx, env, document, prediction)
		if err != nil {
			return nil, exitBad, err
		}
		if !legal {
			exit = exitViolations
		}
		if i < len(args) {
			in.Training = append(in.Training, set)
		} else {
			in.HeldOut = append(in.HeldOut, set)
		}
	}
	return in, exit, nil
}

// tellCalibrated prints the factors of a new revision.
func tellCalibrated(w io.Writer, name string, old, e *evidence.Evidence) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s of %s\n\n", report.FileName(name), diag.Counted(len(e.Factors), "factor"), diag.Counted(len(e.Records), "record"))
	var off int64
	for _, f := range e.Factors {
		off = max(off, f.Before, f.After, f.HeldBefore, f.HeldAfter)
	}
	u := unitOf(off)
	t := &table{out: &out}
	t.title("Factors (off by: " + u.name + ", in all)")
	t.row("group", "factor", "is about", "samples", "off by before", "after", "held out", "off by before", "after")
	for _, f := range e.Factors {
		if slices.Contains(old.Factors, f) { // nothing new was observed of it
			continue
		}
		t.row(report.FileName(groupName(f)), fmt.Sprintf("%d/%d", f.Numerator, f.Denominator), millionths(f.Numerator, f.Denominator), report.Thousands(f.Samples), u.of(f.Before), u.of(f.After),
			report.Thousands(f.Held), u.of(f.HeldBefore), u.of(f.HeldAfter))
	}
	t.flush()
	_, err := io.WriteString(w, out.String())
	return err
}

// groupName is the group of a factor in one word.
func groupName(f evidence.Factor) string {
	name := f.Group
	if f.DType != "" {
		name += " " + f.DType
	}
	if f.Bucket >= 0 {
		name += fmt.Sprintf(" <2^%d", f.Bucket)
	}
	if f.Participants >= 0 {
		name += fmt.Sprintf(" x%d", f.Participants)
	}
	return name
}

// millionths writes a ratio to six places behind the point, a half up.
func millionths(numerator, denominator int64) string {
	return new(big.Rat).SetFrac64(numerator, denominator).FloatString(6)
}
