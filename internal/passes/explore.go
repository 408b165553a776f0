package passes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"plancheck/encode"
	"plancheck/internal/search/partition"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
	"plancheck/rules"
)

// Exploring says which other schedules of a plan are listed.
type Exploring struct {
	Options
	Count    int // how many, at most
	Within   Percent
	Distance int // how many ops have other stages in any two of them, at least
	// Pareto leaves only schedules that no other one found betters, and looks for
	// one with few forwards too.
	Pareto bool
	// OnFound, when set, is called with how many were found, and how many choices
	// of stages were tried.
	OnFound func(found, tried int)
}

// Explored is what became of a plan.
type Explored struct {
	// Best is what completing the plan came to. Where its Plan is nil nothing was
	// explored, unless rules that the scheduler does not obey refused the plan.
	Best *Outcome
	Rows []Row // by cost
	// Found is how many schedules were found: more than the rows where only those
	// that none betters are left.
	Found int
	// Current is the plan itself, where it is complete.
	Current *Row
	Limit   int64 // the greatest interval of a row
	// All: there are no others within the limit, apart from copies and from what
	// is not far enough from one of the rows. Exhausted: others may be only what
	// is Broken or Unpacked.
	All, Exhausted bool
	// Decided: the plan leaves nothing open, so there can be one row only.
	Decided bool
	// Broken is how many schedules broke rules of Options.Rules, and Unpacked how
	// many choices of stages have no cores as far as is known.
	Broken, Unpacked int
	// TooLarge: no other schedules were looked for, because the plan has too many
	// ops.
	TooLarge bool
}

// Row is a schedule: a plan that passed all rules.
type Row struct {
	Plan   *ir.Plan
	Digest string // of the plan
	Measures
	// Front: no row is as good in all measures and better in one.
	Front bool
	// Broken is how many errors the rules find; only the current plan has any.
	Broken int
	// Moved are the ops whose stages are others than in the first row, and in the
	// current plan.
	FromBest, FromCurrent []Move

	stage []int
}

// Move is an op with another stage.
type Move struct {
	Op       string
	From, To int
}

// Explore completes a plan and lists other legal schedules of it. Every row went
// through the phases, and passed all rules. Errors are those of Run.
func Explore(ctx context.Context, p *ir.Plan, x Exploring) (*Explored, error) {
	start := time.Now()
	o := x.Options
	o.Timeout, o.Search.Steps = x.Timeout/2, half(x.Search.Steps)
	best, err := Run(ctx, p, o)
	out := &Explored{Best: best}
	if err != nil && !errors.Is(err, ErrRules) || best.Result.Solution == nil {
		return out, err
	}
	refused := err
	limit, err := x.Within.above(best.Result.Cost.Interval)
	if err != nil {
		return nil, err
	}
	out.Limit = limit
	if x.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, start.Add(x.Timeout))
		defer cancel()
	}
	e := &exploration{x: x, out: out, judge: &judge{ctx: context.WithoutCancel(ctx), o: o}}
	e.judge.o.Checkpoint = nil
	if err := e.list(ctx); err != nil {
		return nil, err
	}
	if len(out.Rows) == 0 {
		return out, refused
	}
	if out.Current, err = e.current(p); err != nil {
		return nil, err
	}
	e.compare()
	return out, nil
}

// half is a share of a budget, where there is one.
func half(steps int64) int64 {
	if steps == 0 {
		return 0
	}
	return max(1, steps/2)
}

// exploration is the state of Explore.
type exploration struct {
	x     Exploring
	out   *Explored
	judge *judge
	rows  []Row // as they were accepted
}

// list finds the rows, and keeps those that are asked for.
func (e *exploration) list(ctx context.Context) error {
	r := &e.out.Best.Result
	var judge func(*schedule.Solution) ([]schedule.Clause, error)
	if ob := newObeyer(ctx, e.x.Rules, e.out.Best.Model, nil, e.x.Limits); ob != nil {
		judge = ob.judge
	}
	first := schedule.Found{Solution: r.Solution, Cost: r.Cost, LeastTraffic: r.LeastTraffic}
	found, err := schedule.Explore(ctx, e.out.Best.Model.Problem, first, schedule.Exploring{
		Count: e.x.Count, Limit: e.out.Limit, Distance: e.x.Distance, Fewer: e.x.Pareto,
		Seed: e.x.Search.Seed, Steps: half(e.x.Search.Steps), Accept: e.accept, OnFound: e.x.OnFound, Judge: judge,
	})
	switch {
	case errors.Is(err, partition.ErrLarge):
		e.out.TooLarge = true
		found = schedule.Exploration{Found: []schedule.Found{first}[:len(e.rows)]}
	case err != nil:
		return err
	}
	for _, f := range found.Found {
		e.out.Rows = append(e.out.Rows, e.rows[f.Number])
	}
	e.out.Found = len(e.out.Rows)
	e.out.Exhausted, e.out.Unpacked, e.out.Broken = found.All, found.Unpacked, found.Rejected
	e.out.All = found.All && found.Unpacked == 0 && found.Rejected == 0
	e.out.Decided = decided(e.out.Best.Model.Problem) != nil
	markFront(e.out.Rows)
	if e.x.Pareto {
		e.out.Rows = slices.DeleteFunc(e.out.Rows, func(r Row) bool { return !r.Front })
	}
	return nil
}

// accept writes the plan of a schedule, and has it judged. What breaks rules that
// the scheduler does not know is no row.
func (e *exploration) accept(f schedule.Found) (bool, error) {
	m := e.out.Best.Model
	one := &Outcome{Model: m, Result: schedule.Result{Solution: f.Solution, Cost: f.Cost}}
	if f.Solution == e.out.Best.Result.Solution && e.out.Best.Plan != nil {
		one = e.out.Best
	} else if err := e.judge.write(one); errors.Is(err, ErrRules) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	row := Row{Plan: one.Plan, Digest: ir.PlanDigest(one.Plan), stage: f.Solution.Stage}
	row.Measures = measured(one.Costs)
	row.Peak, row.Busy = m.Problem.Peak(f.Solution), m.Problem.Busy(f.Solution)
	e.rows = append(e.rows, row)
	return true, nil
}

// current is the plan as a row; nil where it has holes.
func (e *exploration) current(p *ir.Plan) (*Row, error) {
	m, refused := encode.New(p, encode.Options{ForwardCycles: ir.None})
	if refused != nil {
		return nil, nil
	}
	s := decided(m.Problem)
	if s == nil || len(s.Stage) != len(e.rows[0].stage) {
		return nil, nil
	}
	row := &Row{Plan: p, Digest: ir.PlanDigest(p), stage: s.Stage}
	set, err := builtIn(rules.Builtin)
	if err != nil {
		return nil, err
	}
	costs, err := set.Costs(e.judge.ctx, p, e.x.Limits)
	if err != nil {
		return nil, err
	}
	row.Measures = measured(costs)
	row.Peak, row.Busy = schedule.Unknown, schedule.Unknown
	if _, err := m.Problem.Cost(s); err == nil {
		row.Peak, row.Busy = m.Problem.Peak(s), m.Problem.Busy(s)
	}
	broken, err := e.judge.errors(e.x.Rules, p, nil, false)
	if err != nil {
		return nil, err
	}
	if broken != nil {
		row.Broken = len(broken.Findings)
	}
	return row, nil
}

// decided is the solution of a problem in which nothing is open; else nil.
func decided(p *schedule.Problem) *schedule.Solution {
	s := &schedule.Solution{Place: p.Places}
	for i := range p.Ops {
		o := &p.Ops[i]
		if o.Lo != o.Hi || o.Pins == nil || slices.Contains(o.Pins, schedule.Free) {
			return nil
		}
		s.Stage, s.Core = append(s.Stage, o.Lo), append(s.Core, o.Pins)
	}
	for _, r := range p.Ranges {
		if r.First == schedule.Free || r.Count == schedule.Free {
			return nil
		}
		s.First = append(s.First, r.First)
	}
	if slices.Contains(p.Places, schedule.Free) {
		return nil
	}
	return s
}

// compare says of every row what is different from the first, and from the
// current plan.
func (e *exploration) compare() {
	name := e.out.Best.Model.OpName
	moves := func(from, to *Row) []Move {
		var list []Move
		for o, s := range to.stage {
			if s != from.stage[o] {
				list = append(list, Move{Op: name(o), From: from.stage[o], To: s})
			}
		}
		return list
	}
	for i := range e.out.Rows {
		row := &e.out.Rows[i]
		row.FromBest = moves(&e.out.Rows[0], row)
		if e.out.Current != nil {
			row.FromCurrent = moves(e.out.Current, row)
		}
	}
	if c := e.out.Current; c != nil {
		c.FromBest = moves(&e.out.Rows[0], c)
	}
}

// Percent is a share of a hundred, as a fraction.
type Percent struct{ Num, Den int64 }

// above is the greatest whole number that exceeds n by no more than this.
func (p Percent) above(n int64) (int64, error) {
	more, ok := ratio(n, p.Num, 100*p.Den)
	if !ok || n+more < n {
		return 0, fmt.Errorf("%d/%d %% more than %d is too large a number", p.Num, p.Den, n)
	}
	return n + more, nil
}
