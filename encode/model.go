package encode

import (
	"slices"

	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// Options say how a plan is to be completed.
type Options struct {
	// Stages and Cores are how many stages and logical cores there shall be; 0
	// for as many as the plan has. Other numbers than the plan's own make its
	// ranges open, because they cover another number of cores with another
	// number of stages; stages that the plan lists beyond the number are dropped.
	// What the plan says of stages and cores of single ops still holds, unless
	// it is given up by Free.
	Stages, Cores int
	Free          Free
	// Forward allows forwards of values that live long, as the plan's own option
	// does.
	Forward bool
	// ForwardCycles is the work of a forward of a value for which the plan tells
	// neither the work nor a size and the bytes that pass in a cycle; ir.None
	// where that is an error.
	ForwardCycles int64
	// Unpriced lets values be of which nothing tells the work of a forward, though
	// they might need one: they are not carried then, and Model.Unpriced says how
	// many there are.
	Unpriced bool
	// NonEmpty wants an op that is no forward in every stage, as the plan's own
	// option does.
	NonEmpty bool
	// MoreParts is into how many parts more than the fewest lanes are split that
	// have to be, as far as their ops allow.
	MoreParts int
}

// Free says which of a plan's decisions are given up: the stages of ops; the
// ranges of stages and the cores of lanes; the placement; the forwards, which
// are taken out of the graph. All that the plan decides else is kept.
type Free struct{ Stage, Core, Placement, Forward bool }

// Model is a plan as numbers, and the way back.
//
// Op i of the problem is op i of the graph, stage s is stage s, weight w is
// weight w of the graph, machine core c is core c in the target's list. Its
// values are the results of ops that edges carry and the dynamic inputs that
// ops read.
type Model struct {
	Problem *schedule.Problem
	// Hopeless are reasons for which no schedule exists, each one enough: sums
	// that can be added up by hand. Where there are any, the problem need not be
	// well-formed.
	Hopeless []diag.Diagnostic

	// Unpriced is how many values are not carried because nothing tells the work of
	// a forward of theirs.
	Unpriced int

	plan    *ir.Plan
	options Options // with the plan's own
	values  []value // of the problem's values
	split   []bool  // ops whose instances name parts
	finer   bool    // some lanes that are split could be split further
	renew   bool    // the number of cores is another one than the plan's

	readAt  []uint32         // where the plan says each read
	stageAt []uint32         // where it says the stage of each op, 0 for nowhere
	prices  []schedule.Price // of a forward of each value
	priced  []bool           // whether anything tells it
	near    []int            // values that need no forwards because of decided stages only
}

// value is what a value of the problem is in the plan.
type value struct {
	id    ir.ID // by which edges and forwards name it: of a value, an op, or an input
	named ir.ID // the value that edges from its op name; ir.NoID where they name none
	input int   // index of the input, or -1
	work  int64 // cycles of one forward, where it may be forwarded
	told  bool  // work is what the graph's sizes and the target tell
}

// New puts a plan into numbers. What the plan decides and the options do not
// give up is decided in the problem too. An op that may be split, and whose
// lanes would not fit any core as a whole, is split into the fewest parts that
// fit; an op whose lanes the plan puts on cores as a whole is not, and one that
// does not say into how many parts it may be split is not either.
//
// Diagnostics say what in the plan, or in the options, cannot be put into
// numbers; then the model is nil. They name places in the plan's source. The
// plan should have been judged by the rules as far as it goes, since what breaks
// them is told better there.
func New(p *ir.Plan, o Options) (*Model, []diag.Diagnostic) {
	if o.Free.Forward {
		p = withoutForwards(p)
	}
	b := newBuilder(p, o)
	b.build()
	if ds := b.reports.diagnostics(); len(ds) > 0 {
		return nil, ds
	}
	b.model.Hopeless = b.hopeless()
	b.model.stageAt = b.stageAt
	b.model.prices, b.model.priced = b.prices()
	return b.model, nil
}

// OpName returns the id of op i of the problem.
func (m *Model) OpName(i int) string { return m.plan.Text(m.plan.Graph.Ops[i].ID) }

// ValueName returns the id of value i of the problem: of a value, an op or an
// input.
func (m *Model) ValueName(i int) string { return m.plan.Text(m.values[i].id) }

// Finer says whether with one more of Options.MoreParts some lanes would be in
// more parts. A nil model's would not.
func (m *Model) Finer() bool { return m != nil && m.finer }

// Decided is the solution that a plan has before anything is given up; nil unless
// it decides everything, and the model allows it.
func (m *Model) Decided(p *ir.Plan) *schedule.Solution {
	if m.options.Free.Forward {
		return nil // the graph is another one
	}
	o := m.options
	o.Free = Free{}
	whole, _ := New(p, o)
	if whole == nil || whole.Hopeless != nil {
		return nil
	}
	s := &schedule.Solution{}
	q := whole.Problem
	for i := range q.Ops {
		op := &q.Ops[i]
		if op.Lo != op.Hi || op.Pins == nil {
			return nil
		}
		s.Stage, s.Core = append(s.Stage, op.Lo), append(s.Core, slices.Clone(op.Pins))
	}
	next := 0
	for _, r := range q.Ranges {
		if r.First != next || r.Count == schedule.Free {
			return nil
		}
		s.First = append(s.First, r.First)
		next += r.Count
	}
	s.Place = slices.Clone(q.Places)
	if len(q.Ops) != len(m.Problem.Ops) || len(q.Ranges) != m.Problem.Stages {
		return nil
	}
	for i := range q.Ops {
		if q.Ops[i].Parts != m.Problem.Ops[i].Parts {
			return nil
		}
	}
	if _, err := m.Problem.Cost(s); err != nil {
		return nil
	}
	return s
}
