package evidence

import (
	"plancheck/ir"
	"plancheck/ir/level"
)

// KindOf is the kind of command that does a task with a body; "" for one that
// there is not.
func KindOf(body string) string {
	return map[string]string{
		level.Compute: ir.KindLaunch, level.Collective: ir.KindCollective, level.Transfer: ir.KindTransfer,
		level.Barrier: ir.KindBarrier, level.Host: ir.KindHostCall,
	}[body]
}

// Commands returns what finds the bound task among the sources of the lineage of a
// plan's command, nil for none; whole says that the command does its work, or that
// of a rank: a launch that of a compute task, a collective that of a collective.
// A launch for a collective does a part of it only.
func (b *Binding) Commands(plan *ir.Plan) func(c *ir.Command) (task *Bound, whole bool) {
	tasks := make(map[string]*Bound, len(b.Tasks))
	for i := range b.Tasks {
		tasks[b.Tasks[i].ID] = &b.Tasks[i]
	}
	return func(c *ir.Command) (*Bound, bool) {
		if c.Lineage == nil {
			return nil, false
		}
		for _, source := range c.Lineage.Sources {
			if task := tasks[plan.Text(source)]; task != nil {
				return task, c.Kind == KindOf(task.Body)
			}
		}
		return nil, false
	}
}
