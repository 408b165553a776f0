package partition

import (
	"context"
	"slices"
)

// tightener finds values that no assignment better than the best carries. For
// each edge and each stage it supposes that the stage lies between the edge's
// ends; when narrowing then leaves nothing, for every stage, the edge may not
// pass over any. A value all of whose edges are like that is never carried, so
// its edges become tight in the net that the proving parts work on, and narrow
// more.
type tightener struct {
	w     *net
	b     *board
	nr    *narrower
	root  box
	try   box
	limit int64 // of the pass under way, or of the last one
	next  int   // op that the pass has come to
	found []int // values that it found
	idle  bool
}

func newTightener(w *net, b *board) *tightener {
	root := box{w.lo, w.hi}.clone()
	return &tightener{w: w, b: b, nr: newNarrower(w), root: root, try: root.clone(), limit: noValue, idle: true}
}

func (tt *tightener) name() string { return "tightening" }

// turn goes on with a pass over all values. Passes follow each other as long as
// they find something, and start again when the best has come down by a
// thousandth.
func (tt *tightener) turn(ctx context.Context, steps int64) (int64, bool) {
	if !slices.ContainsFunc(tt.w.cost, func(c int64) bool { return c > 0 }) {
		return 1, false
	}
	start := tt.nr.steps
	for (tt.nr.steps-start)/50 < steps && ctx.Err() == nil && !tt.b.closed() {
		floor, value := tt.b.limits()
		if tt.idle {
			if value == noValue || value > tt.limit-tt.limit/1000 {
				break
			}
			tt.idle, tt.next, tt.found = false, 0, nil
			tt.limit = value - 1
			tt.nr.floor = floor
			if !tt.nr.limit(tt.root, tt.limit) {
				tt.b.raise(tt.name(), tt.limit+1, nil)
				break
			}
		}
		for ; tt.next < tt.w.n && (tt.nr.steps-start)/50 < steps && ctx.Err() == nil; tt.next++ {
			if tt.w.cost[tt.next] > 0 && !tt.passes(tt.next) {
				tt.found = append(tt.found, tt.next)
			}
		}
		if tt.next == tt.w.n {
			tt.idle = true
			if len(tt.found) > 0 {
				tt.w = tt.w.tightened(tt.found)
				tt.nr.w = tt.w
				tt.b.setTight(tt.w)
				tt.limit = noValue
			}
		}
	}
	return (tt.nr.steps-start)/50 + 1, true
}

// passes says whether v's value may be carried through some stage.
func (tt *tightener) passes(v int) bool {
	for _, a := range tt.w.out[v] {
		for t := tt.root.lo[v] + 1; t < tt.root.hi[a.to]; t++ {
			tt.try.copyFrom(tt.root)
			tt.try.hi[v] = min(tt.try.hi[v], t-1)
			tt.try.lo[a.to] = max(tt.try.lo[a.to], t+1)
			if tt.nr.limit(tt.try, tt.limit) {
				return true
			}
		}
	}
	return false
}

// tightened returns the net with the edges of some values tight.
func (w *net) tightened(values []int) *net {
	c := *w
	c.cost = slices.Clone(w.cost)
	is := make([]bool, w.n)
	for _, v := range values {
		c.cost[v] = 0
		is[v] = true
	}
	c.out, c.in = make([][]arc, w.n), make([][]arc, w.n)
	for v := range w.n {
		for _, a := range w.out[v] {
			c.out[v] = append(c.out[v], arc{a.to, a.tight || is[v]})
		}
		for _, a := range w.in[v] {
			c.in[v] = append(c.in[v], arc{a.to, a.tight || is[a.to]})
		}
	}
	return &c
}
