package schedule

import "errors"

// Free stands where nothing is decided yet: a number that the search chooses.
const Free = -1

// Outside is the stage of what comes from outside: before stage 0.
const Outside = -1

// Unknown stands for a number that nobody states.
const Unknown = -1

// Problem says what is to be decided, and what already is. Ops, values, weights,
// stages, logical and machine cores are numbered from 0.
type Problem struct {
	Stages int
	Cores  int // logical cores, at least as many as stages

	Ops    []Op
	Values []Value
	Reads  []Read
	// Slices has the bytes of one lane's slice of each weight.
	Slices []int64

	// Ranges are what is decided about the cores of each stage. In every
	// solution stage s+1 begins where stage s ends, stage 0 begins with core 0,
	// the last one ends with the last core, and each has at least one.
	Ranges []Range

	// Machine has the machine cores, as many as there are logical ones, or none
	// where no machine is known: then nothing is placed, and everything fits.
	Machine []Core
	// Places has the machine core of each logical core, Free where it is open.
	// It is nil without a machine.
	Places []int
	// Hops is how far apart two machine cores are; nil where that is not known.
	Hops [][]int64

	// Kinds is how many kinds of machine cores there are, at least 1.
	Kinds int

	// NonEmpty requires an op that is no forward in every stage.
	NonEmpty bool
}

// Op is an op. Its lanes, or where lanes are split their parts, are its shares:
// share i is part i%Parts of lane i/Parts. All shares of an op are in its stage.
type Op struct {
	Lo, Hi int // the stages that it may have, both ends included
	Lanes  int // at least 1
	Parts  int // at least 1
	// Cycles of one share on a core of each kind.
	Cycles []int64
	// Weights of which each lane uses its slice, each once; a part of a lane
	// uses its part of the slice.
	Weights []int
	// Pins has the logical core of each share, Free where it is open; nil
	// where all are.
	Pins []int
	// Carries says that the op is a forward of the graph: it fills no stage for
	// NonEmpty. In everything else it is like any other op.
	Carries bool
}

// Shares is how many shares the op has.
func (o *Op) Shares() int { return o.Lanes * o.Parts }

// Value is a result of an op, or a dynamic input.
type Value struct {
	From  int   // the op, or Outside
	Bytes int64 // of the whole value; Unknown

	// Forward says that forwards may carry the value. One forward in each
	// stage strictly between From's and that of the farthest reader then does,
	// with as many lanes as this says, 0 for a value that must not be carried.
	Forward int
	// Cycles of one lane of a forward, on a core of each kind.
	Cycles []int64
}

// Read says that op To reads a value. It is in the stage of the value's op or in
// the next one; in a later one only if the value is forwarded.
type Read struct{ Value, To int }

// Range is what is decided about the cores of a stage; each number may be Free.
type Range struct{ First, Count int }

// Core is a machine core.
type Core struct {
	Capacity int64 // bytes of weights that fit; Unknown for no limit
	Kind     int
}

// Solution decides everything.
type Solution struct {
	Stage    []int     // of each op
	First    []int     // first core of each stage
	Core     [][]int   // logical core of each share of each op
	Forwards []Forward // by value, then by stage
	Place    []int     // machine core of each logical core; nil without a machine
}

// Forward is a forward of a value in a stage.
type Forward struct {
	Value, Stage int
	Core         []int // logical core of each lane
}

// Cost is what a solution costs.
type Cost struct {
	Interval int64 // cycles
	Forwards int
	// Traffic is bytes times hops; Unknown where a size or a distance is.
	Traffic int64
}

// ErrProblem is returned, wrapped, for a problem that is not well-formed.
var ErrProblem = errors.New("ill-formed scheduling problem")

// ErrSolution is returned, wrapped, for a solution that is not legal.
var ErrSolution = errors.New("illegal schedule")
