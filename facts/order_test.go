package facts

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// graph makes a plan of n ops and the given edges between their numbers.
func graph(n int, edges [][2]int) *ir.Plan {
	p := &ir.Plan{Symbols: symbol.NewTable(), LogicalCores: ir.None}
	for i := range n {
		p.Graph.Ops = append(p.Graph.Ops, ir.Op{ID: p.Symbols.String(fmt.Sprint("op", i)), Lanes: 1, ForwardCycles: ir.None})
	}
	for _, e := range edges {
		p.Graph.Edges = append(p.Graph.Edges, ir.Edge{From: p.Graph.Ops[e[0]].ID, To: p.Graph.Ops[e[1]].ID, Size: ir.None})
	}
	return p
}

func drawGraph(t *rapid.T) (int, [][2]int) {
	n := rapid.IntRange(1, 7).Draw(t, "ops")
	op := rapid.IntRange(0, n-1)
	edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]int {
		return [2]int{op.Draw(t, "from"), op.Draw(t, "to")}
	}), 0, 14).Draw(t, "edges")
	return n, edges
}

// Ranks grow along edges, are as small as can be, and are missing exactly
// where a cycle reaches; the cycle is a cycle and none is smaller.
func TestRanksAndCycle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, edges := drawGraph(t)
		p := graph(n, edges)
		f, err := Export(p, func(name string) bool { return name == "op_rank" || name == "graph_cycle" })
		if err != nil {
			t.Fatal(err)
		}
		dist := distances(n, edges)
		shortest := 0
		for i := range n {
			if d := dist[i][i]; d > 0 && (shortest == 0 || d < shortest) {
				shortest = d
			}
		}

		rank := map[symbol.Value]int64{}
		ranks := f.Table("op_rank")
		for i := range ranks.N {
			rank[ranks.Cols[0][i]], _ = p.Symbols.Number(ranks.Cols[1][i])
		}
		for i, op := range p.Graph.Ops {
			onCycle := false
			for j := range n {
				onCycle = onCycle || dist[j][j] > 0 && (i == j || dist[j][i] > 0)
			}
			if _, ok := rank[op.ID]; ok == onCycle {
				t.Fatalf("op %d: reached by a cycle is %v, ranked is %v", i, onCycle, ok)
			}
			if onCycle {
				continue
			}
			least := int64(0)
			for _, e := range edges {
				if e[1] == i && e[0] != i {
					least = max(least, rank[p.Graph.Ops[e[0]].ID]+1)
				}
			}
			if rank[op.ID] != least {
				t.Fatalf("op %d has rank %d, want %d", i, rank[op.ID], least)
			}
		}

		cycle := f.Table("graph_cycle")
		if cycle.N != shortest {
			t.Fatalf("the cycle has %d edges, the smallest has %d", cycle.N, shortest)
		}
		for i := range cycle.N {
			from, to := cycle.Cols[1][i], cycle.Cols[2][i]
			if cycle.Cols[0][i] != symbol.Value(i) || to != cycle.Cols[1][(i+1)%cycle.N] {
				t.Fatalf("step %d does not follow: %v", i, cycle.Cols)
			}
			if !slices.ContainsFunc(p.Graph.Edges, func(e ir.Edge) bool { return e.From == from && e.To == to }) {
				t.Fatalf("step %d is no edge: %v", i, cycle.Cols)
			}
		}
	})
}

// distances are the lengths of shortest walks of one or more edges, without
// those from an op to itself, by brute force; 0 where there is none.
func distances(n int, edges [][2]int) [][]int {
	dist := make([][]int, n)
	for i := range dist {
		dist[i] = make([]int, n)
	}
	for _, e := range edges {
		if e[0] != e[1] {
			dist[e[0]][e[1]] = 1
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				if a, b := dist[i][k], dist[k][j]; a > 0 && b > 0 && (dist[i][j] == 0 || a+b < dist[i][j]) {
					dist[i][j] = a + b
				}
			}
		}
	}
	return dist
}

// When the search for a smallest cycle runs out of steps, some cycle is shown.
func TestAnyCycle(t *testing.T) {
	p := graph(4, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 1}})
	e := &exporter{plan: p, limit: MaxRows}
	o, ranks := e.outEdges(), e.rank()
	marked := trimSinks(o, ranks)
	if got, want := anyCycle(o, marked, slices.Index(marked, true)), []int32{1, 2, 3}; !cmp.Equal(got, want) {
		t.Errorf("cycle %v, want %v", got, want)
	}
}

// An edge that the document lists again is told once, at its second place, and
// edges are distinct only if no two join the same ops; for few and for many
// edges of one op.
func TestRepeatedEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, edges := drawGraph(t)
		for range rapid.IntRange(0, 1).Draw(t, "many") * 20 {
			edges = append(edges, [2]int{0, n - 1})
		}
		p := graph(n, edges)
		value := p.Symbols.String("value")
		for i := range p.Graph.Edges {
			p.Graph.Edges[i].At = uint32(i)
			if rapid.Bool().Draw(t, "named") {
				p.Graph.Edges[i].Value = value
			}
		}
		f, err := Export(p, all)
		if err != nil {
			t.Fatal(err)
		}
		var want []uint32
		copies, pairs := map[ir.Edge]int{}, map[[2]ir.ID]bool{}
		distinct := true
		for i, e := range p.Graph.Edges {
			e.At = 0
			if copies[e]++; copies[e] == 2 {
				want = append(want, uint32(i))
			}
			pair := [2]ir.ID{e.From, e.To}
			distinct = distinct && !pairs[pair]
			pairs[pair] = true
		}
		var got []uint32
		for i := range f.Table("repeated_edge").N {
			got = append(got, f.Offset("repeated_edge", i))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		if f.Table("edge").Distinct != distinct {
			t.Fatalf("edges are distinct: %v, want %v", f.Table("edge").Distinct, distinct)
		}
	})
}

// A lane that is listed again, or a part of it, is told once.
func TestRepeatedInstances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := graph(2, nil)
		p.Graph.Ops[0].Lanes, p.Graph.Ops[1].Lanes = 3, 1
		lane := rapid.Int64Range(0, 3)
		p.Assignment.Instances = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ir.Instance {
			in := ir.Instance{
				Op:    p.Graph.Ops[rapid.IntRange(0, 1).Draw(t, "op")].ID,
				Stage: 0,
				Part:  rapid.Int64Range(-1, 2).Draw(t, "part"),
				Lanes: rapid.SliceOfN(lane, 0, 3).Draw(t, "lanes"),
			}
			if rapid.Bool().Draw(t, "all lanes") {
				in.Lanes = nil
			}
			return in
		}), 0, 5).Draw(t, "instances")
		f, err := Export(p, all)
		if err != nil {
			t.Fatal(err)
		}

		type listed struct{ op, lane, part symbol.Value }
		copies, told := map[listed]int{}, map[listed]bool{}
		var want [][2]symbol.Value
		for _, in := range p.Assignment.Instances {
			lanes := in.Lanes
			if lanes == nil {
				for l := range map[ir.ID]int64{p.Graph.Ops[0].ID: 3, p.Graph.Ops[1].ID: 1}[in.Op] {
					lanes = append(lanes, l)
				}
			}
			for _, l := range lanes {
				key := listed{in.Op, p.Symbols.Int(l), p.Symbols.Int(in.Part)}
				lane := listed{op: key.op, lane: key.lane}
				if copies[key]++; copies[key] > 1 && !told[lane] {
					told[lane] = true
					want = append(want, [2]symbol.Value{in.Op, key.lane})
				}
			}
		}
		var got [][2]symbol.Value
		tab := f.Table("instance_repeated")
		for i := range tab.N {
			got = append(got, [2]symbol.Value{tab.Cols[0][i], tab.Cols[1][i]})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		for _, tab := range f.Tables {
			seen := map[string]bool{}
			for i := range tab.N {
				atom := p.Symbols.FormatAtom(tab.Name, tab.Row(i))
				if tab.Distinct && seen[atom] {
					t.Fatalf("%s is there twice in a relation that is distinct", atom)
				}
				seen[atom] = true
			}
		}
	})
}
