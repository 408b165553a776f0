package cli

import (
	"testing"

	"plancheck/internal/search/schedule"
)

func TestProgressText(t *testing.T) {
	found := func(bound, interval int64, forwards int) schedule.Progress {
		return schedule.Progress{Found: true, Bound: bound, Cost: schedule.Cost{Interval: interval, Forwards: forwards}}
	}
	for _, c := range []struct {
		now  schedule.Progress
		want string
	}{
		{schedule.Progress{Bound: 1204}, "no plan yet, interval at least 1,204"},
		{found(10, 10, 0), "interval 10, at least 10"},
		{found(0, 0, 0), "interval 0, at least 0"},
		{found(9, 10, 1), "interval 10, at least 9, gap 10 %, 1 forward"},
		{found(0, 1500, 2), "interval 1,500, at least 0, gap 100 %, 2 forwards"},
		{found(1, 1000, 0), "interval 1,000, at least 1, gap 100 %"},
		{found(950, 1000, 0), "interval 1,000, at least 950, gap 5 %"},
		{found(9989, 10000, 0), "interval 10,000, at least 9,989, gap 0.11 %"},
		{found(99999, 100000, 0), "interval 100,000, at least 99,999, gap under 0.01 %"},
	} {
		if got := progressText(c.now); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
