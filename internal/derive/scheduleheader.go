package derive

import (
	"slices"

	"plancheck/internal/symbol"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/portable"
)

// scheduleTransform is how lineage names what made entities of a plan.
const scheduleTransform = "schedule"

// fits refuses documents that are not those that a binding was made from, and a
// target on which nothing can be.
func (s *Scheduling) fits(binding *evidence.Binding) error {
	for _, b := range []level.Body{s.Portable, s.Target, s.Deployment} {
		schema, digest := b.Head().Schema, levels.Digest(b)
		if named := parentDigest(binding, schema); named != digest {
			return refuse("parent-digest-wrong", "the binding was made from the %s with digest %s, and the one that is given has %s", schema, named, digest)
		}
	}
	if len(s.Target.Memory) == 0 || len(s.Target.Engines) == 0 {
		return refuse("capability-unsupported", "the target has no memory or no engine")
	}
	return nil
}

// parentDigest is the digest of the parent of a schema, "" where none is named.
func parentDigest(b level.Body, schema string) string {
	parents := b.Head().Parents
	if i := slices.IndexFunc(parents, func(p level.Parent) bool { return p.Schema == schema }); i >= 0 {
		return parents[i].Digest
	}
	return ""
}

// header is a plan that says what it was made from and for, and does nothing yet.
func (s *Scheduling) header(binding *evidence.Binding) *ir.Plan {
	p := &ir.Plan{Symbols: symbol.NewTable(), Name: s.Portable.Name, LogicalCores: ir.None}
	source, target, deployment := levels.Digest(s.Portable), levels.Digest(s.Target), levels.Digest(s.Deployment)
	costs := parentDigest(binding, evidence.EvidenceSchema)
	p.Parents = []ir.Parent{
		{Schema: portable.Schema, Digest: source},
		{Schema: evidence.BindingSchema, Digest: levels.Digest(binding)},
		{Schema: evidence.TargetSchema, Digest: target},
		{Schema: evidence.DeploymentSchema, Digest: deployment},
		{Schema: evidence.EvidenceSchema, Digest: costs},
	}
	p.Program = &ir.Program{
		Identity: &ir.Identity{
			SourcePortable: source, Target: target, Deployment: deployment, ABI: s.Target.ABI,
			PlanningEvidence: costs, Planner: schedulerRevision,
		},
		Deployment: &ir.Deployment{Family: s.Target.Family, Fingerprint: deployment, Target: target, ABI: s.Target.ABI},
		Commands:   []ir.Command{},
	}
	for _, device := range s.Deployment.Devices {
		p.Program.Deployment.Devices = append(p.Program.Deployment.Devices, p.Symbols.String(device))
	}
	s.libraries(p.Program.Deployment)
	return p
}

// libraries lists those that the target's implementations are in, in the versions
// that work with its ABI: the deployment is one of the target and has them.
func (s *Scheduling) libraries(d *ir.Deployment) {
	for _, k := range s.Target.Kernels {
		l := ir.Library{Name: k.Namespace, Version: k.Version}
		if k.ABI != s.Target.ABI || k.Version == "" || slices.Contains(d.Libraries, l) {
			continue
		}
		d.Libraries = append(d.Libraries, l)
		d.Compatible = append(d.Compatible, ir.Compatibility{Library: k.Namespace, Version: k.Version, ABI: k.ABI})
	}
}

// implementations lists those of the target that commands of a plan name, in the
// target's order.
func (s *Scheduling) implementations(p *ir.Plan) {
	used := map[ir.ID]bool{}
	for i := range p.Program.Commands {
		used[p.Program.Commands[i].Implementation] = true
	}
	for _, k := range s.Target.Kernels {
		if id := p.Symbols.String(k.ID); used[id] {
			p.Program.Implementations = append(p.Program.Implementations, ir.Implementation{
				ID: id, Namespace: k.Namespace, Name: k.Name, Version: k.Version, ABI: k.ABI, Variant: k.Variant,
			})
		}
	}
}

// memoryOf is the memory of each device that a plan has to do with: that which is
// free there, and what of it is to stay so.
func (s *Scheduling) memoryOf() (capacity, reserved int64) {
	capacity = s.Target.Memory[0].Bytes
	if s.Deployment.Memory >= 0 {
		capacity = s.Deployment.Memory
	}
	return capacity, s.Deployment.Reserved
}

// bytesOf are the bytes of a buffer, with the values that the portable plan gives
// to symbols.
func (s *Scheduling) bytesOf(b *portable.Buffer) (int64, error) {
	bound, err := b.Size.Bind(s.Portable.Values())
	if err != nil {
		return 0, refuse("integer-out-of-range", "the bytes of buffer %s: %v", shown(b.Name, b.ID), err)
	}
	n, ok := bound.Int()
	if !ok {
		return 0, refuse("scalar-symbolic-unbound", "the bytes of buffer %s are %s, and %v has no value", shown(b.Name, b.ID), bound, bound.Symbols())
	}
	return n, nil
}

// standing says what a buffer holds when nothing runs: given ones hold something
// before the first command, and kept ones behind the last. What is given stays as
// it is, so that a plan can be carried out again. An output of the plan is kept
// whatever its role is.
func (s *Scheduling) standing(b *portable.Buffer) (given, kept bool) {
	switch b.Role {
	case "input", "constant", "state":
		return true, true
	case "output":
		return b.Producer == "", true
	}
	return false, b.Storage == "persistent" || slices.Contains(s.Portable.Outputs, b.ID)
}

// scheduled is the lineage of what was made from entities of the portable plan.
func scheduled(p *ir.Plan, kind string, sources ...string) *ir.Lineage {
	l := &ir.Lineage{Kind: kind, Transform: scheduleTransform}
	for _, id := range sources {
		l.Sources = append(l.Sources, p.Symbols.String(id))
	}
	return l
}
