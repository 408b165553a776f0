package dnn

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/diag"
	"plancheck/internal/search/partition"
	"plancheck/internal/search/schedule"
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
		want.Edges, want.Size = merged(want.Edges), nil // weights are left out
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

// TestKnownValuesAreThoseOfPlans: the best stages for a graph, as a schedule of
// its plan, have the known value, so the known values are values of the plans.
func TestKnownValuesAreThoseOfPlans(t *testing.T) {
	f := folder(t)
	for _, o := range Optima() {
		if !slices.Contains([]string{"layer_resnet50_inference", "operator_bert_l-6_inference", "layer_bert24_inference"}, o.Graph) {
			continue
		}
		g, err := Load(f, o.Graph)
		if err != nil {
			t.Fatal(err)
		}
		r, err := partition.Solve(t.Context(), g.Problem(o.Stages, o.Forward), partition.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		p, err := Plan(f, o.Graph, o.Shape())
		if err != nil {
			t.Fatal(err)
		}
		m, ds := encode.New(p, encode.Options{ForwardCycles: ir.None})
		if m == nil || len(m.Hopeless) > 0 {
			t.Fatalf("%+v: %v", o, ds)
		}
		if err := m.Problem.Check(); err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		s := oneCore(m.Problem, r.Stages)
		if cost, err := m.Problem.Cost(s); err != nil || cost.Interval != o.Low {
			t.Errorf("%+v: as a schedule it costs %+v: %v", o, cost, err)
		}
	}
}

// oneCore is the schedule of these stages where every stage has one core.
func oneCore(p *schedule.Problem, stages []int) *schedule.Solution {
	s := &schedule.Solution{Stage: stages}
	for k := range p.Stages {
		s.First = append(s.First, k)
	}
	for o := range p.Ops {
		s.Core = append(s.Core, []int{stages[o]})
	}
	last := make([]int, len(p.Values))
	for _, r := range p.Reads {
		last[r.Value] = max(last[r.Value], stages[r.To])
	}
	for v := range p.Values {
		for k := stages[p.Values[v].From] + 1; k < last[v]; k++ {
			s.Forwards = append(s.Forwards, schedule.Forward{Value: v, Stage: k, Core: []int{k}})
		}
	}
	return s
}
