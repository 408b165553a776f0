package encode

import (
	"fmt"
	"slices"

	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// Mend writes a solution into the plan: every entry stays where it is, with other
// numbers where the solution has others. New entries stand behind the old ones.
// What follows from stages and cores is brought into line: residency, transfers,
// synchronisation records and digests, as far as the plan has them. The changes
// say what is another than before.
func (r *Repairer) Mend(s *schedule.Solution) (*ir.Plan, []Change) {
	m := &mending{Repairer: r, s: s, plan: clone(r.plan), changes: changes{slices.Clone(r.loose.list)}}
	m.stages()
	m.forwards()
	m.splits()
	m.instances()
	m.placement()
	m.residency()
	m.records()
	m.digests()
	return m.plan, m.changes.list
}

// mending is a plan on its way from what it was to a solution.
type mending struct {
	*Repairer
	changes
	s    *schedule.Solution
	plan *ir.Plan
}

func (m *mending) show(id ir.ID) string { return m.plan.Symbols.Show(id) }

func (m *mending) stages() {
	for i := range m.plan.Stages {
		st := &m.plan.Stages[i]
		first, end := m.s.Range(m.Problem, int(st.Index))
		is := ir.Stage{Index: st.Index, First: int64(first), Count: int64(end - first)}
		if *st == is {
			continue
		}
		m.add(ChangeRange, st.First == ir.None, fmt.Sprintf("stage %d: %s -> %s", st.Index, cores(st), cores(&is)), pointer("stages", i))
		*st = is
	}
}

// cores writes the range of a stage.
func cores(s *ir.Stage) string {
	switch {
	case s.First == ir.None:
		return "open"
	case s.Count == 1:
		return fmt.Sprintf("core %d", s.First)
	case s.Count == 0:
		return "no cores"
	}
	return fmt.Sprintf("cores %d..%d", s.First, plus(s.First, s.Count-1))
}

// forwards adds forwards to the graph and tells of them, each with the edges that
// now come from it.
func (m *mending) forwards() {
	edges := slices.Clone(m.plan.Graph.Edges)
	m.forward(m.plan, m.s)
	carry := map[ir.ID]int{} // values by the id that edges carry
	for v := range m.values {
		if m.values[v].input < 0 {
			carry[m.values[v].id] = v
		}
	}
	led := map[int][]int{} // edges of each value that come from forwards now
	for j := range edges {
		if m.plan.Graph.Edges[j] != edges[j] {
			v := carry[carried(&edges[j])]
			led[v] = append(led[v], j)
		}
	}
	for i, f := range m.s.Forwards {
		id := m.plan.Graph.Ops[len(m.Problem.Ops)+i].ID
		var at []string
		for _, j := range led[f.Value] {
			if m.s.Stage[m.index[edges[j].To]] > f.Stage {
				at = append(at, pointer("graph", "edges", j))
			}
		}
		if in := m.values[f.Value].input; in >= 0 {
			at = append(at, pointer("graph", "inputs", in))
		}
		m.add(ChangeForward, false, fmt.Sprintf("op %s: carries %s through stage %d", m.show(id), m.show(m.values[f.Value].id), f.Stage), at...)
		in := ir.Instance{Op: id, Stage: int64(f.Stage), Part: ir.None}
		for _, core := range f.Core {
			in.Cores = append(in.Cores, int64(core))
		}
		m.plan.Assignment.Instances = append(m.plan.Assignment.Instances, in)
	}
}

// splits lists ops that were not split and are now.
func (m *mending) splits() {
	listed := map[ir.ID]bool{}
	for _, s := range m.plan.Assignment.Splits {
		listed[s.Op] = true
	}
	for i, split := range m.split {
		id := m.plan.Graph.Ops[i].ID
		if !split || listed[id] {
			continue
		}
		parts := int64(m.Problem.Ops[i].Parts)
		var at []string
		for _, e := range m.entries[i] {
			at = append(at, pointer("assignment", "instances", e))
		}
		m.add(ChangeSplit, m.Wish.Core[i] == nil, fmt.Sprintf("op %s: lanes are split into %d parts", m.show(id), parts), at...)
		m.plan.Assignment.Splits = append(m.plan.Assignment.Splits, ir.Split{Op: id, Parts: parts})
	}
}

func (m *mending) instances() {
	a := &m.plan.Assignment
	keep := make([]bool, len(a.Instances))
	for i := range keep {
		keep[i] = i >= len(m.seats) // those of forwards
	}
	var fresh []ir.Instance
	for op := range m.Problem.Ops {
		m.stage(op)
		for _, e := range m.entries[op] {
			keep[e] = m.instance(op, e)
		}
		fresh = append(fresh, m.missing(op)...)
	}
	var kept []ir.Instance
	forwards := len(m.seats)
	for i := range a.Instances {
		if i == forwards {
			kept, fresh = append(kept, fresh...), nil
		}
		if keep[i] {
			kept = append(kept, a.Instances[i])
		}
	}
	if a.Instances = append(kept, fresh...); a.Instances == nil {
		a.Instances = []ir.Instance{}
	}
}

// stage puts all instances of an op into its stage.
func (m *mending) stage(op int) {
	is := int64(m.s.Stage[op])
	var at []string
	was, filled, differ := int64(ir.None), true, false
	for _, e := range m.entries[op] {
		in := &m.plan.Assignment.Instances[e]
		if in.Stage == is {
			continue
		}
		at = append(at, pointer("assignment", "instances", e, "stage"))
		if in.Stage != ir.None {
			differ = differ || !filled && was != in.Stage
			was, filled = in.Stage, false
		}
		in.Stage = is
	}
	what := "op " + m.show(m.plan.Graph.Ops[op].ID) + ": stage"
	switch {
	case at == nil:
	case differ:
		m.add(ChangeStage, false, fmt.Sprintf("%s %d for all lanes", what, is), at...)
	case filled:
		m.add(ChangeStage, true, fmt.Sprintf("%s %d", what, is), at...)
	default:
		m.add(ChangeStage, false, fmt.Sprintf("%s %d -> %d", what, was, is), at...)
	}
}

// instance corrects the lanes and cores of an instance, and says whether any are
// left.
func (m *mending) instance(op, e int) bool {
	in := &m.plan.Assignment.Instances[e]
	o := &m.Problem.Ops[op]
	named, before := m.lanesOf(in, op), in.Cores
	at := func(list string, i int) string { return pointer("assignment", "instances", e, list, i) }
	var lanes, onCores []int64
	part, known := m.part(op, in)
	for i, share := range m.seats[e] {
		if share == gone {
			m.add(ChangeLane, false, fmt.Sprintf("op %s: an instance of lane %d too many is gone", m.show(in.Op), named[i]), at("lanes", i))
			continue
		}
		lane, core := int64(share/o.Parts), int64(m.s.Core[op][share])
		if lane != named[i] {
			m.add(ChangeLane, false, fmt.Sprintf("op %s: an instance of lane %d is of lane %d", m.show(in.Op), named[i], lane), at("lanes", i))
		}
		was := int64(ir.None)
		if before != nil {
			was = before[i]
		}
		m.core(m.share(op, share), named[i], was, core, at("cores", i))
		lanes, onCores = append(lanes, lane), append(onCores, core)
		part = share % o.Parts
	}
	if lanes == nil {
		return false
	}
	if in.Lanes != nil || !countUp(lanes) {
		in.Lanes = lanes
	}
	in.Cores = onCores
	if !known {
		is := int64(ir.None)
		if m.split[op] {
			is = int64(part)
		}
		if was := m.plan.Assignment.Instances[e].Part; is != was {
			newly := was == ir.None
			if !newly || m.listedSplit(op) {
				m.add(ChangeLane, false, fmt.Sprintf("op %s: an instance is of %s", m.show(in.Op), partName(is)), pointer("assignment", "instances", e))
			}
			in.Part = is
		}
	}
	return true
}

// listedSplit says whether the plan splits an op itself.
func (m *mending) listedSplit(op int) bool {
	return slices.ContainsFunc(m.given.Assignment.Splits, func(s ir.Split) bool { return s.Op == m.plan.Graph.Ops[op].ID })
}

func partName(part int64) string {
	if part == ir.None {
		return "whole lanes"
	}
	return fmt.Sprintf("part %d", part)
}

// countUp says whether lanes are 0, 1, 2, ...
func countUp(lanes []int64) bool {
	for i, lane := range lanes {
		if lane != int64(i) {
			return false
		}
	}
	return true
}

// missing lists the shares of an op that no instance has, by parts.
func (m *mending) missing(op int) []ir.Instance {
	o := &m.Problem.Ops[op]
	var fresh []ir.Instance
	for part := range o.Parts {
		in := ir.Instance{Op: m.plan.Graph.Ops[op].ID, Stage: int64(m.s.Stage[op]), Part: ir.None}
		if m.split[op] {
			in.Part = int64(part)
		}
		for _, share := range m.homeless[op] {
			if share%o.Parts != part {
				continue
			}
			core := int64(m.s.Core[op][share])
			m.core(m.share(op, share), int64(share/o.Parts), ir.None, core, pointer("graph", "ops", op))
			in.Lanes, in.Cores = append(in.Lanes, int64(share/o.Parts)), append(in.Cores, core)
		}
		if in.Lanes == nil {
			continue
		}
		if countUp(in.Lanes) {
			in.Lanes = nil
		}
		fresh = append(fresh, in)
	}
	return fresh
}

func (m *mending) placement() {
	a := &m.plan.Assignment
	if len(m.Problem.Machine) == 0 {
		return
	}
	was := a.Placement
	a.Placement = make([]int64, len(m.s.Place))
	for core, place := range m.s.Place {
		a.Placement[core] = m.plan.Target.Cores[place].ID
		before, at := int64(ir.None), pointer("assignment")
		if core < len(was) {
			before, at = was[core], pointer("assignment", "placement", core)
		}
		m.number(ChangePlace, fmt.Sprintf("logical core %d: place", core), before, a.Placement[core], at)
	}
	for core := len(m.s.Place); core < len(was); core++ {
		m.add(ChangePlace, false, fmt.Sprintf("logical core %d: does not exist, and has no place", core), pointer("assignment", "placement", core))
	}
}
