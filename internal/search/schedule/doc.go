// Package schedule completes a pipeline schedule: a stage for every op, a range
// of logical cores for every stage, a core for every share of an op, forwards
// for values that live long, and a physical core for every logical one. It works
// on numbers and knows nothing of plans.
//
// Costs are compared in this order: the interval, which is the largest load of a
// core; the number of forwards; the traffic. Problem.Cost defines what is legal
// and what it costs, and every answer is held against it before it is returned.
package schedule
