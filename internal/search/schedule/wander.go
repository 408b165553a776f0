package schedule

import (
	"context"
	"math/rand/v2"
)

// wander moves a few ops at random, where counting says that the stages could
// then be faster than the best, packs them, and goes on from what was better. It
// gives up after some rounds without success.
func (l *layers) wander(ctx context.Context) {
	if l.b.incumbent() == nil {
		return
	}
	const patience, attempts, most, effort = 60, 300, 6, 100_000
	rng := rand.New(rand.NewPCG(l.o.Seed, 0x77616e646572))
	s := newShifter(l.b.p)
	for left := patience; left > 0 && l.going(ctx) && !l.b.settled(); left-- {
		next := l.nearby(ctx, s, rng, attempts, most)
		if next == nil {
			return
		}
		if l.try(ctx, next, effort) {
			l.climb(ctx)
			left = patience
		}
	}
}

// nearby looks for stages that are like the best but for a few ops, and could be
// faster.
func (l *layers) nearby(ctx context.Context, s *shifter, rng *rand.Rand, attempts, most int) []int {
	best := l.b.incumbent().Stage
	for ; attempts > 0 && l.going(ctx); attempts-- {
		next := best
		for range 1 + rng.IntN(most) {
			by := 1 - 2*rng.IntN(2)
			if shifted := s.shift(next, rng.IntN(len(best)), by); shifted != nil {
				next = shifted
			}
			l.spent += int64(len(best))
		}
		if &next[0] != &best[0] && l.promising(next) {
			return next
		}
	}
	return nil
}
