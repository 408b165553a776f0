// Package simulate plays the program of a plan forward in time: given how long
// each command takes, it tells when each runs, by discrete events in integer
// picoseconds.
//
//	ir.Plan, durations ──Run──▶ Result ──Bundle──▶ timeline.Bundle
//
// A command is ready when everything that docs/command-plan.md lets it wait for
// has come, and the buffers that it reads hold something. It begins when, besides,
// its resource is free: that is its queue, which runs one command at a time, also
// where it has no order of its own (then what is on it shares the engine of the
// queue). Of the commands that are ready for a resource the one begins that was
// ready first; of those the one with the smaller priority, then the earlier place
// among the commands of its queue, then the smaller id.
//
// Commands that complete together (both ends of a rendezvous, collectives and
// arrivals of one number) also begin together, when the last of them is ready and
// the resources of all are free, and run as long as the longest of them takes.
// While it waits for others a command holds no resource, so that resources alone
// stop nothing.
//
// By the spatial extension of a plan a command begins, besides, no earlier than its
// cycle, and takes a slot of its unit for a cycle, and for each hop of its route a
// link. If something is late it begins late, and all that the plan says of it is
// shifted: its hops keep their distances to its issue. Then it may find a link or
// its slot taken, and begins when that is free. Such a command does not occupy a
// queue without order, and begins apart from those that it completes together
// with, of which a receive waits for its message; with the last of them all have
// completed.
//
// The simulator knows no stages and no rules; it does not judge a plan, and says
// what happens when a plan that rules refuse is played. A predicted time makes no
// command ready.
package simulate
