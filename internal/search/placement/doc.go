// Package placement puts logical cores on machine cores so that traffic, the
// sum of what flows between two cores times the hops between their places, is
// as small as possible. It works on numbers and knows nothing of plans.
//
// This is the quadratic assignment problem, which is seldom solved to the end.
// The parts share one best placement and one bound (board):
//
//	matching     whether there is any placement, exactly, with a Hall set
//	greedy       a first placement, made better by swaps
//	annealer     a random walk of swaps that lowers the best
//	bounder      the Gilmore-Lawler bound of a partial placement
//	brancher     branch and bound with it, which closes small problems
//
// Problem.Traffic defines what is legal and what it costs; every answer is held
// against it before it is returned. All arithmetic is exact: Solve refuses
// problems whose sums could overflow.
//
// The bound is that of Gilmore (1962) and Lawler (1963).
package placement
