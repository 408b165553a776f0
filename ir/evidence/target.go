package evidence

import "plancheck/ir/level"

// Target is what a kind of device can do.
type Target struct {
	_  struct{} `noun:"a target profile"`
	At uint32

	level.Header
	Family       string `json:"family" enum:"queue spatial" rel:"target_family(Family)" doc:"The family of the target." says:"the target is of family {Family}"`
	Architecture string `json:"architecture"`
	Revision     string `json:"architecture_revision,optional"`
	Runtime      string `json:"runtime_revision,optional"`
	ABI          string `json:"target_abi" rel:"target_abi(ABI)" doc:"The ABI of the target." says:"the target has ABI {ABI}"`
	// Source says where the figures are from.
	Source  string   `json:"source,optional"`
	Engines []Engine `json:"engines" defines:"engine" rel:"target_engine(Engine, Kind, Count)" doc:"An engine of each device, and how many there are." says:"a device has {Count} of engine {Engine}, of kind {Kind}"`
	Memory  []Memory `json:"memory" rel:"target_memory(Place#, Space, Bytes, Alignment)" doc:"A memory space of each device; the first is the one that buffers are in." says:"a device has memory space {Space} of {Bytes bytes}"`
	// Formula is how an analytical cost comes of the time to compute and the time
	// to move bytes: their sum, or the longer of them.
	Formula   string           `json:"processing" enum:"no_overlap roofline" rel:"target_formula(Formula)" doc:"How times to compute and to move bytes make a cost." says:"costs are by the formula {Formula}"`
	Compute   []Rate           `json:"compute,optional" defines:"rate" rel:"target_compute(Rate, Engine, DType, PerSecond)" doc:"Peak operations a second of an engine with elements of a type." says:"engine {Engine} does {PerSecond} operations a second on {DType}"`
	Bandwidth *Curve           `json:"memory_bandwidth,optional" rel:"target_bandwidth(PerSecond)" doc:"Peak bytes a second of memory." says:"memory moves {PerSecond} bytes a second"`
	Tiers     []Tier           `json:"network_tiers,optional" rel:"target_tier(Place#, Size, PerSecond, Latency)" doc:"A network: how many devices it joins, its bandwidth and its latency." says:"network {Place} joins {Size} devices"`
	Kernels   []Implementation `json:"implementations,optional" defines:"implementation" rel:"target_implementation(Implementation, Engine, ABI)" doc:"Something that can do work on an engine, and the ABI that it is called by." says:"{Implementation} runs on engine {Engine} and has ABI {ABI}"`
	// Mesh, Clock and Link are those of a spatial target.
	Mesh  *Mesh `json:"mesh,optional" rel:"target_mesh(Rows, Cols)" doc:"Cores are a mesh of this size." says:"the cores are a mesh of {Rows rows} and {Cols columns}"`
	Clock int64 `json:"clock_hertz,optional" min:"1" rel:"target_clock(Hertz)" doc:"Cycles a second." says:"the clock has {Hertz} cycles a second"`
	Link  *Link `json:"link,optional" rel:"target_link(PerCycle, Latency)" doc:"What a link between neighbours carries." says:"a link carries {PerCycle bytes} a cycle, {Latency cycles} a hop"`
}

// Engine is what a device does work with.
type Engine struct {
	_  struct{} `noun:"an engine" key:"Engine"`
	At uint32

	ID    string `json:"id"`
	Kind  string `json:"kind" enum:"compute collective transfer host"`
	Count int64  `json:"count,optional" min:"1" absent:"1"`
	// Width is how many commands it issues in a cycle.
	Width int64 `json:"issue_width,optional" min:"1" absent:"1"`
}

// Memory is a memory space of a device.
type Memory struct {
	_  struct{} `noun:"a memory space"`
	At uint32

	Space     string `json:"space"`
	Bytes     int64  `json:"capacity_bytes" min:"1"`
	Alignment int64  `json:"alignment_bytes,optional" min:"1" absent:"1"`
}

// Rate is how fast an engine computes with elements of a type: of PerSecond the
// share that Curve has for the operations of a task.
type Rate struct {
	_  struct{} `noun:"a rate" key:"Rate"`
	At uint32

	ID        string      `json:"id"`
	Engine    string      `json:"engine" ref:"engine"`
	DType     string      `json:"dtype" enum:"bf16 f16 f32 f64 i8 i32 i64"`
	PerSecond int64       `json:"operations_per_second" min:"1"`
	Curve     []Threshold `json:"efficiency,optional" rel:"rate_threshold(Rate, Place#, From, Millionth)" doc:"From this many operations on the engine reaches this many millionths of the rate." says:"from {From} operations on {Millionth} millionths of rate {Rate} are reached"`
}

// Curve is how fast memory is: of PerSecond the share that Curve has for the bytes
// that a task reads and writes.
type Curve struct {
	_  struct{} `noun:"a bandwidth"`
	At uint32

	PerSecond int64       `json:"bytes_per_second" min:"1"`
	Curve     []Threshold `json:"efficiency,optional" rel:"bandwidth_threshold(Place#, From, Millionth)" doc:"From this many bytes on memory reaches this many millionths of its bandwidth." says:"from {From} bytes on memory reaches {Millionth} millionths"`
}

// Threshold says that from this size on the efficiency is this; thresholds
// descend to 0. Without any the efficiency is 1.
type Threshold struct {
	_  struct{} `noun:"a threshold"`
	At uint32

	From      int64 `json:"from" min:"0"`
	Millionth int64 `json:"efficiency_millionths" min:"1"`
}

// Tier is a network that joins devices.
type Tier struct {
	_  struct{} `noun:"a network tier"`
	At uint32

	Size       int64 `json:"devices" min:"1"`
	PerSecond  int64 `json:"bytes_per_second" min:"1"`
	Efficiency int64 `json:"efficiency_millionths,optional" min:"1" absent:"1000000"`
	Latency    int64 `json:"latency_ps,optional" min:"0"`
	// Formula is volume, by the multipliers below, or ring: the bytes and the steps
	// of a ring.
	Formula     string       `json:"formula" enum:"volume ring"`
	Collectives []Multiplier `json:"collectives,optional"`
}

// Multiplier says that a collective of n bytes on P devices moves
// n x Times x (1 + Offset / P) bytes; Times and Offset are in millionths.
type Multiplier struct {
	_  struct{} `noun:"a collective's volume"`
	At uint32

	Op     string `json:"op"`
	Times  int64  `json:"times_millionths" min:"0"`
	Offset int64  `json:"offset_millionths,optional" min:"-1000000000"`
}

// Implementation can do work that asks for its capabilities.
type Implementation struct {
	_  struct{} `noun:"an implementation" key:"Implementation"`
	At uint32

	ID           string   `json:"id"`
	Namespace    string   `json:"namespace"`
	Name         string   `json:"name"`
	Version      string   `json:"version"`
	ABI          string   `json:"abi"`
	Variant      string   `json:"variant,optional"`
	Engine       string   `json:"engine" ref:"engine"`
	Capabilities []string `json:"capabilities" rel:"implementation_capability(Implementation, Capability)" doc:"What the implementation can do." says:"{Implementation} can do {Capability}"`
	DTypes       []string `json:"dtypes" enum:"bf16 f16 f32 f64 i8 i32 i64" rel:"implementation_dtype(Implementation, DType)" doc:"A data type that the implementation works on." says:"{Implementation} works on {DType}"`
	// MaxDim is the largest size of an axis, 0 without limit.
	MaxDim    int64 `json:"max_dim,optional" min:"0" rel:"implementation_limit(Implementation, Size)" doc:"The largest size of an axis that the implementation takes." says:"{Implementation} takes axes of up to {Size}"`
	Workspace int64 `json:"workspace_bytes,optional" min:"0" rel:"implementation_workspace(Implementation, Bytes)" doc:"What the implementation needs beside its operands." says:"{Implementation} needs {Bytes bytes} of workspace"`
}

// Mesh is how cores of a spatial target lie.
type Mesh struct {
	_  struct{} `noun:"a mesh"`
	At uint32

	Rows int64 `json:"rows" min:"1"`
	Cols int64 `json:"cols" min:"1"`
}

// Link joins two neighbours of a mesh, each way.
type Link struct {
	_  struct{} `noun:"a link"`
	At uint32

	PerCycle int64 `json:"bytes_per_cycle" min:"1"`
	Latency  int64 `json:"hop_cycles" min:"0"`
}

// Deployment is where a plan is to run.
type Deployment struct {
	_  struct{} `noun:"a deployment profile"`
	At uint32

	level.Header
	// Topology is how the devices reach each other; a single one needs none.
	Topology string   `json:"topology,optional" enum:"all-to-all ring mesh" rel:"deployment_topology(Topology)" doc:"How the devices reach each other." says:"the devices are joined as {Topology}"`
	Devices  []string `json:"devices" rel:"deployed_device(Place#, Device)" doc:"A device of the deployment." says:"the deployment has device {Device}"`
	// Memory is what is free on each device; absent when all of the target's is.
	Memory      int64  `json:"available_memory_bytes,optional" min:"0" absent:"-1" rel:"deployment_memory(Bytes)" doc:"What is free on each device." says:"{Bytes bytes} are free on each device"`
	Reserved    int64  `json:"reserved_bytes,optional" min:"0" rel:"deployment_reserved(Bytes)" doc:"What plans must leave free on each device." says:"{Bytes bytes} of each device are reserved"`
	Environment string `json:"environment_revision,optional" rel:"deployment_environment(Revision)" doc:"The revision of drivers and libraries." says:"the deployment has environment {Revision}"`
}
