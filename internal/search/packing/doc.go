// Package packing puts the shares of the ops of one stage on the cores of that
// stage so that the largest core load is as small as possible and the weights of
// every core fit, and proves how small it can be. It works on numbers and knows
// nothing of plans.
//
// Weights lie on cores in slices, or parts of slices. A core holds each once,
// however many items on it use it, so what an item needs depends on what is
// there already. Problem.Value defines what is legal and what it costs; every
// answer is held against it before it is returned.
//
// Parts share one best packing and one bound (board), a file each:
//
//	bounds     what follows from sums and from counting: the start of all
//	crowd      what slices that fill most of a core leave to the others
//	stretch    counting of shares by dual feasible functions
//	greedy     largest first, beside what it shares, where there is room
//	annealer   walks of moves and swaps to packings within a limit
//	exchange   subsets of two cores change places so that both come within it
//	brancher   branch and bound over items, with equal cores and items in order
//	prober     the SAT solver, where a problem is small
//
// A net is the problem made ready, with slices cut into chunks that items share;
// a state is a packing under construction.
//
// Fit asks whether there is any packing within a limit, and which items cannot
// be packed together when there is none: first these parts, then the SAT solver,
// to which loads and weights are told as covers, lazily.
//
// All arithmetic is exact: problems whose sums could overflow are refused.
package packing
