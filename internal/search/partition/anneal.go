package partition

import (
	"context"
	"math"
	"math/rand/v2"
)

// annealer lowers the best by simulated annealing. It takes a limit between
// the bound and the best and walks towards an assignment within it; what it
// minimises is the sum, over stages, of the squared share by which the load
// passes the limit. A move shifts one op by a stage, and whatever the edges
// then make shift with it.
type annealer struct {
	w   *net
	b   *board
	rng *rand.Rand

	stage  []int8
	loads  []int64
	count  []int // ops in each stage
	limit  int64
	over   float64 // by how much loads pass the limit
	excess float64 // that, and the price of what is carried

	// Where it is the fewest that are looked for: the tally, the price of a pair
	// of a value and a stage, the pairs now, and how many there must be fewer of.
	t      *tally
	price  float64
	pairs  int
	fewest int

	// The run under way: steps so far and in all, and the heat it began with.
	spent, total int64
	hot, cold    float64
	// Turns so far, and the last one in which the best came down.
	turns, success int

	free []int // ops that have more than one stage to choose from

	// Values that this run does not carry: what drags their consumers along is
	// often the only way to move anything.
	strict []bool

	shares *sharer // energy where sizes or memory matter; nil where they do not

	// The move under construction, or the last one.
	moved []shift
	goal  []int8   // of the ops in moved
	seen  []uint64 // an op is in moved when this is the number of the move
	move  uint64
	// The values whose carrying a move may change.
	producers []int
	noted     []uint64
	mark      uint64
}

// shift is an op and a stage: where it goes or, once it went, where it was.
type shift struct {
	op    int
	stage int8
}

func newAnnealer(w *net, b *board, seed uint64) *annealer {
	a := &annealer{
		w: w, b: b, rng: rand.New(rand.NewPCG(seed, 0x616e6e65616c)),
		stage: make([]int8, w.n), loads: make([]int64, w.k), count: make([]int, w.k),
		goal: make([]int8, w.n), seen: make([]uint64, w.n), noted: make([]uint64, w.n),
		strict: make([]bool, w.n), fewest: beyond, cold: 1e-9,
	}
	for v := range w.n {
		if w.lo[v] < w.hi[v] {
			a.free = append(a.free, v)
		}
	}
	if !w.cores.alike || w.cores.room != nil {
		a.shares = newSharer(w)
	}
	return a
}

func (a *annealer) name() string { return "annealing" }

// turn goes on with the run under way, and begins others, until the steps are
// spent. It never ends by itself, but has nothing to do before there is a first
// assignment, or when no op can move.
func (a *annealer) turn(ctx context.Context, steps int64) (int64, bool) {
	if len(a.free) == 0 {
		return 1, false
	}
	// It finds most of what it finds at once, and its time is the brancher's.
	const patience, pause = 10, 4
	a.turns++
	if a.turns > a.success+patience && a.turns%pause != 0 {
		return 1, true
	}
	spent := int64(1)
	_, before := a.b.limits()
	defer func() {
		if _, after := a.b.limits(); after < before {
			a.success = a.turns
		}
	}()
	for spent < steps && ctx.Err() == nil && !a.b.closed() {
		if a.spent >= a.total {
			bound, value := a.b.limits()
			if value == noValue && a.shares != nil && !a.w.p.NonEmpty {
				value = bound + (a.w.ceiling()-bound)/int64(1+a.rng.IntN(64)) + 1
			}
			if value == noValue || bound >= value {
				break
			}
			best := a.b.incumbent()
			if best == nil {
				best = a.w.lo // keeps the edges, if not the rest
			}
			a.start(best, bound+a.rng.Int64N(value-bound))
		}
		// Eight of its moves are about a step of the other parts'.
		spent += a.run(ctx, min(8*(steps-spent), a.total-a.spent)) / 8
	}
	return spent, true
}

// start begins a run: it takes up an assignment under a new limit, at some heat,
// for some time.
func (a *annealer) start(from []int8, limit int64) {
	const shortest = 50_000
	a.spent, a.total = 0, shortest<<a.rng.IntN(5)
	a.hot = 1e-3 * math.Pow(10, -2*a.rng.Float64())
	copy(a.stage, from)
	a.w.loads(a.stage, a.loads)
	clear(a.count)
	for _, s := range a.stage {
		if s >= 0 {
			a.count[s]++
		}
	}
	if a.shares != nil {
		a.shares.heavy = math.Pow(16, -float64(a.rng.IntN(3)))
		a.shares.bytes = a.w.cores.bytes(a.stage, a.shares.bytes)
	}
	a.limit = limit
	a.pairs = a.w.carried(a.stage)
	a.excess, a.over = a.measure()
	least := limit + 1
	for range a.rng.IntN(4) {
		least /= 30
	}
	for v, vals := range a.w.valsOf {
		dear := len(vals) > 0
		for _, i := range vals {
			dear = dear && a.w.vals[i].cost >= least
		}
		a.strict[v] = dear && !a.carries(v)
	}
}

// carries says whether a value of v is carried through any stage.
func (a *annealer) carries(v int) bool {
	for _, e := range a.w.out[v] {
		if a.stage[e.to] > a.stage[v]+1 {
			return true
		}
	}
	return false
}

// measure returns what the run minimises, and how much of it is overload.
func (a *annealer) measure() (excess, over float64) {
	over = a.overload()
	return over + a.price*float64(a.pairs), over
}

func (a *annealer) overload() float64 {
	if a.shares != nil {
		return a.shares.excess(a.loads, a.limit)
	}
	limit := a.limit * a.w.cores.lo[0]
	sum := 0.0
	for _, l := range a.loads {
		if l > limit {
			x := float64(l-limit) / float64(limit+1)
			sum += float64(x * x)
		}
	}
	return sum
}

// run makes moves, cooling down over the whole of the run under way, until
// about the given number of steps are spent, and returns how many were. It
// offers every assignment within the limit and then tightens it.
func (a *annealer) run(ctx context.Context, steps int64) int64 {
	start := a.spent
	heat := 0.0
	for i := 0; a.spent-start < steps; i++ {
		if a.over == 0 && a.t != nil && a.pairs < a.fewest {
			a.t.lower(a.name(), a.stage)
			a.fewest = a.pairs
		} else if a.over == 0 && a.t == nil {
			a.b.lower(a.name(), a.stage)
			bound, value := a.b.limits()
			if bound >= value || value == noValue {
				break
			}
			a.limit = bound + a.rng.Int64N(value-bound)
			a.excess, a.over = a.measure()
		}
		if i%256 == 0 {
			if ctx.Err() != nil {
				break
			}
			heat = a.hot * math.Pow(a.cold/a.hot, float64(a.spent)/float64(a.total))
		}
		v := a.free[a.rng.IntN(len(a.free))]
		ok := a.shift(v, a.rng.Uint64()&1 == 0)
		a.spent += int64(len(a.moved))/4 + 1
		if !ok {
			continue
		}
		after, over := a.measure()
		if after > a.excess && a.rng.Float64() >= math.Exp((a.excess-after)/heat) {
			a.swap()
			continue
		}
		a.excess, a.over = after, over
	}
	return a.spent - start
}

// shift moves v one stage up or down and, along the edges, all that must move
// with it. It returns false, with nothing changed, when something cannot move
// or would leave a stage empty that must not be.
func (a *annealer) shift(v int, up bool) bool {
	to := a.stage[v] - 1
	if up {
		to = a.stage[v] + 1
	}
	a.move++
	a.moved = a.moved[:0]
	if !a.want(v, to) {
		return false
	}
	for i := 0; i < len(a.moved); i++ {
		if !a.drag(a.moved[i].op, up) {
			return false
		}
	}
	for i, m := range a.moved {
		a.moved[i].stage = a.goal[m.op] // may have gone on since it was queued
	}
	a.swap()
	if a.w.p.NonEmpty {
		for _, c := range a.count {
			if c == 0 {
				a.swap()
				return false
			}
		}
	}
	return true
}

// at is where the move under construction has an op.
func (a *annealer) at(v int) int8 {
	if a.seen[v] == a.move {
		return a.goal[v]
	}
	return a.stage[v]
}

// want sends an op to a stage, if its domain and the size of the move allow it.
func (a *annealer) want(v int, to int8) bool {
	const most = 400
	if to < a.w.lo[v] || to > a.w.hi[v] || len(a.moved) >= most {
		return false
	}
	if a.seen[v] != a.move {
		a.seen[v] = a.move
		a.moved = append(a.moved, shift{v, to})
	}
	a.goal[v] = to
	return true
}

// drag sends v's neighbours where its edges make them go. In a move up nothing
// ever goes down, so every op settles. A move goes by one stage, so no op is
// sent twice.
func (a *annealer) drag(v int, up bool) bool {
	s := a.at(v)
	for _, e := range a.w.out[v] {
		t := a.at(e.to)
		if up && t < s && !a.want(e.to, s) {
			return false
		}
		if !up && (e.tight || a.strict[v]) && t > s+1 && !a.want(e.to, s+1) {
			return false
		}
	}
	for _, e := range a.w.in[v] {
		t := a.at(e.to)
		if up && (e.tight || a.strict[e.to]) && t < s-1 && !a.want(e.to, s-1) {
			return false
		}
		if !up && t > s && !a.want(e.to, s) {
			return false
		}
	}
	return true
}

// swap exchanges the stages of the moved ops with those in moved, and accounts
// for it. Called again, it takes the move back.
func (a *annealer) swap() {
	a.producers = a.producers[:0]
	a.mark++
	for _, m := range a.moved {
		a.noteProducer(m.op)
		for _, e := range a.w.in[m.op] {
			a.noteProducer(e.to)
		}
	}
	for _, u := range a.producers {
		a.carry(u, -1)
	}
	if a.shares != nil {
		a.shares.leave(a.stage, a.moved)
	}
	for i, m := range a.moved {
		from := a.stage[m.op]
		a.loads[from] -= a.w.work[m.op]
		a.loads[m.stage] += a.w.work[m.op]
		a.count[from]--
		a.count[m.stage]++
		a.stage[m.op] = m.stage
		a.moved[i].stage = from
	}
	for _, u := range a.producers {
		a.carry(u, 1)
	}
	if a.shares != nil {
		a.shares.enter(a.stage, a.moved)
	}
}

// noteProducer lists an op whose values' carrying a move may change.
func (a *annealer) noteProducer(u int) {
	if len(a.w.valsOf[u]) > 0 && a.noted[u] != a.mark {
		a.noted[u] = a.mark
		a.producers = append(a.producers, u)
	}
}

// carry adds the costs of u's values, times sign, to every stage that they are
// carried through.
func (a *annealer) carry(u int, sign int64) {
	for _, i := range a.w.valsOf[u] {
		x := &a.w.vals[i]
		cost := sign * x.cost
		for t, far := a.stage[u]+1, x.reach(a.stage); t < far; t++ {
			a.loads[t] += cost
			a.pairs += int(sign)
		}
	}
}
