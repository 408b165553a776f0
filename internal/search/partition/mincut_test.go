package partition

import (
	"math/rand/v2"
	"testing"
)

// leastWindow is the least total load of a window over all legal assignments
// in a box, by trying every one.
func leastWindow(p *Problem, w *net, b box, from, to int) (least int64, ok bool) {
	stages := make([]int8, w.n)
	loads := make([]int64, w.k)
	var try func(v int)
	try = func(v int) {
		if v == w.n {
			if !w.legal(stages) {
				return
			}
			w.loads(stages, loads)
			sum := int64(0)
			for _, l := range loads[from : to+1] {
				sum += l
			}
			if !ok || sum < least {
				least, ok = sum, true
			}
			return
		}
		for stages[v] = b.lo[v]; stages[v] <= b.hi[v]; stages[v]++ {
			try(v + 1)
		}
	}
	try(0)
	return least, ok
}

// TestCutIsTheLeastWindowLoad: over all stages the cut is exact, over part of
// them it forgets what edges mean beyond the window and may only be lower.
func TestCutIsTheLeastWindowLoad(t *testing.T) {
	exact, lower := 0, 0
	for seed := range many(t, 6000) {
		p := randomProblem(seed)
		p.NonEmpty = false
		w, err := compile(p)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 9))
		b := box{w.lo, w.hi}.clone()
		for v := range w.n {
			if b.lo[v] < b.hi[v] && r.IntN(3) == 0 {
				b.lo[v]++
			}
		}
		if !newNarrower(w).edges(b) {
			continue
		}
		from := r.IntN(w.k)
		to := from + r.IntN(w.k-from)
		c := cutter{w: w}
		got := c.window(b, make([]bool, w.n), from, to)
		want, ok := leastWindow(p, w, b, from, to)
		if !ok || got > want || got < want && from == 0 && to == w.k-1 {
			t.Fatalf("seed %d: window %d to %d is %d, want %d, %v\n%+v", seed, from, to, got, want, ok, p)
		}
		if got == want {
			exact++
		} else {
			lower++
		}
	}
	t.Log(exact, lower)
	if exact < 10*lower {
		t.Errorf("the cut is exact only %d times of %d", exact, exact+lower)
	}
}
