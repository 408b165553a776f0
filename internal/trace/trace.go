package trace

import (
	"cmp"
	"slices"

	"plancheck/ir"
	"plancheck/ir/timeline"
)

// Format is a way to write a timeline of a plan.
type Format struct {
	Name  string
	About string // one line for the help text
	Write func(*ir.Plan, *timeline.Bundle) []byte
}

// Formats lists the formats.
func Formats() []Format {
	return []Format{
		{"chrome", "JSON for chrome://tracing and ui.perfetto.dev", Chrome},
		{"perfetto", "protobuf TrackEvents for ui.perfetto.dev", Perfetto},
	}
}

// track is a queue of a device, with the slices of its commands by their start.
type track struct {
	queue  string
	slices []*slice
}

// process is a device.
type process struct {
	device string
	tracks []*track
}

// slice is a command that runs.
type slice struct {
	command    *ir.Command
	name       string
	start, end int64 // picoseconds
	slack      int64
	op         string
	// On the critical path, step is its place on it, from 1, and edge what it waited
	// for.
	step int
	edge string
}

// processes reads a timeline of a plan. Commands without an interval, or without a
// queue, are not drawn, and neither are intervals of what is no command.
func processes(plan *ir.Plan, b *timeline.Bundle) []process {
	p := plan.Program
	if p == nil {
		return nil
	}
	intervals := make(map[string]*timeline.Interval, len(b.Intervals))
	for i := range b.Intervals {
		intervals[b.Intervals[i].Command] = &b.Intervals[i]
	}
	steps := map[string]int{}
	for i, s := range b.Path {
		steps[s.Command] = i + 1
	}
	tracks := map[ir.ID]*track{}
	for _, q := range p.Queues {
		tracks[q.ID] = &track{queue: plan.Text(q.ID)}
	}
	for i := range p.Commands {
		c := &p.Commands[i]
		name := plan.Text(c.ID)
		t, x := tracks[c.Queue], intervals[name]
		if t == nil || x == nil {
			continue
		}
		s := &slice{command: c, name: name, start: x.Start, end: x.End, slack: x.Slack, op: c.Op, step: steps[name]}
		if s.step > 0 {
			s.edge = b.Path[s.step-1].Edge
		}
		t.slices = append(t.slices, s)
	}
	var all []process
	for _, d := range p.Devices {
		x := process{device: plan.Text(d.ID)}
		for _, q := range p.Queues {
			if q.Device == d.ID {
				t := tracks[q.ID]
				slices.SortStableFunc(t.slices, func(a, b *slice) int {
					return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
				})
				x.tracks = append(x.tracks, t)
			}
		}
		all = append(all, x)
	}
	return all
}
