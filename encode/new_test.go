package encode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// small is a plan of which tests change a line.
const small = `{"schema": "plancheck.concrete-plan/1",
"target": {"topology": {"mesh": [1, 3]}, "bytes_per_cycle": 4,
"cores": [{"id": 5, "at": [0, 0], "capacity_bytes": 100, "kind": "big"}, {"id": 6, "at": [0, 1], "capacity_bytes": 80},
{"id": 7, "at": [0, 2], "capacity_bytes": 60, "kind": "small"}]},
"graph": {"inputs": [{"id": "x", "dynamic": true, "size_bytes": 10, "consumers": ["a", "c"]}, {"id": "k", "dynamic": false, "consumers": ["c"]}],
"weights": [{"id": "w", "size_bytes": 50}, {"id": "u", "size_bytes": 30}],
"values": [{"id": "m", "from": "b", "size_bytes": 9}, {"id": "n", "from": "b", "forward_cycles": 3}],
"ops": [{"id": "a", "lanes": 2, "work_cycles": 9, "weights": ["w"]},
{"id": "b", "work_cycles": 8, "weights": ["w", "u"], "work_on": [{"kind": "small", "cycles": 20}, {"kind": "odd", "cycles": 1}]},
{"id": "c", "work_cycles": 7}],
"edges": [{"from": "a", "to": "b", "size_bytes": 8}, {"from": "a", "to": "c", "size_bytes": 6},
{"from": "b", "to": "c", "value": "m"}, {"from": "b", "to": "c", "value": "n", "size_bytes": 2}]},
"stages": [{"index": 0},
{"index": 1, "cores": {"first": 1, "count": 1}},
{"index": 2}],
"assignment": {"instances": [
{"op": "a", "stage": 0, "lanes": [1], "cores": [0]},
{"op": "b", "stage": 1}],
"placement": [null, 6, null]}}`

// read decodes small with replaced texts, two by two; each has to be there once.
func read(t *testing.T, edits ...string) *ir.Plan {
	t.Helper()
	text := small
	for i := 0; i < len(edits); i += 2 {
		if strings.Count(text, edits[i]) != 1 {
			t.Fatalf("%q is there %d times", edits[i], strings.Count(text, edits[i]))
		}
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	p, ds := ir.DecodePlan(diag.NewSource("plan.json", []byte(text)))
	if len(ds) > 0 {
		t.Fatal(placed(ds))
	}
	return p
}

func placed(ds []diag.Diagnostic) []string {
	var lines []string
	for _, d := range ds {
		lines = append(lines, fmt.Sprintf("%d %s %s: %s", d.Pos.Line, d.Pos.Pointer, d.Code, d.Message))
	}
	return lines
}

func TestProblem(t *testing.T) {
	m, ds := encode.New(read(t), encode.Options{Forward: true, ForwardCycles: ir.None})
	if len(ds)+len(m.Hopeless) > 0 {
		t.Fatal(placed(ds), placed(m.Hopeless))
	}
	const open = schedule.Free
	want := &schedule.Problem{
		Stages: 3, Cores: 3, Kinds: 3,
		Ops: []schedule.Op{
			{Lo: 0, Hi: 0, Lanes: 2, Parts: 1, Cycles: []int64{5, 5, 5}, Weights: []int{0}, Pins: []int{open, 0}},
			{Lo: 1, Hi: 1, Lanes: 1, Parts: 1, Cycles: []int64{8, 8, 20}, Weights: []int{0, 1}},
			{Lo: 0, Hi: 2, Lanes: 1, Parts: 1, Cycles: []int64{7, 7, 7}},
		},
		Values: []schedule.Value{
			{From: 0, Bytes: 8, Forward: 2, Cycles: []int64{1, 1, 1}},
			{From: 1, Bytes: 9},
			{From: 1, Bytes: 2},
			{From: schedule.Outside, Bytes: 10, Forward: 1, Cycles: []int64{3, 3, 3}},
		},
		Reads:   []schedule.Read{{Value: 0, To: 1}, {Value: 0, To: 2}, {Value: 1, To: 2}, {Value: 2, To: 2}, {Value: 3, To: 0}, {Value: 3, To: 2}},
		Slices:  []int64{50, 30},
		Ranges:  []schedule.Range{{First: open, Count: open}, {First: 1, Count: 1}, {First: open, Count: open}},
		Machine: []schedule.Core{{Capacity: 100, Kind: 1}, {Capacity: 80}, {Capacity: 60, Kind: 2}},
		Places:  []int{open, 1, open},
		Hops:    [][]int64{{0, 1, 2}, {1, 0, 1}, {2, 1, 0}},
	}
	if diff := cmp.Diff(want, m.Problem); diff != "" {
		t.Errorf("problem (-want +got):\n%s", diff)
	}
}

// Each option changes what it says and nothing else.
func TestOptions(t *testing.T) {
	open := schedule.Range{First: schedule.Free, Count: schedule.Free}
	for _, c := range []struct {
		name  string
		edits []string
		o     encode.Options
		edit  func(p *schedule.Problem)
	}{
		{"the plan's own options", []string{`"target"`, `"options": {"forward": true, "nonempty_stages": true}, "target"`}, encode.Options{ForwardCycles: ir.None},
			func(p *schedule.Problem) { p.NonEmpty = true }},
		{"no forwards", nil, encode.Options{NonEmpty: true}, func(p *schedule.Problem) {
			p.NonEmpty = true
			for i := range p.Values {
				p.Values[i].Forward, p.Values[i].Cycles = 0, nil
			}
		}},
		{"free stages", nil, encode.Options{Forward: true, Free: encode.Free{Stage: true}}, func(p *schedule.Problem) {
			for i := range p.Ops {
				p.Ops[i].Lo, p.Ops[i].Hi = 0, 2
			}
			p.Values[1].Forward, p.Values[1].Cycles = 1, []int64{3, 3, 3}
			p.Values[2].Forward, p.Values[2].Cycles = 1, []int64{3, 3, 3}
		}},
		{"free cores", nil, encode.Options{Forward: true, Free: encode.Free{Core: true}}, func(p *schedule.Problem) {
			p.Ops[0].Pins, p.Ranges[1] = nil, open
		}},
		{"free places", nil, encode.Options{Forward: true, Free: encode.Free{Placement: true}}, func(p *schedule.Problem) { p.Places[1] = schedule.Free }},
		{"another number of stages opens the ranges", nil, encode.Options{Forward: true, Stages: 2}, func(p *schedule.Problem) {
			p.Stages, p.Ranges = 2, []schedule.Range{open, open}
			p.Ops[2].Hi = 1
			p.Values[0].Forward, p.Values[0].Cycles = 0, nil
		}},
		{"the same number of stages keeps them", nil, encode.Options{Forward: true, Stages: 3, Cores: 3}, func(*schedule.Problem) {}},
		{"a value that has a forward is not forwarded again", []string{`{"id": "c", "work_cycles": 7}`, `{"id": "c", "work_cycles": 7, "forwards": "x"}`},
			encode.Options{Forward: true}, func(p *schedule.Problem) {
				p.Ops[2].Carries = true
				p.Values[3].Forward, p.Values[3].Cycles = 0, nil
			}},
		{"stated work of forwards comes first", []string{`"size_bytes": 10, "consumers"`, `"size_bytes": 10, "forward_cycles": 70, "consumers"`, `"weights": ["w"]}`, `"weights": ["w"], "forward_cycles": 1}`},
			encode.Options{Forward: true}, func(p *schedule.Problem) {
				p.Values[0].Forward, p.Values[3].Cycles = 1, []int64{70, 70, 70}
			}},
		{"the option's work of forwards comes last", []string{`, "bytes_per_cycle": 4`, ``}, encode.Options{Forward: true, ForwardCycles: 5}, func(p *schedule.Problem) {
			p.Values[0].Cycles, p.Values[3].Cycles = []int64{3, 3, 3}, []int64{5, 5, 5}
		}},
		{"an edge without a size", []string{`"a", "to": "c", "size_bytes": 6`, `"a", "to": "c"`}, encode.Options{Forward: true, ForwardCycles: 0}, func(p *schedule.Problem) {
			p.Values[0].Bytes, p.Values[0].Forward, p.Values[0].Cycles = schedule.Unknown, 1, []int64{0, 0, 0}
		}},
		{"a core without a place", []string{`"id": 6, "at": [0, 1]`, `"id": 6`}, encode.Options{Forward: true}, func(p *schedule.Problem) { p.Hops = nil }},
		{"cores that hold everything have no limit", []string{`"capacity_bytes": 100`, `"capacity_bytes": 180`}, encode.Options{Forward: true},
			func(p *schedule.Problem) { p.Machine[0].Capacity = schedule.Unknown }},
		{"a split that is given", []string{`"placement"`, `"splits": [{"op": "c", "parts": 2}], "placement"`}, encode.Options{Forward: true}, func(p *schedule.Problem) {
			p.Ops[2].Parts, p.Ops[2].Cycles = 2, []int64{4, 4, 4}
		}},
	} {
		base, ds := encode.New(read(t), encode.Options{Forward: true, ForwardCycles: ir.None})
		if len(ds) > 0 {
			t.Fatal(placed(ds))
		}
		m, ds := encode.New(read(t, c.edits...), c.o)
		if len(ds) > 0 || len(m.Hopeless) > 0 {
			t.Errorf("%s: %v", c.name, placed(ds))
			continue
		}
		c.edit(base.Problem)
		if diff := cmp.Diff(base.Problem, m.Problem); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
