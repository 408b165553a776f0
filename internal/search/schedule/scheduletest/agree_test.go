package scheduletest

import (
	"errors"
	"testing"

	"plancheck/internal/search/schedule"
)

// TestCostAgreesWithTheJudge: on random solutions, legal and broken ones, the
// definition of the package and the judge say the same.
func TestCostAgreesWithTheJudge(t *testing.T) {
	legal, illegal, moving := 0, 0, 0
	compare := func(seed uint64, p *schedule.Problem, s *schedule.Solution) {
		want, judged := Judge(p, s)
		got, err := p.Cost(s)
		if (err == nil) != (judged == nil) || got != want {
			t.Fatalf("seed %d: cost %+v, %v; judge %+v, %v\n%+v\n%+v", seed, got, err, want, judged, p, s)
		}
		switch {
		case err == nil:
			legal++
		case !errors.Is(err, schedule.ErrSolution):
			t.Fatalf("seed %d: %v is not ErrSolution", seed, err)
		default:
			illegal++
		}
		if got.Traffic > 0 && got.Forwards > 0 {
			moving++
		}
	}
	for seed := range uint64(4000) {
		rng := source(seed)
		p := Random(rng, 2+int(seed%20))
		if err := p.Check(); err != nil {
			t.Fatalf("seed %d: %v\n%+v", seed, err, p)
		}
		for range 3 {
			s := Legal(rng, p)
			if s == nil {
				continue
			}
			compare(seed, p, s)
			for range 3 {
				compare(seed, p, Broken(rng, p, s))
			}
		}
		if seed%8 != 0 {
			continue
		}
		n := 0
		for s := range All(p) { // which looks neither at room nor at pins
			if compare(seed, p, s); n == 20 {
				break
			}
			n++
		}
	}
	if legal < 8000 || illegal < 8000 || moving < 200 {
		t.Errorf("%d legal and %d illegal solutions, %d with traffic and forwards", legal, illegal, moving)
	}
	t.Logf("%d legal and %d illegal solutions, %d with traffic and forwards", legal, illegal, moving)
}
