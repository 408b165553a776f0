package pipeline

import (
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func generated(t interface{ Fatalf(string, ...any) }, name string, z Size) Schedule {
	for _, g := range Generators() {
		if g.Name != name {
			continue
		}
		s, err := g.Make(z)
		if err != nil {
			t.Fatalf("%s %+v: %v", name, z, err)
		}
		return s
	}
	t.Fatalf("no generator %s", name)
	return Schedule{}
}

func rows(s Schedule) (lines []string) {
	for _, actions := range s.Ranks {
		var cells []string
		for _, a := range actions {
			cells = append(cells, a.String())
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return lines
}

func TestSchedules(t *testing.T) {
	for _, test := range []struct {
		name string
		size Size
		want []string
	}{
		{"gpipe", Size{2, 2, 1}, []string{
			"0F0 0F1 0BW0 0BW1",
			"1F0 1F1 1BW0 1BW1",
		}},
		{"1f1b", Size{3, 4, 1}, []string{
			"0F0 0F1 0F2 0BW0 0F3 0BW1 0BW2 0BW3",
			"1F0 1F1 1BW0 1F2 1BW1 1F3 1BW2 1BW3",
			"2F0 2BW0 2F1 2BW1 2F2 2BW2 2F3 2BW3",
		}},
		{"1f1b", Size{3, 1, 1}, []string{"0F0 0BW0", "1F0 1BW0", "2F0 2BW0"}},
		{"interleaved-1f1b", Size{2, 4, 2}, []string{
			"0F0 0F1 2F0 2F1 0F2 2BW0 0F3 2BW1 2F2 0BW0 2F3 0BW1 2BW2 2BW3 0BW2 0BW3",
			"1F0 1F1 3F0 3BW0 3F1 3BW1 1F2 1BW0 1F3 1BW1 3F2 3BW2 3F3 3BW3 1BW2 1BW3",
		}},
		{"zero-bubble-h1", Size{3, 4, 1}, []string{
			"0F0 0F1 0F2 0B0 0W0 0F3 0B1 0W1 0B2 0W2 0B3 0W3",
			"1F0 1F1 1B0 1F2 1B1 1W0 1F3 1B2 1W1 1B3 1W2 1W3",
			"2F0 2B0 2F1 2B1 2F2 2B2 2W0 2F3 2B3 2W1 2W2 2W3",
		}},
	} {
		if d := cmp.Diff(test.want, rows(generated(t, test.name, test.size))); d != "" {
			t.Errorf("%s %+v: %s", test.name, test.size, d)
		}
	}
}

// The lengths are those of the papers: (m + p - 1) (F + B + W) for GPipe and
// 1F1B, and m (F + B + W) + (p - 1) (F + B - W) for ZB-H1. An interleaved
// schedule has a bubble of (p - 1) / (v m) of the work.
func TestLengths(t *testing.T) {
	type length struct {
		Steps  int64
		Bubble string // idle steps of a rank, as a part of its work
	}
	for _, test := range []struct {
		name  string
		size  Size
		costs Costs
		want  length
	}{
		{"1f1b", Size{4, 8, 1}, UnitCosts(), length{33, "3/8"}},
		{"1f1b", Size{8, 64, 1}, UnitCosts(), length{213, "7/64"}},
		{"1f1b", Size{4, 4, 1}, UnitCosts(), length{21, "3/4"}},
		{"1f1b", Size{3, 5, 1}, UnitCosts(), length{21, "2/5"}},
		{"gpipe", Size{4, 8, 1}, UnitCosts(), length{33, "3/8"}},
		{"gpipe", Size{8, 64, 1}, UnitCosts(), length{213, "7/64"}},
		{"gpipe", Size{4, 4, 1}, UnitCosts(), length{21, "3/4"}},
		{"gpipe", Size{3, 5, 1}, UnitCosts(), length{21, "2/5"}},
		{"interleaved-1f1b", Size{4, 8, 2}, UnitCosts(), length{57, "3/16"}},
		{"interleaved-1f1b", Size{8, 64, 3}, UnitCosts(), length{597, "7/192"}},
		{"zero-bubble-h1", Size{4, 8, 1}, UnitCosts(), length{27, "1/8"}},
		{"zero-bubble-h1", Size{8, 64, 1}, UnitCosts(), length{199, "7/192"}},
		{"zero-bubble-h1", Size{4, 8, 1}, Costs{5, 5, 4}, length{8*14 + 3*6, "9/56"}},
		{"1f1b", Size{4, 8, 1}, Costs{0, 0, 0}, length{0, ""}},
	} {
		run, err := generated(t, test.name, test.size).Do(test.costs)
		if err != nil {
			t.Fatal(err)
		}
		got := length{Steps: run.Length}
		work := (test.costs.Forward + test.costs.BackwardInput + test.costs.BackwardWeights) * int64(test.size.Microbatches*test.size.Chunks)
		if work > 0 {
			got.Bubble = big.NewRat(run.Length-work, work).String()
		}
		if d := cmp.Diff(test.want, got); d != "" || len(run.Stuck) > 0 {
			t.Errorf("%s %+v: %s, stuck %v", test.name, test.size, d, run.Stuck)
		}
	}
}

func TestInFlight(t *testing.T) {
	for _, test := range []struct {
		name string
		size Size
		want map[int64]int
	}{
		{"gpipe", Size{3, 7, 1}, map[int64]int{0: 7, 1: 7, 2: 7}},
		{"1f1b", Size{3, 7, 1}, map[int64]int{0: 3, 1: 2, 2: 1}},
		{"1f1b", Size{3, 2, 1}, map[int64]int{0: 2, 1: 2, 2: 1}},
		{"zero-bubble-h1", Size{3, 7, 1}, map[int64]int{0: 3, 1: 3, 2: 3}},
		{"interleaved-1f1b", Size{2, 4, 2}, map[int64]int{0: 4, 1: 3, 2: 2, 3: 1}},
	} {
		if d := cmp.Diff(test.want, generated(t, test.name, test.size).InFlight()); d != "" {
			t.Errorf("%s %+v: %s", test.name, test.size, d)
		}
	}
	forwards := Schedule{Ranks: [][]Action{{{Forward, 0, 0}, {Forward, 0, 1}}}}
	if d := cmp.Diff(map[int64]int{}, forwards.InFlight()); d != "" {
		t.Error(d)
	}
}

func TestMakeRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		size Size
		want string
	}{
		{"1f1b", Size{0, 1, 1}, "a schedule needs at least 1 rank, 1 microbatch and 1 stage a rank"},
		{"1f1b", Size{1, -1, 1}, "a schedule needs at least 1 rank, 1 microbatch and 1 stage a rank"},
		{"gpipe", Size{2, 2, 2}, "gpipe has 1 stage a rank, not 2"},
		{"interleaved-1f1b", Size{4, 6, 2}, "interleaved-1f1b needs a number of microbatches that 4 ranks divide, not 6"},
		{"1f1b", Size{1 << 30, 1 << 40, 1}, "1099511627776 microbatches in 1 stages of 1073741824 ranks are more than a schedule of 1048576 actions holds"},
	} {
		for _, g := range Generators() {
			if g.Name != test.name {
				continue
			}
			if s, err := g.Make(test.size); err == nil || err.Error() != test.want || s.Ranks != nil {
				t.Errorf("%s %+v: %v, %v", test.name, test.size, s, err)
			}
		}
	}
}

// drawSchedule draws a schedule of any generator and size.
func drawSchedule(t *rapid.T) (Generator, Size, Schedule) {
	g := rapid.SampledFrom(Generators()).Draw(t, "generator")
	z := Size{rapid.IntRange(1, 6).Draw(t, "ranks"), rapid.IntRange(1, 9).Draw(t, "microbatches"), 1}
	if g.Interleaves {
		z.Chunks = rapid.IntRange(1, 3).Draw(t, "chunks")
		z.Microbatches = z.Ranks * min(z.Microbatches, 3)
	}
	return g, z, generated(t, g.Name, z)
}

// Every generated schedule does everything once, where it belongs, and ends, and
// none but GPipe holds more of a stage than 1F1B may.
func TestGeneratedSchedulesAreLegal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, z, s := drawSchedule(t)
		for _, x := range []Schedule{s, s.WithTransfers()} {
			run := x.DoInUnits()
			if len(x.Repeats())+len(x.Strays())+len(x.Missing())+len(run.Stuck)+len(x.Disordered()) > 0 {
				t.Fatalf("%v: %v %v %v %v %v", rows(x), x.Repeats(), x.Strays(), x.Missing(), run.Stuck, x.Disordered())
			}
			if want := 3 * int64(z.Microbatches*z.Chunks); run.Length < want {
				t.Fatalf("%d steps for %d of work", run.Length, want)
			}
		}
		if a, b := s.DoInUnits(), s.WithTransfers().DoInUnits(); a.Length != b.Length {
			t.Fatalf("%d steps, %d with transfers", a.Length, b.Length)
		}
		limit := z.Ranks
		switch g.Name {
		case "gpipe":
			limit = z.Microbatches
		case "interleaved-1f1b":
			limit = 2 * z.Ranks
		}
		for stage, n := range s.InFlight() {
			if n > limit {
				t.Fatalf("stage %d holds %d microbatches", stage, n)
			}
		}
	})
}
