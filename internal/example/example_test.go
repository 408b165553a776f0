package example

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/ir"
)

// build returns every plan of the package.
func build(t *testing.T) map[string]*ir.Plan {
	t.Helper()
	plans := map[string]*ir.Plan{}
	for _, name := range Names() {
		for _, v := range Variants() {
			p, err := Build(name, v)
			if err != nil {
				t.Fatal(err)
			}
			plans[fmt.Sprintf("%s %s", name, v)] = p
		}
	}
	return plans
}

func TestBuildRefuses(t *testing.T) {
	for _, test := range []struct {
		name    string
		variant Variant
		want    string
	}{
		{"vgg16", Complete, `no built-in network "vgg16"; there are resnet50, bert-base, gpt2`},
		{"gpt2", "broken", `no variant "broken" of a built-in network; there are complete, holes and faulty`},
	} {
		p, err := Build(test.name, test.variant)
		if p != nil || err == nil || err.Error() != test.want {
			t.Errorf("%s %s: %v, want %s", test.name, test.variant, err, test.want)
		}
	}
	if _, err := Faults("vgg16"); err == nil {
		t.Error("an unknown network has faults")
	}
}

func TestPlansAreDocuments(t *testing.T) {
	again := build(t)
	for name, p := range build(t) {
		if ds := ir.Validate(p); len(ds) > 0 {
			t.Errorf("%s: %v", name, ds)
		}
		if !bytes.Equal(ir.Encode(p), ir.Encode(again[name])) {
			t.Errorf("%s differs from one run to the next", name)
		}
	}
}

// shape is what a reader sees of a plan at first glance.
type planShape struct {
	Ops, Forwards, Edges, Inputs, Weights int
	WeightBytes                           int64 // over all lanes, tied weights once
	Cores                                 int
	StageCores                            []int64 // None for a stage without a range
	Open, Pinned                          int     // instances without and with a stage
	Placed                                int
}

func shapeOf(p *ir.Plan) planShape {
	s := planShape{
		Ops: len(p.Graph.Ops), Edges: len(p.Graph.Edges), Inputs: len(p.Graph.Inputs),
		Weights: len(p.Graph.Weights), Cores: len(p.Target.Cores), Placed: len(p.Assignment.Placement),
	}
	size := map[ir.ID]int64{}
	for _, w := range p.Graph.Weights {
		size[w.ID] = w.Size
	}
	for _, op := range p.Graph.Ops {
		if op.Kind == ir.KindForward {
			s.Forwards++
		}
		for _, w := range op.Weights {
			s.WeightBytes += op.Lanes * size[w]
			size[w] = 0
		}
	}
	for _, st := range p.Stages {
		s.StageCores = append(s.StageCores, st.Count)
	}
	for _, in := range p.Assignment.Instances {
		if in.Stage == ir.None {
			s.Open++
		} else {
			s.Pinned++
		}
	}
	return s
}

func TestPlanShapes(t *testing.T) {
	none := func(n int) []int64 {
		open := make([]int64, n)
		for i := range open {
			open[i] = ir.None
		}
		return open
	}
	// Weight bytes are the published parameter counts, one byte each for
	// resnet50 and two for the others.
	want := map[string]planShape{
		"resnet50 complete":  {174, 0, 189, 1, 161, 25_557_032, 16, []int64{4, 3, 4, 5}, 0, 174, 16},
		"resnet50 holes":     {174, 0, 189, 1, 161, 25_557_032, 16, none(4), 172, 2, 0},
		"resnet50 faulty":    {174, 0, 190, 1, 161, 25_557_032, 16, []int64{4, 3, 4, 5}, 0, 174, 16},
		"bert-base complete": {180, 4, 238, 4, 199, 218_964_480, 24, []int64{6, 3, 3, 4, 4, 4}, 0, 180, 24},
		"bert-base holes":    {176, 0, 234, 4, 199, 218_964_480, 24, none(6), 174, 2, 0},
		"bert-base faulty":   {180, 4, 238, 4, 199, 218_964_480, 24, []int64{6, 3, 3, 4, 4, 4}, 0, 180, 24},
		"gpt2 complete":      {173, 0, 220, 3, 196, 248_879_616, 32, []int64{7, 3, 3, 3, 3, 3, 3, 7}, 0, 173, 32},
		"gpt2 holes":         {173, 0, 220, 3, 196, 248_879_616, 32, none(8), 171, 2, 0},
		"gpt2 faulty":        {173, 0, 221, 3, 196, 248_879_616, 32, []int64{7, 3, 3, 3, 3, 3, 3, 7}, 0, 173, 32},
	}
	got := map[string]planShape{}
	for name, p := range build(t) {
		got[name] = shapeOf(p)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
