// Package timeline is the TimelineBundle: when each command of a plan is predicted
// to run, why then, and on what evidence. It refers to the plan by digest and by
// the ids of its commands and copies nothing of it; it cannot be executed.
package timeline

import "plancheck/ir/level"

// Schema names the documents of this level.
const Schema = "plancheck.timeline/1"

// Bundle is a prediction for one plan. All times are picoseconds since the start.
type Bundle struct {
	_  struct{} `noun:"a timeline"`
	At uint32

	level.Header
	PlanningEvidence string `json:"planning_evidence,optional" rel:"timeline_planning_evidence(Digest)" doc:"The evidence that the plan was made on." says:"the plan was made on evidence {Digest}"`
	// Evidence is the digest of the evidence that durations are from.
	Evidence  string `json:"evaluation_evidence" rel:"timeline_evidence(Digest)" doc:"The evidence that durations are from." says:"durations are from evidence {Digest}"`
	Simulator string `json:"simulator_revision" rel:"timeline_simulator(Revision)" doc:"What made the timeline." says:"the timeline was made by {Revision}"`
	Makespan  int64  `json:"makespan_ps" min:"0" rel:"timeline_makespan(Picoseconds)" doc:"The end of the last command." says:"the last command ends at {Picoseconds}"`

	Intervals []Interval `json:"intervals" rel:"timeline_interval(Command, Start, End)" doc:"When the command runs." says:"command {Command} runs from {Start} to {End}"`
	// Path is the critical path, from the first command to the last.
	Path []Step `json:"critical_path,optional" rel:"timeline_critical_step(Step#, Command, Edge)" doc:"A command of the critical path, and what it waited for to begin." says:"step {Step} of the critical path is {Command}, by {Edge}"`
	// Peaks are the most bytes that live at once in each memory region.
	Peaks  []Peak  `json:"memory_high_water,optional" rel:"timeline_high_water(Region, Bytes)" doc:"The most bytes that live at once in the region." says:"at most {Bytes bytes} of region {Region} live at once"`
	Events []Event `json:"events,optional" rel:"timeline_event(Place#, Time, Kind, Command)" doc:"What happens, in order." says:"at {Time} {Command} has the event {Kind}"`
}

// Interval is when a command runs.
type Interval struct {
	_  struct{} `noun:"an interval" key:"Command"`
	At uint32

	Command  string `json:"id"`
	Start    int64  `json:"start_ps" min:"0"`
	End      int64  `json:"end_ps" min:"0"`
	Resource string `json:"resource,optional" rel:"timeline_resource(Command, Resource)" doc:"What the command occupies while it runs." says:"command {Command} occupies {Resource}"`
	// Cost is the digest of the resolution that its duration is from; "" for
	// commands that take no time.
	Cost  string `json:"cost_resolution,optional" rel:"timeline_cost(Command, Resolution)" doc:"The resolution that the duration is from." says:"the duration of {Command} is from {Resolution}"`
	Slack int64  `json:"slack_ps,optional" min:"0" rel:"timeline_slack(Command, Picoseconds)" doc:"How much later the command could begin without a later end." says:"command {Command} has a slack of {Picoseconds}"`
}

// Step is a command of the critical path.
type Step struct {
	_  struct{} `noun:"a step"`
	At uint32

	Command string `json:"command"`
	// Edge is why it began when it did: start for the first.
	Edge string `json:"edge" enum:"start dependency queue token message space resource slot"`
}

// Peak is the most memory that lives at once.
type Peak struct {
	_  struct{} `noun:"a memory peak"`
	At uint32

	Region string `json:"memory_region"`
	Bytes  int64  `json:"size_bytes" min:"0"`
}

// Event is something that happens at a time.
type Event struct {
	_  struct{} `noun:"an event"`
	At uint32

	Time    int64  `json:"time_ps" min:"0"`
	Kind    string `json:"kind" enum:"ready start end signal wait alloc free"`
	Command string `json:"command"`
	// What is a token or a buffer, where the event is of one.
	What string `json:"what,optional"`
}
