package ir

// SpatialExtension says at which cycle each command of a statically scheduled
// chip is issued, and over which links and when its data travels. Cycles are
// those of a clock domain; all clocks begin their cycle 0 together. A list is
// nil when the document does not have it.
type SpatialExtension struct {
	ClockDomains []ClockDomain
	Units        []Unit
	Links        []Link
	Slots        []Slot
	Routes       []Route
	// Flow is what happens when a payload is late; nil when absent.
	Flow *Flow

	At uint32
}

// ClockDomain is what units and links of one clock belong to.
type ClockDomain struct {
	ID        ID
	Frequency int64 // hertz, at least 1
	At        uint32
}

// Unit is a functional unit of a device: each cycle of its clock it issues a
// command in each of its slots.
type Unit struct {
	ID     ID
	Device ID
	Domain ID    // its clock domain; rules judge whether there is one
	Width  int64 // slots, numbered from 0 on; at least 1, which it is when absent
	// Latency is how many cycles after its issue a command has completed whose op
	// is not one of Operations; at least 1. None when absent: then the unit does
	// no other ops.
	Latency    int64
	Operations []Operation // nil when absent
	At         uint32
}

// Operation is an op that a unit does, and how many cycles after its issue it has
// completed: a property of the hardware, as its data sheet has it.
type Operation struct {
	Op      string
	Latency int64 // cycles of the unit's clock, at least 1
	At      uint32
}

// Link carries payloads from one device to another, one in each cycle.
type Link struct {
	ID                  ID
	Source, Destination ID    // devices
	Domain              ID    // its clock domain; rules judge whether there is one
	Latency             int64 // cycles from the last one on the link to the arrival; 0 when absent
	At                  uint32
}

// Slot is when and where a command is issued.
type Slot struct {
	Command ID
	Unit    ID
	Cycle   int64 // of the unit's clock
	Slot    int64 // of the unit
	At      uint32
}

// Route is the way that the data of a transfer or a send takes. A payload waits
// on each device until all of it is there, and goes on from there.
type Route struct {
	Command             ID
	Source, Destination ID // devices
	Hops                []Hop
	At                  uint32
}

// Hop is the passage of a payload over a link, which is taken for Cycles cycles
// from Depart on, both of the link's clock.
type Hop struct {
	Link   ID // rules judge whether there is one
	Depart int64
	Cycles int64 // at least 1
	At     uint32
}

// Flow is the flow policy: what happens when a payload is late.
type Flow struct {
	// Tolerance is how many cycles of its last link a payload may be late.
	// Nothing that waits for it begins before that. 0 when absent.
	Tolerance    int64
	Backpressure string // one of none, stall and drop; "" when absent
	Timeout      int64  // cycles; None when absent
	Failure      string // what follows a timeout: abort or retry; "" when absent
	ABIRevision  string // of the runtime that carries the policy out; "" when absent
	At           uint32
}

// SpatialExtension returns what is said for a spatial chip; an empty one where
// nothing is.
func (p *Program) SpatialExtension() SpatialExtension {
	if p.Extension == nil || p.Extension.Spatial == nil {
		return SpatialExtension{}
	}
	return *p.Extension.Spatial
}
