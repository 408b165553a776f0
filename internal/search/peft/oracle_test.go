package peft

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// naive is the method as its paper has it, one core at a time and with means
// (times the number of cores), for tasks of one lane.
func naive(p *Problem) Result {
	n, m := len(p.Tasks), len(p.Cores)
	cycles := func(t, c int) int64 { return p.Tasks[t].Cycles[p.Cores[c]] }
	known := map[[2]int]int64{}
	var oct func(t, c int) int64
	oct = func(t, c int) int64 {
		if v, ok := known[[2]int{t, c}]; ok {
			return v
		}
		most := int64(0)
		for _, e := range p.Edges {
			if e.From != t {
				continue
			}
			least := int64(-1)
			for d := range m {
				v := oct(e.To, d) + cycles(e.To, d)
				if d != c {
					v += e.Comm
				}
				if least < 0 || v < least {
					least = v
				}
			}
			most = max(most, least)
		}
		known[[2]int{t, c}] = most
		return most
	}
	mean := func(t int) float64 {
		sum := 0.0
		for c := range m {
			sum += float64(oct(t, c))
		}
		return sum
	}
	r := Result{Start: make([][]int64, n), Finish: make([][]int64, n), Core: make([][]int, n)}
	type span struct{ start, end int64 }
	busy := make([][]span, m)
	for range n {
		next := -1
		for t := range n {
			if r.Start[t] != nil || slices.ContainsFunc(p.Edges, func(e Edge) bool { return e.To == t && r.Start[e.From] == nil }) {
				continue
			}
			if next < 0 || mean(t) > mean(next) {
				next = t
			}
		}
		best, bestStart, bestCost := -1, int64(0), int64(0)
		for c := range m {
			start := int64(0)
			for _, e := range p.Edges {
				if e.To != next {
					continue
				}
				arrival := r.Finish[e.From][0]
				if r.Core[e.From][0] != c {
					arrival += e.Comm
				}
				start = max(start, arrival)
			}
			// The busy spans are in order of time.
			if cycles(next, c) > 0 {
				for _, b := range busy[c] {
					if start+cycles(next, c) <= b.start {
						break
					}
					start = max(start, b.end)
				}
			}
			if cost := start + cycles(next, c) + oct(next, c); best < 0 || cost < bestCost {
				best, bestStart, bestCost = c, start, cost
			}
		}
		end := bestStart + cycles(next, best)
		if end > bestStart {
			busy[best] = append(busy[best], span{bestStart, end})
			slices.SortFunc(busy[best], func(a, b span) int { return int(a.start - b.start) })
		}
		r.Start[next], r.Finish[next], r.Core[next] = []int64{bestStart}, []int64{end}, []int{best}
		r.Order = append(r.Order, next)
		r.Length = max(r.Length, end)
	}
	return r
}

// illegal says what is wrong with a schedule, "" if nothing is.
func illegal(p *Problem, r Result) string {
	type span struct {
		start, end int64
		task       int
	}
	busy := make([][]span, len(p.Cores))
	length := int64(0)
	for t, task := range p.Tasks {
		if len(r.Start[t]) != task.Lanes || len(r.Finish[t]) != task.Lanes || len(r.Core[t]) != task.Lanes {
			return fmt.Sprintf("task %d has %d starts", t, len(r.Start[t]))
		}
		for l := range task.Lanes {
			start, end, c := r.Start[t][l], r.Finish[t][l], r.Core[t][l]
			if start < 0 || end-start != task.Cycles[p.Cores[c]] {
				return fmt.Sprintf("lane %d of task %d runs from %d to %d on core %d", l, t, start, end, c)
			}
			if end > start {
				busy[c] = append(busy[c], span{start, end, t})
			}
			length = max(length, end)
		}
	}
	for c, spans := range busy {
		slices.SortFunc(spans, func(a, b span) int { return int(a.start - b.start) })
		for i := 1; i < len(spans); i++ {
			if spans[i].start < spans[i-1].end {
				return fmt.Sprintf("tasks %d and %d overlap on core %d", spans[i-1].task, spans[i].task, c)
			}
		}
	}
	for _, e := range p.Edges {
		// Deal the cycles out one by one: those of the slices are shares.
		shares := make([]int64, p.Tasks[e.From].Lanes)
		for i := range e.Comm {
			shares[i%int64(len(shares))]++
		}
		for l, s := range shares {
			for j, start := range r.Start[e.To] {
				need := r.Finish[e.From][l]
				if r.Core[e.From][l] != r.Core[e.To][j] {
					need += s
				}
				if start < need {
					return fmt.Sprintf("lane %d of task %d starts at %d before lane %d of task %d is there at %d", j, e.To, start, l, e.From, need)
				}
			}
		}
	}
	at := make([]int, len(p.Tasks))
	for i, t := range r.Order {
		at[t] = i
	}
	for _, e := range p.Edges {
		if at[e.From] >= at[e.To] {
			return fmt.Sprintf("task %d is scheduled before %d", e.To, e.From)
		}
	}
	if len(r.Order) != len(p.Tasks) || r.Length != length {
		return fmt.Sprintf("%d tasks in order, length %d instead of %d", len(r.Order), r.Length, length)
	}
	return ""
}

// randomProblem returns a problem with up to the given number of tasks, of one
// lane each or of some; seeds cover kinds that no core has, tasks of no cycles,
// free communication, edges twice, and dear ones, which make gaps.
func randomProblem(seed uint64, tasks, lanes int) *Problem {
	r := rand.New(rand.NewPCG(seed, 0x70656674))
	n, kinds := r.IntN(tasks+1), 1+r.IntN(4)
	p := &Problem{}
	for range 1 + r.IntN(6) {
		p.Cores = append(p.Cores, r.IntN(kinds))
	}
	most := int64(1) << r.IntN(8)
	for range n {
		task := Task{Lanes: 1 + r.IntN(lanes)}
		for range kinds {
			task.Cycles = append(task.Cycles, r.Int64N(most+1))
		}
		p.Tasks = append(p.Tasks, task)
	}
	order, dear := r.Perm(n), 1+r.Int64N(4*most)
	near := 1 + r.IntN(8)
	for i := range n {
		for j := max(0, i-near); j < i; j++ {
			for r.IntN(3) == 0 {
				p.Edges = append(p.Edges, Edge{order[j], order[i], r.Int64N(dear)})
			}
		}
	}
	return p
}
