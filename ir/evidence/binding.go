package evidence

import "plancheck/ir/level"

// Binding says by what each task of a portable plan is done, on which engine, how
// long that takes and how that is known: every candidate, and every attempt to
// find its cost. Its parents are the portable plan, the target, the deployment and
// the evidence. A task that could not be bound is there too, without what was not
// found.
type Binding struct {
	_  struct{} `noun:"a binding"`
	At uint32

	level.Header
	// Policy is how costs were looked for.
	Policy Policy `json:"evidence_policy" rel:"binding_policy(Policy, Revision)" doc:"The policy of evidence, and its revision." says:"evidence is chosen by revision {Revision} of {Policy}"`
	// ABI is the ABI of the target, by which implementations are called.
	ABI string `json:"target_abi" rel:"binding_abi(ABI)" doc:"The ABI that implementations are called by." says:"implementations are called by ABI {ABI}"`
	// Environment is the environment_revision of the deployment.
	Environment string `json:"environment_revision,optional" rel:"binding_environment(Revision)" doc:"The environment that the plan is bound for." says:"the plan is bound for environment {Revision}"`
	// Requires is what the plan needs of a deployment.
	Requires Requirements `json:"requirements" rel:"binding_requires(Devices, Bytes)" doc:"How many devices the plan needs, and how much memory at least on each." says:"the plan needs {Devices} devices with {Bytes bytes} each"`
	// Ranks are the devices of the ranks of the plan.
	Ranks []Placed `json:"ranks" rel:"binding_rank(Place#, Rank, Device)" doc:"The rank is on this device of the deployment." says:"rank {Rank} is on device {Device}"`
	// Tasks are the tasks of the portable plan, with what does them.
	Tasks []Bound `json:"tasks" defines:"bound task" rel:"bound_task(Task, Body, Op)" doc:"A task that was to be bound: its body and what it does." says:"task {Task} is a {Body} that does {Op}"`
}

// Policy says how costs may be found.
type Policy struct {
	_  struct{} `noun:"a policy of evidence" key:"Policy"`
	At uint32

	// ID is the name of the policy.
	ID string `json:"id"`
	// Revision is the revision of the policy.
	Revision string `json:"revision"`
	// Providers are who is asked for costs, in this order: the provider of the
	// evidence, or analytical for the formulas of the target.
	Providers []string `json:"providers" rel:"policy_provider(Place#, Provider)" doc:"A provider of costs, in the order in which they are asked." says:"{Provider} is provider {Place} of costs"`
	// Matches are how a cost may be known.
	Matches []string `json:"matches" enum:"exact interpolated extrapolated analytical" rel:"policy_match(Match)" doc:"How costs may be found." says:"costs may be {Match}"`
	// MaxDistance is how far an extrapolation may reach: |log2| of the size asked
	// for over the nearest one known, in millionths, so that 1000000 is a
	// doubling or a half.
	MaxDistance int64 `json:"max_distance_millionths,optional" min:"0" rel:"policy_max_distance(Millionths)" doc:"How far extrapolations may reach, in millionths of a doubling." says:"extrapolations may reach {Millionths} millionths of a doubling"`
	// MinSamples is how many records an exact cost must be the median of.
	MinSamples int64 `json:"min_samples,optional" min:"1" absent:"1"`
	// Fresh is true where evidence must be from the environment of the
	// deployment.
	Fresh bool `json:"same_environment,optional" rel:"policy_fresh(Policy)" doc:"Evidence must be from the environment of the deployment." says:"policy {Policy} asks for evidence from the environment of the deployment"`
}

// Requirements are what a plan asks of a deployment.
type Requirements struct {
	_  struct{} `noun:"requirements"`
	At uint32

	// Devices is how many devices it needs.
	Devices int64 `json:"device_count" min:"1"`
	// Bytes is the least memory that each device must have: on each rank the
	// buffers that live all the time, and the largest set that one task needs
	// beside them; on a spatial target, where a rank may be on several devices, what
	// one task of a rank needs in all.
	Bytes int64 `json:"minimum_memory_bytes" min:"0"`
	// Widest is how many participants the largest collective has.
	Widest int64 `json:"participants,optional" min:"1" absent:"1" rel:"binding_widest(Count)" doc:"How many participants the largest collective has." says:"a collective has {Count} participants"`
}

// Placed is a rank on a device.
type Placed struct {
	_  struct{} `noun:"a placed rank"`
	At uint32

	// Rank is the rank of the plan.
	Rank int64 `json:"rank" min:"0"`
	// Device is the device of the deployment that it is on.
	Device string `json:"device"`
}

// Bound is a task with what does it.
type Bound struct {
	_  struct{} `noun:"a bound task" key:"Task"`
	At uint32

	// ID is the id of the task in the portable plan.
	ID string `json:"id"`
	// Body is what kind of work it is.
	Body string `json:"body" enum:"compute collective transfer barrier host"`
	// Op is what is done: model.linear, all-reduce.
	Op string `json:"op"`
	// Query is what is asked of implementations and of providers of costs.
	Query Query `json:"query" rel:"bound_participants(Task, Participants)" doc:"How many ranks do the task." says:"{Participants} ranks do task {Task}"`
	// Implementation is the one of the target that does the task; absent where
	// none can, and for a barrier, which needs none.
	Implementation string `json:"implementation,optional" rel:"bound_implementation(Task, Implementation)" doc:"What does the task." says:"task {Task} is done by {Implementation}"`
	// Engine is the one of the target that it runs on.
	Engine string `json:"engine,optional" rel:"bound_engine(Task, Engine)" doc:"The engine that the task runs on." says:"task {Task} runs on engine {Engine}"`
	// Workspace is how many bytes the implementation needs beside its operands.
	Workspace int64 `json:"workspace_bytes,optional" min:"0" rel:"bound_workspace(Task, Bytes)" doc:"What the implementation needs beside its operands." says:"task {Task} is given {Bytes bytes} of workspace"`
	// Candidates are the implementations that were looked at.
	Candidates []Candidate `json:"candidates,optional" rel:"bound_candidate(Task, Implementation, Verdict)" doc:"An implementation that was looked at, and whether it was chosen or what is against it." says:"for task {Task}, {Implementation} is {Verdict}"`
	// Cost is how long the task takes; absent where that could not be found.
	Cost *Resolution `json:"cost,optional" rel:"bound_cost(Task, Duration, Match, Provider)" doc:"How long the task takes in picoseconds, and how and by whom that was found." says:"task {Task} takes {Duration} ps by {Provider}, {Match}"`
	// Attempts are who was asked for the cost, in order.
	Attempts []Attempt `json:"attempts,optional" rel:"bound_attempt(Task, Place#, Provider, Match, Status)" doc:"A provider that was asked for the cost, and for what kind of match." says:"for the cost of task {Task}, {Match} by {Provider} is {Status}" rel2:"attempt_distance(Task, Place#, Distance)" doc2:"How far the attempt would have to extrapolate, in millionths of a doubling; 0 where it does not." says2:"attempt {Place} for task {Task} would reach {Distance} millionths of a doubling"`
}

// Query is the work of one rank of a task, after symbols have their values.
type Query struct {
	_  struct{} `noun:"a query"`
	At uint32

	// Capabilities are what an implementation must be able to do.
	Capabilities []string `json:"capabilities" rel:"bound_capability(Task, Capability)" doc:"What the task asks of an implementation." says:"task {Task} needs {Capability}"`
	// DType is the data type that the task works on.
	DType string `json:"dtype,optional" rel:"bound_dtype(Task, DType)" doc:"The data type that the task works on." says:"task {Task} works on {DType}"`
	// Dims are the sizes along the axes of its inputs, one input after the other.
	Dims []int64 `json:"dims,optional" min:"1" rel:"bound_dim(Task, Axis#, Size)" doc:"A dimension of what the task reads." says:"task {Task} has size {Size} in dimension {Axis}"`
	// Operations is how many arithmetic operations a rank does.
	Operations int64 `json:"operations,optional" min:"0" rel:"bound_operations(Task, Operations)" doc:"Arithmetic operations of a rank, where there are any." says:"a rank of task {Task} does {Operations} operations"`
	// Read is how many bytes a rank reads.
	Read int64 `json:"read_bytes,optional" min:"0" rel:"bound_read_bytes(Task, Bytes)" doc:"Bytes that a rank reads, where there are any." says:"a rank of task {Task} reads {Bytes bytes}"`
	// Write is how many bytes a rank writes.
	Write int64 `json:"write_bytes,optional" min:"0" rel:"bound_write_bytes(Task, Bytes)" doc:"Bytes that a rank writes, where there are any." says:"a rank of task {Task} writes {Bytes bytes}"`
	// Message is how many bytes a rank gives to a collective or a transfer.
	Message int64 `json:"message_bytes,optional" min:"0" rel:"bound_message_bytes(Task, Bytes)" doc:"Bytes that a rank gives to a collective, where there are any." says:"a rank gives {Bytes bytes} to task {Task}"`
	// Participants is how many ranks take part.
	Participants int64 `json:"participants" min:"1"`
}

// Candidate is an implementation that was looked at.
type Candidate struct {
	_  struct{} `noun:"a candidate"`
	At uint32

	// Implementation is the one of the target.
	Implementation string `json:"implementation"`
	// Verdict is chosen, able for one that could have been, or the code of what is
	// against it.
	Verdict string `json:"verdict" enum:"chosen able capability-unsupported dtype-unsupported shape-limit-exceeded abi-mismatch"`
	// Reason is the verdict in words.
	Reason string `json:"reason,optional"`
}

// Chosen is the verdict on the candidate that does the task.
const (
	Chosen = "chosen"
	Able   = "able"
)

// Resolution is how a cost was found.
type Resolution struct {
	_  struct{} `noun:"a cost resolution"`
	At uint32

	// Duration is how long the task takes in picoseconds. It is rounded once, to
	// the nearest one, a half up; what is more than 0 is at least 1.
	Duration int64 `json:"duration_ps" min:"0"`
	// Match is how near what is known is to what is asked.
	Match string `json:"match" enum:"exact interpolated extrapolated analytical"`
	// Provider is who knew it.
	Provider string `json:"provider"`
	// Method is how that is known; of several records the one that is worth
	// least.
	Method string `json:"method" enum:"measured simulated analytical calibrated vendor_model"`
	// Records are what the cost is from: one or its repetitions where it is exact,
	// the two around it where it is interpolated, the nearest where it is
	// extrapolated.
	Records []string `json:"records,optional" rel:"cost_record(Task, Place#, Record)" doc:"A record that the cost is from." says:"the cost of task {Task} is from record {Record}"`
	// Axis is along what an interpolation or extrapolation goes: bytes,
	// participants or the number of a dimension.
	Axis string `json:"axis,optional"`
	// Weight is how much of the second record is in an interpolation.
	Weight *Ratio `json:"weight,optional" rel:"cost_weight(Task, Numerator, Denominator)" doc:"The weight of the second record of an interpolation." says:"the second record of task {Task} weighs {Numerator} / {Denominator}"`
	// Distance is how far an extrapolation reaches: |log2| of the size asked for
	// over that of the record, in millionths, rounded up.
	Distance int64 `json:"distance_millionths,optional" min:"0" rel:"cost_distance(Task, Millionths)" doc:"How far an extrapolation reaches, in millionths of a doubling." says:"the cost of task {Task} is {Millionths} millionths of a doubling away from what is known"`
	// Factor is what the duration is multiplied by, as the evidence says.
	Factor *Ratio `json:"factor,optional" rel:"cost_factor(Task, Numerator, Denominator)" doc:"The factor of the evidence that is in the cost." says:"the cost of task {Task} is multiplied by {Numerator} / {Denominator}"`
	// Formula is the label of an analytical cost.
	Formula string `json:"formula,optional" enum:"no_overlap roofline volume ring none" rel:"cost_formula(Task, Formula)" doc:"The formula of an analytical cost." says:"the cost of task {Task} is by the formula {Formula}"`
	// Components are the parts of an analytical cost, each rounded by itself.
	Components []Component `json:"components,optional" rel:"cost_component(Task, Place#, Name, Duration)" doc:"A part of an analytical cost." says:"{Name} of task {Task} takes {Duration} ps"`
	// Spread is how much the records of an exact cost differ.
	Spread *Spread `json:"spread,optional"`
}

// Ratio is numerator / denominator.
type Ratio struct {
	_  struct{} `noun:"a ratio"`
	At uint32

	// Numerator is above the line.
	Numerator int64 `json:"numerator" min:"0"`
	// Denominator is below the line.
	Denominator int64 `json:"denominator" min:"1"`
}

// Component is a part of an analytical cost.
type Component struct {
	_  struct{} `noun:"a component"`
	At uint32

	// Name is what takes the time.
	Name string `json:"name" enum:"compute memory network latency"`
	// Duration is how long that takes, in picoseconds.
	Duration int64 `json:"duration_ps" min:"0"`
}

// Spread is how much repeated records differ.
type Spread struct {
	_  struct{} `noun:"a spread"`
	At uint32

	// Samples is how many records there are.
	Samples int64 `json:"samples" min:"1"`
	// Lower is the shortest, in picoseconds.
	Lower int64 `json:"lower_ps" min:"0"`
	// Upper is the longest, in picoseconds.
	Upper int64 `json:"upper_ps" min:"0"`
	// Deviation is the population standard deviation in picoseconds, rounded
	// down.
	Deviation int64 `json:"stddev_ps" min:"0"`
}

// Attempt is a provider that was asked.
type Attempt struct {
	_  struct{} `noun:"an attempt"`
	At uint32

	// Provider is who was asked.
	Provider string `json:"provider"`
	// Match is what was asked for; any where the provider knows nothing at all.
	Match string `json:"match" enum:"exact interpolated extrapolated analytical any"`
	// Status is whether there is a cost; invalid where what is known contradicts
	// itself.
	Status string `json:"status" enum:"available unavailable invalid"`
	// Reason is why there is none.
	Reason string `json:"reason,optional"`
	// Distance is how far an extrapolation that reaches too far would reach:
	// |log2| of the size asked for over that of the record, in millionths,
	// rounded up.
	Distance int64 `json:"distance_millionths,optional" min:"0"`
}
