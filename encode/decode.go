package encode

import (
	"strings"

	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// Partition returns the plan with the stage of every op, the range of every
// stage, splits, and forwards; cores are holes. Of the solution it reads Stage,
// First, and the values and stages of Forwards. It drops what belongs to an
// earlier assignment: cores, residency, transfers and synchronisation records,
// and a placement that was given up; and the digest of the document.
//
// Forwards are ops at the end of the graph, in the order of the solution. Where
// there are any, the graph's edges and the consumers of its inputs are as the
// strict rules want them, and recorded digests of the graph are renewed. A
// revision that is only a name is dropped, because it names another graph.
func (m *Model) Partition(s *schedule.Solution) *ir.Plan {
	p := clone(m.plan)
	m.restart(p)
	p.Stages = make([]ir.Stage, m.Problem.Stages)
	for i := range p.Stages {
		first, end := s.Range(m.Problem, i)
		p.Stages[i] = ir.Stage{Index: int64(i), First: int64(first), Count: int64(end - first)}
	}
	m.forward(p, s)
	p.Assignment.Splits = nil
	for i, split := range m.split {
		if split {
			p.Assignment.Splits = append(p.Assignment.Splits, ir.Split{Op: p.Graph.Ops[i].ID, Parts: int64(m.Problem.Ops[i].Parts)})
		}
	}
	p.Assignment.Instances = m.instances(p, s, false)
	if len(s.Forwards) > 0 {
		renewDigests(p)
	}
	return p
}

// renewDigests makes what is recorded of the graph's revision fit a new graph.
func renewDigests(p *ir.Plan) {
	digest := ir.GraphDigest(p)
	if p.Assignment.GraphDigest != "" {
		p.Assignment.GraphDigest = digest
	}
	if strings.HasPrefix(p.Graph.Digest, "sha256:") {
		p.Graph.Digest = digest
	} else {
		p.Graph.Digest = ""
	}
}

// Pack returns a plan that Partition made with the core of every lane and part.
// Where the document had a list of residency, a new one lists every slice and
// part that is used, on every core where it is; without a list the slices are
// where the lanes are. Of the solution it reads Stage, Core and Forwards.
func (m *Model) Pack(p *ir.Plan, s *schedule.Solution) *ir.Plan {
	p = clone(p)
	p.Assignment.Instances = m.instances(p, s, true)
	if m.plan.Assignment.Residency != nil {
		p.Assignment.Residency = m.residency(s)
	}
	return p
}

// Place returns a plan with its placement. Without a target nothing is placed.
// Of the solution it reads Place.
func (m *Model) Place(p *ir.Plan, s *schedule.Solution) *ir.Plan {
	p = clone(p)
	if len(m.Problem.Machine) == 0 {
		return p
	}
	p.Assignment.Placement = make([]int64, len(s.Place))
	for core, place := range s.Place {
		p.Assignment.Placement[core] = m.plan.Target.Cores[place].ID
	}
	return p
}

// instances returns an entry for every op, in the order of the graph, or one for
// each of its parts.
func (m *Model) instances(p *ir.Plan, s *schedule.Solution, packed bool) []ir.Instance {
	entries := []ir.Instance{}
	for i := range m.Problem.Ops {
		o := &m.Problem.Ops[i]
		for part := range o.Parts {
			in := ir.Instance{Op: p.Graph.Ops[i].ID, Stage: int64(s.Stage[i]), Part: ir.None}
			if m.split[i] {
				in.Part = int64(part)
			}
			if packed {
				in.Cores = make([]int64, o.Lanes)
				for lane := range in.Cores {
					in.Cores[lane] = int64(s.Core[i][lane*o.Parts+part])
				}
			}
			entries = append(entries, in)
		}
	}
	for i, f := range s.Forwards {
		in := ir.Instance{Op: p.Graph.Ops[len(m.Problem.Ops)+i].ID, Stage: int64(f.Stage), Part: ir.None}
		if packed {
			for _, core := range f.Core {
				in.Cores = append(in.Cores, int64(core))
			}
		}
		entries = append(entries, in)
	}
	return entries
}
