package facts

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/mangle/analysis"
	"github.com/google/mangle/ast"
	"github.com/google/mangle/parse"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

var update = flag.Bool("update", false, "write the expected facts anew")

func all(string) bool { return true }

func decode(t *testing.T, name string) *ir.Plan {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	p, diags := ir.DecodePlan(diag.NewSource(name, data))
	for _, d := range diags {
		t.Fatalf("%s:%d:%d: %s", name, d.Pos.Line, d.Pos.Column, d.Message)
	}
	return p
}

// document reads a test document of any level.
func document(t *testing.T, name string) *Document {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	d, diags := Decode(diag.NewSource(name, data))
	for _, d := range diags {
		t.Fatalf("%s:%d:%d: %s", name, d.Pos.Line, d.Pos.Column, d.Message)
	}
	parent := parentOf(t, d)
	d = d.Beside(parent)
	parents[d] = parent
	return d
}

// parents are those of the test documents that have been read.
var parents = map[*Document]*Document{}

func exported(t *testing.T, p *ir.Plan) *Facts { return exportedDocument(t, OfPlan(p)) }

func exportedDocument(t *testing.T, d *Document) *Facts {
	t.Helper()
	f, err := ExportChild(d, parentOf(t, d), all)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// parentOf is the document that a test document is compared with; nil for most.
func parentOf(t *testing.T, d *Document) *Document {
	t.Helper()
	if parent := parents[d]; parent != nil {
		return parent
	}
	names := map[string]string{"full.json": "parent.json", "model.json": "cyclic.json", "evidence.json": "evidence_parent.json", "deployment.json": "target.json", "binding.json": "target.json", "timeline.json": "evidence.json", "played.json": "played_plan.json", "observations.json": "timeline.json", "tasks.json": "model.json"}
	if d.Source == nil || names[d.Source.Name] == "" {
		return nil
	}
	return document(t, names[d.Source.Name])
}

func text(t *testing.T, f *Facts, syms *symbol.Table) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, f, syms, true); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFacts(t *testing.T) {
	for _, name := range []string{"full", "cyclic", "model", "tasks", "machine", "timeline", "played", "target", "deployment", "evidence", "binding", "observations", "portable-bound"} {
		p := document(t, name+".json")
		got := text(t, exportedDocument(t, p), p.Symbols)
		golden := "testdata/" + name + ".dl"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s: facts differ (-want +got):\n%s", name, diff)
		}
	}
}

// The table of relations, the Decls and the exporter say the same: every
// relation is filled by one of the test plans, with columns of the stated
// number and kinds, and Mangle accepts the facts of both under the Decls.
func TestRelationsDeclsAndExporterAgree(t *testing.T) {
	kinds := map[Type]symbol.Kind{Number: symbol.Number, String: symbol.String, Name: symbol.Name}
	filled := map[string]bool{}
	for _, name := range []string{"full.json", "cyclic.json", "model.json", "tasks.json", "machine.json", "timeline.json", "played.json", "target.json", "deployment.json", "evidence.json", "binding.json", "observations.json", "portable-bound.json"} {
		p := document(t, name)
		f := exportedDocument(t, p)
		tables := f.Tables
		for i, r := range Relations() {
			tab := tables[i]
			if tab.Name != r.Name || len(tab.Cols) != len(r.Cols) {
				t.Fatalf("table %d is %s with %d columns, want %s with %d", i, tab.Name, len(tab.Cols), r.Name, len(r.Cols))
			}
			for c, col := range tab.Cols {
				if len(col) != tab.N {
					t.Errorf("%s: column %s of %s has %d values, want %d", name, r.Cols[c].Name, r.Name, len(col), tab.N)
				}
				for _, v := range col {
					if k := p.Symbols.Kind(v); k != kinds[r.Cols[c].Type] {
						t.Errorf("%s: %s is a %s in column %s of %s", name, p.Symbols.Format(v), k, r.Cols[c].Name, r.Name)
					}
				}
			}
			seen := map[string]bool{}
			for row := range tab.N {
				atom := p.Symbols.FormatAtom(r.Name, tab.Row(row))
				if tab.Distinct && seen[atom] {
					t.Errorf("%s: %s is there twice in a relation that is distinct", name, atom)
				}
				seen[atom] = true
			}
			filled[r.Name] = filled[r.Name] || tab.N > 0
		}
		mangleAccepts(t, Decls()+text(t, f, p.Symbols))
	}
	for _, r := range Relations() {
		if !filled[r.Name] {
			t.Errorf("no test plan fills %s", r.Name)
		}
		if r.Doc == "" || r.Name != "given" && r.Name != "parent_content" && r.Name != "parent_made_from" && !strings.HasPrefix(r.Name, "poly_") && !strings.HasPrefix(r.Name, "monomial_") && !r.OfParent() && !strings.HasPrefix(r.Section, "/") {
			t.Errorf("%s has doc %q and section %q", r.Name, r.Doc, r.Section)
		}
	}
}

func mangleAccepts(t *testing.T, program string) {
	t.Helper()
	unit, err := parse.Unit(strings.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := analysis.AnalyzeAndCheckBounds([]parse.SourceUnit{unit}, nil, analysis.ErrorForBoundsMismatch); err != nil {
		t.Error(err)
	}
}

// What Mangle reads from a fact's text is the string that was written.
func TestQuote(t *testing.T) {
	for _, s := range []string{"", "plain", `a"b\c`, "line\nend\ttab\rreturn", "\x00\x1f\x7f", "é \u202e \U0001f600 \u00a0", "'`"} {
		c, err := parse.BaseTerm(quote(s))
		if err != nil {
			t.Errorf("%q is written %s: %v", s, quote(s), err)
			continue
		}
		if got := c.(ast.Constant).Symbol; got != s {
			t.Errorf("%q is written %s and read %q", s, quote(s), got)
		}
	}
}

func TestWantedRelationsOnly(t *testing.T) {
	p := decode(t, "full.json")
	f, err := Export(p, func(name string) bool { return name == "edge" || name == "stage" })
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tab := range f.Tables {
		names = append(names, tab.Name)
	}
	if diff := cmp.Diff([]string{"edge", "stage"}, names); diff != "" {
		t.Error(diff)
	}
	if f.Table("op") != nil || f.Table("edge").N != 3 || f.Rows() != 5 {
		t.Errorf("op %v, edge %v, %d rows", f.Table("op"), f.Table("edge"), f.Rows())
	}
}

// In a complete plan the columns of lanes are stored once.
func TestEqualColumnsAreShared(t *testing.T) {
	p := &ir.Plan{Symbols: symbol.NewTable(), LogicalCores: ir.None}
	a, b := p.Symbols.String("a"), p.Symbols.String("b")
	p.Graph.Ops = []ir.Op{{ID: a, Lanes: 2, ForwardCycles: ir.None}, {ID: b, Lanes: 1, ForwardCycles: ir.None}}
	p.Assignment.Instances = []ir.Instance{
		{Op: a, Stage: 0, Part: ir.None, Cores: []int64{4, 5}},
		{Op: b, Stage: 1, Part: ir.None, Cores: []int64{6}},
	}
	f := exported(t, p)
	instance := f.Table("instance")
	for _, name := range []string{"op_lane", "instance_listed", "instance_stage", "instance_core"} {
		tab := f.Table(name)
		if tab.N != 3 || !tab.Distinct || &tab.Cols[0][0] != &instance.Cols[0][0] || &tab.Cols[1][0] != &instance.Cols[1][0] {
			t.Errorf("%s does not share the columns of instance", name)
		}
	}
	if got := f.Table("instance_core").Cols[2]; &got[0] != &instance.Cols[3][0] {
		t.Error("instance_core has its own cores")
	}

	p.Assignment.Instances[1].Lanes = []int64{9}
	f = exported(t, p)
	if got, want := f.Table("op_lane").Cols[1], []symbol.Value{0, 1, 0}; !cmp.Equal(got, want) {
		t.Errorf("lanes of ops are %v, want %v", got, want)
	}
	if got, want := f.Table("instance").Cols[1], []symbol.Value{0, 1, 9}; !cmp.Equal(got, want) {
		t.Errorf("lanes of instances are %v, want %v", got, want)
	}
}

func TestOffsets(t *testing.T) {
	p := decode(t, "full.json")
	f := exported(t, p)
	for _, c := range []struct {
		relation string
		row      int
		want     string // what stands in the document there
	}{
		{"given", 0, `{"topology"`},
		{"core", 2, `{"id": 7}`},
		{"core_capacity", 1, `4096}`},
		{"mesh", 0, `[1, 3]`},
		{"core_count", 0, `3,`},
		{"logical_core", 2, `3,`},
		{"input_consumer", 2, `"mlp"]`},
		{"op_weight", 2, `"table"], "max_parts"`},
		{"op_forwards", 0, `"mean"}`},
		{"option", 1, `{"forward": true`},
		{"bytes_per_cycle", 0, "16,"},
		{"op_work_on", 1, `{"kind": "small"`},
		{"forward_cycles", 0, `32, "consumers"`},
		{"forward_cycles", 1, `0}`},
		{"forward_cycles", 2, `7,`},
		{"edge", 2, `{"from": "embed", "to": "mlp"}]`},
		{"repeated_edge", 0, `{"from": "embed", "to": "mlp"}]`},
		{"graph_digest", 0, `"rev-7"`},
		{"stage_range", 0, `{"first"`},
		{"instance", 0, `{"op": "embed", "stage": 0`},
		{"instance_core", 0, `0, null]`},
		{"instance_stage_only", 0, `null]`},
		{"instance_listed", 1, `0], "cores"`},
		{"instance_repeated", 0, `{"op": "embed", "cores"`},
		{"instance_core_only", 0, `{"op": "embed", "cores"`},
		{"part_core", 0, `1]}`},
		{"whole_lane_listed", 0, `{"op": "mlp", "stage": 1, "cores"`},
		{"resident_listed", 1, `2]}`},
		{"placement", 1, `0]}`},
		{"placement_open", 0, `null, 0`},
		{"placement_count", 0, `[7, null`},
		{"transfer_to_stage", 0, `1}]`},
		{"sync_stage", 0, `1}]`},
		{"queue_unordered", 0, `false}`},
		{"issue_order", 1, `{"queue": "q1", "commands": ["r0"`},
		{"issue_order_command", 1, `"f0", "s1", "a0"`},
		{"issue_order_repeats", 0, `"r0", "f0"]}`},
		{"order_followed", 0, `{"queue": "q0", "commands": ["s0"`},
		{"engine_takes", 1, `"transfer", "compute"]`},
		{"communicator_queue", 1, `"q1"]}, {"id": "more"`},
		{"shared_turn", 1, `{"id": "a1"`},
		{"target_extension", 0, `{
        "orders"`},
		{"document_digest", 0, `"sha256:0`},
		{"identity", 1, `"sha256:`},
		{"identity_digest", 0, `"sha256:`},
		{"deployment", 1, `"abi-3", "devices"`},
		{"deployment_device", 1, `"G1"]`},
		{"deployment_library", 0, `{"name"`},
		{"world_size", 0, `2,`},
		{"implementation_version", 0, `"12.4", "abi": "abi-3", "variant"`},
		{"command_implementation", 0, `"mm", "reads"`},
		{"given", 4, `{
      "clock_domains"`},
		{"given", 5, `{
  "schema"`},
		{"clock_tick", 1, `600}`},
		{"unit_latency", 0, `3, "operations"`},
		{"unit_op", 0, `{"op": "mlp", "latency_cycles": 20}`},
		{"issue_slot", 2, `{"command": "r0"`},
		{"route", 1, `{"command": "s1"`},
		{"route_hop", 2, `{"link": "west"`},
		{"link_turn", 0, `{"link": "east", "depart_cycle": 15`},
		{"flow_backpressure", 0, `"stall"}`},
		{"assignment_content_digest", 0, `{"graph_digest"`},
		{"parent_instance_stage", 1, `1}, {"op": "embed"`},
		{"parent_instance_stage", 2, `0}, {"op": "mlp"}`},
		{"parent_assignment_digest", 0, `{"instances"`},
		{"op", 99, `{`},
		{"no_such_relation", 0, `{`},
	} {
		at := f.Offset(c.relation, c.row)
		text := p.Source.Text()
		if strings.HasPrefix(c.relation, "parent_") {
			text = parentOf(t, OfPlan(p)).Source.Text()
		}
		if got := string(text[at:]); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s row %d comes from %.30s, want %s", c.relation, c.row, got, c.want)
		}
	}
}

// Every field and every other relation that the table of relations names is
// there: a row of some plan lies deeper than its entity, and columns agree.
func TestPlacesOfRowsAreFound(t *testing.T) {
	narrowed := map[string]bool{}
	lanes := diag.NewSource("lanes.json", []byte(`{"schema": "plancheck.concrete-plan/1", "graph": {"ops": [{"id": "a", "work_cycles": 1}]},
		"assignment": {"splits": [{"op": "a", "parts": 2}], "instances": [{"op": "a", "lanes": [0], "stage": null, "cores": [0]}, {"op": "a", "lanes": [0]}]}}`))
	listed, diags := ir.DecodePlan(lanes)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for _, p := range []*Document{document(t, "full.json"), document(t, "cyclic.json"), document(t, "model.json"), document(t, "tasks.json"), document(t, "machine.json"), document(t, "timeline.json"), document(t, "target.json"), document(t, "deployment.json"), document(t, "evidence.json"), document(t, "binding.json"), document(t, "observations.json"), document(t, "portable-bound.json"), OfPlan(listed)} {
		f := exportedDocument(t, p)
		for _, r := range Relations() {
			text := p.Source.Text()
			if f.FromParent(r.Name) && f.Table(r.Name).N > 0 {
				text = parentOf(t, p).Source.Text()
			}
			for row := range f.Table(r.Name).N {
				at := f.Offset(r.Name, row)
				entity := f.places[r.Name].at[row]
				pointers := strictjson.Pointers(text, []uint32{entity, at})
				want := pointers[0] + "/" + r.rows.field
				if r.rows.field == "" || at == entity || pointers[1] == pointers[0] {
					continue
				}
				if pointers[1] != want && !(r.rows.entry && strings.HasPrefix(pointers[1], want+"/")) {
					t.Errorf("a row of %s in %s is at %s", r.Name, pointers[0], pointers[1])
				}
				narrowed[r.Name] = true
			}
		}
	}
	names := map[string][]string{}
	for _, r := range Relations() {
		for _, c := range r.Cols {
			names[r.Name] = append(names[r.Name], c.Name)
		}
	}
	for _, r := range Relations() {
		if (r.rows.field != "") != narrowed[r.Name] || r.rows.entry && r.rows.field == "" {
			t.Errorf("%s is read from field %q, and a row was found there: %v", r.Name, r.rows.field, narrowed[r.Name])
		}
		if other := r.rows.other; other != "" && !slices.ContainsFunc(names[r.Name], func(c string) bool { return slices.Contains(names[other], c) }) {
			t.Errorf("%s has no column of %q", r.Name, other)
		}
	}
}

func TestLimit(t *testing.T) {
	const huge = 1_000_000_000_000
	plan := func(change func(*ir.Plan, ir.ID)) *ir.Plan {
		p := &ir.Plan{Symbols: symbol.NewTable(), LogicalCores: ir.None,
			Source: diag.NewSource("plan.json", []byte("{\n  the op,\n  the entry}"))}
		op := p.Symbols.String("mlp")
		p.Graph.Ops = []ir.Op{{ID: op, Lanes: 1, MaxParts: ir.None, Windows: ir.None, ForwardCycles: ir.None, At: 4}}
		change(p, op)
		return p
	}
	for _, c := range []struct {
		name   string
		change func(*ir.Plan, ir.ID)
		want   string
	}{
		{"lanes", func(p *ir.Plan, _ ir.ID) { p.Graph.Ops[0].Lanes = huge },
			`2:3: op "mlp" has 1000000000000 lanes: the facts of this document would have more than 50 rows`},
		{"lanes of an instance", func(p *ir.Plan, op ir.ID) {
			p.Graph.Ops[0].Lanes = 20
			p.Assignment.Instances = []ir.Instance{{Op: op, Stage: 0, Part: ir.None, At: 14}, {Op: op, Stage: 0, Part: ir.None, At: 14}}
		}, `3:3: the instance of op "mlp" stands for all its 20 lanes: the facts of this document would have more than 50 rows`},
		{"lanes that no sum can hold", func(p *ir.Plan, op ir.ID) {
			p.Graph.Ops = append(p.Graph.Ops, ir.Op{ID: p.Symbols.String("head"), Lanes: 1<<63 - 1, ForwardCycles: ir.None, At: 14})
		}, `3:3: op "head" has 9223372036854775807 lanes: the facts of this document would have more than 50 rows`},
		{"lanes of instances that no sum can hold", func(p *ir.Plan, op ir.ID) {
			p.Graph.Ops[0].Lanes = 1<<63 - 1
			p.Assignment.Instances = []ir.Instance{{Op: op, Stage: 0, Part: ir.None, Cores: []int64{0}}, {Op: op, Stage: 0, Part: ir.None, At: 14}}
		}, `3:3: the instance of op "mlp" stands for all its 9223372036854775807 lanes: the facts of this document would have more than 50 rows`},
		{"lanes listed twice", func(p *ir.Plan, op ir.ID) {
			p.Graph.Ops[0].Lanes = 1<<63 - 1
			p.Assignment.Instances = []ir.Instance{{Op: op, Stage: 0, Part: ir.None, At: 14}, {Op: op, Stage: 0, Part: ir.None}}
		}, `3:3: the instance of op "mlp" stands for all its 9223372036854775807 lanes: the facts of this document would have more than 50 rows`},
		{"parts", func(p *ir.Plan, op ir.ID) { p.Assignment.Splits = []ir.Split{{Op: op, Parts: huge, At: 14}} },
			`3:3: op "mlp" is split into 1000000000000 parts: the facts of this document would have more than 50 rows`},
		{"logical cores", func(p *ir.Plan, _ ir.ID) { p.LogicalCores, p.LogicalCoresAt = huge, 14 },
			`3:3: there are 1000000000000 logical cores: the facts of this document would have more than 50 rows`},
		{"reach of ranges", func(p *ir.Plan, _ ir.ID) {
			p.Stages = []ir.Stage{{Index: 0, First: 9, Count: 1<<63 - 1, At: 14}}
		}, `3:3: there are 9223372036854775807 logical cores: the facts of this document would have more than 50 rows`},
	} {
		_, err := export(OfPlan(plan(c.change)), nil, all, 50)
		e, ok := err.(*Error)
		if !ok {
			t.Errorf("%s: error is %v", c.name, err)
			continue
		}
		if got := fmt.Sprintf("%d:%d: %s", e.Pos.Line, e.Pos.Column, e.Message); got != c.want {
			t.Errorf("%s: error is\n%s, want\n%s", c.name, got, c.want)
		}
	}
	if _, err := Export(plan(func(*ir.Plan, ir.ID) {}), all); err != nil {
		t.Error(err)
	}
}

// Relations without facts take a line each only if they were asked for.
func TestTextOfEmptyRelations(t *testing.T) {
	p, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(`{"schema": "plancheck.concrete-plan/1", "graph": {"ops": [{"id": "a", "work_cycles": 1}]}}`)))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	f, err := Export(p, func(name string) bool {
		return name == "op" || strings.HasPrefix(name, "edge") || strings.HasPrefix(name, "command")
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Text(&b, f, p.Symbols, false); err != nil {
		t.Fatal(err)
	}
	want := `# op, 1: An op, its lanes, and its work in cycles over all lanes.
op("a", 1, 1).
# Without facts: edge, edge_value, edge_named_value, command, command_queue,
# command_op, command_after, command_after_later, command_reads, command_writes,
# command_in_place, command_waits, command_signals, command_channel,
# command_group, command_barrier, command_implementation, command_bytes,
# command_stage, command_microbatch, command_function, command_reduction,
# command_rank, command_lineage, command_transform, command_source,
# command_reason
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
