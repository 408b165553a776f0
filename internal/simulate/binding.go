package simulate

import (
	"fmt"

	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/levels"
	"plancheck/ir/timeline"
)

// FromBinding takes the costs of a plan's commands from the binding that the plan
// was made on. A command costs what the bound task among the sources of its
// lineage does, if it does the work of the task: a launch that of a compute task,
// a collective on each of its ranks that of a collective. Other commands that take
// time, and those that were made for no bound task, have no cost: they are an
// *Unknown, as are commands of tasks without one.
//
// A resolution names the task first, by which calibration finds the group of the
// cost again, and then the records of evidence behind it.
func FromBinding(plan *ir.Plan, b *evidence.Binding) (*Costs, error) {
	digest := levels.Digest(b)
	taskOf := b.Commands(plan)
	return resolve(plan, evidence.BindingSchema, digest, func(c *ir.Command) answer {
		missing := func(format string, args ...any) answer {
			return answer{code: "evidence-missing", why: fmt.Sprintf(format, args...)}
		}
		switch task, whole := taskOf(c); {
		case timeless(c.Kind):
			return answer{}
		case task == nil:
			return missing("its lineage names no task of the binding")
		case !whole:
			return missing("it is a %s for task %s, a %s, whose cost is of the whole", c.Kind, task.ID, task.Body)
		case task.Cost == nil:
			return missing("the binding has no cost of task %s", task.ID)
		default:
			return answer{cost: costOf(task, digest)}
		}
	})
}

// costOf is the cost of a bound task as a timeline tells it.
func costOf(task *evidence.Bound, source string) *timeline.Cost {
	found := task.Cost
	cost := timeline.Cost{Duration: found.Duration, Source: source, Records: append([]string{task.ID}, found.Records...), Numerator: 1, Denominator: 1}
	if f := found.Factor; f != nil {
		cost.Numerator, cost.Denominator = f.Numerator, f.Denominator
	}
	return withID(cost)
}
