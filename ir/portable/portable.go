// Package portable is PortablePlanIR: the work, the buffers and the needs of each
// task, for any target. It knows no devices, queues, addresses, implementations,
// rates or times.
package portable

import (
	"plancheck/internal/poly"
	"plancheck/ir/level"
)

// Schema names the documents of this level.
const Schema = "plancheck.portable-plan/1"

// Plan is a graph of tasks with their work and their buffers.
type Plan struct {
	_  struct{} `noun:"a portable plan"`
	At uint32

	level.Header
	// Strategy is the digest of the strategy that the tasks were made by.
	Strategy string `json:"strategy_fingerprint,optional" rel:"portable_strategy(Fingerprint)" doc:"The digest of the strategy." says:"the strategy has digest {Fingerprint}"`
	// Planner is the revision of what made the plan.
	Planner string `json:"planner_revision,optional" rel:"portable_planner(Revision)" doc:"The revision of what planned." says:"the plan was made by planner revision {Revision}"`
	// Bindings are the values of symbols. A symbol without one stays open.
	Bindings []Binding `json:"bindings,optional" rel:"portable_binding(Symbol, Value)" doc:"The value of a symbol." says:"{Symbol} is {Value}"`
	// Buffers are the memory that ranks need for shards of values.
	Buffers []Buffer `json:"buffers" defines:"buffer" rel:"portable_buffer(Buffer, Role, Storage)" doc:"A buffer: its role and its storage class." says:"buffer {Buffer} is a {Role}, {Storage}"`
	// Tasks are what is to be done, each behind those that it depends on.
	Tasks []Task `json:"tasks" defines:"task" rel:"portable_task(Task, Place#, Body, Op)" doc:"A task: its place in the list of tasks, its body, and what it does." says:"task {Task} is a {Body} that does {Op}"`
	// Objectives are what the plan is to be good at. There is at least one.
	Objectives []Objective `json:"objectives" rel:"portable_objective(Index#, Kind, Weight)" doc:"What the plan is to be good at." says:"the plan is weighed by {Kind} with {Weight}"`
	// Inputs are the buffers that are given.
	Inputs []string `json:"inputs,optional" ref:"buffer" rel:"portable_input(Buffer)" doc:"The buffer is given." says:"buffer {Buffer} is an input"`
	// Outputs are the buffers with results.
	Outputs []string `json:"outputs,optional" ref:"buffer" rel:"portable_output(Buffer)" doc:"The buffer is a result." says:"buffer {Buffer} is an output"`
}

// Refused are the fields that no document of this level has, wherever they are.
func (Plan) Refused() (code, help string, names []string) { return level.Timings() }

// Binding gives a symbol its value.
type Binding struct {
	_  struct{} `noun:"a binding"`
	At uint32

	// Symbol is the symbol of the model.
	Symbol string `json:"symbol"`
	// Value is its size from now on.
	Value int64 `json:"value" min:"1"`
}

// Buffer is the memory of one rank for its shard of a value.
type Buffer struct {
	_  struct{} `noun:"a buffer" key:"Buffer"`
	At uint32

	ID   string `json:"id"`
	Name string `json:"name,optional"`
	Rank int64  `json:"rank" min:"0" rel:"portable_buffer_rank(Buffer, Rank)" doc:"The rank that has the buffer." says:"buffer {Buffer} is on rank {Rank}"`
	// Shape is the size of what the buffer holds along each axis.
	Shape []poly.Poly `json:"shape" rel:"portable_buffer_dim(Buffer, Axis#, Size)" doc:"The size of what the buffer holds along an axis." says:"buffer {Buffer} has size {Size} along axis {Axis}"`
	DType string      `json:"dtype" enum:"bf16 f16 f32 f64 i8 i32 i64" rel:"portable_buffer_dtype(Buffer, DType)" doc:"The data type of the buffer's elements." says:"buffer {Buffer} has elements of type {DType}"`
	// Size is how many bytes it has: the product of its shape and the bytes of an
	// element.
	Size poly.Poly `json:"size_bytes" rel:"portable_buffer_bytes(Buffer, Bytes)" doc:"The size of the buffer." says:"buffer {Buffer} has {Bytes} bytes"`
	// Align is what its address must be a multiple of.
	Align int64 `json:"alignment_bytes,optional" min:"1" absent:"1" rel:"portable_buffer_alignment(Buffer, Alignment)" doc:"What the address of the buffer is a multiple of." says:"buffer {Buffer} is aligned to {Alignment bytes}"`
	// Role is what it is for.
	Role string `json:"role" enum:"input output value constant state workspace communication"`
	// Storage is where and how long it is kept: constant and state are
	// persistent, workspace is transient, communication is communication.
	Storage string `json:"storage_class" enum:"transient persistent host_visible device_local communication"`
	// Producer is the task that writes it; absent for what is given.
	Producer string `json:"producer,optional" ref:"task" rel:"portable_buffer_producer(Buffer, Task)" doc:"The task that writes the buffer." says:"buffer {Buffer} is written by task {Task}"`
	// Consumers are the tasks that read it.
	Consumers []string       `json:"consumers,optional" ref:"task" rel:"portable_buffer_consumer(Buffer, Index#, Task)" doc:"A task that reads the buffer." says:"buffer {Buffer} is read by task {Task}"`
	Lineage   *level.Lineage `json:"lineage,optional"`
}

// Task is what one rank does, or all ranks of a collective together.
type Task struct {
	_  struct{} `noun:"a task" key:"Task"`
	At uint32

	ID   string `json:"id"`
	Name string `json:"name,optional"`
	// Body is what kind of work it is.
	Body string `json:"body" enum:"compute collective transfer barrier host"`
	// Op is what is done: model.linear, all-reduce.
	Op string `json:"op"`
	// Ranks are the ranks that take part: one in a compute task, all in a collective.
	Ranks []int64 `json:"logical_ranks" rel:"portable_task_rank(Task, Rank)" doc:"The rank takes part in the task." says:"rank {Rank} does task {Task}" rel2:"portable_rank_at(Task, Index#, Rank)" doc2:"The rank in this place of the list of the task's ranks." says2:"rank {Rank} is in place {Index} of task {Task}"`
	// After are the tasks that it depends on.
	After []string `json:"dependencies,optional" ref:"task" rel:"portable_task_after(Task, Index#, Before)" doc:"The task depends on Before." says:"task {Task} depends on {Before}"`
	// Inputs are the buffers that it reads, in the order of its arguments.
	Inputs []string `json:"inputs,optional" ref:"buffer" rel:"portable_task_input(Task, Index#, Buffer)" doc:"A buffer that the task reads." says:"task {Task} reads buffer {Buffer}"`
	// Outputs are the buffers that it writes.
	Outputs []string `json:"outputs,optional" ref:"buffer" rel:"portable_task_output(Task, Index#, Buffer)" doc:"A buffer that the task writes." says:"task {Task} writes buffer {Buffer}"`
	// Work is what one rank does.
	Work Work `json:"workload"`
	// Needs are what an implementation must be able to do, such as linear; never
	// who makes it.
	Needs []string `json:"capabilities,optional" rel:"portable_task_need(Task, Capability)" doc:"What an implementation of the task must be able to do." says:"task {Task} needs {Capability}"`
	// Group is a name that joins tasks which may run at once.
	Group   string         `json:"concurrency_group,optional" rel:"portable_task_group(Task, Group)" doc:"Tasks of one group may run at once." says:"task {Task} is of concurrency group {Group}"`
	Reduce  string         `json:"reduction,optional" enum:"sum max min product" rel:"portable_task_reduction(Task, Reduction)" doc:"What the collective reduces by." says:"task {Task} reduces by {Reduction}"`
	Lineage *level.Lineage `json:"lineage,optional"`
}

// Work is the work of one rank.
type Work struct {
	_  struct{} `noun:"a workload"`
	At uint32

	// Operations is how many arithmetic operations a rank does.
	Operations poly.Poly `json:"operations,optional" rel:"portable_task_operations(Task, Operations)" doc:"Arithmetic operations of a rank." says:"a rank of task {Task} does {Operations} operations"`
	// Read is how many bytes a rank reads.
	Read poly.Poly `json:"read_bytes,optional" rel:"portable_task_read_bytes(Task, Bytes)" doc:"Bytes that a rank reads." says:"a rank of task {Task} reads {Bytes} bytes"`
	// Write is how many bytes a rank writes.
	Write poly.Poly `json:"write_bytes,optional" rel:"portable_task_write_bytes(Task, Bytes)" doc:"Bytes that a rank writes." says:"a rank of task {Task} writes {Bytes} bytes"`
	// Message is how many bytes a rank gives to a collective.
	Message poly.Poly `json:"message_bytes,optional" rel:"portable_task_message_bytes(Task, Bytes)" doc:"Bytes that a rank gives to the collective." says:"a rank gives {Bytes} bytes to task {Task}"`
	// Workspace is how many bytes a rank needs beside its buffers while it does
	// the task.
	Workspace poly.Poly `json:"temporary_bytes,optional" rel:"portable_task_workspace(Task, Bytes)" doc:"Bytes that a rank needs while it does the task." says:"a rank of task {Task} needs {Bytes} bytes for the time"`
}

// Objective is what a plan is to be good at.
type Objective struct {
	_  struct{} `noun:"an objective"`
	At uint32

	// Kind is what counts. Each is there once.
	Kind string `json:"kind" enum:"latency throughput peak_memory energy"`
	// Weight is how much it counts beside the others.
	Weight int64 `json:"weight" min:"1"`
}
