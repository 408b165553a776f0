package partition

import (
	"context"
	"math/rand/v2"
	"testing"
)

// With clauses, what is found and proven is what trying everything gives.
func TestClausesAreObeyed(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 200
	}
	broken, infeasible := 0, 0
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 0x636c61))
		p := randomProblem(seed)
		if seed%2 == 0 {
			p = randomCores(seed)
		}
		free, _ := leastValue(p)
		for range 1 + r.IntN(6) {
			c := Clause{}
			for range 1 + r.IntN(3) {
				lo := r.IntN(p.Stages+1) - 1
				c = append(c, Claim{Op: r.IntN(len(p.Work)), Lo: lo, Hi: lo + r.IntN(p.Stages), Not: r.IntN(2) == 0})
			}
			if r.IntN(3) == 0 {
				least := r.IntN(3)
				c = append(Clause{{Op: Count, Lo: least, Hi: least + r.IntN(3)}}, c...)
			}
			p.Clauses = append(p.Clauses, c)
		}
		want, ok := leastValue(p)
		for _, steps := range []int64{0, 3_000_000} {
			got, err := Solve(context.Background(), p, Options{Steps: steps})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if ok != (got.Status == Optimal) || !ok != (got.Status == Infeasible) || ok && got.Value != want {
				t.Errorf("seed %d, %d steps: %v %d, want %t %d", seed, steps, got.Status, got.Value, ok, want)
			}
		}
		if !ok {
			infeasible++
		} else if want > free {
			broken++
		}
	}
	if broken == 0 || infeasible == 0 {
		t.Errorf("clauses cost something in %d cases, and leave nothing in %d", broken, infeasible)
	}
}
