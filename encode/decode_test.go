package encode_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The fewest parts that fit: 50 + 30 bytes in parts for cores of so many bytes.
func TestSplits(t *testing.T) {
	for _, c := range []struct {
		largest, most string
		want          int
	}{
		{"80", "9", 1}, {"79", "9", 2}, {"40", "9", 2}, {"39", "9", 3}, {"27", "3", 3}, {"27", "9223372036854775807", 3}, {"26", "9", 4}, {"2", "9223372036854775807", 50},
	} {
		m, ds := encode.New(read(t, `"capacity_bytes": 100`, `"capacity_bytes": `+c.largest, `80}`, `0}`, `"capacity_bytes": 60`, `"capacity_bytes": 1`,
			`"work_cycles": 8`, `"work_cycles": 8, "max_parts": `+c.most), encode.Options{})
		if len(ds) > 0 {
			t.Fatal(placed(ds))
		}
		if b := m.Problem.Ops[1]; b.Parts != c.want || b.Cycles[0] != int64((8+c.want-1)/c.want) {
			t.Errorf("cores of %s bytes: %d parts of %d cycles, want %d parts", c.largest, b.Parts, b.Cycles[0], c.want)
		}
	}
}

// forwarded is a schedule of small with b and c as late as they can be.
func forwarded(t *testing.T, edits ...string) (*encode.Model, *schedule.Solution) {
	t.Helper()
	m, ds := encode.New(read(t, edits...), encode.Options{Forward: true, ForwardCycles: ir.None})
	if len(ds)+len(m.Hopeless) > 0 {
		t.Fatal(placed(ds), placed(m.Hopeless))
	}
	s := &schedule.Solution{
		Stage: []int{0, 1, 2}, First: []int{0, 1, 2}, Core: [][]int{{0, 0}, {1}, {2}}, Place: []int{0, 1, 2},
		Forwards: []schedule.Forward{{Value: 0, Stage: 1, Core: []int{1, 1}}, {Value: 3, Stage: 0, Core: []int{0}}, {Value: 3, Stage: 1, Core: []int{1}}},
	}
	if _, err := m.Problem.Cost(s); err != nil {
		t.Fatal(err)
	}
	return m, s
}

// What each phase adds, as lines of the document that come and go.
func TestPhases(t *testing.T) {
	m, s := forwarded(t, `"assignment": {`, `"assignment": {"residency": [], `)
	all := phases(m, s)
	var got []string
	before := ir.Encode(m.Partition(s))
	got = append(got, string(before))
	for _, p := range all[1:] {
		after := ir.Encode(p)
		got = append(got, changed(string(before), string(after)))
		before = after
	}
	golden := filepath.Join("testdata", "phases.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(got, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), strings.Join(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// changed lists lines that only one of two texts has.
func changed(before, after string) string {
	var b strings.Builder
	only := func(sign, one, other string) {
		has := map[string]bool{}
		for _, line := range strings.Split(other, "\n") {
			has[line] = true
		}
		for _, line := range strings.Split(one, "\n") {
			if !has[line] {
				b.WriteString(sign + " " + line + "\n")
			}
		}
	}
	only("-", before, after)
	only("+", after, before)
	return b.String()
}

func TestForwardIDsAreNew(t *testing.T) {
	m, s := forwarded(t, `"id": "k"`, `"id": "forward:x:0"`)
	ops := m.Partition(s).Graph.Ops
	if got := ops[4]; m.Partition(s).Text(got.ID) != "forward:x:0:2" {
		t.Errorf("the forward is %s", m.Partition(s).Text(got.ID))
	}
}

// Digests that are recorded fit what was made, or are gone.
func TestDigests(t *testing.T) {
	revision := []string{`"graph": {`, `"graph": {"digest": "r41", `, `"assignment": {`, `"assignment": {"graph_digest": "r41", `}
	content := ir.GraphDigest(read(t))
	recorded := []string{`"graph": {`, `"digest": "d1", "graph": {"digest": "` + content + `", `, `"assignment": {`, `"assignment": {"graph_digest": "` + content + `", `}
	type digests struct{ Plan, Graph, Assignment string }
	of := func(p *ir.Plan) digests { return digests{p.Digest, p.Graph.Digest, p.Assignment.GraphDigest} }
	for _, c := range []struct {
		name     string
		edits    []string
		forwards bool
		want     func(content string) digests
	}{
		{"a name, and the same graph", revision, false, func(string) digests { return digests{"", "r41", "r41"} }},
		{"a name, and another graph", revision, true, func(content string) digests { return digests{"", "", content} }},
		{"a digest, and the same graph", recorded, false, func(string) digests { return digests{"", content, content} }},
		{"a digest, and another graph", recorded, true, func(content string) digests { return digests{"", content, content} }},
		{"none", nil, true, func(string) digests { return digests{} }},
	} {
		m, s := forwarded(t, c.edits...)
		if !c.forwards {
			s.Stage, s.Core, s.Forwards = []int{0, 1, 1}, [][]int{{0, 0}, {1}, {1}}, nil
		}
		p := m.Partition(s)
		if diff := cmp.Diff(c.want(ir.GraphDigest(p)), of(p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if got := violations(t, builtin(t), p, true); strings.Contains(got, "digest") || strings.Contains(got, "revision") {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// Nothing that is changed in a plan that was made changes in the one before.
func TestPhasesShareNothing(t *testing.T) {
	m, s := forwarded(t, `"assignment": {`, `"assignment": {"replicas": [{"op": "a", "index": 0, "first": 0, "count": 1}], "residency": [], `, `{"mesh": [1, 3]}`, `{"distances": [[0, 1, 2], [1, 0, 1], [2, 1, 0]]}`)
	var all []*ir.Plan
	texts := func() []string {
		var out []string
		for _, p := range all {
			out = append(out, string(ir.Encode(p)))
		}
		return out
	}
	all = phases(m, s)
	before := texts()
	for i, p := range all {
		scribble(encode.Transfers(p))
		if diff := cmp.Diff(before, texts()); diff != "" {
			t.Fatalf("a copy of the plan of phase %d shares something:\n%s", i, diff)
		}
	}
	for i := len(all) - 1; i > 0; i-- {
		scribble(all[i])
		if diff := cmp.Diff(before[:i], texts()[:i]); diff != "" {
			t.Fatalf("the plan of phase %d shares something:\n%s", i, diff)
		}
	}
}

// scribble changes everything in a plan's lists.
func scribble(p *ir.Plan) {
	p.Target.Cores[0].ID, p.Target.Distances[0][0] = 99, 99
	p.Graph.Inputs[0].Size, p.Graph.Inputs[0].Consumers[0] = 99, p.Graph.Ops[1].ID
	p.Graph.Weights[0].Size, p.Graph.Values[0].Size, p.Graph.Edges[0].Size = 99, 99, 99
	p.Graph.Ops[0].Work, p.Graph.Ops[0].Weights[0], p.Graph.Ops[1].WorkOn[0].Cycles = 99, p.Graph.Weights[1].ID, 99
	p.Stages[0].First, p.Assignment.Instances[0].Stage, p.Assignment.Replicas[0].Count = 99, 99, 99
	p.Assignment.Placement[0] = 99
	if in := &p.Assignment.Instances[0]; in.Cores != nil {
		in.Cores[0] = 99
	}
	if r := p.Assignment.Residency; len(r) > 0 {
		r[0].Cores[0], r[0].Lanes[0] = 99, 99
	}
	if len(p.Transfers) > 0 {
		p.Transfers[0].Stage, p.Syncs[0].Stage = 99, 99
	}
}
