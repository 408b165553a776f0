package example

import (
	"cmp"
	"fmt"
	"slices"

	"plancheck/ir"
)

// Fault is something wrong with a faulty plan.
type Fault struct {
	Code string // of the one finding that it causes
	Doc  string // what was done to the legal plan
}

// Faults lists the faults of a network's faulty plan. Each is the only cause of
// one finding, and the plan has no other findings.
func Faults(name string) ([]Fault, error) {
	m, err := find(name)
	if err != nil {
		return nil, err
	}
	_, faults, err := m.spoil()
	return faults, err
}

func (m model) faulty() (*ir.Plan, error) {
	p, _, err := m.spoil()
	return p, err
}

// spoil builds the complete plan and puts the faults in, each at a place where
// it disturbs no other rule.
func (m model) spoil() (*ir.Plan, []Fault, error) {
	p, err := m.complete()
	if err != nil {
		return nil, nil, err
	}
	var faults []Fault
	for _, f := range []func(*ir.Plan) (Fault, error){
		m.skipStage, leaveRange, dropLane, shrinkCore, placeTwice,
	} {
		fault, err := f(p)
		if err != nil {
			return nil, nil, fmt.Errorf("spoiling %s: %w", m.name, err)
		}
		faults = append(faults, fault)
	}
	return p, faults, nil
}

// skipStage lets one edge jump over a stage.
func (m model) skipStage(p *ir.Plan) (Fault, error) {
	fault := Fault{"edge-skips-stage", m.skipDoc}
	from, to := p.Symbols.String(m.skipFrom), p.Symbols.String(m.skipTo)
	made := slices.IndexFunc(p.Graph.Edges, func(e ir.Edge) bool { return e.From == from })
	if made < 0 {
		return Fault{}, fmt.Errorf("nothing reads %s", m.skipFrom)
	}
	carriers := map[ir.ID]bool{}
	for _, op := range p.Graph.Ops {
		if op.Forwards == from {
			carriers[op.ID] = true
		}
	}
	for i, e := range p.Graph.Edges {
		if e.To == to && carriers[e.From] {
			p.Graph.Edges[i].From = from
			return fault, nil
		}
	}
	p.Graph.Edges = append(p.Graph.Edges, ir.Edge{From: from, To: to, Value: ir.NoID, Size: p.Graph.Edges[made].Size})
	return fault, nil
}

// leaveRange moves a lane without weights from stage 1 to a core of stage 0.
func leaveRange(p *ir.Plan) (Fault, error) {
	i := instanceOf(p, 1, func(op ir.Op) bool { return len(op.Weights) == 0 })
	if i < 0 {
		return Fault{}, fmt.Errorf("every op of stage 1 has weights")
	}
	in := &p.Assignment.Instances[i]
	in.Cores[0] = p.Stages[0].First
	return Fault{
		"core-outside-stage-range",
		fmt.Sprintf("Lane 0 of %s, an op of stage 1, runs on core %d of stage 0.", p.Text(in.Op), in.Cores[0]),
	}, nil
}

// dropLane leaves out the last lane of an op of the last stage but one.
func dropLane(p *ir.Plan) (Fault, error) {
	stage := len(p.Stages) - 2
	i := instanceOf(p, stage, func(op ir.Op) bool { return op.Lanes > 1 })
	if i < 0 {
		return Fault{}, fmt.Errorf("no op of stage %d has several lanes", stage)
	}
	in := &p.Assignment.Instances[i]
	in.Cores = in.Cores[:len(in.Cores)-1]
	return Fault{
		"instance-without-core-or-stage",
		fmt.Sprintf("Lane %d of %s is assigned nowhere.", len(in.Cores), p.Text(in.Op)),
	}, nil
}

// shrinkCore gives the core that holds the most weights a quarter less memory
// than they need.
func shrinkCore(p *ir.Plan) (Fault, error) {
	held := residentBytes(p)
	logical := 0
	for c := range held {
		if held[c] > held[logical] {
			logical = c
		}
	}
	core := &p.Target.Cores[p.Assignment.Placement[logical]]
	core.Capacity = held[logical] / 4 * 3
	return Fault{
		"resident-weights-exceed-core",
		fmt.Sprintf("Physical core %d has only %d bytes, three quarters of what the plan keeps there.", core.ID, core.Capacity),
	}, nil
}

// placeTwice places a logical core on the physical core of another, the two
// that hold the fewest weights, and so leaves a physical core without one.
func placeTwice(p *ir.Plan) (Fault, error) {
	held := residentBytes(p)
	byWeight := make([]int, len(held))
	for c := range byWeight {
		byWeight[c] = c
	}
	slices.SortStableFunc(byWeight, func(a, b int) int { return cmp.Compare(held[a], held[b]) })
	a, b := min(byWeight[0], byWeight[1]), max(byWeight[0], byWeight[1])
	place := p.Assignment.Placement
	place[b] = place[a]
	return Fault{
		"placement-not-permutation",
		fmt.Sprintf("Logical cores %d and %d are both placed on physical core %d.", a, b, place[a]),
	}, nil
}

// instanceOf finds the first instance of a stage whose op is as asked for, or
// returns -1.
func instanceOf(p *ir.Plan, stage int, wanted func(ir.Op) bool) int {
	fits := map[ir.ID]bool{}
	for _, op := range p.Graph.Ops {
		fits[op.ID] = wanted(op)
	}
	return slices.IndexFunc(p.Assignment.Instances, func(in ir.Instance) bool {
		return in.Stage == int64(stage) && fits[in.Op]
	})
}

// residentBytes is what each logical core holds: every lane slice of a weight once.
func residentBytes(p *ir.Plan) []int64 {
	size, weights := map[ir.ID]int64{}, map[ir.ID][]ir.ID{}
	for _, w := range p.Graph.Weights {
		size[w.ID] = w.Size
	}
	for _, op := range p.Graph.Ops {
		weights[op.ID] = op.Weights
	}
	type copyOf struct {
		weight     ir.ID
		lane, core int64
	}
	seen, held := map[copyOf]bool{}, make([]int64, p.LogicalCores)
	for _, in := range p.Assignment.Instances {
		for lane, core := range in.Cores {
			for _, w := range weights[in.Op] {
				if c := (copyOf{w, int64(lane), core}); !seen[c] {
					seen[c] = true
					held[core] += size[w]
				}
			}
		}
	}
	return held
}
