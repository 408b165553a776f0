// Package ir holds the levels of a plan as Go values, and their strict JSON
// codec with positions.
//
//	ModelIR -> DistributedTaskIR -> PortablePlanIR -> ConcretePlanIR -> MachineIR
//	meaning    ranks, collectives    work, buffers     cores, queues,    calls, signals,
//	                                                   memory, stages    waits
//
// A level never holds what a later one decides. Today the package has
// ConcretePlanIR, the document that users call plan.json: target, graph, stages
// and assignment, and the program of commands; and the schedule over logical
// cores that is made before stages are decided.
//
// Quantities are exact integers with their unit in the name. A document is
// decoded whole or not at all: every error of shape, type, range or reference
// is reported with its line, column and JSON pointer.
package ir
