package solvecases

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/search/schedule"
	"plancheck/internal/search/schedule/scheduletest"
	"plancheck/rules"
)

const folder = "../../../testdata/cases/solve"

// TestCasesAreTheFiles: every file has its case, and every case its file.
func TestCasesAreTheFiles(t *testing.T) {
	var names, files []string
	for _, c := range Cases() {
		names = append(names, c.Name)
	}
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		files = append(files, strings.TrimSuffix(f.Name(), ".json"))
	}
	slices.Sort(names)
	slices.Sort(files)
	if diff := cmp.Diff(files, names); diff != "" {
		t.Errorf("-files +cases\n%s", diff)
	}
}

// TestCasesAreLegalSoFar: the rules find nothing in what is decided.
func TestCasesAreLegalSoFar(t *testing.T) {
	set, ds := rules.Load([]string{"builtin"})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	for _, c := range Cases() {
		p, err := c.Read(folder)
		if err != nil {
			t.Fatal(err)
		}
		v, err := set.Judge(t.Context(), p, rules.Options{Partial: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Findings) > 0 {
			t.Errorf("%s: %v", c.Name, v.Findings)
		}
	}
}

// TestAnswersAreTheBest finds the best of each case by trying everything, and
// that it cannot be reached with other counts of cores or on other places where
// the case says so.
func TestAnswersAreTheBest(t *testing.T) {
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			plan, err := c.Read(folder)
			if err != nil {
				t.Fatal(err)
			}
			p, err := problem(plan)
			if err != nil {
				t.Fatal(err)
			}
			if p.Cores < p.Stages { // no problem in numbers
				if c.Feasible {
					t.Error("there are more stages than cores")
				}
				return
			}
			cost, s, ok := best(t, p, c.Traffic > 0)
			if ok != c.Feasible || cost.Interval != c.Interval || cost.Forwards != c.Forwards || c.Traffic > 0 && cost.Traffic != c.Traffic {
				t.Fatalf("best costs %+v, %v; the case says %+v\n%+v", cost, ok, c, s)
			}
			if !ok {
				return
			}
			worse := func(what string) {
				other, s, ok := best(t, p, c.Traffic > 0)
				if ok && other.Interval == cost.Interval && other.Forwards == cost.Forwards && (c.Traffic == 0 || other.Traffic == cost.Traffic) {
					t.Errorf("other %s are as good: %+v, %+v", what, other, s)
				}
			}
			if c.Counts != nil {
				ranges := p.Ranges
				for other := range counts(p.Stages, p.Cores) {
					if p.Ranges = given(ranges, other); p.Ranges != nil && !slices.Equal(other, c.Counts) {
						worse("counts")
					}
				}
				p.Ranges = ranges
			}
			places := p.Places
			for core, at := range c.Places {
				for m := range p.Machine {
					if p.Places = slices.Clone(places); m != at && places[core] == schedule.Free {
						p.Places[core] = m
						worse("places")
					}
				}
			}
		})
	}
}

// best finds the best of a problem, with the least traffic too where that is
// asked for.
func best(t *testing.T, p *schedule.Problem, traffic bool) (schedule.Cost, *schedule.Solution, bool) {
	if !traffic {
		return scheduletest.Best(p)
	}
	cost, s, known := scheduletest.LeastOfAll(p, 100_000)
	if !known {
		t.Fatal("there are too many solutions to look at all of them")
	}
	return cost, s, s != nil
}

// counts yields all ways to give cores to stages.
func counts(stages, cores int) func(func([]int) bool) {
	return func(yield func([]int) bool) {
		var choose func(list []int, left int) bool
		choose = func(list []int, left int) bool {
			if len(list) == stages-1 {
				return yield(append(slices.Clone(list), left))
			}
			for n := 1; n <= left-(stages-1-len(list)); n++ {
				if !choose(append(list, n), left-n) {
					return false
				}
			}
			return true
		}
		choose(nil, cores)
	}
}

// given gives the stages these counts; nil if they are known to be others.
func given(ranges []schedule.Range, counts []int) []schedule.Range {
	list := slices.Clone(ranges)
	for i, n := range counts {
		if list[i].Count != schedule.Free && list[i].Count != n {
			return nil
		}
		list[i].Count = n
	}
	return list
}
