package report

import (
	"io"

	"plancheck/internal/chart"
	"plancheck/rules"
)

// Exploration is a list of legal schedules of one plan.
type Exploration struct {
	Version    string // of plancheck
	Name       string // of the plan
	RuleFiles  []rules.File
	Invariants int // that every schedule passed

	Count    int    // how many were asked for
	Within   string // of the best interval, in percent
	Distance int    // how many ops have other stages in any two
	Pareto   bool   // only the front is listed

	// Bound is proven: no schedule has a smaller interval. Limit is the greatest
	// interval of a listed one.
	Bound, Limit int64
	// Found is how many schedules were found, Broken how many of those that were
	// met broke rules, and Unpacked how many choices of stages have no cores as
	// far as is known.
	Found, Broken, Unpacked int
	// All: there are no others. Ended says why there may be, else.
	All   bool
	Ended string

	Current   *Schedule // the plan itself, where it is complete
	Schedules []Schedule
}

// Schedule is a row of an Exploration. The first is the best.
type Schedule struct {
	Number int
	File   string // where it was written; "" for nowhere
	Digest string // of the plan
	// Costs are what it costs, in the order of Measures; NotKnown where that is not
	// known.
	Costs [5]int64
	// Front: no other one is as good in all costs and better in one.
	Front  bool
	Errors int // that the rules find; only the current plan has any
	// Ops whose stages are others than in the first schedule, and in the current
	// plan; by the plan's order of ops.
	FromBest, FromCurrent []Move
	// Chart is the plan as it is drawn, for formats that want it; else nil.
	Chart *chart.Chart
}

// Move is an op that has another stage.
type Move struct {
	Op       string
	From, To int
}

// NotKnown stands for a cost that is not known.
const NotKnown = -1

// Measure is a cost that schedules are compared by; less is better.
type Measure struct{ Key, Name, Unit, Short string }

// Measures lists what schedules are compared by.
func Measures() [5]Measure {
	return [5]Measure{
		{"interval_cycles", "largest interval", "cycles", "interval"},
		{"forwards", "forwards", "ops", "forwards"},
		{"traffic_byte_hops", "traffic", "byte hops", "byte hops"},
		{"peak_resident_bytes", "peak resident weights", "bytes", "peak bytes"},
		{"cores_used", "cores used", "cores", "cores"},
	}
}

// ExploreFormat is a way to write an Exploration.
type ExploreFormat struct {
	Name  string
	About string // one line for the help text
	// Chart says that Schedule.Chart is wanted.
	Chart bool
	Write func(w io.Writer, x *Exploration, opts Options) error
}

// ExploreFormats lists the formats, the default first.
func ExploreFormats() []ExploreFormat {
	return []ExploreFormat{
		{Name: "text", About: "a table", Write: writeExploreText},
		{Name: "json", About: "everything, for programs", Write: writeExploreJSON},
		{Name: "html", About: "one page with the schedules side by side, for browsers", Chart: true, Write: writeExploreHTML},
	}
}
