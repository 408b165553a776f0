package evidence

import "plancheck/ir"

// Commands returns what finds the bound task among the sources of the lineage of a
// plan's command, nil for none; whole says that the command does its work, or that
// of a rank: a launch that of a compute task, a collective that of a collective.
// A launch for a collective does a part of it only.
func (b *Binding) Commands(plan *ir.Plan) func(c *ir.Command) (task *Bound, whole bool) {
	tasks := make(map[string]*Bound, len(b.Tasks))
	for i := range b.Tasks {
		tasks[b.Tasks[i].ID] = &b.Tasks[i]
	}
	bodies := map[string]string{
		ir.KindLaunch: "compute", ir.KindCollective: "collective", ir.KindTransfer: "transfer", ir.KindBarrier: "barrier", ir.KindHostCall: "host",
	}
	return func(c *ir.Command) (*Bound, bool) {
		if c.Lineage == nil {
			return nil, false
		}
		for _, source := range c.Lineage.Sources {
			if task := tasks[plan.Text(source)]; task != nil {
				return task, bodies[c.Kind] == task.Body
			}
		}
		return nil, false
	}
}
