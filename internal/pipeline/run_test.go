package pipeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// train is a whole schedule of two stages on two ranks, which tests spoil.
func train() Schedule {
	return Schedule{Ranks: [][]Action{
		{{Forward, 0, 0}, {Forward, 0, 1}, {Backward, 0, 0}, {Backward, 0, 1}},
		{{Forward, 1, 0}, {BackwardInput, 1, 0}, {BackwardWeights, 1, 0}, {Forward, 1, 1}, {Backward, 1, 1}},
	}}
}

func TestRun(t *testing.T) {
	got, err := train().Do(Costs{1, 2, 3})
	want := Run{
		Length: 18,
		Order:  []Place{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {1, 2}, {1, 3}, {1, 4}, {0, 3}},
		Starts: []int64{0, 1, 1, 2, 4, 4, 7, 8, 13},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
}

func TestRunRefusesCosts(t *testing.T) {
	for _, c := range []Costs{{-1, 0, 0}, {0, MaxCost + 1, 0}} {
		if run, err := train().Do(c); err == nil || run.Order != nil {
			t.Errorf("%+v: %v", c, run)
		}
	}
	if _, err := train().Do(Costs{MaxCost, MaxCost, MaxCost}); err != nil {
		t.Error(err)
	}
}

// What is wrong with a schedule is told by place.
func TestWrongSchedules(t *testing.T) {
	type wrong struct {
		Repeats [][2]Place
		Strays  []Place
		Missing []Action
		Done    int
		Stuck   []Stuck
	}
	for _, test := range []struct {
		name  string
		spoil func(r [][]Action) [][]Action
		want  wrong
	}{
		{"nothing", func(r [][]Action) [][]Action { return r }, wrong{Done: 9}},
		{"swapped", func(r [][]Action) [][]Action { r[1][0], r[1][1] = r[1][1], r[1][0]; return r }, wrong{
			Done: 2,
			Stuck: []Stuck{
				{Place{0, 2}, Action{Backward, 0, 0}, Action{BackwardInput, 1, 0}, true},
				{Place{1, 0}, Action{BackwardInput, 1, 0}, Action{Forward, 1, 0}, true},
			}}},
		{"lost", func(r [][]Action) [][]Action { r[0] = r[0][1:]; return r }, wrong{
			Missing: []Action{{Forward, 0, 0}}, Done: 1,
			Stuck: []Stuck{
				{Place{0, 1}, Action{Backward, 0, 0}, Action{Forward, 0, 0}, false},
				{Place{1, 0}, Action{Forward, 1, 0}, Action{Forward, 0, 0}, false},
			}}},
		{"lost with both parts", func(r [][]Action) [][]Action { r[0] = r[0][:3]; return r }, wrong{
			Missing: []Action{{BackwardInput, 0, 1}, {BackwardWeights, 0, 1}}, Done: 8}},
		{"twice", func(r [][]Action) [][]Action { r[1] = append(r[1], Action{BackwardWeights, 1, 1}); return r }, wrong{
			Repeats: [][2]Place{{{1, 4}, {1, 5}}}, Done: 10}},
		{"elsewhere", func(r [][]Action) [][]Action { r[1][4].Stage = 0; return r }, wrong{
			Repeats: [][2]Place{{{0, 3}, {1, 4}}}, Strays: []Place{{1, 4}},
			Missing: []Action{{BackwardInput, 1, 1}, {BackwardWeights, 1, 1}}, Done: 7,
			Stuck: []Stuck{
				{Place{0, 3}, Action{Backward, 0, 1}, Action{BackwardInput, 1, 1}, false},
				{Place{1, 4}, Action{Backward, 0, 1}, Action{BackwardInput, 1, 1}, false},
			}}},
		{"nothing there", func([][]Action) [][]Action { return nil }, wrong{}},
	} {
		s := Schedule{Ranks: test.spoil(train().Ranks)}
		run := s.DoInUnits()
		got := wrong{s.Repeats(), s.Strays(), s.Missing(), len(run.Order), run.Stuck}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
}
