package importer

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestScale(t *testing.T) {
	for _, test := range []struct {
		total     int64
		latencies []float64
		x         float64
		want      int64
		ok        bool
	}{
		{10, []float64{1, 3}, 1, 3, true}, // 2.5, halves up
		{10, []float64{1, 3}, 3, 8, true}, // 7.5
		{10, []float64{1, 3}, 0, 0, true},
		{10, []float64{0.1, 0.2}, 0.1, 3, true},
		{math.MaxInt64, []float64{1}, 1, math.MaxInt64, true},
		{math.MaxInt64, []float64{1}, 2, 0, false},
		{10, []float64{5e-324}, 1.7e308, 0, false},
		{10, []float64{1.7e308, 1.7e308}, 1.7e308, 5, true}, // the sum is beyond floating point
		{10, nil, 0, 0, true},
		{10, []float64{0}, 1, 0, false},
	} {
		got, ok := newScale(test.total, test.latencies).apply(test.x)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("%d * %g / sum of %v: %d, %t, want %d, %t", test.total, test.x, test.latencies, got, ok, test.want, test.ok)
		}
	}
}

// Rounding moves the sum by at most half a unit a node.
func TestScaledWorkAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		latencies := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 1, 50).Draw(t, "latencies")
		total := rapid.Int64Range(1, 1e12).Draw(t, "total")
		s := newScale(total, latencies)
		if !s.defined() {
			t.Skip("all latencies are 0")
		}
		var sum int64
		for _, x := range latencies {
			n, ok := s.apply(x)
			if !ok {
				t.Fatalf("%g does not scale", x)
			}
			sum += n
		}
		if d := sum - total; 2*d > int64(len(latencies)) || -2*d > int64(len(latencies)) {
			t.Fatalf("work adds up to %d, not %d", sum, total)
		}
	})
}

func TestWholeBytes(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want int64
		ok   bool
	}{
		{0, 0, true}, {4, 4, true}, {4.25, 5, true},
		{1 << 53, 1 << 53, true}, {math.MaxInt64, 0, false}, {1e300, 0, false},
	} {
		got, ok := wholeBytes(test.x)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("wholeBytes(%g): %d, %t, want %d, %t", test.x, got, ok, test.want, test.ok)
		}
	}
}
