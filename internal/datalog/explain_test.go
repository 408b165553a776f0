package datalog_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"plancheck/internal/datalog"
	"plancheck/internal/symbol"
)

// world is a random program of which literals decide some facts.
type world struct {
	program *datalog.Program
	syms    *symbol.Table
	fixed   []*datalog.Table
	decided []*datalog.Decided
	hidden  []*datalog.Table // there when an even number of literals hold
	goals   []string
}

// literals that worlds have; two of the first three never hold together.
const literals = 6

func never(a, b datalog.Lit) bool { return a != b && a > 0 && b > 0 && a <= 3 && b <= 3 }

// decisions is a bit for each literal.
type decisions uint

func (d decisions) holds(l datalog.Lit) bool {
	if l < 0 {
		return !d.holds(-l)
	}
	return d>>uint(l-1)&1 != 0
}

func allDecisions() []decisions {
	var list []decisions
	for d := range decisions(1) << literals {
		if n := d & 7; n&(n-1) == 0 {
			list = append(list, d)
		}
	}
	return list
}

func newWorld(t *testing.T, rng *rand.Rand, p *random) *world {
	w := &world{syms: symbol.NewTable(), goals: p.goals}
	given := map[string]bool{}
	tables := p.tables(w.syms)
	for _, table := range tables {
		given[table.Name] = true
	}
	unit, diags := datalog.Parse(p.source())
	if unit == nil {
		t.Fatal(diags)
	}
	w.program, diags = datalog.Compile([]*datalog.Unit{unit}, given)
	if w.program == nil {
		t.Fatal(diags)
	}
	for _, table := range tables {
		switch kind := rng.IntN(12); {
		case kind == 0:
			w.hidden = append(w.hidden, table)
		case kind < 5:
			w.fixed = append(w.fixed, table)
		default:
			w.decided = append(w.decided, decide(rng, table))
		}
	}
	return w
}

// decide gives each row of a table a condition.
func decide(rng *rand.Rand, table *datalog.Table) *datalog.Decided {
	d := &datalog.Decided{Table: &datalog.Table{Name: table.Name, Cols: make([][]symbol.Value, len(table.Cols)), Distinct: true}}
	var rows [][]symbol.Value
	for i := range table.N {
		row := table.Row(i)
		if slices.ContainsFunc(rows, func(r []symbol.Value) bool { return slices.Equal(r, row) }) {
			continue
		}
		rows = append(rows, row)
		for c, v := range row {
			d.Table.Cols[c] = append(d.Table.Cols[c], v)
		}
		d.Table.N++
		var when []datalog.Term
		for range rng.IntN(3) + 1 {
			var term datalog.Term
			for range rng.IntN(3) {
				l := datalog.Lit(rng.IntN(literals) + 1)
				if rng.IntN(3) == 0 {
					l = -l
				}
				term = append(term, l)
			}
			when = append(when, term)
		}
		d.When = append(d.When, when)
	}
	return d
}

// eval is what the program derives under decisions.
func (w *world) eval(d decisions) (*datalog.Database, error) {
	tables := slices.Clone(w.fixed)
	for _, x := range w.decided {
		t := &datalog.Table{Name: x.Table.Name, Cols: make([][]symbol.Value, len(x.Table.Cols)), Distinct: true}
		for i, when := range x.When {
			if !slices.ContainsFunc(when, func(term datalog.Term) bool {
				return !slices.ContainsFunc(term, func(l datalog.Lit) bool { return !d.holds(l) })
			}) {
				continue
			}
			for c, v := range x.Table.Row(i) {
				t.Cols[c] = append(t.Cols[c], v)
			}
			t.N++
		}
		tables = append(tables, t)
	}
	even := true
	for l := range datalog.Lit(literals) {
		even = even != d.holds(l+1)
	}
	if even {
		tables = append(tables, w.hidden...)
	}
	return w.program.Eval(context.Background(), w.syms, tables, w.goals, datalog.Limits{})
}

// What is explained holds under all decisions that have the literals of the
// explanation, and what is forbidden is empty under no decisions that break a
// clause: tried for all decisions about random programs.
func TestExplanationsAreSound(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 300
	}
	explained, whole, shorter, forbidden := 0, 0, 0, 0
	for seed := range n {
		if *oneSeed >= 0 && seed != *oneSeed {
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		p, _ := drawn(t, uint64(seed))
		w := newWorld(t, rng, p)
		var opaque []string
		for _, table := range w.hidden {
			opaque = append(opaque, table.Name)
		}
		may, err := w.program.May(context.Background(), w.syms, w.fixed, w.decided, opaque, w.goals, never, datalog.Limits{Facts: 100_000})
		if err != nil {
			continue
		}
		all := allDecisions()
		dbs := map[decisions]*datalog.Database{}
		for _, d := range all {
			if dbs[d], err = w.eval(d); err != nil {
				delete(dbs, d)
			}
		}
		for _, goal := range w.goals {
			clauses, err := may.Forbid(context.Background(), goal, 1000)
			if err != nil {
				continue
			}
			forbidden += len(clauses)
			for _, clause := range clauses {
				for d, db := range dbs {
					if !slices.ContainsFunc(clause, d.holds) && db.Len(goal) == 0 {
						t.Fatalf("seed %d: clause %v of %s does not hold under %b, where there are no rows\n%s", seed, clause, goal, d, p)
					}
				}
			}
			for _, d := range all {
				db := dbs[d]
				if db == nil || rng.IntN(4) > 0 {
					continue
				}
				rows := db.Rows(goal)
				if len(rows) == 0 {
					continue
				}
				row := rows[rng.IntN(len(rows))]
				lits, all, err := may.Explain(context.Background(), db, goal, row, d.holds)
				if err != nil {
					t.Fatalf("seed %d: %s under %b: %v\n%s", seed, w.syms.FormatAtom(goal, row), d, err, p)
				}
				if explained++; all {
					whole++
					continue
				}
				if len(lits) < literals-1 {
					shorter++
				}
				for _, l := range lits {
					if !d.holds(l) {
						t.Fatalf("seed %d: %s is explained by %d, which does not hold under %b", seed, w.syms.FormatAtom(goal, row), l, d)
					}
				}
				for other, db := range dbs {
					if !slices.ContainsFunc(lits, func(l datalog.Lit) bool { return !other.holds(l) }) && db.Len(goal) == 0 {
						t.Fatalf("seed %d: %s under %b is explained by %v, but there is nothing under %b\n%s\n%+v", seed, w.syms.FormatAtom(goal, row), d, lits, other, p, w.decided)
					}
				}
			}
		}
	}
	t.Logf("%d explanations, %d of them of everything, %d of few literals; %d clauses forbid rows", explained, whole, shorter, forbidden)
	if *oneSeed < 0 && (shorter < n/2 || forbidden < n) {
		t.Error("too little was tried")
	}
}
