package dnn

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/rules"
)

// numbers takes the numbers of a plan that a Graph has.
func numbers(name string, p *ir.Plan) Graph {
	g := Graph{Name: name}
	index := map[ir.ID]int{}
	for i, op := range p.Graph.Ops {
		index[op.ID] = i
		g.Work = append(g.Work, op.Work)
		g.Carry = append(g.Carry, max(op.ForwardCycles, 0))
	}
	for _, e := range p.Graph.Edges {
		g.Edges = append(g.Edges, [2]int{index[e.From], index[e.To]})
	}
	return g
}

// merged leaves out edges between the same ops as an earlier one.
func merged(edges [][2]int) [][2]int {
	var list [][2]int
	seen := map[[2]int]bool{}
	for _, e := range edges {
		if !seen[e] {
			list = append(list, e)
		}
		seen[e] = true
	}
	return list
}

// TestPlansHaveTheNumbersOfTheirGraphs: the plan of each known value, read by
// the importer, has the work, the costs and the edges of the graph that the
// value was proven for.
func TestPlansHaveTheNumbersOfTheirGraphs(t *testing.T) {
	f := folder(t)
	for _, o := range Optima() {
		want, err := Load(f, o.Graph)
		if err != nil {
			t.Fatal(err)
		}
		want.Edges = merged(want.Edges)
		p, err := Plan(f, o.Graph, o.Shape())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, numbers(o.Graph, p)); diff != "" {
			t.Errorf("%+v (-graph +plan)\n%s", o, diff)
		}
	}
}

// TestPlansAreLegalSoFar: plans of workloads can be written and read, and the
// rules find nothing in them.
func TestPlansAreLegalSoFar(t *testing.T) {
	f := folder(t)
	set, ds := rules.Load([]string{"builtin"})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	for _, s := range []Shape{Uneven, {Stages: 4, Cores: 4}, {Stages: 8, Cores: 8, Forward: true}} {
		p, err := Plan(f, "layer_resnet50_inference", s)
		if err != nil {
			t.Fatal(err)
		}
		read, ds := ir.DecodePlan(diag.NewSource("plan.json", ir.Encode(p)))
		if read == nil {
			t.Fatalf("%+v: %v", s, ds)
		}
		v, err := set.Judge(t.Context(), read, rules.Options{Partial: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Findings) > 0 {
			t.Errorf("%+v: %v", s, v.Findings)
		}
		if s.UnitLanes {
			for _, op := range read.Graph.Ops {
				if op.Lanes != max(op.Work, 1) {
					t.Errorf("op %s of %d cycles has %d lanes", read.Text(op.ID), op.Work, op.Lanes)
				}
			}
		}
		if len(read.Stages) != s.Stages || read.LogicalCores != int64(s.Cores) || read.Options.Forward != s.Forward {
			t.Errorf("%+v: %d stages, %d cores, forward %v", s, len(read.Stages), read.LogicalCores, read.Options.Forward)
		}
	}
}

func TestPlanRefusesWhatIsNotThere(t *testing.T) {
	folder := t.TempDir()
	if _, err := Plan(folder, "none", Uneven); err == nil {
		t.Error("a missing workload is imported")
	}
	at := folder + "/workloads/dnn-partitioning"
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at+"/broken.json", []byte(`{"nodes": [{}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Plan(folder, "broken", Uneven); err == nil {
		t.Error("a broken workload is imported")
	}
}
