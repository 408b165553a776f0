package solvecases

import (
	"fmt"
	"slices"

	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// problem puts a case into numbers, in the plainest way and by itself, so that
// answers do not depend on how the scheduler does it. It knows what the cases
// use: whole lanes of ops pinned to stages and cores, and nothing that is split
// or forwarded already.
func problem(p *ir.Plan) (*schedule.Problem, error) {
	s := &schedule.Problem{Stages: len(p.Stages), Cores: int(p.LogicalCores), Kinds: 1, NonEmpty: p.Options.Nonempty}
	kinds := []string{""}
	largest := int64(-1)
	if p.Target != nil {
		s.Cores = len(p.Target.Cores)
		for _, c := range p.Target.Cores {
			kind := slices.Index(kinds, c.Kind)
			if kind < 0 {
				kind = len(kinds)
				kinds = append(kinds, c.Kind)
			}
			s.Machine = append(s.Machine, schedule.Core{Capacity: c.Capacity, Kind: kind})
			s.Places = append(s.Places, schedule.Free)
			largest = max(largest, c.Capacity)
		}
		s.Kinds = len(kinds)
		s.Hops = hops(p.Target)
	}
	for i, at := range p.Assignment.Placement {
		if at != ir.None {
			s.Places[i] = int(at)
		}
	}
	for i, stage := range p.Stages {
		if stage.Index != int64(i) {
			return nil, fmt.Errorf("stage %d is listed as number %d", stage.Index, i)
		}
		s.Ranges = append(s.Ranges, schedule.Range{First: int(stage.First), Count: int(stage.Count)})
	}
	weight := map[ir.ID]int{}
	for i, w := range p.Graph.Weights {
		weight[w.ID] = i
		s.Slices = append(s.Slices, w.Size)
	}
	number := map[ir.ID]int{}
	for i := range p.Graph.Ops {
		op := &p.Graph.Ops[i]
		number[op.ID] = i
		s.Ops = append(s.Ops, opNumbers(p, op, weight, kinds, largest))
	}
	for _, in := range p.Assignment.Instances {
		o := &s.Ops[number[in.Op]]
		if in.Part != ir.None || in.Lanes != nil || in.Stage == ir.None || o.Parts > 1 {
			return nil, fmt.Errorf("lanes or parts of op %s are listed, or it has no stage", p.Text(in.Op))
		}
		o.Lo, o.Hi = int(in.Stage), int(in.Stage)
		for _, core := range in.Cores {
			o.Pins = append(o.Pins, int(core))
		}
	}
	return s, valueNumbers(p, s, number)
}

// hops has the distances between the cores; nil if they are not known.
func hops(t *ir.Target) [][]int64 {
	if t.Mesh == nil {
		return t.Distances
	}
	list := make([][]int64, len(t.Cores))
	for i, a := range t.Cores {
		for _, b := range t.Cores {
			list[i] = append(list[i], max(a.Row-b.Row, b.Row-a.Row)+max(a.Col-b.Col, b.Col-a.Col))
		}
	}
	return list
}

func opNumbers(p *ir.Plan, op *ir.Op, weight map[ir.ID]int, kinds []string, largest int64) schedule.Op {
	o := schedule.Op{Hi: len(p.Stages) - 1, Lanes: int(op.Lanes), Parts: 1}
	for _, w := range op.Weights {
		o.Weights = append(o.Weights, weight[w])
	}
	// Too large a lane is split into the fewest parts that fit some core.
	for parts := 2; parts <= int(op.MaxParts) && largest >= 0 && firstParts(p, &o) > largest; parts++ {
		o.Parts = parts
	}
	for _, kind := range kinds {
		work := op.Work
		for _, on := range op.WorkOn {
			if on.Kind == kind {
				work = on.Cycles
			}
		}
		o.Cycles = append(o.Cycles, up(work, o.Shares()))
	}
	return o
}

// firstParts is the size of the largest part of a lane.
func firstParts(p *ir.Plan, o *schedule.Op) int64 {
	var sum int64
	for _, w := range o.Weights {
		sum += up(p.Graph.Weights[w].Size, o.Parts)
	}
	return sum
}

// up divides, and rounds up.
func up(n int64, by int) int64 { return (n + int64(by) - 1) / int64(by) }

func valueNumbers(p *ir.Plan, s *schedule.Problem, number map[ir.ID]int) error {
	value := map[ir.ID]int{}
	add := func(id ir.ID, from, lanes int, bytes, cost int64) error {
		v := schedule.Value{From: from, Bytes: bytes}
		if cost == ir.None && bytes != ir.None && p.Target != nil && p.Target.BytesPerCycle > 0 {
			cost = up(bytes, int(p.Target.BytesPerCycle))
		}
		if p.Options.Forward {
			if cost == ir.None {
				return fmt.Errorf("nobody says what a forward of %s costs", p.Text(id))
			}
			v.Forward = max(min(lanes, int(cost)), 1)
			for range s.Kinds {
				v.Cycles = append(v.Cycles, up(cost, v.Forward))
			}
		}
		value[id] = len(s.Values)
		s.Values = append(s.Values, v)
		return nil
	}
	for _, v := range p.Graph.Values {
		from := number[v.From]
		if err := add(v.ID, from, int(p.Graph.Ops[from].Lanes), v.Size, v.ForwardCycles); err != nil {
			return err
		}
	}
	for _, e := range p.Graph.Edges {
		id, from := e.Value, number[e.From]
		if id == ir.NoID {
			id = e.From
		}
		if _, known := value[id]; !known {
			op := &p.Graph.Ops[from]
			if err := add(id, from, int(op.Lanes), e.Size, op.ForwardCycles); err != nil {
				return err
			}
		}
		s.Reads = append(s.Reads, schedule.Read{Value: value[id], To: number[e.To]})
	}
	for _, in := range p.Graph.Inputs {
		if !in.Dynamic {
			continue
		}
		if err := add(in.ID, schedule.Outside, 1, in.Size, in.ForwardCycles); err != nil {
			return err
		}
		for _, op := range in.Consumers {
			s.Reads = append(s.Reads, schedule.Read{Value: value[in.ID], To: number[op]})
		}
	}
	return nil
}
