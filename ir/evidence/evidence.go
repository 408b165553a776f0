// Package evidence holds what is known of a target and of the times that things
// take on it: the profile of a target and of a deployment, revisions of evidence,
// and what was bound on it. Rates and times are integers: bytes or operations a
// second, picoseconds, and ratios in millionths.
package evidence

import "plancheck/ir/level"

// The schemas of the documents of this package.
const (
	TargetSchema     = "plancheck.target/1"
	DeploymentSchema = "plancheck.deployment/1"
	EvidenceSchema   = "plancheck.evidence/1"
	BindingSchema    = "plancheck.binding/1"
)

// Target is what a kind of device can do.
type Target struct {
	_  struct{} `noun:"a target profile"`
	At uint32

	level.Header
	Family       string           `json:"family" enum:"queue spatial" rel:"target_family(Family)" doc:"The family of the target." says:"the target is of family {Family}"`
	Architecture string           `json:"architecture"`
	Revision     string           `json:"architecture_revision,optional"`
	Runtime      string           `json:"runtime_revision,optional"`
	ABI          string           `json:"target_abi" rel:"target_abi(ABI)" doc:"The ABI of the target." says:"the target has ABI {ABI}"`
	Engines      []Engine         `json:"engines" rel:"target_engine(Engine, Kind, Count)" doc:"An engine of each device, and how many there are." says:"a device has {Count} of engine {Engine}, of kind {Kind}"`
	Memory       []Memory         `json:"memory" rel:"target_memory(Space, Bytes, Alignment)" doc:"A memory space of each device." says:"a device has memory space {Space} of {Bytes bytes}"`
	Compute      []Rate           `json:"compute,optional" rel:"target_compute(DType, PerSecond)" doc:"Peak operations a second with elements of a type." says:"a device does {PerSecond} operations a second on {DType}"`
	Bandwidth    *Curve           `json:"memory_bandwidth,optional" rel:"target_bandwidth(PerSecond)" doc:"Peak bytes a second of memory." says:"memory moves {PerSecond} bytes a second"`
	Tiers        []Tier           `json:"network_tiers,optional" rel:"target_tier(Place#, Size, PerSecond, Latency)" doc:"A network: how many devices it joins, its bandwidth and its latency." says:"network {Place} joins {Size} devices"`
	Kernels      []Implementation `json:"implementations,optional" rel:"target_implementation(Implementation, Capability, DType)" doc:"What can do a capability on elements of a type." says:"{Implementation} can do {Capability} on {DType}"`
}

// Engine is what a device does work with.
type Engine struct {
	_  struct{} `noun:"an engine" key:"Engine"`
	At uint32

	ID    string `json:"id"`
	Kind  string `json:"kind" enum:"compute collective transfer host"`
	Count int64  `json:"count,optional" min:"1" absent:"1"`
	Width int64  `json:"issue_width,optional" min:"1" absent:"1"`
}

// Memory is a memory space of a device.
type Memory struct {
	_  struct{} `noun:"a memory space"`
	At uint32

	Space     string `json:"space"`
	Bytes     int64  `json:"capacity_bytes" min:"1"`
	Alignment int64  `json:"alignment_bytes,optional" min:"1" absent:"1"`
}

// Rate is how fast a device computes with elements of a type.
type Rate struct {
	_  struct{} `noun:"a rate"`
	At uint32

	DType     string      `json:"dtype"`
	PerSecond int64       `json:"operations_per_second" min:"1"`
	Curve     []Threshold `json:"efficiency,optional"`
}

// Curve is how fast memory is.
type Curve struct {
	_  struct{} `noun:"a bandwidth"`
	At uint32

	PerSecond int64       `json:"bytes_per_second" min:"1"`
	Curve     []Threshold `json:"efficiency,optional"`
}

// Threshold says that from this size on the efficiency is this; thresholds
// descend to 0.
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

	Size        int64        `json:"devices" min:"1"`
	PerSecond   int64        `json:"bytes_per_second" min:"1"`
	Efficiency  int64        `json:"efficiency_millionths,optional" min:"1" absent:"1000000"`
	Latency     int64        `json:"latency_ps,optional" min:"0"`
	Collectives []Multiplier `json:"collectives,optional"`
}

// Multiplier says that a collective of n bytes on P devices moves
// n x Times x (1 + Offset / P) bytes; Times and Offset are in millionths.
type Multiplier struct {
	_  struct{} `noun:"a collective's volume"`
	At uint32

	Op     string `json:"op"`
	Times  int64  `json:"times_millionths" min:"0"`
	Offset int64  `json:"offset_millionths" min:"-1000000000"`
}

// Implementation can do a capability.
type Implementation struct {
	_  struct{} `noun:"an implementation" key:"Implementation"`
	At uint32

	ID         string `json:"id"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	Version    string `json:"version"`
	ABI        string `json:"abi"`
	Variant    string `json:"variant,optional"`
	Capability string `json:"capability"`
	DType      string `json:"dtype"`
	// MaxDim is the largest size of an axis, 0 without limit.
	MaxDim    int64 `json:"max_dim,optional" min:"0"`
	Workspace int64 `json:"workspace_bytes,optional" min:"0"`
}

// Deployment is where a plan is to run.
type Deployment struct {
	_  struct{} `noun:"a deployment profile"`
	At uint32

	level.Header
	Target   string   `json:"target_fingerprint,optional"`
	Topology string   `json:"topology,optional" enum:"all-to-all ring mesh"`
	Devices  []string `json:"devices" rel:"deployed_device(Place#, Device)" doc:"A device of the deployment." says:"the deployment has device {Device}"`
	// Memory is what is free on each device; absent when all of the target's is.
	Memory      int64  `json:"available_memory_bytes,optional" min:"0" absent:"-1"`
	Reserved    int64  `json:"reserved_bytes,optional" min:"0"`
	Environment string `json:"environment_revision,optional"`
}

// Evidence is a revision of what is known of times. A revision is never changed:
// a new one names the old one as its parent.
type Evidence struct {
	_  struct{} `noun:"an evidence revision"`
	At uint32

	level.Header
	Provider    string   `json:"provider"`
	Environment string   `json:"environment_revision,optional"`
	Records     []Sample `json:"records" defines:"record" rel:"evidence_record(Record, Duration)" doc:"A measured or stated time." says:"record {Record} is {Duration} picoseconds"`
	// Factors are what calibration found: durations of a group are multiplied by
	// Numerator / Denominator.
	Factors []Factor `json:"factors,optional" rel:"evidence_factor(Group, Numerator, Denominator)" doc:"What durations of the group are multiplied by." says:"durations of {Group} are multiplied by {Numerator} / {Denominator}"`
}

// Sample is a time that something took. Every field of the selector that is
// there must agree with what is asked.
type Sample struct {
	_  struct{} `noun:"a record" key:"Record"`
	At uint32

	ID             string  `json:"id"`
	Op             string  `json:"op"`
	DType          string  `json:"dtype,optional"`
	Implementation string  `json:"implementation,optional"`
	Dims           []int64 `json:"dims,optional" min:"1"`
	Participants   int64   `json:"participants,optional" min:"1" absent:"-1"`
	Bytes          int64   `json:"bytes,optional" min:"0" absent:"-1"`
	Duration       int64   `json:"duration_ps" min:"0"`
	Method         string  `json:"method" enum:"measured simulated analytical calibrated vendor_model"`
}

// Factor corrects the durations of a group.
type Factor struct {
	_  struct{} `noun:"a factor"`
	At uint32

	Group       string `json:"group"`
	Numerator   int64  `json:"numerator" min:"1"`
	Denominator int64  `json:"denominator" min:"1"`
	Samples     int64  `json:"samples" min:"1"`
}
