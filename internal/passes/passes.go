package passes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"plancheck/encode"
	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
	"plancheck/rules"
)

// Phases are the phases whose documents a checkpoint is given, in order.
func Phases() []string { return []string{"logical", "partition", "pack", "place", "transfer"} }

// Options say how a plan is to be completed.
type Options struct {
	Encode encode.Options
	Search schedule.Options
	// Rules judge what the plan decides already, and the complete plan. The
	// phases are judged by the built-in rules, too.
	Rules  *rules.Set
	Limits datalog.Limits
	// Timeout ends the search; 0 is none.
	Timeout time.Duration
	// Checkpoint, when set, is given what each phase made, as a document.
	Checkpoint func(phase string, document []byte) error
}

// Outcome is what became of a plan.
type Outcome struct {
	// Status is Infeasible also when what the plan decides breaks rules.
	Status schedule.Status
	// Refused says why the plan, or what is asked, cannot be put into numbers.
	// Nothing else is set then.
	Refused []diag.Diagnostic
	// Broken are the errors that the rules find in what the plan decides.
	Broken *rules.Verdict
	// Reasons for which there is no schedule, each one enough, as far as they
	// are known.
	Reasons []diag.Diagnostic
	// Why is a conflict, where the search found that there is no schedule; nil
	// where it was not found in time.
	Why *Why

	Plan   *ir.Plan // complete, and passed by all rules; nil when none was found
	Model  *encode.Model
	Result schedule.Result
	Costs  []rules.Cost
	// Ended says what ended a search that did not prove all it could.
	Ended string
	// Lost is the error of a checkpoint that could not be kept.
	Lost  error
	Rules int // how many invariants the plan was judged by

	// Obeyed is how many invariants there are that the search knows by its judge
	// only: those of rule files of the user.
	Obeyed int
	// Without is the least interval of plans that need not obey them;
	// schedule.Unknown where that is not known, or nobody asked.
	Without int64
	// Conflict are some of them that, together, no plan obeys.
	Conflict []Conflict
}

// ErrRules is returned, wrapped, when the complete plan breaks a rule of
// Options.Rules, which is a fault: the search has obeyed them.
var ErrRules = errors.New("the scheduler does not obey these rules")

// errPhase is a fault of a phase: the rules found an error in what it made.
var errPhase = errors.New("fault of the scheduler")

// Run completes a plan. When ctx ends, or the time is up, the search ends, and
// what it has found is written down all the same. An error means that nothing
// was made: ctx ended before the search began, a limit was passed, or one of
// ErrRules and faults.
func Run(ctx context.Context, p *ir.Plan, o Options) (*Outcome, error) {
	search := ctx
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		search, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	for {
		out, err := attempt(ctx, search, p, o)
		if err != nil || out.Status != schedule.Infeasible || out.Broken != nil || !out.Model.Finer() {
			return out, err
		}
		// Lanes in the fewest parts that fit some core may need more of these
		// cores than there are.
		o.Encode.MoreParts++
	}
}

// attempt is Run with lanes in a certain number of parts.
func attempt(ctx, search context.Context, p *ir.Plan, o Options) (*Outcome, error) {
	j := &judge{ctx: ctx, o: o}
	m, refused := encode.New(p, o.Encode)
	if m == nil {
		return j.refused(p, refused)
	}
	out := &Outcome{Model: m}
	given := m.Given()
	early := o.Rules
	if userInvariants(o.Rules, false) != nil {
		// What rules of the user find in what is decided already may be cured by
		// what is not; the search knows.
		var err error
		if early, err = builtIn(rules.Builtin); err != nil {
			return nil, err
		}
	}
	broken, err := j.errors(early, given, nil, true)
	if err != nil {
		return nil, err
	}
	if given.Options.Forward {
		broken = cured(broken)
	}
	if broken != nil {
		out.Status, out.Broken = schedule.Infeasible, broken
		return out, nil
	}
	if m.Hopeless != nil {
		out.Status, out.Reasons = schedule.Infeasible, m.Hopeless
		return out, nil
	}
	if err := m.Problem.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", errPhase, err)
	}
	list, rank, err := logical(ctx, m.Problem, given)
	if err != nil {
		return nil, err
	}
	if err := j.logical(ir.EncodeLogicalSchedule(list)); err != nil {
		return nil, err
	}
	o.Search.Rank, o.Search.First = rank, m.Decided(p)
	ob := newObeyer(search, o.Rules, m, o.Search.LeaveOut, o.Limits)
	if ob != nil {
		o.Search.Judge = ob.judge
	}
	if out.Result, err = schedule.Solve(search, m.Problem, o.Search); err != nil {
		return nil, err
	}
	switch {
	case ctx.Err() != nil:
		out.Ended = "it was interrupted"
	case search.Err() != nil:
		out.Ended = "time is up"
	case o.Search.Steps > 0:
		out.Ended = "the steps are spent, or there is nothing left to try"
	default:
		out.Ended = "there is nothing left to try"
	}
	j.ctx = context.WithoutCancel(ctx)
	out.Status = out.Result.Status
	if ob != nil {
		if err := out.obeyed(search, ob, o.Search); err != nil {
			return nil, err
		}
	}
	switch {
	case out.Result.Solution != nil:
		err = j.write(out)
	case out.Status == schedule.Infeasible && out.Conflict == nil && !m.Finer():
		explain, cancel := explanation(ctx, o.Timeout)
		defer cancel()
		out.Why, err = whyNot(explain, m, o.Search)
	}
	out.Lost = j.lost
	return out, err
}

// refused is the outcome for a plan that cannot be put into numbers. Where that
// is all because what it decides breaks rules, the rules tell it better, with a
// proof.
func (j *judge) refused(p *ir.Plan, refused []diag.Diagnostic) (*Outcome, error) {
	broken, err := j.errors(j.o.Rules, p, nil, true)
	if err != nil {
		return nil, err
	}
	for _, d := range refused {
		told := func(f diag.Diagnostic) bool { return f.Code == d.Code }
		if broken == nil || !slices.ContainsFunc(broken.Findings, told) {
			return &Outcome{Refused: refused}, nil
		}
	}
	return &Outcome{Status: schedule.Infeasible, Broken: broken}, nil
}

// phase is a step that makes a plan out of the one before.
type phase struct {
	name string
	// transition is the built-in rule file that compares the plan with the one
	// before; "" for none.
	transition string
	partial    bool
	make       func(before *ir.Plan) *ir.Plan
}

// write makes the plan of a solution, phase by phase.
func (j *judge) write(out *Outcome) error {
	m, sol := out.Model, out.Result.Solution
	var before *ir.Plan
	for _, phase := range []phase{
		{"partition", "", true, func(*ir.Plan) *ir.Plan { return m.Partition(sol) }},
		{"pack", "builtin:repack", true, func(p *ir.Plan) *ir.Plan { return m.Pack(p, sol) }},
		{"place", "builtin:repack", false, func(p *ir.Plan) *ir.Plan { return m.Place(p, sol) }},
		{"transfer", "builtin:transfer", false, encode.Transfers},
	} {
		plan := phase.make(before)
		if err := j.phase(phase, plan, before); err != nil {
			return err
		}
		before = plan
	}
	set, err := builtIn(rules.Builtin)
	if err != nil {
		return err
	}
	var broken *rules.Verdict
	if !slices.Equal(set.Files(), j.o.Rules.Files()) { // else the last phase was judged by them
		if broken, err = j.errors(j.o.Rules, before, nil, false); err != nil {
			return err
		}
	}
	if broken != nil {
		out.Broken = broken
		return fmt.Errorf("%w: %s: %s", ErrRules, broken.Findings[0].Code, broken.Findings[0].Message)
	}
	out.Rules = len(j.o.Rules.Invariants())
	if out.Costs, err = set.Costs(j.ctx, before, j.o.Limits); err != nil {
		return err
	}
	out.Plan = before
	return out.agree()
}

// phase judges what a phase made, by itself and beside what was there before,
// and keeps it.
func (j *judge) phase(ph phase, plan, before *ir.Plan) error {
	for _, file := range []string{rules.Builtin, ph.transition} {
		if file == "" {
			continue
		}
		set, err := builtIn(file)
		if err != nil {
			return err
		}
		parent := before
		if file == rules.Builtin {
			parent = nil
		}
		broken, err := j.errors(set, plan, parent, ph.partial)
		if err != nil {
			return err
		}
		if broken != nil {
			return fmt.Errorf("%w: after phase %s, %s: %s", errPhase, ph.name, broken.Findings[0].Code, broken.Findings[0].Message)
		}
	}
	j.keep(ph.name, ir.Encode(plan))
	return nil
}

// builtIn loads built-in rules, each file once in a process.
func builtIn(file string) (*rules.Set, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if set := loaded.sets[file]; set != nil {
		return set, nil
	}
	set, diags := rules.Load([]string{file})
	if set == nil {
		return nil, fmt.Errorf("%w: rules %s: %v", errPhase, file, diags)
	}
	loaded.sets[file] = set
	return set, nil
}

var loaded = struct {
	sync.Mutex
	sets map[string]*rules.Set
}{sets: map[string]*rules.Set{}}

// Traffic is what the rules derive, in byte hops; schedule.Unknown where they
// do not know it.
func (out *Outcome) Traffic() int64 {
	for _, c := range out.Costs {
		if c.Name == "traffic" && c.Known {
			return c.Value
		}
	}
	return schedule.Unknown
}

// agree holds what the search claims against what the rules derive.
func (out *Outcome) agree() error {
	// Forwards that were in the graph before are ops like others to the search.
	forwards := int64(out.Result.Cost.Forwards)
	for i := range out.Model.Problem.Ops {
		if out.Model.Problem.Ops[i].Carries {
			forwards++
		}
	}
	claimed := map[string]int64{"interval": out.Result.Cost.Interval, "forwards": forwards, "traffic": out.Result.Cost.Traffic}
	for _, c := range out.Costs {
		claim, ok := claimed[c.Name]
		if !ok {
			continue
		}
		// Rules may know the traffic of cores of which only some have a position.
		if claim == schedule.Unknown && c.Name == "traffic" {
			continue
		}
		if !c.Known || c.Value != claim {
			return fmt.Errorf("%w: %s %d is claimed, and the rules derive %d (known: %t)", errPhase, c.Name, claim, c.Value, c.Known)
		}
	}
	return nil
}

// judge judges and keeps what phases made.
type judge struct {
	ctx  context.Context
	o    Options
	lost error // the first error of a checkpoint
}

// errors are the findings of a plan that are errors; nil when there are none.
func (j *judge) errors(set *rules.Set, plan, parent *ir.Plan, partial bool) (*rules.Verdict, error) {
	v, err := set.Judge(j.ctx, plan, rules.Options{Partial: partial, Limits: j.o.Limits, Parent: facts.OfPlan(parent)})
	if err != nil {
		return nil, err
	}
	v.Findings = slices.DeleteFunc(v.Findings, func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
	if len(v.Findings) == 0 {
		return nil, nil
	}
	return v, nil
}

// logical judges and keeps a list schedule: the document format has no place for
// stages, so it is enough that it can be read.
func (j *judge) logical(document []byte) error {
	if _, diags := ir.DecodeLogicalSchedule(diag.NewSource("logical schedule", document)); diags != nil {
		return fmt.Errorf("%w: logical schedule: %s: %s", errPhase, diags[0].Code, diags[0].Message)
	}
	j.keep("logical", document)
	return nil
}

// cured leaves out what forwards may cure: values that are read too far behind.
// Where they must not be carried, the search says so.
func cured(v *rules.Verdict) *rules.Verdict {
	if v == nil {
		return nil
	}
	v.Findings = slices.DeleteFunc(v.Findings, func(d diag.Diagnostic) bool {
		return d.Code == "edge-skips-stage" || d.Code == "input-consumer-not-stage-zero"
	})
	if len(v.Findings) == 0 {
		return nil
	}
	return v
}

// keep hands out a checkpoint. A plan is not lost because a checkpoint is.
func (j *judge) keep(phase string, document []byte) {
	if j.o.Checkpoint != nil && j.lost == nil {
		j.lost = j.o.Checkpoint(phase, document)
	}
}
