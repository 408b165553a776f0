package simulate

import (
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/timeline"
)

// Revision names what Run does: timelines of one revision for one plan and the
// same durations have the same bytes.
const Revision = "plancheck-simulate/1"

// Bundle writes a result down as a timeline of its plan.
func Bundle(plan *ir.Plan, costs *Costs, r *Result) *timeline.Bundle {
	program := plan.Program
	id := func(c int32) string { return plan.Text(program.Commands[c].ID) }
	b := &timeline.Bundle{
		Header:   level.Header{Schema: timeline.Schema, Name: plan.Name, Parents: []level.Parent{{Schema: ir.PlanSchema, Digest: ir.PlanDigest(plan)}}},
		Evidence: costs.Digest, Simulator: Revision, Makespan: r.Makespan,
		Costs: costs.Resolutions, Intervals: []timeline.Interval{},
	}
	if made := program.Identity; made != nil {
		b.PlanningEvidence = made.PlanningEvidence
	}
	if costs.Schema != ir.PlanSchema {
		b.Parents = append(b.Parents, level.Parent{Schema: costs.Schema, Digest: costs.Digest})
	}
	for c, x := range r.Intervals {
		b.Intervals = append(b.Intervals, timeline.Interval{Command: id(int32(c)), Start: x.Start, End: x.End, Cost: costs.of(c), Delay: x.Start - x.Ready, Slack: x.Slack})
	}
	for q, x := range r.Resources {
		use := timeline.Resource{ID: plan.Text(program.Queues[q].ID), Busy: x.Busy, Commands: []string{}}
		for _, c := range x.Commands {
			use.Commands = append(use.Commands, id(c))
		}
		b.Resources = append(b.Resources, use)
	}
	for _, x := range r.Carriers {
		addCarrier(b, plan.Text(x.ID), x, id)
	}
	for _, s := range r.Path {
		b.Path = append(b.Path, timeline.Step{Command: id(s.Command), Edge: s.Edge.String()})
	}
	for i, bytes := range r.Peaks {
		b.Peaks = append(b.Peaks, timeline.Peak{Region: plan.Text(program.Regions[i].ID), Bytes: bytes})
	}
	return b
}

// addCarrier adds a link, or a slot to its unit.
func addCarrier(b *timeline.Bundle, name string, x Carrier, id func(int32) string) {
	if x.Slot == noSlot {
		l := timeline.Link{ID: name, Payloads: []timeline.Payload{}}
		for _, u := range x.Uses {
			l.Payloads = append(l.Payloads, timeline.Payload{Command: id(u.Command), Hop: int64(u.Hop), Start: u.Start, End: u.End})
		}
		b.Links = append(b.Links, l)
		return
	}
	if n := len(b.Units); n == 0 || b.Units[n-1].ID != name {
		b.Units = append(b.Units, timeline.Unit{ID: name, Issues: []timeline.Issue{}})
	}
	unit := &b.Units[len(b.Units)-1]
	for _, u := range x.Uses {
		unit.Issues = append(unit.Issues, timeline.Issue{Command: id(u.Command), Slot: x.Slot, Start: u.Start, End: u.End})
	}
}

// AddEvents adds what happens to a bundle of the result.
func AddEvents(b *timeline.Bundle, plan *ir.Plan, r *Result) {
	for _, e := range r.Events {
		event := timeline.Event{Time: e.Time, Kind: e.Kind.String(), Command: plan.Text(plan.Program.Commands[e.Command].ID)}
		if e.What != ir.NoID {
			event.What = plan.Text(e.What)
		}
		b.Events = append(b.Events, event)
	}
}
