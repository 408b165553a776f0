package cli

import (
	"testing"

	"plancheck/internal/search/schedule"
)

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		now  schedule.Progress
		want string
	}{
		{schedule.Progress{Bound: 1200}, "no plan yet, interval at least 1,200"},
		{schedule.Progress{Found: true, Cost: schedule.Cost{Interval: 1300}, Bound: 0}, "interval 1,300, at least 0, gap 100 %"},
		{schedule.Progress{Found: true, Cost: schedule.Cost{Interval: 1300}, Bound: 1200}, "interval 1,300, at least 1,200, gap 7.7 %"},
		{schedule.Progress{Found: true, Cost: schedule.Cost{Interval: 1_000_000, Forwards: 1}, Bound: 999_877}, "interval 1,000,000, at least 999,877, gap 0.012 %, 1 forward"},
		{schedule.Progress{Found: true, Cost: schedule.Cost{Interval: 1200, Forwards: 12}, Bound: 1200}, "interval 1,200, at least 1,200, 12 forwards"},
		{schedule.Progress{Found: true}, "interval 0, at least 0"},
	} {
		if got := progressText(c.now); got != c.want {
			t.Errorf("%+v: %q, want %q", c.now, got, c.want)
		}
	}
}
