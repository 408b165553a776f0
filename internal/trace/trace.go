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

// track is a queue of a device, with the slices of its commands by their start, or
// a link from the device, with those of its payloads.
type track struct {
	name   string
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
	id         string // of the command
	name       string // what people are told of it
	start, end int64  // picoseconds
	slack      int64
	op         string
	// On the critical path, step is its place on it, from 1, and edge what it waited
	// for.
	step int
	edge string

	hop int64 // of its route, where it is a payload; else noHop
}

const noHop = -1

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
	labels := plan.CommandLabels()
	tracks := map[ir.ID]*track{}
	for _, q := range p.Queues {
		tracks[q.ID] = &track{name: plan.Text(q.ID)}
	}
	commands := make(map[string]*ir.Command, len(p.Commands))
	for i := range p.Commands {
		c := &p.Commands[i]
		id := plan.Text(c.ID)
		commands[id] = c
		t, x := tracks[c.Queue], intervals[id]
		if t == nil || x == nil {
			continue
		}
		s := &slice{command: c, id: id, name: cmp.Or(labels[id], id), start: x.Start, end: x.End, slack: x.Slack, op: c.Op, step: steps[id], hop: noHop}
		if s.step > 0 {
			s.edge = b.Path[s.step-1].Edge
		}
		t.slices = append(t.slices, s)
	}
	links := linkTracks(plan, b, commands, labels)
	var all []process
	for _, d := range p.Devices {
		x := process{device: plan.Text(d.ID)}
		for _, q := range p.Queues {
			if q.Device == d.ID {
				t := tracks[q.ID]
				slices.SortStableFunc(t.slices, func(a, b *slice) int {
					return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
				})
				x.tracks = append(x.tracks, t.lanes()...)
			}
		}
		x.tracks = append(x.tracks, links[d.ID]...)
		all = append(all, x)
	}
	return all
}

// lanes are tracks for the slices of a track, on none of which two overlap: units
// take commands from a queue without order while others still run. Those that run
// together, such as the ends of a rendezvous, stay together.
func (t *track) lanes() []*track {
	lanes := []*track{{name: t.name}}
	for _, s := range t.slices {
		at := slices.IndexFunc(lanes, func(l *track) bool {
			if len(l.slices) == 0 {
				return true
			}
			last := l.slices[len(l.slices)-1]
			return last.end <= s.start || last.start == s.start && last.end == s.end
		})
		if at < 0 {
			at = len(lanes)
			lanes = append(lanes, &track{name: t.name})
		}
		lanes[at].slices = append(lanes[at].slices, s)
	}
	return lanes
}

// linkTracks are the tracks of links, by the device from which they lead.
func linkTracks(plan *ir.Plan, b *timeline.Bundle, commands map[string]*ir.Command, labels map[string]string) map[ir.ID][]*track {
	used := make(map[string]*timeline.Link, len(b.Links))
	for i := range b.Links {
		used[b.Links[i].ID] = &b.Links[i]
	}
	all := map[ir.ID][]*track{}
	for _, l := range plan.Program.SpatialExtension().Links {
		x := used[plan.Text(l.ID)]
		if x == nil {
			continue
		}
		t := &track{name: "link " + x.ID}
		for _, p := range x.Payloads {
			if c := commands[p.Command]; c != nil {
				t.slices = append(t.slices, &slice{command: c, id: p.Command, name: cmp.Or(labels[p.Command], p.Command), start: p.Start, end: p.End, op: c.Op, hop: p.Hop})
			}
		}
		all[l.Source] = append(all[l.Source], t)
	}
	return all
}
