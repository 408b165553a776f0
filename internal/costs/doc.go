// Package costs reckons what the rates of a target say of the cost of a task, and
// what a portable plan asks of it: by these numbers bindings are made, and against
// them rules hold those that are given. All arithmetic is on rationals.
package costs
