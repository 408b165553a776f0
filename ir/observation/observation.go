// Package observation is the ObservationSet: how long commands took when a program
// ran. Records name commands; nothing is matched by guess.
package observation

import "plancheck/ir/level"

// Schema names the documents of this level.
const Schema = "plancheck.observations/1"

// Set is what was observed in one run of the plan that is among its parents. The
// records of a command are its repetitions.
type Set struct {
	_  struct{} `noun:"a set of observations"`
	At uint32

	level.Header
	// Run is the name of the run that was observed.
	Run string `json:"run" rel:"observation_run(Run)" doc:"The run that was observed." says:"the observations are of run {Run}"`
	// Environment is the revision of drivers and libraries of the run.
	Environment string `json:"environment_revision,optional" rel:"observation_environment(Revision)" doc:"The environment of the run." says:"the run was in environment {Revision}"`
	// Warmup is how many repetitions were left out at the start.
	Warmup int64 `json:"warmup,optional" min:"0"`
	// Repeats is how many repetitions are recorded of each command.
	Repeats int64 `json:"repeats,optional" min:"1" absent:"1" rel:"observation_repeats(Count)" doc:"How often each command was observed, where that is more than once." says:"each command was observed {Count} times"`
	// Clock is what times were taken by, such as device.
	Clock string `json:"clock"`
	// Level is how the records were made: exact-event has every command.
	Level string `json:"level,optional" enum:"exact-event bounded-divergence partial-observation" rel:"observation_level(Level)" doc:"How complete the observations are." says:"the observations are {Level}"`
	// Records are how long commands took.
	Records []Observed `json:"records" rel:"observed(Place#, Command, Repetition, Duration)" doc:"How long a repetition of the command took, in picoseconds." says:"repetition {Repetition} of command {Command} took {Duration} picoseconds"`
}

// Observed is how long a command took. The unit of the duration is in its name:
// there is no other.
type Observed struct {
	_  struct{} `noun:"an observation"`
	At uint32

	// Command is the id of a command of the plan.
	Command string `json:"command"`
	// Repetition is the number of the repetition, from 0 on.
	Repetition int64 `json:"repetition,optional" min:"0"`
	// Start is when it began, in picoseconds by the clock of the run.
	Start int64 `json:"start_ps,optional" min:"0" absent:"-1"`
	// Duration is how long it took, in picoseconds.
	Duration int64 `json:"duration_ps" min:"0"`
}

// Refused are fields that do not say their unit.
func (Observed) Refused() (code, help string, names []string) {
	return "observation-unit-missing", "times are picoseconds, in duration_ps and start_ps", []string{
		"duration", "start", "end", "time", "latency", "seconds", "duration_ns", "duration_us", "duration_ms", "start_ns", "start_us", "start_ms",
	}
}

// Refused are fields that would change what was planned: observations only report.
func (Set) Refused() (code, help string, names []string) {
	return "observation-mutates-plan", "observations say how long commands took; a new plan is made from new evidence", []string{
		"program", "commands", "queues", "buffers", "assignment", "stages", "placement", "tasks", "binding",
	}
}
