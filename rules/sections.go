package rules

import (
	"slices"

	"plancheck/facts"
	"plancheck/ir"
)

// sections lists the pointers of the sections that a plan has with something
// in them, in the order of the schema.
func sections(p *ir.Plan) []string {
	target := ir.Target{CoreCount: ir.None, BytesPerCycle: ir.None}
	if p.Target != nil {
		target = *p.Target
	}
	g, a := &p.Graph, &p.Assignment
	program := ir.Program{}
	if p.Program != nil {
		program = *p.Program
	}
	queues, spatial := program.QueueExtension(), program.SpatialExtension()
	var all []string
	for _, s := range []struct {
		pointer string
		filled  bool
	}{
		{"/parents", len(p.Parents) > 0},
		{"/logical_cores", p.LogicalCores != ir.None},
		{"/options", p.Options.Nonempty || p.Options.Forward},
		{"/target", target.BytesPerCycle != ir.None},
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
		{"/program/identity", program.Identity != nil},
		{"/program/deployment", program.Deployment != nil},
		{"/program/world_size", program.WorldSize != 0},
		{"/program/devices", len(program.Devices) > 0},
		{"/program/queues", len(program.Queues) > 0},
		{"/program/memory_regions", len(program.Regions) > 0},
		{"/program/buffers", len(program.Buffers) > 0},
		{"/program/tokens", len(program.Tokens) > 0},
		{"/program/channels", len(program.Channels) > 0},
		{"/program/groups", len(program.Groups) > 0},
		{"/program/barriers", len(program.Barriers) > 0},
		{"/program/implementations", len(program.Implementations) > 0},
		{"/program/dependencies", program.Declared},
		{"/program/commands", len(program.Commands) > 0},
		{"/program/target_extension", program.Extension != nil && *program.Extension != ir.Extension{At: program.Extension.At}},
		{"/program/target_extension/queue/orders", len(queues.Orders) > 0},
		{"/program/target_extension/queue/engines", len(queues.Engines) > 0},
		{"/program/target_extension/queue/communicators", len(queues.Communicators) > 0},
		{"/program/target_extension/spatial/clock_domains", len(spatial.ClockDomains) > 0},
		{"/program/target_extension/spatial/units", len(spatial.Units) > 0},
		{"/program/target_extension/spatial/links", len(spatial.Links) > 0},
		{"/program/target_extension/spatial/slots", len(spatial.Slots) > 0},
		{"/program/target_extension/spatial/routes", len(spatial.Routes) > 0},
		{"/program/target_extension/spatial/flow", spatial.Flow != nil},
	} {
		if s.filled {
			all = append(all, s.pointer)
		}
	}
	return all
}

// unread lists the sections of the document that fill no relation that was read,
// without those that are there only to complete the plan, where there is nothing
// to judge.
func unread(d *facts.Document, reads []string) []string {
	read, judged := map[string]bool{}, map[string]bool{}
	for _, r := range facts.Relations() {
		if of := r.OfLevel(); r.OfParent() || of != "" && of != "*" && of != d.Schema || of == "" && d.Plan() == nil {
			continue
		}
		read[r.Section] = read[r.Section] || slices.Contains(reads, r.Name)
		judged[r.Section] = judged[r.Section] || !r.ForCompletion()
	}
	var out []string
	there := d.Sections()
	if p := d.Plan(); p != nil {
		there = sections(p)
	}
	for _, section := range there {
		if judged[section] && !read[section] {
			out = append(out, section)
		}
	}
	return out
}
