package ir

// Extension is what a program says only of one family of targets: of queues, as
// GPUs have them, or of a spatial chip, whose commands have a cycle and whose
// transfers have a route. At most one of them is meant; rules judge whether it
// is one, and the right one. Families lists the names.
type Extension struct {
	Queue   *QueueExtension
	Spatial *SpatialExtension
	At      uint32
}

// The families of targets, by the names of their extensions.
const (
	FamilyQueue   = "queue"
	FamilySpatial = "spatial"
)

// Families lists the families of targets.
func Families() []string { return []string{FamilyQueue, FamilySpatial} }

// QueueExtension says in which order queues issue their commands.
type QueueExtension struct {
	Orders []IssueOrder

	At uint32
}

// IssueOrder lists all commands of a queue in the order in which it issues them.
type IssueOrder struct {
	Queue    ID
	Commands []ID
	At       uint32
}

// SpatialExtension says at which cycles, and over which links, things happen.
type SpatialExtension struct {
	ClockDomains []ClockDomain

	At uint32
}

// ClockDomain is what units and links of one clock belong to.
type ClockDomain struct {
	ID        ID
	Frequency int64 // hertz, at least 1
	At        uint32
}
