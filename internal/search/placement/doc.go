// Package placement puts logical cores on machine cores so that traffic, the
// sum of what flows between two cores times the hops between their places, is
// as small as possible. It works on numbers and knows nothing of plans.
//
// This is the quadratic assignment problem, which is seldom solved to the end.
// The parts share one best placement and one bound (board):
//
//	matching     whether there is any placement, exactly, with a Hall set
//	greedy       a first placement, made better by swaps
//	cuts         what must cross the lines of a mesh
//	annealer     a random walk of swaps that lowers the best
//	brancher     branch and bound, which closes small problems; cores that are
//	             alike, and places that are, it tries once
//	rounder      the same on flows rounded down, among which more are alike
//
// A net is the problem made ready, and a bounder bounds partial placements after
// Gilmore (1962) and Lawler (1963), with an assigner for the assignment problem
// in it. On pipelines on a mesh, a core's least ways (Gilmore-Lawler) say most
// where stages are small beside the mesh, and cuts where they are large.
//
// Problem.Traffic defines what is legal and what it costs; every answer is held
// against it before it is returned. All arithmetic is exact: Solve refuses
// problems whose sums could overflow.
package placement
