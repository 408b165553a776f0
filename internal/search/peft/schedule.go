package peft

import (
	"cmp"
	"container/heap"
	"context"
)

// Schedule schedules all lanes of all tasks. Of tasks with the same rank the
// first goes first, and so does the first of cores that are as good. Errors wrap
// ErrProblem, or are ctx's when it ends first: there is no schedule in part.
func Schedule(ctx context.Context, p *Problem) (Result, error) {
	w, err := compile(p)
	if err != nil {
		return Result{}, err
	}
	n := len(p.Tasks)
	s := &scheduler{
		w:      w,
		lines:  make([]timeline, len(p.Cores)),
		own:    make([]int64, len(p.Cores)),
		ready:  make([]int64, len(p.Cores)),
		result: Result{Start: make([][]int64, n), Finish: make([][]int64, n), Core: make([][]int, n)},
	}
	for c, k := range p.Cores {
		s.lines[c].least = max(w.least[k], 1)
	}
	var rank []int64
	s.table, rank = w.optimistic()
	open := make([]int, n)
	queue := &queue{rank: rank}
	for t := range n {
		if open[t] = len(w.in[t]); open[t] == 0 {
			heap.Push(queue, t)
		}
	}
	for queue.Len() > 0 {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		t := heap.Pop(queue).(int)
		s.arrive(t)
		s.place(t)
		for _, e := range w.out[t] {
			if open[e.To]--; open[e.To] == 0 {
				heap.Push(queue, e.To)
			}
		}
	}
	return s.result, nil
}

// scheduler is a schedule under construction.
type scheduler struct {
	w      *net
	table  [][]int64
	lines  []timeline // of each core
	result Result

	own   []int64 // scratch of arrive: the last finish of a slice on each core
	ready []int64 // when a core has all that the task reads
	picks picks
}

// arrive fills ready for a task whose sources are all scheduled.
func (s *scheduler) arrive(t int) {
	clear(s.own)
	// The last arrival on other cores than the slice's own, and the last one
	// of slices of another core than that one's.
	at, first, second := -1, int64(0), int64(0)
	for _, e := range s.w.in[t] {
		finish, core := s.result.Finish[e.From], s.result.Core[e.From]
		each, extra := e.Comm/int64(len(core)), e.Comm%int64(len(core))
		for l, c := range core {
			s.own[c] = max(s.own[c], finish[l])
			arrival := finish[l] + each
			if int64(l) < extra {
				arrival++
			}
			switch {
			case c == at:
				first = max(first, arrival)
			case at < 0:
				at, first = c, arrival
			case arrival > first:
				at, first, second = c, arrival, first
			default:
				second = max(second, arrival)
			}
		}
	}
	for c := range s.ready {
		away := first
		if c == at {
			away = second
		}
		s.ready[c] = max(s.own[c], away)
	}
}

// place gives each lane of a task, one after the other, the core with the least
// finish plus table entry. A lane changes that of its own core only.
func (s *scheduler) place(t int) {
	task, r := &s.w.p.Tasks[t], &s.result
	s.picks = s.picks[:0]
	for c := range s.lines {
		s.picks = append(s.picks, s.pick(t, c))
	}
	r.Start[t], r.Finish[t], r.Core[t] = make([]int64, task.Lanes), make([]int64, task.Lanes), make([]int, task.Lanes)
	r.Order = append(r.Order, t)
	heap.Init(&s.picks)
	for l := range task.Lanes {
		best := s.picks[0]
		cycles := task.Cycles[s.w.p.Cores[best.core]]
		s.lines[best.core].take(best.start, cycles)
		r.Start[t][l], r.Finish[t][l], r.Core[t][l] = best.start, best.start+cycles, best.core
		r.Length = max(r.Length, best.start+cycles)
		if l+1 < task.Lanes {
			s.picks[0] = s.pick(t, best.core)
			heap.Fix(&s.picks, 0)
		}
	}
}

func (s *scheduler) pick(t, core int) pick {
	k := s.w.p.Cores[core]
	cycles := s.w.p.Tasks[t].Cycles[k]
	start := s.lines[core].find(s.ready[core], cycles)
	return pick{core: core, start: start, cost: start + cycles + s.table[t][k]}
}

// pick is a core that a lane may have, when it would start there, and the
// finish plus the optimistic rest of the way.
type pick struct {
	core        int
	start, cost int64
}

// picks is a heap, the least cost first, of equals the first core.
type picks []pick

func (h picks) Len() int      { return len(h) }
func (h picks) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h picks) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].cost, h[j].cost), cmp.Compare(h[i].core, h[j].core)) < 0
}
func (h *picks) Push(x any) { *h = append(*h, x.(pick)) }
func (h *picks) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// queue is a heap of tasks that can be scheduled, the greatest rank first, of
// equals the first task.
type queue struct {
	tasks []int
	rank  []int64
}

func (q *queue) Len() int      { return len(q.tasks) }
func (q *queue) Swap(i, j int) { q.tasks[i], q.tasks[j] = q.tasks[j], q.tasks[i] }
func (q *queue) Less(i, j int) bool {
	a, b := q.tasks[i], q.tasks[j]
	return cmp.Or(cmp.Compare(q.rank[b], q.rank[a]), cmp.Compare(a, b)) < 0
}
func (q *queue) Push(x any) { q.tasks = append(q.tasks, x.(int)) }
func (q *queue) Pop() any {
	last := len(q.tasks) - 1
	t := q.tasks[last]
	q.tasks = q.tasks[:last]
	return t
}
