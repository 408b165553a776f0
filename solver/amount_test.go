package solver_test

import (
	"context"
	"fmt"
	"testing"

	"plancheck/solver"
)

// Every choice of literals is allowed just when their number is.
func TestNoneOrBetween(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for least := 0; least <= n+1; least++ {
			for most := 0; most <= n; most++ {
				t.Run(fmt.Sprint(n, least, most), func(t *testing.T) {
					s := solver.New()
					first := s.Vars(n)
					var lits []solver.Lit
					for i := range solver.Lit(n) {
						lits = append(lits, first+i)
					}
					if err := s.NoneOrBetween(solver.Always, lits, least, most); err != nil {
						t.Fatal(err)
					}
					for choice := range 1 << n {
						count := 0
						var assumed []solver.Lit
						for i, l := range lits {
							if choice>>i&1 == 0 {
								l = l.Not()
							} else {
								count++
							}
							assumed = append(assumed, l)
						}
						answer, err := s.Solve(context.Background(), nil, assumed...)
						if err != nil {
							t.Fatal(err)
						}
						want := count == 0 || least <= count && count <= most
						if (answer.Status == solver.Sat) != want {
							t.Errorf("%d of %d true: %v", count, n, answer.Status)
						}
					}
				})
			}
		}
	}
}
