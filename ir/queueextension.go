package ir

// Engine is a part of a device that carries out what queues issue, such as the
// compute units of a GPU or one of its copy engines. Several queues may share it.
type Engine struct {
	ID     ID
	Device ID
	Kinds  []string // of QueueKinds: those of queues that may be on it; none for all
	At     uint32
}

// Communicator is what the collectives of a group go through: the queues that
// issue them, one or several for each rank of the group.
type Communicator struct {
	ID     ID
	Group  ID
	Queues []ID // each once
	At     uint32
}

// QueueExtension returns what is said for queues; an empty one where nothing is.
func (p *Program) QueueExtension() QueueExtension {
	if p.Extension == nil || p.Extension.Queue == nil {
		return QueueExtension{}
	}
	return *p.Extension.Queue
}
