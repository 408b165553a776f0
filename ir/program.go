package ir

import "strings"

// Program is the command half of a plan: what each queue of each device does,
// in which order, on which memory. All of it is given: a program has no holes.
//
// A queue issues its commands in the order in which Commands lists them, or in
// the issue order that the extension has for it, each when the one before has
// completed; queues that are not ordered issue a command when what it depends on
// has completed. A list is nil when the document does
// not have it. Every kind of entity has a namespace of its own.
type Program struct {
	Identity   *Identity   // nil when absent
	Deployment *Deployment // nil when absent
	// WorldSize is how many ranks there are: 0 to WorldSize - 1. It is 0 when
	// absent, and at least 1 otherwise.
	WorldSize       int64
	Devices         []Device
	Queues          []Queue
	Regions         []Region
	Buffers         []Buffer
	Tokens          []Token
	Channels        []Channel
	Groups          []Group
	Barriers        []Barrier
	Implementations []Implementation
	Commands        []Command
	// Extension is what is said for one family of targets; nil when absent.
	Extension *Extension

	// Declared says that After of a command states what must hold and does
	// nothing: queues, tokens, messages, collectives and barriers have to bring it
	// about. It is "dependencies": "declare" in the document; with "wait", as when
	// absent, a command waits until those in its After have completed.
	Declared bool

	WorldSizeAt, At uint32
}

// Device is something that has queues.
type Device struct {
	ID   ID
	Rank int64 // logical rank that it has in collectives; None when absent
	// Target is the physical device that it is: one of the deployment's. NoID when
	// absent.
	Target ID
	At     uint32
}

// Queue issues commands on a device.
type Queue struct {
	ID        ID
	Device    ID
	Kind      string // one of QueueKinds, "" when absent: any command may be on it
	Engine    ID     // of its device, where an extension lists them; NoID when absent
	Unordered bool   // commands do not wait for those before them; "ordered": false in the document
	At        uint32
}

// QueueKinds are the kinds of queues, each with the kinds of commands that may be
// on such a queue, besides signals, waits and barriers, which may be on all.
func QueueKinds() map[string][]string {
	return map[string][]string{
		"compute":    {KindLaunch},
		"collective": {KindCollective, KindSend, KindRecv},
		"transfer":   {KindTransfer, KindSend, KindRecv},
		"host":       {KindHostCall},
	}
}

// Region is a range of memory with addresses of its own, from 0 on.
type Region struct {
	ID        ID
	Device    ID
	Capacity  int64 // bytes
	Reserved  int64 // bytes at its end that buffers must leave free; 0 when absent
	Alignment int64 // of the offsets of buffers, in bytes; at least 1, which it is when absent
	At        uint32
}

// Buffer is a range of bytes of a region that is written, and then read, by
// commands. It lives from its first access to its last one. Two buffers may have
// bytes in common if they never live at once.
type Buffer struct {
	ID           ID
	Name         string // for people; "" when absent
	Region       ID
	Offset, Size int64 // bytes
	Alignment    int64 // of its offset, in bytes; at least 1, which it is when absent
	// Initialised buffers hold something before the first command, such as
	// weights and inputs; they live from the start.
	Initialised bool
	// Kept buffers hold a result that is read behind the last command; they live
	// to the end.
	Kept bool
	// FreedBy is the command that gives the memory of the buffer back: all
	// accesses must come before it, or be its own. NoID when absent.
	FreedBy ID
	Lineage *Lineage // nil when absent
	At      uint32
}

// Token is signalled by one command, once, and waited for by others.
type Token struct {
	ID ID
	// Consuming says that a wait uses the signal up, as one of a semaphore: then
	// there may be several signals, and there is one wait for each.
	Consuming bool
	At        uint32
}

// Channel carries messages from the sends that name it to the receives that do:
// the n-th receive takes what the n-th send gave.
type Channel struct {
	ID ID
	// Depth is how many messages fit in the channel. A send completes once its
	// message fits, with a depth of 0 once it is received (a rendezvous).
	Depth int64
	// Region is where Depth slots of Slot bytes each are taken from, besides its
	// buffers; NoID when absent.
	Region ID
	Slot   int64 // bytes of the largest message; None when absent
	At     uint32
}

// Group is a communicator: the ranks that meet in collectives. The n-th
// collective of a group on one of its ranks is the n-th on all others.
type Group struct {
	ID    ID
	Ranks []int64 // of devices, each once
	At    uint32
}

// Barrier is where queues meet: the n-th arrival on one of them completes when
// there is an n-th on all others.
type Barrier struct {
	ID     ID
	Queues []ID // each once
	At     uint32
}

// The kinds of commands. Every command may wait for tokens before it begins and
// signal others when it has completed; a signal and a wait do nothing else.
const (
	KindLaunch     = "launch"     // runs Op
	KindSend       = "send"       // gives a message to Channel
	KindRecv       = "recv"       // takes a message from Channel
	KindCollective = "collective" // does Op together with the other ranks of Group
	KindTransfer   = "transfer"   // copies what it reads to what it writes
	KindBarrier    = "barrier"    // meets the other queues of Barrier
	KindSignal     = "signal"
	KindWait       = "wait"
	KindHostCall   = "host_call" // calls Op on the host
)

// CommandKinds lists the kinds of commands.
func CommandKinds() []string {
	return []string{KindLaunch, KindSend, KindRecv, KindCollective, KindTransfer, KindBarrier, KindSignal, KindWait, KindHostCall}
}

// Command is something that a queue issues. Fields that its kind has no use for
// are absent; rules judge whether those that it needs are there.
type Command struct {
	ID    ID
	Name  string // for people; "" when absent
	Kind  string // one of CommandKinds
	Queue ID     // NoID when absent
	// Op is what is done: the name of a kernel, or of a collective
	// ("all_reduce"). It is a name only and need not be an op of the graph.
	Op string
	// Implementation is what does it: one of the program's. NoID when absent.
	Implementation ID
	After          []ID // commands that must have completed before this one begins; see Program.Declared
	// Reads and Writes are buffers; one that is read and written is in both.
	Reads, Writes []ID
	InPlace       []InPlace
	Waits         []ID   // tokens
	Signals       []ID   // tokens
	Channel       ID     // of a send or a receive; NoID when absent
	Group         ID     // of a collective; NoID when absent
	Reduction     string // of a collective, by which it reduces: one of Reductions; "" when absent
	Barrier       ID     // of a barrier; NoID when absent
	Bytes         int64  // of the message or of a rank's share of the collective; None when absent
	// Stage and Microbatch say what the command works on in a pipeline; None when
	// absent. They name, and order nothing.
	Stage, Microbatch int64
	Lineage           *Lineage // nil when absent
	At                uint32
}

// Function is what the command does: the first word of Op. Behind it stands what
// it is made for, such as shapes and a data type.
func (c *Command) Function() string {
	function, _, _ := strings.Cut(c.Op, " ")
	return function
}

// Reductions lists what collectives reduce by.
func Reductions() []string { return []string{"sum", "max", "min", "product"} }

// InPlace says that a command, the last one to read a buffer, may write another
// one over it, byte for byte: both must be the same bytes of the same region.
type InPlace struct {
	Read, Write ID
}
