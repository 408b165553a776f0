package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
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
	"plancheck/ir/evidence"
	"plancheck/ir/levels"
	"plancheck/ir/portable"
	"plancheck/rules"
)

// judging is a run of check on its way.
type judging struct {
	flags *checkFlags
	env   Env
	sets  map[string]*rules.Set // by the schema of the documents that they judge
	args  map[string][]string   // by schema: what the set was loaded by
	sieve *triage.Sieve
	run   *report.Run
	// parent is the document that all others are compared with; nil for none.
	parent *facts.Document
	// broken says that rules cannot be asked.
	broken bool
	// has says of built-in rule files that a document has what they are about.
	has map[string]bool
}

// subjects says, of the built-in rule files that are about one thing, whether a
// plan has it.
func subjects(p *ir.Plan) map[string]bool {
	if p == nil {
		p = &ir.Plan{}
	}
	has := map[string]bool{
		"concrete": p.Program != nil, "deployment": p.Program != nil, "stages": p.Program != nil, "queue": false, "spatial": false,
		"provenance": len(p.Parents) > 0, "concrete_from_portable": false, "concrete_from_binding": false, "concrete_from_target": false, "spatial_from_portable": false,
	}
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
	sieve, diags := f.triage.sieve(ctx, env)
	run.RuleDiags = diags
	j := &judging{flags: f, env: env, sets: map[string]*rules.Set{}, args: map[string][]string{}, sieve: sieve, run: run, has: subjects(nil)}
	if sieve == nil || !j.readParent(ctx) {
		run.Exit = exitBad
		return run
	}
	for _, g := range groups {
		if !j.broken {
			j.group(ctx, g)
		}
	}
	if len(j.sets) == 0 { // no document could be read
		j.set(facts.OfPlan(&ir.Plan{}))
	}
	if j.broken {
		run.Documents, run.Skipped, run.Exit = nil, nil, exitBad
		return run
	}
	run.LeftOut = slices.DeleteFunc(run.LeftOut, func(name string) bool { // nobody misses the rules about what is not there
		has, known := j.has[strings.TrimPrefix(name, rules.Builtin+":")]
		return known && !has
	})
	if ctx.Err() == nil {
		f.triage.finish(sieve, run)
		run.Exit = f.exit(run)
	}
	return run
}

// loadQuickly loads rule files for documents of a schema. No garbage is
// collected meanwhile: it is some tens of megabytes, and starting should be quick.
func loadQuickly(env Env, schema string, args []string) (*rules.Set, []diag.Diagnostic) {
	if env.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
	}
	return rules.LoadFor(schema, args)
}

// readParent reads the document that all are compared with, where one is given.
func (j *judging) readParent(ctx context.Context) bool {
	name := j.flags.parent
	if name == "" {
		return true
	}
	j.run.Parent, j.run.ParentUnread = name, true
	var diags []diag.Diagnostic
	if j.parent, diags = readDocument(ctx, j.env, name); j.parent == nil {
		j.run.Documents = append(j.run.Documents, report.Document{Name: name, Errors: diags})
	}
	return j.parent != nil
}

// wanted are the arguments by which the rules for a document are loaded. Of the
// built-in files about plans, most are about their programs or a document beside
// them; where no plan so far has that, reading them would take longer than all the
// rest. Files that a user names may build on any of them.
func (j *judging) wanted(d *facts.Document) []string {
	beside := j.parent != nil && j.parentSchema() != ir.PlanSchema
	if d.Plan() == nil || beside || len(j.flags.rules) > 0 && !slices.Equal(j.flags.rules, []string{rules.Builtin}) {
		return j.flags.rules
	}
	var files []string
	for _, name := range rules.Standard() {
		has, known := j.has[name]
		if name == "queue" || name == "spatial" { // they say what a program lacks, too
			has = j.has["concrete"]
		}
		if has || !known {
			files = append(files, rules.Builtin+":"+name)
		}
	}
	return files
}

// leftOut names the built-in rule files that the user's choice leaves out.
func (j *judging) leftOut(set *rules.Set) []string {
	if len(j.flags.rules) == 0 || slices.Contains(j.flags.rules, rules.Builtin) {
		return nil
	}
	return set.LeftOut()
}

// set returns the rules for a document, and nil where they cannot be loaded, or
// compare documents with a parent and none is given: without one they would pass
// everything.
func (j *judging) set(d *facts.Document) *rules.Set {
	schema, args := d.Schema, j.wanted(d)
	if slices.Equal(j.args[schema], args) {
		if set, tried := j.sets[schema]; tried {
			return set
		}
	}
	run, first := j.run, len(j.sets) == 0
	set, diags := loadQuickly(j.env, schema, args)
	j.args[schema] = args
	j.sets[schema], j.broken = nil, true // until all is well
	if first || set == nil {             // what is said of the users' files is said once
		run.RuleDiags = append(diags, run.RuleDiags...)
	}
	if set == nil {
		return nil
	}
	comparing := set.Comparing()
	digests := schema == ir.PlanSchema && j.parentSchema() != schema && readsParent(set) // of a target, say
	run.ParentUnread = run.ParentUnread && len(comparing) == 0 && !set.ComparesWith(j.parentSchema()) && !digests
	if j.parent == nil && len(comparing) > 0 {
		for _, file := range comparing {
			run.RuleDiags = append(run.RuleDiags, diag.Diagnostic{
				Code: "parent-missing", Severity: diag.Error, Pos: diag.Position{File: file},
				Message: "rules here compare a plan with its parent, and none is given: name it with --parent",
			})
		}
		return nil
	}
	if report.Count(run.RuleDiags, diag.Error) > 0 {
		return nil
	}
	for _, f := range set.Files() {
		if !slices.Contains(run.RuleFiles, f) {
			run.RuleFiles = append(run.RuleFiles, f)
		}
	}
	for _, inv := range set.Invariants() {
		if !slices.ContainsFunc(run.Invariants, func(x rules.Invariant) bool { return x.Relation == inv.Relation }) {
			run.Invariants = append(run.Invariants, inv)
		}
	}
	for _, name := range j.leftOut(set) {
		if !slices.Contains(run.LeftOut, name) {
			run.LeftOut = append(run.LeftOut, name)
		}
	}
	if run.Sentences == nil {
		run.Sentences = rules.Sentences{}
	}
	maps.Copy(run.Sentences, set.Sentences())
	j.sets[schema], j.broken = set, false
	return set
}

// readsParent says whether rules compare documents with a parent of another
// level: they ask for its digest first.
func readsParent(set *rules.Set) bool { return slices.Contains(set.Reads(), "parent_content") }

// parentSchema is the schema of the parent; "" where there is none.
func (j *judging) parentSchema() string {
	if j.parent == nil {
		return ""
	}
	return j.parent.Schema
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
		if ctx.Err() != nil || j.broken {
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
	read := readDocumentSource
	if maybe { // what a folder holds is JSON
		read = readSource
	}
	src, diags := read(ctx, j.env, name)
	if diags == nil && f.fix {
		diags = refuseText(src)
	}
	if diags != nil {
		d.Errors = diags
		return d, true
	}
	level, ofLevel := levels.Declared(src)
	if maybe && !ofLevel && !ir.DeclaresPlan(src) {
		return d, false
	}
	var document *facts.Document
	document, d.Errors = decodeDocument(j.env, src)
	if d.Errors != nil {
		return d, true
	}
	plan := document.Plan()
	for file, has := range subjects(plan) {
		j.has[file] = j.has[file] || has
	}
	j.has["concrete_from_portable"] = j.has["concrete_from_portable"] || plan != nil && j.parentSchema() == portable.Schema
	j.has["concrete_from_binding"] = j.has["concrete_from_binding"] || plan != nil && j.parentSchema() == evidence.BindingSchema
	j.has["concrete_from_target"] = j.has["concrete_from_target"] || plan != nil && j.parentSchema() == evidence.TargetSchema
	j.has["spatial_from_portable"] = j.has["concrete_from_portable"]
	ctx, cancel := within(ctx, f.timeout)
	defer cancel()
	limits := datalog.Limits{Facts: f.maxFacts, Bytes: int64(f.maxMemory)}
	set := j.set(document)
	if set == nil {
		return d, true
	}
	verdict, err := set.JudgeDocument(ctx, document, rules.Options{Parent: j.parent, Partial: f.partial, Profile: f.profile, Limits: limits})
	if err != nil {
		d.Errors = []diag.Diagnostic{evaluationError(name, err)}
		return d, true
	}
	if plan == nil && (f.fix || f.cost) {
		d.Errors = []diag.Diagnostic{{
			Code: "not-a-plan", Severity: diag.Error, Pos: diag.Position{File: name},
			Message: fmt.Sprintf("this is a document of %s: only plans are repaired and have costs", level.Name),
		}}
		return d, true
	}
	if f.fix && report.Count(verdict.Findings, diag.Error) > 0 {
		if plan, verdict, err = j.fix(ctx, plan, verdict); err != nil {
			d.Errors = []diag.Diagnostic{evaluationError(name, err)}
			return d, true
		}
	}
	if f.cost {
		if d.Costs, err = set.Costs(ctx, plan, limits); err != nil {
			// What the plan costs does not touch what is wrong with it.
			fmt.Fprintf(j.env.Stderr, "%s: the costs are not known: %v\n", name, err)
		}
	}
	d.Verdict, d.Alone = verdict, plan == nil && j.parent == nil && len(document.Body().Head().Parents) > 0 && readsParent(set)
	f.triage.sort(j.sieve, &d) // before the chart, which marks what is reported
	if f.chart && plan != nil {
		d.Chart = chart.Of(plan, verdict.Findings)
	}
	if f.profile {
		writeProfile(j.env.Stderr, name, verdict)
	}
	return d, true
}

// readPlan reads and decodes a plan, or says why it cannot.
func readPlan(ctx context.Context, env Env, name string) (*ir.Plan, []diag.Diagnostic) {
	src, diags := readDocumentSource(ctx, env, name)
	if diags != nil {
		return nil, diags
	}
	if l, ok := levels.Declared(src); ok {
		return nil, []diag.Diagnostic{{
			Code: "schema-name-mismatch", Severity: diag.Error, Pos: diag.Position{File: name},
			Message: fmt.Sprintf("this is a document of %s, where a plan is due", l.Name),
		}}
	}
	return decodePlan(env, src)
}

// readDocument reads and decodes a document of any level, or says why it cannot.
func readDocument(ctx context.Context, env Env, name string) (*facts.Document, []diag.Diagnostic) {
	src, diags := readDocumentSource(ctx, env, name)
	if diags != nil {
		return nil, diags
	}
	return decodeDocument(env, src)
}

// decodeDocument decodes a document of any level.
func decodeDocument(env Env, src *diag.Source) (*facts.Document, []diag.Diagnostic) {
	if _, ok := levels.Declared(src); ok {
		return facts.Decode(src)
	}
	plan, diags := decodePlan(env, src)
	return facts.OfPlan(plan), diags
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
