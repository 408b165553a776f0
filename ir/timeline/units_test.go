package timeline

import "testing"

func TestIn(t *testing.T) {
	for _, c := range []struct {
		unit, ps int64
		want     string
	}{
		{Millisecond, 0, "0"}, {Millisecond, 1, "0.000000001"}, {Millisecond, 310_000_000, "0.31"}, {Millisecond, Millisecond, "1"},
		{Millisecond, 1_166_191_893_766, "1166.191893766"}, {Microsecond, 1_500_000, "1.5"}, {Microsecond, 20, "0.00002"}, {1, 17, "17"},
	} {
		if got := In(c.unit, c.ps); got != c.want {
			t.Errorf("%d ps in units of %d: %q, want %q", c.ps, c.unit, got, c.want)
		}
	}
}
