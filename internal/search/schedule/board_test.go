package schedule

import "testing"

// What is proven of forwards holds for smaller intervals, too, and not for larger
// ones.
func TestBoardForwards(t *testing.T) {
	told := 0
	b := newBoard(&Problem{}, Options{OnChange: func(Progress) { told++ }})
	state := func() [3]int64 { return [3]int64{b.cost.Interval, int64(b.cost.Forwards), int64(b.fewest)} }
	for _, step := range []struct {
		name   string
		do     func()
		want   [3]int64 // interval, forwards, fewest
		told   int
		closed bool
	}{
		{"a solution", func() { b.keep("x", &Solution{}, Cost{Interval: 9, Forwards: 1}) }, [3]int64{9, 1, 0}, 1, false},
		{"a bound for a smaller interval", func() { b.raiseForwards("x", 8, 1) }, [3]int64{9, 1, 0}, 1, false},
		{"a bound", func() { b.raiseForwards("x", 9, 1) }, [3]int64{9, 1, 1}, 2, false},
		{"no better one", func() { b.raiseForwards("x", 9, 1) }, [3]int64{9, 1, 1}, 2, false},
		{"as good a solution", func() { b.keep("x", &Solution{}, Cost{Interval: 9, Forwards: 1}) }, [3]int64{9, 1, 1}, 2, false},
		{"a faster one with more forwards", func() { b.keep("x", &Solution{}, Cost{Interval: 7, Forwards: 3}) }, [3]int64{7, 3, 1}, 3, false},
		{"a slower one with fewer", func() { b.keep("x", &Solution{}, Cost{Interval: 8, Forwards: 1}) }, [3]int64{7, 3, 1}, 3, false},
		{"one with fewer", func() { b.keep("x", &Solution{}, Cost{Interval: 7, Forwards: 1}) }, [3]int64{7, 1, 1}, 4, false},
		{"the least interval", func() { b.raise("x", 7, nil) }, [3]int64{7, 1, 1}, 5, true},
	} {
		step.do()
		if got := state(); got != step.want || told != step.told || b.closed() != step.closed {
			t.Errorf("%s: %v, told %d times, closed %t; want %v, %d, %t", step.name, got, told, b.closed(), step.want, step.told, step.closed)
		}
	}
}
