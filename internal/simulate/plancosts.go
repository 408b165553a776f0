package simulate

import (
	"plancheck/ir"
	"plancheck/ir/timeline"
)

// FromPlan takes the costs of a plan's commands from its spatial extension: a
// command takes until the latency of its unit is over, or if it has a route until
// its data has arrived, as the plan states both; tolerance included. Commands of
// kinds that need no slot take no time. The error is an *Unknown where there are
// others without a slot, or with one that does not tell how long they take, and
// another one where a time is beyond 63 bits.
func FromPlan(plan *ir.Plan) (*Costs, error) {
	byID := make(map[ir.ID]int32, len(plan.Program.Commands))
	for i := range plan.Program.Commands {
		byID[plan.Program.Commands[i].ID] = int32(i)
	}
	chip, err := newChip(plan.Program, byID, plan.Text)
	if err != nil {
		return nil, err
	}
	digest := ir.PlanDigest(plan)
	return resolve(plan, ir.PlanSchema, digest, func(c *ir.Command) answer {
		var p *pace
		if chip != nil {
			p = chip.paces[byID[c.ID]]
		}
		takes := int64(0)
		switch {
		case p == nil && timeless(c.Kind):
			return answer{}
		case p == nil && c.Kind == ir.KindHostCall:
		case p == nil:
			return answer{code: "evidence-missing", why: "no unit issues it at a cycle, so that the plan does not say how long it takes"}
		case p.over == unknown:
			return answer{code: "evidence-missing", why: "neither its unit nor its route says how long it takes"}
		case p.over < p.due:
			return answer{code: "evidence-missing", why: "by its route its data arrives before it is issued"}
		default:
			takes = p.over - p.due
		}
		return answer{cost: withID(timeline.Cost{Duration: takes, Source: digest, Records: []string{plan.Text(c.ID)}, Numerator: 1, Denominator: 1})}
	})
}

// TellsDurations says whether a plan has a spatial extension, from which FromPlan
// takes durations.
func TellsDurations(plan *ir.Plan) bool {
	return plan.Program.Extension != nil && plan.Program.Extension.Spatial != nil
}
