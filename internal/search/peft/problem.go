package peft

import (
	"errors"
)

// Problem says what is to be scheduled. Tasks, cores and kinds of cores are
// numbered from 0.
type Problem struct {
	Tasks []Task
	// Edges may name a pair of tasks more than once. They have no cycle.
	Edges []Edge
	Cores []int // the kind of each core; at least one core
}

// Task is an op. Its lanes are equal, and each runs on one core.
type Task struct {
	Lanes int // at least 1
	// Cycles of one lane on a core of each kind, not negative; as many as
	// there are kinds, or more. A lane of 0 cycles takes no room on its core.
	Cycles []int64
}

// Edge says that every lane of To reads the slices of all lanes of From.
type Edge struct {
	From, To int
	// Comm is the cycles that the whole value takes to another core; it takes
	// none to the core it is on. Slice l of L takes Comm/L of them, and one
	// more if l < Comm mod L. Slices travel side by side.
	Comm int64
}

// Result is a schedule. Cycles are counted from 0.
type Result struct {
	Start, Finish [][]int64 // of each lane of each task
	Core          [][]int   // of each lane of each task
	Order         []int     // tasks in the order in which they were scheduled
	Length        int64     // the last finish
}

// ErrProblem is returned, wrapped, for a problem that is not well-formed.
var ErrProblem = errors.New("ill-formed list scheduling problem")
