package derive

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A link is taken at the first gap that is long enough.
func TestTakeLink(t *testing.T) {
	l := &chipLink{}
	var got []int64
	for _, x := range []span{{0, 4}, {10, 14}, {2, 6}, {0, 3}, {0, 2}, {13, 14}} {
		got = append(got, l.take(x.from, x.until-x.from))
	}
	if diff := cmp.Diff([]int64{0, 10, 4, 14, 8, 17}, got); diff != "" {
		t.Error(diff)
	}
	var taken [][2]int64
	for _, s := range l.taken {
		taken = append(taken, [2]int64{s.from, s.until})
	}
	if diff := cmp.Diff([][2]int64{{0, 4}, {4, 8}, {8, 10}, {10, 14}, {14, 17}, {17, 18}}, taken); diff != "" {
		t.Error(diff)
	}
}

// Durations are rounded up to cycles, and nothing takes none.
func TestCyclesOf(t *testing.T) {
	for _, c := range []struct{ ps, hertz, want int64 }{
		{0, 1_000_000_000, 1}, {1, 1_000_000_000, 1}, {1000, 1_000_000_000, 1}, {1001, 1_000_000_000, 2}, {1_000_000, 750_000_000, 750},
		{1_000_001, 750_000_000, 751}, {math.MaxInt64, 1_000, 9223372037},
	} {
		if got, err := cyclesOf(c.ps, c.hertz); got != c.want || err != nil {
			t.Errorf("%d ps at %d Hz are %d cycles, not %d: %v", c.ps, c.hertz, got, c.want, err)
		}
	}
	var no *Refused
	if _, err := cyclesOf(math.MaxInt64, math.MaxInt64); !errors.As(err, &no) || no.Code != "integer-out-of-range" {
		t.Error(err)
	}
}
