package plandiff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plancheck/ir"
)

// reader makes tables of a plan.
type reader struct{ *ir.Plan }

// tablesOf makes the tables of a plan, of every plan the same ones, decisions
// first.
func tablesOf(p *ir.Plan) []table {
	r := reader{p}
	stages, cores := r.instances()
	list := []table{
		*stages, *cores, *r.ranges(), *r.places(), *r.splits(), *r.residency(), *r.replicas(),
		*r.transfers(), *r.syncs(),
		*r.ops(), *r.edges(), *r.inputs(), *r.values(), *r.weights(),
		*r.target(), *r.targetCores(), *r.options(),
	}
	for i := range list {
		list[i].settle()
	}
	return list
}

// number is a number, or nil where the plan has none.
func number(n int64) any {
	if n == ir.None {
		return nil
	}
	return n
}

// id is the text of an id, or nil where the plan has none.
func (r reader) id(id ir.ID) any {
	if id == ir.NoID {
		return nil
	}
	return r.Text(id)
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// texts are the texts of ids; nil where there are none.
func (r reader) texts(ids []ir.ID) any {
	if len(ids) == 0 {
		return nil
	}
	var list []string
	for _, id := range ids {
		list = append(list, r.Text(id))
	}
	return sorted(list)
}

// instances are the stages of ops and the cores of their lanes. Of an op whose
// lanes disagree the lanes of each stage are listed.
func (r reader) instances() (stages, cores *table) {
	stages, cores = newOpenTable("stage"), newOpenTable("core")
	entries := map[ir.ID][]*ir.Instance{}
	for i := range r.Assignment.Instances {
		in := &r.Assignment.Instances[i]
		entries[in.Op] = append(entries[in.Op], in)
	}
	for i := range r.Graph.Ops {
		op := &r.Graph.Ops[i]
		list := entries[op.ID]
		if list == nil {
			continue
		}
		of := map[int64][]string{} // lanes by stages
		for _, in := range list {
			names := lanesOf(in, op.Lanes)
			of[in.Stage] = append(of[in.Stage], names...)
			for j, name := range names {
				core := any(nil)
				if in.Cores != nil {
					core = number(in.Cores[j])
				}
				cores.add(r.Text(op.ID)+", "+name, field{"", core})
			}
		}
		stages.add(r.Text(op.ID), field{"", stageOf(of)})
	}
	return stages, cores
}

// stageOf is the stage of all lanes, or says which lanes are in which.
func stageOf(lanes map[int64][]string) any {
	var text []string
	for _, stage := range slices.Sorted(maps.Keys(lanes)) {
		if len(lanes) == 1 {
			return number(stage)
		}
		where := fmt.Sprint(stage)
		if stage == ir.None {
			where = "none"
		}
		slices.SortFunc(lanes[stage], natural)
		names := strings.Join(lanes[stage], " and ")
		text = append(text, fmt.Sprintf("%s (%s)", where, strings.ReplaceAll(names, ",", "")))
	}
	return strings.Join(text, ", ")
}

// natural compares names of lanes: a shorter one has the smaller number.
func natural(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// mostLanes is how many lanes are told apart that nothing names.
const mostLanes = 1 << 16

// lanesOf names the lanes of an instance, in the order of its cores.
func lanesOf(in *ir.Instance, lanes int64) []string {
	part := ""
	if in.Part != ir.None {
		part = fmt.Sprintf(", part %d", in.Part)
	}
	n := int64(max(len(in.Cores), len(in.Lanes)))
	if in.Cores == nil && in.Lanes == nil {
		n = lanes
		if n > mostLanes {
			return []string{"all lanes" + part}
		}
	}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("lane %d", at(in.Lanes, i)) + part
	}
	return names
}

func (r reader) ranges() *table {
	t := newTable("range")
	list := slices.Clone(r.Stages)
	slices.SortFunc(list, func(a, b ir.Stage) int { return cmp.Compare(a.Index, b.Index) })
	for _, s := range list {
		t.add(fmt.Sprintf("stage %d", s.Index), field{"first core", number(s.First)}, field{"cores", number(s.Count)})
	}
	return t
}

func (r reader) places() *table {
	t := newOpenTable("place")
	for core, place := range r.Assignment.Placement {
		t.add(fmt.Sprintf("logical core %d", core), field{"", number(place)})
	}
	return t
}

func (r reader) splits() *table {
	t := newTable("split")
	for _, s := range r.Assignment.Splits {
		t.add(r.Text(s.Op), field{"", s.Parts})
	}
	return t
}

func (r reader) residency() *table {
	t := newTable("residency")
	if list := r.Assignment.Residency; list != nil && len(list) == 0 {
		t.add("nothing") // where it is absent, slices are where their lanes run
	}
	for i := range r.Assignment.Residency {
		res := &r.Assignment.Residency[i]
		for j, core := range res.Cores {
			lane := int64(j)
			if res.Lanes != nil {
				lane = res.Lanes[j]
			}
			name := fmt.Sprintf("%s, lane %d", r.Text(res.Weight), lane)
			if res.Parts != ir.None && res.Parts != 1 {
				name += fmt.Sprintf(", part %d of %d", res.Part, res.Parts)
			}
			t.add(fmt.Sprintf("%s on core %d", name, core))
		}
	}
	return t
}

func (r reader) replicas() *table {
	t := newTable("replica")
	for _, p := range r.Assignment.Replicas {
		t.add(fmt.Sprintf("%s, replica %d", r.Text(p.Op), p.Index), field{"first window", p.First}, field{"windows", p.Count})
	}
	return t
}

func (r reader) transfers() *table {
	t := newTable("transfer")
	for _, x := range r.Transfers {
		t.add(r.Text(x.ID), field{"from", r.id(x.From)}, field{"to", r.id(x.To)}, field{"stage", number(x.Stage)},
			field{"from_stage", number(x.FromStage)}, field{"to_stage", number(x.ToStage)})
	}
	return t
}

func (r reader) syncs() *table {
	t := newTable("sync")
	for _, x := range r.Syncs {
		t.add(r.Text(x.ID), field{"op", r.id(x.Op)}, field{"stage", number(x.Stage)})
	}
	return t
}

func (r reader) ops() *table {
	t := newTable("op")
	for i := range r.Graph.Ops {
		o := &r.Graph.Ops[i]
		var on []string
		for _, w := range o.WorkOn {
			on = append(on, fmt.Sprintf("%s %d", w.Kind, w.Cycles))
		}
		workOn := any(nil)
		if on != nil {
			workOn = sorted(on)
		}
		t.add(r.Text(o.ID), field{"kind", text(o.Kind)}, field{"lanes", o.Lanes}, field{"work_cycles", o.Work}, field{"work_on", workOn},
			field{"weights", r.texts(o.Weights)}, field{"max_parts", number(o.MaxParts)}, field{"windows", number(o.Windows)},
			field{"forwards", r.id(o.Forwards)}, field{"forward_cycles", number(o.ForwardCycles)})
	}
	return t
}

func (r reader) edges() *table {
	t := newTable("edge")
	for _, e := range r.Graph.Edges {
		name := r.Text(e.From) + " -> " + r.Text(e.To)
		if e.Value != ir.NoID {
			name += " (" + r.Text(e.Value) + ")"
		}
		t.add(name, field{"size_bytes", number(e.Size)})
	}
	return t
}

func (r reader) inputs() *table {
	t := newTable("input")
	for i := range r.Graph.Inputs {
		in := &r.Graph.Inputs[i]
		t.add(r.Text(in.ID), field{"dynamic", in.Dynamic}, field{"size_bytes", number(in.Size)},
			field{"forward_cycles", number(in.ForwardCycles)}, field{"consumers", r.texts(in.Consumers)})
	}
	return t
}

func (r reader) values() *table {
	t := newTable("value")
	for _, v := range r.Graph.Values {
		t.add(r.Text(v.ID), field{"from", r.id(v.From)}, field{"size_bytes", number(v.Size)}, field{"forward_cycles", number(v.ForwardCycles)})
	}
	return t
}

func (r reader) weights() *table {
	t := newTable("weight")
	for _, w := range r.Graph.Weights {
		t.add(r.Text(w.ID), field{"size_bytes", w.Size})
	}
	return t
}

func (r reader) target() *table {
	t := newTable("target")
	if r.Target == nil {
		return t
	}
	mesh, distances := any(nil), any(nil)
	if r.Target.Mesh != nil {
		mesh = fmt.Sprintf("%d x %d", r.Target.Mesh[0], r.Target.Mesh[1])
	}
	if r.Target.Distances != nil {
		distances = fmt.Sprint(r.Target.Distances)
	}
	t.add("target", field{"mesh", mesh}, field{"distances", distances}, field{"core_count", number(r.Target.CoreCount)},
		field{"bytes_per_cycle", number(r.Target.BytesPerCycle)})
	return t
}

func (r reader) targetCores() *table {
	t := newTable("target core")
	if r.Target == nil {
		return t
	}
	for i := range r.Target.Cores {
		c := &r.Target.Cores[i]
		at := any(nil)
		if c.Row != ir.None {
			at = fmt.Sprintf("[%d, %d]", c.Row, c.Col)
		}
		t.add(fmt.Sprint(c.ID), field{"at", at}, field{"capacity_bytes", number(c.Capacity)}, field{"kind", text(c.Kind)})
	}
	return t
}

// options are what is said of the plan as a whole.
func (r reader) options() *table {
	t := newTable("plan")
	t.add("plan", field{"name", text(r.Name)}, field{"logical_cores", number(r.LogicalCores)},
		field{"nonempty_stages", r.Options.Nonempty}, field{"forward", r.Options.Forward},
		field{"graph_digest", text(r.Graph.Digest)}, field{"assignment_graph_digest", text(r.Assignment.GraphDigest)}, field{"digest", text(r.Digest)})
	return t
}
