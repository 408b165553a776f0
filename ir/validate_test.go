package ir

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

func TestValidate(t *testing.T) {
	syms := symbol.NewTable()
	id := syms.String
	op := func(name string) Op {
		return Op{ID: id(name), Lanes: 1, Work: 1, MaxParts: None, Windows: None, ForwardCycles: None}
	}
	plan := func(change func(*Plan)) *Plan {
		p := &Plan{Symbols: syms, LogicalCores: None, Graph: Graph{
			Weights: []Weight{{ID: id("w"), Size: 1}},
			Ops:     []Op{op("a"), op("b")},
			Edges:   []Edge{{From: id("a"), To: id("b"), Size: None}},
		}}
		change(p)
		return p
	}
	for _, c := range []struct {
		name   string
		change func(*Plan)
		want   []string
	}{
		{"nothing wrong", func(*Plan) {}, nil},
		{"id given twice", func(p *Plan) { p.Graph.Ops = append(p.Graph.Ops, op("a")) }, []string{
			`0:0 /graph/ops/2/id id-duplicate: the op id "a" is already used at /graph/ops/0/id`}},
		{"unknown ids", func(p *Plan) {
			p.Graph.Edges[0].To = id("c")
			p.Graph.Ops[1].Weights = []ID{id("w"), id("w2")}
			p.Assignment.Instances = []Instance{{Op: id("gone"), Stage: None, Part: None}}
		}, []string{
			`0:0 /graph/ops/1/weights/1 reference-unknown: an entry of "weights" names the weight "w2", which does not exist`,
			`0:0 /graph/edges/0/to reference-unknown: "to" names the op "c", which does not exist`,
			`0:0 /assignment/instances/0/op reference-unknown: "op" names the op "gone", which does not exist`}},
		{"absent and broken ids", func(p *Plan) {
			p.Graph.Edges[0] = Edge{To: 5, Size: None}
			p.Graph.Ops[1].ID = id("\xff")
		}, []string{
			`0:0 /graph/ops/1/id invalid-utf8: byte 0xFF is not valid UTF-8 here`,
			`0:0 /graph/edges/0/from id-empty: "from" must not be empty`,
			`0:0 /graph/edges/0/to id-empty: "to" must not be empty`}},
		{"ids of another table", func(p *Plan) {
			other := symbol.NewTable()
			for range 100 {
				other.Int(-1 - int64(other.Len()))
			}
			p.Graph.Edges[0].To = other.String("b")
		}, []string{`0:0 /graph/edges/0/to id-empty: "to" must not be empty`}},
		{"numbers out of range", func(p *Plan) {
			p.LogicalCores = -2
			p.Graph.Ops[0].Lanes, p.Graph.Ops[0].Work = 0, -5
			p.Graph.Ops[1].MaxParts = 0
			p.Stages = []Stage{{Index: None, First: 1, Count: None}, {Index: 1, First: None, Count: None}, {Index: 1, First: None, Count: None}}
		}, []string{
			`0:0 /logical_cores integer-out-of-range: "logical_cores" must be at least 0, found -2`,
			`0:0 /graph/ops/0/lanes integer-out-of-range: "lanes" must be at least 1, found 0`,
			`0:0 /graph/ops/0/work_cycles integer-out-of-range: "work_cycles" must be at least 0, found -5`,
			`0:0 /graph/ops/1/max_parts integer-out-of-range: "max_parts" must be at least 1, found 0`,
			`0:0 /stages/0/index integer-out-of-range: "index" must be at least 0, found -1`,
			`0:0 /stages/0/cores missing-field: a range of cores must have the field "count"`,
			`0:0 /stages/2/index id-duplicate: the stage index 1 is already used at /stages/1/index`}},
		{"lengths", func(p *Plan) {
			p.Assignment.Instances = []Instance{{Op: id("a"), Stage: 0, Part: None, Lanes: []int64{0}, Cores: []int64{0, 1}}}
			p.Assignment.Residency = []Resident{{Weight: id("w"), Cores: []int64{0}, Part: 1, Parts: None}}
			p.Target = &Target{CoreCount: None, BytesPerCycle: None, Mesh: []int64{2}, Distances: [][]int64{{0}}, Cores: []Core{{ID: 0, Row: 1, Col: None, Capacity: None}}}
		}, []string{
			`0:0 /target/topology wrong-type: a topology must be either a "mesh" or "distances", found both`,
			`0:0 /target/topology/mesh length-mismatch: "mesh" must be [rows, columns], found 1 number`,
			`0:0 /target/cores/0/at/1 integer-out-of-range: an entry of "at" must be at least 0, found -1`,
			`0:0 /assignment/instances/0/lanes length-mismatch: "lanes" has 1 entry, but "cores" has 2`,
			`0:0 /assignment/residency/0 missing-field: a residency entry with "part" must have the field "parts"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, brief(Validate(plan(c.change)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestValidateNamesTheFileOfTheSource(t *testing.T) {
	p := mustDecode(t, everything)
	p.Graph.Ops[0].Lanes = 0
	want := []diag.Diagnostic{{
		Code: "integer-out-of-range", Severity: diag.Error,
		Message: `"lanes" must be at least 1, found 0`,
		Pos:     diag.Position{File: "plan.json", Pointer: "/graph/ops/0/lanes"},
	}}
	if diff := cmp.Diff(want, Validate(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
