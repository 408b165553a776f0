package placement

import (
	"cmp"
	"context"
	"slices"
)

// cut is a set of machine cores: every way from it to the rest is charged
// weight hops.
type cut struct {
	size   int
	weight int64
}

// cuts splits hops into cuts: the weights of those that part two machine cores
// add up to no more than the hops between them, either way. On a mesh each line
// between two rows or columns is a cut, and they add up to the hops exactly.
//
// For two neighbours, the cores nearer to the one than to the other are a
// candidate. Each gets the greatest weight for which the ones before have left
// hops. It looks at a limited number of candidates.
func (w *net) cuts(ctx context.Context) []cut {
	n := w.n
	left := make([]int64, n*n) // hops less the weights so far
	for k := range n {
		for l := range n {
			left[k*n+l] = min(w.hops[k*n+l], w.hops[l*n+k])
		}
	}
	even := slices.Clone(left)
	var cuts []cut
	seen := map[string]bool{}
	side := make([]byte, n)
	for _, e := range neighbours(ctx, n, even) {
		size := 0
		for k := range n {
			side[k] = 0
			if even[k*n+e[0]] < even[k*n+e[1]] {
				side[k] = 1
				size++
			}
		}
		if seen[string(side)] {
			continue
		}
		if len(seen) == 4*n || ctx.Err() != nil {
			break
		}
		seen[string(side)] = true
		if weight := leastAcross(n, left, side); size > 0 && weight > 0 {
			for at := range left {
				if side[at/n] != side[at%n] {
					left[at] -= weight
				}
			}
			cuts = append(cuts, cut{size, weight})
		}
	}
	return cuts
}

// leastAcross is the least of hops between the two sides, each of which has a
// core unless the one side is empty.
func leastAcross(n int, hops []int64, side []byte) int64 {
	least := int64(noValue)
	for k := range n {
		for l := range n {
			if side[k] == side[l] || hops[k*n+l] >= least {
				continue
			}
			if least = hops[k*n+l]; least <= 0 {
				return least
			}
		}
	}
	return least
}

// neighbours returns the pairs of machine cores that have no other one on a
// shortest way between them, the nearest first. Each pair comes both ways round.
// When ctx ends, some are missing.
func neighbours(ctx context.Context, n int, hops []int64) [][2]int {
	var pairs [][2]int
	for k := range n {
		if ctx.Err() != nil {
			break
		}
		for l := range n {
			if k == l || hops[k*n+l] == 0 {
				continue
			}
			between := false
			for o := range n {
				if o != k && o != l && hops[k*n+o]+hops[o*n+l] <= hops[k*n+l] {
					between = true
					break
				}
			}
			if !between {
				pairs = append(pairs, [2]int{k, l})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b [2]int) int { return cmp.Compare(hops[a[0]*n+a[1]], hops[b[0]*n+b[1]]) })
	return pairs
}

// cutBound bounds traffic by what must cross each cut: some logical cores, as
// many as the cut has machine cores, are on its one side. It holds whatever is
// pinned or allowed. When ctx ends, less may be proven.
func (w *net) cutBound(ctx context.Context) int64 {
	cuts := w.cuts(ctx)
	if len(cuts) == 0 {
		return 0
	}
	sections, sum := w.sections(ctx), int64(0)
	if ctx.Err() != nil {
		return 0
	}
	for _, c := range cuts {
		sum += c.weight * sections[c.size]
	}
	return sum
}

// sections returns, for every number of logical cores, a bound on the flow
// between any so many and the rest.
//
// Logical cores are in layers with flow only within a layer and between
// neighbouring ones, as pipeline stages are. How many of each layer are among
// the chosen decides, at least, what flows between it and the next. It gives
// up when ctx ends.
func (w *net) sections(ctx context.Context) []int64 {
	layers := w.layers()
	// least[x][t]: flow cut so far with t chosen, x of them in this layer.
	var least [][]int64
	for s, layer := range layers {
		next := make([][]int64, len(layer)+1)
		for x := range next {
			next[x] = slices.Repeat([]int64{noValue}, w.n+1)
		}
		if s == 0 {
			for x := range next {
				next[x][x] = 0
			}
			least = next
			continue
		}
		between := w.between(layers[s-1], layer)
		for x, row := range least {
			if ctx.Err() != nil {
				return nil
			}
			for y, to := range next {
				flow := between[x][y]
				for t, sum := range row[:w.n+1-y] {
					if sum != noValue {
						to[t+y] = min(to[t+y], sum+flow)
					}
				}
			}
		}
		least = next
	}
	sections := slices.Repeat([]int64{noValue}, w.n+1)
	for _, row := range least {
		for t, sum := range row {
			sections[t] = min(sections[t], sum)
		}
	}
	return sections
}

// between bounds the flow cut between two layers when x cores of the one and y
// of the other are chosen.
func (w *net) between(a, b []int) [][]int64 {
	least := make([][]int64, len(a)+1)
	for x := range least {
		least[x] = make([]int64, len(b)+1)
	}
	w.fromRows(a, b, func(x, y int, flow int64) { least[x][y] = max(least[x][y], flow) })
	w.fromRows(b, a, func(y, x int, flow int64) { least[x][y] = max(least[x][y], flow) })
	return least
}

// fromRows calls set with such a bound for every x and y: a core of a that is
// chosen has flow with all of b that are not, at least the smallest of its
// flows, and one that is not with those that are.
func (w *net) fromRows(a, b []int, set func(x, y int, flow int64)) {
	column := make([]int, w.n) // of each core of b, plus one
	for c, j := range b {
		column[j] = c + 1
	}
	sums := make([][]int64, len(a)) // of the smallest flows of each core of a
	for r, i := range a {
		flows := make([]int64, len(b))
		for _, x := range w.arcs[i] {
			if c := column[x.to]; c > 0 {
				flows[c-1] = x.in + x.out
			}
		}
		slices.Sort(flows)
		sums[r] = make([]int64, len(b)+1)
		for c, f := range flows {
			sums[r][c+1] = sums[r][c] + f
		}
	}
	more := make([]int64, len(a)) // cut by choosing a core instead of not
	for y := range len(b) + 1 {
		flow := int64(0)
		for r := range a {
			flow += sums[r][y]
			more[r] = sums[r][len(b)-y] - sums[r][y]
		}
		slices.Sort(more)
		set(0, y, flow)
		for x, m := range more {
			flow += m
			set(x+1, y, flow)
		}
	}
}

// layers parts the logical cores so that there is flow only within a layer and
// between neighbouring ones, as many layers as are easily had.
func (w *net) layers() [][]int {
	var all [][]int
	known := make([]bool, w.n)
	for i := range w.n {
		if known[i] {
			continue
		}
		// From any core to the farthest ones, and from those back.
		there := w.waves([]int{i})
		back := w.waves(there[len(there)-1])
		for _, layer := range back {
			for _, j := range layer {
				known[j] = true
			}
		}
		all = append(all, back...)
	}
	return all
}

// waves are cores by how many flows lead to them from some.
func (w *net) waves(first []int) [][]int {
	seen := make([]bool, w.n)
	for _, i := range first {
		seen[i] = true
	}
	waves := [][]int{first}
	for {
		var next []int
		for _, i := range waves[len(waves)-1] {
			for _, x := range w.arcs[i] {
				if !seen[x.to] {
					seen[x.to] = true
					next = append(next, x.to)
				}
			}
		}
		if next == nil {
			return waves
		}
		waves = append(waves, next)
	}
}
