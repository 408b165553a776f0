package schedule

import (
	"context"
	"errors"
	"testing"
	"time"

	"plancheck/internal/search/packing"
)

// Numbers that the packing refuses end the search with an error, and are not
// taken for a stage that does not fit.
func TestPackingRefuses(t *testing.T) {
	op := Op{Lanes: 1, Parts: 1, Cycles: []int64{1 << 60}}
	p := &Problem{Stages: 1, Cores: 2, Kinds: 1, Ops: []Op{op, op}, Ranges: []Range{{Free, Free}}}
	b := newBoard(p, Options{})
	l := newLayers(b, Options{})
	if l.try(context.Background(), []int{0, 0}, quick) || !errors.Is(b.fault, packing.ErrProblem) {
		t.Errorf("fault is %v", b.fault)
	}
	if !b.closed() {
		t.Error("the search goes on")
	}
}

// By the clock a part of the search has a part of the time; with a budget of
// steps it has all of it, so that what is found does not depend on the clock.
func TestPortion(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	whole, _ := ctx.Deadline()
	for _, c := range []struct {
		name  string
		steps int64
		most  time.Duration // before the whole time ends
		least time.Duration
	}{
		{"by the clock", never, 31 * time.Minute, 29 * time.Minute},
		{"by steps", 1000, 0, 0},
	} {
		l := layers{steps: c.steps}
		part, done := l.portion(ctx, 0.5)
		end, ok := part.Deadline()
		if early := whole.Sub(end); !ok || early < c.least || early > c.most {
			t.Errorf("%s: ends %v before the whole time", c.name, early)
		}
		done()
	}
}

// A sum that is 0 confirms no bound but 0.
func TestSumCheck(t *testing.T) {
	p := &Problem{Stages: 1, Cores: 2, Kinds: 1, Ops: []Op{{Lanes: 3, Parts: 1, Cycles: []int64{5}}, {Lanes: 1, Parts: 1, Cycles: []int64{0}}}, Ranges: []Range{{Free, Free}}}
	for _, c := range []struct {
		name  string
		sum   Sum
		bound int64
		ok    bool
	}{
		{"rounded up", Sum{Ops: []int{0}, Cores: 2, Total: 15}, 8, true},
		{"too much", Sum{Ops: []int{0}, Cores: 2, Total: 15}, 9, false},
		{"another total", Sum{Ops: []int{0}, Cores: 2, Total: 16}, 8, false},
		{"no cores", Sum{Ops: []int{0}, Total: 15}, 8, false},
		{"one share", Sum{Ops: []int{0}, Cores: 1, Total: 5, Share: true}, 5, true},
		{"nothing", Sum{Ops: []int{1}, Cores: 1}, 0, true},
		{"something of nothing", Sum{Ops: []int{1}, Cores: 1}, 1, false},
	} {
		if err := c.sum.check(p, c.bound); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
