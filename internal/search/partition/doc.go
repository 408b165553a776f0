// Package partition assigns ops to pipeline stages so that the largest stage
// load is as small as possible, and proves how small it can be. It works on
// numbers and knows nothing of plans.
//
// No one method does this well, so a team shares one best assignment and one
// bound (board), and each part either lowers the one or raises the other:
//
//	structure   what follows from edges and sums alone: the start of all
//	annealer    walks to assignments under a limit
//	prober      SAT on stage order literals, loads as covers added lazily
//	brancher    branch and bound on ranges of stages, with least cuts
//
// A net is the problem made ready (ops in topological order, closures as
// bitsets), a box is a range of stages for every op, and a narrower shrinks
// boxes to what a load limit leaves. Problem.Loads defines what is legal and
// what it costs; every answer is held against it before it is returned.
//
// Tried and left out, because nothing was closed sooner with them on the
// dnn-partitioning workloads (go run ./internal/bench/partition): a programme
// over ideals (it is in the tests, as an oracle), a pass that proves edges
// tight by supposing that they are not, subset sums over two stages. What took
// their place is in the narrower, for every box: windows of stages, values that
// find no room to be carried, and stages that could be merged.
//
// Certify writes down why nothing is better: covers that can be added up by
// hand, and a formula made of them that any SAT solver can refute.
//
// All arithmetic is exact: Solve refuses problems whose sums could overflow.
package partition
