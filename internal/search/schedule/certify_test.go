package schedule_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"plancheck/internal/search/schedule"
	"plancheck/internal/search/schedule/scheduletest"
)

// Certificates of one less than the optimum exist, add up, and do not add up
// any more when something in them is changed.
func TestCertificates(t *testing.T) {
	certified := 0
	for seed := range 300 {
		rng := rand.New(rand.NewPCG(uint64(seed), 8))
		p := scheduletest.Random(rng, 3+rng.IntN(6))
		cost, _, ok := scheduletest.Best(p)
		if !ok || cost.Interval == 0 {
			continue
		}
		c, better, err := schedule.Certify(context.Background(), p, cost.Interval-1)
		if err != nil || better != nil {
			t.Fatalf("seed %d: better %v, error %v", seed, better, err)
		}
		if err := c.Check(p); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		var formula bytes.Buffer
		if err := c.WriteDIMACS(&formula, p); err != nil || formula.Len() == 0 {
			t.Errorf("seed %d: %d bytes, error %v", seed, formula.Len(), err)
		}
		for i := range c.Covers {
			certified++
			c.Covers[i].Sum++
			if c.Check(p) == nil {
				t.Errorf("seed %d: cover %d with another sum passes", seed, i)
			}
			c.Covers[i].Sum--
			if k := &c.Covers[i]; !k.Memory {
				all := k.Members
				k.Members = all[1:]
				if c.Check(p) == nil {
					t.Errorf("seed %d: cover %d without its first member passes", seed, i)
				}
				k.Members = all
			}
		}
		if _, better, err := schedule.Certify(context.Background(), p, cost.Interval); err != nil || better == nil {
			t.Errorf("seed %d: interval %d is not found again: %v", seed, cost.Interval, err)
		}
	}
	if certified < 500 {
		t.Errorf("only %d covers", certified)
	}
}
