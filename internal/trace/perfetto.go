package trace

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"plancheck/ir"
	"plancheck/ir/timeline"
)

// The numbers of the fields that are written, by the messages of Perfetto's
// public trace format that have them.
const (
	tracePacket = 1 // Trace

	packetTimestamp  = 8 // TracePacket; nanoseconds
	packetSequence   = 10
	packetEvent      = 11
	packetDescriptor = 60

	descriptorUUID    = 1 // TrackDescriptor
	descriptorName    = 2
	descriptorProcess = 3
	descriptorParent  = 5

	processPID  = 1 // ProcessDescriptor
	processName = 6

	eventAnnotation  = 4 // TrackEvent
	eventType        = 9
	eventTrack       = 11
	eventCategory    = 22
	eventName        = 23
	eventFlow        = 47 // fixed64
	eventTerminating = 48 // fixed64

	annotationInt  = 4 // DebugAnnotation
	annotationText = 6
	annotationName = 10
)

// The types of track events.
const (
	sliceBegin = 1
	sliceEnd   = 2
)

// sequence is the only sequence of packets.
const sequence = 1

// Perfetto writes packets of Perfetto's trace format: a track of a process for
// each device, one below it for each queue, and the beginnings and ends of slices
// by time. The format counts nanoseconds, to which times are rounded down; the
// picoseconds are among the annotations of a slice.
func Perfetto(plan *ir.Plan, b *timeline.Bundle) []byte {
	var out []byte
	var events []event
	uuid := uint64(0)
	for i, p := range processes(plan, b) {
		uuid++
		device := uuid
		out = describe(out, device, func(m []byte) []byte {
			process := varint(nil, processPID, uint64(i+1))
			process = text(process, processName, p.device)
			return message(m, descriptorProcess, process)
		})
		for _, t := range p.tracks {
			uuid++
			out = describe(out, uuid, func(m []byte) []byte {
				m = text(m, descriptorName, t.name)
				return varint(m, descriptorParent, device)
			})
			for _, s := range t.slices {
				events = append(events, event{s, uuid, s.start, true}, event{s, uuid, s.end, false})
			}
		}
	}
	// Slices of a track are in order, ends before beginnings at one time.
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.time, b.time) })
	arrows := arrows(events, len(b.Path))
	for _, e := range events {
		out = e.write(out, arrows)
	}
	return out
}

// event is the beginning or the end of a slice.
type event struct {
	*slice
	track uint64
	time  int64 // picoseconds
	begin bool
}

const picosecondsPerNanosecond = 1000

// arrows says for each step of the critical path whether an arrow leads from it
// to the next one. The viewer points an arrow from the earlier slice to the later
// one, so that there is none between slices that begin in one nanosecond.
func arrows(events []event, steps int) []bool {
	starts := make([]int64, steps+2)
	for i := range starts {
		starts[i] = -1
	}
	for _, e := range events {
		if e.begin && e.step > 0 {
			starts[e.step] = e.start / picosecondsPerNanosecond
		}
	}
	all := make([]bool, steps+1)
	for step := 1; step < steps; step++ {
		all[step] = starts[step] >= 0 && starts[step] < starts[step+1]
	}
	return all
}

func (e *event) write(out []byte, arrows []bool) []byte {
	var m []byte
	if !e.begin {
		m = varint(m, eventType, sliceEnd)
		m = varint(m, eventTrack, e.track)
		return packet(out, e.time, message(nil, packetEvent, m))
	}
	m = varint(m, eventType, sliceBegin)
	m = varint(m, eventTrack, e.track)
	m = text(m, eventCategory, e.command.Kind)
	m = text(m, eventName, e.name)
	note := func(name string, value func(m []byte) []byte) {
		m = message(m, eventAnnotation, value(text(nil, annotationName, name)))
	}
	number := func(name string, n int64) {
		note(name, func(m []byte) []byte { return varint(m, annotationInt, uint64(n)) })
	}
	word := func(name, s string) {
		note(name, func(m []byte) []byte { return text(m, annotationText, s) })
	}
	number("start_ps", e.start)
	number("end_ps", e.end)
	if e.hop != noHop {
		number("hop", e.hop)
	} else {
		number("slack_ps", e.slack)
	}
	if e.name != e.id {
		word("command", e.id)
	}
	if e.op != "" {
		word("op", e.op)
	}
	if e.command.Stage != ir.None {
		number("stage", e.command.Stage)
	}
	if e.command.Microbatch != ir.None {
		number("microbatch", e.command.Microbatch)
	}
	if e.step > 0 {
		word("critical", e.edge)
		if arrows[e.step] {
			m = fixed64(m, eventFlow, uint64(e.step))
		}
		if arrows[e.step-1] {
			m = fixed64(m, eventTerminating, uint64(e.step-1))
		}
	}
	return packet(out, e.time, message(nil, packetEvent, m))
}

// packet appends a packet of the trace, given its data, at a time.
func packet(out []byte, time int64, data []byte) []byte {
	m := varint(nil, packetTimestamp, uint64(time/picosecondsPerNanosecond))
	m = varint(m, packetSequence, sequence)
	return message(out, tracePacket, append(m, data...))
}

// describe appends a packet that describes a track.
func describe(out []byte, uuid uint64, more func([]byte) []byte) []byte {
	m := varint(nil, packetSequence, sequence)
	m = message(m, packetDescriptor, more(varint(nil, descriptorUUID, uuid)))
	return message(out, tracePacket, m)
}

func varint(m []byte, field protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), n)
}

func fixed64(m []byte, field protowire.Number, n uint64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(m, field, protowire.Fixed64Type), n)
}

func text(m []byte, field protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), s)
}

func message(m []byte, field protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), content)
}
