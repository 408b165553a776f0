package rules

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/symbol"
)

// A wrong certificate is a violation: the rules do not trust the exporter.
func TestWrongCertificates(t *testing.T) {
	s := builtin(t)
	x := Examples("dag_cycle")
	bad, good := x.Bad, x.Good
	for _, c := range []struct {
		name   string
		data   []byte
		change func(syms *symbol.Table, rank, cycle *datalog.Table)
		want   []string
	}{
		{"right for a graph without a cycle", good, nil, nil},
		{"right for a graph with a cycle", bad, nil, []string{`dag_cycle(["embed", "mlp", "head"], "embed", "mlp")`}},
		{"equal ranks along an edge", good, func(_ *symbol.Table, rank, _ *datalog.Table) {
			rank.Cols[1][1] = rank.Cols[1][0]
		}, []string{`rank_does_not_grow("embed", "mlp", 0, 0)`}},
		{"no rank for an op that no cycle reaches", good, func(_ *symbol.Table, rank, _ *datalog.Table) {
			drop(rank, 0)
		}, []string{`cycle_missing("embed")`, `rank_missing("embed")`}},
		{"no ranks behind it either", good, func(_ *symbol.Table, rank, _ *datalog.Table) {
			drop(rank, 2)
			drop(rank, 1)
			drop(rank, 0)
		}, []string{`cycle_missing("embed")`, `cycle_missing("head")`, `cycle_missing("mlp")`, `rank_missing("embed")`}},
		{"ranks on a cycle", bad, func(syms *symbol.Table, rank, cycle *datalog.Table) {
			*cycle = datalog.Table{Name: cycle.Name, Cols: make([][]symbol.Value, 3), Distinct: true}
			for i, op := range []string{"embed", "mlp", "head"} {
				add(rank, syms.String(op), symbol.Value(i))
			}
		}, []string{`rank_does_not_grow("head", "embed", 2, 0)`}},
		{"a cycle that is none", good, func(syms *symbol.Table, _, cycle *datalog.Table) {
			add(cycle, 0, syms.String("embed"), syms.String("mlp"))
			add(cycle, 1, syms.String("mlp"), syms.String("embed"))
		}, []string{`cycle_broken(1, "mlp", "embed")`, `dag_cycle(["embed", "mlp"], "embed", "mlp")`}},
		{"a cycle that is not closed", good, func(syms *symbol.Table, _, cycle *datalog.Table) {
			add(cycle, 0, syms.String("embed"), syms.String("mlp"))
		}, []string{`cycle_broken(0, "embed", "mlp")`, `dag_cycle(["embed"], "embed", "mlp")`}},
		{"a cycle without a beginning", bad, func(_ *symbol.Table, _, cycle *datalog.Table) {
			cycle.Cols[0] = []symbol.Value{1, 2, 3}
		}, []string{`cycle_missing("embed")`, `cycle_missing("head")`, `cycle_missing("mlp")`}},
		{"a cycle with a jump", bad, func(syms *symbol.Table, _, cycle *datalog.Table) {
			drop(cycle, 1)
			cycle.Cols[0][1] = 1
		}, []string{`cycle_broken(0, "embed", "mlp")`, `dag_cycle(["embed", "head"], "embed", "mlp")`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := violations(t, s, c.data, func(syms *symbol.Table, f *facts.Facts) {
				if c.change != nil {
					c.change(syms, f.Table("op_rank"), f.Table("graph_cycle"))
				}
			})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

// The order of ranges, and which of them reaches furthest, are not trusted
// either. The plan's ranges are of stages 0 (cores 0 to 3), 1 (1), 2 (3 to 4)
// and 3 (6), in this order.
func TestWrongOrdersOfRanges(t *testing.T) {
	s := builtin(t)
	data := []byte(`{"schema": "plancheck.concrete-plan/1", "logical_cores": 7, "graph": {"ops": []}, "stages": [
		{"index": 0, "cores": {"first": 0, "count": 4}}, {"index": 1, "cores": {"first": 1, "count": 1}},
		{"index": 2, "cores": {"first": 3, "count": 2}}, {"index": 3, "cores": {"first": 6, "count": 1}}]}`)
	right := [][3]symbol.Value{{0, 0, 0}, {1, 1, 0}, {2, 2, 2}, {3, 3, 3}}
	found := []string{`stage_ranges_gap(5, 5, 2)`, `stage_ranges_overlap(0, 1, 1, 1)`, `stage_ranges_overlap(0, 2, 3, 3)`}
	for _, c := range []struct {
		name string
		rows [][3]symbol.Value
		told string // a violation that has to be among those found; empty where all is right
	}{
		{"right", right, ""},
		{"a stage without a rank", right[:3], `range_unordered(3)`},
		{"no ranks at all", nil, `range_unordered(0)`},
		{"a rank missing", [][3]symbol.Value{{0, 0, 0}, {1, 1, 0}, {2, 2, 2}, {4, 3, 3}}, `range_order_wrong(4, 3)`},
		{"ranks from 1", [][3]symbol.Value{{1, 0, 0}, {2, 1, 0}, {3, 2, 2}, {4, 3, 3}}, `range_order_wrong(1, 0)`},
		{"two stages of one rank", [][3]symbol.Value{{0, 0, 0}, {1, 1, 0}, {1, 2, 2}, {2, 3, 3}}, `range_order_wrong(1, 1)`},
		{"two ranks of one stage", append([][3]symbol.Value{{4, 3, 3}}, right...), `range_order_wrong(4, 3)`},
		{"out of order", [][3]symbol.Value{{0, 0, 0}, {1, 2, 2}, {2, 1, 2}, {3, 3, 3}}, `range_order_wrong(2, 1)`},
		{"another one reaches further", [][3]symbol.Value{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, `furthest_wrong(1, 1)`},
		{"one that begins later reaches furthest", [][3]symbol.Value{{0, 0, 0}, {1, 1, 2}, {2, 2, 2}, {3, 3, 3}}, `furthest_wrong(1, 2)`},
		{"the first is furthest of none", [][3]symbol.Value{{0, 0, 3}, {1, 1, 0}, {2, 2, 2}, {3, 3, 3}}, `furthest_wrong(0, 3)`},
		{"the new one is not seen", [][3]symbol.Value{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 3, 3}}, `furthest_wrong(2, 0)`},
		{"no such stage", [][3]symbol.Value{{0, 0, 0}, {1, 1, 0}, {2, 2, 9}, {3, 3, 3}}, `furthest_wrong(2, 9)`},
	} {
		got := violations(t, s, data, func(_ *symbol.Table, f *facts.Facts) {
			order := f.Table("range_order")
			*order = datalog.Table{Name: order.Name, Cols: make([][]symbol.Value, 3), Distinct: true}
			for _, row := range c.rows {
				add(order, row[:]...)
			}
		})
		if c.told == "" {
			if diff := cmp.Diff(found, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		} else if !slices.Contains(got, c.told) {
			t.Errorf("%s: found %v, want %s", c.name, got, c.told)
		}
	}
}

// violations judges a plan some of whose facts are changed.
func violations(t *testing.T, s *Set, data []byte, change func(*symbol.Table, *facts.Facts)) []string {
	t.Helper()
	p := plan(t, "plan.json", data)
	f, err := facts.Export(p, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	change(p.Symbols, f)
	db, err := s.program.Eval(context.Background(), p.Symbols, f.Tables, s.goals(), datalog.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, goal := range s.goals() {
		for _, row := range db.Rows(goal) {
			got = append(got, p.Symbols.FormatAtom(goal, row))
		}
	}
	slices.Sort(got)
	return got
}

func drop(t *datalog.Table, row int) {
	for c, col := range t.Cols {
		t.Cols[c] = slices.Delete(slices.Clone(col), row, row+1)
	}
	t.N--
}

func add(t *datalog.Table, row ...symbol.Value) {
	for c, v := range row {
		t.Cols[c] = append(slices.Clone(t.Cols[c]), v)
	}
	t.N++
}
