package encode

import (
	"fmt"
	"strings"

	"plancheck/ir"
)

// ChangeKind is what a change is about.
type ChangeKind string

// The kinds of changes. The first ones are decisions, which a repair makes as
// few of as it can; records follow from decisions.
const (
	ChangeStage   ChangeKind = "stage"   // the stage of an op
	ChangeCore    ChangeKind = "core"    // the core of a lane, or of a part of one
	ChangeRange   ChangeKind = "range"   // the cores of a stage
	ChangePlace   ChangeKind = "place"   // the machine core of a logical one
	ChangeForward ChangeKind = "forward" // a forward is added
	ChangeEdge    ChangeKind = "edge"    // a value is read from a forward that is there
	ChangeSplit   ChangeKind = "split"   // into how many parts lanes are split
	ChangeLane    ChangeKind = "lane"    // which lane or part an instance means
	ChangeCount   ChangeKind = "count"   // numbers of stages and of cores
	ChangeRecord  ChangeKind = "record"  // transfers, synchronisation, residency, digests
)

// Change is one thing that a repair does to a plan.
type Change struct {
	Kind ChangeKind
	Text string // op mlp: stage 0 -> 1
	// Filled: a hole is filled, which is no change of anything.
	Filled bool
	// Pointers are JSON pointers into the document as it was: what is changed
	// there, or around which something is added.
	Pointers []string
	// Lane is the lane whose core it is, as the document names it; of ChangeCore
	// only.
	Lane int64
}

// Counts says whether the change is one of a decision.
func (c *Change) Counts() bool { return !c.Filled && c.Kind != ChangeRecord }

// changes gathers what a repair does.
type changes struct{ list []Change }

func (c *changes) add(kind ChangeKind, filled bool, text string, pointers ...string) {
	c.list = append(c.list, Change{Kind: kind, Text: text, Filled: filled, Pointers: pointers})
}

// number tells of a number that is another one now; of a hole that is filled
// where there was none.
func (c *changes) number(kind ChangeKind, what string, was, is int64, pointers ...string) {
	switch {
	case was == is:
	case was == ir.None:
		c.add(kind, true, fmt.Sprintf("%s %d", what, is), pointers...)
	default:
		c.add(kind, false, fmt.Sprintf("%s %d -> %d", what, was, is), pointers...)
	}
}

// core tells of the core of a lane.
func (c *changes) core(what string, lane, was, is int64, pointers ...string) {
	n := len(c.list)
	if c.number(ChangeCore, what+": core", was, is, pointers...); n < len(c.list) {
		c.list[n].Lane = lane
	}
}

// pointer joins the steps of a JSON pointer.
func pointer(steps ...any) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "/%v", s)
	}
	return b.String()
}
