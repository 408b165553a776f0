package evidence

import "plancheck/ir/level"

// Binding says by what each task of a portable plan is done, where, how long that
// takes and how that is known: every candidate, and every attempt to find its
// cost.
type Binding struct {
	_  struct{} `noun:"a binding"`
	At uint32

	level.Header
	Policy string  `json:"evidence_policy" rel:"binding_policy(Policy)" doc:"The policy of evidence." says:"evidence is chosen by {Policy}"`
	Tasks  []Bound `json:"tasks" rel:"bound_task(Task, Implementation)" doc:"The task is done by this implementation." says:"task {Task} is done by {Implementation}"`
}

// Bound is a task with what does it.
type Bound struct {
	_  struct{} `noun:"a bound task" key:"Task"`
	At uint32

	ID             string      `json:"id"`
	Implementation string      `json:"implementation"`
	Engine         string      `json:"engine" rel:"bound_engine(Task, Engine)" doc:"The engine that the task runs on." says:"task {Task} runs on engine {Engine}"`
	Workspace      int64       `json:"workspace_bytes,optional" min:"0"`
	Candidates     []Candidate `json:"candidates" rel:"bound_candidate(Task, Implementation, Verdict)" doc:"An implementation that was looked at, and why it was chosen or not." says:"for task {Task}, {Implementation} is {Verdict}"`
	Cost           Resolution  `json:"cost"`
}

// Candidate is an implementation that was looked at.
type Candidate struct {
	_  struct{} `noun:"a candidate"`
	At uint32

	Implementation string `json:"implementation"`
	// Verdict is chosen, or the code of what is against it.
	Verdict string `json:"verdict"`
}

// Resolution is how a cost was found.
type Resolution struct {
	_  struct{} `noun:"a cost resolution"`
	At uint32

	Duration int64  `json:"duration_ps" min:"0" rel:"bound_duration(Task, Duration)" doc:"How long the task takes." says:"task {Task} takes {Duration} picoseconds"`
	Match    string `json:"match" enum:"exact interpolated extrapolated analytical" rel:"bound_match(Task, Match)" doc:"How the cost was found." says:"the cost of task {Task} is {Match}"`
	Provider string `json:"provider"`
	Method   string `json:"method" enum:"measured simulated analytical calibrated vendor_model"`
	// Distance is how far an extrapolation reaches, in thousandths of a doubling.
	Distance int64 `json:"distance_thousandths,optional" min:"0"`
	// Formula is the label of an analytical cost.
	Formula  string    `json:"formula,optional"`
	Records  []string  `json:"records,optional"`
	Attempts []Attempt `json:"attempts" rel:"bound_attempt(Task, Place#, Provider, Status)" doc:"A provider that was asked for the cost." says:"for the cost of task {Task}, {Provider} is {Status}"`
}

// Attempt is a provider that was asked.
type Attempt struct {
	_  struct{} `noun:"an attempt"`
	At uint32

	Provider string `json:"provider"`
	Status   string `json:"status" enum:"available unavailable invalid"`
	Reason   string `json:"reason,optional"`
}
