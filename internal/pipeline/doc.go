// Package pipeline knows the schedules of training pipelines: in which order
// each rank works on the forwards and backwards of its stages' microbatches.
//
// A Schedule is numbers only. It is generated (generate.go) or read by an
// importer, says of itself how long it takes, what is in flight and where it gets
// stuck (run.go, shape.go), and becomes a program of commands (program.go), which
// the rules judge like any other: nothing here decides whether a plan is legal.
package pipeline
