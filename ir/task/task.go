// Package task is DistributedTaskIR: which rank has which part of each value, and
// who computes and communicates what. It owns logical ownership, communication
// and their dependencies; ranks are virtual. It knows no devices, routes, queues,
// kernels, algorithms of collectives, or times.
package task

import (
	"plancheck/internal/poly"
	"plancheck/ir/level"
)

// Schema names the documents of this level.
const Schema = "plancheck.tasks/1"

// Distributed is a graph of tasks on ranks.
type Distributed struct {
	_  struct{} `noun:"a distributed model"`
	At uint32

	level.Header
	// Strategy is how the model was distributed.
	Strategy Strategy `json:"strategy"`
	// Mesh are the axes along which ranks are counted: a rank is the number of
	// its coordinates, the last axis the fastest. There are as many ranks as the
	// product of the sizes.
	Mesh []Axis `json:"mesh" defines:"mesh axis" rel:"mesh_axis(Axis, Place#, Size)" doc:"An axis of the mesh of ranks, and its size." says:"mesh axis {Axis} has {Size ranks}"`
	// Values are the values of the model, as ranks have them.
	Values []Value `json:"values" defines:"value" rel:"task_value(Value, Role)" doc:"A distributed value, and its role." says:"value {Value} is of role {Role}"`
	// Tasks are what ranks compute and communicate, each behind those that it needs.
	Tasks []Task `json:"tasks" defines:"task" rel:"task(Task, Place#, Body, Op)" doc:"A task: its place in the list of tasks, its body, and what it does." says:"task {Task} is a {Body} that does {Op}"`
	// Inputs are the values that the whole is given, in order.
	Inputs []string `json:"inputs,optional" ref:"value" rel:"task_model_input(Index#, Value)" doc:"An input of the whole." says:"value {Value} is input {Index} of the whole"`
	// Outputs are the values that the whole gives, in order.
	Outputs []string `json:"outputs,optional" ref:"value" rel:"task_model_output(Index#, Value)" doc:"An output of the whole." says:"value {Value} is output {Index} of the whole"`
}

// Refused are the fields that no document of this level has, wherever they are.
func (Distributed) Refused() (code, help string, names []string) { return level.Timings() }

// Strategy says how the model was distributed.
type Strategy struct {
	_  struct{} `noun:"a strategy"`
	At uint32

	// TensorParallel is the degree of tensor parallelism: how many ranks share
	// each linear op.
	TensorParallel int64 `json:"tensor_parallel,optional" min:"1" absent:"1" rel:"strategy_tensor_parallel(Degree)" doc:"The degree of tensor parallelism." says:"the degree of tensor parallelism is {Degree}"`
	// Linear are the cuts of the weights of linear ops.
	Linear []OpCut `json:"linear,optional" rel:"strategy_linear(Op, Cut)" doc:"The weight of this linear op of the model is cut by rows, along its first axis, or by columns, along its second." says:"the strategy cuts the weight of {Op} by its {Cut}" rel2:"strategy_op(Index#, Op)" doc2:"The op that the strategy cuts in this place of its list." says2:"cut {Index} of the strategy is of {Op}"`
}

// How the weight w[N,K] of a linear op is cut.
const (
	Row    = "row"    // along N: each rank has a term of the result
	Column = "column" // along K: each rank has columns of the result
)

// OpCut says how the weight of a linear op of the model is cut.
type OpCut struct {
	_  struct{} `noun:"a cut of an op"`
	At uint32

	// Op is the id of the op in the model.
	Op string `json:"op"`
	// Cut is row for a weight w[N,K] that is cut along N, so that each rank has a
	// term of the result, and column for one that is cut along K, so that each
	// has columns of the result.
	Cut string `json:"cut" enum:"row column"`
}

// Axis is an axis of the mesh.
type Axis struct {
	_  struct{} `noun:"a mesh axis" key:"Axis"`
	At uint32

	ID string `json:"id"`
	// Size is how many steps the axis has.
	Size int64 `json:"size" min:"1"`
}

// Value is a value of the model as ranks have it: each of its owners has the
// shard that its sharding says, or, along partial axes, one of the terms whose
// reduction the value is.
type Value struct {
	_  struct{} `noun:"a value" key:"Value"`
	At uint32

	ID   string `json:"id"`
	Name string `json:"name,optional"`
	// Source is the value of the model that this one is a distribution of.
	Source string `json:"source,optional" rel:"task_value_source(Value, Source)" doc:"The value of the model that is distributed." says:"value {Value} is value {Source} of the model"`
	// Shape is the size of the whole value along each axis.
	Shape []poly.Poly `json:"shape" rel:"task_value_dim(Value, Axis#, Size)" doc:"The size of the whole value along an axis." says:"value {Value} has size {Size} along axis {Axis}"`
	DType string      `json:"dtype" enum:"bf16 f16 f32 f64 i8 i32 i64" rel:"task_value_dtype(Value, DType)" doc:"The data type of the value's elements." says:"value {Value} has elements of type {DType}"`
	// Role is the role of the value in the model.
	Role string `json:"role" enum:"input parameter constant activation output state kv_cache optimizer_state"`
	// Sharding are the axes of the value that are cut along axes of the mesh,
	// into equal parts.
	Sharding []Cut `json:"sharding,optional" rel:"task_value_cut(Value, Index#, Dimension, Mesh)" doc:"The value is cut along this axis of it into equal parts, one for each step along the mesh axis." says:"value {Value} is cut along axis {Dimension} by mesh axis {Mesh}"`
	// Partial are the mesh axes along which owners have terms of a reduction.
	Partial []string `json:"partial,optional" ref:"mesh axis" rel:"task_value_partial(Value, Mesh)" doc:"Along this mesh axis owners have terms of the value." says:"value {Value} is partial along mesh axis {Mesh}" rel2:"task_partial_at(Value, Index#, Mesh)" doc2:"The mesh axis in this place of the list of those along which the value is partial." says2:"partial axis {Index} of value {Value} is {Mesh}"`
	// Reduction is what makes the value of its terms; only of a value with
	// partial axes.
	Reduction string `json:"reduction,optional" enum:"sum max min product" rel:"task_value_reduction(Value, Reduction)" doc:"What makes the value of its terms." says:"the terms of value {Value} are reduced by {Reduction}"`
	// Owners are the ranks that have a shard.
	Owners []int64 `json:"owners" rel:"task_value_owner(Value, Rank)" doc:"The rank has its shard of the value." says:"rank {Rank} has a shard of value {Value}" rel2:"task_owner_at(Value, Index#, Rank)" doc2:"The rank in this place of the list of owners." says2:"owner {Index} of value {Value} is rank {Rank}"`
	// Local is the size of one shard along each axis.
	Local   []poly.Poly    `json:"local" rel:"task_value_local_dim(Value, Axis#, Size)" doc:"The size of a shard of the value along an axis." says:"a shard of value {Value} has size {Size} along axis {Axis}"`
	Lineage *level.Lineage `json:"lineage,optional"`
}

// Cut is an axis of a value that is cut along an axis of the mesh.
type Cut struct {
	_  struct{} `noun:"a cut"`
	At uint32

	// Dimension is the axis of the value, from 0 on.
	Dimension int64 `json:"dimension" min:"0"`
	// Mesh is the axis of the mesh.
	Mesh string `json:"mesh" ref:"mesh axis"`
}

// AllReduce is the collective by which every rank gets the reduction of what all
// of them have.
const AllReduce = "all-reduce"

// Sum is the reduction by which terms of a matrix product make it.
const Sum = "sum"

// Task is done by each of its ranks on the shards that the rank has.
type Task struct {
	_  struct{} `noun:"a task" key:"Task"`
	At uint32

	ID   string `json:"id"`
	Name string `json:"name,optional"`
	// Body is what kind of work it is: compute, or the ranks meet in a
	// collective.
	Body string `json:"body" enum:"compute collective"`
	// Op is the kind of the op of the model, such as model.linear, or of the
	// collective: all-reduce.
	Op string `json:"op"`
	// Ranks are the ranks that do the task.
	Ranks []int64 `json:"ranks" rel:"task_rank(Task, Rank)" doc:"The rank does the task." says:"rank {Rank} does task {Task}" rel2:"task_rank_at(Task, Index#, Rank)" doc2:"The rank in this place of the list of the task's ranks." says2:"rank {Rank} is in place {Index} of task {Task}"`
	// Inputs are the values whose shards it reads, in the order of its arguments.
	Inputs []string `json:"inputs,optional" ref:"value" rel:"task_input(Task, Index#, Value)" doc:"A value whose shards the task reads." says:"task {Task} reads value {Value} as input {Index}"`
	// Outputs are the values whose shards it makes.
	Outputs []string `json:"outputs" ref:"value" rel:"task_output(Task, Index#, Value)" doc:"A value whose shards the task makes." says:"task {Task} makes value {Value} as output {Index}"`
	// After are the tasks that come before this one.
	After []string `json:"after,optional" ref:"task" rel:"task_after(Task, Index#, Before)" doc:"The task comes behind Before." says:"task {Task} comes behind {Before}"`
	// Operations is how many arithmetic operations one rank does.
	Operations poly.Poly `json:"operations,optional" rel:"task_operations(Task, Operations)" doc:"The arithmetic operations of one rank." says:"each rank of task {Task} does {Operations} operations"`
	// Reduction is what a collective reduces by.
	Reduction string `json:"reduction,optional" enum:"sum max min product" rel:"task_reduction(Task, Reduction)" doc:"What the collective reduces by." says:"task {Task} reduces by {Reduction}"`
	// MessageBytes is how many bytes each rank gives to a collective.
	MessageBytes poly.Poly      `json:"message_bytes,optional" rel:"task_message_bytes(Task, Bytes)" doc:"Bytes that each rank gives to the collective." says:"each rank gives {Bytes} bytes to task {Task}"`
	Lineage      *level.Lineage `json:"lineage,optional"`
}
