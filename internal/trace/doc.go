// Package trace writes a timeline in the formats of trace viewers: a process for
// each device, a track for each queue, a slice for each command, and arrows along
// the critical path. Commands of one queue that overlap are on several tracks of
// its name. A link of a spatial target is a track of the device from which it
// leads, with a slice for each payload.
package trace
