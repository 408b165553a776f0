// Package observation is the ObservationSet: how long commands took when a program
// ran. Records name commands; nothing is matched by guess.
package observation

import "plancheck/ir/level"

// Schema names the documents of this level.
const Schema = "plancheck.observations/1"

// Set is what was observed in one run.
type Set struct {
	_  struct{} `noun:"a set of observations"`
	At uint32

	level.Header
	Run         string     `json:"run"`
	Environment string     `json:"environment_revision,optional"`
	Warmup      int64      `json:"warmup,optional" min:"0"`
	Repeats     int64      `json:"repeats,optional" min:"1" absent:"1"`
	Clock       string     `json:"clock"`
	Records     []Observed `json:"records" rel:"observed(Command, Duration)" doc:"How long the command took, in picoseconds." says:"command {Command} took {Duration} picoseconds"`
}

// Observed is how long a command took.
type Observed struct {
	_  struct{} `noun:"an observation" key:"Command"`
	At uint32

	Command  string `json:"id"`
	Start    int64  `json:"start_ps,optional" min:"0" absent:"-1"`
	Duration int64  `json:"duration_ps" min:"0"`
}
