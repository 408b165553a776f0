package example

import (
	"cmp"
	"fmt"
	"slices"
)

// packing is where the lanes of a stage's nodes are.
type packing struct {
	cores    map[int][]int64 // of each node, the core of each lane, counted from the stage's first
	interval int64           // the largest load of a core
}

// slice is the unit of weight memory: a lane's share of a weight. Two ops that
// share a weight share its slices, and a core holds a slice once.
type slice struct {
	weight string
	lane   int64
}

type laneOf struct {
	node   int
	lane   int64
	cycles int64
	bytes  int64
}

// pack puts the lanes of a stage on a number of equal cores, the longest first,
// each on the least loaded core that has room for its weights. It reports
// whether all lanes found one.
func (s *schedule) pack(stage int, cores, capacity, paramBytes int64) (packing, bool) {
	var queue []laneOf
	p := packing{cores: map[int][]int64{}}
	for i, n := range s.nodes {
		if s.stage[i] != stage {
			continue
		}
		p.cores[i] = make([]int64, s.lanes[i])
		for lane := range s.lanes[i] {
			queue = append(queue, laneOf{i, lane, laneCycles(n, s.lanes[i]), n.params() * paramBytes / s.lanes[i]})
		}
	}
	slices.SortStableFunc(queue, func(a, b laneOf) int {
		return cmp.Or(cmp.Compare(b.cycles, a.cycles), cmp.Compare(b.bytes, a.bytes))
	})
	load, used := make([]int64, cores), make([]int64, cores)
	held := make([]map[slice]bool, cores)
	for c := range held {
		held[c] = map[slice]bool{}
	}
	for _, l := range queue {
		best, bestNew := int64(-1), int64(0)
		for c := range cores {
			fresh := int64(0)
			for _, w := range s.nodes[l.node].weights {
				if !held[c][slice{w.id, l.lane}] {
					fresh += w.params * paramBytes / s.lanes[l.node]
				}
			}
			if used[c]+fresh <= capacity && (best < 0 || load[c] < load[best]) {
				best, bestNew = c, fresh
			}
		}
		if best < 0 {
			return packing{}, false
		}
		for _, w := range s.nodes[l.node].weights {
			held[best][slice{w.id, l.lane}] = true
		}
		load[best] += l.cycles
		used[best] += bestNew
		p.cores[l.node][l.lane] = best
	}
	p.interval = slices.Max(load)
	return p, true
}

// packStages shares out all cores of the machine: each stage gets as few as its
// weights need, and the others go, one at a time, to the stage with the largest
// interval. It fails where the machine is too small.
func (s *schedule) packStages(m machine, stages int, paramBytes int64) ([]packing, []int64, error) {
	packed, cores := make([]packing, stages), make([]int64, stages)
	free := m.cores()
	for k := range stages {
		for ok := false; !ok; free-- {
			if free == 0 {
				return nil, nil, fmt.Errorf("the weights of stages 0 to %d do not fit %d cores of %d bytes", k, m.cores(), m.capacity)
			}
			cores[k]++
			packed[k], ok = s.pack(k, cores[k], m.capacity, paramBytes)
		}
	}
	for ; free > 0; free-- {
		k := 0
		for i := range packed {
			if packed[i].interval > packed[k].interval {
				k = i
			}
		}
		cores[k]++
		var ok bool
		if packed[k], ok = s.pack(k, cores[k], m.capacity, paramBytes); !ok {
			return nil, nil, fmt.Errorf("stage %d fits %d cores and not %d", k, cores[k]-1, cores[k])
		}
	}
	return packed, cores, nil
}
