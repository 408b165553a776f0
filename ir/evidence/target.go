package evidence

import "plancheck/ir/level"

// Target is what a kind of device can do.
type Target struct {
	_  struct{} `noun:"a target profile"`
	At uint32

	level.Header
	// Family is how the target is given its work: queues of commands, or cores on
	// a mesh.
	Family string `json:"family" enum:"queue spatial" rel:"target_family(Family)" doc:"The family of the target." says:"the target is of family {Family}"`
	// Architecture is the name of the architecture, such as sm_80.
	Architecture string `json:"architecture"`
	// Revision is the revision of the architecture.
	Revision string `json:"architecture_revision,optional"`
	// Runtime is the revision of drivers and libraries.
	Runtime string `json:"runtime_revision,optional"`
	// ABI is what implementations are called by.
	ABI string `json:"target_abi" rel:"target_abi(ABI)" doc:"The ABI of the target." says:"the target has ABI {ABI}"`
	// Source is where the figures are from.
	Source string `json:"source,optional"`
	// Engines are what each device does work with.
	Engines []Engine `json:"engines" defines:"engine" rel:"target_engine(Engine, Kind, Count)" doc:"An engine of each device, and how many there are." says:"a device has {Count} of engine {Engine}, of kind {Kind}"`
	// Memory are the memory spaces of each device; the first is the one that
	// buffers are in.
	Memory []Memory `json:"memory" rel:"target_memory(Place#, Space, Bytes, Alignment)" doc:"A memory space of each device; the first is the one that buffers are in." says:"a device has memory space {Space} of {Bytes bytes}"`
	// Formula is how an analytical cost comes of the time to compute and the time
	// to move bytes: their sum, or the longer of them.
	Formula string `json:"processing" enum:"no_overlap roofline" rel:"target_formula(Formula)" doc:"How times to compute and to move bytes make a cost." says:"costs are by the formula {Formula}"`
	// Compute are the rates at which engines compute.
	Compute []Rate `json:"compute,optional" defines:"rate" rel:"target_compute(Rate, Engine, DType, PerSecond)" doc:"Peak operations a second of an engine with elements of a type." says:"engine {Engine} does {PerSecond} operations a second on {DType}"`
	// Bandwidth is how fast the memory of a device is; without it no cost of a
	// compute task is known by a formula.
	Bandwidth *Curve `json:"memory_bandwidth,optional" rel:"target_bandwidth(PerSecond)" doc:"Peak bytes a second of memory." says:"memory moves {PerSecond} bytes a second"`
	// Tiers are the networks that join devices. A collective takes the smallest
	// one that joins as many devices as take part.
	Tiers []Tier `json:"network_tiers,optional" rel:"target_tier(Place#, Size, PerSecond, Latency)" doc:"A network: how many devices it joins, its bandwidth and its latency." says:"network {Place} joins {Size} devices"`
	// Kernels are the implementations that can do work, the best ones first.
	Kernels []Implementation `json:"implementations,optional" defines:"implementation" rel:"target_implementation(Implementation, Engine, ABI)" doc:"Something that can do work on an engine, and the ABI that it is called by." says:"{Implementation} runs on engine {Engine} and has ABI {ABI}"`
	// Mesh is how the cores of a spatial target lie.
	Mesh *Mesh `json:"mesh,optional" rel:"target_mesh(Rows, Cols)" doc:"Cores are a mesh of this size." says:"the cores are a mesh of {Rows rows} and {Cols columns}"`
	// Clock is how many cycles a second has, of a spatial target.
	Clock int64 `json:"clock_hertz,optional" min:"1" rel:"target_clock(Hertz)" doc:"Cycles a second." says:"the clock has {Hertz} cycles a second"`
	// Link is what joins neighbours of the mesh of a spatial target.
	Link *Link `json:"link,optional" rel:"target_link(PerCycle, Latency)" doc:"What a link between neighbours carries." says:"a link carries {PerCycle bytes} a cycle, {Latency cycles} a hop"`
}

// Engine is what a device does work with.
type Engine struct {
	_  struct{} `noun:"an engine" key:"Engine"`
	At uint32

	ID string `json:"id"`
	// Kind is what kind of work it does.
	Kind string `json:"kind" enum:"compute collective transfer host"`
	// Count is how many of them a device has.
	Count int64 `json:"count,optional" min:"1" absent:"1"`
	// Width is how many commands it issues in a cycle.
	Width int64 `json:"issue_width,optional" min:"1" absent:"1"`
}

// Memory is a memory space of a device.
type Memory struct {
	_  struct{} `noun:"a memory space"`
	At uint32

	// Space is its name, such as hbm.
	Space string `json:"space"`
	// Bytes is how many bytes it has.
	Bytes int64 `json:"capacity_bytes" min:"1"`
	// Alignment is what addresses of buffers must be a multiple of.
	Alignment int64 `json:"alignment_bytes,optional" min:"1" absent:"1"`
}

// Rate is how fast an engine computes with elements of a type: its peak times
// the efficiency for the operations of a task.
type Rate struct {
	_  struct{} `noun:"a rate" key:"Rate"`
	At uint32

	ID string `json:"id"`
	// Engine is the engine that computes.
	Engine string `json:"engine" ref:"engine"`
	DType  string `json:"dtype" enum:"bf16 f16 f32 f64 i8 i32 i64"`
	// PerSecond is the peak: arithmetic operations a second.
	PerSecond int64 `json:"operations_per_second" min:"1"`
	// Curve is the share of the peak that is reached, by the operations of a
	// task; all of it without any.
	Curve []Threshold `json:"efficiency,optional" rel:"rate_threshold(Rate, Place#, From, Millionth)" doc:"From this many operations on the engine reaches this many millionths of the rate." says:"from {From} operations on {Millionth} millionths of rate {Rate} are reached"`
}

// Curve is how fast memory is: its peak times the efficiency for the bytes that
// a task reads and writes.
type Curve struct {
	_  struct{} `noun:"a bandwidth"`
	At uint32

	// PerSecond is the peak: bytes a second.
	PerSecond int64 `json:"bytes_per_second" min:"1"`
	// Curve is the share of the peak that is reached, by the bytes of a task; all
	// of it without any.
	Curve []Threshold `json:"efficiency,optional" rel:"bandwidth_threshold(Place#, From, Millionth)" doc:"From this many bytes on memory reaches this many millionths of its bandwidth." says:"from {From} bytes on memory reaches {Millionth} millionths"`
}

// Threshold is a size from which on the efficiency is this. Thresholds descend,
// and the last is from 0.
type Threshold struct {
	_  struct{} `noun:"a threshold"`
	At uint32

	// From is the least size: operations of a rate, bytes of a bandwidth.
	From int64 `json:"from" min:"0"`
	// Millionth is the share of the peak in millionths: 1000000 is all of it.
	Millionth int64 `json:"efficiency_millionths" min:"1"`
}

// Tier is a network that joins devices.
type Tier struct {
	_  struct{} `noun:"a network tier"`
	At uint32

	// Size is how many devices the network joins.
	Size int64 `json:"devices" min:"1"`
	// PerSecond is the bandwidth of a device to the others, each way, in bytes a
	// second.
	PerSecond int64 `json:"bytes_per_second" min:"1"`
	// Efficiency is the share of the bandwidth that is reached, in millionths.
	Efficiency int64 `json:"efficiency_millionths,optional" min:"1" absent:"1000000"`
	// Latency is what a collective takes besides by the formula volume, and a step
	// of one by the formula ring, in picoseconds.
	Latency int64 `json:"latency_ps,optional" min:"0"`
	// Formula is volume, by the multipliers in collectives, or ring, by the bytes
	// and the steps of a ring.
	Formula string `json:"formula" enum:"volume ring"`
	// Collectives are the multipliers of the formula volume.
	Collectives []Multiplier `json:"collectives,optional"`
}

// Multiplier is how many bytes a collective of n bytes moves on P devices: n *
// times * (1 + offset / P).
type Multiplier struct {
	_  struct{} `noun:"a collective's volume"`
	At uint32

	// Op is the collective, such as all-reduce.
	Op string `json:"op"`
	// Times is a factor in millionths.
	Times int64 `json:"times_millionths" min:"0"`
	// Offset is in millionths too: -1000000 gives the factor 1 - 1 / P.
	Offset int64 `json:"offset_millionths,optional" min:"-1000000000"`
}

// Implementation can do work that asks for its capabilities.
type Implementation struct {
	_  struct{} `noun:"an implementation" key:"Implementation"`
	At uint32

	ID string `json:"id"`
	// Namespace is the library that has it.
	Namespace string `json:"namespace"`
	// Name is its name in the library.
	Name string `json:"name"`
	// Version is the version of the library.
	Version string `json:"version"`
	// ABI is what it is called by; it can be used where that is the ABI of the
	// target.
	ABI string `json:"abi"`
	// Variant tells it from others of the same name.
	Variant string `json:"variant,optional"`
	// Engine is what it runs on.
	Engine string `json:"engine" ref:"engine"`
	// Capabilities are what it can do: a task can be done by what has all that
	// the task asks for.
	Capabilities []string `json:"capabilities" rel:"implementation_capability(Implementation, Capability)" doc:"What the implementation can do." says:"{Implementation} can do {Capability}"`
	// DTypes are the data types that it works on.
	DTypes []string `json:"dtypes" enum:"bf16 f16 f32 f64 i8 i32 i64" rel:"implementation_dtype(Implementation, DType)" doc:"A data type that the implementation works on." says:"{Implementation} works on {DType}"`
	// MaxDim is the largest size of an axis that it takes; 0 is without limit.
	MaxDim int64 `json:"max_dim,optional" min:"0" rel:"implementation_limit(Implementation, Size)" doc:"The largest size of an axis that the implementation takes." says:"{Implementation} takes axes of up to {Size}"`
	// Workspace is how many bytes it needs beside its operands.
	Workspace int64 `json:"workspace_bytes,optional" min:"0" rel:"implementation_workspace(Implementation, Bytes)" doc:"What the implementation needs beside its operands." says:"{Implementation} needs {Bytes bytes} of workspace"`
}

// Mesh is how cores of a spatial target lie.
type Mesh struct {
	_  struct{} `noun:"a mesh"`
	At uint32

	// Rows is how many rows it has.
	Rows int64 `json:"rows" min:"1"`
	// Cols is how many cores a row has.
	Cols int64 `json:"cols" min:"1"`
}

// Link joins two neighbours of a mesh, each way.
type Link struct {
	_  struct{} `noun:"a link"`
	At uint32

	// PerCycle is how many bytes it carries in a cycle.
	PerCycle int64 `json:"bytes_per_cycle" min:"1"`
	// Latency is how many cycles a hop takes.
	Latency int64 `json:"hop_cycles" min:"0"`
}

// Deployment is where a plan is to run. The target is its parent.
type Deployment struct {
	_  struct{} `noun:"a deployment profile"`
	At uint32

	level.Header
	// Topology is how the devices reach each other; a single one needs none.
	Topology string `json:"topology,optional" enum:"all-to-all ring mesh" rel:"deployment_topology(Topology)" doc:"How the devices reach each other." says:"the devices are joined as {Topology}"`
	// Devices are the names of the devices: rank 0 of a plan is on the first.
	Devices []string `json:"devices" rel:"deployed_device(Place#, Device)" doc:"A device of the deployment." says:"the deployment has device {Device}"`
	// Memory is how many bytes are free on each device; absent when all of the
	// target's are.
	Memory int64 `json:"available_memory_bytes,optional" min:"0" absent:"-1" rel:"deployment_memory(Bytes)" doc:"What is free on each device." says:"{Bytes bytes} are free on each device"`
	// Reserved is how many bytes of them plans must leave free.
	Reserved    int64  `json:"reserved_bytes,optional" min:"0" rel:"deployment_reserved(Bytes)" doc:"What plans must leave free on each device." says:"{Bytes bytes} of each device are reserved"`
	Environment string `json:"environment_revision,optional" rel:"deployment_environment(Revision)" doc:"The revision of drivers and libraries." says:"the deployment has environment {Revision}"`
}
