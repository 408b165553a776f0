package encode

import (
	"fmt"
	"math/big"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// hopeless returns reasons for which no schedule exists, which can be added up
// by hand.
func (b *builder) hopeless() []diag.Diagnostic {
	b.reports = reports{plan: b.plan}
	b.fewCores()
	b.fewOps()
	b.rangesDoNotTile()
	told := len(b.reports.list)
	b.largeLanes()
	if len(b.reports.list) == told {
		b.pinnedWeights() // of lanes that fit no core it would be told twice
	}
	b.allWeights()
	if len(b.reports.list) == told {
		b.manySlices()
	}
	return b.reports.diagnostics()
}

func (b *builder) fewCores() {
	if b.problem.Cores >= b.problem.Stages {
		return
	}
	at := b.plan.LogicalCoresAt
	if t := b.plan.Target; b.plan.LogicalCores == ir.None && t != nil {
		at = t.At
	}
	b.reports.add(at, "more-stages-than-cores", fmt.Sprintf("%s need a core each, but there are %s",
		diag.Counted(b.problem.Stages, "stage"), diag.Counted(b.problem.Cores, "logical core")), "use fewer stages, or more cores")
}

func (b *builder) fewOps() {
	n := 0
	for i := range b.problem.Ops {
		if !b.problem.Ops[i].Carries {
			n++
		}
	}
	if b.options.NonEmpty && n < b.problem.Stages {
		b.reports.add(b.plan.Options.At, "more-stages-than-ops", fmt.Sprintf("no stage may be empty, but there are %s and only %s, not counting forwards",
			diag.Counted(b.problem.Stages, "stage"), diag.Counted(n, "op")), "use fewer stages, or allow empty ones")
	}
}

// rangesDoNotTile follows the cores with which each stage can begin. They are
// always all from one number to another.
func (b *builder) rangesDoNotTile() {
	low, high := 0, 0
	cores := b.problem.Cores
	if cores < b.problem.Stages {
		return // told already
	}
	at := make([]uint32, b.problem.Stages)
	for i := range b.plan.Stages {
		if s := &b.plan.Stages[i]; s.Index < int64(len(at)) {
			at[s.Index] = s.At
		}
	}
	tell := func(stage int, format string, args ...any) {
		b.reports.add(at[stage], "ranges-do-not-tile", fmt.Sprintf("stage %d ", stage)+fmt.Sprintf(format, args...),
			"ranges follow one another from core 0 to the last core: correct this one or those before it, or give them up with --free core")
	}
	for stage, r := range b.problem.Ranges {
		switch {
		case r.Count == 0:
			tell(stage, "is to have no cores, and needs one at least")
			return
		case r.First == schedule.Free:
		case r.First < low:
			tell(stage, "is to begin with core %d, but the stages before it end with core %d at the earliest", r.First, low-1)
			return
		case r.First > high:
			tell(stage, "is to begin with core %d, but %s", r.First, before(high))
			return
		default:
			low, high = r.First, r.First
		}
		if r.Count == schedule.Free {
			low, high = low+1, cores
		} else {
			low, high = low+r.Count, min(high+r.Count, cores)
		}
		if low > cores {
			tell(stage, "would end with core %d at the earliest, but there are %s, counted from 0", low-1, diag.Counted(cores, "logical core"))
			return
		}
	}
	if high < cores {
		tell(b.problem.Stages-1, "would end with core %d at the latest, but there are %s, counted from 0", high-1, diag.Counted(cores, "logical core"))
	}
}

// before says how far stages reach that end before a core at the latest.
func before(high int) string {
	if high == 0 {
		return "no stage comes before it"
	}
	return fmt.Sprintf("the stages before it end with core %d at the latest", high-1)
}

// largeLanes tells of ops of which a lane, or a part, fits no core.
func (b *builder) largeLanes() {
	if b.largest == schedule.Unknown {
		return
	}
	for i := range b.problem.Ops {
		op, o := &b.plan.Graph.Ops[i], &b.problem.Ops[i]
		parts := int64(o.Parts)
		if b.need(i, parts) <= b.largest {
			continue
		}
		cut, each, help := "", "", "state max_parts, so that its lanes may be split, or use larger cores"
		switch {
		case b.model.split[i]:
			help = "split its lanes into more parts, or use larger cores"
			cut, each = " in "+diag.Counted(parts, "part"), " a part at the most"
		case op.MaxParts != ir.None && b.need(i, op.MaxParts) > b.largest:
			parts = op.MaxParts
			help = "allow more max_parts, or use larger cores"
			cut, each = " in "+diag.Counted(parts, "part")+", the most that are allowed,", " a part at the most"
		case op.MaxParts != ir.None:
			help = "its lanes are on cores as a whole: give that up with --free core, and they are split"
		}
		b.reports.add(op.At, "lane-exceeds-every-core", fmt.Sprintf("a lane of op %s%s has %s of weights%s (%s), but no core holds more than %d",
			b.show(op.ID), cut, diag.Counted(b.need(i, parts), "byte"), each, b.sum(i, parts), b.largest), help)
	}
}

// sum writes the weights of a part of a lane: w0 100 + w1 20.
func (b *builder) sum(op int, parts int64) string {
	const shown = 8
	var terms []string
	for n, w := range b.problem.Ops[op].Weights {
		if n == shown {
			terms = append(terms, fmt.Sprintf("%d more", len(b.problem.Ops[op].Weights)-n))
			break
		}
		terms = append(terms, fmt.Sprintf("%s %d", b.show(b.plan.Graph.Weights[w].ID), ceil(b.problem.Slices[w], parts)))
	}
	return strings.Join(terms, " + ")
}

// allWeights compares the bytes of all slices that some lane uses, each once,
// with what all cores hold together.
func (b *builder) allWeights() {
	if b.largest == schedule.Unknown {
		return
	}
	lanes := make([]int, len(b.problem.Slices))
	for i := range b.problem.Ops {
		for _, w := range b.problem.Ops[i].Weights {
			lanes[w] = max(lanes[w], b.problem.Ops[i].Lanes)
		}
	}
	need, slices, holds := new(big.Int), int64(0), new(big.Int)
	for w, n := range lanes {
		need.Add(need, new(big.Int).Mul(big.NewInt(b.problem.Slices[w]), big.NewInt(int64(n))))
		slices += int64(n)
	}
	for i := range b.plan.Target.Cores {
		holds.Add(holds, big.NewInt(b.plan.Target.Cores[i].Capacity))
	}
	if need.Cmp(holds) > 0 {
		b.reports.add(b.plan.Target.At, "weights-exceed-all-cores", fmt.Sprintf("the weights have %s bytes in %s, each counted once, but all %s together hold %s",
			need, diag.Counted(slices, "slice"), diag.Counted(len(b.plan.Target.Cores), "core"), holds), "use more or larger cores, or smaller weights")
	}
}
