package encode

import (
	"slices"

	"plancheck/ir"
)

// Given returns the plan as far as it decides what the schedule keeps: without
// what the options give up, and without what is made anew whenever a plan is
// completed, which is residency, transfers, synchronisation records and the
// digest of the document. It has the places of the plan's source.
func (m *Model) Given() *ir.Plan {
	p := *m.plan
	m.restart(&p)
	free := m.options.Free
	p.Stages = slices.DeleteFunc(slices.Clone(p.Stages), func(s ir.Stage) bool { return s.Index >= int64(m.Problem.Stages) })
	for i := range p.Stages {
		s := &p.Stages[i]
		decided := m.Problem.Ranges[s.Index]
		s.First, s.Count = int64(decided.First), int64(decided.Count)
		if s.First == ir.None || s.Count == ir.None {
			s.First, s.Count = ir.None, ir.None
		}
	}
	a := &p.Assignment
	a.Instances = slices.Clone(a.Instances)
	for i := range a.Instances {
		in := &a.Instances[i]
		if free.Stage {
			in.Stage = ir.None
		}
		if free.Core {
			if in.Lanes == nil && in.Cores != nil {
				// Without cores the lanes would be all that the op has.
				in.Lanes = make([]int64, len(in.Cores))
				for lane := range in.Lanes {
					in.Lanes[lane] = int64(lane)
				}
			}
			in.Cores = nil
		}
	}
	return &p
}

// restart drops from a plan what is made anew whenever a plan is completed, and a
// placement that is given up; options and the number of cores are those asked for.
func (m *Model) restart(p *ir.Plan) {
	p.Digest, p.Transfers, p.Syncs, p.Assignment.Residency = "", nil, nil, nil
	p.Options.Forward, p.Options.Nonempty = m.options.Forward, m.options.NonEmpty
	if p.LogicalCores != ir.None {
		p.LogicalCores = int64(m.Problem.Cores)
	}
	if m.options.Free.Placement {
		p.Assignment.Placement, p.Assignment.PlacementsAt = nil, nil
	}
}
