package plandiff

import (
	"plancheck/ir"
	"plancheck/rules"
)

// Schema names the document of a comparison.
const Schema = "plancheck.plan-diff/1"

// Diff is how the plan After differs from the plan Before.
type Diff struct {
	Before, After string // names of the documents
	// Sections that differ, decisions first.
	Sections []Section
	// Costs are those that the rules derive of both plans, and the memory of the
	// fullest core. Of plans without a graph those that are not known or nothing
	// are left out.
	Costs []Cost

	graphless bool // neither plan has ops
	labels    labels
}

// Section is a part of a plan: ops, edges, the stages of ops.
type Section struct {
	Name    string
	Added   []string // ids
	Removed []string
	Changed []Change
}

// Change is a field of an entity that both plans have.
type Change struct {
	ID    string
	Field string // "" where the entity is no more than a number, such as a stage
	// Before and After are an int64, a bool, a string or a list of these; nil where
	// the plan does not say.
	Before, After any
}

// Cost is a number of both plans.
type Cost struct {
	Name, Unit    string
	Before, After *int64 // nil where it is not known
}

// Equal says whether the plans say the same, apart from what follows from it.
func (d *Diff) Equal() bool { return len(d.Sections) == 0 }

// Compare compares two plans, which have names.
func Compare(before, after *ir.Plan, names [2]string) *Diff {
	d := &Diff{Before: names[0], After: names[1], graphless: len(before.Graph.Ops)+len(after.Graph.Ops) == 0, labels: labelsOf(before, after)}
	was, is := tablesOf(before), tablesOf(after)
	commandsWere, commandsAre := programTables(before, after)
	was, is = append(was, commandsWere...), append(is, commandsAre...)
	for i := range was {
		if s, differs := compare(&was[i], &is[i]); differs {
			d.Sections = append(d.Sections, s)
		}
	}
	d.Costs = d.told(nil, Cost{"memory", "bytes on the fullest core", peak(before), peak(after)})
	return d
}

// AddCosts puts costs that rules derive of both plans in front of the others.
func (d *Diff) AddCosts(before, after []rules.Cost) {
	var costs []Cost
	for _, b := range before {
		for _, a := range after {
			if a.Name == b.Name {
				costs = d.told(costs, Cost{a.Name, a.Unit, known(b), known(a)})
			}
		}
	}
	d.Costs = append(costs, d.Costs...)
}

// told appends a cost that says something of the plans.
func (d *Diff) told(costs []Cost, c Cost) []Cost {
	nothing := func(n *int64) bool { return n == nil || *n == 0 }
	if d.graphless && nothing(c.Before) && nothing(c.After) {
		return costs
	}
	return append(costs, c)
}

func known(c rules.Cost) *int64 {
	if !c.Known {
		return nil
	}
	return &c.Value
}
