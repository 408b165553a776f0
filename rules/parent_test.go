package rules

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// What the rules of repacking say of random pairs of plans is what plain loops
// say. The plans have tables of symbols of their own, in which ids differ.
func TestRandomParents(t *testing.T) {
	s, diags := Load([]string{"builtin:repack"})
	if s == nil {
		t.Fatal(shown(diags))
	}
	rapid.Check(t, func(t *rapid.T) {
		parent, child := drawPhase(t, "parent"), drawPhase(t, "child")
		v, err := s.Judge(context.Background(), child, Options{Parent: facts.OfPlan(parent)})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, f := range v.Findings {
			got = append(got, f.Message)
		}
		want := movedLanes(parent, child)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s\n%s", diff, ir.Encode(parent), ir.Encode(child))
		}
	})
}

// drawPhase draws ops of one lane, each at most once in a stage.
func drawPhase(t *rapid.T, name string) *ir.Plan {
	p := &ir.Plan{Symbols: symbol.NewTable(), LogicalCores: ir.None}
	for range rapid.IntRange(0, 3).Draw(t, name+" other constants") {
		p.Symbols.String(fmt.Sprint("other", p.Symbols.Len()))
	}
	for _, id := range rapid.Permutation([]string{"a", "b", "c"}).Draw(t, name) {
		if rapid.IntRange(0, 5).Draw(t, "gone") == 0 {
			continue
		}
		op := p.Symbols.String(id)
		p.Graph.Ops = append(p.Graph.Ops, ir.Op{ID: op, Lanes: 1, MaxParts: ir.None, Windows: ir.None, ForwardCycles: ir.None})
		if stage := rapid.Int64Range(-1, 2).Draw(t, "stage"); stage >= 0 {
			p.Assignment.Instances = append(p.Assignment.Instances, ir.Instance{Op: op, Stage: stage, Part: ir.None})
		}
	}
	return p
}

func movedLanes(parent, child *ir.Plan) []string {
	stages := func(p *ir.Plan) map[string]int64 {
		of := map[string]int64{}
		for _, in := range p.Assignment.Instances {
			of[p.Text(in.Op)] = in.Stage
		}
		return of
	}
	after := stages(child)
	want := []string{}
	for op, from := range stages(parent) {
		to, staged := after[op]
		switch there := slices.ContainsFunc(child.Graph.Ops, func(o ir.Op) bool { return child.Text(o.ID) == op }); {
		case !there:
			want = append(want, fmt.Sprintf("op %s is not in the graph, but the parent plan has it in stage %d", op, from))
		case !staged:
			want = append(want, fmt.Sprintf("op %s has no stage for lane 0, but stage %d in the parent plan", op, from))
		case to != from:
			want = append(want, fmt.Sprintf("op %s has lane 0 in stage %d, but in stage %d in the parent plan", op, to, from))
		}
	}
	return want
}

// A phase may hand on plans that share a table of symbols; and what was built,
// not read, has no places.
func TestParentWithTheSameSymbols(t *testing.T) {
	s, diags := Load([]string{"builtin:repack", "builtin:transfer"})
	if s == nil {
		t.Fatal(shown(diags))
	}
	p := plan(t, "plan.json", []byte(chain))
	moved := *p
	moved.Source = nil
	moved.Assignment.Instances = slices.Clone(p.Assignment.Instances)
	moved.Assignment.Instances[3].Stage = 1
	for _, c := range []struct {
		name          string
		child, parent *ir.Plan
		want          []told
	}{
		{"itself", p, p, nil},
		{"no parent", &moved, nil, nil},
		{"a built child", &moved, p, []told{
			{"repack-crossed-stage", "", "op d has lane 0 in stage 1, but in stage 2 in the parent plan"},
			{"transfer-changes-stage", "", fmt.Sprintf("the assignment has digest %s, but that of the parent plan has %s", ir.AssignmentDigest(&moved), ir.AssignmentDigest(p))}}},
		{"a built parent", p, &moved, []told{
			{"transfer-changes-stage", "/assignment", fmt.Sprintf("the assignment has digest %s, but that of the parent plan has %s", ir.AssignmentDigest(p), ir.AssignmentDigest(&moved))},
			{"repack-crossed-stage", "/assignment/instances/3/stage", "op d has lane 0 in stage 2, but in stage 1 in the parent plan"}}},
	} {
		v := judge(t, s, c.child, Options{Parent: facts.OfPlan(c.parent)})
		if diff := cmp.Diff(c.want, tell(v.Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
