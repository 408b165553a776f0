package rules

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/symbol"
	"plancheck/ir"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

const modelSchema = "plancheck.model/1"

// Each invariant of the levels from the model to the tasks has a document that
// breaks it, and nothing else, and the same one mended.
func TestLevelExamples(t *testing.T) {
	shown := map[string]bool{}
	for _, e := range slices.Concat(levelExamples, portableExamples) {
		shown[e.relation] = true
		t.Run(e.relation, func(t *testing.T) {
			checkParent(t, e)
			checkExample(t, e)
		})
	}
	for _, schema := range []string{modelSchema, task.Schema, portable.Schema} {
		for _, inv := range rulesOf(t, schema).Invariants() {
			if shown[inv.Relation] == unbreakable[inv.Relation] {
				t.Errorf("%s: has example %v, can be broken %v", inv.Relation, shown[inv.Relation], !unbreakable[inv.Relation])
			}
		}
	}
}

// Without its parent a document is judged by itself.
func TestTransitionsWithoutParent(t *testing.T) {
	alone := map[string][]string{ // what the document shows by itself
		"work_not_conserved": {"flops-not-conserved"}, "planned_message_changed": {"message-volume-not-conserved"},
		"planned_reads_other": {"work-not-conserved"}, "task_not_covered": {"buffer-missing-producer"},
		"planned_op_changed": {"implementation-requirement-missing"},
	}
	for _, e := range slices.Concat(levelExamples, portableExamples) {
		x := Examples(e.relation)
		if x.Parent == nil {
			continue
		}
		bad := document(t, "bad.json", x.Bad)
		s := rulesOf(t, bad.Schema)
		var got []string
		for _, f := range judgeBeside(t, s, bad, nil) {
			got = append(got, f.Code)
		}
		if e.relation == "operation_changed" || strings.HasPrefix(e.relation, "result_") {
			continue // what has changed does not fit its neighbours either
		}
		if diff := cmp.Diff(alone[e.relation], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", e.relation, diff)
		}
	}
}

// Rules of a level know which documents they compare with.
func TestComparesWith(t *testing.T) {
	for _, c := range []struct {
		schema, parent string
		want           bool
	}{
		{task.Schema, modelSchema, true},
		{task.Schema, task.Schema, false},
		{task.Schema, ir.PlanSchema, false},
		{modelSchema, task.Schema, false},
		{portable.Schema, task.Schema, true},
		{portable.Schema, portable.Schema, false},
		{ir.PlanSchema, modelSchema, false},
		{ir.PlanSchema, ir.PlanSchema, false},
	} {
		if got := rulesOf(t, c.schema).ComparesWith(c.parent); got != c.want {
			t.Errorf("%s beside %s: %v", c.schema, c.parent, got)
		}
	}
}

// Products are not taken on trust.
func TestWrongProducts(t *testing.T) {
	const text = `{"schema": "plancheck.model/1", "name": "sum", "symbols": [{"id": "M", "axis": "batch"}],
 "values": [{"id": "x", "type": {"shape": ["M + 1", "M + 2"], "dtype": "f16"}, "role": "input"},
            {"id": "y", "type": {"shape": ["M + 1", "M + 2"], "dtype": "f16"}, "role": "output"}],
 "ops": [{"id": "act", "kind": "model.relu", "inputs": ["x"], "outputs": ["y"]}], "inputs": ["x"], "outputs": ["y"]}`
	s := rulesOf(t, modelSchema)
	find := func(syms *symbol.Table, table *datalog.Table, texts ...string) int {
		for row := range table.N {
			if slices.EqualFunc(table.Row(row)[:len(texts)], texts, func(v symbol.Value, s string) bool { return v == syms.String(s) }) {
				return row
			}
		}
		t.Fatalf("%s has no row %q", table.Name, texts)
		return 0
	}
	for _, c := range []struct {
		name   string
		change func(syms *symbol.Table, table func(string) *datalog.Table)
		want   []string
	}{
		{"right", func(*symbol.Table, func(string) *datalog.Table) {}, nil},
		{"another product", func(syms *symbol.Table, table func(string) *datalog.Table) {
			p := table("poly_product")
			p.Cols[2][find(syms, p, "M + 1", "M + 2")] = syms.String("M + 1")
		}, []string{
			`product_missing("M + 1", "1")`, // which follows from it
			`product_wrong("M + 1", "M + 2", "M + 1", "")`, `product_wrong("M + 1", "M + 2", "M + 1", "M")`,
			`product_wrong("M + 1", "M + 2", "M + 1", "M^2")`}},
		{"a product too few", func(syms *symbol.Table, table func(string) *datalog.Table) {
			drop(table("poly_product"), find(syms, table("poly_product"), "M + 1", "M + 2"))
		}, []string{`product_missing("M + 1", "M + 2")`}},
		{"a term too many", func(syms *symbol.Table, table func(string) *datalog.Table) {
			add(table("poly_term"), syms.String("M^2 + 3*M + 2"), syms.String("M^3"), syms.Int(1))
		}, []string{`monomial_product_missing("M^3", "")`, `product_wrong("M + 1", "M + 2", "M^2 + 3*M + 2", "M^3")`,
			`product_wrong("M^2 + 3*M + 2", "1", "M^2 + 3*M + 2", "M^3")`}},
		{"another monomial", func(syms *symbol.Table, table func(string) *datalog.Table) {
			p := table("monomial_product")
			p.Cols[2][find(syms, p, "M", "M")] = syms.String("M")
		}, []string{`monomial_product_wrong("M", "M", "M", "M")`,
			`product_wrong("M + 1", "M + 2", "M^2 + 3*M + 2", "M")`, `product_wrong("M + 1", "M + 2", "M^2 + 3*M + 2", "M^2")`}},
		{"a monomial too few", func(syms *symbol.Table, table func(string) *datalog.Table) {
			drop(table("monomial_product"), find(syms, table("monomial_product"), "M", "M"))
		}, []string{`monomial_product_missing("M", "M")`, `product_wrong("M + 1", "M + 2", "M^2 + 3*M + 2", "M^2")`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := document(t, "model.json", []byte(text))
			f, err := facts.ExportChild(d, nil, func(string) bool { return true })
			if err != nil {
				t.Fatal(err)
			}
			c.change(d.Symbols, func(name string) *datalog.Table { return f.Table(name) })
			db, err := s.program.Eval(context.Background(), d.Symbols, f.Tables, s.goals(), datalog.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, goal := range s.goals() {
				for _, row := range db.Rows(goal) {
					got = append(got, d.Symbols.FormatAtom(goal, row))
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

// ofEveryLevel are invariants of documents of all levels; a model shows them, and
// TestStatedDigests of package derive goes over the others.
var ofEveryLevel = map[string]bool{"content_digest_mismatch": true}
