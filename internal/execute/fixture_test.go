package execute

import (
	"encoding/json"
	"fmt"
	"testing"

	"plancheck/internal/derive"
	"plancheck/internal/diag"
	"plancheck/internal/poly"
	"plancheck/internal/tensor"
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// fixture is a model at all levels, written down by hand: on each rank a device
// with a queue for compute and one for collectives.
type fixture struct {
	model    *model.Model
	tasks    *task.Distributed
	portable *portable.Plan
	plan     concrete
	ranks    int64
	dtype    string
	offset   []int64 // of each rank: the next free byte
}

// concrete is the plan, in the words of its document.
type concrete struct {
	Schema  string `json:"schema"`
	Program struct {
		Devices  []map[string]any `json:"devices"`
		Queues   []map[string]any `json:"queues"`
		Regions  []map[string]any `json:"memory_regions"`
		Buffers  []map[string]any `json:"buffers"`
		Tokens   []map[string]any `json:"tokens,omitempty"`
		Groups   []map[string]any `json:"groups"`
		Commands []map[string]any `json:"commands"`
	} `json:"program"`
}

func newFixture(ranks int64, dtype string) *fixture {
	f := &fixture{ranks: ranks, dtype: dtype, offset: make([]int64, ranks)}
	f.model = &model.Model{Header: level.Header{Schema: model.Schema}}
	f.tasks = &task.Distributed{Header: level.Header{Schema: task.Schema}, Mesh: []task.Axis{{ID: "tp", Size: ranks}}}
	f.portable = &portable.Plan{Header: level.Header{Schema: portable.Schema}}
	f.plan.Schema = ir.PlanSchema
	p := &f.plan.Program
	group := []int64{}
	for r := range ranks {
		group = append(group, r)
		p.Devices = append(p.Devices, map[string]any{"id": fmt.Sprint("gpu", r), "rank": r})
		p.Queues = append(p.Queues, map[string]any{"id": fmt.Sprint("compute", r), "device": fmt.Sprint("gpu", r), "kind": "compute"},
			map[string]any{"id": fmt.Sprint("collective", r), "device": fmt.Sprint("gpu", r), "kind": "collective"})
		p.Regions = append(p.Regions, map[string]any{"id": fmt.Sprint("hbm", r), "device": fmt.Sprint("gpu", r), "capacity_bytes": 1 << 20})
	}
	p.Groups = append(p.Groups, map[string]any{"id": "tp", "ranks": group})
	return f
}

// value adds a value of the model and its shards: cut along a dimension, or whole
// on all ranks with -1. Role partial is that of terms that are to be reduced.
func (f *fixture) value(id, role string, cut int, shape ...int64) {
	v := task.Value{ID: "d:" + id, Source: id, DType: f.dtype, Role: role}
	local := append([]int64{}, shape...)
	if cut >= 0 {
		v.Sharding = []task.Cut{{Dimension: int64(cut), Mesh: "tp"}}
		local[cut] /= f.ranks
	}
	if role == "partial" {
		v.Source, v.Role, v.Partial, v.Reduction = "", "activation", []string{"tp"}, "sum"
	} else {
		m := model.Value{ID: id, Role: role, Type: model.Type{DType: f.dtype}}
		for _, n := range shape {
			m.Type.Shape = append(m.Type.Shape, poly.Int(n))
		}
		f.model.Values = append(f.model.Values, m)
	}
	bytes, _ := level.Bytes(f.dtype)
	for i := range shape {
		v.Shape, v.Local = append(v.Shape, poly.Int(shape[i])), append(v.Local, poly.Int(local[i]))
		bytes *= local[i]
	}
	f.tasks.Values = append(f.tasks.Values, v)
	for r := range f.ranks {
		b := portable.Buffer{ID: f.buffer(id, r), Rank: r, Shape: v.Local, DType: f.dtype, Size: poly.Int(bytes),
			Lineage: &level.Lineage{Kind: level.Lowered, Transform: "plan", Sources: []string{v.ID}}}
		f.portable.Buffers = append(f.portable.Buffers, b)
		c := map[string]any{"id": b.ID, "memory_region": fmt.Sprint("hbm", r), "offset_bytes": f.offset[r], "size_bytes": bytes}
		f.offset[r] += (bytes + 15) / 16 * 16
		switch role {
		case "input", "parameter":
			c["initialised"] = true
		case "output":
			c["kept"] = true
			f.portable.Outputs = append(f.portable.Outputs, b.ID)
		}
		f.plan.Program.Buffers = append(f.plan.Program.Buffers, c)
	}
}

func (f *fixture) buffer(value string, rank int64) string { return fmt.Sprintf("%s.%d", value, rank) }

// op adds an op on all ranks, with a command on each. What the model calls
// differently it names by of.
func (f *fixture) op(id, kind string, inputs []string, output, of string) {
	f.model.Ops = append(f.model.Ops, model.Op{ID: id, Kind: kind, Inputs: inputs, Outputs: []string{of}})
	for r := range f.ranks {
		f.command(id, r, "launch", kind, inputs, output)
	}
}

// command adds a command and its task.
func (f *fixture) command(id string, rank int64, kind, op string, inputs []string, output string) map[string]any {
	reads, writes := []string{}, []string{f.buffer(output, rank)}
	for _, v := range inputs {
		reads = append(reads, f.buffer(v, rank))
	}
	name := fmt.Sprintf("%s.%d", id, rank)
	queue := "compute"
	t := portable.Task{ID: "t:" + name, Body: "compute", Op: op, Ranks: []int64{rank}, Inputs: reads, Outputs: writes}
	c := map[string]any{"id": name, "kind": kind, "op": op, "reads": reads, "writes": writes}
	if kind == "collective" {
		queue, t.Body, t.Reduce, c["group"] = "collective", "collective", "sum", "tp"
	}
	c["queue"] = fmt.Sprint(queue, rank)
	f.portable.Tasks = append(f.portable.Tasks, t)
	for i := range f.portable.Buffers {
		if f.portable.Buffers[i].ID == writes[0] {
			f.portable.Buffers[i].Producer = t.ID
		}
	}
	f.plan.Program.Commands = append(f.plan.Program.Commands, c)
	return c
}

// reduce adds an all-reduce behind an op: each rank's waits for a token of it,
// or, without tokens, depends on it.
func (f *fixture) reduce(id, behind string, tokens bool, from, to string) {
	for r := range f.ranks {
		c := f.command(id, r, "collective", "all-reduce", []string{from}, to)
		before := fmt.Sprintf("%s.%d", behind, r)
		if !tokens {
			c["after"] = []string{before}
			continue
		}
		f.plan.Program.Tokens = append(f.plan.Program.Tokens, map[string]any{"id": "done." + before})
		c["waits"] = []string{"done." + before}
		f.find(before)["signals"] = []string{"done." + before}
	}
}

// workspace gives a command memory that it uses while it works.
func (f *fixture) workspace(command string, rank, bytes int64) {
	id := command + ".workspace"
	f.portable.Buffers = append(f.portable.Buffers, portable.Buffer{ID: id, Rank: rank, Shape: []poly.Poly{poly.Int(bytes)}, DType: "i8", Size: poly.Int(bytes), Role: "workspace"})
	f.plan.Program.Buffers = append(f.plan.Program.Buffers,
		map[string]any{"id": id, "memory_region": fmt.Sprint("hbm", rank), "offset_bytes": f.offset[rank], "size_bytes": bytes})
	f.offset[rank] += bytes
	c := f.find(command)
	c["writes"] = append(c["writes"].([]string), id)
}

func (f *fixture) find(command string) map[string]any {
	for _, c := range f.plan.Program.Commands {
		if c["id"] == command {
			return c
		}
	}
	panic("no command " + command)
}

// linear is y[M,K] = x[M,N] w[N,K], cut along N.
func linearFixture(ranks int64, dtype string, m, n, k int64, tokens bool) *fixture {
	f := newFixture(ranks, dtype)
	f.value("x", "input", 1, m, n)
	f.value("w", "parameter", 0, n, k)
	f.value("part", "partial", -1, m, k)
	f.value("y", "output", -1, m, k)
	f.op("mm", "model.linear", []string{"x", "w"}, "part", "y")
	f.reduce("sum", "mm", tokens, "part", "y")
	return f
}

// mlp is y = gelu(x up) down, cut along the columns of up and the rows of down.
func mlpFixture(ranks int64, dtype, activation string, m, n, hidden int64, tokens bool) *fixture {
	f := newFixture(ranks, dtype)
	f.value("x", "input", -1, m, n)
	f.value("up", "parameter", 1, n, hidden)
	f.value("h", "activation", 1, m, hidden)
	f.value("a", "activation", 1, m, hidden)
	f.value("down", "parameter", 0, hidden, n)
	f.value("part", "partial", -1, m, n)
	f.value("y", "output", -1, m, n)
	f.op("first", "model.linear", []string{"x", "up"}, "h", "h")
	f.op("act", activation, []string{"h"}, "a", "a")
	f.op("second", "model.linear", []string{"a", "down"}, "part", "y")
	f.reduce("sum", "second", tokens, "part", "y")
	return f
}

// decoded is the plan of a fixture.
func (f *fixture) decoded(t testing.TB) *ir.Plan {
	t.Helper()
	data, err := json.Marshal(f.plan)
	if err != nil {
		t.Fatal(err)
	}
	plan, diags := ir.DecodePlan(diag.NewSource("plan.json", data))
	for _, d := range diags {
		t.Fatalf("%s: %s: %s", d.Pos.Pointer, d.Code, d.Message)
	}
	return plan
}

func (f *fixture) lowered(t testing.TB) *machine.Program {
	t.Helper()
	p, err := derive.Lower(f.decoded(t), derive.Lowering{Portable: f.portable, Tasks: f.tasks})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inputs draws the values that the model is given.
func (f *fixture) inputs(t testing.TB, seed uint64) map[string]*tensor.Tensor {
	t.Helper()
	all := map[string]*tensor.Tensor{}
	for i, v := range f.model.Values {
		if v.Role != "input" && v.Role != "parameter" {
			continue
		}
		var shape []int64
		for _, n := range v.Type.Shape {
			size, _ := n.Int()
			shape = append(shape, size)
		}
		x, err := tensor.Random(shape, f.dtype, seed*100+uint64(i), 1)
		if err != nil {
			t.Fatal(err)
		}
		all[v.ID] = x
	}
	return all
}
