package chart

import (
	"slices"
	"strconv"
	"strings"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// finder finds the places of findings by the pointers into the document that
// a finding and the facts of its proof have.
type finder struct {
	plan *ir.Plan
	m    *measure
	byOp map[ir.ID][]int // entries of instances; made when first asked for
}

func newFinder(p *ir.Plan, m *measure) *finder { return &finder{plan: p, m: m} }

func (f *finder) find(findings []diag.Diagnostic) []Guilt {
	var all []Guilt
	for i := range findings {
		if g := f.guilt(&findings[i]); len(g.Places) > 0 {
			g.Finding = i
			all = append(all, g)
		}
	}
	return all
}

// guilt asks first what the assignment, the stages and the target have to do
// with a finding. One that rests on the graph alone is where its ops run.
func (f *finder) guilt(d *diag.Diagnostic) Guilt {
	pointers := append([]string{d.Pos.Pointer}, leaves(d.Proof)...)
	for _, resolve := range []func(string) []Place{f.assigned, f.inGraph} {
		var g Guilt
		for _, pointer := range pointers {
			for _, place := range resolve(pointer) {
				switch {
				case slices.Contains(g.Places, place):
				case len(g.Places) == maxPlaces:
					g.More++
				default:
					g.Places = append(g.Places, place)
				}
			}
		}
		if len(g.Places) > 0 {
			return g.tidy()
		}
	}
	return Guilt{}
}

// tidy leaves out stages and cores as such where instances say the same more
// exactly: a proof that puts an op in a stage rests on the stage too.
func (g Guilt) tidy() Guilt {
	if !slices.ContainsFunc(g.Places, func(p Place) bool { return p.Op != "" }) {
		return g
	}
	g.Places = slices.DeleteFunc(g.Places, func(p Place) bool { return p.Op == "" && p.Stage != None })
	return g
}

// maxLeaves bounds the facts of one proof that are looked at.
const maxLeaves = 5000

// leaves lists the pointers of the facts in a proof.
func leaves(p *diag.Proof) []string {
	var all []string
	var walk func(p *diag.Proof)
	walk = func(p *diag.Proof) {
		if p == nil || len(all) >= maxLeaves {
			return
		}
		if p.Kind == diag.Fact && p.Pos.Pointer != "" {
			all = append(all, p.Pos.Pointer)
		}
		for _, q := range p.Premises {
			walk(q)
		}
		for _, q := range p.Rows {
			walk(q)
		}
	}
	walk(p)
	return all
}

// assigned resolves a pointer into the assignment, the stages or the target.
func (f *finder) assigned(pointer string) []Place {
	part := strings.Split(pointer, "/") // "", "assignment", "instances", "3", "cores", "1"
	for len(part) < 6 {
		part = append(part, "")
	}
	p := f.plan
	switch {
	case part[1] == "assignment" && part[2] == "instances":
		if i, ok := index(part[3], len(p.Assignment.Instances)); ok {
			only := -1
			if k, ok := index(part[5], f.m.lanes(&p.Assignment.Instances[i])); ok && (part[4] == "cores" || part[4] == "lanes") {
				only = k
			}
			return f.instance(i, only)
		}
	case part[1] == "assignment" && part[2] == "placement":
		if i, ok := index(part[3], len(p.Assignment.Placement)); ok {
			return []Place{{Stage: None, Core: int64(i)}}
		}
	case part[1] == "target" && part[2] == "cores" && p.Target != nil:
		if i, ok := index(part[3], len(p.Target.Cores)); ok {
			return f.placedOn(p.Target.Cores[i].ID)
		}
	case part[1] == "stages":
		if i, ok := index(part[2], len(p.Stages)); ok {
			return []Place{{Stage: p.Stages[i].Index, Core: None}}
		}
	}
	return nil
}

// inGraph resolves a pointer to an op, or to an edge or the consumer of an
// input, whose ops are meant.
func (f *finder) inGraph(pointer string) []Place {
	part := strings.Split(pointer, "/") // "", "graph", "edges", "7"
	for len(part) < 6 {
		part = append(part, "")
	}
	if part[1] != "graph" {
		return nil
	}
	g := &f.plan.Graph
	var ops []ir.ID
	switch part[2] {
	case "ops":
		if i, ok := index(part[3], len(g.Ops)); ok {
			ops = append(ops, g.Ops[i].ID)
		}
	case "edges":
		if i, ok := index(part[3], len(g.Edges)); ok {
			ops = append(ops, g.Edges[i].From, g.Edges[i].To)
		}
	case "inputs":
		if i, ok := index(part[3], len(g.Inputs)); ok && part[4] == "consumers" {
			if k, ok := index(part[5], len(g.Inputs[i].Consumers)); ok {
				ops = append(ops, g.Inputs[i].Consumers[k])
			}
		}
	}
	var all []Place
	for _, op := range ops {
		for _, i := range f.entries(op) {
			all = append(all, f.instance(i, -1)...)
		}
	}
	return all
}

// entries lists the instances of an op.
func (f *finder) entries(op ir.ID) []int {
	if f.byOp == nil {
		f.byOp = map[ir.ID][]int{}
		for i, in := range f.plan.Assignment.Instances {
			f.byOp[in.Op] = append(f.byOp[in.Op], i)
		}
	}
	return f.byOp[op]
}

// instance lists where an entry's lanes run, or where one of them does.
func (f *finder) instance(i, only int) []Place {
	in := &f.plan.Assignment.Instances[i]
	var all []Place
	for k := range f.m.lanes(in) {
		if only < 0 || k == only {
			place := Place{Op: f.plan.Text(in.Op), Stage: in.Stage, Core: coreOf(in, k)}
			if !slices.Contains(all, place) {
				all = append(all, place)
			}
		}
		if len(all) > maxPlaces {
			break
		}
	}
	return all
}

// placedOn lists the logical cores that are placed on a physical one.
func (f *finder) placedOn(physical int64) []Place {
	var all []Place
	for logical, p := range f.plan.Assignment.Placement {
		if p == physical {
			all = append(all, Place{Stage: None, Core: int64(logical)})
		}
	}
	return all
}

// index reads an index below n.
func index(s string, n int) (int, bool) {
	i, err := strconv.Atoi(s)
	return i, err == nil && i >= 0 && i < n
}
