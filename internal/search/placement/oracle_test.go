package placement

import "math/rand/v2"

// randomProblem returns a problem with up to the given number of machine cores;
// seeds cover flows both ways and to oneself, sparse and dense, meshes and any
// tables, pins, places that are not allowed, and more machine cores than logical
// ones, or fewer.
func randomProblem(seed uint64, most int) *Problem {
	r := rand.New(rand.NewPCG(seed, 0x706c6163))
	m := 1 + r.IntN(most)
	p := &Problem{Cores: m}
	switch r.IntN(8) {
	case 0:
		p.Cores = r.IntN(m + 1)
	case 1:
		p.Cores = min(m+r.IntN(2), most)
	}
	n := p.Cores
	if n > 0 {
		density := 1 + r.IntN(4)
		for range n * n * density / 4 {
			f := Flow{r.IntN(n), r.IntN(n), r.Int64N(20)}
			if f.From != f.To || r.IntN(3) == 0 {
				p.Flows = append(p.Flows, f)
			}
		}
	}
	if n > 0 && r.IntN(3) == 0 {
		// Stages, whose cores are alike or almost so, and some flow beside.
		var stages []int
		for left := n; left > 0; {
			stages = append(stages, 1+r.IntN(left))
			left -= stages[len(stages)-1]
		}
		p.Flows = pipeline(stages)
		for f := range p.Flows {
			p.Flows[f].Amount = 1000*p.Flows[f].Amount + r.Int64N(3)
		}
		for range r.IntN(3) {
			p.Flows = append(p.Flows, Flow{r.IntN(n), r.IntN(n), 1 + r.Int64N(20)})
		}
	}
	switch r.IntN(3) {
	case 0:
		p.Hops = mesh((m+2)/3, 3)[:m]
		for k := range p.Hops {
			p.Hops[k] = p.Hops[k][:m]
		}
	case 1: // any
		for range m {
			row := make([]int64, m)
			for l := range row {
				row[l] = r.Int64N(10)
			}
			p.Hops = append(p.Hops, row)
		}
	case 2: // the same both ways
		for k := range m {
			row := make([]int64, m)
			for l := range k {
				row[l] = r.Int64N(10)
				p.Hops[l][k] = row[l]
			}
			p.Hops = append(p.Hops, row)
		}
	}
	if r.IntN(3) == 0 {
		for range n {
			pin := Free
			if r.IntN(4) == 0 {
				pin = r.IntN(m)
			}
			p.Pins = append(p.Pins, pin)
		}
	}
	if r.IntN(3) == 0 {
		hard := 2 + r.IntN(6)
		for range n {
			var row []bool
			if r.IntN(4) > 0 {
				row = make([]bool, m)
				for k := range row {
					row[k] = r.IntN(8) >= hard-2
				}
			}
			p.Allowed = append(p.Allowed, row)
		}
	}
	return p
}

// mesh is hops on a mesh of rows and columns.
func mesh(rows, cols int) [][]int64 {
	hops := make([][]int64, rows*cols)
	for k := range hops {
		for l := range rows * cols {
			x, y := k%cols-l%cols, k/cols-l/cols
			hops[k] = append(hops[k], int64(max(x, -x)+max(y, -y)))
		}
	}
	return hops
}

// leastTraffic tries every placement; ok is false when none is legal.
func leastTraffic(p *Problem) (least int64, ok bool) {
	n := p.Cores
	flow := make([][]int64, n)
	for i := range flow {
		flow[i] = make([]int64, n)
	}
	for _, f := range p.Flows {
		flow[f.From][f.To] += f.Amount
	}
	place := make([]int, n)
	used := make([]bool, len(p.Hops))
	var try func(i int, sum int64)
	try = func(i int, sum int64) {
		if i == n {
			if !ok || sum < least {
				least, ok = sum, true
			}
			return
		}
		for k := range used {
			if used[k] || p.Pins != nil && p.Pins[i] != Free && p.Pins[i] != k ||
				p.Allowed != nil && p.Allowed[i] != nil && !p.Allowed[i][k] {
				continue
			}
			place[i], used[k] = k, true
			more := flow[i][i] * p.Hops[k][k]
			for j := range i {
				more += flow[i][j]*p.Hops[k][place[j]] + flow[j][i]*p.Hops[place[j]][k]
			}
			try(i+1, sum+more)
			used[k] = false
		}
	}
	try(0, 0)
	return least, ok
}

// pipeline is stages of some cores each, from left to right, whose every core
// sends to every core of the next.
func pipeline(stages []int) []Flow {
	var flows []Flow
	first := 0
	for s := 0; s+1 < len(stages); s++ {
		next := first + stages[s]
		for i := range stages[s] {
			for j := range stages[s+1] {
				flows = append(flows, Flow{first + i, next + j, int64(100 + 7*s)})
			}
		}
		first = next
	}
	return flows
}
