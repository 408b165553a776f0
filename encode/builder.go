package encode

import (
	"fmt"
	"math"
	"strconv"

	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// mostShares limits what is written out one by one.
const mostShares = 1 << 26

// builder makes a model of a plan, step by step. A step relies on the steps
// before it, and reports what it cannot put into numbers.
type builder struct {
	plan    *ir.Plan
	options Options
	model   *Model
	problem *schedule.Problem
	reports reports

	ops     map[ir.ID]int
	weights map[ir.ID]int
	listed  map[ir.ID]int   // values of the graph
	valueOf map[ir.ID][]int // the listed values of each op
	kinds   map[string]int
	staged  []bool   // ops whose stage is decided
	stageAt []uint32 // and where
	largest int64    // no machine core holds more bytes; schedule.Unknown for no limit
}

func newBuilder(p *ir.Plan, o Options) *builder {
	o.Forward = o.Forward || p.Options.Forward
	o.NonEmpty = o.NonEmpty || p.Options.Nonempty
	problem := &schedule.Problem{Kinds: 1, NonEmpty: o.NonEmpty}
	b := &builder{
		plan: p, options: o, problem: problem,
		model:   &Model{Problem: problem, plan: p, options: o},
		reports: reports{plan: p},
		ops:     map[ir.ID]int{}, weights: map[ir.ID]int{}, listed: map[ir.ID]int{}, valueOf: map[ir.ID][]int{},
		largest: schedule.Unknown,
	}
	for i := range p.Graph.Ops {
		b.ops[p.Graph.Ops[i].ID] = i
	}
	for i := range p.Graph.Weights {
		b.weights[p.Graph.Weights[i].ID] = i
	}
	for i := range p.Graph.Values {
		v := &p.Graph.Values[i]
		b.listed[v.ID] = i
		b.valueOf[v.From] = append(b.valueOf[v.From], i)
	}
	return b
}

func (b *builder) build() {
	for _, step := range []func(){
		b.countStages, b.countCores, b.readMachine, b.readOps, b.readSplits, b.readInstances,
		b.splitLarge, b.readRanges, b.readPlaces, b.readValues, b.check,
	} {
		if step(); len(b.reports.list) > 0 {
			return
		}
	}
}

func (b *builder) countStages() {
	p := b.plan
	n := int64(len(p.Stages))
	if b.options.Stages != 0 {
		n = int64(b.options.Stages)
		b.model.renew = n != int64(len(p.Stages))
	}
	switch {
	case n == 0 && len(p.Graph.Ops) == 0 && p.Program != nil:
		b.reports.add(p.Program.At, "nothing-to-complete", "the graph has no ops, and a program has no holes",
			"judge the program: plancheck check")
	case n == 0:
		b.reports.add(0, "stages-unknown", "nothing says how many stages there shall be",
			"list the stages of the plan, with or without their ranges, or give --stages")
	case n < 0 || n > schedule.MostStages:
		b.reports.add(0, "number-too-large", fmt.Sprintf("there shall be %d stages, but no more than %d are possible", n, schedule.MostStages), "")
	}
	if !b.model.renew {
		for i := range p.Stages {
			if s := &p.Stages[i]; s.Index >= n {
				b.reports.add(s.At, "stage-index-gap", fmt.Sprintf("stage %d is listed, but with %s the last one is stage %d", s.Index, diag.Counted(n, "stage"), n-1),
					"number the stages from 0 on")
			}
		}
	}
	b.problem.Stages = int(n)
}

// countCores follows the page on the plan: as many logical cores as the plan
// states, as the target has, as the ranges reach. With some ranges open, each
// stage behind the one that reaches furthest has at least one core more.
func (b *builder) countCores() {
	p, o := b.plan, b.options
	n, at := int64(0), p.LogicalCoresAt
	switch {
	case p.LogicalCores != ir.None:
		n = p.LogicalCores
	case p.Target != nil:
		n, at = int64(len(p.Target.Cores)), p.Target.At
	default:
		n, at = b.reached()
	}
	if o.Cores != 0 {
		b.model.renew = b.model.renew || int64(o.Cores) != n
		n, at = int64(o.Cores), 0
	}
	if n < 0 || n > schedule.MostCores {
		b.reports.add(at, "number-too-large", fmt.Sprintf("there shall be %d logical cores, but no more than %d are possible", n, schedule.MostCores), "")
	}
	if p.Target != nil && n != int64(len(p.Target.Cores)) {
		b.reports.add(at, "core-count-disagrees", fmt.Sprintf("%s are asked for, but the target lists %s",
			diag.Counted(n, "logical core"), diag.Counted(len(p.Target.Cores), "core")), "use as many logical cores as the target has; to use a part of it, list that part as the target")
	}
	b.problem.Cores = int(n)
}

// reached says how many logical cores a plan has that neither states them nor
// has a target.
func (b *builder) reached() (n int64, at uint32) {
	p := b.plan
	stages := int64(b.problem.Stages)
	if b.model.renew {
		stages = int64(len(p.Stages)) // of the plan's own ranges
	}
	for i := range p.Stages {
		s := &p.Stages[i]
		if s.First == ir.None {
			continue
		}
		end := plus(s.First, s.Count)
		if end = plus(end, max(0, stages-1-s.Index)); end > n {
			n, at = end, s.At
		}
	}
	for i := range p.Assignment.Instances {
		in := &p.Assignment.Instances[i]
		for _, core := range in.Cores {
			if end := plus(core, 1); end > n && !b.options.Free.Core {
				n, at = end, in.At
			}
		}
	}
	return max(n, int64(b.problem.Stages)), at
}

func (b *builder) readOps() {
	g := &b.plan.Graph
	b.problem.Slices = make([]int64, len(g.Weights))
	for i := range g.Weights {
		b.problem.Slices[i] = g.Weights[i].Size
	}
	b.problem.Ops = make([]schedule.Op, len(g.Ops))
	b.model.split = make([]bool, len(g.Ops))
	b.staged, b.stageAt = make([]bool, len(g.Ops)), make([]uint32, len(g.Ops))
	shares := int64(0)
	for i := range g.Ops {
		op := &g.Ops[i]
		if shares = plus(shares, op.Lanes); shares > mostShares {
			b.reports.add(op.At, "number-too-large", fmt.Sprintf("op %s has %s, and all ops together more than %d",
				b.show(op.ID), diag.Counted(op.Lanes, "lane"), mostShares), "")
			return
		}
		o := &b.problem.Ops[i]
		*o = schedule.Op{Hi: b.problem.Stages - 1, Lanes: int(op.Lanes), Parts: 1, Carries: carries(op)}
		seen := map[int]bool{}
		for _, id := range op.Weights {
			if w := b.weights[id]; !seen[w] {
				seen[w] = true
				o.Weights = append(o.Weights, w)
			}
		}
	}
}

// carries says whether an op is a forward, as the rules see it.
func carries(op *ir.Op) bool { return op.Kind == ir.KindForward || op.Forwards != ir.NoID }

// check looks at the whole. What does not fit together for another reason than
// too large sums, or a cycle, is either hopeless or was reported before.
func (b *builder) check() {
	for i := range b.problem.Ops {
		b.problem.Ops[i].Cycles = b.cycles(i)
	}
	b.unlimited()
	order := b.problem.Order()
	placed := make([]bool, len(b.problem.Ops))
	for _, op := range order {
		placed[op] = true
	}
	for i, ok := range placed {
		if !ok {
			op := &b.plan.Graph.Ops[i]
			b.reports.add(op.At, "dag-cycle", fmt.Sprintf("the graph has a cycle through op %s, or through ops whose results it needs", b.show(op.ID)),
				"break the cycle at one of its edges")
			return
		}
	}
	if err := b.problem.CheckSums(); err != nil {
		b.reports.add(b.plan.Graph.At, "number-too-large", err.Error(), "correct the numbers of the graph or of the target")
	}
}

// cycles returns what a share of an op takes on each kind of core, rounded up.
func (b *builder) cycles(i int) []int64 {
	op := &b.plan.Graph.Ops[i]
	shares := int64(b.problem.Ops[i].Shares())
	cycles := make([]int64, b.problem.Kinds)
	for k := range cycles {
		cycles[k] = ceil(op.Work, shares)
	}
	for _, w := range op.WorkOn {
		if k, known := b.kinds[w.Kind]; known {
			cycles[k] = ceil(w.Cycles, shares)
		}
	}
	return cycles
}

func (b *builder) show(id ir.ID) string { return b.plan.Symbols.Show(id) }

// plus adds numbers that are not negative, up to the largest one.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// times multiplies numbers that are not negative, up to the largest one.
func times(a, b int64) int64 {
	if b != 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// ceil divides and rounds up.
func ceil(a, b int64) int64 {
	n := a / b
	if a%b > 0 {
		n++
	}
	return n
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
