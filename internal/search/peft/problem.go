package peft

import (
	"errors"
	"fmt"
	"math/bits"
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

// maxLanes, in all tasks together, and maxKinds keep a schedule within memory.
const (
	maxLanes = 1 << 24
	maxKinds = 1 << 16
)

// check says whether the problem is well-formed. It does not look for cycles;
// compile does.
func (p *Problem) check() error {
	if len(p.Cores) == 0 {
		return fmt.Errorf("no cores: %w", ErrProblem)
	}
	kinds := 0
	for c, k := range p.Cores {
		if k < 0 || k >= maxKinds {
			return fmt.Errorf("core %d is of kind %d, not 0 to %d: %w", c, k, maxKinds-1, ErrProblem)
		}
		kinds = max(kinds, k+1)
	}
	most := make([]int64, len(p.Tasks)) // cycles of a lane, and of what it may wait for
	lanes := 0
	for t, task := range p.Tasks {
		if task.Lanes < 1 || task.Lanes > maxLanes-lanes {
			return fmt.Errorf("task %d has %d lanes, not 1 or more, or all have more than %d: %w", t, task.Lanes, maxLanes, ErrProblem)
		}
		lanes += task.Lanes
		if len(task.Cycles) < kinds {
			return fmt.Errorf("task %d has cycles for %d kinds of %d: %w", t, len(task.Cycles), kinds, ErrProblem)
		}
		for k, c := range task.Cycles {
			if c < 0 {
				return fmt.Errorf("task %d takes %d cycles on kind %d: %w", t, c, k, ErrProblem)
			}
			most[t] = max(most[t], c)
		}
	}
	wait := make([]int64, len(p.Tasks))
	for i, e := range p.Edges {
		if e.From < 0 || e.From >= len(p.Tasks) || e.To < 0 || e.To >= len(p.Tasks) || e.From == e.To || e.Comm < 0 {
			return fmt.Errorf("edge %d, %d -> %d with %d cycles, among %d tasks: %w", i, e.From, e.To, e.Comm, len(p.Tasks), ErrProblem)
		}
		wait[e.To] = max(wait[e.To], e.Comm)
	}
	// Each lane makes the schedule longer by at most what it waits for and
	// what it runs, no way to an exit is longer than that sum either, and no
	// other sum exceeds it times the number of cores plus one.
	total := uint64(0)
	for t, task := range p.Tasks {
		hi, lo := bits.Mul64(uint64(most[t])+uint64(wait[t]), uint64(task.Lanes))
		sum, carry := bits.Add64(total, lo, 0)
		over, product := bits.Mul64(sum, uint64(len(p.Cores)+1))
		if hi != 0 || carry != 0 || over != 0 || product >= 1<<62 {
			return fmt.Errorf("cycles of all lanes times %d cores pass 2^62: %w", len(p.Cores)+1, ErrProblem)
		}
		total = sum
	}
	return nil
}

// share is the cycles that slice l of lanes takes to another core.
func share(comm int64, l, lanes int) int64 {
	s := comm / int64(lanes)
	if int64(l) < comm%int64(lanes) {
		s++
	}
	return s
}
