package encode_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/facts"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// What May says of a solution is what its plan says: for random plans and
// schedules.
func TestMayIsWhatPlansSay(t *testing.T) {
	forwards, seen := 0, map[string]int{}
	for seed := range tries() {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		plan, o := drawPlan(r)
		m, diags := encode.New(plan, o)
		if m == nil {
			t.Fatal(diags)
		}
		if m.Hopeless != nil {
			continue
		}
		choices, unknown := m.May(nil)
		var first map[string][]string
		for range 3 {
			s := drawSolution(r, m.Problem)
			if !isLegal(m.Problem, s) {
				continue
			}
			forwards += len(s.Forwards)
			made := rowsOf(t, phases(m, s)[3])
			told := map[string][]string{}
			for relation, rows := range made {
				told[relation] = rows
			}
			for _, c := range choices {
				told[c.Relation] = hold(plan, &c, s)
				if len(told[c.Relation]) > 0 {
					seen[c.Relation]++
				}
			}
			if diff := cmp.Diff(made, told); diff != "" {
				t.Fatalf("seed %d: -plan +told\n%s\n%s", seed, diff, ir.Encode(phases(m, s)[3]))
			}
			for relation := range made {
				if slices.Contains(unknown, relation) || slices.ContainsFunc(choices, func(c encode.Choice) bool { return c.Relation == relation }) {
					delete(made, relation)
				}
			}
			if first == nil {
				first = made
			}
			if diff := cmp.Diff(first, made); diff != "" {
				t.Fatalf("seed %d: what solutions do not decide differs\n%s", seed, diff)
			}
		}
	}
	if forwards == 0 || len(seen) < 25 {
		t.Errorf("%d forwards, and only these relations had rows: %v", forwards, seen)
	}
}

// hold are the rows of a choice that a solution makes.
func hold(p *ir.Plan, c *encode.Choice, s *schedule.Solution) []string {
	rows := []string{}
	for i, row := range c.Rows {
		for _, claims := range c.When[i] {
			if !slices.ContainsFunc(claims, func(c schedule.Claim) bool { return !c.Holds(s) }) {
				rows = append(rows, p.Symbols.FormatAtom(c.Relation, row))
				break
			}
		}
	}
	slices.Sort(rows)
	return rows
}

// rowsOf are the facts of a plan, each once.
func rowsOf(t *testing.T, p *ir.Plan) map[string][]string {
	f, err := facts.Export(p, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, table := range f.Tables {
		rows := []string{}
		for i := range table.N {
			rows = append(rows, p.Symbols.FormatAtom(table.Name, table.Row(i)))
		}
		slices.Sort(rows)
		all[table.Name] = slices.Compact(rows)
	}
	return all
}
