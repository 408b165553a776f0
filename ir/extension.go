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

// QueueExtension says in which order queues issue their commands, on which
// engines of devices they are, and which queues collectives are issued on.
type QueueExtension struct {
	Orders        []IssueOrder
	Engines       []Engine
	Communicators []Communicator

	At uint32
}

// IssueOrder lists all commands of a queue in the order in which it issues them.
// It stands in the place of that of Program.Commands for this queue.
type IssueOrder struct {
	Queue    ID
	Commands []ID
	At       uint32
}
