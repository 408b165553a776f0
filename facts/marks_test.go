package facts

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.SampledFrom([]int{1, 63, 64, 65, 4096, 5000, 300000}).Draw(t, "bound")
		number := rapid.IntRange(0, bound-1)
		m, want := newMarks(bound), map[int]bool{}
		for _, i := range rapid.SliceOf(number).Draw(t, "set") {
			m.set(i)
			want[i] = true
		}
		for _, i := range rapid.SliceOf(number).Draw(t, "cleared") {
			m.clear(i)
			delete(want, i)
		}
		var all []int
		for i := range want {
			all = append(all, i)
		}
		slices.Sort(all)
		i := number.Draw(t, "at")
		from, upTo := -1, -1
		for _, k := range all {
			if k <= i {
				upTo = k
			}
			if k >= i && from < 0 {
				from = k
			}
		}
		if got := m.from(i); got != from {
			t.Errorf("from(%d) is %d, not %d, in %v", i, got, from, all)
		}
		if got := m.upTo(i); got != upTo {
			t.Errorf("upTo(%d) is %d, not %d, in %v", i, got, upTo, all)
		}
	})
}
