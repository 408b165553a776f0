package peft

import "fmt"

// net is a problem made ready.
type net struct {
	p       *Problem
	in, out [][]Edge // of each task
	topo    []int    // tasks, sources before readers
	kinds   int
	cores   []int64 // how many cores of each kind
	// least positive cycles of a lane on each kind: a shorter gap is of no use.
	least []int64
}

func compile(p *Problem) (*net, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	n := len(p.Tasks)
	w := &net{p: p, in: make([][]Edge, n), out: make([][]Edge, n)}
	for _, k := range p.Cores {
		for w.kinds <= k {
			w.kinds++
			w.cores = append(w.cores, 0)
		}
		w.cores[k]++
	}
	w.least = make([]int64, w.kinds)
	for _, task := range p.Tasks {
		for k := range w.kinds {
			if c := task.Cycles[k]; c > 0 && (w.least[k] == 0 || c < w.least[k]) {
				w.least[k] = c
			}
		}
	}
	for _, e := range p.Edges {
		w.in[e.To] = append(w.in[e.To], e)
		w.out[e.From] = append(w.out[e.From], e)
	}
	open := make([]int, n)
	for t := range n {
		open[t] = len(w.in[t])
		if open[t] == 0 {
			w.topo = append(w.topo, t)
		}
	}
	for i := 0; i < len(w.topo); i++ {
		for _, e := range w.out[w.topo[i]] {
			if open[e.To]--; open[e.To] == 0 {
				w.topo = append(w.topo, e.To)
			}
		}
	}
	if len(w.topo) < n {
		for t := range n {
			if open[t] > 0 {
				return nil, fmt.Errorf("task %d is on a cycle or behind one: %w", t, ErrProblem)
			}
		}
	}
	return w, nil
}
