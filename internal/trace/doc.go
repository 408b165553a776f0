// Package trace writes a timeline in the formats of trace viewers: a process for
// each device, a track for each queue, a slice for each command, and arrows along
// the critical path.
package trace
