// Package partition assigns ops to pipeline stages so that the largest stage
// load is as small as possible, or the largest load of a core where stages own
// several, and proves how small it can be. It works on numbers and knows nothing
// of plans.
//
// No one method does this well, so a team shares one best assignment and one
// bound (board), and each part either lowers the one or raises the other:
//
//	structure   what follows from edges and sums alone: the start of all
//	annealer    walks to assignments under a limit
//	prober      SAT on stage order literals, loads as covers added lazily
//	brancher    branch and bound on ranges of stages, with least cuts
//	ideals      a dynamic programme over sets of ops, where these are few
//
// A net is the problem made ready (ops in topological order, closures as
// bitsets, the values that may be carried, the cores), a box is a range of stages
// for every op, and a narrower shrinks boxes to what a limit leaves.
// Problem.Loads and Problem.Sizes define what is legal and what it costs; every
// answer is held against them before it is returned.
//
// Every problem is one with cores: without Cores each stage has one, and where
// all sizes are the same and memory is no matter nothing else changes. Where
// sizes can be chosen, a limit says how many cores a window of stages needs for
// its load, and to hold what it uses, and the rest of the stages how many it can
// have (narrower.share); the prober has literals for where stages begin and how
// many cores they have (sizing), and a cover forces cores into a window; the
// annealer gives every assignment that it sees the sizes that fit it best
// (sharer).
//
// Fewest looks, within a limit, for the assignment that carries least. A least
// cut and the counter, a totalizer on top of the prober's formula, bound it; the
// annealer, to which carrying then has a price, lowers it (thrift).
//
// Tried and left out, because nothing was closed sooner with them on the
// dnn-partitioning workloads (go run ./internal/bench/partition): with one core
// for each stage the programme over ideals, a pass that proves edges tight by
// supposing that they are not, subset sums over two stages. What took their
// place is in the narrower, for every box: windows of stages, values that find no
// room to be carried, and stages that could be merged. With cores to choose:
// covers that claim a core less of some stages where a model needs several too
// many.
//
// Certify writes down why nothing is better: covers that can be added up by
// hand, and a formula made of them that any SAT solver can refute.
//
// All arithmetic is exact: Solve refuses problems whose sums could overflow.
package partition
