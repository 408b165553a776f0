// Package passes completes plans. It runs the phases of the scheduler one after
// the other, and lets the rules judge what each of them made before the next one
// starts:
//
//	given      what the plan decides, without what is given up
//	logical    a list schedule over logical cores, which knows no stages
//	partition  a stage for every op, a range of cores for every stage, forwards
//	pack       a core for every lane, in the stage that the partition chose
//	place      a machine core for every logical core
//	transfer   transfers and synchronisation records, which change nothing else
//
// Rules that the search knows nothing of judge its solutions, and what they say is
// made into clauses that it keeps to (obey.go).
//
// What is best is searched for all at once, between logical and partition; the
// phases write it down, each no more than its own part.
package passes
