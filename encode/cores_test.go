package encode_test

import (
	"testing"

	"plancheck/encode"
	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// How many logical cores and open ranges there are where no target says so.
func TestCores(t *testing.T) {
	for _, c := range []struct {
		name, logical, stages, instances string
		o                                encode.Options
		cores, open                      int
	}{
		{"stated", `"logical_cores": 7,`, `{"index": 0}, {"index": 1}`, ``, encode.Options{}, 7, 2},
		{"one a stage", ``, `{"index": 0}, {"index": 1}`, ``, encode.Options{}, 2, 2},
		{"as the ranges reach, in any order", ``, `{"index": 1, "cores": {"first": 3, "count": 2}}, {"index": 0, "cores": {"first": 0, "count": 3}}`, ``, encode.Options{}, 5, 0},
		{"one for each stage behind the range that reaches furthest", ``, `{"index": 0, "cores": {"first": 0, "count": 3}}, {"index": 1}, {"index": 2}`, ``, encode.Options{}, 5, 2},
		{"as instances reach", ``, `{"index": 0}`, `{"op": "a", "cores": [3, 2]}`, encode.Options{}, 4, 1},
		{"but not those that are given up", ``, `{"index": 0}`, `{"op": "a", "cores": [3, 2]}`, encode.Options{Free: encode.Free{Core: true}}, 1, 1},
		{"as the options say", `"logical_cores": 7,`, `{"index": 0, "cores": {"first": 0, "count": 7}}`, ``, encode.Options{Cores: 4}, 4, 1},
		{"as the options say, which is as before", `"logical_cores": 7,`, `{"index": 0, "cores": {"first": 0, "count": 7}}`, ``, encode.Options{Cores: 7}, 7, 0},
		{"ranges given up count still", ``, `{"index": 0, "cores": {"first": 0, "count": 3}}`, ``, encode.Options{Free: encode.Free{Core: true}}, 3, 1},
		{"ranges of fewer stages than before count still", ``, `{"index": 0, "cores": {"first": 0, "count": 3}}, {"index": 1, "cores": {"first": 3, "count": 1}}`, ``, encode.Options{Stages: 1}, 4, 1},
		{"more stages than the plan has", ``, ``, ``, encode.Options{Stages: 3}, 3, 3},
	} {
		text := `{"schema": "plancheck.concrete-plan/1", ` + c.logical + ` "graph": {"ops": [{"id": "a", "lanes": 2, "work_cycles": 1}]}, "stages": [` + c.stages + `],
"assignment": {"instances": [` + c.instances + `]}}`
		p, ds := ir.DecodePlan(diag.NewSource("plan.json", []byte(text)))
		if len(ds) > 0 {
			t.Fatal(c.name, placed(ds))
		}
		m, ds := encode.New(p, c.o)
		if len(ds) > 0 {
			t.Errorf("%s: %v", c.name, placed(ds))
			continue
		}
		open := 0
		for _, r := range m.Problem.Ranges {
			if r == (schedule.Range{First: schedule.Free, Count: schedule.Free}) {
				open++
			}
		}
		if m.Problem.Cores != c.cores || open != c.open || len(m.Problem.Ranges) != m.Problem.Stages {
			t.Errorf("%s: %d cores and %d open ranges of %d, want %d and %d", c.name, m.Problem.Cores, open, m.Problem.Stages, c.cores, c.open)
		}
	}
}
