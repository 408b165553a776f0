package example

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestCut(t *testing.T) {
	for _, test := range []struct {
		work []int64
		runs int
		want []int
	}{
		{[]int64{1, 1, 1, 1}, 2, []int{0, 0, 1, 1}},
		{[]int64{5, 1, 1, 1}, 2, []int{0, 1, 1, 1}},
		{[]int64{1, 1, 1, 9}, 3, []int{0, 1, 1, 2}},
		{[]int64{0, 0, 0}, 3, []int{0, 1, 2}},
		{[]int64{7}, 1, []int{0}},
	} {
		if d := cmp.Diff(test.want, cut(test.work, test.runs)); d != "" {
			t.Errorf("cut(%v, %d): %s", test.work, test.runs, d)
		}
	}
}

// TestCutIsBest compares with all ways to cut.
func TestCutIsBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		work := rapid.SliceOfN(rapid.Int64Range(0, 9), 1, 9).Draw(t, "work")
		runs := rapid.IntRange(1, len(work)).Draw(t, "runs")
		var best func(rest []int64, runs int) int64
		best = func(rest []int64, runs int) int64 {
			var sum int64
			if runs == 1 {
				for _, w := range rest {
					sum += w
				}
				return sum
			}
			least := int64(-1)
			for i := 1; i <= len(rest)-runs+1; i++ {
				sum += rest[i-1]
				if v := max(sum, best(rest[i:], runs-1)); least < 0 || v < least {
					least = v
				}
			}
			return least
		}
		got := cut(work, runs)
		sums := make([]int64, runs)
		for i, r := range got {
			if i > 0 && r != got[i-1] && r != got[i-1]+1 || i == 0 && r != 0 {
				t.Fatalf("runs are not contiguous: %v", got)
			}
			sums[r] += work[i]
		}
		if got[len(got)-1] != runs-1 {
			t.Fatalf("%d runs wanted: %v", runs, got)
		}
		if slices.Max(sums) != best(work, runs) {
			t.Fatalf("largest sum %d, best %d", slices.Max(sums), best(work, runs))
		}
	})
}

// chain is a network of ops a, b, c, ..., each of 64 element operations and so
// one cycle, whose edges are given.
func chain(from ...[]ref) *network {
	net := &network{paramBytes: 1}
	for i, f := range from {
		net.add(node{id: string(rune('a' + i)), elementOps: elementOpsPerCycle, outBytes: 128}, f...)
	}
	return net
}

func TestAddForwards(t *testing.T) {
	// a is read in its own stage, in the next, in the one behind it and in the last.
	net := chain(nil, []ref{0}, []ref{0, 1}, []ref{0, 2}, []ref{0, 3})
	s := &schedule{nodes: net.nodes, lanes: []int64{1, 1, 1, 1, 1}, stage: []int{0, 0, 1, 2, 3},
		value: []ref{ordinary, ordinary, ordinary, ordinary, ordinary}}
	s.addForwards()

	type row struct {
		ID, Kind string
		From     []ref
		Stage    int
		Value    ref
		Work     int64
	}
	var got []row
	for i, n := range s.nodes {
		got = append(got, row{n.id, n.kind, n.from, s.stage[i], s.value[i], s.work(i)})
	}
	want := []row{
		{"a", "", []ref{}, 0, ordinary, 1},
		{"b", "", []ref{0}, 0, ordinary, 1},
		{"c", "", []ref{0, 1}, 1, ordinary, 1},
		{"d", "", []ref{5, 2}, 2, ordinary, 1},
		{"e", "", []ref{6, 3}, 3, ordinary, 1},
		{"a.forward1", "forward", []ref{0}, 1, 0, 2},
		{"a.forward2", "forward", []ref{5}, 2, 0, 2},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestPackSharesSlices(t *testing.T) {
	// Two ops share a weight of two slices of 60 bytes; a core of 100 bytes
	// holds one slice, for a lane of each op.
	net := &network{paramBytes: 1}
	shared := []weight{{"w", 120}}
	for _, id := range []string{"a", "b"} {
		net.add(node{id: id, laneChoices: []int64{2}, elementOps: 2 * elementOpsPerCycle, weights: shared})
	}
	s := &schedule{nodes: net.nodes, lanes: []int64{2, 2}, stage: []int{0, 0}, value: []ref{ordinary, ordinary}}
	got, ok := s.pack(0, 2, 100, 1)
	want := packing{cores: map[int][]int64{0: {0, 1}, 1: {0, 1}}, interval: 2}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(packing{})); !ok || d != "" {
		t.Error(ok, d)
	}
	if _, ok := s.pack(0, 1, 100, 1); ok {
		t.Error("two slices of 60 bytes packed on one core of 100")
	}
}

func TestMachineTooSmall(t *testing.T) {
	net := chain(nil, []ref{0})
	net.nodes[1].weights = []weight{{"w", 100}}
	m := machine{rows: 1, cols: 2, capacity: 99}
	s := newSchedule(net, m, 2)
	_, _, err := s.packStages(m, 2, 1)
	want := "the weights of stages 0 to 1 do not fit 2 cores of 99 bytes"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSnake(t *testing.T) {
	if d := cmp.Diff([]int64{0, 1, 2, 5, 4, 3, 6, 7, 8}, machine{rows: 3, cols: 3}.snake()); d != "" {
		t.Error(d)
	}
}
