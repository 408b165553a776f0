package example

import (
	"fmt"

	"plancheck/ir"
)

// schedule is a network with the choices that a plan makes for it.
type schedule struct {
	nodes []node  // those of the network, then the forwards
	lanes []int64 // of each node
	stage []int   // of each node
	value []ref   // of a forward: the node whose result it carries; -1 for other nodes
}

// ordinary marks nodes that are no forwards.
const ordinary ref = -1

// work is the time of a node over all its lanes, which are equal.
func (s *schedule) work(n int) int64 { return s.lanes[n] * laneCycles(s.nodes[n], s.lanes[n]) }

// newSchedule gives every node of the network its lanes and its stage. Stages
// are runs of the topological order, so no edge goes backward.
func newSchedule(net *network, m machine, stages int) *schedule {
	s := &schedule{nodes: net.nodes, lanes: m.chooseLanes(net), value: make([]ref, len(net.nodes))}
	work := make([]int64, len(s.nodes))
	for i := range s.nodes {
		work[i] = s.work(i)
		s.value[i] = ordinary
	}
	s.stage = cut(work, stages)
	return s
}

// cut divides a sequence into that many non-empty runs whose largest sum is as
// small as possible, and returns the run of each element. There are at least
// as many elements as runs.
func cut(work []int64, runs int) []int {
	n := len(work)
	sum := make([]int64, n+1)
	for i, w := range work {
		sum[i+1] = sum[i] + w
	}
	// best[k][i] is the smallest largest sum of the first i elements in k+1
	// runs, and last[k][i] where the last of these runs begins.
	best, last := make([][]int64, runs), make([][]int, runs)
	for k := range runs {
		best[k], last[k] = make([]int64, n+1), make([]int, n+1)
		for i := k + 1; i <= n; i++ {
			if k == 0 {
				best[k][i] = sum[i]
				continue
			}
			best[k][i] = -1
			for j := k; j < i; j++ {
				if t := max(best[k-1][j], sum[i]-sum[j]); best[k][i] < 0 || t < best[k][i] {
					best[k][i], last[k][i] = t, j
				}
			}
		}
	}
	run := make([]int, n)
	for k, end := runs-1, n; k >= 0; k-- {
		for i := last[k][end]; i < end; i++ {
			run[i] = k
		}
		end = last[k][end]
	}
	return run
}

// addForwards gives every value that is read more than one stage after it is
// made a chain of forwards, one in each stage between, and lets each late
// reader read the forward of the stage before its own.
func (s *schedule) addForwards() {
	ordinaryNodes := len(s.nodes)
	farthest := make([]int, ordinaryNodes) // stage of the last reader
	for i, n := range s.nodes {
		for _, from := range n.from {
			farthest[from] = max(farthest[from], s.stage[i])
		}
	}
	// carrier[v][t] is the node that holds value v in stage t.
	carrier := make([]map[int]ref, ordinaryNodes)
	for v := range ordinaryNodes {
		carrier[v] = map[int]ref{s.stage[v]: ref(v)}
		holder := ref(v)
		for t := s.stage[v] + 1; t < farthest[v]; t++ {
			made := s.nodes[v]
			s.nodes = append(s.nodes, node{
				id: fmt.Sprintf("%s.forward%d", made.id, t), kind: ir.KindForward,
				outBytes: made.outBytes, from: []ref{holder},
			})
			s.lanes = append(s.lanes, 1)
			s.stage = append(s.stage, t)
			s.value = append(s.value, ref(v))
			holder = ref(len(s.nodes) - 1)
			carrier[v][t] = holder
		}
	}
	for i := range ordinaryNodes {
		from := make([]ref, len(s.nodes[i].from))
		for j, v := range s.nodes[i].from {
			from[j] = v
			if s.stage[i] > s.stage[v]+1 {
				from[j] = carrier[v][s.stage[i]-1]
			}
		}
		s.nodes[i].from = from
	}
}
