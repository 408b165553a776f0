package rules

import (
	"slices"

	"plancheck/facts"
	"plancheck/ir"
)

// sections lists the pointers of the sections that a plan has with something
// in them, in the order of the schema. What only those need who complete a plan,
// such as bytes_per_cycle, no rule has to read.
func sections(p *ir.Plan) []string {
	target := ir.Target{CoreCount: ir.None, BytesPerCycle: ir.None}
	if p.Target != nil {
		target = *p.Target
	}
	g, a := &p.Graph, &p.Assignment
	var all []string
	for _, s := range []struct {
		pointer string
		filled  bool
	}{
		{"/logical_cores", p.LogicalCores != ir.None},
		{"/options", p.Options.Nonempty || p.Options.Forward},
		{"/target/topology", target.Mesh != nil || target.Distances != nil},
		{"/target/core_count", target.CoreCount != ir.None},
		{"/target/cores", len(target.Cores) > 0},
		{"/graph/inputs", len(g.Inputs) > 0},
		{"/graph/weights", len(g.Weights) > 0},
		{"/graph/values", len(g.Values) > 0},
		{"/graph/ops", len(g.Ops) > 0},
		{"/graph/edges", len(g.Edges) > 0},
		{"/stages", len(p.Stages) > 0},
		{"/assignment/instances", len(a.Instances) > 0},
		{"/assignment/splits", len(a.Splits) > 0},
		{"/assignment/residency", len(a.Residency) > 0},
		{"/assignment/replicas", len(a.Replicas) > 0},
		{"/assignment/placement", len(a.Placement) > 0},
		{"/transfers", len(p.Transfers) > 0},
		{"/sync", len(p.Syncs) > 0},
	} {
		if s.filled {
			all = append(all, s.pointer)
		}
	}
	return all
}

// unread lists the sections of the document that fill no relation that was read.
func unread(p *ir.Plan, reads []string) []string {
	read := map[string]bool{}
	for _, r := range facts.Relations() {
		if slices.Contains(reads, r.Name) && !r.OfParent() {
			read[r.Section] = true
		}
	}
	var out []string
	for _, section := range sections(p) {
		if !read[section] {
			out = append(out, section)
		}
	}
	return out
}
