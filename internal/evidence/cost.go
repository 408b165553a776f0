package evidence

import (
	"slices"

	"plancheck/ir/evidence"
	"plancheck/ir/timeline"
)

// CostOf is the cost of a bound task as a timeline tells it: from the task itself,
// by which calibration finds its group again, and from the records behind it. It
// is false for a task that has none. The id and the source are the timeline's.
func CostOf(b *evidence.Binding, task string) (timeline.Cost, bool) {
	i := slices.IndexFunc(b.Tasks, func(t evidence.Bound) bool { return t.ID == task })
	if i < 0 || b.Tasks[i].Cost == nil {
		return timeline.Cost{}, false
	}
	found := b.Tasks[i].Cost
	cost := timeline.Cost{Duration: found.Duration, Records: append([]string{task}, found.Records...), Numerator: 1, Denominator: 1}
	if f := found.Factor; f != nil {
		cost.Numerator, cost.Denominator = f.Numerator, f.Denominator
	}
	return cost, true
}
