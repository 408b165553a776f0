// Package execute runs programs of MachineIR: a goroutine for each section, real
// tokens, channels and meetings, and buffers at their offsets in one range of
// memory for each arena. It knows nothing of the levels above.
//
// What orders two goroutines is only what the instructions of the program wait
// for, and memory is plain memory: a program that lost a wait computes something
// wrong sooner or later, and the race detector of Go sees why. So nothing here
// may synchronise goroutines besides: there is no common lock, no common counter
// and no common queue. The watcher that finds programs that are stuck only reads
// what each goroutine says of itself.
package execute
