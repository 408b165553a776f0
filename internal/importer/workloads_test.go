package importer

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// workloads opens files of the public workloads, which are not part of this
// repository: the folder workloads in PLANCHECK_DATA holds a folder for each project, with
// with its files under their own names.
func workloads(t *testing.T, names ...string) []*diag.Source {
	t.Helper()
	folder := os.Getenv("PLANCHECK_DATA")
	if folder == "" {
		t.Skip("skipped: PLANCHECK_DATA does not name a folder with workloads/dnn-partitioning, workloads/pimcomp and workloads/pytorch")
	}
	var files []*diag.Source
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, "workloads", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, diag.NewSource(name, data))
	}
	return files
}

func mustImport(t *testing.T, format string, files []*diag.Source, o Options) (*ir.Plan, []diag.Diagnostic) {
	t.Helper()
	p, ds := Import(format, files, o)
	if p == nil {
		t.Fatal(said(ds))
	}
	return p, ds
}

// advances counts the edges of a plan by how many stages they advance, and the
// consumers of dynamic inputs that are not in stage 0.
type advances struct {
	Ops, Inputs, Edges            int
	Inside, Next, Skips, Backward int
	WorstSkip                     int64
	SkipSources                   []string
	LateConsumers                 int
}

func countAdvances(p *ir.Plan) advances {
	stage := map[ir.ID]int64{}
	for _, in := range p.Assignment.Instances {
		stage[in.Op] = in.Stage
	}
	a := advances{Ops: len(p.Graph.Ops), Inputs: len(p.Graph.Inputs), Edges: len(p.Graph.Edges)}
	seen := map[ir.ID]bool{}
	for _, e := range p.Graph.Edges {
		switch d := stage[e.To] - stage[e.From]; {
		case d < 0:
			a.Backward++
		case d == 0:
			a.Inside++
		case d == 1:
			a.Next++
		default:
			a.Skips++
			a.WorstSkip = max(a.WorstSkip, d)
			if !seen[e.From] {
				seen[e.From] = true
				a.SkipSources = append(a.SkipSources, p.Text(e.From))
			}
		}
	}
	for _, in := range p.Graph.Inputs {
		for _, c := range in.Consumers {
			if in.Dynamic && stage[c] != 0 {
				a.LateConsumers++
			}
		}
	}
	return a
}

const (
	bertGraph   = "dnn-partitioning/layer_bert24_inference.json"
	bertSplit   = "dnn-partitioning/bert24_inference_expert.json"
	resnetGraph = "dnn-partitioning/layer_resnet50_inference.json"
	resnetSplit = "dnn-partitioning/resnet50_inference_expert.json"
)

func TestExpertSplits(t *testing.T) {
	for _, test := range []struct {
		graph, split string
		options      Options
		want         advances
	}{
		{bertGraph, bertSplit, Options{}, advances{
			Ops: 32, Edges: 55, Inside: 30, Next: 9, Skips: 16, WorstSkip: 5, SkipSources: []string{"node4"},
		}},
		{bertGraph, bertSplit, Options{Sources: SourcesAsInputs}, advances{
			Ops: 29, Inputs: 3, Edges: 29, Inside: 24, Next: 5, LateConsumers: 20,
		}},
		{resnetGraph, resnetSplit, Options{}, advances{Ops: 177, Edges: 193, Inside: 183, Next: 10}},
	} {
		p, _ := mustImport(t, "dnn-partitioning", workloads(t, test.graph, test.split), test.options)
		if d := cmp.Diff(test.want, countAdvances(p)); d != "" {
			t.Errorf("%s, %+v: %s", test.graph, test.options, d)
		}
	}
}

// The sums are what the rule of Options gives; they differ from 200,000 by the
// rounding of single nodes.
func TestDNNWork(t *testing.T) {
	type totals struct {
		Ops, Edges int
		Work       int64
	}
	want := map[string]totals{
		"layer_bert24_inference":      {32, 55, 199999},
		"layer_bert24_training":       {64, 110, 200000},
		"layer_resnet50_inference":    {177, 193, 200003},
		"layer_resnet50_training":     {354, 386, 199998},
		"operator_bert_L-12_training": {2012, 2751, 199966},
	}
	got := map[string]totals{}
	for name := range want {
		p, _ := mustImport(t, "dnn-partitioning", workloads(t, "dnn-partitioning/"+name+".json"), Options{})
		n := totals{Ops: len(p.Graph.Ops), Edges: len(p.Graph.Edges)}
		for _, op := range p.Graph.Ops {
			n.Work += op.Work
		}
		got[name] = n
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A node with readers states the work of a forward of its value: the largest cost of
// its edges, scaled like latencies.
func TestDNNForwardWork(t *testing.T) {
	for _, c := range []struct {
		name                 string
		ops, stated, dearest int64
	}{
		{"layer_bert24_inference", 32, 30, 126},
		{"operator_bert_l-3_inference", 235, 207, 707897},
	} {
		p, _ := mustImport(t, "dnn-partitioning", workloads(t, "dnn-partitioning/"+c.name+".json"), Options{})
		got := c
		got.ops, got.stated, got.dearest = int64(len(p.Graph.Ops)), 0, 0
		for _, op := range p.Graph.Ops {
			if op.ForwardCycles != ir.None {
				got.stated++
				got.dearest = max(got.dearest, op.ForwardCycles)
			}
		}
		if got != c {
			t.Errorf("got %+v, want %+v", got, c)
		}
	}
}

func TestPIMCOMPCrossbars(t *testing.T) {
	const crossbarBytes = 128 * 128 * 2 / 8
	type counts struct {
		Groups, Crossbars int64
		Cores             int
		Said              string
	}
	want := map[string]counts{
		"alexnet":   {230, 3814, 60, "3814 crossbars in 230 array groups, on 60 of 144 cores"},
		"googlenet": {317, 566, 9, "566 crossbars in 317 array groups, on 9 of 144 cores"},
		"resnet18":  {251, 727, 12, "727 crossbars in 251 array groups, on 12 of 144 cores"},
		"vgg16":     {523, 8454, 133, "8454 crossbars in 523 array groups, on 133 of 144 cores"},
	}
	got := map[string]counts{}
	for name := range want {
		p, ds := mustImport(t, "pimcomp", workloads(t, "pimcomp/"+name+".json", "pimcomp/config.json"), Options{})
		var c counts
		size, used := map[ir.ID]int64{}, map[int64]int64{}
		for _, w := range p.Graph.Weights {
			size[w.ID] = w.Size
		}
		for _, op := range p.Graph.Ops {
			for _, w := range op.Weights {
				c.Groups += op.Lanes
				c.Crossbars += op.Lanes * size[w] / crossbarBytes
			}
		}
		for _, in := range p.Assignment.Instances {
			for _, core := range in.Cores {
				used[core] += size[in.Op] // an op and its weight have one id
			}
		}
		for core, bytes := range used {
			if bytes > 64*crossbarBytes || core >= 144 {
				t.Errorf("%s: core %d holds %d crossbars", name, core, bytes/crossbarBytes)
			}
			if bytes > 0 {
				c.Cores++
			}
		}
		for _, d := range ds {
			c.Said += d.Message
		}
		got[name] = c
		if p.Target.CoreCount != 136 || len(p.Target.Cores) != 144 {
			t.Errorf("%s: %d cores stated, %d listed", name, p.Target.CoreCount, len(p.Target.Cores))
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
