// Package chart measures a plan for drawing: stages side by side, their logical
// cores with what each has to do, and where the findings about the plan are.
// It judges nothing.
package chart

import (
	"math"
	"math/bits"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// None stands where an instance has no stage or no core yet.
const None = ir.None

// How large a drawing gets. Beyond that neighbours are drawn as one.
const (
	maxStages = 64
	maxCells  = 384 // of all stages together
)

// Chart is a plan as it is drawn.
type Chart struct {
	Stages []Stage // in order of their numbers; instances without a stage last
	// MaxCycles is the largest load of a core in a stage.
	MaxCycles int64
	Ops       int
	// Guilty says where findings are, for those that are anywhere: in order of
	// the findings.
	Guilty []Guilt
}

// Stage is one stage, or several neighbours in a plan of many.
type Stage struct {
	Index, Last int64 // numbers of the first and the last stage; None for instances without one
	Listed      bool  // the plan lists it, or instances name it without a list
	First       int64 // its range of logical cores; None when it has none, or for several stages
	Count       int64
	Ops         int   // that have an instance here
	Cycles      int64 // largest load of a core: the stage's interval
	Cells       []Cell
}

// Cell is one logical core in a stage, or several neighbours.
type Cell struct {
	First, Last int64 // logical cores; None for instances without one
	Owned       bool  // by the stage
	Physical    int64 // where the core is placed; None when unknown or for several
	Shares      int   // lanes, or parts of lanes, that run here
	Cycles      int64 // load of the core for one result; the largest where there are several
}

// Guilt is where a finding is.
type Guilt struct {
	Finding int // index
	Places  []Place
	More    int // places beyond maxPlaces
}

// maxPlaces is how many places of one finding are kept.
const maxPlaces = 48

// Place is a place in the chart: an instance, or a core, or a stage.
type Place struct {
	Op    string // "" when the place is a core or a stage as such
	Stage int64  // None when the place is a core in any stage
	Core  int64  // None when the place is all of the stage
}

// Of measures a plan and finds the places of findings about it. Work is shared
// as rules/objective.dl has it: a lane, or a part of a lane, has an equal share
// of its op's work on the kind of core that it is placed on, rounded up. Loads beyond the largest integer are shown as
// the largest integer.
func Of(p *ir.Plan, findings []diag.Diagnostic) *Chart {
	m := newMeasure(p)
	c := &Chart{Ops: len(p.Graph.Ops)}
	m.load()
	c.Stages = m.stages()
	for _, s := range c.Stages {
		c.MaxCycles = max(c.MaxCycles, s.Cycles)
	}
	c.Guilty = newFinder(p, m).find(findings)
	return c
}

// measure holds what is counted on the way.
type measure struct {
	plan   *ir.Plan
	ops    map[ir.ID]*ir.Op
	parts  map[ir.ID]int64
	placed map[int64]int64 // logical core -> physical core
	kinds  map[int64]string
	// order are the numbers of the stages, sorted.
	order  []int64
	ranges map[int64]ir.Stage
	shares map[int64]map[int64]*load // stage -> core
	inside map[int64]map[ir.ID]bool  // stage -> ops
}

// load is what a core does in a stage.
type load struct {
	shares int
	cycles int64
}

func newMeasure(p *ir.Plan) *measure {
	m := &measure{plan: p, ops: map[ir.ID]*ir.Op{}, parts: map[ir.ID]int64{}, placed: map[int64]int64{}, kinds: map[int64]string{},
		ranges: map[int64]ir.Stage{}, shares: map[int64]map[int64]*load{}, inside: map[int64]map[ir.ID]bool{}}
	for i := range p.Graph.Ops {
		op := &p.Graph.Ops[i]
		m.ops[op.ID] = op
	}
	if p.Target != nil {
		for _, c := range p.Target.Cores {
			m.kinds[c.ID] = c.Kind
		}
	}
	for _, s := range p.Assignment.Splits {
		m.parts[s.Op] = s.Parts
	}
	for logical, physical := range p.Assignment.Placement {
		if physical != ir.None {
			m.placed[int64(logical)] = physical
		}
	}
	return m
}

// load adds up what every core does.
func (m *measure) load() {
	for i := range m.plan.Assignment.Instances {
		in := &m.plan.Assignment.Instances[i]
		cores := m.shares[in.Stage]
		if cores == nil {
			cores = map[int64]*load{}
			m.shares[in.Stage] = cores
			m.inside[in.Stage] = map[ir.ID]bool{}
		}
		m.inside[in.Stage][in.Op] = true
		for k := range m.lanes(in) {
			core := coreOf(in, k)
			l := cores[core]
			if l == nil {
				l = &load{}
				cores[core] = l
			}
			l.shares++
			l.cycles = plus(l.cycles, m.share(in.Op, core))
		}
	}
}

// share is the work of one lane of an op, or of one part of it, on a logical
// core, rounded up.
func (m *measure) share(id ir.ID, core int64) int64 {
	op := m.ops[id]
	if op == nil {
		return 0
	}
	shares := times(max(1, op.Lanes), max(1, m.parts[id]))
	work := op.Work
	if physical, placed := m.placed[core]; placed && len(op.WorkOn) > 0 {
		for _, on := range op.WorkOn {
			if on.Kind == m.kinds[physical] {
				work = on.Cycles
			}
		}
	}
	cycles := work / shares
	if work%shares != 0 {
		cycles++
	}
	return cycles
}

// lanes is how many lanes an entry lists.
func (m *measure) lanes(in *ir.Instance) int {
	switch {
	case in.Lanes != nil:
		return len(in.Lanes)
	case in.Cores != nil:
		return len(in.Cores)
	}
	if op := m.ops[in.Op]; op != nil {
		// All of them are holes, of which one stands for all.
		return int(min(op.Lanes, 1))
	}
	return 1
}

func coreOf(in *ir.Instance, k int) int64 {
	if k < len(in.Cores) {
		return in.Cores[k]
	}
	return None
}

// plus and times stop at the largest integer. Both take what is not negative.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func times(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi > 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(lo)
}
