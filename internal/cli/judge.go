package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"plancheck/facts"
	"plancheck/internal/chart"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/internal/triage"
	"plancheck/ir"
	"plancheck/rules"
)

// judging is a run of check on its way.
type judging struct {
	flags *checkFlags
	env   Env
	set   *rules.Set
	sieve *triage.Sieve
	run   *report.Run
	// parent is the plan that all plans are compared with; nil for none.
	parent *ir.Plan
	// has says of built-in rule files that a document has what they are about.
	has map[string]bool
}

// subjects says, of the built-in rule files that are about one thing, whether a
// plan has it.
func subjects(p *ir.Plan) map[string]bool {
	has := map[string]bool{"concrete": p.Program != nil, "deployment": p.Program != nil, "stages": p.Program != nil, "queue": false, "spatial": false}
	if p.Program == nil {
		return has
	}
	if x := p.Program.Extension; x != nil {
		has["queue"], has["spatial"] = x.Queue != nil, x.Spatial != nil
	}
	named := slices.ContainsFunc(p.Program.Queues, func(q ir.Queue) bool { return q.Engine != ir.NoID })
	has["queue"] = has["queue"] || named
	return has
}

// judge reads and judges everything.
func judge(ctx context.Context, env Env, f *checkFlags, groups []group) *report.Run {
	run := &report.Run{Version: Version, Partial: f.partial}
	set, diags := loadQuickly(env, f.rules)
	sieve, more := f.triage.sieve(ctx, env)
	run.RuleDiags = append(diags, more...)
	if set == nil || sieve == nil || report.Count(diags, diag.Error) > 0 {
		run.Exit = exitBad
		return run
	}
	run.RuleFiles, run.LeftOut, run.Invariants = set.Files(), set.LeftOut(), set.Invariants()
	run.Sentences = set.Sentences()
	j := &judging{flags: f, env: env, set: set, sieve: sieve, run: run, has: subjects(&ir.Plan{})}
	if !j.readParent(ctx) {
		run.Exit = exitBad
		return run
	}
	for _, g := range groups {
		j.group(ctx, g)
	}
	run.LeftOut = slices.DeleteFunc(run.LeftOut, func(name string) bool { // nobody misses the rules about what is not there
		has, known := j.has[strings.TrimPrefix(name, rules.Builtin+":")]
		return known && !has
	})
	if ctx.Err() == nil {
		f.triage.finish(sieve, set, run)
		run.Exit = f.exit(run)
	}
	return run
}

// loadQuickly loads rule files. Memory is collected less eagerly meanwhile: what is
// there is small, and starting should be quick.
func loadQuickly(env Env, args []string) (*rules.Set, []diag.Diagnostic) {
	if env.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(400))
	}
	return rules.Load(args)
}

// readParent reads the plan that all are compared with. It says whether plans
// can be judged: rules that compare need one, for without it they would pass
// everything.
func (j *judging) readParent(ctx context.Context) bool {
	comparing, name := j.set.Comparing(), j.flags.parent
	if name == "" {
		for _, file := range comparing {
			j.run.RuleDiags = append(j.run.RuleDiags, diag.Diagnostic{
				Code: "parent-missing", Severity: diag.Error, Pos: diag.Position{File: file},
				Message: "rules here compare a plan with its parent, and none is given: name it with --parent",
			})
		}
		return len(comparing) == 0
	}
	j.run.Parent, j.run.ParentUnread = name, len(comparing) == 0
	var diags []diag.Diagnostic
	if j.parent, diags = readPlan(ctx, j.env, name); j.parent == nil {
		j.run.Documents = append(j.run.Documents, report.Document{Name: name, Errors: diags})
	}
	return j.parent != nil
}

// group judges the plans of a group. A folder without any is an error, so that
// a misspelt path does not pass for checked.
func (j *judging) group(ctx context.Context, g group) {
	run := j.run
	for _, e := range g.errors {
		run.Documents = append(run.Documents, report.Document{Name: e.Pos.File, Errors: []diag.Diagnostic{e}})
	}
	plans := len(g.errors)
	var others []string
	for _, name := range g.names {
		if ctx.Err() != nil {
			return
		}
		d, ok := j.document(ctx, name, g.maybe)
		if !ok {
			others = append(others, name)
			continue
		}
		plans++
		run.Documents = append(run.Documents, d)
	}
	if others != nil {
		run.Skipped = append(run.Skipped, report.Skipped{Folder: g.folder, Why: noPlan, Files: others})
	}
	run.Skipped = append(run.Skipped, g.skipped...)
	if plans == 0 && g.folder != "" && !g.shared {
		run.Documents = append(run.Documents, report.Document{Name: g.folder, Errors: []diag.Diagnostic{{
			Code: "folder-without-plan", Severity: diag.Error, Pos: diag.Position{File: g.folder},
			Message: fmt.Sprintf("no .json file in this folder or below declares the schema %s", ir.PlanSchema),
		}}})
	}
}

// document judges one plan. With maybe it says when a file is no plan.
func (j *judging) document(ctx context.Context, name string, maybe bool) (d report.Document, isPlan bool) {
	f := j.flags
	d = report.Document{Name: name}
	src, diags := readSource(ctx, j.env, name)
	if diags != nil {
		d.Errors = diags
		return d, true
	}
	if maybe && !ir.DeclaresPlan(src) {
		return d, false
	}
	var plan *ir.Plan
	plan, d.Errors = decodePlan(j.env, src)
	if d.Errors != nil {
		return d, true
	}
	for file, has := range subjects(plan) {
		j.has[file] = j.has[file] || has
	}
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	limits := datalog.Limits{Facts: f.maxFacts, Bytes: int64(f.maxMemory)}
	verdict, err := j.set.Judge(ctx, plan, rules.Options{Parent: j.parent, Partial: f.partial, Profile: f.profile, Limits: limits})
	if err != nil {
		d.Errors = []diag.Diagnostic{evaluationError(name, err)}
		return d, true
	}
	if f.fix && report.Count(verdict.Findings, diag.Error) > 0 {
		if plan, verdict, err = j.fix(ctx, plan, verdict); err != nil {
			d.Errors = []diag.Diagnostic{evaluationError(name, err)}
			return d, true
		}
	}
	if f.cost {
		if d.Costs, err = j.set.Costs(ctx, plan, limits); err != nil {
			// What the plan costs does not touch what is wrong with it.
			fmt.Fprintf(j.env.Stderr, "%s: the costs are not known: %v\n", name, err)
		}
	}
	d.Verdict = verdict
	f.triage.sort(j.sieve, &d) // before the chart, which marks what is reported
	if f.chart {
		d.Chart = chart.Of(plan, verdict.Findings)
	}
	if f.profile {
		writeProfile(j.env.Stderr, name, verdict)
	}
	return d, true
}

// readPlan reads and decodes a plan, or says why it cannot.
func readPlan(ctx context.Context, env Env, name string) (*ir.Plan, []diag.Diagnostic) {
	src, diags := readSource(ctx, env, name)
	if diags != nil {
		return nil, diags
	}
	return decodePlan(env, src)
}

// decodePlan decodes a plan, and lets go of the text of a large one.
func decodePlan(env Env, src *diag.Source) (*ir.Plan, []diag.Diagnostic) {
	size := len(src.Text())
	if size >= largePlan && env.Getenv("GOGC") == "" {
		debug.SetGCPercent(20)
	}
	plan, diags := ir.DecodePlan(src)
	if plan != nil && plan.Program != nil && size >= largePlan && env.Getenv("GOGC") == "" {
		debug.SetGCPercent(100)
	}
	if plan != nil && size >= largePlan && src.Name != stdinName {
		src.Release(func() ([]byte, error) { return os.ReadFile(src.Name) })
	}
	return plan, diags
}

// largePlan is the size in bytes from which the text of a plan is given back
// once it is decoded, and memory is collected more eagerly: plans hardly have
// pointers, so that costs little. The certificates of programs have more, and are
// gone soon.
const largePlan = 16 << 20

// evaluationError turns an error of the rule engine into a diagnostic: at the
// rule where a rule is at fault, at the number that makes a document too large
// for facts, and otherwise about the whole document.
func evaluationError(document string, err error) diag.Diagnostic {
	var rule *datalog.RuleError
	if errors.As(err, &rule) {
		return rule.Diagnostic
	}
	var export *facts.Error
	if errors.As(err, &export) {
		return export.Diagnostic
	}
	message := err.Error()
	if errors.Is(err, context.DeadlineExceeded) {
		message = "time ran out: " + strings.TrimSuffix(strings.TrimSuffix(message, context.DeadlineExceeded.Error()), ": ")
	}
	return diag.Diagnostic{
		Code:     "not-evaluated",
		Severity: diag.Error,
		Message:  message,
		Pos:      diag.Position{File: document},
	}
}
