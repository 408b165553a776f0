package passes

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/search/schedule"
)

// No two logical cores are taken to be the same machine core.
func TestPlaces(t *testing.T) {
	const free = schedule.Free
	for _, c := range []struct {
		name            string
		decided, places []int
	}{
		{"no machine", nil, nil},
		{"all open", []int{free, free, free}, []int{0, 1, 2}},
		{"the first is on another's number", []int{1, free, free}, []int{1, 0, 2}},
		{"the last is on the first", []int{free, free, 0}, []int{1, 2, 0}},
		{"all decided", []int{2, 0, 1}, []int{2, 0, 1}},
	} {
		got := places(&schedule.Problem{Machine: make([]schedule.Core, len(c.decided)), Places: c.decided})
		if diff := cmp.Diff(c.places, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
