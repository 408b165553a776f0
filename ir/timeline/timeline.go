// Package timeline is the TimelineBundle: when each command of a plan is predicted
// to run, why then, and on what evidence. It refers to the plan by digest and by
// the ids of its commands, queues and memory regions, and copies nothing of it; it
// cannot be executed.
package timeline

import "plancheck/ir/level"

// Schema names the documents of this level.
const Schema = "plancheck.timeline/1"

// Bundle is a prediction for one plan, which is among its parents. All times are
// picoseconds since the start.
type Bundle struct {
	_  struct{} `noun:"a timeline"`
	At uint32

	level.Header
	// PlanningEvidence is the digest of the evidence that the plan was made on.
	PlanningEvidence string `json:"planning_evidence,optional"`
	// Evidence is the digest of the evidence that durations are from: of the plan
	// itself where that says them.
	Evidence string `json:"evaluation_evidence" rel:"timeline_evidence(Digest)" doc:"The evidence that durations are from." says:"durations are from evidence {Digest}"`
	// Simulator is the name and the revision of what made the timeline.
	Simulator string `json:"simulator_revision"`
	// Makespan is the end of the last command.
	Makespan int64 `json:"makespan_ps" min:"0" rel:"timeline_makespan(Picoseconds)" doc:"The end of the last command." says:"the last command is said to end at {Picoseconds} ps"`

	// Costs are the durations that evidence gives.
	Costs []Cost `json:"cost_resolutions,optional" defines:"cost resolution" rel:"timeline_resolution(Cost, Duration)" doc:"A duration that evidence gives." says:"evidence gives {Duration} ps for resolution {Cost}" rel2:"timeline_cost_factor(Cost, Numerator, Denominator)" doc2:"The factor of evidence that is in a duration; 1 / 1 for none." says2:"resolution {Cost} has factor {Numerator} / {Denominator}"`
	// Intervals are when commands run.
	Intervals []Interval `json:"intervals" defines:"interval" rel:"timeline_interval(Command, Start, End)" doc:"When the command runs." says:"command {Command} runs from {Start} to {End} ps"`
	// Resources are the queues of the plan.
	Resources []Resource `json:"resources,optional" defines:"resource" rel:"timeline_resource(Resource, Busy)" doc:"How many picoseconds the resource is occupied." says:"resource {Resource} is said to be occupied for {Busy} ps"`
	// Links are the links of a spatial target that payloads take.
	Links []Link `json:"links,optional" defines:"link"`
	// Units are the units of a spatial target that issue commands.
	Units []Unit `json:"units,optional" defines:"unit"`
	// Path is the critical path, from the first command to the last.
	Path []Step `json:"critical_path,optional" rel:"timeline_critical_step(Step#, Command, Edge)" doc:"A command of the critical path, and what it waited for to begin." says:"step {Step} of the critical path is {Command}, by {Edge}"`
	// Peaks are the most bytes that live at once in each memory region.
	Peaks  []Peak  `json:"memory_high_water,optional" defines:"memory peak" rel:"timeline_high_water(Region, Bytes)" doc:"The most bytes that live at once in the region." says:"at most {Bytes bytes} of region {Region} live at once"`
	Events []Event `json:"events,optional" rel:"timeline_event(Place#, Time, Kind, Command)" doc:"What happens, in order." says:"at {Time} ps {Command} has the event {Kind}"`
}

// Cost is a duration, and what in the evidence it is from. Its id is the digest
// of all the rest, so that equal costs are one.
type Cost struct {
	_  struct{} `noun:"a cost resolution" key:"Cost"`
	At uint32

	// ID is the digest of all the rest.
	ID string `json:"id"`
	// Duration is how long a command takes, in picoseconds.
	Duration int64 `json:"duration_ps" min:"0"`
	// Source is the digest of the document with the records.
	Source string `json:"source" rel:"timeline_cost_source(Cost, Digest)" doc:"The evidence that the resolution is from." says:"resolution {Cost} is from evidence {Digest}"`
	// Records are ids of records of evidence: of several their median. Where a
	// binding is the evidence, they are the task and then the records behind its
	// cost. A table of durations, and a plan that says itself how long its commands
	// take, have the ids of commands instead.
	Records []string `json:"records" rel:"timeline_cost_record(Cost, Place#, Record)" doc:"What the resolution is from: records of evidence, of a binding the task and then the records behind its cost, or a command." says:"resolution {Cost} is from {Record}"`
	// Numerator is the numerator of the factor by which the median was multiplied, as the
	// evidence says; then it was rounded to the nearest picosecond, a half up.
	Numerator int64 `json:"numerator,optional" min:"1" absent:"1"`
	// Denominator is the denominator of the factor.
	Denominator int64 `json:"denominator,optional" min:"1" absent:"1"`
}

// Interval is when a command runs.
type Interval struct {
	_  struct{} `noun:"an interval" key:"Command"`
	At uint32

	// Command is the id of a command of the plan.
	Command string `json:"id"`
	// Start is when the command begins.
	Start int64 `json:"start_ps" min:"0"`
	// End is when it has completed.
	End int64 `json:"end_ps" min:"0"`
	// Cost is the resolution that its duration is from; absent for commands that
	// take no time.
	Cost string `json:"cost_resolution,optional" ref:"cost resolution" rel:"timeline_cost(Command, Cost)" doc:"The resolution that the duration is from." says:"the duration of {Command} is from resolution {Cost}"`
	// Delay is how long it was ready, and its resource, or that of a command that it
	// completes together with, was not free, or a link or its slot.
	Delay int64 `json:"queue_delay_ps,optional" min:"0" rel:"timeline_delay(Command, Picoseconds)" doc:"How long the command was ready and waited for a resource only, where that is more than 0." says:"command {Command} is said to have waited for a resource for {Picoseconds} ps"`
	// Slack is how much later the command could begin without a later makespan.
	Slack int64 `json:"slack_ps,optional" min:"0" rel:"timeline_slack(Command, Picoseconds)" doc:"How much later the command could begin without a later makespan, where that is more than 0." says:"command {Command} is said to have a slack of {Picoseconds} ps"`
}

// Resource is a queue of the plan. It runs one command at a time, and at once
// only commands that complete together. Commands that have a cycle and are on a
// queue without order are taken from it by their units as their cycles come: they
// have no turn.
type Resource struct {
	_  struct{} `noun:"a resource" key:"Resource"`
	At uint32

	// ID is the id of the queue in the plan.
	ID string `json:"id"`
	// Busy is how many picoseconds the queue runs commands.
	Busy int64 `json:"busy_ps" min:"0"`
	// Commands are the commands that it runs, in order.
	Commands []string `json:"commands" ref:"interval" rel:"timeline_turn(Resource, Turn#, Command)" doc:"The command is the one of this number, from 0 on, that the resource runs." says:"turn {Turn} of resource {Resource} is that of {Command}"`
}

// Link is one that payloads take, one at a time.
type Link struct {
	_  struct{} `noun:"a link" key:"Link"`
	At uint32

	// ID is the id of the link in the plan.
	ID string `json:"id"`
	// Payloads are the data that take the link, in the order in which they do.
	Payloads []Payload `json:"payloads" rel:"timeline_payload(Link, Turn#, Command, Hop, Start, End)" doc:"In the link's turn of this number, from 0 on, the payload of the command takes it for this hop of its route." says:"in turn {Turn} the payload of {Command} has link {Link} for hop {Hop}, from {Start} to {End} ps"`
}

// Payload is the data of a command on a link.
type Payload struct {
	_  struct{} `noun:"a payload"`
	At uint32

	// Command is the command whose data it is.
	Command string `json:"command" ref:"interval"`
	// Hop is which link of its route it is, from 0 on.
	Hop int64 `json:"hop" min:"0"`
	// Start is when the payload begins to take the link.
	Start int64 `json:"start_ps" min:"0"`
	// End is when the link is free again.
	End int64 `json:"end_ps" min:"0"`
}

// Unit is a functional unit that issues commands.
type Unit struct {
	_  struct{} `noun:"a unit" key:"Unit"`
	At uint32

	// ID is the id of the unit in the plan.
	ID string `json:"id"`
	// Issues are the cycles in which it issues commands, by their slot, and in
	// each slot in their order.
	Issues []Issue `json:"issues" rel:"timeline_issue(Unit, Turn#, Command, Slot, Start, End)" doc:"In the unit's turn of this number, from 0 on, it issues the command, which has the slot for a cycle." says:"in turn {Turn} unit {Unit} issues {Command}, which has slot {Slot} from {Start} to {End} ps"`
}

// Issue is the cycle for which a command has a slot of its unit.
type Issue struct {
	_  struct{} `noun:"an issue"`
	At uint32

	// Command is the command that is issued.
	Command string `json:"command" ref:"interval"`
	// Slot is the one of the unit, from 0 on, that the command has.
	Slot int64 `json:"slot" min:"0"`
	// Start is when the cycle begins.
	Start int64 `json:"start_ps" min:"0"`
	// End is when the cycle ends.
	End int64 `json:"end_ps" min:"0"`
}

// Step is a command of the critical path.
type Step struct {
	_  struct{} `noun:"a step"`
	At uint32

	// Command is the command of this step.
	Command string `json:"command" ref:"interval"`
	// Edge is why it began when it did: start for the first one, or slot if it waited
	// for its cycle, else what it waited for from the one before.
	Edge string `json:"edge" enum:"start dependency queue token message space buffer resource slot unit link"`
}

// Peak is the most memory that lives at once.
type Peak struct {
	_  struct{} `noun:"a memory peak" key:"Region"`
	At uint32

	// Region is the id of a memory region of the plan.
	Region string `json:"id"`
	// Bytes is how many bytes live at once there at most.
	Bytes int64 `json:"size_bytes" min:"0"`
}

// Event is something that happens at a time.
type Event struct {
	_  struct{} `noun:"an event"`
	At uint32

	// Time is when it happens.
	Time int64 `json:"time_ps" min:"0"`
	// Kind is what happens.
	Kind string `json:"kind" enum:"ready start end signal wait alloc free"`
	// Command is the command that it happens to, or that does it.
	Command string `json:"command" ref:"interval"`
	// What is a token or a buffer, where the event is of one.
	What string `json:"what,optional"`
}
