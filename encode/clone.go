package encode

import (
	"slices"

	"plancheck/ir"
)

// clone copies a plan so that nothing but the symbols is shared. The copy was
// not read from a source, so it has no offsets into one.
func clone(p *ir.Plan) *ir.Plan {
	q := *p
	q.Source = nil
	q.DigestAt, q.LogicalCoresAt, q.Options.At = 0, 0, 0
	q.Target = cloneTarget(p.Target)
	q.Graph = cloneGraph(&p.Graph)
	q.Stages = list(p.Stages, func(s *ir.Stage) { s.At = 0 })
	q.Assignment = cloneAssignment(&p.Assignment)
	q.Transfers = list(p.Transfers, func(t *ir.Transfer) { t.At = 0 })
	q.Syncs = list(p.Syncs, func(s *ir.Sync) { s.At = 0 })
	q.Program = cloneProgram(p.Program)
	return &q
}

// list copies a list and lets edit finish each entry. What is absent stays
// absent, and what is empty empty.
func list[T any](from []T, edit func(*T)) []T {
	to := slices.Clone(from)
	for i := range to {
		edit(&to[i])
	}
	return to
}

func cloneTarget(t *ir.Target) *ir.Target {
	if t == nil {
		return nil
	}
	return &ir.Target{
		Mesh:          slices.Clone(t.Mesh),
		Distances:     list(t.Distances, func(row *[]int64) { *row = slices.Clone(*row) }),
		CoreCount:     t.CoreCount,
		Cores:         list(t.Cores, func(c *ir.Core) { c.At = 0 }),
		BytesPerCycle: t.BytesPerCycle,
	}
}

func cloneGraph(g *ir.Graph) ir.Graph {
	return ir.Graph{
		Digest: g.Digest,
		Inputs: list(g.Inputs, func(in *ir.Input) {
			in.Consumers, in.ConsumersAt, in.At = slices.Clone(in.Consumers), nil, 0
		}),
		Weights: list(g.Weights, func(w *ir.Weight) { w.At = 0 }),
		Values:  list(g.Values, func(v *ir.Value) { v.At = 0 }),
		Ops: list(g.Ops, func(op *ir.Op) {
			op.Weights, op.At = slices.Clone(op.Weights), 0
			op.WorkOn = list(op.WorkOn, func(w *ir.KindWork) { w.At = 0 })
		}),
		Edges: list(g.Edges, func(e *ir.Edge) { e.At = 0 }),
	}
}

func cloneAssignment(a *ir.Assignment) ir.Assignment {
	return ir.Assignment{
		GraphDigest: a.GraphDigest,
		Instances: list(a.Instances, func(in *ir.Instance) {
			in.Lanes, in.Cores, in.At = slices.Clone(in.Lanes), slices.Clone(in.Cores), 0
		}),
		Splits: list(a.Splits, func(s *ir.Split) { s.At = 0 }),
		Residency: list(a.Residency, func(r *ir.Resident) {
			r.Lanes, r.Cores, r.At = slices.Clone(r.Lanes), slices.Clone(r.Cores), 0
		}),
		Replicas:  list(a.Replicas, func(r *ir.Replica) { r.At = 0 }),
		Placement: slices.Clone(a.Placement),
	}
}

func cloneProgram(p *ir.Program) *ir.Program {
	if p == nil {
		return nil
	}
	return &ir.Program{
		Identity:   cloneIdentity(p.Identity),
		Deployment: cloneDeployment(p.Deployment),
		WorldSize:  p.WorldSize,

		Devices:         list(p.Devices, func(d *ir.Device) { d.At = 0 }),
		Queues:          list(p.Queues, func(q *ir.Queue) { q.At = 0 }),
		Regions:         list(p.Regions, func(r *ir.Region) { r.At = 0 }),
		Buffers:         list(p.Buffers, func(b *ir.Buffer) { b.At = 0 }),
		Tokens:          list(p.Tokens, func(t *ir.Token) { t.At = 0 }),
		Channels:        list(p.Channels, func(c *ir.Channel) { c.At = 0 }),
		Groups:          list(p.Groups, func(g *ir.Group) { g.Ranks, g.At = slices.Clone(g.Ranks), 0 }),
		Barriers:        list(p.Barriers, func(b *ir.Barrier) { b.Queues, b.At = slices.Clone(b.Queues), 0 }),
		Extension:       cloneExtension(p.Extension),
		Implementations: list(p.Implementations, func(i *ir.Implementation) { i.At = 0 }),
		Commands: list(p.Commands, func(c *ir.Command) {
			c.After, c.Reads, c.Writes = slices.Clone(c.After), slices.Clone(c.Reads), slices.Clone(c.Writes)
			c.Waits, c.Signals, c.InPlace, c.At = slices.Clone(c.Waits), slices.Clone(c.Signals), slices.Clone(c.InPlace), 0
		}),
	}
}

func cloneIdentity(i *ir.Identity) *ir.Identity {
	if i == nil {
		return nil
	}
	same := *i
	same.At = 0
	return &same
}

func cloneDeployment(d *ir.Deployment) *ir.Deployment {
	if d == nil {
		return nil
	}
	same := *d
	same.At, same.Devices = 0, slices.Clone(d.Devices)
	same.Libraries = list(d.Libraries, func(l *ir.Library) { l.At = 0 })
	same.Compatible = list(d.Compatible, func(c *ir.Compatibility) { c.At = 0 })
	return &same
}

func cloneExtension(x *ir.Extension) *ir.Extension {
	if x == nil {
		return nil
	}
	same := &ir.Extension{}
	if q := x.Queue; q != nil {
		same.Queue = &ir.QueueExtension{
			Orders:        list(q.Orders, func(o *ir.IssueOrder) { o.Commands, o.At = slices.Clone(o.Commands), 0 }),
			Engines:       list(q.Engines, func(e *ir.Engine) { e.Kinds, e.At = slices.Clone(e.Kinds), 0 }),
			Communicators: list(q.Communicators, func(c *ir.Communicator) { c.Queues, c.At = slices.Clone(c.Queues), 0 }),
		}
	}
	if s := x.Spatial; s != nil {
		same.Spatial = &ir.SpatialExtension{
			ClockDomains: list(s.ClockDomains, func(d *ir.ClockDomain) { d.At = 0 }),
			Units: list(s.Units, func(u *ir.Unit) {
				u.Operations, u.At = list(u.Operations, func(o *ir.Operation) { o.At = 0 }), 0
			}),
			Links:  list(s.Links, func(l *ir.Link) { l.At = 0 }),
			Slots:  list(s.Slots, func(x *ir.Slot) { x.At = 0 }),
			Routes: list(s.Routes, func(x *ir.Route) { x.Hops, x.At = list(x.Hops, func(h *ir.Hop) { h.At = 0 }), 0 }),
		}
		if s.Flow != nil {
			flow := *s.Flow
			flow.At = 0
			same.Spatial.Flow = &flow
		}
	}
	return same
}
