package partition

import "fmt"

// net is a problem made ready for search: ops in topological order, edges
// merged, ops that cannot matter left out. Op numbers inside the search are the
// net's.
type net struct {
	p    *Problem
	k, n int

	op   []int // the problem's number of each op
	rep  []int // for each op of the problem: the op whose stage it takes
	of   []int // for each op of the problem: its number here, or -1
	work []int64
	out  [][]arc
	in   [][]arc

	all    []val   // what may be carried
	vals   []val   // of all, what costs something
	valAt  []int   // where in all
	valsOf [][]int // of each op: its numbers in vals

	cores cores

	lo, hi []int8 // the given domains
	total  int64  // work of all ops that have a stage

	// Sets of descendants and ancestors, each op among its own; nil when there
	// are more than maxClosures ops.
	desc, anc []bitset
	weights   scale
	// The work of each set.
	descWork, ancWork []int64

	// movable: nothing tells one stage from another, so stages may be
	// shifted and an empty one closed.
	movable bool
}

// maxClosures is how many ops may have closures: 2 x 20,000 sets of 20,000 bits
// are 100 MB. Without, the search does with annealing and cuts.
const maxClosures = 20_000

// arc is one end of an edge: the op at the other end, and whether the edge may
// advance by at most one stage.
type arc struct {
	to    int
	tight bool
}

// val is a value that may be carried.
type val struct {
	op   int   // that makes it
	of   int   // its number in Edge.Value
	cost int64 // per stage
	to   []int // ops that use it
}

// compile checks p and makes its net. Errors wrap ErrProblem; a cycle of edges
// is one.
func compile(p *Problem) (*net, error) { return compileNet(p, !p.NonEmpty && p.Clauses == nil) }

// compileNet is compile with a choice whether to leave pendants out.
func compileNet(p *Problem, drop bool) (*net, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	size := len(p.Work)
	out := make([][]arc, size)
	in := make([][]arc, size)
	for o, arcs := range mergedArcs(p) {
		out[o] = arcs
		for _, a := range arcs {
			in[a.to] = append(in[a.to], arc{o, a.tight})
		}
	}
	order, err := topological(out, in)
	if err != nil {
		return nil, err
	}
	w := &net{p: p, k: p.Stages, rep: make([]int, size), of: make([]int, size), cores: newCores(p)}
	for o := range w.rep {
		w.rep[o] = o
	}
	if drop {
		w.dropPendants(out, in)
	}
	for _, o := range order {
		w.of[o] = -1
		if w.rep[o] == o {
			w.of[o] = w.n
			w.op = append(w.op, o)
			w.n++
		}
	}
	w.out, w.in = make([][]arc, w.n), make([][]arc, w.n)
	w.work = make([]int64, w.n)
	w.lo, w.hi = make([]int8, w.n), make([]int8, w.n)
	w.movable = !p.NonEmpty && p.Clauses == nil
	for v, o := range w.op {
		d := p.domain(o)
		w.lo[v], w.hi[v] = int8(d.Lo), int8(d.Hi)
		if d.Lo != 0 || d.Hi != p.Stages-1 {
			w.movable = false
		}
		if d.Lo != Outside {
			w.work[v] = p.Work[o]
			w.total += p.Work[o]
		}
		for _, a := range out[o] {
			if w.of[a.to] < 0 {
				continue // a pendant, in its producer's stage
			}
			w.out[v] = append(w.out[v], arc{w.of[a.to], a.tight})
			w.in[w.of[a.to]] = append(w.in[w.of[a.to]], arc{v, a.tight})
		}
	}
	w.findVals()
	w.cores.hold(w)
	w.movable = w.movable && w.cores.alike && w.cores.room == nil
	w.closures()
	return w, nil
}

// findVals fills all, vals, valAt and valsOf with the values that some edge
// allows to be carried.
func (w *net) findVals() {
	w.valsOf = make([][]int, w.n)
	type key struct{ op, of int }
	at := map[key]int{}
	var all []val
	var far []bool
	for v, o := range w.op {
		all = append(all, val{op: v, cost: w.p.carry(o)})
		far = append(far, false)
		at[key{v, 0}] = v
	}
	for i, x := range w.p.Values {
		if v := w.of[x.Op]; v >= 0 {
			at[key{v, i + 1}] = len(all)
			all = append(all, val{op: v, of: i + 1, cost: x.Carry})
			far = append(far, false)
		}
	}
	loose := map[[2]int]bool{}
	for v, arcs := range w.out {
		for _, a := range arcs {
			loose[[2]int{v, a.to}] = !a.tight
		}
	}
	seen := map[[2]int]bool{} // value, consumer
	for _, e := range w.p.Edges {
		v, c := w.of[e.From], w.of[e.To]
		if v < 0 || c < 0 {
			continue // a pendant, in the stage of its only neighbour
		}
		i := at[key{v, e.Value}]
		if seen[[2]int{i, c}] {
			continue
		}
		seen[[2]int{i, c}] = true
		all[i].to = append(all[i].to, c)
		far[i] = far[i] || loose[[2]int{v, c}]
	}
	for i, x := range all {
		if !far[i] {
			continue
		}
		w.all = append(w.all, x)
		if x.cost > 0 {
			w.valAt = append(w.valAt, len(w.all)-1)
			w.valsOf[x.op] = append(w.valsOf[x.op], len(w.vals))
			w.vals = append(w.vals, x)
		}
	}
}

// mergedArcs returns each op's edges, one for each consumer, in the order of
// first mention; of parallel edges the tight one binds.
func mergedArcs(p *Problem) [][]arc {
	out := make([][]arc, len(p.Work))
	at := map[[2]int]int{}
	for _, e := range p.Edges {
		key := [2]int{e.From, e.To}
		i, seen := at[key]
		if !seen {
			at[key] = len(out[e.From])
			out[e.From] = append(out[e.From], arc{e.To, !e.Far})
		} else if !e.Far {
			out[e.From][i].tight = true
		}
	}
	return out
}

// topological returns the ops with every producer before its consumers.
func topological(out, in [][]arc) ([]int, error) {
	wait := make([]int, len(out))
	var order []int
	for o := range out {
		wait[o] = len(in[o])
		if wait[o] == 0 {
			order = append(order, o)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, a := range out[order[i]] {
			if wait[a.to]--; wait[a.to] == 0 {
				order = append(order, a.to)
			}
		}
	}
	if len(order) < len(out) {
		for o, left := range wait {
			if left > 0 {
				return nil, fmt.Errorf("op %d is on, or behind, a cycle of edges: %w", o, ErrProblem)
			}
		}
	}
	return order, nil
}

// dropPendants changes rep. An op without work that hangs on one edge only can
// always share the stage of the op at the other end: that adds no load and
// carries nothing. Weights imported as ops of their own are like that. Where
// stages must not be empty such an op may be what fills one, so it stays.
func (w *net) dropPendants(out, in [][]arc) {
	degree := make([]int, len(out))
	var queue []int
	for o := range out {
		degree[o] = len(out[o]) + len(in[o])
		queue = append(queue, o)
	}
	for i := 0; i < len(queue); i++ {
		o := queue[i]
		if w.rep[o] != o || degree[o] != 1 || w.p.Work[o] != 0 || w.p.uses(o) {
			continue
		}
		for _, arcs := range [][]arc{out[o], in[o]} {
			for _, a := range arcs {
				mine, other := w.p.domain(o), w.p.domain(a.to)
				if w.rep[a.to] != a.to || mine.Lo > other.Lo || mine.Hi < other.Hi {
					continue
				}
				w.rep[o] = a.to
				degree[a.to]--
				queue = append(queue, a.to)
			}
		}
	}
}

// closures fills desc, anc and weights.
func (w *net) closures() {
	if w.n > maxClosures {
		return
	}
	w.desc, w.anc = make([]bitset, w.n), make([]bitset, w.n)
	for v := range w.n {
		w.anc[v] = newBitset(w.n)
		w.anc[v].add(v)
		for _, a := range w.in[v] {
			w.anc[v].or(w.anc[a.to])
		}
	}
	for v := w.n - 1; v >= 0; v-- {
		w.desc[v] = newBitset(w.n)
		w.desc[v].add(v)
		for _, a := range w.out[v] {
			w.desc[v].or(w.desc[a.to])
		}
	}
	w.weights = newScale(w.work)
	w.descWork, w.ancWork = make([]int64, w.n), make([]int64, w.n)
	for v := range w.n {
		w.descWork[v], w.ancWork[v] = w.weights.of(w.desc[v]), w.weights.of(w.anc[v])
	}
	if c := &w.cores; c.room != nil {
		c.ancOwn, c.descOwn = make([]int64, w.n), make([]int64, w.n)
		for v := range w.n {
			c.descOwn[v], c.ancOwn[v] = c.owns.of(w.desc[v]), c.owns.of(w.anc[v])
		}
	}
}

// expand turns the net's stages into the problem's.
func (w *net) expand(stages []int8) []int {
	full := make([]int, len(w.of))
	for o := range full {
		r := o
		for w.rep[r] != r {
			r = w.rep[r]
		}
		full[o] = int(stages[w.of[r]])
	}
	return full
}

// loads adds up the stage loads of legal stages into the slice given.
func (w *net) loads(stages []int8, loads []int64) {
	clear(loads)
	for v, s := range stages {
		if s >= 0 {
			loads[s] += w.work[v]
		}
	}
	for i := range w.vals {
		x := &w.vals[i]
		s := stages[x.op]
		for t, far := s+1, x.reach(stages); t < far; t++ {
			loads[t] += x.cost
		}
	}
}

// reach is the last stage that uses x, or makes it.
func (x *val) reach(stages []int8) int8 {
	far := stages[x.op]
	for _, c := range x.to {
		far = max(far, stages[c])
	}
	return far
}

// value is what legal stages cost, noValue when no sizes are right for them.
func (w *net) value(stages []int8) int64 {
	loads := make([]int64, w.k)
	w.loads(stages, loads)
	return w.cores.value(loads, w.cores.bytes(stages, nil))
}

// legal says whether stages keep domains, edges and, where asked for, an op in
// every stage.
func (w *net) legal(stages []int8) bool {
	var used [maxStages]bool
	for v, s := range stages {
		if s < w.lo[v] || s > w.hi[v] {
			return false
		}
		if s >= 0 {
			used[s] = true
		}
		for _, a := range w.out[v] {
			t := stages[a.to]
			if t < s || (a.tight && t > s+1) {
				return false
			}
		}
	}
	if w.p.NonEmpty {
		for s := range w.k {
			if !used[s] {
				return false
			}
		}
	}
	return w.p.Clauses == nil || w.p.brokenClause(w.expand(stages)) < 0
}

// shrink turns the problem's stages into the net's.
func (w *net) shrink(stages []int) []int8 {
	own := make([]int8, w.n)
	for v, o := range w.op {
		own[v] = int8(stages[o])
	}
	return own
}

// ceiling is a value that no legal assignment passes.
func (w *net) ceiling() int64 {
	sum := w.total
	for _, x := range w.vals {
		sum += x.cost
	}
	return max(sum, w.cores.floor)
}
