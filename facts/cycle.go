package facts

import "slices"

// cycleSteps bounds the edges that the search for a smallest cycle follows.
// Graphs of a few thousand ops on cycles are searched to the end; beyond that
// the smallest cycle found so far is shown.
const cycleSteps = 50_000_000

// smallestCycle returns the edges of a smallest cycle of two or more ops, in
// order, beginning at its first op in the document; nil where there is none.
// Of several it takes the one whose first op comes first.
func smallestCycle(o *outEdges, ranks []int64) []int32 {
	inCycles := trimSinks(o, ranks)
	start := slices.Index(inCycles, true)
	if start < 0 {
		return nil
	}
	s := &cycleSearch{out: o, ops: inCycles, via: make([]int32, len(ranks)), from: make([]int32, len(ranks)), steps: cycleSteps}
	var best []int32
	for i := start; i < len(ranks) && s.steps > 0; i++ {
		if !inCycles[i] {
			continue
		}
		if c := s.through(i, len(best)); c != nil {
			best = c
			if len(best) == 2 {
				break
			}
		}
	}
	if best == nil {
		best = anyCycle(o, inCycles, start)
	}
	return best
}

// trimSinks marks the ops that lie on cycles or between them: of the ops
// without a rank, those from which a cycle can be reached.
func trimSinks(o *outEdges, ranks []int64) []bool {
	n := len(ranks)
	ops := make([]bool, n)
	into := make([][]int32, n)
	left := make([]int32, n) // edges out to ops that are still marked
	for i := range n {
		if ranks[i] != unranked {
			continue
		}
		ops[i] = true
		to, _ := o.of(i)
		for _, t := range to {
			if int(t) != i {
				into[t] = append(into[t], int32(i))
				left[i]++
			}
		}
	}
	var sinks []int32
	for i := range n {
		if ops[i] && left[i] == 0 {
			sinks = append(sinks, int32(i))
		}
	}
	for len(sinks) > 0 {
		i := sinks[len(sinks)-1]
		sinks = sinks[:len(sinks)-1]
		ops[i] = false
		for _, f := range into[i] {
			if left[f]--; left[f] == 0 {
				sinks = append(sinks, f)
			}
		}
	}
	return ops
}

// cycleSearch looks for short cycles, breadth first.
type cycleSearch struct {
	out   *outEdges
	ops   []bool
	via   []int32 // edge by which the search reached an op, and
	from  []int32 // one more than the op it came from; 0 where it was not reached
	steps int     // edges that may still be followed
}

// through returns a smallest cycle through an op and later ops only, if it is
// shorter than the given length (0 for any).
func (s *cycleSearch) through(start, shorter int) []int32 {
	queue := []int32{int32(start)}
	defer func() {
		for _, i := range queue {
			s.from[i] = 0
		}
	}()
	s.from[start] = int32(start) + 1
	for depth, next := 1, 0; next < len(queue) && (shorter == 0 || depth < shorter); depth++ {
		for level := len(queue); next < level; next++ {
			i := queue[next]
			to, edges := s.out.of(int(i))
			for k, t := range to {
				if s.steps--; s.steps < 0 {
					return nil
				}
				switch {
				case int(t) == start && i != t:
					return s.path(i, start, edges[k])
				case int(t) > start && s.ops[t] && s.from[t] == 0:
					s.from[t], s.via[t] = i+1, edges[k]
					queue = append(queue, t)
				}
			}
		}
	}
	return nil
}

func (s *cycleSearch) path(last int32, start int, closing int32) []int32 {
	cycle := []int32{closing}
	for i := last; int(i) != start; i = s.from[i] - 1 {
		cycle = append(cycle, s.via[i])
	}
	slices.Reverse(cycle)
	return cycle
}

// anyCycle walks on from a marked op until it comes to an op again.
func anyCycle(o *outEdges, ops []bool, start int) []int32 {
	seen := map[int]int{} // op -> number of edges walked before it
	var walked []int32
	for i := start; ; {
		if n, ok := seen[i]; ok {
			return walked[n:]
		}
		seen[i] = len(walked)
		to, edges := o.of(i)
		for k, t := range to {
			if int(t) != i && ops[t] {
				walked = append(walked, edges[k])
				i = int(t)
				break
			}
		}
	}
}
