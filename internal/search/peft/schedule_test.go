package peft

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// tenTasks is the example of Topcuoglu, Hariri and Wu, "Performance-Effective
// and Low-Complexity Task Scheduling for Heterogeneous Computing", 2002.
func tenTasks() *Problem {
	p := &Problem{Cores: []int{0, 1, 2}}
	for _, c := range [][]int64{
		{14, 16, 9}, {13, 19, 18}, {11, 13, 19}, {13, 8, 17}, {12, 13, 10},
		{13, 16, 9}, {7, 15, 11}, {5, 11, 14}, {18, 12, 20}, {21, 7, 16},
	} {
		p.Tasks = append(p.Tasks, Task{Lanes: 1, Cycles: c})
	}
	for _, e := range [][3]int{
		{1, 2, 18}, {1, 3, 12}, {1, 4, 9}, {1, 5, 11}, {1, 6, 14}, {2, 8, 19}, {2, 9, 16}, {3, 7, 23},
		{4, 8, 27}, {4, 9, 23}, {5, 9, 13}, {6, 8, 15}, {7, 10, 17}, {8, 10, 11}, {9, 10, 13},
	} {
		p.Edges = append(p.Edges, Edge{e[0] - 1, e[1] - 1, int64(e[2])})
	}
	return p
}

func TestTenTasks(t *testing.T) {
	p := tenTasks()
	w, err := compile(p)
	if err != nil {
		t.Fatal(err)
	}
	// The last rows by hand: an exit has none, and before it runs the exit on
	// the second core or, at the cost of the edge, waits for it there.
	table, rank := w.optimistic()
	if diff := cmp.Diff([][]int64{{21, 7, 16}, {18, 7, 16}, {20, 7, 16}, {0, 0, 0}}, [][]int64{
		{table[6][0], table[6][1], table[6][2]}, {table[7][0], table[7][1], table[7][2]},
		{table[8][0], table[8][1], table[8][2]}, table[9]}); diff != "" {
		t.Errorf("table of tasks 7 to 10 (-want +got):\n%s", diff)
	}
	if rank[7] != 41 {
		t.Errorf("rank %d, want 41", rank[7])
	}
	got, err := Schedule(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if why := illegal(p, got); why != "" {
		t.Error(why)
	}
	if got.Length != 85 {
		t.Errorf("%+v, want length 85", got)
	}
}

func TestAgainstNaive(t *testing.T) {
	inserted := 0
	for seed := range uint64(3000) {
		p := randomProblem(seed, 24, 1)
		got, err := Schedule(t.Context(), p)
		if err != nil {
			t.Fatalf("seed %d: %v\n%+v", seed, err, p)
		}
		if diff := cmp.Diff(naive(p), got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%+v", seed, diff, p)
		}
		last := map[int]int64{}
		for _, task := range got.Order {
			if start := got.Start[task][0]; start < last[got.Core[task][0]] {
				inserted++
			} else {
				last[got.Core[task][0]] = start
			}
		}
	}
	if inserted < 1000 {
		t.Errorf("only %d tasks went into a gap", inserted)
	}
}

func TestLegal(t *testing.T) {
	for seed := range uint64(3000) {
		p := randomProblem(seed, 40, 9)
		got, err := Schedule(t.Context(), p)
		if err != nil {
			t.Fatalf("seed %d: %v\n%+v", seed, err, p)
		}
		if why := illegal(p, got); why != "" {
			t.Fatalf("seed %d: %s\n%+v", seed, why, p)
		}
	}
}

// TestLanesAreTasks holds lanes against tasks of one lane where both are the
// same: nothing is read but from tasks of one lane, and lanes keep their order.
func TestLanesAreTasks(t *testing.T) {
	for seed := range uint64(500) {
		p := randomProblem(seed, 1, 1)
		if len(p.Tasks) == 0 {
			continue
		}
		const lanes = 20
		cycles := p.Tasks[0].Cycles
		one := &Problem{Cores: p.Cores, Tasks: []Task{{1, cycles}, {lanes, cycles}}, Edges: []Edge{{0, 1, int64(seed % 50)}}}
		many := &Problem{Cores: p.Cores, Tasks: []Task{{1, cycles}}}
		for i := range lanes {
			many.Tasks = append(many.Tasks, Task{1, cycles})
			many.Edges = append(many.Edges, Edge{0, 1 + i, int64(seed % 50)})
		}
		a, err := Schedule(t.Context(), one)
		if err != nil {
			t.Fatal(err)
		}
		b := naive(many)
		var start []int64
		var core []int
		for i := range lanes {
			start, core = append(start, b.Start[1+i][0]), append(core, b.Core[1+i][0])
		}
		if diff := cmp.Diff(start, a.Start[1]) + cmp.Diff(core, a.Core[1]); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%+v", seed, diff, one)
		}
	}
}

func TestSmall(t *testing.T) {
	tests := []struct {
		name string
		p    Problem
		want Result
	}{
		{"nothing", Problem{Cores: []int{0}}, Result{}},
		{"slices go side by side, the first with a cycle more",
			Problem{Cores: []int{0, 0, 1}, Tasks: []Task{{2, []int64{4, 100}}, {1, []int64{100, 1}}}, Edges: []Edge{{0, 1, 7}}},
			Result{
				Start: [][]int64{{0, 0}, {8}}, Finish: [][]int64{{4, 4}, {9}}, Core: [][]int{{0, 1}, {2}},
				Order: []int{0, 1}, Length: 9,
			}},
		{"the longer way goes first and the other into its gap",
			Problem{Cores: []int{0, 1}, Tasks: []Task{{1, []int64{2, 50}}, {1, []int64{50, 3}}, {1, []int64{4, 50}}, {1, []int64{5, 50}}},
				Edges: []Edge{{0, 1, 1}, {1, 2, 1}}},
			Result{
				Start: [][]int64{{0}, {3}, {7}, {2}}, Finish: [][]int64{{2}, {6}, {11}, {7}}, Core: [][]int{{0}, {1}, {0}, {0}},
				Order: []int{0, 1, 2, 3}, Length: 11,
			}},
		{"lanes without cycles take no room",
			Problem{Cores: []int{0}, Tasks: []Task{{1, []int64{5}}, {3, []int64{0}}}},
			Result{
				Start: [][]int64{{0}, {0, 0, 0}}, Finish: [][]int64{{5}, {0, 0, 0}}, Core: [][]int{{0}, {0, 0, 0}},
				Order: []int{0, 1}, Length: 5,
			}},
	}
	for _, test := range tests {
		got, err := Schedule(t.Context(), &test.p)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestIllFormed(t *testing.T) {
	one := []Task{{1, []int64{1}}, {1, []int64{1}}}
	for name, p := range map[string]Problem{
		"no cores":             {Tasks: one},
		"kind below 0":         {Cores: []int{-1}},
		"kind far above":       {Cores: []int{1 << 40}},
		"no lanes":             {Cores: []int{0}, Tasks: []Task{{0, []int64{1}}}},
		"too many lanes":       {Cores: []int{0}, Tasks: []Task{{1, []int64{1}}, {maxLanes, []int64{1}}}},
		"a kind without":       {Cores: []int{1}, Tasks: one},
		"negative cycles":      {Cores: []int{0}, Tasks: []Task{{1, []int64{-1}}}},
		"edge from nowhere":    {Cores: []int{0}, Tasks: one, Edges: []Edge{{-1, 0, 0}}},
		"edge to nowhere":      {Cores: []int{0}, Tasks: one, Edges: []Edge{{0, 2, 0}}},
		"edge to itself":       {Cores: []int{0}, Tasks: one, Edges: []Edge{{0, 0, 0}}},
		"negative edge":        {Cores: []int{0}, Tasks: one, Edges: []Edge{{0, 1, -1}}},
		"cycle":                {Cores: []int{0}, Tasks: one, Edges: []Edge{{0, 1, 0}, {1, 0, 0}}},
		"cycles overflow":      {Cores: []int{0}, Tasks: []Task{{1 << 20, []int64{1 << 45}}}},
		"sum overflows":        {Cores: []int{0}, Tasks: []Task{{1, []int64{1 << 61}}, {1, []int64{1 << 61}}}},
		"edges overflow":       {Cores: []int{0}, Tasks: one, Edges: []Edge{{0, 1, math.MaxInt64}}},
		"ranks would overflow": {Cores: make([]int, 1000), Tasks: []Task{{1, []int64{1 << 55}}}},
	} {
		if got, err := Schedule(t.Context(), &p); !errors.Is(err, ErrProblem) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Schedule(ctx, tenTasks()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// large is a network of the given number of lanes in all, in tasks of some.
func large(lanes, each int) *Problem {
	p := &Problem{Cores: make([]int, 64)}
	for t := range lanes / each {
		p.Tasks = append(p.Tasks, Task{each, []int64{int64(1 + t*7919%97)}})
		for _, back := range []int{1, 2, 5, 40} {
			if (t+back)%3 > 0 && t >= back {
				p.Edges = append(p.Edges, Edge{t - back, t, int64(t*104729%(64*31)) / 8})
			}
		}
	}
	return p
}

func BenchmarkSchedule(b *testing.B) {
	for _, size := range []struct {
		name string
		each int
	}{{"200000 lanes by 40", 40}, {"200000 lanes by 8", 8}, {"200000 lanes by 1", 1}} {
		p := large(200_000, size.each)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				r, err := Schedule(b.Context(), p)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Length), "length")
			}
		})
	}
}
