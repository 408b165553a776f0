package passes

import (
	"math"
	"testing"
)

func TestBetters(t *testing.T) {
	base := Measures{Interval: 10, Forwards: 2, Traffic: 50, Peak: 7, Busy: 3}
	change := func(f func(m *Measures)) Measures {
		m := base
		f(&m)
		return m
	}
	for _, c := range []struct {
		name string
		m    Measures
		want bool // m betters base
		back bool // base betters m
	}{
		{"equal", base, false, false},
		{"a smaller interval", change(func(m *Measures) { m.Interval = 9 }), true, false},
		{"fewer cores", change(func(m *Measures) { m.Busy = 2 }), true, false},
		{"a smaller interval for more traffic", change(func(m *Measures) { m.Interval, m.Traffic = 9, 51 }), false, false},
		{"traffic that is not known", change(func(m *Measures) { m.Traffic = -1 }), false, true},
		{"a larger peak", change(func(m *Measures) { m.Peak = 8 }), false, true},
	} {
		if got, back := c.m.Betters(base), base.Betters(c.m); got != c.want || back != c.back {
			t.Errorf("%s: %v and back %v, want %v and %v", c.name, got, back, c.want, c.back)
		}
	}
	rows := []Row{{Measures: base}, {Measures: base}, {Measures: change(func(m *Measures) { m.Peak = 8 })}, {Measures: change(func(m *Measures) { m.Interval, m.Peak = 11, 1 })}}
	markFront(rows)
	for i, want := range []bool{true, true, false, true} {
		if rows[i].Front != want {
			t.Errorf("row %d: front %v", i, rows[i].Front)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		p       Percent
		n, want int64
	}{
		{Percent{2, 1}, 53512, 54582}, {Percent{1, 2}, 199, 199}, {Percent{1, 2}, 200, 201}, {Percent{0, 1}, 7, 7}, {Percent{25, 1}, 80, 100}, {Percent{100, 1}, 0, 0},
	} {
		if got, err := c.p.above(c.n); err != nil || got != c.want {
			t.Errorf("%+v above %d: %d, %v, want %d", c.p, c.n, got, err, c.want)
		}
	}
	for _, p := range []Percent{{200, 1}, {math.MaxInt64, 1}} {
		if got, err := p.above(math.MaxInt64 / 2); err == nil {
			t.Errorf("%+v: %d without an error", p, got)
		}
	}
}
