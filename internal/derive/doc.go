// Package derive makes documents from those of the level above. A pass removes one
// unknown and adds only what its level owns; what it makes is judged like a
// stranger's before anybody sees it.
//
//	Distribute   ModelIR -> DistributedTaskIR   who has which part of what, and who adds up
//	Plan         DistributedTaskIR -> PortablePlanIR  buffers, work and needs, for any target
//	Schedule     Binding -> ConcretePlanIR    commands on queues in an order, and buffers in memory
//	Lower        ConcretePlanIR -> MachineIR  calls, signals and waits
package derive
