package evidence

import (
	"fmt"
	"math/big"
	"slices"

	"plancheck/internal/costs"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/observation"
	"plancheck/ir/timeline"
)

// Observations are what evidence is corrected by.
type Observations struct {
	Evidence *evidence.Evidence
	// Timeline is the prediction that observations are compared with, made on
	// Evidence, or on Binding.
	Timeline *timeline.Bundle
	// Binding is that of the plan; nil where the timeline's costs are records of
	// Evidence. It is asked for costs that are not.
	Binding *evidence.Binding
	// Plan is the plan where the timeline's durations are those that it states
	// itself, as one for a spatial target does. A command that does the work of a
	// task of Binding, which the plan must be made on, is compared with the cost of
	// that task, and others are no samples.
	Plan     *ir.Plan
	Training []*observation.Set
	HeldOut  []*observation.Set
}

// Calibrate makes a new revision of evidence, which names the old one as its
// parent and has its records. Its factors are by groups: the factor of a group is
// that of the old revision times the median of observed over predicted, over all
// observations of its commands; for an even number the mean of the middle two. It
// is exact where numerator and denominator have 63 bits, and else the nearest
// multiple of a thousand-millionth. Factors of groups that were not observed stay.
//
// Commands that the timeline gives no cost, or no time, are no samples. The error
// is an *Error where observations and timeline do not belong together, where
// nothing was observed of any cost, and where a factor cannot be told.
func Calibrate(in Observations) (*evidence.Evidence, error) {
	c := &calibration{in: in, records: map[string]*evidence.Sample{}, tasks: map[string]*evidence.Bound{}, intervals: map[string]*timeline.Interval{}, costs: map[string]*timeline.Cost{}}
	if err := c.index(); err != nil {
		return nil, err
	}
	for _, side := range []struct {
		sets []*observation.Set
		held bool
	}{{in.Training, false}, {in.HeldOut, true}} {
		for _, set := range side.sets {
			for i := range set.Records {
				if err := c.take(&set.Records[i], side.held); err != nil {
					return nil, err
				}
			}
		}
	}
	factors := slices.Clone(in.Evidence.Factors)
	observed := 0
	for _, g := range c.groups {
		if len(g.samples) == 0 {
			continue // only held out
		}
		observed++
		f, err := g.factor()
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(factors, func(o evidence.Factor) bool {
			return o.Group == f.Group && o.DType == f.DType && o.Bucket == f.Bucket && o.Participants == f.Participants
		})
		if i < 0 {
			factors = append(factors, f)
		} else {
			factors[i] = f
		}
	}
	if observed == 0 {
		return nil, &Error{"calibration-no-samples", "the observations", "nothing was observed of a command that takes time"}
	}
	return c.revision(factors), nil
}

// revision is the new revision with these factors.
func (c *calibration) revision(factors []evidence.Factor) *evidence.Evidence {
	old := c.in.Evidence
	e := &evidence.Evidence{
		Header:   level.Header{Schema: evidence.EvidenceSchema, Name: old.Name},
		Provider: old.Provider, Environment: old.Environment, Records: slices.Clone(old.Records), Factors: factors,
		Calibration: &evidence.Calibration{Method: "median-ratio", Timeline: levels.Digest(c.in.Timeline)},
	}
	parent := func(b level.Body) string {
		p := levels.Parent(b)
		e.Parents = append(e.Parents, p)
		return p.Digest
	}
	parent(old)
	parent(c.in.Timeline)
	for _, set := range c.in.Training {
		e.Calibration.Training = append(e.Calibration.Training, parent(set))
	}
	for _, set := range c.in.HeldOut {
		e.Calibration.HeldOut = append(e.Calibration.HeldOut, parent(set))
	}
	return e
}

// calibration is one on its way.
type calibration struct {
	in        Observations
	records   map[string]*evidence.Sample
	tasks     map[string]*evidence.Bound
	intervals map[string]*timeline.Interval
	costs     map[string]*timeline.Cost
	stated    map[string]*evidence.Bound // by command, whose duration the plan states
	groups    []*observed                // in the order in which they were met
}

// observed is a group with what was seen of it.
type observed struct {
	evidence.Group
	samples, held []sample
}

// sample is an observation beside its prediction.
type sample struct {
	observed, predicted int64
	// base is the prediction without the factor that is in it, before it was
	// rounded.
	base *big.Rat
}

func (c *calibration) index() error {
	e, t := c.in.Evidence, c.in.Timeline
	digest, known := levels.Digest(e), []string{}
	if c.in.Binding != nil {
		if !slices.ContainsFunc(c.in.Binding.Parents, func(p level.Parent) bool { return p.Digest == digest }) {
			return &Error{"estimate-provenance-mismatch", "the binding", "is not made on this evidence"}
		}
		known = append(known, levels.Digest(c.in.Binding))
		for i := range c.in.Binding.Tasks {
			c.tasks[c.in.Binding.Tasks[i].ID] = &c.in.Binding.Tasks[i]
		}
	}
	if c.in.Plan != nil {
		if err := c.indexPlan(); err != nil {
			return err
		}
		known = append(known, ir.PlanDigest(c.in.Plan))
	}
	if known = append(known, digest); !slices.Contains(known, t.Evidence) {
		return &Error{"estimate-provenance-mismatch", "the timeline", fmt.Sprintf("its durations are from %s, but the evidence has digest %s", t.Evidence, digest)}
	}
	for i := range e.Records {
		c.records[e.Records[i].ID] = &e.Records[i]
	}
	for i := range t.Costs {
		c.costs[t.Costs[i].ID] = &t.Costs[i]
	}
	for i := range t.Intervals {
		c.intervals[t.Intervals[i].Command] = &t.Intervals[i]
	}
	return nil
}

// indexPlan finds the bound tasks of the plan's commands.
func (c *calibration) indexPlan() error {
	plan := c.in.Plan
	if c.in.Binding == nil {
		return &Error{"binding-missing", "the plan", "states its durations itself, and only its binding says what they are of"}
	}
	digest := levels.Digest(c.in.Binding)
	if !slices.ContainsFunc(plan.Parents, func(p ir.Parent) bool { return p.Digest == digest }) {
		return &Error{"estimate-provenance-mismatch", "the plan", "is not made on this binding"}
	}
	taskOf := c.in.Binding.Commands(plan)
	c.stated = map[string]*evidence.Bound{}
	for i := range plan.Program.Commands {
		if task, whole := taskOf(&plan.Program.Commands[i]); whole && task.Cost != nil {
			c.stated[plan.Text(plan.Program.Commands[i].ID)] = task
		}
	}
	return nil
}

// take puts an observation with its group.
func (c *calibration) take(o *observation.Observed, held bool) error {
	interval := c.intervals[o.Command]
	if interval == nil {
		return &Error{"observation-command-unknown", "command " + o.Command, "was observed, and the timeline does not have it"}
	}
	cost := c.costs[interval.Cost]
	predicted := interval.End - interval.Start
	if cost == nil || predicted <= 0 {
		return nil
	}
	if c.in.Plan != nil && cost.Source == ir.PlanDigest(c.in.Plan) {
		return c.takeStated(o, held)
	}
	if cost.Numerator < 1 || cost.Denominator < 1 {
		return &Error{"scalar-out-of-range", "command " + o.Command, "its cost has a factor that is not more than 0"}
	}
	group, err := c.groupOf(o.Command, cost)
	if err != nil {
		return err
	}
	c.put(group, sample{o.Duration, predicted, scaled(predicted, cost.Numerator, cost.Denominator)}, held)
	return nil
}

// takeStated puts an observation of a command whose duration the plan states: the
// cost of its task, which is not yet rounded up to whole cycles, is the prediction.
func (c *calibration) takeStated(o *observation.Observed, held bool) error {
	task := c.stated[o.Command]
	if task == nil || task.Cost.Duration <= 0 {
		return nil
	}
	factor := evidence.Ratio{Numerator: 1, Denominator: 1}
	if task.Cost.Factor != nil {
		factor = *task.Cost.Factor
	}
	if factor.Numerator < 1 {
		return &Error{"scalar-out-of-range", "task " + task.ID, "its cost has a factor that is not more than 0"}
	}
	c.put(groupOfTask(task), sample{o.Duration, task.Cost.Duration, scaled(task.Cost.Duration, factor.Numerator, factor.Denominator)}, held)
	return nil
}

// put puts a sample with its group.
func (c *calibration) put(group evidence.Group, s sample, held bool) {
	i := slices.IndexFunc(c.groups, func(g *observed) bool { return g.Group == group })
	if i < 0 {
		i = len(c.groups)
		c.groups = append(c.groups, &observed{Group: group})
	}
	if held {
		c.groups[i].held = append(c.groups[i].held, s)
	} else {
		c.groups[i].samples = append(c.groups[i].samples, s)
	}
}

// groupOf is the group that a cost is of: of a bound task, or of what the records
// say that it is from.
func (c *calibration) groupOf(command string, cost *timeline.Cost) (evidence.Group, error) {
	for _, id := range cost.Records {
		if task := c.tasks[id]; task != nil {
			return groupOfTask(task), nil
		}
		if s := c.records[id]; s != nil {
			return evidence.Group{Implementation: s.Implementation, Op: s.Op, DType: s.DType, Bucket: evidence.Bucket(s.Bytes), Participants: s.Participants}, nil
		}
	}
	return evidence.Group{}, &Error{"estimate-provenance-mismatch", "command " + command, fmt.Sprintf("its cost %s is from no record of the evidence and no task of a binding", cost.ID)}
}

// factor is the factor of a group, and how far it brings predictions.
func (g *observed) factor() (evidence.Factor, error) {
	f := evidence.Factor{Group: g.Implementation, DType: g.DType, Bucket: g.Bucket, Participants: g.Participants, Samples: int64(len(g.samples)), Held: int64(len(g.held))}
	if f.Group == "" {
		f.Group = g.Op
	}
	var ratios []*big.Rat
	for _, s := range g.samples {
		ratios = append(ratios, costs.Quotient(costs.Whole(s.observed), s.base))
	}
	x := middle(ratios)
	if !x.Num().IsInt64() || !x.Denom().IsInt64() {
		const parts = 1_000_000_000
		n, err := costs.Round(costs.Product(x, costs.Whole(parts)))
		if err != nil {
			return f, &Error{"scalar-out-of-range", "group " + f.Group, "its factor is beyond 64 bits"}
		}
		x = costs.Ratio(n, parts)
	}
	if x.Sign() <= 0 {
		return f, &Error{"calibration-no-samples", "group " + f.Group, "half of its commands were observed to take no time, which no factor makes of a prediction"}
	}
	f.Numerator, f.Denominator = x.Num().Int64(), x.Denom().Int64()
	for _, r := range []struct {
		samples       []sample
		before, after *int64
	}{{g.samples, &f.Before, &f.After}, {g.held, &f.HeldBefore, &f.HeldAfter}} {
		for _, s := range r.samples {
			after, err := costs.Round(costs.Product(s.base, x))
			if err != nil {
				return f, &Error{"scalar-out-of-range", "group " + f.Group, "a corrected prediction is beyond 64 bits"}
			}
			*r.before += apart(s.observed, s.predicted)
			*r.after += apart(s.observed, after)
			if *r.before < 0 || *r.after < 0 {
				return f, &Error{"scalar-out-of-range", "group " + f.Group, "its residuals are beyond 64 bits"}
			}
		}
	}
	return f, nil
}

// apart is |a - b| of two times.
func apart(a, b int64) int64 { return max(a, b) - min(a, b) }
