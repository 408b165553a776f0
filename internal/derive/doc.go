// Package derive makes documents from those of the level above. A pass removes one
// unknown and adds only what its level owns; what it makes is judged like a
// stranger's before anybody sees it.
//
//	Distribute   ModelIR -> DistributedTaskIR         who has which part of what, and who adds up
//	Plan         DistributedTaskIR -> PortablePlanIR  buffers, work and needs, for any target
//	Bind         PortablePlanIR -> binding            what does each task on a target, and its cost
//	Schedule     binding -> ConcretePlanIR            commands, their order, and memory
//	LowerPass    ConcretePlanIR -> MachineIR          calls, signals and waits
//
// Down goes the whole way.
package derive
