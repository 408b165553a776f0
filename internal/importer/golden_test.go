package importer

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/ir"
)

var update = flag.Bool("update", false, "write the expected plans of testdata anew")

func testdata(t *testing.T, names ...string) []*diag.Source {
	t.Helper()
	var files []*diag.Source
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, diag.NewSource(name, data))
	}
	return files
}

const edgeCostNote = "note[edge-size-is-cost]: sizes of edges and inputs are costs, scaled like work, and not bytes"

// TestGolden imports small hand-made files, whose numbers are easy to check by
// eye, and compares the whole plans. The latencies of tower.json add up to 4.01.
func TestGolden(t *testing.T) {
	const (
		colours = "tower.json: note[colour-classes-ignored]: nodes of one colour class must share a device (1 such group): plans have no such demand, it is ignored"
		kinds   = "tower.json: note[device-kind-ignored]: 1 node not supported on an accelerator: plans have no such demand, it is ignored"
		again   = "net.json: note[edges-merged]: merged 1 edge with another one between the same nodes"
		merged  = "tower.json: note[edges-merged]: merged 1 edge with another one between the same nodes"
		dearest = "tower.json: note[forward-cost-is-largest]: edges of 1 node differ in cost: a forward costs what the dearest does"
	)
	for _, test := range []struct {
		plan, format string
		files        []string
		options      Options
		want         []string
	}{
		{"tower.plan.json", "dnn-partitioning", []string{"tower.json"}, Options{Total: 401},
			[]string{colours, kinds, "tower.json: " + edgeCostNote, merged, dearest}},
		{"tower.split.plan.json", "dnn-partitioning", []string{"tower.json", "tower.split.json"}, Options{Total: 401},
			[]string{colours, kinds, "tower.json: " + edgeCostNote, merged, dearest}},
		{"tower.inputs.plan.json", "dnn-partitioning", []string{"tower.json", "tower.split.json"},
			Options{Sources: SourcesAsInputs, EdgeSize: EdgeBytes},
			[]string{colours, kinds, merged, dearest, "tower.json: note[sources-as-inputs]: 1 node without predecessors became dynamic inputs"}},
		{"net.plan.json", "pimcomp", []string{"net.json", "chip.json"}, Options{},
			[]string{"net.json: note[array-groups-cut]: 1 node with rows of crossbars wider than a core: each row became several groups of one width",
				"net.json: note[crossbars-mapped]: 33 crossbars in 13 array groups, on 10 of 10 cores", again}},
		{"net.small.plan.json", "pimcomp", []string{"net.json", "chip.small.json"}, Options{},
			[]string{"net.json: note[array-groups-cut]: 1 node with rows of crossbars wider than a core: each row became several groups of one width",
				"net.json: warning[crossbars-do-not-fit]: 9 array groups found no core with room for them and are left open",
				"net.json: note[crossbars-mapped]: 33 crossbars in 13 array groups, on 2 of 2 cores", again}},
	} {
		t.Run(test.plan, func(t *testing.T) {
			p, ds := Import(test.format, testdata(t, test.files...), test.options)
			if d := cmp.Diff(test.want, said(ds)); d != "" {
				t.Error(d)
			}
			if p == nil {
				t.Fatal("no plan")
			}
			if ds := ir.Validate(p); len(ds) > 0 {
				t.Error(said(ds))
			}
			got := ir.Encode(p)
			golden := filepath.Join("testdata", test.plan)
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), string(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

// A graph without nodes and without devices is a plan without ops.
func TestDNNOfNothing(t *testing.T) {
	for _, text := range []string{`{"nodes": [], "edges": []}`, `{"maxFPGAs": 0, "nodes": [], "edges": []}`} {
		p, ds := Import("dnn-partitioning", sources(text), Options{})
		if d := cmp.Diff([]string{"a.json: " + edgeCostNote}, said(ds)); d != "" || p == nil {
			t.Fatal(p, d)
		}
		if ds := ir.Validate(p); len(ds) > 0 || len(p.Graph.Ops) != 0 {
			t.Error(said(ds), p.Graph.Ops)
		}
	}
}

// Names that are missing or shared make room for numbers.
func TestDNNNames(t *testing.T) {
	for _, test := range []struct {
		nodes string
		want  []string
		note  bool
	}{
		{`{"id": 5, "name": "a", "fpgaLatency": 1, "size": 0}, {"id": 6, "name": "b", "fpgaLatency": 1, "size": 0}`, []string{"a", "b"}, false},
		{`{"id": 5, "name": "a", "fpgaLatency": 1, "size": 0}, {"id": 6, "name": "a", "fpgaLatency": 1, "size": 0}`, []string{"5", "6"}, true},
		{`{"id": 5, "name": "6", "fpgaLatency": 1, "size": 0}, {"id": 6, "fpgaLatency": 1, "size": 0}`, []string{"5", "6"}, true},
		{`{"id": 5, "name": "", "fpgaLatency": 1, "size": 0}`, []string{"5"}, true},
	} {
		p, ds := Import("dnn-partitioning", sources(`{"nodes": [`+test.nodes+`], "edges": []}`), Options{EdgeSize: EdgeBytes})
		var got, want []string
		for _, op := range p.Graph.Ops {
			got = append(got, p.Text(op.ID))
		}
		if test.note {
			want = []string{"a.json: note[named-by-number]: not every node has a name of its own: ops are named by the nodes' ids"}
		}
		if d := cmp.Diff(test.want, got) + cmp.Diff(want, said(ds)); d != "" {
			t.Error(d)
		}
	}
}
