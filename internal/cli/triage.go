package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/internal/triage"
)

// triageFlags say which findings are news.
type triageFlags struct {
	baseline      string
	writeBaseline string
	suppress      []string
}

func (f *triageFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.baseline, "baseline", "", "report only findings that the baseline `FILE` does not have; --write-baseline makes one")
	fs.StringVar(&f.writeBaseline, "write-baseline", "", "record all findings in `FILE`, as what is known from now on; the exit code is 0 then")
	fs.StringArrayVar(&f.suppress, "suppress", nil, "accept the findings that `FILE` names, each with a reason; repeatable")
	completeFiles(fs, "baseline", "json")
	completeFiles(fs, "write-baseline", "json")
	completeFiles(fs, "suppress", "json")
}

// validate checks the flags.
func (f *triageFlags) validate() error {
	if f.baseline != "" && f.writeBaseline != "" {
		return errors.New("--baseline and --write-baseline exclude each other: --write-baseline writes a file anew")
	}
	if f.writeBaseline == stdoutName {
		return errors.New("--write-baseline: want a file, not standard output")
	}
	if f.baseline != "" && f.baseline != stdinName {
		if _, err := os.Stat(f.baseline); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--baseline: no file %s; --write-baseline %s records the findings of today", f.baseline, f.baseline)
		}
	}
	return nil
}

// inputs are the files that are read.
func (f *triageFlags) inputs() []string {
	names := f.suppress
	if f.baseline != "" {
		names = append([]string{f.baseline}, names...)
	}
	return names
}

// sieve reads the files, or says what is wrong with them.
func (f *triageFlags) sieve(ctx context.Context, env Env) (*triage.Sieve, []diag.Diagnostic) {
	var all []triage.Suppression
	var baseline *triage.Baseline
	var diags []diag.Diagnostic
	for _, name := range f.suppress {
		src, errs := readSource(ctx, env, name)
		if errs == nil {
			var some []triage.Suppression
			some, errs = triage.DecodeSuppressions(src)
			all = append(all, some...)
		}
		diags = append(diags, errs...)
	}
	if f.baseline != "" {
		src, errs := readSource(ctx, env, f.baseline)
		if errs == nil {
			baseline, errs = triage.DecodeBaseline(src)
		}
		diags = append(diags, errs...)
	}
	if len(diags) > 0 {
		return nil, diags
	}
	return triage.NewSieve(all, baseline), nil
}

// sort takes the findings that are no news out of the verdict of a document.
func (f *triageFlags) sort(s *triage.Sieve, d *report.Document) {
	sorted := s.Sort(d.Name, d.Verdict.Findings, d.Verdict.Symbols)
	d.Verdict.Findings, d.Known, d.Suppressed = sorted.News, sorted.Known, sorted.Suppressed
	if f.writeBaseline != "" {
		d.Known, d.Verdict.Findings = d.Verdict.Findings, nil
	}
}

// finish reports what the run as a whole says about the files. Of findings
// that a document without a verdict may have had nothing is known.
func (f *triageFlags) finish(s *triage.Sieve, run *report.Run) {
	run.Baseline = f.baseline
	for _, d := range run.Documents {
		if d.Verdict == nil {
			return
		}
	}
	var codes []string
	for _, inv := range run.Invariants {
		codes = append(codes, inv.Code)
	}
	run.RuleDiags = append(run.RuleDiags, s.Unused(codes)...)
	run.Gone = s.Gone()
	if f.writeBaseline != "" {
		run.Baseline, run.Recorded = f.writeBaseline, true
	}
}

// record writes the baseline.
func (f *triageFlags) record(env Env, run *report.Run) error {
	if f.writeBaseline == "" {
		return nil
	}
	if !run.Recorded {
		return fmt.Errorf("--write-baseline: %s is not written, because not every plan was judged", f.writeBaseline)
	}
	var known []diag.Diagnostic
	for _, d := range run.Documents {
		known = append(known, d.Known...)
	}
	data, err := triage.Record(known).Encode()
	if err != nil {
		return err
	}
	if err := writeBytes(env, f.writeBaseline, data); err != nil {
		return fmt.Errorf("writing the baseline: %w", err)
	}
	return nil
}
