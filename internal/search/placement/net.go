package placement

import "slices"

// net is a problem made ready. There are as many logical as machine cores in
// it: the ones behind those of the problem have no flows and may be anywhere.
type net struct {
	p *Problem
	n int

	arcs [][]arc // of each logical core, by the other one's number
	self []int64 // flow of each logical core to itself
	hops []int64 // from k to l at k*n+l
	ok   []bool  // i may be on k, at i*n+k
	even bool    // hops are the same both ways

	class   []int // of each logical core; those of a class are alike
	classes int

	remote []float64 // hops of each machine core to and from all
}

// arc is the flow between a logical core and another one.
type arc struct {
	to      int
	out, in int64
}

func compile(p *Problem) (*net, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	n := max(len(p.Hops), p.Cores)
	w := &net{p: p, n: n, arcs: make([][]arc, n), self: make([]int64, n), ok: make([]bool, n*n), even: true}
	for _, f := range p.Flows {
		switch {
		case f.Amount == 0:
		case f.From == f.To:
			w.self[f.From] += f.Amount
		default:
			w.arcs[f.From] = append(w.arcs[f.From], arc{to: f.To, out: f.Amount})
			w.arcs[f.To] = append(w.arcs[f.To], arc{to: f.From, in: f.Amount})
		}
	}
	for i, arcs := range w.arcs {
		slices.SortFunc(arcs, func(a, b arc) int { return a.to - b.to })
		merged := arcs[:0]
		for _, a := range arcs {
			if last := len(merged) - 1; last >= 0 && merged[last].to == a.to {
				merged[last].out += a.out
				merged[last].in += a.in
			} else {
				merged = append(merged, a)
			}
		}
		w.arcs[i] = merged
	}
	for _, row := range p.Hops {
		w.hops = append(w.hops, row...)
	}
	w.remote = make([]float64, n)
	for k, row := range p.Hops {
		for l, h := range row {
			w.remote[k] += float64(h)
			w.remote[l] += float64(h)
			w.even = w.even && h == p.Hops[l][k]
		}
	}
	for i := range n {
		for k := range len(p.Hops) {
			w.ok[i*n+k] = i >= p.Cores || p.allows(i, k)
		}
	}
	w.findClasses()
	return w, nil
}

func (w *net) allows(i, k int) bool { return w.ok[i*w.n+k] }

// traffic is Problem.Traffic of a placement that is legal.
func (w *net) traffic(place []int) int64 {
	sum := int64(0)
	for i, arcs := range w.arcs {
		row := w.hops[place[i]*w.n : (place[i]+1)*w.n]
		sum += w.self[i] * row[place[i]]
		for _, a := range arcs {
			sum += a.out * row[place[a.to]]
		}
	}
	return sum
}

// change is by how much traffic grows when u and v, two cores, change places.
func (w *net) change(place []int, u, v int) int64 {
	n, a, b := w.n, place[u], place[v]
	fromA, fromB := w.hops[a*n:(a+1)*n], w.hops[b*n:(b+1)*n]
	sum := (w.self[u] - w.self[v]) * (fromB[b] - fromA[a])
	if w.even {
		// What flows between u and v goes as far as before, but is counted
		// in each sum as if the other one had stayed.
		for _, x := range w.arcs[u] {
			at := place[x.to]
			sum += (x.out + x.in) * (fromB[at] - fromA[at])
			if x.to == v {
				sum += (x.out + x.in) * (2*fromA[b] - fromA[a] - fromB[b])
			}
		}
		for _, x := range w.arcs[v] {
			at := place[x.to]
			sum -= (x.out + x.in) * (fromB[at] - fromA[at])
		}
		return sum
	}
	for _, x := range w.arcs[u] {
		if x.to == v {
			sum += (x.out - x.in) * (fromB[a] - fromA[b])
			continue
		}
		at := place[x.to]
		sum += x.out*(fromB[at]-fromA[at]) + x.in*(w.hops[at*n+b]-w.hops[at*n+a])
	}
	for _, x := range w.arcs[v] {
		if x.to == u {
			continue
		}
		at := place[x.to]
		sum -= x.out*(fromB[at]-fromA[at]) + x.in*(w.hops[at*n+b]-w.hops[at*n+a])
	}
	return sum
}

// expand gives the cores that the problem does not have the machine cores that
// are left, in order.
func (w *net) expand(place []int) []int {
	taken := make([]bool, w.n)
	for _, k := range place {
		taken[k] = true
	}
	whole := append(make([]int, 0, w.n), place...)
	for k, t := range taken {
		if !t {
			whole = append(whole, k)
		}
	}
	return whole
}
