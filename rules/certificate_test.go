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
	bad, good := Examples("dag_cycle")
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
		{"a cycle with a jump", bad, func(syms *symbol.Table, _, cycle *datalog.Table) {
			drop(cycle, 1)
			cycle.Cols[0][1] = 1
		}, []string{`cycle_broken(0, "embed", "mlp")`, `dag_cycle(["embed", "head"], "embed", "mlp")`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plan(t, "plan.json", c.data)
			f, err := facts.Export(p, func(string) bool { return true })
			if err != nil {
				t.Fatal(err)
			}
			if c.change != nil {
				c.change(p.Symbols, f.Table("op_rank"), f.Table("graph_cycle"))
			}
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
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
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
