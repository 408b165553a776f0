// Package model is ModelIR: what a model computes. It owns meaning, shapes, data
// types, roles and effects, and knows no ranks, devices, kernels or times.
package model

import (
	"plancheck/internal/poly"
	"plancheck/ir/level"
)

// Schema names the documents of this level.
const Schema = "plancheck.model/1"

// Model is a graph of operations on values.
type Model struct {
	_  struct{} `noun:"a model"`
	At uint32

	level.Header
	// Symbols are the sizes that are open.
	Symbols []Symbol `json:"symbols,optional" defines:"symbol" rel:"model_symbol(Symbol)" doc:"A symbol that shapes may use." says:"the model has symbol {Symbol}"`
	// Values are the tensors of the model: what it is given and what ops compute.
	Values []Value `json:"values" defines:"value" rel:"model_value(Value, Role)" doc:"A value, and its role." says:"value {Value} is of role {Role}"`
	// Ops are the operations, each behind those whose values it reads.
	Ops []Op `json:"ops" defines:"op" rel:"model_op(Op, Place#, Kind)" doc:"An operation, its place in the list of ops, from 0 on, and its kind: dialect.name." says:"op {Op} is a {Kind}"`
	// Inputs are the values that the model is given, in order.
	Inputs []string `json:"inputs,optional" ref:"value" rel:"model_input(Index#, Value)" doc:"An input of the model." says:"value {Value} is input {Index} of the model"`
	// Outputs are the values that the model gives, in order.
	Outputs []string `json:"outputs,optional" ref:"value" rel:"model_output(Index#, Value)" doc:"An output of the model." says:"value {Value} is output {Index} of the model"`
}

// Refused are the fields that no document of this level has, wherever they are.
func (Model) Refused() (code, help string, names []string) { return level.Timings() }

// Symbol stands for a size that is not known yet, such as the rows of a batch.
type Symbol struct {
	_  struct{} `noun:"a symbol" key:"Symbol"`
	At uint32

	// ID is the word for it in shapes: a letter, then letters, digits and
	// underscores.
	ID   string `json:"id"`
	Axis string `json:"axis,optional" rel:"model_symbol_axis(Symbol, Axis)" doc:"What the symbol counts: batch, sequence." says:"symbol {Symbol} counts {Axis}"`
}

// Value is a tensor.
type Value struct {
	_  struct{} `noun:"a value" key:"Value"`
	At uint32

	ID   string `json:"id"`
	Name string `json:"name,optional"`
	// Type is the shape, and the data type of the elements.
	Type Type `json:"type" rel:"model_value_dtype(Value, DType)" doc:"The data type of the value's elements." says:"value {Value} has elements of type {DType}"`
	// Role is what the value is for. Activations, outputs and the state of an
	// optimizer are computed by an op; the others are given.
	Role string `json:"role" enum:"input parameter constant activation output state kv_cache optimizer_state"`
}

// Type is the type of a value.
type Type struct {
	_  struct{} `noun:"a type"`
	At uint32

	// Shape is the size along each axis, from axis 0 on.
	Shape []poly.Poly `json:"shape" rel:"model_value_dim(Value, Axis#, Size)" doc:"The size of the value along an axis, from 0 on: a number or a polynomial in symbols." says:"value {Value} has size {Size} along axis {Axis}"`
	DType string      `json:"dtype" enum:"bf16 f16 f32 f64 i8 i32 i64"`
}

// Op computes its outputs from its inputs.
type Op struct {
	_  struct{} `noun:"an op" key:"Op"`
	At uint32

	ID   string `json:"id"`
	Name string `json:"name,optional"`
	// Kind is dialect.name. What model.linear, model.relu and model.gelu do is
	// known: linear multiplies x[M,N] by w[N,K].
	Kind string `json:"kind"`
	// Inputs are the values that the op reads, in the order of its arguments.
	Inputs []string `json:"inputs,optional" ref:"value" rel:"model_op_input(Op, Index#, Value)" doc:"A value that the op reads, by its position." says:"op {Op} reads {Value} as input {Index}"`
	// Outputs are the values that the op computes.
	Outputs []string `json:"outputs" ref:"value" rel:"model_op_output(Op, Index#, Value)" doc:"A value that the op computes, by its position." says:"op {Op} computes {Value} as output {Index}"`
	// After are ops that come before this one although no value says so.
	After []string `json:"after,optional" ref:"op" rel:"model_op_after(Op, Index#, Before)" doc:"The op comes behind Before although no value says so." says:"op {Op} comes behind {Before}"`
	// Effects are what the op does besides.
	Effects []Effect `json:"effects,optional" rel:"model_op_effect(Op, Kind, Resource)" doc:"What the op does besides." says:"op {Op} has the effect {Kind} on {Resource}"`
}

// Effect is what an op does to something that is no value.
type Effect struct {
	_  struct{} `noun:"an effect"`
	At uint32

	// Kind is what is done.
	Kind string `json:"kind" enum:"read write state random io"`
	// Resource is what it is done to, by any name: effects on one resource need
	// an order.
	Resource string `json:"resource"`
}
