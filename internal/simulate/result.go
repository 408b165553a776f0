package simulate

import (
	"fmt"
	"strings"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// Input is what is simulated. Lists are by command, in the order of the program.
type Input struct {
	Plan *ir.Plan
	// Durations are how long commands take, in picoseconds, from 0.
	Durations []int64
	// Priorities say which of the commands that became ready for a resource at
	// one time begins first: that of the smallest number. Nil gives all the same.
	Priorities []int64
}

// Result is what happens. All times are picoseconds since the start.
type Result struct {
	// Intervals are when commands run, in the order of the program.
	Intervals []Interval
	// Makespan is when the last command ends.
	Makespan int64
	// Path is the critical path: each of its commands begins when the one before
	// ends, by the edge that let it begin no earlier; by Link and Unit when the one
	// before leaves the link to it, or the slot, and by Message, where the ends of a
	// rendezvous begin apart, when the message has arrived. It begins with a command
	// that waits for nothing, or for its cycle only, and ends with the command of
	// the smallest id among those that end last. Of commands that complete together
	// and begin apart it has the one that the others wait for.
	Path []Step
	// Resources are the queues, in the order of the program.
	Resources []Resource
	// Carriers are the links, in the order of the program, and the slots of units
	// behind them, that something has by the spatial extension.
	Carriers []Carrier
	// Peaks are the most bytes that live at once in each memory region, in the
	// order of the program. Bytes that one buffer takes over from another in place
	// count once; slots of channels do not count.
	Peaks  []int64
	Events []Event
}

// Interval is when a command runs.
type Interval struct {
	// Ready is when nothing but the resource kept the command, and those that
	// it meets, from running, and its cycle had come.
	Ready, Start, End int64
	// Slack is how much later the command could begin without a later makespan, if
	// all resources keep the order of their commands. It is the same for those that
	// begin and complete together.
	Slack int64
}

// Resource is what runs one command at a time.
type Resource struct {
	// Busy is how long it runs commands, in picoseconds.
	Busy int64
	// Commands are those that it runs, in order. Those that have a cycle are not
	// among them if their queue has no order.
	Commands []int32
}

// Carrier is a link, or a slot of a unit, which one command has at a time.
type Carrier struct {
	ID   ir.ID
	Slot int64 // of the unit; -1 of a link
	Uses []Use // in order
}

// Use is the time for which a command has a link or a slot.
type Use struct {
	Command    int32
	Hop        int // of its route; 0 for a slot
	Start, End int64
}

// Step is a command of the critical path, and why it began when it did.
type Step struct {
	Command int32
	Edge    Edge
}

// Edge is what lets a command begin no earlier.
type Edge uint8

// The edges, in the order in which they are preferred when several bind. A
// command waits for another one because it depends on it, comes behind it on its
// queue, waits for its token or message, for the place in a channel that it makes
// free, for a buffer that it writes first, or for the resource that it occupies.
// By the spatial extension it may wait for its cycle, for the slot of its unit or
// for a link.
const (
	Start Edge = iota // waits for nothing
	Dependency
	Queue
	Token
	Message
	Space
	Buffer
	Occupied
	Slot
	Unit
	Link
)

// String is the word of an edge in documents.
func (e Edge) String() string {
	return [...]string{"start", "dependency", "queue", "token", "message", "space", "buffer", "resource", "slot", "unit", "link"}[e]
}

// Event is something that happens. What is the token or the buffer that it is
// about, NoID where there is none.
type Event struct {
	Time    int64
	Kind    EventKind
	Command int32
	What    ir.ID
}

// EventKind says what happens: a command is ready, starts and ends; it waits for
// a token that has come, or signals one; with its start a buffer begins to live,
// or with its end it does no more.
type EventKind uint8

// The kinds of events.
const (
	Ready EventKind = iota
	Started
	Ended
	Signalled
	Waited
	Allocated
	Freed
)

// String is the word of a kind of events in documents.
func (k EventKind) String() string {
	return [...]string{"ready", "start", "end", "signal", "wait", "alloc", "free"}[k]
}

// Deadlock is the error of a program that does not come to its end: nothing can
// happen, and commands are left.
type Deadlock struct {
	// Left is how many commands never complete; unless Begun, none of them begins.
	Left  int
	Begun bool
	// First is the first command of Steps, in the order of the program.
	First int32
	// Steps are commands that wait for each other: each for the next one, and the
	// last one for the first. Where nothing will ever come that a command waits
	// for, they end with that command.
	Steps []Stuck
}

// Stuck is a command that never begins.
type Stuck struct {
	Command string
	Why     string // "is behind", or all that there is to say where For is ""
	For     string // the command that it waits for
}

func (d *Deadlock) Error() string {
	var story []string
	for _, s := range d.Steps {
		story = append(story, strings.TrimSpace(s.Command+" "+s.Why+" "+s.For))
	}
	begin := "begin"
	if d.Begun {
		begin = "complete"
	}
	if d.Left == 1 {
		begin += "s"
	}
	return fmt.Sprintf("%s never %s: %s", diag.Counted(d.Left, "command"), begin, strings.Join(story, ", "))
}
